//! Commits that nobody else has, and stashes.

use std::collections::BTreeSet;
use std::path::Path;

use super::{Subject, TOLD};
use crate::{Git, GitResult, Repository, Stop};

/// Most entries of a reflog that are looked at.
const MOST_LOGGED: &str = "2000";
/// Most commits that are told of, or saved for themselves. Those before them are reached from them.
const MOST_TOLD: &str = "200";

/// What of a workspace is commits.
#[derive(Clone, Debug, Default)]
pub(crate) struct Kept {
    /// The commit that is checked out; none before the first one.
    pub(crate) head: Option<String>,
    /// The branch; none where the head is detached.
    pub(crate) branch: Option<String>,
    /// Commits that hold everything that is the workspace's own.
    pub(crate) tips: BTreeSet<String>,
    /// Where its branches and head stand.
    pub(crate) own: BTreeSet<String>,
    /// Commits that only the reflog leads to, newest first.
    pub(crate) forgotten: Vec<String>,
    /// Short id and subject, newest first.
    pub(crate) unpushed: Vec<String>,
    pub(crate) unpushed_count: u32,
    /// Commit, and what `git stash list` says.
    pub(crate) stashes: Vec<(String, String)>,
    /// Another branch or a remote has all of the branch's commits.
    pub(crate) branch_contained: bool,
}

pub(crate) fn kept(
    git: &Git,
    subject: &Subject,
    at: &Path,
    repository: &Repository,
    stop: &Stop,
) -> GitResult<Kept> {
    let read = || git.read(at).stop(stop);
    let head = read().args(["rev-parse", "--verify", "-q", "HEAD^{commit}"]).text().ok();
    let branch = read().args(["symbolic-ref", "-q", "--short", "HEAD"]).text().ok();
    let logged = if head.is_some() { logged(git, at, stop).unwrap_or_default() } else { Logged::default() };
    let refs = read()
        .args([
            "for-each-ref",
            "--format=%(objecttype) %(objectname) %(*objectname) %(refname) %(worktreepath)",
        ])
        .text()?;
    let here = at.canonicalize().unwrap_or_else(|_| at.to_owned());
    let mut own: BTreeSet<String> = head.iter().cloned().collect();
    let mut others = BTreeSet::new();
    let mut tags = Vec::new();
    let mut of_branch = None;
    for line in refs.lines() {
        let fields: Vec<&str> = line.splitn(5, ' ').collect();
        let [kind, object, peeled, name, place] = fields[..] else { continue };
        // A branch that was looked at here, and is worked on elsewhere, is the other place's.
        let elsewhere = !place.is_empty() && Path::new(place) != here;
        let commit = if peeled.is_empty() { object } else { peeled };
        if kind != "commit" && peeled.is_empty() {
            continue;
        }
        let short = name.strip_prefix("refs/heads/");
        if short.is_some() && short == branch.as_deref() {
            of_branch = Some(commit.to_owned());
        }
        let mine = subject.whole_repository()
            || name.starts_with("refs/worktree/")
            || name.starts_with("refs/rewritten/")
            || name.starts_with("refs/bisect/")
            || short.is_some_and(|short| {
                Some(short) == branch.as_deref()
                    || Some(short) == subject.branch.as_deref()
                    || (!elsewhere && logged.visited.contains(short))
            });
        if name.starts_with("refs/remotes/") {
            others.insert(commit.to_owned());
        } else if name.starts_with("refs/belfry/") || name == "refs/stash" {
            // What Belfry saved is nobody's work; stashes are listed for themselves.
        } else if mine {
            own.insert(commit.to_owned());
            if kind == "tag" {
                tags.push((object.to_owned(), name.to_owned()));
            }
        } else if short.is_some() || name.starts_with("refs/tags/") {
            others.insert(commit.to_owned());
        }
    }
    others.extend(subject.first_commit.clone());
    own.extend(heads_of_operation(git, at, &repository.git_dir, stop));

    let mut kept = Kept { head, branch, ..Kept::default() };
    let lost = rev_list(git, at, &own, &others, stop)?;
    let besides: BTreeSet<String> = others.iter().chain(&own).chain(&logged.superseded).cloned().collect();
    let forgotten = rev_list(git, at, &logged.made, &besides, stop)?;
    kept.forgotten = forgotten.1.iter().map(|(oid, _)| oid.clone()).collect();
    for (count, said) in [lost, forgotten] {
        kept.unpushed_count += count;
        kept.unpushed.extend(said.into_iter().map(|(_, said)| said));
    }
    for name in own_tags(git, subject, tags, stop) {
        kept.unpushed_count += 1;
        kept.unpushed.push(name);
    }
    kept.unpushed.truncate(TOLD);
    kept.branch_contained = match &of_branch {
        Some(commit) => rev_list(git, at, &BTreeSet::from([commit.clone()]), &others, stop)?.0 == 0,
        None => false,
    };
    kept.stashes = stashes(git, subject, at, kept.branch.as_deref(), &logged, stop)?;
    kept.tips = own.iter().cloned().chain(logged.made).collect();
    kept.own = own;
    Ok(kept)
}

/// Where heads of a rebase, merge and such lie, which are commits that no branch has yet.
fn heads_of_operation(git: &Git, at: &Path, git_dir: &Path, stop: &Stop) -> Vec<String> {
    let names =
        ["MERGE_HEAD", "CHERRY_PICK_HEAD", "REVERT_HEAD", "rebase-merge/orig-head", "rebase-merge/autostash"];
    let texts = names.iter().filter_map(|name| crate::read::small_text(&git_dir.join(name)));
    let oids = texts.flat_map(|text| text.lines().map(str::to_owned).collect::<Vec<_>>());
    let oids = oids.filter(|oid| oid.len() >= 40 && oid.bytes().all(|digit| digit.is_ascii_hexdigit()));
    oids.filter(|oid| {
        git.read(at).stop(stop).args(["cat-file", "-e", &format!("{oid}^{{commit}}")]).run().is_ok()
    })
    .collect()
}

/// What the reflog of the head tells.
#[derive(Default)]
struct Logged {
    /// Commits that were once checked out here.
    made: BTreeSet<String>,
    /// Those of them that an amended or rebased one took the place of.
    superseded: BTreeSet<String>,
    /// Branches that were checked out here.
    visited: BTreeSet<String>,
}

fn logged(git: &Git, at: &Path, stop: &Stop) -> GitResult<Logged> {
    let out = git
        .read(at)
        .stop(stop)
        .args(["log", "-g", "--no-show-signature", "-n", MOST_LOGGED, "--format=%H%x09%gs", "HEAD", "--"])
        .text()?;
    let mut logged = Logged::default();
    let mut replaced = false;
    for line in out.lines() {
        let Some((oid, said)) = line.split_once('\t') else { continue };
        let set = if replaced { &mut logged.superseded } else { &mut logged.made };
        set.insert(oid.to_owned());
        // Newest first: this entry says what became of the next one.
        replaced = ["commit (amend)", "rebase", "pull --rebase"].iter().any(|word| said.starts_with(word));
        if let Some(names) = said.strip_prefix("checkout: moving from ")
            && let Some((from, to)) = names.split_once(" to ")
        {
            logged.visited.extend([from.to_owned(), to.to_owned()]);
        }
    }
    let superseded = &logged.superseded;
    logged.made.retain(|oid| !superseded.contains(oid));
    Ok(logged)
}

/// How many commits some have and others do not, and the newest of them.
fn rev_list(
    git: &Git,
    at: &Path,
    of: &BTreeSet<String>,
    not: &BTreeSet<String>,
    stop: &Stop,
) -> GitResult<(u32, Vec<(String, String)>)> {
    if of.is_empty() || of.is_subset(not) {
        return Ok((0, Vec::new()));
    }
    let mut input = String::new();
    for oid in of {
        input.push_str(oid);
        input.push('\n');
    }
    for oid in not {
        input.push('^');
        input.push_str(oid);
        input.push('\n');
    }
    let list = || git.read(at).stop(stop).arg("rev-list").args(["--ignore-missing", "--stdin"]);
    let count = list().arg("--count").input(input.clone().into_bytes()).text()?.parse().unwrap_or(u32::MAX);
    if count == 0 {
        return Ok((0, Vec::new()));
    }
    let told = list()
        .args(["--no-commit-header", "--format=%H%x09%h %s", "-n", MOST_TOLD])
        .input(input.into_bytes())
        .text()?;
    let told = told.lines().filter_map(|line| line.split_once('\t'));
    Ok((count, told.map(|(oid, said)| (oid.to_owned(), said.to_owned())).collect()))
}

/// Tags with a text that the repository a clone was made from does not have.
fn own_tags(git: &Git, subject: &Subject, tags: Vec<(String, String)>, stop: &Stop) -> Vec<String> {
    let Some(cache) = &subject.cache else { return Vec::new() };
    let Ok(there) =
        git.read(cache).stop(stop).args(["for-each-ref", "--format=%(objectname)", "refs/tags"]).text()
    else {
        return Vec::new();
    };
    let there: BTreeSet<&str> = there.lines().collect();
    let own = tags.into_iter().filter(|(object, _)| !there.contains(object.as_str()));
    own.map(|(_, name)| format!("tag {}", name.trim_start_matches("refs/tags/"))).collect()
}

fn stashes(
    git: &Git,
    subject: &Subject,
    at: &Path,
    branch: Option<&str>,
    logged: &Logged,
    stop: &Stop,
) -> GitResult<Vec<(String, String)>> {
    let there = git.read(at).stop(stop).args(["rev-parse", "--verify", "-q", "refs/stash"]).run().is_ok();
    if !there {
        return Ok(Vec::new());
    }
    let out = git.read(at).stop(stop).args(["stash", "list", "--format=%H%x09%gs"]).text()?;
    let all = out.lines().filter_map(|line| line.split_once('\t'));
    let of_it = all.filter(|(_, said)| {
        // `WIP on main: 1234567 subject` or `On main: what the person said`.
        let on = said.strip_prefix("WIP on ").or_else(|| said.strip_prefix("On "));
        let on = on.and_then(|rest| rest.split_once(": ")).map(|(on, _)| on);
        subject.whole_repository()
            || on.is_some_and(|on| {
                let own =
                    [branch, subject.branch.as_deref()].contains(&Some(on)) || logged.visited.contains(on);
                own || (on == "(no branch)" && branch.is_none())
            })
    });
    Ok(of_it.map(|(oid, said)| (oid.to_owned(), said.to_owned())).collect())
}

/// Whether a submodule has commits or stashes that its remotes do not.
pub(super) fn submodule_work(git: &Git, at: &Path, stop: &Stop) -> bool {
    let read = || git.read(at).stop(stop);
    let commits =
        read().args(["rev-list", "-n", "1", "--branches", "HEAD", "--not", "--remotes", "--tags"]).text();
    let stash = read().args(["rev-parse", "--verify", "-q", "refs/stash"]).run().is_ok();
    // What cannot be asked may have work.
    stash || commits.map_or(true, |commits| !commits.is_empty())
}
