//! A database of every released schema opens, and holds what it held.

use std::path::{Path, PathBuf};

use belfry_protocol::Session;
use belfry_protocol::session::GroupColor;
use belfry_store::Store;

use crate::{at, session};

/// `tests/fixtures/vN.sql`: dumps of databases that a Belfry of that schema wrote, with the two sessions of this suite.
fn fixtures() -> Vec<(u32, PathBuf)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures");
    let mut found: Vec<_> = std::fs::read_dir(folder)
        .unwrap()
        .flatten()
        .filter_map(|entry| {
            let name = entry.file_name().into_string().ok()?;
            Some((name.strip_prefix('v')?.strip_suffix(".sql")?.parse().ok()?, entry.path()))
        })
        .collect();
    found.sort();
    found
}

/// The suite's session, without what a Belfry of that schema did not keep.
fn as_written_by(version: u32, n: u64) -> Session {
    let mut session = session(n);
    if version < 2 {
        session.activity_since = None;
        (session.pinned, session.muted, session.snoozed_until) = (false, false, None);
    }
    if version < 4 {
        session.forked_from = None;
    }
    if version < 5 {
        (session.workspace_id, session.unspoken) = (None, false);
        (session.pull_request, session.runs_for) = (None, None);
    }
    session
}

fn schema(path: &Path) -> Vec<String> {
    let raw = rusqlite::Connection::open(path).unwrap();
    let mut statement =
        raw.prepare("SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL ORDER BY name").unwrap();
    let rows = statement.query_map([], |row| row.get(0)).unwrap();
    rows.collect::<Result<_, _>>().unwrap()
}

#[test]
#[ntest::timeout(60000)]
fn every_released_schema_opens() {
    let folder = tempfile::tempdir().unwrap();
    let new = folder.path().join("new.db");
    Store::open(&new, at(0)).unwrap().store.close().unwrap();
    let newest: u32 = rusqlite::Connection::open(&new)
        .unwrap()
        .pragma_query_value(None, "user_version", |row| row.get(0))
        .unwrap();
    let fixtures = fixtures();
    assert_eq!(
        fixtures.iter().map(|(version, _)| *version).collect::<Vec<_>>(),
        (1..=newest).collect::<Vec<_>>()
    );
    for (version, dump) in fixtures {
        let path = folder.path().join(format!("{version}.db"));
        let raw = rusqlite::Connection::open(&path).unwrap();
        raw.execute_batch(&std::fs::read_to_string(dump).unwrap()).unwrap();
        drop(raw);
        let opened = Store::open(&path, at(0)).unwrap();
        assert_eq!(opened.notices.len(), usize::from(version < newest), "{:?}", opened.notices);
        assert_eq!(opened.store.sessions().unwrap(), [1, 2].map(|n| as_written_by(version, n)));
        if version >= 2 {
            let project = opened.store.projects().unwrap().remove(0);
            assert_eq!(project.defaults.agent.as_deref(), Some("claude"));
            assert_eq!(opened.store.groups().unwrap()[0].color, Some(GroupColor::Teal));
        }
        if version >= 3 {
            assert_eq!(opened.store.notifications().unwrap(), [crate::notifications::stored(1)]);
        }
        if version >= 5 {
            assert_eq!(opened.store.workspaces().unwrap(), [crate::workspaces::stored(1)]);
            let trusted = opened.store.newest_trusted_scripts("/home/some one/código").unwrap();
            assert_eq!(trusted, Some(crate::workspaces::trusted(1)));
        }
        opened.store.close().unwrap();
        assert_eq!(
            schema(&path),
            schema(&new),
            "a database of version {version} ends with another schema than a new one"
        );
    }
}
