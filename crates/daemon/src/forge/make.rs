//! Making, refreshing and merging pull requests.

use std::sync::Arc;

use belfry_protocol::pull_request::{MergeHow, PullRequest, PullState};
use belfry_protocol::{ErrorCode, WireError};
use belfry_workspace::Stop;
use belfry_workspace::forge::{Depth, Found, New};

use super::place::{Place, no, refused};
use super::{Outcome, apart, note, reply};
use crate::{Daemon, clock};

/// Longest title, in characters, and text, in bytes, that GitHub takes; GitLab takes no shorter ones.
const LONGEST_TITLE: usize = 255;
const LONGEST_BODY: usize = 60_000;

/// What the person has said of it.
pub(super) struct Given {
    pub(super) title: String,
    pub(super) body: String,
    pub(super) base: Option<String>,
    pub(super) draft: bool,
}

pub(super) async fn create(daemon: &Arc<Daemon>, wanted: &str, given: Given) -> Outcome {
    let bad = |why: &str| WireError::new(ErrorCode::BadRequest, why);
    let title: String = given.title.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
    let title = title.trim().to_owned();
    if title.is_empty() || title.chars().count() > LONGEST_TITLE {
        return Err(bad("a pull request has a title, of at most 255 characters"));
    }
    if given.body.len() > LONGEST_BODY {
        return Err(WireError::new(ErrorCode::TooMuch, "a pull request's text has at most 60,000 bytes"));
    }
    if given.base.as_deref().is_some_and(|base| !is_branch(base)) {
        return Err(bad("that is no branch's name"));
    }
    let place = Place::of(daemon, wanted).await?;
    let refuse = |why: String| WireError::new(ErrorCode::Unsupported, why);
    let branch = place.survey.branch.clone().ok_or_else(|| refuse("no branch is checked out".to_owned()))?;
    if place.survey.remote.is_none() {
        return Err(refuse("the repository has no remote to push to".to_owned()));
    }
    let base = given.base.clone().or_else(|| place.survey.base.clone());
    if base.as_ref() == Some(&branch) {
        return Err(refuse(format!("{branch} is what it would go into"))
            .next("make a branch for the commits, and try again"));
    }
    if place.survey.commits.is_empty() && given.base.is_none() {
        return Err(refuse("the branch has no commits of its own".to_owned()).next("commit first"));
    }
    let checkout = place.checkout.clone();
    apart(move || checkout.push(false, &Stop::default())).await?.map_err(|error| refused(&error))?;
    let pushed = |error: WireError| error.kept("the branch is pushed");
    let (_, forge) = place.shared().map_err(pushed)?;
    let compare = forge.compare(base.as_deref().unwrap_or("main"), &branch);
    let by_hand = |error: WireError| {
        let error = pushed(error);
        // The page is a way on in any case, and the only one without a program.
        if error.code == ErrorCode::MissingProgram {
            error.next(format!("make it here: {compare}"))
        } else {
            error
        }
    };
    let Some(tool) = forge.tool() else {
        let error = WireError::new(ErrorCode::MissingProgram, "no program speaks with this forge");
        return Err(by_hand(error));
    };
    if place.tools.find(tool).is_none() {
        let error = WireError::new(ErrorCode::MissingProgram, format!("`{tool}` is not on this machine"));
        return Err(by_hand(error));
    }
    let tools = place.tools.clone();
    let made = apart(move || {
        let looked = forge.look(&tools, std::slice::from_ref(&branch), Depth::Full, clock::wall())?;
        let open = |found: &Found| matches!(found.pull.state, PullState::Open | PullState::Draft);
        if let Some(found) = looked.found.into_iter().flatten().find(open) {
            return Ok(found);
        }
        let base = base.or(looked.default_branch).unwrap_or_else(|| "main".to_owned());
        let new = New { head: &branch, base: &base, title: &title, body: &given.body, draft: given.draft };
        let pull = forge.create(&tools, looked.parent.as_deref(), new, clock::wall())?;
        Ok(Found { pull, ended_at: None })
    });
    let found = made.await?.map_err(|error| by_hand(no(&error)))?;
    let pull = found.pull.clone();
    note(daemon, &place.entry, Some(found), true);
    daemon.forges.pushed(place.entry.id);
    Ok(reply(pull))
}

/// As git allows it, and as no program takes it for something else.
fn is_branch(name: &str) -> bool {
    let bad = |c: char| c.is_control() || matches!(c, ' ' | '~' | '^' | ':' | '?' | '*' | '[' | '\\');
    !name.is_empty()
        && name.len() <= 250
        && !name.starts_with(['-', '/'])
        && !name.contains("..")
        && !name.contains(bad)
}

/// Asks the forge, and gives what it has.
pub(super) async fn refresh(daemon: &Arc<Daemon>, wanted: &str) -> Result<PullRequest, WireError> {
    let place = Place::of(daemon, wanted).await?;
    look(daemon, &place).await
}

async fn look(daemon: &Arc<Daemon>, place: &Place) -> Result<PullRequest, WireError> {
    let (branch, forge) = place.shared()?;
    let (tools, of) = (place.tools.clone(), branch.clone());
    let looked = apart(move || forge.look(&tools, &[of], Depth::Full, clock::wall())).await?;
    let looked = looked.map_err(|error| no(&error))?;
    let found = looked.found.into_iter().next().flatten();
    note(daemon, &place.entry, found.clone(), true);
    let known = place.entry.record().pull_request.as_deref().map(|pull| pull.number);
    let none = || {
        WireError::new(ErrorCode::NotFound, format!("the branch {branch} has no pull request"))
            .next("`belfry pr create SESSION` makes one")
    };
    found.map(|found| found.pull).filter(|pull| known == Some(pull.number)).ok_or_else(none)
}

pub(super) async fn merge(daemon: &Arc<Daemon>, wanted: &str, how: MergeHow) -> Outcome {
    let place = Place::of(daemon, wanted).await?;
    let pull = look(daemon, &place).await?;
    let refuse = |why: &str| {
        Err(WireError::new(ErrorCode::Unsupported, format!("pull request #{} {why}", pull.number)))
    };
    match pull.state {
        PullState::Open => {}
        PullState::Draft => return refuse("is a draft; mark it as ready on its page first"),
        PullState::Merged => return refuse("is merged already"),
        PullState::Closed => return refuse("is closed"),
    }
    let (_, forge) = place.shared()?;
    let (tools, of) = (place.tools.clone(), pull.clone());
    apart(move || forge.merge(&tools, &of, how)).await?.map_err(|error| no(&error))?;
    // A queue may merge it later; the forge says how it stands.
    let after = look(daemon, &place).await.unwrap_or(pull);
    if after.state == PullState::Merged && place.entry.record().workspace_id.is_some() {
        let notice = format!("Pull request #{} is merged: its workspace can be removed.", after.number);
        daemon.change(&place.entry, |session| session.notice = Some(notice));
        daemon.save_soon(&place.entry);
    }
    Ok(reply(after))
}
