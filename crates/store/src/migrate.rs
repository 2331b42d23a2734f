//! Bringing an older schema up to date, forward only.

use std::path::{Path, PathBuf};

use jiff::Timestamp;

use crate::store::APPLICATION;
use crate::{Notice, Result, Store, StoreError, aside};

/// The steps; step n leads from version n to version n + 1.
const STEPS: &[&str] = &[
    include_str!("schema/0001.sql"),
    include_str!("schema/0002.sql"),
    include_str!("schema/0003.sql"),
    include_str!("schema/0004.sql"),
    include_str!("schema/0005.sql"),
];

/// Copies that are kept.
const COPIES: usize = 3;

/// The version that this build writes.
pub(crate) fn newest() -> u32 {
    STEPS.len() as u32
}

/// Brings the store from `version` to the newest one.
pub(crate) fn to_newest(store: &mut Store, version: u32, now: Timestamp) -> Result<Option<Notice>> {
    through(store, version, STEPS, now)
}

fn through(store: &mut Store, version: u32, steps: &[&str], now: Timestamp) -> Result<Option<Notice>> {
    let newest = steps.len() as u32;
    if version >= newest {
        return Ok(None);
    }
    let copy = if version == 0 { None } else { Some(copy(store, version, now)?) };
    for (at, step) in (version..).zip(&steps[version as usize..]) {
        // The version is part of the same transaction: a step is done and counted, or neither.
        store.atomically(|connection| {
            connection.execute_batch(step)?;
            connection.pragma_update(None, "application_id", APPLICATION)?;
            connection.pragma_update(None, "user_version", at + 1)?;
            Ok(())
        })?;
    }
    Ok(copy.map(|copy| Notice::Migrated { from: version, to: newest, copy }))
}

/// Copies the database as it is, complete with its log, to a file beside it.
fn copy(store: &Store, version: u32, now: Timestamp) -> Result<PathBuf> {
    let to = aside::beside(&store.path, &format!(".v{version}-{}", aside::stamp(now)));
    if to.exists() {
        // An earlier try of this very second; VACUUM INTO wants a new or empty file.
        std::fs::remove_file(&to).map_err(|error| StoreError::File { path: to.clone(), error })?;
    }
    aside::make_private(&to)?;
    store.connection.execute("VACUUM INTO ?1", [to.to_string_lossy()])?;
    forget_old_copies(&store.path);
    Ok(to)
}

/// Removes all but the newest copies. Their names sort by version and then by time.
fn forget_old_copies(path: &Path) {
    let (Some(folder), Some(name)) = (path.parent(), path.file_name().and_then(|name| name.to_str())) else {
        return;
    };
    let start = format!("{name}.v");
    let mut copies: Vec<_> = std::fs::read_dir(folder)
        .into_iter()
        .flatten()
        .flatten()
        .filter_map(|entry| {
            let name = entry.file_name().into_string().ok()?;
            let (version, stamp) = name.strip_prefix(&start)?.split_once('-')?;
            Some((version.parse::<u32>().ok()?, stamp.to_owned(), entry.path()))
        })
        .collect();
    copies.sort();
    for (_, _, old) in copies.iter().rev().skip(COPIES) {
        let _ = std::fs::remove_file(old);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LATER: &[&str] =
        &[STEPS[0], "ALTER TABLE sessions ADD COLUMN later TEXT", "CREATE TABLE later (a)"];

    fn at(second: i64) -> Timestamp {
        Timestamp::from_second(1_800_000_000 + second).unwrap()
    }

    fn copies(folder: &Path) -> usize {
        std::fs::read_dir(folder)
            .unwrap()
            .flatten()
            .filter(|e| e.file_name().to_string_lossy().contains(".v"))
            .count()
    }

    #[test]
    #[ntest::timeout(30000)]
    fn a_step_that_fails_leaves_the_version_before_it() {
        let folder = tempfile::tempdir().unwrap();
        let mut store = Store::open(&folder.path().join("b.db"), at(0)).unwrap().store;
        let broken = [LATER[0], LATER[1], "CREATE TABLE half (a); SELECT nonsense"];
        through(&mut store, 1, &broken, at(1)).unwrap_err();
        let version: u32 =
            store.connection.pragma_query_value(None, "user_version", |row| row.get(0)).unwrap();
        assert_eq!(version, 2);
        let half = store.connection.prepare("SELECT * FROM half");
        assert!(half.is_err(), "a part of the failed step was kept");
    }

    #[test]
    #[ntest::timeout(30000)]
    fn copies_hold_the_old_database_and_three_are_kept() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("b.db");
        let mut store = Store::open(&path, at(0)).unwrap().store;
        store.put_setting("a", &serde_json::json!(1)).unwrap();
        let notice = through(&mut store, 1, &LATER[..2], at(1)).unwrap();
        let Some(Notice::Migrated { from: 1, to: 2, copy }) = notice else { panic!("{notice:?}") };
        let old = Store::open(&copy, at(2)).unwrap();
        assert_eq!(old.store.setting("a").unwrap(), serde_json::json!(1));
        drop(old);
        for second in 10..15 {
            super::copy(&store, 2, at(second)).unwrap();
        }
        assert_eq!(copies(folder.path()), COPIES);
    }
}
