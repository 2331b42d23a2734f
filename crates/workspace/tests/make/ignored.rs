//! Ignored files that come along.

use std::fs;
use std::path::{Path, PathBuf};

use belfry_workspace::include::{self, Bring};

use crate::place::Place;

/// A repository with ignored files, and a worktree of it.
fn both(place: &Place, ignores: &str) -> (PathBuf, PathBuf) {
    let top = place.repository("a");
    place.commit(&top, ".gitignore", ignores);
    place.commit(&top, "tracked/.keep", "");
    let (tree, _) = place.worktree(&top, "b").unwrap();
    (top, tree)
}

fn write(top: &Path, path: &str, text: &str) {
    fs::create_dir_all(top.join(path).parent().unwrap()).unwrap();
    fs::write(top.join(path), text).unwrap();
}

fn bring(place: &Place, (top, tree): &(PathBuf, PathBuf), copy: &[&str], link: &[&str]) -> Vec<String> {
    let owned = |texts: &[&str]| -> Vec<String> { texts.iter().map(|text| (*text).to_owned()).collect() };
    let (copy, link) = (owned(copy), owned(link));
    let bring = Bring { from: top, to: tree, copy: &copy, link: &link, stop: &place.stop };
    include::bring(&place.git, bring).unwrap()
}

#[test]
#[ntest::timeout(120000)]
fn only_what_is_asked_for_and_ignored_is_copied() {
    let place = Place::new();
    let trees = both(&place, "*.env\nnode_modules/\nsecret/\n");
    let (top, tree) = &trees;
    write(top, "a.env", "A=1\n");
    write(top, "sub dir/b.env", "B=1\n");
    write(top, "node_modules/x/c.env", "");
    write(top, "secret/deep/key", "k");
    write(top, "untracked.txt", "not ignored");
    write(top, "run.env", "x");
    fs::set_permissions(top.join("run.env"), std::os::unix::fs::PermissionsExt::from_mode(0o700)).unwrap();
    write(top, ".worktreeinclude", "# what a session needs\n*.env\n*.txt\nread.me\nsecret/**/key\n");
    assert_eq!(bring(&place, &trees, &[], &[]), Vec::<String>::new());
    for (path, there) in [
        ("a.env", true),
        ("sub dir/b.env", true),
        ("secret/deep/key", true),
        ("node_modules", false),
        ("untracked.txt", false),
    ] {
        assert_eq!(tree.join(path).exists(), there, "{path}");
    }
    let (old, new) = (top.join("run.env").metadata().unwrap(), tree.join("run.env").metadata().unwrap());
    assert_eq!((old.permissions(), old.modified().unwrap()), (new.permissions(), new.modified().unwrap()));
    assert_eq!(place.git(tree, &["status", "--porcelain"]), "");
    // A whole directory by its name, and nothing is overwritten.
    fs::write(tree.join("a.env"), "mine").unwrap();
    bring(&place, &trees, &["node_modules", "*.env"], &[]);
    assert!(tree.join("node_modules/x/c.env").exists());
    assert_eq!(fs::read_to_string(tree.join("a.env")).unwrap(), "mine");
}

#[test]
#[ntest::timeout(120000)]
fn links_are_copied_as_links_and_lead_nobody_out() {
    let place = Place::new();
    let trees = both(&place, "*.env\nout\n");
    let (top, tree) = &trees;
    let outside = place.path("outside");
    fs::create_dir(&outside).unwrap();
    fs::write(outside.join("kept.env"), "theirs").unwrap();
    std::os::unix::fs::symlink(&outside, top.join("out")).unwrap();
    write(top, "in/side.env", "x");
    // The new tree has a link where the old one has a directory.
    std::os::unix::fs::symlink(&outside, tree.join("in")).unwrap();
    rustix::fs::mkfifoat(rustix::fs::CWD, top.join("pipe.env"), rustix::fs::Mode::RUSR).unwrap();
    bring(&place, &trees, &["*.env", "out"], &[]);
    assert_eq!(fs::read_link(tree.join("out")).unwrap(), outside);
    assert_eq!(fs::read_dir(&outside).unwrap().count(), 1, "nothing was written there");
    assert!(!tree.join("pipe.env").exists());
}

#[test]
#[ntest::timeout(120000)]
fn directories_are_shared_by_links_where_those_are_ignored() {
    let place = Place::new();
    let trees = both(&place, "node_modules\ntarget/\n");
    let (top, tree) = &trees;
    write(top, "node_modules/x/i.js", "1");
    write(top, "target/out", "2");
    let notices = bring(&place, &trees, &[], &["node_modules", "target/", "tracked", "../outside", "none"]);
    assert_eq!(fs::read_link(tree.join("node_modules")).unwrap(), top.join("node_modules"));
    // A link named `target` would not be ignored: it is copied.
    assert!(tree.join("target").symlink_metadata().unwrap().is_dir() && tree.join("target/out").exists());
    assert_eq!(place.git(tree, &["status", "--porcelain"]), "");
    assert_eq!(notices.len(), 2, "{notices:?}");
    assert!(notices[0].contains("git does not ignore it") && notices[1].contains("leads out"));
}
