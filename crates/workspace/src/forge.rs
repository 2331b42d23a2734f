//! The places that repositories are shared at, and their pull requests: by the forge's own command line (`gh`, `glab`), which
//! has the person's login, else by its web pages.
//!
//! What a forge says is taken for hostile: texts are cut and cleaned, addresses must be the forge's own, and nothing that comes
//! from it is ever an argument that a program could take for an option. Texts of the person's go to the programs by their
//! standard input, since every user of the machine can read arguments.

mod draft;
mod error;
mod findings;
mod github;
mod gitlab;
mod pages;
mod read;
mod remote;
mod survey;
mod tool;

use belfry_protocol::pull_request::{MergeHow, PullRequest};
use jiff::Timestamp;

pub use draft::{Asked, drafted};
pub use error::ForgeError;
pub use findings::{Log, checks as checks_message, comments as comments_message};
pub use remote::Remote;
pub use survey::Survey;
pub use tool::{Tool, Tools};

/// Which kind of forge, as far as pages and programs differ.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Kind {
    /// github.com and GitHub Enterprise.
    GitHub,
    /// gitlab.com and GitLab elsewhere.
    GitLab,
    /// bitbucket.org.
    Bitbucket,
    /// Codeberg, and Gitea or Forgejo elsewhere.
    Gitea,
}

/// A repository at a forge.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Forge {
    /// Its kind.
    pub kind: Kind,
    /// The host of its pages, with a port where that is not the usual one.
    pub host: String,
    /// Its path there: `owner/name`, at GitLab with groups between.
    pub path: String,
}

/// What a branch has at a forge.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Found {
    /// Its pull request.
    pub pull: PullRequest,
    /// When that was merged or closed.
    pub ended_at: Option<Timestamp>,
}

/// What a forge said of a repository.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Looked {
    /// For each branch that was asked for, in that order.
    pub found: Vec<Option<Found>>,
    /// The branch that pull requests go into.
    pub default_branch: Option<String>,
    /// The repository that this one is a fork of, by its path.
    pub parent: Option<String>,
}

/// How much is asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Depth {
    /// State, checks and decision: what a row shows.
    Row,
    /// Reviewers' comments too.
    Full,
}

/// A pull request to be made.
#[derive(Clone, Copy, Debug)]
pub struct New<'a> {
    /// The branch that has been pushed.
    pub head: &'a str,
    /// Where it is to go.
    pub base: &'a str,
    /// Its title.
    pub title: &'a str,
    /// Its text.
    pub body: &'a str,
    /// As a draft.
    pub draft: bool,
}

impl Forge {
    /// The forge of a remote's address, where it can be told by its host; `elsewhere` is asked for hosts that are no forge's own,
    /// and may ask programs where the person is logged in.
    pub fn of(address: &str, elsewhere: impl FnOnce(&str) -> Option<Kind>) -> Option<Self> {
        let Remote { host, path } = Remote::read(address)?;
        let kind = pages::kind(&host).or_else(|| elsewhere(&host))?;
        let parts = path.split('/').count();
        let fits = if kind == Kind::GitLab { parts >= 2 } else { parts == 2 };
        fits.then_some(Self { kind, host, path })
    }

    /// The program that speaks with it.
    pub fn tool(&self) -> Option<Tool> {
        match self.kind {
            Kind::GitHub => Some(Tool::Gh),
            Kind::GitLab => Some(Tool::Glab),
            Kind::Bitbucket | Kind::Gitea => None,
        }
    }

    /// The page on which the person makes a pull request by hand.
    pub fn compare(&self, base: &str, head: &str) -> String {
        pages::compare(self, base, head)
    }

    fn owner(&self) -> &str {
        self.path.split('/').next().unwrap_or_default()
    }

    /// The pull requests of branches; one call for up to 25 of them. Blocks.
    pub fn look(
        &self,
        tools: &Tools,
        branches: &[String],
        depth: Depth,
        now: Timestamp,
    ) -> Result<Looked, ForgeError> {
        let mut all = Looked::default();
        // None of them: only what is known of the repository.
        let empty: &[String] = &[];
        for some in branches.chunks(25).chain(branches.is_empty().then_some(empty)) {
            let looked = match self.kind {
                Kind::GitHub => github::look(self, tools, some, depth, now)?,
                Kind::GitLab => gitlab::look(self, tools, some, depth, now)?,
                Kind::Bitbucket | Kind::Gitea => return Err(ForgeError::NoProgram),
            };
            all.found.extend(looked.found);
            (all.default_branch, all.parent) = (looked.default_branch, looked.parent);
        }
        Ok(all)
    }

    /// Makes a pull request, in the repository that this one is a fork of where it is one. Blocks.
    pub fn create(
        &self,
        tools: &Tools,
        parent: Option<&str>,
        new: New<'_>,
        now: Timestamp,
    ) -> Result<PullRequest, ForgeError> {
        match self.kind {
            Kind::GitHub => github::create(self, tools, parent, new, now),
            Kind::GitLab => gitlab::create(self, tools, new, now),
            Kind::Bitbucket | Kind::Gitea => Err(ForgeError::NoProgram),
        }
    }

    /// Merges a pull request. Blocks.
    pub fn merge(&self, tools: &Tools, pull: &PullRequest, how: MergeHow) -> Result<(), ForgeError> {
        match self.kind {
            Kind::GitHub => github::merge(self, tools, &pull.url, how),
            Kind::GitLab => gitlab::merge(self, tools, &pull.url, how),
            Kind::Bitbucket | Kind::Gitea => Err(ForgeError::NoProgram),
        }
    }

    /// The end of a failed check's log, where the forge's own machines ran it; none for checks of others. Blocks.
    pub fn log(&self, tools: &Tools, check: &str) -> Option<Result<String, ForgeError>> {
        match self.kind {
            Kind::GitHub => github::log(self, tools, check),
            Kind::GitLab => gitlab::log(self, tools, check),
            Kind::Bitbucket | Kind::Gitea => None,
        }
    }
}

#[cfg(test)]
mod tests;
