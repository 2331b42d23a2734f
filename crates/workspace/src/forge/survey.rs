//! What of a working tree matters to a pull request.

use crate::changes::{ChangeResult, Checkout};
use crate::read::small_text;

/// What a branch has for a pull request.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Survey {
    /// The branch; none where the head is detached.
    pub branch: Option<String>,
    /// The remote that it is pushed to.
    pub remote: Option<String>,
    /// Its address, without credentials.
    pub address: Option<String>,
    /// The branch of that remote that it is to go into, by its name there.
    pub base: Option<String>,
    /// Subjects of the commits that the base has not, oldest first; at most 200.
    pub commits: Vec<String>,
    /// Files that those change, with lines; none for binary ones.
    pub files: Vec<(String, Option<(u64, u64)>)>,
    /// Files that are changed and not committed.
    pub uncommitted: u32,
}

/// Most files that are read from git's list.
const MOST_FILES: usize = 5000;

impl Survey {
    /// Looks at a working tree. `base` is what its branch was made from, where that is known. Blocks.
    pub fn of(checkout: &Checkout, base: Option<&str>) -> ChangeResult<Self> {
        let status = checkout.status(&[])?;
        let branch = status.head.branch.clone();
        let upstream = checkout.upstream(branch.as_deref())?;
        let mut survey = Self {
            branch,
            remote: upstream.remote,
            address: upstream.address,
            uncommitted: u32::try_from(status.entries().count()).unwrap_or(u32::MAX),
            ..Self::default()
        };
        let Some(base) = checkout.base(base)? else { return Ok(survey) };
        let full = base.full.as_deref();
        let of_remote = survey.remote.as_ref().and_then(|remote| {
            full?.strip_prefix("refs/remotes/")?.strip_prefix(remote.as_str())?.strip_prefix('/')
        });
        survey.base = of_remote.or_else(|| full?.strip_prefix("refs/heads/")).map(str::to_owned);
        if status.head.commit.is_none() {
            return Ok(survey);
        }
        survey.commits = checkout.commits(Some(&base))?.into_iter().rev().map(|it| it.subject).collect();
        let span = format!("{}...HEAD", base.commit);
        let list = checkout
            .read()
            .args(["diff", "--no-ext-diff", "--no-textconv", "--no-renames", "--numstat", "-z", &span, "--"])
            .text()?;
        survey.files = list.split('\0').filter_map(file).take(MOST_FILES).collect();
        Ok(survey)
    }
}

/// `12<TAB>3<TAB>path`, with `-` for the lines of a binary file.
fn file(line: &str) -> Option<(String, Option<(u64, u64)>)> {
    let mut parts = line.splitn(3, '\t');
    let (added, removed, path) = (parts.next()?, parts.next()?, parts.next()?);
    let lines = added.parse().ok().zip(removed.parse().ok());
    Some((path.to_owned(), lines))
}

impl Checkout {
    /// The remote that has a branch of that name, as far as files tell: git is not run. None for the remote's default branch,
    /// which is not what pull requests are made of.
    pub fn pushed_to(&self, branch: &str) -> Option<String> {
        self.remotes_with_refs().into_iter().find(|remote| {
            let of = format!("refs/remotes/{remote}/{branch}");
            let head = small_text(&self.common_dir().join("refs/remotes").join(remote).join("HEAD"));
            let default = head.is_some_and(|head| head.trim_end().strip_prefix("ref: ") == Some(of.as_str()));
            !default && self.resolve(&of).is_some()
        })
    }

    /// A remote's address, without credentials. Blocks.
    pub fn address_of(&self, remote: &str) -> Option<String> {
        let address = self.read().args(["remote", "get-url", "--push", "--end-of-options", remote]).text();
        address.ok().map(|address| crate::git::without_credentials(&address))
    }
}
