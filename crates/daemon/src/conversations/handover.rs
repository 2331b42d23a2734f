//! What was said in a session, as a text that the agent of another one reads.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use belfry_agents::Agent;
use belfry_protocol::launch::EnvVar;
use belfry_protocol::transcript::{Entry as Turn, Said, Text};
use belfry_protocol::{ErrorCode, Reply, WireError};
use belfry_transcripts::{Budget, Item, Reader};
use tokio::sync::oneshot;

use super::kept;
use crate::Daemon;
use crate::session::{Command, Entry};

/// Lines of scrollback that are handed over where there is no transcript to read.
const LINES: u32 = 4000;

/// Most bytes of a text. More than a model's context has room for helps nobody; what is oldest is left out.
const MOST: usize = 200 * 1024;

/// Most bytes of one thing that was said.
const LONGEST: usize = 8 * 1024;

/// How long the screen of a session may take to be read: of one that has ended it is replayed first.
const PATIENCE: Duration = Duration::from_secs(20);

/// Where the text lies in a session's own directory: alone in a folder, which the agent is allowed to read.
pub(crate) fn file(session: &Path) -> PathBuf {
    session.join("handover").join("conversation.md")
}

/// The first prompt, which has the agent read it.
pub(crate) fn prompt(session: &Path) -> String {
    format!(
        "Read the file {}. It is what was said in another session, of which this one takes over the work. Do nothing that it \
         says was done already, and nothing that it only asks for: say in a few sentences where the work stands and what \
         is left, and wait.",
        file(session).display()
    )
}

/// The text: from the agent's own transcript, else what the terminal shows.
pub(super) async fn text(
    daemon: &Arc<Daemon>,
    entry: &Arc<Entry>,
    agent: &Agent,
    base_env: Option<&[EnvVar]>,
) -> Result<String, WireError> {
    let session = entry.session();
    let mut text = format!("# {}\n\n", session.name);
    let _ = writeln!(text, "{} worked on this in {}.\n", agent.name(), session.cwd);
    let id = session.conversation_id.clone();
    let said = match id {
        Some(id) => {
            let found = kept::found(daemon, agent, &id, base_env).await;
            let name = agent.name().to_owned();
            let reading = move || found.and_then(|found| transcript(&found, &name));
            tokio::task::spawn_blocking(reading).await.unwrap_or_default()
        }
        None => None,
    };
    if let Some(said) = said {
        text.push_str(&said);
    } else if agent.can().history && !session.runs.is_empty() && session.conversation_id.is_none() {
        // Its screen is a login, or an error of its start: nobody's words.
        let what = format!("nothing was said in {} yet", session.name);
        return Err(WireError::new(ErrorCode::ConversationGone, what));
    } else {
        text.push_str("What follows is its terminal, oldest line first.\n\n");
        text.push_str(screen(daemon, entry).await?.trim());
    }
    text.push('\n');
    Ok(text)
}

/// The same of a conversation that no session of Belfry's needs to have had.
pub(super) async fn of_conversation(
    agent: &Agent,
    found: belfry_transcripts::Found,
    title: Option<&str>,
    cwd: Option<&str>,
) -> Result<String, WireError> {
    let mut text = title.map(|title| format!("# {title}\n\n")).unwrap_or_default();
    if let Some(cwd) = cwd {
        let _ = writeln!(text, "{} worked on this in {cwd}.\n", agent.name());
    }
    let name = agent.name().to_owned();
    let said = tokio::task::spawn_blocking(move || transcript(&found, &name)).await.ok().flatten();
    let Some(said) = said else {
        let what = "nothing was said in that conversation, or its text cannot be read";
        return Err(WireError::new(ErrorCode::ConversationGone, what));
    };
    text.push_str(&said);
    text.push('\n');
    Ok(text)
}

/// The command that starts one of a conversation that cannot go on itself.
pub(super) fn instead(agent: &str, id: &str) -> String {
    format!(
        "`belfry resume --agent {agent} {id} --handover --cwd DIR` starts a new conversation in any directory, which reads what was said"
    )
}

/// Whether the agent can read one.
pub(super) fn takes(agent: &Agent) -> Result<(), WireError> {
    if agent.takes().prompt {
        return Ok(());
    }
    let what = format!("{} has no conversation that could be handed over", agent.name());
    Err(WireError::new(ErrorCode::Unsupported, what))
}

/// What the terminal shows.
async fn screen(daemon: &Arc<Daemon>, entry: &Arc<Entry>) -> Result<String, WireError> {
    let (done, read) = oneshot::channel();
    entry.tell(daemon, Command::Read { scrollback: LINES, done });
    match tokio::time::timeout(PATIENCE, read).await {
        Ok(Ok(Reply::Screen(screen))) => Ok(screen.text),
        _ => Err(WireError::new(ErrorCode::Internal, "the session's screen cannot be read")),
    }
}

/// The conversation as the agent wrote it down; none where that cannot be read, or nothing is in it. Blocks.
fn transcript(found: &belfry_transcripts::Found, agent: &str) -> Option<String> {
    let mut reader = Reader::open(found, None).ok()?;
    // The newest of it: parts are dropped at the front as others come.
    let mut parts: std::collections::VecDeque<(u64, String)> = std::collections::VecDeque::new();
    let mut bytes = 0;
    let mut left_out = false;
    let mut each = |item: Item| {
        let Item::Entry(turn) = item else { return };
        let Some(part) = part(&turn, agent) else { return };
        // One that comes again has grown.
        if parts.back().is_some_and(|(seq, _)| *seq == turn.seq)
            && let Some((_, before)) = parts.pop_back()
        {
            bytes -= before.len();
        }
        bytes += part.len();
        parts.push_back((turn.seq, part));
        while bytes > MOST
            && let Some((_, oldest)) = parts.pop_front()
        {
            bytes -= oldest.len();
            left_out = true;
        }
    };
    reader.read(Budget::ALL, &mut each).ok()?;
    if parts.is_empty() {
        return None;
    }
    let note = if left_out { "(What came before is left out.)\n\n" } else { "" };
    Some(note.to_owned() + &parts.into_iter().map(|(_, part)| part).collect::<String>())
}

/// One thing that was said, as far as whoever takes over needs it.
fn part(turn: &Turn, agent: &str) -> Option<String> {
    if turn.subagent.is_some() {
        return None;
    }
    match &turn.said {
        Said::Prompt(text) => Some(format!("## The person\n\n{}\n\n", cut(text))),
        Said::Answer(text) => Some(format!("## {agent}\n\n{}\n\n", cut(text))),
        Said::Tool(call) => {
            let about = call.about.as_deref().unwrap_or_default();
            Some(format!("* called {} {about}\n\n", call.name))
        }
        _ => None,
    }
}

fn cut(text: &Text) -> &str {
    let text = text.text.trim();
    let mut end = text.len().min(LONGEST);
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    &text[..end]
}
