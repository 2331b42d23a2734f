//! Git's own part of a worktree, while its directory lies aside: locked, led to where that is, and off its branch.

use std::path::{Path, PathBuf};

use super::record::write_whole;
use super::{Outcome, Record, Tried as _};
use crate::read::small_text;
use crate::{Git, GitResult};

/// What a lock of ours says before the id.
const LOCK: &str = "removed by Belfry, which keeps it for a while: ";

pub(super) fn is_our_lock(text: &str, id: &str) -> bool {
    text.trim().strip_prefix(LOCK) == Some(id)
}

/// Has `git worktree prune` leave it alone while its directory is on the way.
pub(super) fn lock(record: &Record) -> Outcome<()> {
    let Some(admin) = &record.admin else { return Ok(()) };
    if small_text(&admin.join("locked")).is_some() {
        return Ok(());
    }
    write_whole(&admin.join("locked"), format!("{LOCK}{}\n", record.id).as_bytes())
}

pub(super) fn unlock(record: &Record) -> Outcome<()> {
    let Some(admin) = &record.admin else { return Ok(()) };
    let file = admin.join("locked");
    if small_text(&file).is_some_and(|text| is_our_lock(&text, &record.id)) {
        std::fs::remove_file(&file).tried(|| format!("{} cannot be removed", file.display()))?;
    }
    Ok(())
}

/// Git's own part of the worktree that was locked for an id.
pub(super) fn locked_by_us(common: &Path, id: &str) -> Option<PathBuf> {
    let entries = std::fs::read_dir(common.join("worktrees")).ok()?;
    let mut parts = entries.flatten().map(|entry| entry.path());
    parts.find(|part| small_text(&part.join("locked")).is_some_and(|text| is_our_lock(&text, id)))
}

/// The branch that a `HEAD` names.
fn branch_of(head: &str) -> Option<&str> {
    head.trim().strip_prefix("ref:").map(str::trim_start).filter(|name| name.starts_with("refs/heads/"))
}

/// With the reftable format `HEAD` holds a stub, and only git writes the true one.
fn is_stub(head: &str) -> bool {
    branch_of(head) == Some("refs/heads/.invalid")
}

/// Leads git to where the directory lies now, and lets go of its branch.
pub(super) fn lead_away(git: &Git, record: &Record, root: &Path) -> Outcome<()> {
    let Some(admin) = there(record) else { return Ok(()) };
    let tree = record.tree(root);
    let mut place = tree.join(".git").into_os_string().into_encoded_bytes();
    place.push(b'\n');
    write_whole(&admin.join("gitdir"), &place)?;
    let (Some(head), Some(commit)) = (&record.head, &record.head_commit) else { return Ok(()) };
    if is_stub(head) {
        if record.branch.is_some() && tree.is_dir() {
            git.write(&tree).args(["update-ref", "--no-deref", "HEAD", commit]).run()?;
        }
    } else if branch_of(head).is_some() {
        write_whole(&admin.join("HEAD"), format!("{commit}\n").as_bytes())?;
    }
    Ok(())
}

/// Leads git back, and onto the branch where that is free and has not moved. Says so where it is not.
pub(super) fn lead_back(git: &Git, record: &Record) -> Outcome<Option<String>> {
    let Some(admin) = there(record) else {
        let gone =
            record.admin.as_ref().map(|_| "its repository is gone; its files are all there".to_owned());
        return Ok(gone);
    };
    if let Some(gitdir) = &record.gitdir {
        write_whole(&admin.join("gitdir"), gitdir.as_bytes())?;
    }
    let (Some(head), Some(commit)) = (&record.head, &record.head_commit) else { return Ok(None) };
    let named = record.branch.as_deref().map(|branch| format!("refs/heads/{branch}"));
    let Some(name) = (if is_stub(head) { named } else { branch_of(head).map(str::to_owned) }) else {
        return Ok(None);
    };
    let short = name.trim_start_matches("refs/heads/");
    let common = record.common_dir.as_deref().unwrap_or(&admin);
    match tip(git, common, &name)? {
        Some(tip) if tip != *commit => {
            return Ok(Some(format!(
                "the branch {short} has moved on since, so it stands on its old commit, off any branch"
            )));
        }
        Some(_) => {}
        None => {
            // Only where it still is not there.
            let none = "0".repeat(commit.len());
            git.write(common).args(["update-ref", &name, commit, &none]).run()?;
        }
    }
    let taken = crate::listed::worktrees(git, common)?
        .into_iter()
        .find(|one| one.branch.as_deref() == Some(short) && !same(&one.path, &record.path));
    if let Some(taken) = taken {
        return Ok(Some(format!(
            "the branch {short} is checked out at {} by now, so it stands on the same commit, off any branch",
            taken.path.display()
        )));
    }
    if is_stub(head) {
        git.write(&record.path).args(["symbolic-ref", "HEAD", &name]).run()?;
    } else {
        write_whole(&admin.join("HEAD"), head.as_bytes())?;
    }
    Ok(None)
}

fn same(one: &Path, other: &Path) -> bool {
    one == other || one.canonicalize().is_ok_and(|one| other.canonicalize().is_ok_and(|other| one == other))
}

/// The commit that a ref leads to, by the repository at that directory.
pub(super) fn tip(git: &Git, at: &Path, name: &str) -> GitResult<Option<String>> {
    let out = git.read(at).args(["for-each-ref", "--format=%(objectname)", "--", name]).text()?;
    Ok(out.lines().next().map(str::to_owned))
}

fn there(record: &Record) -> Option<PathBuf> {
    record.admin.clone().filter(|admin| admin.is_dir())
}

/// Takes it out of git, after its directory was deleted. What git's part of it still protects is the saved ref's, which goes too.
pub(super) fn forget(git: &Git, record: &Record, root: &Path) -> Outcome<()> {
    let (Some(admin), Some(common)) = (there(record), &record.common_dir) else { return Ok(()) };
    // Leads where nothing is; else the name could be another one's by now.
    if !small_text(&admin.join("locked")).is_some_and(|text| is_our_lock(&text, &record.id)) {
        return Ok(());
    }
    let tree = record.tree(root);
    git.write(common).args(["worktree", "remove", "--force", "--force", "--"]).arg(&tree).run()?;
    Ok(())
}

/// Deletes the branch that was made for it, where another branch or a remote has all of its commits, and nobody is on it.
pub(super) fn forget_branch(git: &Git, record: &Record) -> Outcome<()> {
    let (Some(common), Some(branch), Some(commit)) =
        (&record.common_dir, record.branch.as_ref().filter(|_| record.made_branch), &record.head_commit)
    else {
        return Ok(());
    };
    let name = format!("refs/heads/{branch}");
    if tip(git, common, &name)?.as_ref() != Some(commit) {
        return Ok(());
    }
    let holders = git
        .read(common)
        .args(["for-each-ref", "--format=%(refname)", "--contains", commit, "refs/heads", "refs/remotes"])
        .text()?;
    let contained = holders.lines().any(|holder| holder != name);
    let taken = crate::listed::worktrees(git, common)?.iter().any(|one| one.branch.as_ref() == Some(branch));
    if contained && !taken {
        git.write(common).args(["update-ref", "-d", &name, commit]).run()?;
    }
    Ok(())
}

/// Deletes the ref that what was lost was saved under.
pub(super) fn forget_ref(git: &Git, record: &Record, root: &Path) -> Outcome<()> {
    if record.saved.is_none() {
        return Ok(());
    }
    let Some(place) = place_of_ref(record, root) else { return Ok(()) };
    let name = record.ref_name();
    if tip(git, &place, &name)?.is_some() {
        git.write(&place).args(["update-ref", "-d", &name]).run()?;
    }
    Ok(())
}

/// A directory by which git finds the repository that the ref is in.
pub(super) fn place_of_ref(record: &Record, root: &Path) -> Option<PathBuf> {
    let tree = record.tree(root);
    let place = match &record.common_dir {
        Some(common) => common.clone(),
        None if tree.is_dir() => tree,
        None => record.path.clone(),
    };
    place.is_dir().then_some(place)
}
