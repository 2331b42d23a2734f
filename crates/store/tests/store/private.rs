//! What others may see: file modes, and what never reaches the disk.

use std::os::unix::fs::PermissionsExt as _;

use crate::{open, session};

fn mode(path: &std::path::Path) -> u32 {
    std::fs::metadata(path).unwrap().permissions().mode() & 0o777
}

#[test]
#[ntest::timeout(30000)]
fn all_files_are_the_owners_alone() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("b.db");
    let mut store = open(&path).store;
    store.save_session(&session(1)).unwrap();
    let files: Vec<_> = std::fs::read_dir(folder.path()).unwrap().flatten().map(|e| e.path()).collect();
    assert_eq!(files.len(), 3, "{files:?}");
    assert!(files.iter().all(|file| mode(file) == 0o600), "{files:?}");
    store.close().unwrap();
    std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o664)).unwrap();
    open(&path).store.close().unwrap();
    assert_eq!(mode(&path), 0o600, "rights that somebody gave are taken back");
}

#[test]
#[ntest::timeout(30000)]
fn nothing_of_a_private_session_is_written() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("b.db");
    let mut store = open(&path).store;
    let mut secret = session(1);
    secret.private = true;
    secret.name = "nobody-may-read-this".to_owned();
    store.save_session(&secret).unwrap();
    store.rebuild_from(&[secret.clone()]).unwrap();
    assert_eq!(store.sessions().unwrap(), []);
    assert!(
        store
            .queue_message(belfry_protocol::MessageId(secret.id.0), secret.id, "nor this", None, secret.since)
            .is_err()
    );
    for file in std::fs::read_dir(folder.path()).unwrap().flatten() {
        let bytes = std::fs::read(file.path()).unwrap();
        assert!(!bytes.windows(8).any(|w| w == b"nobody-m" || w == b"nor this"), "{:?}", file.path());
    }
}

#[test]
#[ntest::timeout(30000)]
fn what_is_removed_is_gone_from_the_file() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("b.db");
    let mut store = open(&path).store;
    let mut one = session(1);
    one.name = "nobody-may-read-this".to_owned();
    store.save_session(&one).unwrap();
    store.remove_session(one.id).unwrap();
    store.close().unwrap();
    let bytes = std::fs::read(&path).unwrap();
    assert!(!bytes.windows(8).any(|w| w == b"nobody-m"));
}
