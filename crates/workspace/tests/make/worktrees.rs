//! Branches and bases of worktrees.

use belfry_workspace::branch::{Branch, Wanted};
use belfry_workspace::{MakeError, Source};

use crate::place::Place;

#[test]
#[ntest::timeout(120000)]
fn a_new_branch_starts_from_the_remote_s_newest_and_no_setting_changes() {
    let place = Place::new();
    let (top, _) = place.cloned("with space");
    let newest = place.push("with space", "main", "new");
    let config = std::fs::read(top.join(".git/config")).unwrap();
    let (path, made) = place.worktree(&top, "feature/übung").unwrap();
    assert_eq!(made.head, newest, "fetched fresh");
    assert_eq!(made.base.unwrap().name, "origin/main");
    assert_eq!(place.git(&path, &["branch", "--show-current"]), "feature/übung");
    assert!(path.join("new").exists() && made.notices.is_empty());
    assert_eq!(std::fs::read(top.join(".git/config")).unwrap(), config);
    assert_eq!(
        place.git(&top, &["rev-parse", "HEAD~0"]),
        place.git(&top, &["rev-parse", "main"]),
        "nothing moved"
    );
    assert_eq!(place.git(&top, &["status", "--porcelain"]), "");
}

#[test]
#[ntest::timeout(120000)]
fn branches_that_are_there() {
    let place = Place::new();
    let (top, _) = place.cloned("a");
    place.git(&top, &["branch", "old"]);
    let theirs = place.push("a", "theirs", "t");
    let (path, _) = place.worktree(&top, "old").unwrap();
    // A second time it is said where.
    match place.worktree(&top, "old") {
        Err(error @ MakeError::Taken { .. }) => assert!(error.to_string().contains(path.to_str().unwrap())),
        other => panic!("{other:?}"),
    }
    assert!(matches!(place.worktree(&top, "main"), Err(MakeError::Taken { .. })));
    // Of a remote's branch that was fetched before.
    place.git(&top, &["fetch", "-q"]);
    let decided = place.decide(&top, Some("theirs"), None).unwrap();
    assert!(matches!(decided, Branch::Remote { .. }));
    // By the name that git shows it under.
    assert_eq!(place.decide(&top, Some("origin/theirs"), None).unwrap(), decided);
    assert!(matches!(place.decide(&top, Some("origin/main"), None), Err(MakeError::Taken { .. })));
    let newer = place.push("a", "theirs", "t2");
    let (path, made) = place.worktree(&top, "theirs").unwrap();
    assert_ne!(theirs, newer);
    assert_eq!(made.head, newer);
    assert_eq!(place.git(&path, &["branch", "--show-current"]), "theirs");
}

#[test]
#[ntest::timeout(120000)]
fn names_that_clash_are_refused_or_numbered() {
    let place = Place::new();
    let top = place.repository("a");
    place.git(&top, &["branch", "Fix"]);
    place.git(&top, &["branch", "in/side"]);
    for (name, said) in [("fix", "upper and lower case"), ("in", "folder"), ("Fix/a", "folder")] {
        let refused = place.decide(&top, Some(name), None).unwrap_err().to_string();
        assert!(refused.contains(said), "{refused}");
    }
    for name in ["--orphan", "a\nb", "a@{u}", "HEAD", "-"] {
        assert!(matches!(place.decide(&top, Some(name), None), Err(MakeError::Name(_))), "{name}");
    }
    assert_eq!(place.decide(&top, None, Some("Fix")).unwrap(), Branch::New("fix-2".to_owned()));
    assert_eq!(place.decide(&top, None, Some("…")).unwrap(), Branch::New("work".to_owned()));
    // Ten of one prompt.
    let mut names = Vec::new();
    for _ in 0..3 {
        let wanted = Wanted { text: Some("mend it"), ..Wanted::default() };
        let (path, _) = place.worktree_on(&top, &wanted, None).unwrap();
        names.push(place.git(&path, &["branch", "--show-current"]));
    }
    assert_eq!(names, ["mend-it", "mend-it-2", "mend-it-3"]);
}

#[test]
#[ntest::timeout(120000)]
fn bases_that_are_named() {
    let place = Place::new();
    let (top, _) = place.cloned("a");
    let first = place.git(&top, &["rev-parse", "HEAD"]);
    place.git(&top, &["tag", "v1"]);
    let dev = place.push("a", "dev", "d");
    let on = |name: &str, base: &str| {
        place.worktree_on(&top, &Wanted { name: Some(name), ..Wanted::default() }, Some(base))
    };
    // Never fetched before.
    assert_eq!(on("one", "origin/dev").unwrap().1.head, dev);
    assert_eq!(on("two", "v1").unwrap().1.head, first);
    assert_eq!(on("three", &first[..12]).unwrap().1.head, first);
    for base in ["no/such", "--upload-pack=touch x", "a b", "origin/none"] {
        assert!(matches!(on("four", base), Err(MakeError::NoBase(_))), "{base}");
    }
    let source = Source::of(&place.git, &top).unwrap();
    assert_eq!(place.git(&source.main, &["branch", "--list", "four"]), "", "nothing is left of it");
    assert!(!place.path("trees/four").exists());
}

#[test]
#[ntest::timeout(120000)]
fn pull_requests_and_merge_requests() {
    let place = Place::new();
    let (top, remote) = place.cloned("a");
    let head = place.push("a", "topic", "t");
    place.git(&remote, &["update-ref", "refs/pull/7/head", &head]);
    place.git(&remote, &["update-ref", "refs/merge-requests/8/head", &head]);
    place.git(&remote, &["branch", "-q", "-D", "topic"]);
    let of = |number| place.worktree_on(&top, &Wanted { pull: Some(number), ..Wanted::default() }, None);
    let (path, made) = of(7).unwrap();
    assert_eq!((made.head.as_str(), made.base.unwrap().name.as_str()), (head.as_str(), "origin/main"));
    assert_eq!(place.git(&path, &["branch", "--show-current"]), "pr-7");
    assert_eq!(of(8).unwrap().1.head, head);
    assert!(matches!(of(9), Err(MakeError::NoPull { number: 9, .. })));
}

#[test]
#[ntest::timeout(120000)]
fn without_network_what_is_known_counts() {
    let place = Place::new();
    let (top, remote) = place.cloned("a");
    let known = place.git(&top, &["rev-parse", "origin/main"]);
    std::fs::remove_dir_all(remote).unwrap();
    let (_, made) = place.worktree(&top, "one").unwrap();
    assert_eq!(made.head, known);
    assert!(made.notices[0].contains("origin/main is as it was fetched last"), "{:?}", made.notices);
    place.git(&top, &["remote", "remove", "origin"]);
    let (_, made) = place.worktree(&top, "two").unwrap();
    assert_eq!((made.base.unwrap().name.as_str(), made.notices.len()), ("main", 0), "the branch it is on");
}

#[test]
#[ntest::timeout(120000)]
fn one_that_is_stopped_or_fails_leaves_nothing() {
    let place = Place::new();
    let top = place.repository("a");
    // In its way.
    std::fs::create_dir_all(place.path("trees/one/x")).unwrap();
    place.worktree(&top, "one").unwrap_err();
    assert_eq!(place.git(&top, &["branch", "--list", "one"]), "");
    place.stop.now();
    assert!(matches!(place.worktree(&top, "two"), Err(MakeError::Stopped)));
    assert_eq!(place.git(&top, &["branch", "--list", "two"]), "");
    assert_eq!(place.git(&top, &["worktree", "list"]).lines().count(), 1);
}
