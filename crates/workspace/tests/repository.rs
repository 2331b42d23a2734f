//! Against repositories that git itself made, and against hostile ones.

#![allow(clippy::unwrap_used, reason = "helpers of tests, where a panic is a failed test")]

use std::path::Path;
use std::process::Command;

use belfry_workspace::Repository;

fn git(directory: &Path, args: &[&str]) {
    let output = Command::new("git")
        .args(["-c", "user.name=n", "-c", "user.email=e@example.org", "-c", "init.defaultBranch=trunk"])
        .args(args)
        .current_dir(directory)
        .env("GIT_CONFIG_GLOBAL", "/dev/null")
        .env("GIT_CONFIG_NOSYSTEM", "1")
        .output()
        .unwrap();
    assert!(output.status.success(), "git {args:?}: {}", String::from_utf8_lossy(&output.stderr));
}

#[test]
#[ntest::timeout(60000)]
fn branches_of_trees_worktrees_and_detached_heads() {
    let folder = tempfile::tempdir().unwrap();
    let top = folder.path().join("a b");
    std::fs::create_dir_all(top.join("in/side")).unwrap();
    assert_eq!(Repository::containing(&top), None);
    git(&top, &["init", "-q"]);
    let repository = Repository::containing(&top.join("in/side")).unwrap();
    assert_eq!(repository.root, top);
    assert_eq!(repository.branch().as_deref(), Some("trunk"), "before the first commit");
    git(&top, &["commit", "-q", "--allow-empty", "-m", "m"]);
    git(&top, &["checkout", "-q", "-b", "feature/übung"]);
    assert_eq!(repository.branch().as_deref(), Some("feature/übung"));

    git(&top, &["worktree", "add", "-q", "../tree", "trunk"]);
    let tree = Repository::at(&folder.path().join("tree")).unwrap();
    assert!(tree.linked() && !repository.linked());
    assert_eq!(tree.branch().as_deref(), Some("trunk"));

    git(&top, &["checkout", "-q", "--detach"]);
    let commit = repository.branch().unwrap();
    assert!(commit.len() == 10 && commit.bytes().all(|b| b.is_ascii_hexdigit()), "{commit}");
}

#[test]
#[ntest::timeout(30000)]
fn hostile_files_are_no_repository_and_never_block() {
    let folder = tempfile::tempdir().unwrap();
    let dot_git = folder.path().join(".git");
    std::fs::write(&dot_git, "gitdir: /nowhere\n").unwrap();
    assert_eq!(Repository::at(folder.path()), None);
    std::fs::remove_file(&dot_git).unwrap();
    std::fs::create_dir(&dot_git).unwrap();

    let head = dot_git.join("HEAD");
    rustix::fs::mknodat(
        rustix::fs::CWD,
        &head,
        rustix::fs::FileType::Fifo,
        rustix::fs::Mode::RUSR | rustix::fs::Mode::WUSR,
        0,
    )
    .unwrap();
    assert_eq!(Repository::at(folder.path()), None, "a FIFO");
    std::fs::remove_file(&head).unwrap();

    for (text, branch) in [
        ("ref: refs/heads/a\u{1b}]0;x\u{7}\n", None),
        ("ref: refs/heads/.invalid\n", None),
        ("ref: refs/heads/\n", None),
        ("nonsense", None),
        ("", None),
        ("ref: refs/heads/fine", Some("fine")),
    ] {
        std::fs::write(&head, text).unwrap();
        assert_eq!(Repository::at(folder.path()).unwrap().branch().as_deref(), branch, "{text:?}");
    }
}
