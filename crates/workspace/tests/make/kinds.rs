//! Repositories of all kinds.

use std::path::Path;

use belfry_workspace::branch::{Names, Wanted};
use belfry_workspace::{MakeError, Source, scratch};

use crate::place::Place;

#[test]
#[ntest::timeout(120000)]
fn none_without_a_commit_and_none_at_all() {
    let place = Place::new();
    let top = place.path("empty");
    std::fs::create_dir(&top).unwrap();
    assert!(matches!(place.worktree(&top, "a"), Err(MakeError::NoRepository(_))));
    place.git(&top, &["init", "-q"]);
    let error = place.worktree(&top, "a").unwrap_err().wire();
    assert!(error.message.contains("no commit yet") && error.next.is_some(), "{error:?}");
}

#[test]
#[ntest::timeout(120000)]
fn somebody_else_s_is_refused_in_words() {
    let place = Place::new();
    let top = place.repository("theirs");
    let other = Place::with(&[("GIT_TEST_ASSUME_DIFFERENT_OWNER", "1")]);
    let error = Source::of(&other.git, &top).unwrap_err();
    assert!(matches!(&error, MakeError::NotOwned(path) if *path == top), "{error:?}");
    assert!(error.wire().next.unwrap().contains("safe.directory"));
}

#[test]
#[ntest::timeout(120000)]
fn bare_ones_and_worktrees_of_worktrees() {
    let place = Place::new();
    let (top, remote) = place.cloned("a");
    let source = Source::of(&place.git, &remote).unwrap();
    assert!(source.bare && source.top.is_none() && source.name() == "a", "{source:?}");
    let (path, _) = place.worktree(&remote, "of-bare").unwrap();
    assert!(path.join("read.me").exists());

    let (outer, _) = place.worktree(&top, "outer").unwrap();
    std::fs::create_dir(outer.join("deep")).unwrap();
    let source = Source::of(&place.git, &outer.join("deep")).unwrap();
    assert_eq!((&source.main, source.inside.as_path()), (&top, Path::new("deep")));
    let (inner, _) = place.worktree(&outer, "inner").unwrap();
    let of_inner = Source::of(&place.git, &inner).unwrap();
    assert_eq!((of_inner.common_dir, of_inner.main), (source.common_dir, top.clone()));
    let names = Names::read(&place.git, &Source::of(&place.git, &top).unwrap(), 500).unwrap();
    assert!(names.taken.contains(&"inner".to_owned()) && names.names.contains(&"origin/main".to_owned()));
}

#[test]
#[ntest::timeout(120000)]
fn a_detached_head_and_odd_paths() {
    let place = Place::new();
    let top = place.repository("spaces and ünïcode\u{1f514}");
    place.git(&top, &["checkout", "-q", "--detach"]);
    let (path, made) = place.worktree(&top, "a").unwrap();
    assert_eq!(made.base.unwrap().name.len(), 10, "a commit's first digits");
    assert!(path.join("read.me").exists());
    assert_eq!(place.worktree(&top, "main").unwrap().1.head, made.head, "main is free then");
}

#[test]
#[ntest::timeout(120000)]
fn sparse_checkouts_are_followed() {
    let place = Place::new();
    let top = place.repository("a");
    place.commit(&top, "in/file", "x");
    place.commit(&top, "out/file", "x");
    place.git(&top, &["sparse-checkout", "set", "in"]);
    let (path, _) = place.worktree(&top, "a").unwrap();
    assert!(path.join("in/file").exists() && !path.join("out/file").exists());
}

#[test]
#[ntest::timeout(120000)]
fn submodules_come_from_what_is_here() {
    let place = Place::new();
    let inner = place.repository("inner");
    let unused = place.repository("unused");
    let top = place.repository("a");
    for (path, from) in [("lib/in", &inner), ("lib/un", &unused)] {
        place.git(&top, &["submodule", "--quiet", "add", from.to_str().unwrap(), path]);
    }
    place.git(&top, &["commit", "-qm", "modules"]);
    place.git(&top, &["submodule", "--quiet", "deinit", "-f", "lib/un"]);
    std::fs::remove_dir_all(top.join(".git/modules/lib/un")).unwrap();
    let config = std::fs::read(top.join(".git/config")).unwrap();
    // Not asked for: what is here is enough.
    std::fs::rename(&inner, place.path("gone")).unwrap();
    let (path, made) = place.worktree(&top, "b").unwrap();
    assert_eq!(made.notices, Vec::<String>::new());
    assert!(path.join("lib/in/read.me").exists() && !path.join("lib/un/read.me").exists());
    let url = place.git(&path.join("lib/in"), &["remote", "get-url", "origin"]);
    assert_eq!(url, inner.to_str().unwrap(), "its true address");
    assert_eq!(std::fs::read(top.join(".git/config")).unwrap(), config);
}

#[test]
#[ntest::timeout(120000)]
fn large_files_stay_pointers_where_nothing_fetches_them() {
    let place = Place::new();
    let top = place.repository("a");
    place.commit(&top, ".gitattributes", "*.bin filter=lfs\n");
    place.commit(&top, "large.bin", "version https://git-lfs.github.com/spec/v1\n");
    let (_, made) = place.worktree(&top, "a").unwrap();
    assert!(made.notices[0].contains("only pointers"), "{:?}", made.notices);
    // Set up, and the program is gone.
    place.git(&top, &["config", "filter.lfs.required", "true"]);
    place.git(&top, &["config", "filter.lfs.process", "no-such-git-lfs filter-process"]);
    place.git(&top, &["config", "filter.lfs.smudge", "no-such-git-lfs smudge -- %f"]);
    let (path, made) = place.worktree(&top, "b").unwrap();
    assert!(made.notices[0].contains("only pointers") && path.join("large.bin").exists());
}

#[test]
#[ntest::timeout(120000)]
fn a_scratch_repository_has_a_first_commit_of_the_person() {
    let place = Place::new();
    let path = place.path("s");
    let (branch, made) = scratch::make(&place.git, &path).unwrap();
    assert_eq!((branch.as_str(), made.notices.len()), ("main", 0));
    assert_eq!(place.git(&path, &["log", "--format=%an %s"]), "Ann Start");
    assert_eq!(place.git(&path, &["remote"]), "");
    let nobody = Place::with(&[("GIT_CONFIG_GLOBAL", "/dev/null"), ("EMAIL", "")]);
    let strict = [("GIT_CONFIG_COUNT", "1")];
    let _ = strict;
    std::fs::write(nobody.path("gitconfig"), "").unwrap();
    let (_, made) = scratch::make(&nobody.git, &nobody.path("s")).unwrap();
    // Git makes a name up where the machine has one for the account.
    assert_eq!(made.head.is_empty(), !made.notices.is_empty());
}

#[test]
#[ntest::timeout(120000)]
fn hooks_and_monitors_of_a_repository_do_not_run() {
    let place = Place::new();
    let top = place.repository("a");
    let ran = place.path("ran");
    let hook = top.join(".git/hooks/post-checkout");
    std::fs::create_dir_all(hook.parent().unwrap()).unwrap();
    std::fs::write(&hook, format!("#!/bin/sh\ntouch '{}'\n", ran.display())).unwrap();
    std::os::unix::fs::PermissionsExt::set_mode(&mut std::fs::metadata(&hook).unwrap().permissions(), 0o755);
    std::process::Command::new("chmod").arg("755").arg(&hook).status().unwrap();
    place.git(&top, &["config", "core.fsmonitor", hook.to_str().unwrap()]);
    place.worktree_on(&top, &Wanted { text: Some("x"), ..Wanted::default() }, None).unwrap();
    assert!(!ran.exists());
}
