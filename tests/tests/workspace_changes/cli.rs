//! `belfry diff` and `belfry checkpoint`.

use std::io::Write as _;
use std::process::{Command, Stdio};

use belfry_tests::cli::Belfry;
use ntest::timeout;

use crate::repo::{cloned, git};

#[test]
#[timeout(120000)]
fn a_diff_that_is_piped_makes_the_same_elsewhere() {
    let belfry = Belfry::new();
    let dir = tempfile::tempdir().expect("a directory");
    let repo = cloned(dir.path());
    let other = dir.path().join("other");
    git(dir.path(), &["clone", "-q", "remote.git", "other"]);
    let cwd = repo.to_str().expect("a path");
    let id = belfry.run(&["new", "--cwd", cwd, "--", "cat"]).ok();
    let id = id.word();
    assert_eq!(belfry.run(&["diff", id]).ok().stdout, "");
    std::fs::write(repo.join("a"), "1\n2\nthree").expect("an edit");
    std::fs::write(repo.join("new \u{fc}"), b"\0binary").expect("a file");
    git(&repo, &["mv", "src/deep/b", "src/b"]);
    git(&repo, &["commit", "-q", "-m", "move"]);

    let patch = belfry.run(&["diff", id]).ok().stdout;
    let mut apply = Command::new("git")
        .args(["apply", "-"])
        .current_dir(&other)
        .stdin(Stdio::piped())
        .spawn()
        .expect("git");
    apply.stdin.take().expect("a pipe").write_all(patch.as_bytes()).expect("the patch");
    assert!(apply.wait().expect("its end").success(), "{patch}");
    for name in ["a", "new \u{fc}", "src/b"] {
        assert_eq!(std::fs::read(other.join(name)).ok(), std::fs::read(repo.join(name)).ok(), "{name}");
    }
    assert!(!other.join("src/deep/b").exists());

    let stat = belfry.run(&["diff", id, "--stat"]).ok().stdout;
    assert!(
        stat.contains("R ") && stat.contains("src/deep/b → src/b") && stat.contains("3 files, +1 -1"),
        "{stat}"
    );
    let json = belfry.run(&["diff", id, "--uncommitted", "--json"]).ok().json();
    let names: Vec<_> = json.as_array().expect("files").iter().map(|file| file["path"].clone()).collect();
    assert_eq!(names, ["a", "new \u{fc}"]);
    assert_eq!(belfry.run(&["diff", id, "--staged"]).ok().stdout, "");
    belfry.run(&["diff", id, "--staged", "--base"]).exits(2);
    belfry.run(&["diff", "nobody"]).exits(3);
    belfry.run(&["diff", id, "--commit", "--output=x"]).exits(2);
}

#[test]
#[timeout(120000)]
fn a_checkpoint_is_made_listed_and_gone_back_to() {
    let belfry = Belfry::new();
    let dir = tempfile::tempdir().expect("a directory");
    let repo = cloned(dir.path());
    let id = belfry.run(&["new", "--cwd", repo.to_str().expect("a path"), "--", "cat"]).ok();
    let id = id.word();
    std::fs::write(repo.join("a"), "one state\n").expect("an edit");
    let made = belfry.run(&["checkpoint", "make", id, "before the storm"]).ok();
    std::fs::write(repo.join("a"), "another\n").expect("an edit");
    let since = belfry.run(&["diff", id, "--since", made.word()]).ok().stdout;
    assert!(since.contains("-one state\n+another\n"), "{since}");
    belfry.run(&["checkpoint", "go", id, &made.word()[..12]]).ok();
    assert_eq!(std::fs::read_to_string(repo.join("a")).expect("the file"), "one state\n");
    let listed = belfry.run(&["checkpoint", "ls", id]).ok().stdout;
    let lines: Vec<_> = listed.lines().collect();
    assert!(lines.len() == 2 && lines[0].contains("before going back to: before the storm"), "{listed}");
    belfry.run(&["checkpoint", "go", id, "ffff"]).exits(1);
}
