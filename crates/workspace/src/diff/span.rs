//! What two states a diff lies between, in git's words.

use std::collections::HashSet;

use belfry_protocol::changes::{Between, ChangeKind, ChangedFile};

use crate::changes::{ChangeError, ChangeResult, Checkout, Ends, Head, is_id};

/// Two states.
#[derive(Clone, Debug, Default)]
pub(crate) struct Span {
    args: Vec<String>,
    /// The newer one is the files as they are.
    pub(crate) files: bool,
    /// What is staged or not has to do with it.
    pub(crate) uncommitted: bool,
}

impl Span {
    /// Arguments of `git diff`, with `--` at their end.
    pub(crate) fn args(&self) -> Vec<&str> {
        self.args.iter().map(String::as_str).chain(["--"]).collect()
    }

    /// Whether a file belongs to it, of those that are listed because they are not as the newest commit has them. `modes` are the
    /// paths that have another mode, or are on one side alone.
    pub(crate) fn shows(file: &ChangedFile, modes: &HashSet<String>) -> bool {
        file.added != Some(0)
            || file.removed != Some(0)
            || matches!(file.kind, ChangeKind::Untracked | ChangeKind::Conflicted | ChangeKind::Renamed)
            || modes.contains(&file.path)
    }
}

impl Checkout {
    /// What is meant, checked: every name in it leads to a commit.
    pub(crate) fn span(
        &self,
        between: &Between,
        base: Option<&str>,
        known: Option<&Ends>,
    ) -> ChangeResult<Span> {
        let files = |from: String| Span { args: vec![from], files: true, uncommitted: true };
        Ok(match between {
            Between::Base => match self.base(base)? {
                Some(base) => files(self.ends(&base, known)?.from),
                None => files(self.newest()?),
            },
            Between::Uncommitted => files(self.newest()?),
            Between::Staged => {
                Span { args: vec!["--cached".into(), self.newest()?], files: false, uncommitted: true }
            }
            // Of what is to be settled, against one's own side.
            Between::Unstaged => Span { args: vec!["--ours".into()], files: true, uncommitted: true },
            Between::Commit { id } => {
                let commit = self.checked(id)?;
                let parent = self.commit_of(&format!("{commit}^"))?.unwrap_or_else(|| self.empty_tree());
                Span { args: vec![parent, commit], ..Span::default() }
            }
            Between::Points { from, to } => {
                let mut args = vec![self.checked(from)?];
                if let Some(to) = to {
                    args.push(self.checked(to)?);
                }
                Span { args, files: to.is_none(), uncommitted: to.is_none() }
            }
        })
    }

    /// The newest commit, or nothing.
    pub(crate) fn newest(&self) -> ChangeResult<String> {
        let commit = match self.head_commit() {
            Some(commit) => Some(commit),
            None => self.commit_of("HEAD")?,
        };
        Ok(self.head_or_empty(&Head { branch: None, commit }))
    }

    /// A commit by its id, which somebody gave.
    pub(crate) fn checked(&self, id: &str) -> ChangeResult<String> {
        let commit = if is_id(id) { self.commit_of(id)? } else { None };
        commit.ok_or_else(|| {
            let shown: String = id.chars().take(80).collect();
            ChangeError::invalid(format!("there is no commit `{}`", shown.escape_debug()))
        })
    }
}
