//! Killed at any moment, what was acknowledged is there.

use std::collections::HashSet;
use std::io::{BufRead as _, BufReader};
use std::path::Path;
use std::process::{Command, Stdio};

use belfry_store::Store;

use crate::{at, open, session, session_id};

/// Set for the child process that writes until it is killed.
const WRITER: &str = "BELFRY_TEST_WRITER";

/// Not a test of its own: the child of the test below.
#[test]
#[ntest::timeout(60000)]
fn writer() {
    let Some(path) = std::env::var_os(WRITER) else { return };
    let mut store = Store::open(Path::new(&path), at(0)).unwrap().store;
    let start = store.sessions().unwrap().len() as u64;
    for n in start.. {
        store.save_session(&session(n)).unwrap();
        store.learn_conversation(session_id(n), "later", "hook", at(60)).unwrap();
        println!("kept {n}");
    }
}

#[test]
#[ntest::timeout(120000)]
fn killed_at_any_moment_nothing_acknowledged_is_lost() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("b.db");
    let mut acknowledged = HashSet::new();
    for round in 0..12 {
        let mut child = Command::new(std::env::current_exe().unwrap())
            .args(["--exact", "crash::writer", "--nocapture"])
            .env(WRITER, &path)
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let lines = BufReader::new(child.stdout.take().unwrap()).lines().map_while(Result::ok);
        let mut kept = lines.filter_map(|line| line.strip_prefix("kept ")?.parse::<u64>().ok());
        // A different moment each time: after so many acknowledged writes.
        acknowledged.extend(kept.by_ref().take(1 + round * 3));
        child.kill().unwrap();
        child.wait().unwrap();
        // What it had said before the signal came counts as well.
        acknowledged.extend(kept);

        let opened = open(&path);
        assert!(opened.notices.is_empty(), "{:?}", opened.notices);
        let sessions = opened.store.sessions().unwrap();
        for n in &acknowledged {
            let mut wanted = session(*n);
            wanted.conversation_id = Some("later".to_owned());
            assert_eq!(sessions.get(usize::try_from(*n).unwrap()), Some(&wanted));
        }
        assert_eq!(opened.store.integrity_check().unwrap(), Vec::<String>::new());
    }
}
