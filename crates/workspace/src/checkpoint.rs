//! The files as they were at one moment, as a commit under a ref of Belfry's own.
//!
//! It is made beside the repository's index, so that nothing that the person or the agent does just then is disturbed, and takes
//! in what git knows and what is new, not what is ignored. Going back changes exactly the files that differ; the branch and what
//! is staged stay.

mod way;

use std::collections::{BTreeSet, HashSet};
use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt as _;

use belfry_protocol::changes::Checkpoint;
use jiff::Timestamp;

use crate::changes::{ChangeError, ChangeResult, Checkout, Standing, list, shown};
use crate::diff::Aside;
use crate::git::{GitError, GitResult};

use way::Way;

/// Checkpoints of a session that are kept.
const MOST: usize = 200;
/// Largest new file that is kept, in bytes. What a program dumps beside the work is not worth gigabytes of the repository.
const LARGEST: u64 = 64 << 20;
/// Characters of a label.
const LONGEST: usize = 200;

/// Paths that were left out and are told, and letters of each: two hundred checkpoints are one answer.
const TOLD: usize = 5;
const NAME: usize = 100;
/// The line of a checkpoint's message after which they come.
const LEFT_OUT: &str = "Left out:";

/// Where checkpoints are, below which each session has its own.
const REFS: &str = "refs/belfry/checkpoints";

fn refs_of(session: &str) -> ChangeResult<String> {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'-';
    if session.is_empty() || !session.bytes().all(plain) || session.starts_with('-') {
        return Err(ChangeError::invalid("that is no session's id"));
    }
    Ok(format!("{REFS}/{session}"))
}

impl Checkout {
    /// Keeps the files as they are. `now` names it; two at the same moment follow on each other.
    pub fn make_checkpoint(&self, session: &str, label: &str, now: Timestamp) -> ChangeResult<Checkpoint> {
        let refs = refs_of(session)?;
        let snapshot = self.snapshot(&BTreeSet::new())?;
        self.keep(&refs, &snapshot, label, now)
    }

    /// The newest ones first.
    pub fn checkpoints(&self, session: &str) -> ChangeResult<Vec<Checkpoint>> {
        let refs = refs_of(session)?;
        let text = self
            .read()
            .args(["for-each-ref", "--sort=-refname", &format!("--count={MOST}")])
            .args([
                "--format=%1e%(objectname)%1f%(refname)%1f%(contents:subject)%1f%(contents:body)",
                "--",
                &refs,
            ])
            .text()?;
        Ok(text.split('\x1e').filter_map(one).collect())
    }

    /// Puts the files back to a checkpoint; what is there is kept by another first, which is answered. Where that cannot keep all
    /// that would go, nothing is changed: [`ChangeError::WouldLose`].
    pub fn go_to(&self, session: &str, id: &str, now: Timestamp) -> ChangeResult<Checkpoint> {
        let refs = refs_of(session)?;
        let wanted = self.checked(id)?;
        let known = self.checkpoints(session)?;
        let Some(to) = known.iter().find(|checkpoint| checkpoint.id == wanted) else {
            return Err(ChangeError::invalid("that is no checkpoint of this session"));
        };
        if let Some(operation) = self.operation() {
            return Err(ChangeError::refused(format!(
                "a {operation} stands in the middle: end it or take it back first"
            )));
        }
        let mut now_there = self.snapshot(&BTreeSet::new())?;
        let target = format!("{wanted}^{{tree}}");
        let way = self.way(&now_there, &target, |_| true)?;
        if !way.lost.is_empty() {
            return Err(ChangeError::WouldLose(way.lost.into_iter().collect()));
        }
        // A file that is ignored now and was none then lies in the way, and would be overwritten: it is kept as well.
        if !way.files.is_empty() {
            now_there = self.snapshot(&way.files)?;
        }
        let label = format!("before going back to: {}", to.label);
        let kept = self.keep(&refs, &now_there, &label, now)?;
        let Snapshot { aside, tree, .. } = now_there;
        aside.write().args(["update-index", "-q", "--refresh"]).run().or_else(|error| match error {
            // Something changed since; the next step refuses to overwrite it.
            GitError::Failed { .. } => Ok(()),
            other => Err(other),
        })?;
        aside.write().args(["read-tree", "-m", "-u", "--no-recurse-submodules", &tree, &target]).run()?;
        Ok(kept)
    }

    /// Forgets all checkpoints of a session.
    pub fn forget_checkpoints(&self, session: &str) -> ChangeResult<()> {
        let refs = refs_of(session)?;
        self.drop_refs(&refs, 0)
    }

    /// What stands in the way from a snapshot to another tree, of these paths, and is not in the snapshot.
    fn way(&self, from: &Snapshot, target: &str, of: impl Fn(&[u8]) -> bool) -> GitResult<Way> {
        let tree = from.tree.as_str();
        let mut coming = list(from.aside.read(), &["--no-renames", "--diff-filter=AT", tree, target, "--"])?;
        coming.retain(|listed| of(&listed.path));
        if coming.is_empty() {
            return Ok(Way::default());
        }
        let held = self.read().args(["ls-tree", "-r", "-z", "--name-only", "--full-tree", tree]).output()?;
        let held = held.split(|byte| *byte == 0).map(<[u8]>::to_vec).collect();
        Ok(Way::of(self.root(), &coming, &held))
    }

    /// Refuses to put `known` back to the newest commit and to delete `new` where a checkpoint made now would not hold all that
    /// goes with it.
    pub(crate) fn held_before_discarding(&self, known: &[&[u8]], new: &[&[u8]]) -> ChangeResult<()> {
        let large = |path: &[u8]| match self.lies(path) {
            Lies::File(bytes) if bytes > LARGEST => Some(format!("{} ({})", shown(path), way::size(bytes))),
            _ => None,
        };
        let mut lost: BTreeSet<String> = new.iter().filter_map(|path| large(path)).collect();
        if !known.is_empty() {
            let newest = self.newest()?;
            let wanted: HashSet<&[u8]> = known.iter().copied().collect();
            let way = self.way(&self.snapshot(&BTreeSet::new())?, &newest, |path| wanted.contains(path))?;
            lost.extend(way.lost);
            lost.extend(way.files.iter().map(|path| shown(path)));
        }
        if lost.is_empty() { Ok(()) } else { Err(ChangeError::WouldLose(lost.into_iter().collect())) }
    }

    /// The files as a tree, and the index that says so; `beside` are files that are taken in although they are ignored.
    fn snapshot(&self, beside: &BTreeSet<Vec<u8>>) -> ChangeResult<Snapshot> {
        let status = self.status(&[])?;
        let aside = Aside::of(self)?;
        let (mut there, mut gone) = (Vec::new(), Vec::new());
        let mut left_out = Vec::new();
        for (path, standing) in status.entries() {
            match self.lies(path) {
                // A repository inside is its own.
                _ if path.ends_with(b"/") => left_out.push(named(path)),
                Lies::File(bytes) if standing == Standing::Untracked && bytes > LARGEST => {
                    if !beside.contains(path) {
                        left_out.push(format!("{} ({})", named(path), way::size(bytes)));
                    }
                }
                Lies::File(_) => push(&mut there, &[path]),
                // New, and gone again already.
                Lies::Nowhere if standing == Standing::Untracked => {}
                Lies::Nowhere => push(&mut gone, &[b"0 0000000000000000000000000000000000000000\t", path]),
            }
        }
        for path in beside {
            push(&mut there, &[path]);
        }
        // What went first: a file can have come in its place.
        if !gone.is_empty() {
            aside.write().args(["update-index", "-z", "--index-info"]).input(gone).run()?;
        }
        if !there.is_empty() {
            let command =
                aside.write().args(["update-index", "--add", "--remove", "--replace", "-z", "--stdin"]);
            command.input(there).run()?;
        }
        let tree = aside.write().arg("write-tree").text()?;
        if left_out.len() > TOLD {
            let more = left_out.len() - TOLD;
            left_out.truncate(TOLD);
            left_out.push(format!("{more} more"));
        }
        Ok(Snapshot { aside, tree, left_out })
    }

    /// What lies at a path, no link followed on the way there.
    fn lies(&self, path: &[u8]) -> Lies {
        let mut at = self.root().to_owned();
        let mut parts = path.split(|byte| *byte == b'/').peekable();
        while let Some(part) = parts.next() {
            at.push(OsStr::from_bytes(part));
            let Ok(about) = at.symlink_metadata() else { return Lies::Nowhere };
            let last = parts.peek().is_none();
            match (last, about.is_dir()) {
                (false, true) => {}
                (true, false) => return Lies::File(about.len()),
                // A submodule is a directory and one entry.
                (true, true) if at.join(".git").exists() => return Lies::File(0),
                _ => return Lies::Nowhere,
            }
        }
        Lies::Nowhere
    }

    fn keep(&self, refs: &str, of: &Snapshot, label: &str, now: Timestamp) -> ChangeResult<Checkpoint> {
        let label: String = label.lines().find(|line| !line.trim().is_empty()).unwrap_or("").trim().into();
        let label: String = label.chars().filter(|letter| !letter.is_control()).take(LONGEST).collect();
        let label = if label.is_empty() { "checkpoint".to_owned() } else { label };
        let mut command = self.write().args(["commit-tree", "--no-gpg-sign", &of.tree]);
        if let Some(head) = self.status_head()? {
            command = command.args(["-p", &head]);
        }
        let at = format!("{} +0000", now.as_second());
        for who in ["AUTHOR", "COMMITTER"] {
            command = command.env(&format!("GIT_{who}_NAME"), "Belfry");
            command = command.env(&format!("GIT_{who}_EMAIL"), "belfry@localhost");
            command = command.env(&format!("GIT_{who}_DATE"), &at);
        }
        let mut message = label.clone();
        if !of.left_out.is_empty() {
            message = format!("{label}\n\n{LEFT_OUT}\n{}\n", of.left_out.join("\n"));
        }
        let id = command.input(message.into_bytes()).text()?;
        // Names sort by time; a clock that was set back or a second one in the same millisecond takes the next free name.
        let mut name = now.as_millisecond();
        let newest = self.newest_name(refs)?;
        if newest.is_some_and(|newest| newest >= name) {
            name = newest.unwrap_or(name) + 1;
        }
        self.write().args(["update-ref", &format!("{refs}/{name:015}"), &id]).run()?;
        self.drop_refs(refs, MOST)?;
        Ok(Checkpoint { id, label, at: now, left_out: of.left_out.clone() })
    }

    fn status_head(&self) -> ChangeResult<Option<String>> {
        Ok(match self.head_commit() {
            Some(head) => Some(head),
            None => self.commit_of("HEAD")?,
        })
    }

    fn newest_name(&self, refs: &str) -> ChangeResult<Option<i64>> {
        let command =
            self.read().args(["for-each-ref", "--sort=-refname", "--count=1", "--format=%(refname)"]);
        let text = command.args(["--", refs]).text()?;
        Ok(text.rsplit('/').next().and_then(|name| name.parse().ok()))
    }

    /// Deletes all of these refs but the newest.
    fn drop_refs(&self, refs: &str, keep: usize) -> ChangeResult<()> {
        let command =
            self.read().args(["for-each-ref", "--sort=-refname", "--format=%(refname)", "--", refs]);
        let text = command.text()?;
        let old: HashSet<&str> = text.lines().skip(keep).collect();
        if old.is_empty() {
            return Ok(());
        }
        let deletes = old
            .iter()
            .flat_map(|name| {
                [
                    "delete ", *name, "
",
                ]
            })
            .collect::<String>();
        Ok(self.write().args(["update-ref", "--stdin"]).input(deletes.into_bytes()).run()?)
    }
}

/// The files at one moment.
struct Snapshot {
    /// The index that says so.
    aside: Aside,
    tree: String,
    /// What it has not, for people.
    left_out: Vec<String>,
}

/// What lies at a path.
enum Lies {
    /// Something that git keeps as one entry, of so many bytes.
    File(u64),
    /// Nothing of that kind.
    Nowhere,
}

/// One record of a list whose records end with a zero byte.
fn push(list: &mut Vec<u8>, parts: &[&[u8]]) {
    for part in parts {
        list.extend_from_slice(part);
    }
    list.push(0);
}

/// A path on one line, not too long of it.
fn named(path: &[u8]) -> String {
    let letters: Vec<char> = shown(path).chars().filter(|letter| !letter.is_control()).collect();
    let cut = letters.len().saturating_sub(NAME);
    let dots = if cut > 0 { "…" } else { "" };
    dots.chars().chain(letters.into_iter().skip(cut)).collect()
}

fn one(record: &str) -> Option<Checkpoint> {
    let mut parts = record.splitn(4, '\x1f');
    let (id, name, label, body) = (parts.next()?, parts.next()?, parts.next()?, parts.next()?);
    let at = name.rsplit('/').next()?.parse().ok()?;
    let mut body = body.trim_end_matches('\n').lines();
    let left_out = match body.next() {
        Some(LEFT_OUT) => body.map(str::to_owned).collect(),
        _ => Vec::new(),
    };
    Some(Checkpoint {
        id: id.to_owned(),
        label: label.to_owned(),
        at: Timestamp::from_millisecond(at).unwrap_or_default(),
        left_out,
    })
}
