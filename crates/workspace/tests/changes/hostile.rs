//! Names that look like options, and repositories that want something run.

use std::os::unix::fs::PermissionsExt as _;

use belfry_protocol::changes::{Between, ChangeKind};
use ntest::timeout;

use crate::place::{Place, at, paths};

#[test]
#[timeout(60000)]
fn names_are_names_whatever_they_look_like() {
    let place = Place::with(&[
        ("--output=x", "1\n"),
        ("-", "1\n"),
        (":(exclude)a", "1\n"),
        ("*", "1\n"),
        ("a", "1\n"),
    ]);
    let checkout = place.checkout();
    for name in ["--output=x", "-", ":(exclude)a", "*"] {
        place.write(name, "2\n");
        let diff = place.diff(name, Between::Base);
        assert_eq!((diff.file.path.as_str(), diff.hunks.len()), (name, 1));
        checkout.stage(&[name.to_owned()], None).unwrap();
        assert_eq!(paths(&place.files(&Between::Staged)), [name]);
        checkout.unstage(&[name.to_owned()], Some(1)).unwrap();
        checkout.discard(&[name.to_owned()]).unwrap();
        assert_eq!(place.look("main").counts.files, 0, "{name}");
    }
    for name in ["--help", "-n", "[a]"] {
        place.write(name, "new\n");
        assert_eq!(place.diff(name, Between::Base).file.kind, ChangeKind::Untracked);
        checkout.stage(&[name.to_owned()], Some(1)).unwrap();
        checkout.unstage(&[name.to_owned()], None).unwrap();
        checkout.discard(&[name.to_owned()]).unwrap();
        assert!(place.text(name).is_none());
    }
    assert!(place.text("x").is_none() && place.text("a").is_some());
}

#[test]
#[timeout(60000)]
fn paths_stay_inside_and_ids_are_ids() {
    let place = Place::with(&[("a", "1\n")]);
    std::fs::write(place.beside("outside"), "x").unwrap();
    let checkout = place.checkout();
    for path in ["../outside", "/etc/passwd", "", "a/../../outside", "caf\u{fffd}"] {
        assert!(checkout.stage(&[path.to_owned()], None).is_err(), "{path}");
        assert!(checkout.discard(&[path.to_owned()]).is_err(), "{path}");
        assert!(checkout.diff(path, &Between::Base, (None, None), (None, false)).is_err(), "{path}");
    }
    for id in ["--output=x", "HEAD", "main", "", "HEAD~1", "0000000000000000000000000000000000000000"] {
        let between = Between::Commit { id: id.to_owned() };
        assert!(checkout.files(&between, None, None).is_err(), "{id}");
        assert!(checkout.go_to("s1", id, at(0)).is_err(), "{id}");
    }
    // A base that is no name.
    assert!(checkout.look(Some("--output=x"), None).unwrap().base.is_none());
    assert!(place.text("x").is_none());
}

#[test]
#[timeout(60000)]
fn nothing_that_the_repository_brings_runs_on_a_look() {
    let place = Place::with(&[("a", "1\n"), (".gitattributes", "* diff=evil\n")]);
    let ran = place.beside("ran");
    let evil = place.beside("evil.sh");
    std::fs::write(&evil, format!("#!/bin/sh\necho \"$0 $@\" >>'{}'\n", ran.display())).unwrap();
    std::fs::set_permissions(&evil, std::fs::Permissions::from_mode(0o755)).unwrap();
    let evil = evil.to_str().unwrap();
    for name in [
        "core.fsmonitor",
        "diff.external",
        "diff.evil.command",
        "diff.evil.textconv",
        "core.pager",
        "core.editor",
        "gpg.program",
        "core.sshCommand",
    ] {
        place.git(&["config", name, evil]);
    }
    place.git(&["config", "log.showSignature", "true"]);
    let hooks = place.root.join(".git/hooks");
    std::fs::create_dir_all(&hooks).unwrap();
    for hook in ["post-index-change", "pre-commit", "post-checkout", "reference-transaction", "pre-auto-gc"] {
        std::fs::copy(evil, hooks.join(hook)).unwrap();
    }
    // What the test itself did may have run some of them.
    let _ = std::fs::remove_file(&ran);
    place.write("a", "2\n");
    place.write("new", "1\n");
    let checkout = place.checkout();
    let look = place.look("main");
    checkout.commits(look.base.as_ref()).unwrap();
    checkout.upstream(Some("fix")).unwrap();
    for between in [Between::Base, Between::Unstaged, Between::Staged] {
        checkout.files(&between, Some("main"), None).unwrap();
        place.diff("a", between.clone());
        place.diff("new", between.clone());
        checkout.patch(&between, Some("main"), None).unwrap();
    }
    // Nor where Belfry writes what is its own.
    let made = checkout.make_checkpoint("s1", "x", at(0)).unwrap();
    checkout.go_to("s1", &made.id, at(1)).unwrap();
    checkout.stage(&["a".to_owned()], Some(1)).unwrap();
    checkout.discard(&["a".to_owned()]).unwrap();
    assert_eq!(std::fs::read_to_string(&ran).ok(), None);
}

#[test]
#[timeout(60000)]
fn a_link_in_place_of_a_directory_leads_nowhere() {
    let place = Place::with(&[("dir/a", "1\n")]);
    let outside = place.beside("outside");
    std::fs::create_dir(&outside).unwrap();
    std::fs::write(outside.join("a"), "theirs\n").unwrap();
    let checkout = place.checkout();
    let made = checkout.make_checkpoint("s1", "x", at(0)).unwrap();
    std::fs::remove_dir_all(place.root.join("dir")).unwrap();
    std::os::unix::fs::symlink(&outside, place.root.join("dir")).unwrap();
    checkout.go_to("s1", &made.id, at(1)).unwrap();
    assert_eq!(std::fs::read_to_string(outside.join("a")).unwrap(), "theirs\n");
    assert_eq!(place.text("dir/a").as_deref(), Some("1\n"));
    assert!(!place.root.join("dir").is_symlink());
    // And on the way back.
    std::fs::remove_dir_all(place.root.join("dir")).unwrap();
    std::os::unix::fs::symlink(&outside, place.root.join("dir")).unwrap();
    let _ = checkout.discard(&["dir/a".to_owned()]);
    assert_eq!(std::fs::read_to_string(outside.join("a")).unwrap(), "theirs\n");
}
