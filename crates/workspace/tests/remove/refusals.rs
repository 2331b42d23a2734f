//! What is never removed, whatever the person says.

use std::fs;
use std::os::unix::fs::symlink;
use std::process::Stdio;

use belfry_protocol::session::WorkspaceKind::{Clone, Directory, Scratch, Worktree};
use belfry_workspace::remove::RemoveError;

use super::fixture::Fixture;

/// It is refused with these words, when looking and when removing, and nothing was touched.
#[track_caller]
fn refused(fixture: &Fixture, words: &str) {
    let found = fixture.look();
    let why = found.losses.refused.clone().unwrap_or_default();
    assert!(why.contains(words), "refused for another reason: {why:?}");
    match fixture.try_remove(Some(&found.losses.fingerprint)) {
        Err(RemoveError::Refused(said)) => assert_eq!(said, why),
        other => panic!("not refused: {other:?}"),
    }
    assert!(fixture.subject.path.symlink_metadata().is_ok(), "it is gone all the same");
}

#[test]
#[ntest::timeout(120_000)]
fn the_main_checkout() {
    let mut fixture = Fixture::new(Worktree);
    // A record that says so is wrong, or somebody's trick.
    fixture.subject.root = fixture.top();
    fixture.subject.path = fixture.main();
    refused(&fixture, "main checkout");
    assert!(fixture.main().join("src/a.txt").exists());
}

#[test]
#[ntest::timeout(120_000)]
fn the_projects_own_directory() {
    let mut fixture = Fixture::new(Worktree);
    fixture.subject.kind = Directory;
    refused(&fixture, "project's own directory");
}

#[test]
#[ntest::timeout(120_000)]
fn what_lies_elsewhere() {
    let mut fixture = Fixture::new(Worktree);
    fixture.sh_at(&fixture.main(), "git worktree add -q ../elsewhere");
    fixture.subject.path = fixture.top().join("elsewhere");
    refused(&fixture, "does not lie where Belfry makes workspaces");
}

#[test]
#[ntest::timeout(120_000)]
fn what_a_path_leads_out_to() {
    let mut fixture = Fixture::new(Worktree);
    fixture.sh_at(&fixture.main(), "git worktree add -q ../out/elsewhere");
    // The parent is a link that leads out of the root.
    symlink(fixture.top().join("out"), fixture.subject.root.join("link")).unwrap();
    fixture.subject.path = fixture.subject.root.join("link/elsewhere");
    refused(&fixture, "does not lie where Belfry makes workspaces");
    fixture.subject.path = fixture.subject.root.join("shop/../link/elsewhere");
    refused(&fixture, "no plain absolute path");
}

#[test]
#[ntest::timeout(120_000)]
fn a_link_in_its_place() {
    let fixture = Fixture::new(Worktree);
    let moved = fixture.top().join("out/moved");
    fs::rename(&fixture.subject.path, &moved).unwrap();
    symlink(&moved, &fixture.subject.path).unwrap();
    refused(&fixture, "there is a link in its place");
    assert!(moved.join("src/a.txt").exists());
}

#[test]
#[ntest::timeout(120_000)]
fn a_worktree_that_git_does_not_list() {
    let fixture = Fixture::new(Worktree);
    fixture.sh("rm -rf \"$MAIN\"/.git/worktrees");
    refused(&fixture, "git does not list it");
}

#[test]
#[ntest::timeout(120_000)]
fn another_repositorys_worktree() {
    let fixture = Fixture::new(Worktree);
    fixture.sh_at(
        &fixture.top(),
        "git clone -q origin.git other; git -C \"$MAIN\" worktree remove \"$WS\"
         git -C other worktree add -q -b theirs \"$WS\"",
    );
    refused(&fixture, "git does not list it");
}

#[test]
#[ntest::timeout(120_000)]
fn a_worktree_whose_file_leads_to_another_ones_part() {
    let fixture = Fixture::new(Worktree);
    fixture.sh("git -C \"$MAIN\" worktree add -q -b side \"$ROOT/shop/side\"; cp ../side/.git .git");
    refused(&fixture, "leads to another place");
}

#[test]
#[ntest::timeout(120_000)]
fn a_locked_worktree() {
    let fixture = Fixture::new(Worktree);
    fixture.sh("git worktree lock --reason 'on a stick' \"$WS\"");
    refused(&fixture, "it is locked: on a stick");
}

#[test]
#[ntest::timeout(120_000)]
fn a_worktree_with_another_one_in_it() {
    let fixture = Fixture::new(Worktree);
    fixture.sh("git worktree add -q -b side inner/side; echo work > inner/side/new");
    refused(&fixture, "another worktree lies in it, at inner/side");
}

#[test]
#[ntest::timeout(120_000)]
fn a_clone_with_a_worktree_elsewhere() {
    let fixture = Fixture::new(Clone);
    fixture.sh("git worktree add -q -b side \"$OUT/side\"");
    refused(&fixture, "repository of a worktree elsewhere");
}

#[test]
#[ntest::timeout(120_000)]
fn a_repository_that_somebody_put_there() {
    let fixture = Fixture::new(Scratch);
    fixture.sh("rm -rf .git; git init -q .");
    refused(&fixture, "not the one that Belfry made");
}

#[test]
#[ntest::timeout(120_000)]
fn a_clone_whose_repository_lies_elsewhere() {
    let fixture = Fixture::new(Clone);
    fixture.sh("mv .git \"$OUT/git\"; ln -s \"$OUT/git\" .git");
    refused(&fixture, "`.git` leads to another place");
}

#[cfg(target_os = "linux")]
#[test]
#[ntest::timeout(120_000)]
fn one_that_a_program_works_in() {
    for script in ["mkdir -p deep; cd deep; echo; read x", "exec 3< src/a.txt; cd /; echo; read x"] {
        let fixture = Fixture::new(Worktree);
        let mut command = fixture.command(&fixture.subject.path, script);
        let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
        let mut line = String::new();
        let out = child.stdout.take().unwrap();
        std::io::BufRead::read_line(&mut std::io::BufReader::new(out), &mut line).unwrap();
        let found = fixture.look();
        assert!(found.losses.processes.iter().any(|one| one.starts_with("sh (")), "{:?}", found.losses);
        match fixture.try_remove(Some(&found.losses.fingerprint)) {
            Err(RemoveError::Busy(who)) => assert_eq!(who, found.losses.processes),
            other => panic!("not refused: {other:?}"),
        }
        drop(child.stdin.take());
        child.wait().unwrap();
        fixture.remove();
    }
}

#[test]
#[ntest::timeout(120_000)]
fn one_that_has_changed_since_it_was_shown() {
    let fixture = Fixture::new(Worktree);
    let mut seen = vec![fixture.look().losses.fingerprint];
    for change in [
        "echo work > src/a.txt",
        "echo krow > src/a.txt",
        "git add .",
        "echo x > new",
        "echo SECRET=2 > .env",
        "git commit -q -m work",
        "git stash -q -u",
        "git init -q inner; git -C inner commit -q --allow-empty -m work",
        "echo x > inner/file",
        "git checkout -q --detach",
    ] {
        fixture.sh(change);
        for old in &seen {
            match fixture.try_remove(Some(old)) {
                Err(RemoveError::WouldLose(losses)) => assert_ne!(losses.fingerprint, *old),
                other => panic!("{change}: {other:?}"),
            }
        }
        seen.push(fixture.look().losses.fingerprint);
    }
    fixture.remove();
}
