//! Counts and lists.

use belfry_protocol::changes::{ChangeKind, Staged};
use ntest::timeout;

use crate::place::{Place, git, git_fails, git_in, paths};

#[test]
#[timeout(60000)]
fn all_that_the_base_has_not_is_counted_once() {
    let place =
        Place::with(&[("a", "1\n2\n3\n"), ("gone", "x\n"), ("old name", "one\ntwo\nthree\nfour\nfive\n")]);
    place.commit("a", "1\n2\n3\n4\n");
    place.git(&["rm", "-q", "gone"]);
    place.git(&["mv", "old name", "new name"]);
    place.write("a", "1\n2\n3\n4\n5\n");
    place.git(&["add", "a"]);
    place.write("a", "1\n2\n3\n4\n5\n6\n");
    place.write("dir/new\nfile ü", "one\ntwo");
    place.write("bin", b"\0\0");
    let look = place.look("main");
    let counts = look.counts;
    assert_eq!((counts.files, counts.added, counts.removed), (5, 5, 1), "{:?}", look.files);
    assert_eq!((counts.ahead, counts.behind, counts.conflicted), (1, 0, 0));
    assert_eq!(paths(&look.files), ["a", "bin", "dir/new\nfile ü", "gone", "new name"]);
    let kinds: Vec<_> = look.files.iter().map(|file| (file.kind, file.staged)).collect();
    assert_eq!(
        kinds,
        [
            (ChangeKind::Modified, Staged::Part),
            (ChangeKind::Untracked, Staged::None),
            (ChangeKind::Untracked, Staged::None),
            (ChangeKind::Deleted, Staged::All),
            (ChangeKind::Renamed, Staged::All),
        ]
    );
    assert_eq!(look.files[4].old_path.as_deref(), Some("old name"));
    assert_eq!((look.files[1].added, look.files[2].added), (None, Some(2)));
    assert_eq!(look.head.branch.as_deref(), Some("fix"));
}

#[test]
#[timeout(60000)]
fn the_base_moves_on_without_counting() {
    let place = Place::with(&[("a", "1\n")]);
    place.commit("b", "mine\n");
    place.git(&["checkout", "-q", "main"]);
    place.commit("a", "theirs\n");
    place.git(&["checkout", "-q", "fix"]);
    let look = place.look("main");
    assert_eq!((look.counts.files, look.counts.ahead, look.counts.behind), (1, 1, 1));
    // Merged, and so a second place where the two part.
    place.git(&["merge", "-q", "main", "-m", "merge"]);
    let again = place.checkout().look(Some("main"), look.ends.as_ref()).unwrap();
    assert_eq!((again.counts.files, again.counts.ahead, again.counts.behind), (1, 2, 0));
    place.git(&["checkout", "-q", "--orphan", "alone"]);
    place.git(&["commit", "-q", "-m", "alone"]);
    let alone = place.look("main");
    assert_eq!((alone.counts.ahead, alone.counts.behind), (1, 2));
}

#[test]
#[timeout(60000)]
fn a_repository_without_commits_has_all_of_it_new() {
    let place = Place::empty();
    place.write("staged", "1\n2\n");
    place.git(&["add", "staged"]);
    place.write("new", "1\n");
    let look = place.checkout().look(None, None).unwrap();
    assert_eq!((look.counts.files, look.counts.added), (2, 3));
    assert_eq!(look.head.branch.as_deref(), Some("main"));
    assert!(look.base.is_none());
    // One that has a remote's branches and no commit of its own.
    let other = Place::with_remote(&[("a", "1\n")]);
    other.git(&["checkout", "-q", "--orphan", "fresh"]);
    assert_eq!(other.checkout().look(None, None).unwrap().counts.files, 1);
}

#[test]
#[timeout(60000)]
fn a_detached_head_and_a_vanished_base_are_no_trouble() {
    let place = Place::with(&[("a", "1\n")]);
    place.git(&["checkout", "-q", "--detach"]);
    place.write("a", "2\n");
    let look = place.look("origin/was-deleted");
    assert_eq!((look.counts.files, look.head.branch.clone()), (1, None));
    assert!(look.base.is_none());
}

#[test]
#[timeout(60000)]
fn conflicts_are_counted_and_named() {
    let place = Place::with(&[("a", "1\n")]);
    place.commit("a", "mine\n");
    place.git(&["checkout", "-q", "main"]);
    place.commit("a", "theirs\n");
    place.git(&["checkout", "-q", "fix"]);
    git_fails(&place.root, &["merge", "main"]);
    let look = place.look("main");
    assert_eq!(look.counts.conflicted, 1);
    assert_eq!(look.files[0].kind, ChangeKind::Conflicted);
    assert_eq!(place.checkout().operation(), Some("merge"));
}

#[test]
#[timeout(60000)]
fn a_submodule_counts_by_its_commit() {
    let place = Place::with(&[("a", "1\n")]);
    let other = place.beside("other");
    std::fs::create_dir(&other).unwrap();
    git_in(&other, &["init", "-q"]);
    git_in(&other, &["commit", "-q", "--allow-empty", "-m", "one"]);
    place.git(&["submodule", "--quiet", "add", other.to_str().unwrap(), "sub"]);
    place.git(&["commit", "-q", "-m", "sub"]);
    let look = place.look("fix");
    assert_eq!(look.counts.files, 0);
    git_in(&place.root.join("sub"), &["commit", "-q", "--allow-empty", "-m", "two"]);
    let look = place.look("fix");
    assert_eq!((look.counts.files, paths(&look.files)), (1, vec!["sub"]));
    let diff = place.diff("sub", belfry_protocol::changes::Between::Unstaged);
    assert!(diff.note.as_deref().is_some_and(|note| note.starts_with("Submodule: ")), "{diff:?}");
}

#[test]
#[timeout(60000)]
fn worktrees_of_one_repository_are_told_by_what_they_share() {
    let place = Place::with(&[("a", "1\n")]);
    let beside = place.beside("beside");
    place.git(&["worktree", "add", "-q", "-b", "other", beside.to_str().unwrap(), "main"]);
    let other = belfry_workspace::Checkout::containing(&beside, git()).unwrap();
    assert_eq!(other.common_dir(), place.checkout().common_dir());
    assert_ne!(other.root(), place.checkout().root());
    place.git(&["pack-refs", "--all"]);
    std::fs::write(beside.join("a"), "2\n").unwrap();
    let look = other.look(Some("main"), None).unwrap();
    assert_eq!((look.counts.files, look.head.branch.as_deref()), (1, Some("other")));
    assert_eq!(place.look("main").counts.files, 0);
}

#[test]
#[timeout(60000)]
fn the_default_base_is_the_remotes_default_branch() {
    let place = Place::with_remote(&[("a", "1\n")]);
    place.commit("b", "1\n");
    let look = place.checkout().look(None, None).unwrap();
    assert_eq!(look.base.map(|base| base.name).as_deref(), Some("origin/main"));
    assert_eq!(look.counts.ahead, 1);
    // Its own branch is pushed: what a review would show counts all the same.
    place.git(&["push", "-q", "-u", "origin", "fix"]);
    let base = place.checkout().base(None).unwrap().unwrap();
    assert_eq!(base.name, "origin/main");
    let commits = place.checkout().commits(Some(&base)).unwrap();
    assert!(commits[0].pushed && commits[0].subject == "change b");
}
