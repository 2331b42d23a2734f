//! Whether a conversation goes on anywhere on this machine.

use std::sync::Arc;
use std::time::Duration;

use belfry_protocol::session::Kind;
use belfry_protocol::transcript::Live;
use belfry_protocol::{ErrorCode, Session, SessionId, WireError};

use crate::Daemon;

/// How often, and how long apart, a process that still holds the conversation of a session which has just ended is looked at:
/// what an agent has started ends a moment after it.
const LOOKS: u32 = 15;

/// See [`LOOKS`].
const APART: Duration = Duration::from_millis(100);

/// A session has just ended if it did within so many seconds.
const JUST_ENDED: i64 = 10;

/// Where a conversation goes on just now, in a session or in any process of this user; none where nothing is known to run it.
/// `own` is the session that is about to go on with it, which does not count.
pub(crate) async fn live_anywhere(
    daemon: &Arc<Daemon>,
    agent: &str,
    id: &str,
    own: Option<SessionId>,
) -> Option<Live> {
    if let Some(live) = in_session(daemon, agent, id, own) {
        return Some(live);
    }
    let mut found = in_process(daemon, agent, id).await;
    let ended = own.and_then(|own| daemon.get(own)).map(|entry| entry.record().since);
    let just = ended.is_some_and(|at| crate::clock::wall().duration_since(at).as_secs() < JUST_ENDED);
    for _ in 0..if just { LOOKS } else { 0 } {
        if found.is_none() {
            break;
        }
        tokio::time::sleep(APART).await;
        found = in_process(daemon, agent, id).await;
    }
    found
}

fn in_session(daemon: &Daemon, agent: &str, id: &str, own: Option<SessionId>) -> Option<Live> {
    daemon.entries().into_iter().find_map(|entry| {
        let session = entry.record();
        let is = session.agent == agent
            && session.conversation_id.as_deref() == Some(id)
            && own != Some(session.id);
        if is { live_in(&session) } else { None }
    })
}

/// What a session's conversation goes on in, where it does.
pub(crate) fn live_in(session: &Session) -> Option<Live> {
    let pid = session.pid.unwrap_or_default();
    match &session.local {
        _ if !session.alive() => None,
        Some(local) if session.kind == Kind::Local => {
            Some(Live { pid, place: local.place.clone(), session: None })
        }
        _ => Some(Live { pid, place: session.name.clone(), session: Some(session.id) }),
    }
}

/// In a process that Belfry did not start, or started as something else: an agent that was started by hand in a shell's session.
#[cfg(target_os = "linux")]
async fn in_process(daemon: &Arc<Daemon>, agent: &str, id: &str) -> Option<Live> {
    use super::holders::{Holder, holder};
    let (agents, home) = (daemon.agents(), daemon.person_home.clone());
    let (agent, id) = (agent.to_owned(), id.to_owned());
    let looking = tokio::task::spawn_blocking(move || holder(&agents, &home, &agent, &id));
    let Holder { process, terminal } = looking.await.ok().flatten()?;
    let chain = belfry_platform::process::ancestry(process.pid).unwrap_or_default();
    let keepers = daemon.keepers(&chain);
    let inside =
        keepers.into_iter().filter(|keeper| keeper.alive).find_map(|keeper| daemon.get(keeper.session));
    if let Some(entry) = inside {
        let session = entry.record();
        return Some(Live { pid: process.pid, place: session.name.clone(), session: Some(session.id) });
    }
    let place = match terminal {
        Some(terminal) => format!("another terminal ({terminal})"),
        None => "a process without a terminal".to_owned(),
    };
    Some(Live { pid: process.pid, place, session: None })
}

/// Plan for macOS: `proc_listallpids`, `KERN_PROCARGS2` and `proc_pidinfo(PROC_PIDLISTFDS)` tell the same. Plan for Windows:
/// the process list with command lines, and Claude Code's own list.
#[cfg(not(target_os = "linux"))]
#[expect(clippy::unused_async, reason = "as on Linux")]
async fn in_process(_: &Arc<Daemon>, _: &str, _: &str) -> Option<Live> {
    None
}

/// The refusal to have it in two places.
pub(super) fn is_live(live: &Live) -> WireError {
    let refused = |what: String| WireError::new(ErrorCode::ConversationLive, what);
    if let Some(session) = live.session {
        let what = format!("the conversation goes on in the session {}", live.place);
        return refused(what).next(format!("`belfry attach {session}` shows it"));
    }
    refused(format!("the conversation goes on in {}, process {}", live.place, live.pid))
        .next("go on there, or end it there and resume it then")
}
