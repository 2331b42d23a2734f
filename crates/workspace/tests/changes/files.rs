//! Lists between states, and whole patches.

use belfry_protocol::changes::{Between, ChangeKind};
use ntest::timeout;

use crate::place::{Place, git_in, paths};

#[test]
#[timeout(60000)]
fn lists_have_what_differs_and_nothing_else() {
    let place = Place::with(&[("a", "1\n"), ("b", "1\n")]);
    place.commit("a", "2\n");
    let commit = place.git(&["rev-parse", "HEAD"]);
    place.write("b", "2\n");
    place.git(&["add", "b"]);
    place.write("c", "1\n");
    assert_eq!(paths(&place.files(&Between::Base)), ["a", "b", "c"]);
    assert_eq!(paths(&place.files(&Between::Uncommitted)), ["b", "c"]);
    assert_eq!(paths(&place.files(&Between::Staged)), ["b"]);
    assert_eq!(paths(&place.files(&Between::Unstaged)), ["c"]);
    assert_eq!(paths(&place.files(&Between::Commit { id: commit.clone() })), ["a"]);
    assert_eq!(paths(&place.files(&Between::Points { from: commit, to: None })), ["b", "c"]);
    // Back to what the base has, and not committed: it is there to be committed.
    place.write("a", "1\n");
    let files = place.files(&Between::Base);
    assert_eq!((paths(&files), files[0].kind), (vec!["a", "b", "c"], ChangeKind::Modified));
    assert_eq!(place.look("main").counts.files, 2, "it is no difference");
}

#[test]
#[timeout(60000)]
fn a_changed_mode_and_an_empty_file_are_differences() {
    use std::os::unix::fs::PermissionsExt as _;
    let place = Place::with(&[("a", "1\n"), ("empty", ""), ("same", "1\n")]);
    std::fs::set_permissions(place.root.join("a"), std::fs::Permissions::from_mode(0o755)).unwrap();
    std::fs::remove_file(place.root.join("empty")).unwrap();
    // It differs from what is staged, and not from the newest commit.
    place.write("same", "2\n");
    place.git(&["add", "same"]);
    place.write("same", "1\n");
    assert_eq!(paths(&place.files(&Between::Uncommitted)), ["a", "empty"]);
    assert_eq!(paths(&place.files(&Between::Unstaged)), ["a", "empty", "same"]);
    let head = place.git(&["rev-parse", "HEAD"]);
    assert_eq!(paths(&place.files(&Between::Points { from: head, to: None })), ["a", "empty"]);
    place.write("empty", "");
    place.write("new", "");
    place.git(&["add", "new"]);
    assert_eq!(paths(&place.files(&Between::Uncommitted)), ["a", "new"]);
}

#[test]
#[timeout(60000)]
fn a_patch_makes_the_one_state_of_the_other() {
    let place = Place::with(&[("a", "1\n"), ("pic", "a\0b"), ("old", "1\n2\n3\n4\n"), ("gone", "x")]);
    place.commit("a", "2\n");
    place.write("pic", b"\0\x01\x02");
    place.git(&["mv", "old", "new"]);
    place.git(&["rm", "-q", "gone"]);
    place.write("dir/new\tfile ü", "no newline");
    place.write("new pic", b"\0new");
    place.write("-", "dash\n");
    let patch = place.checkout().patch(&Between::Base, Some("main"), None).unwrap();
    let status = place.git(&["status", "--porcelain"]);
    let other = place.beside("other");
    place.git(&["worktree", "add", "-q", "--detach", other.to_str().unwrap(), "main"]);
    let file = place.beside("patch");
    std::fs::write(&file, patch).unwrap();
    git_in(&other, &["apply", file.to_str().unwrap()]);
    let there = std::fs::read(other.join("dir/new\tfile ü")).unwrap();
    assert_eq!(there, b"no newline");
    assert_eq!(std::fs::read(other.join("new pic")).unwrap(), b"\0new");
    assert_eq!(std::fs::read(other.join("pic")).unwrap(), b"\0\x01\x02");
    assert!(!other.join("gone").exists() && !other.join("old").exists() && other.join("-").exists());
    assert_eq!(place.git(&["status", "--porcelain"]), status, "what is staged is as it was");
}
