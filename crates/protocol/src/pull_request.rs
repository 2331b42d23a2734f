//! Pull requests (merge requests, where GitLab is meant) of sessions.

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

/// A pull request, as it was when it was last asked for.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct PullRequest {
    /// Its number.
    #[cfg_attr(feature = "ts", ts(type = "number"))]
    pub number: u64,
    /// Its address; https always.
    pub url: String,
    /// Its title.
    pub title: String,
    /// How far it is.
    pub state: PullState,
    /// The branch that it is to go into.
    pub base: String,
    /// Checks that passed.
    pub checks_passed: u32,
    /// Checks that run or wait.
    pub checks_pending: u32,
    /// Checks that failed.
    pub failed: Vec<FailedCheck>,
    /// What reviewers decided.
    pub review: Option<Review>,
    /// Comments of reviewers that are not settled, oldest first; at most 100.
    pub comments: Vec<ReviewComment>,
    /// It can be merged, as far as the forge knows.
    pub mergeable: Option<bool>,
    /// When the forge was asked.
    #[cfg_attr(feature = "ts", ts(type = "string"))]
    pub fetched_at: Timestamp,
}

/// How far a pull request is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum PullState {
    /// It is a draft.
    Draft,
    /// It is open.
    Open,
    /// It was merged.
    Merged,
    /// It was closed and not merged.
    Closed,
}

/// What reviewers decided.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum Review {
    /// It needs one.
    Required,
    /// Somebody approved.
    Approved,
    /// Somebody wants changes.
    ChangesRequested,
}

/// A check that failed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct FailedCheck {
    /// Its name.
    pub name: String,
    /// Where it tells more.
    pub url: Option<String>,
}

/// What a reviewer wrote.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct ReviewComment {
    /// Who.
    pub author: String,
    /// At which file.
    pub path: Option<String>,
    /// At which line of it.
    pub line: Option<u32>,
    /// What; at most 4,000 characters.
    pub text: String,
}

/// What a pull request would begin with, for the person to edit.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct PullDraft {
    /// From the conversation, else from the commits.
    pub title: String,
    /// In Markdown.
    pub body: String,
    /// Where it is to go.
    pub base: String,
    /// The branch that is pushed.
    pub head: String,
    /// The program that makes it: `gh` or `glab`; none where neither is installed and logged in for this remote.
    pub by: Option<String>,
    /// The page on which the person can make it by hand, where the remote is one whose pages are known.
    pub compare: Option<String>,
    /// What stands in the way, in one sentence: no commits, no remote, not logged in.
    pub problem: Option<String>,
    /// Files that are not committed and would not be in it.
    pub uncommitted: u32,
}

/// How a pull request is merged.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum MergeHow {
    /// By a merge commit.
    Merge,
    /// As one commit.
    Squash,
    /// Its commits on top.
    Rebase,
}

/// What of a pull request is sent to the agent.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum Findings {
    /// The failed checks, with the end of their logs.
    Checks,
    /// The reviewers' comments.
    Comments,
}

/// Requests about a session's pull request.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[serde(tag = "do", rename_all = "snake_case")]
pub enum PullRequestRequest {
    /// What one would begin with. Answered by [`crate::Reply::PullDraft`].
    Draft {
        /// Which.
        session: String,
    },
    /// Pushes the branch and makes one. Answered by [`crate::Reply::PullRequest`].
    Create {
        /// Which.
        session: String,
        /// Its title.
        title: String,
        /// Its text.
        body: String,
        /// Where it is to go; none: as drafted.
        #[serde(default)]
        base: Option<String>,
        /// As a draft.
        #[serde(default)]
        draft: bool,
    },
    /// Asks the forge again. Answered by [`crate::Reply::PullRequest`].
    Refresh {
        /// Which.
        session: String,
    },
    /// Merges it. Answered by [`crate::Reply::PullRequest`].
    Merge {
        /// Which.
        session: String,
        /// How.
        how: MergeHow,
    },
    /// Sends what was found to the agent as a message. Answered by [`crate::Reply::Message`].
    SendFindings {
        /// Which.
        session: String,
        /// What.
        what: Findings,
    },
}
