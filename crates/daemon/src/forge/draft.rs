//! What a pull request would begin with.

use std::sync::Arc;

use belfry_protocol::pull_request::{PullDraft, PullState};
use belfry_protocol::transcript::{Entry as Line, Said};
use belfry_protocol::{Reply, WireError};
use belfry_transcripts::{Found, Which, page};
use belfry_workspace::forge::{Asked, Depth, ForgeError, Looked, drafted};

use super::place::Place;
use super::{Outcome, apart, note};
use crate::session::Entry;
use crate::{Daemon, clock};

/// Entries at a conversation's beginning and end in which its first prompt and last answer are looked for.
const FIRST: usize = 30;
const LAST: usize = 80;

pub(super) async fn draft(daemon: &Arc<Daemon>, wanted: &str) -> Outcome {
    let place = Place::of(daemon, wanted).await?;
    let (prompt, answer) = said(daemon, &place.entry).await;
    let survey = place.survey.clone();
    let looked = look(&place).await?;
    let mut draft = PullDraft { uncommitted: survey.uncommitted, ..PullDraft::default() };
    let default = looked.as_ref().and_then(|looked| looked.as_ref().ok()?.default_branch.clone());
    draft.base = survey.base.clone().or(default).unwrap_or_else(|| "main".to_owned());
    draft.head = survey.branch.clone().unwrap_or_default();
    let asked =
        Asked { prompt, answer, commits: survey.commits, files: survey.files, branch: draft.head.clone() };
    (draft.title, draft.body) = drafted(&asked);
    let open = match &looked {
        Some(Ok(looked)) => looked.found.first().cloned().flatten(),
        _ => None,
    };
    draft.problem = if survey.branch.is_none() {
        Some("No branch is checked out.".to_owned())
    } else if survey.remote.is_none() {
        Some("The repository has no remote to push to.".to_owned())
    } else if draft.head == draft.base {
        Some(format!("{} is what it would go into; commit on a branch of its own.", draft.head))
    } else if asked.commits.is_empty() {
        Some(format!("The branch has no commits that {} has not.", draft.base))
    } else if let Some(open) = open.filter(|it| matches!(it.pull.state, PullState::Open | PullState::Draft)) {
        Some(format!("Pull request #{} is open already.", open.pull.number))
    } else {
        None
    };
    if let Some(forge) = &place.forge {
        draft.compare = Some(forge.compare(&draft.base, &draft.head));
        draft.by = forge.tool().filter(|tool| place.tools.find(*tool).is_some()).map(|tool| tool.to_string());
    }
    match looked {
        Some(Ok(looked)) => note(daemon, &place.entry, looked.found.into_iter().next().flatten(), false),
        Some(Err(ForgeError::Missing(_) | ForgeError::NoProgram)) | None => {}
        Some(Err(error)) => {
            if matches!(error, ForgeError::LoggedOut { .. }) {
                draft.by = None;
            }
            let next = error.next().map(|next| format!(": {next}")).unwrap_or_default();
            draft.problem.get_or_insert_with(|| format!("{}{next}.", sentence(&error.to_string())));
        }
    }
    Ok(Reply::PullDraft(Box::new(draft)))
}

/// What the forge has of the branch; none where there is no forge.
async fn look(place: &Place) -> Result<Option<Result<Looked, ForgeError>>, WireError> {
    let (Some(forge), Some(branch)) = (place.forge.clone(), place.survey.branch.clone()) else {
        return Ok(None);
    };
    let tools = place.tools.clone();
    apart(move || Some(forge.look(&tools, &[branch], Depth::Row, clock::wall()))).await
}

fn sentence(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map(|first| first.to_uppercase().chain(letters).collect()).unwrap_or_default()
}

/// The first thing that was asked, and the last answer.
async fn said(daemon: &Arc<Daemon>, entry: &Entry) -> (Option<String>, Option<String>) {
    let asked = daemon.asked_prompt(entry);
    let (agent, id) = {
        let record = entry.record();
        (record.agent.clone(), record.conversation_id.clone())
    };
    let agents = daemon.agents();
    let found = match (agents.get(&agent), id) {
        (Some(agent), Some(id)) => crate::conversations::transcript_of(daemon, agent, &id).await,
        _ => None,
    };
    let Some(found) = found else { return (asked, None) };
    let read = apart(move || (first_prompt(&found), last_answer(&found))).await;
    let (prompt, answer) = read.unwrap_or_default();
    (asked.or(prompt), answer)
}

fn first_prompt(found: &Found) -> Option<String> {
    let page = page(found, Which::From(0), FIRST).ok()?;
    page.entries.into_iter().filter(is_its_own).find_map(|line| match line.said {
        Said::Prompt(text) => Some(text.text),
        _ => None,
    })
}

fn last_answer(found: &Found) -> Option<String> {
    let page = page(found, Which::Last, LAST).ok()?;
    page.entries.into_iter().rev().filter(is_its_own).find_map(|line| match line.said {
        Said::Answer(text) => Some(text.text),
        _ => None,
    })
}

/// Not a subagent's.
fn is_its_own(line: &Line) -> bool {
    line.subagent.is_none()
}
