//! Staging and putting back.

use std::io::Write as _;
use std::process::{Command, Stdio};

use belfry_protocol::changes::Between;
use ntest::timeout;

use crate::place::Place;

fn names(names: &[&str]) -> Vec<String> {
    names.iter().map(|name| (*name).to_owned()).collect()
}

const BEFORE: &str = "1\n2\n3\n4\n5\n6\n7\n8\n9\n10\n11\n12\n13\n14\n15\n16\n17\n18\n19\n20\n";

fn changed() -> String {
    BEFORE.replace("2\n3\n", "2\nzwei und halb\n3\n").replace("10\n", "zehn\n").replace("20\n", "20")
}

/// Two repositories with the same three changes in a file.
fn pair() -> (Place, Place) {
    let make = || {
        let place = Place::with(&[("a b", BEFORE)]);
        place.write("a b", changed());
        place
    };
    (make(), make())
}

/// What a person would do by hand.
fn by_hand(place: &Place, args: &[&str], answers: &str) {
    let mut child = Command::new("git")
        .args(args)
        .current_dir(&place.root)
        .env("GIT_CONFIG_GLOBAL", "/dev/null")
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .spawn()
        .unwrap();
    child.stdin.take().unwrap().write_all(answers.as_bytes()).unwrap();
    assert!(child.wait().unwrap().success());
}

#[test]
#[timeout(120000)]
fn hunks_are_staged_as_git_does_it() {
    for (which, answers) in [(0, "y\nn\nn\n"), (1, "n\ny\nn\n"), (2, "n\nn\ny\n")] {
        let (ours, hand) = pair();
        let hunks = ours.diff("a b", Between::Unstaged).hunks;
        assert_eq!(hunks.len(), 3);
        ours.checkout().stage(&names(&["a b"]), Some(hunks[which].new_start)).unwrap();
        by_hand(&hand, &["add", "-p"], answers);
        assert_eq!(ours.git(&["ls-files", "-s"]), hand.git(&["ls-files", "-s"]), "hunk {which}");
    }
}

#[test]
#[timeout(120000)]
fn hunks_go_in_and_out_one_by_one() {
    let (place, _) = pair();
    let checkout = place.checkout();
    for _ in 0..3 {
        let first = place.diff("a b", Between::Unstaged).hunks[0].new_start;
        checkout.stage(&names(&["a b"]), Some(first)).unwrap();
    }
    assert!(place.diff("a b", Between::Unstaged).hunks.is_empty());
    assert_eq!(place.git(&["show", ":a b"]), changed());
    for left in (0..3).rev() {
        let last = place.diff("a b", Between::Staged).hunks.last().unwrap().new_start;
        checkout.unstage(&names(&["a b"]), Some(last)).unwrap();
        assert_eq!(place.diff("a b", Between::Staged).hunks.len(), left);
    }
    assert_eq!(place.git(&["status", "--porcelain"]), " M \"a b\"");
    let gone = checkout.stage(&names(&["a b"]), Some(77)).unwrap_err();
    assert!(gone.to_string().contains("meanwhile"), "{gone}");
}

#[test]
#[timeout(60000)]
fn returns_at_line_ends_and_modes_are_kept() {
    use std::os::unix::fs::PermissionsExt as _;
    let place = Place::with(&[("a", "one\r\ntwo\r\n")]);
    place.write("a", "one\r\nzwei\r\n");
    std::fs::set_permissions(place.root.join("a"), std::fs::Permissions::from_mode(0o755)).unwrap();
    place.checkout().stage(&names(&["a"]), Some(1)).unwrap();
    let listed = place.git(&["ls-files", "-s"]);
    assert!(listed.starts_with("100644 "), "the mode is staged with the whole file: {listed}");
    assert_eq!(place.git(&["cat-file", "-s", ":a"]), "11");
    place.checkout().stage(&names(&["a"]), None).unwrap();
    assert!(place.git(&["ls-files", "-s"]).starts_with("100755 "));
}

#[test]
#[timeout(60000)]
fn files_go_in_and_out_whatever_happened_to_them() {
    let place = Place::with(&[("a", "1\n"), ("gone", "1\n"), ("old", "1\n2\n3\n")]);
    place.write("a", "2\n");
    place.write("new\nline", "1\n");
    std::fs::remove_file(place.root.join("gone")).unwrap();
    place.git(&["mv", "old", "moved"]);
    let checkout = place.checkout();
    checkout.stage(&names(&["a", "new\nline", "gone"]), None).unwrap();
    assert_eq!(place.files(&Between::Unstaged).len(), 0);
    checkout.unstage(&names(&["a", "new\nline", "gone", "moved"]), None).unwrap();
    assert_eq!(place.files(&Between::Staged).len(), 0);
    // Without any commit.
    let empty = Place::empty();
    empty.write("a", "1\n");
    empty.checkout().stage(&names(&["a"]), Some(1)).unwrap();
    assert_eq!(empty.git(&["status", "--porcelain"]), "A  a");
    empty.checkout().unstage(&names(&["a"]), None).unwrap();
    assert_eq!(empty.git(&["status", "--porcelain"]), "?? a");
}

#[test]
#[timeout(60000)]
fn discarding_puts_back_what_was_named_and_no_more() {
    let place = Place::with(&[("a", "1\n"), ("b", "1\n"), ("gone", "1\n"), ("old", "1\n2\n3\n")]);
    place.write(".gitignore", "ignored\n");
    place.git(&["add", ".gitignore"]);
    place.git(&["commit", "-q", "-m", "ignore"]);
    for path in ["a", "b"] {
        place.write(path, "2\n");
    }
    place.write("staged", "1\n");
    place.git(&["add", "a", "staged"]);
    place.git(&["mv", "old", "moved"]);
    std::fs::remove_file(place.root.join("gone")).unwrap();
    place.write("dir/new", "1\n");
    place.write("dir/kept", "1\n");
    place.write("ignored", "1\n");
    place.checkout().discard(&names(&["a", "staged", "moved", "gone", "dir/new"])).unwrap();
    assert_eq!(place.git(&["status", "--porcelain", "-uall"]), " M b\n?? dir/kept");
    assert_eq!(place.text("a").as_deref(), Some("1\n"));
    assert!(place.text("old").is_some() && place.text("ignored").is_some() && place.text("moved").is_none());
    // Without any commit.
    let empty = Place::empty();
    empty.write("a", "1\n");
    empty.git(&["add", "a"]);
    empty.checkout().discard(&names(&["a"])).unwrap();
    assert_eq!(empty.git(&["status", "--porcelain"]), "");
}
