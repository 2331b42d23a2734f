//! Damaged, foreign, newer, read-only and full.

use std::path::{Path, PathBuf};

use belfry_protocol::ErrorCode;
use belfry_store::{Notice, Store, StoreError, sqlite_version};

use crate::{at, open, session};

fn set_aside(notices: &[Notice]) -> (PathBuf, usize) {
    let [Notice::SetAside { path, taken_over, .. }] = notices else { panic!("{notices:?}") };
    (path.clone(), *taken_over)
}

fn overwrite(path: &Path, from: usize, bytes: &[u8]) {
    let mut all = std::fs::read(path).unwrap();
    all[from..from + bytes.len()].copy_from_slice(bytes);
    std::fs::write(path, all).unwrap();
}

#[test]
fn sqlite_is_free_of_the_wal_reset_fault() {
    // 3.51.3 fixed a corruption of WAL databases by concurrent checkpoints.
    let parts: Vec<u32> = sqlite_version().split('.').map(|part| part.parse().unwrap()).collect();
    assert!(parts.as_slice() >= [3, 51, 3].as_slice(), "{}", sqlite_version());
}

#[test]
#[ntest::timeout(30000)]
fn garbage_is_set_aside_and_kept() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("b.db");
    std::fs::write(&path, b"this is no database, whatever its name says".repeat(100)).unwrap();
    let opened = open(&path);
    assert!(opened.fresh);
    let (old, taken) = set_aside(&opened.notices);
    assert_eq!(taken, 0);
    assert!(std::fs::read(&old).unwrap().starts_with(b"this is no database"));
    // Another one within the same second gets another name.
    drop(opened);
    std::fs::write(&path, b"no database again, none at all, not a bit of it".repeat(100)).unwrap();
    let (again, _) = set_aside(&open(&path).notices);
    assert_ne!(again, old);
    assert!(old.exists() && again.exists());
}

#[test]
#[ntest::timeout(60000)]
fn what_can_be_read_of_a_damaged_one_is_taken_over() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("b.db");
    let mut store = open(&path).store;
    for n in 0..300 {
        store.save_session(&session(n)).unwrap();
    }
    store.put_setting("kept", &serde_json::json!(true)).unwrap();
    store.close().unwrap();
    // An unclean end and a page of nonsense in the middle of the file: the quick check has to find it.
    open(&path);
    let length = std::fs::metadata(&path).unwrap().len() as usize;
    overwrite(&path, (length / 2) & !4095, &[0xa5; 4096]);
    let opened = open(&path);
    let (old, taken) = set_aside(&opened.notices);
    assert!(old.exists() && taken > 50, "{taken}");
    assert!(opened.fresh);
    let mut store = opened.store;
    assert_eq!(store.setting("kept").unwrap(), serde_json::json!(true));
    assert_eq!(store.integrity_check().unwrap(), Vec::<String>::new());

    let known = store.sessions().unwrap().len();
    let all: Vec<_> = (0..300).map(session).collect();
    assert_eq!(store.rebuild_from(&all).unwrap(), 300 - known);
    assert_eq!(store.rebuild_from(&all).unwrap(), 0);
    assert_eq!(store.sessions().unwrap().len(), 300);
}

#[test]
#[ntest::timeout(30000)]
fn a_lost_database_is_rebuilt() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("b.db");
    let opened = open(&path);
    assert!(opened.fresh);
    let mut store = opened.store;
    let mut renamed = session(1);
    store.rebuild_from(&[session(1), session(2)]).unwrap();
    renamed.name = "what the person called it later".to_owned();
    store.save_session(&renamed).unwrap();
    // Rebuilding never overwrites what is known, but a run that is only in its files is added.
    let mut meta = session(1);
    meta.runs[0].id = crate::run_id(777);
    meta.runs[0].started_at = at(5000);
    store.rebuild_from(&[meta]).unwrap();
    let read = &store.sessions().unwrap()[0];
    assert_eq!((&read.name, read.runs.len(), read.runs[0].id), (&renamed.name, 3, crate::run_id(777)));
}

#[test]
#[ntest::timeout(30000)]
fn newer_and_foreign_ones_are_refused_and_left_alone() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("b.db");
    open(&path).store.close().unwrap();
    let raw = rusqlite::Connection::open(&path).unwrap();
    raw.pragma_update(None, "user_version", 4000).unwrap();
    drop(raw);
    let newer = Store::open(&path, at(0)).unwrap_err();
    assert!(matches!(newer, StoreError::Newer { found: 4000, .. }), "{newer}");
    assert_eq!(newer.code(), ErrorCode::Storage);

    let other = folder.path().join("other.db");
    let raw = rusqlite::Connection::open(&other).unwrap();
    raw.execute_batch("CREATE TABLE theirs (a); PRAGMA user_version = 1").unwrap();
    drop(raw);
    assert!(matches!(Store::open(&other, at(0)), Err(StoreError::NotOurs { .. })));
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 2, "nothing was moved");
}

#[test]
#[ntest::timeout(30000)]
fn a_missing_directory_is_an_error_with_its_path() {
    let error = Store::open(Path::new("/nowhere/at/all/b.db"), at(0)).unwrap_err();
    assert!(error.to_string().contains("/nowhere/at/all/b.db"), "{error}");
    assert_eq!(error.code(), ErrorCode::Storage);
}

#[test]
#[ntest::timeout(60000)]
fn a_full_disk_is_a_typed_error_and_nothing_is_lost() {
    let folder = tempfile::tempdir().unwrap();
    let small = folder.path().join("small");
    std::fs::create_dir(&small).unwrap();
    let mounted = std::process::Command::new("mount")
        .args(["-t", "tmpfs", "-o", "size=1m", "none"])
        .arg(&small)
        .stderr(std::process::Stdio::null())
        .status();
    if !mounted.is_ok_and(|status| status.success()) {
        use std::io::Write as _;
        // Past the harness, which shows what a test prints only where it fails.
        let _ = writeln!(std::io::stderr(), "left out: no right to mount a small file system here");
        assert!(std::env::var_os("CI").is_none(), "in CI nothing is left out");
        return;
    }
    let outcome = std::panic::catch_unwind(|| fill(&small));
    let _ = std::process::Command::new("umount").arg(&small).status();
    outcome.unwrap();
}

fn fill(small: &Path) {
    let path = small.join("b.db");
    let mut store = open(&path).store;
    store.save_session(&session(1)).unwrap();
    let ballast = small.join("ballast");
    // Fill what is left, so that the next page does not fit.
    let mut size = 1 << 20;
    while size >= 4096 {
        let mut all = std::fs::read(&ballast).unwrap_or_default();
        let before = all.len();
        all.resize(before + size, 1);
        if std::fs::write(&ballast, &all).is_err() {
            all.truncate(before);
            std::fs::write(&ballast, &all).unwrap();
            size /= 2;
        }
    }
    let mut kept = vec![session(1)];
    let error = (2..5000)
        .find_map(|n| match store.save_session(&session(n)) {
            Ok(()) => {
                kept.push(session(n));
                None
            }
            Err(error) => Some(error),
        })
        .expect("the disk never filled");
    assert!(matches!(error, StoreError::DiskFull), "{error:?}");
    assert_eq!(error.code(), ErrorCode::DiskFull);
    assert!(error.passes());
    assert_eq!(store.sessions().unwrap(), kept, "reading still works");
    std::fs::remove_file(&ballast).unwrap();
    // A process that another test starts can hold the removed file open for a moment.
    while let Err(error) = store.save_session(&session(6000)) {
        assert!(error.passes(), "{error:?}");
        std::thread::yield_now();
    }
    drop(store);
    kept.push(session(6000));
    let store = open(&path).store;
    assert_eq!(store.sessions().unwrap(), kept);
    assert_eq!(store.integrity_check().unwrap(), Vec::<String>::new());
}
