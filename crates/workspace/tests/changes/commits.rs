//! Commits.

use std::os::unix::fs::PermissionsExt as _;

use ntest::timeout;

use crate::place::{Place, git_fails};

fn hook(place: &Place, name: &str, script: &str) {
    let path = place.root.join(".git/hooks").join(name);
    std::fs::create_dir_all(path.parent().unwrap()).unwrap();
    std::fs::write(&path, format!("#!/bin/sh\n{script}\n")).unwrap();
    std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).unwrap();
}

#[test]
#[timeout(60000)]
fn what_is_staged_or_everything_is_committed() {
    let place = Place::with(&[("a", "1\n"), ("b", "1\n")]);
    place.write("a", "2\n");
    place.write("b", "2\n");
    place.write("new", "1\n");
    place.git(&["add", "a"]);
    let message = "-m is no option\n\n# no comment\n\nbody \"quoted\" $HOME\n";
    place.checkout().commit(message, false, false).unwrap();
    assert_eq!(place.git(&["log", "-1", "--format=%B"]), message.trim_end());
    assert_eq!(place.git(&["status", "--porcelain"]), " M b\n?? new");
    place.checkout().commit("all of it", true, false).unwrap();
    assert_eq!(place.git(&["status", "--porcelain"]), "");
    let nothing = place.checkout().commit("nothing", false, false).unwrap_err();
    assert_eq!(nothing.to_string(), "nothing is staged");
    assert!(place.checkout().commit(" \n", true, false).is_err());
}

#[test]
#[timeout(60000)]
fn a_refused_commit_leaves_what_was_chosen() {
    let place = Place::with(&[("a", "1\n"), ("b", "1\n")]);
    place.write("a", "2\n");
    place.write("b", "2\n");
    place.git(&["add", "a"]);
    hook(&place, "pre-commit", "echo 'lint: b is ugly' >&2; exit 1");
    let refused = place.checkout().commit("x", true, false).unwrap_err();
    assert!(refused.to_string().contains("lint: b is ugly"), "{refused}");
    assert_eq!(place.git(&["status", "--porcelain"]), "M  a\n M b");
    hook(&place, "pre-commit", "touch hook-ran");
    place.checkout().commit("x", false, false).unwrap();
    assert!(place.root.join("hook-ran").exists(), "the person's hooks run");
}

#[test]
#[timeout(60000)]
fn only_what_nobody_has_is_amended() {
    let place = Place::with_remote(&[("a", "1\n")]);
    let pushed = place.checkout().commit("x", false, true).unwrap_err();
    assert!(pushed.to_string().contains("pushed already"), "{pushed}");
    place.commit("a", "2\n");
    place.write("a", "3\n");
    place.checkout().commit("better", true, true).unwrap();
    assert_eq!(place.git(&["rev-list", "--count", "main..HEAD"]), "1");
    assert!(Place::empty().checkout().commit("x", true, true).is_err());
}

#[test]
#[timeout(60000)]
fn conflicts_are_not_committed() {
    let place = Place::with(&[("a", "1\n")]);
    place.commit("a", "mine\n");
    place.git(&["checkout", "-q", "main"]);
    place.commit("a", "theirs\n");
    git_fails(&place.root, &["merge", "fix"]);
    let refused = place.checkout().commit("x", true, false).unwrap_err();
    assert!(refused.to_string().contains("conflicts"), "{refused}");
    assert!(place.text("a").unwrap().contains("<<<<<<<"));
}

#[test]
#[timeout(60000)]
fn a_commit_that_cannot_be_signed_fails() {
    let place = Place::with(&[("a", "1\n")]);
    place.git(&["config", "commit.gpgSign", "true"]);
    place.git(&["config", "gpg.program", "/bin/false"]);
    place.write("a", "2\n");
    assert!(place.checkout().commit("x", true, false).is_err());
    // A checkpoint is nobody's signature.
    place.checkout().make_checkpoint("s1", "x", crate::place::at(0)).unwrap();
}
