//! What sessions take of the machine: measured when somebody asks, and never by itself.

use std::sync::Arc;

use belfry_platform::process::{self, Identity};
use belfry_protocol::figures::{Figures, SessionFigures};
use belfry_protocol::{Session, SessionId};

use crate::Daemon;

/// Of these sessions, or of all; those that do not live are left out.
pub(crate) async fn of_sessions(daemon: &Arc<Daemon>, which: Option<&[SessionId]>) -> Figures {
    let wanted = |session: &Session| session.alive() && which.is_none_or(|which| which.contains(&session.id));
    let mut sessions: Vec<Session> = daemon.entries().iter().map(|entry| entry.session()).collect();
    sessions.extend(daemon.locals.sessions());
    sessions.retain(wanted);
    let keepers: Vec<u32> = sessions.iter().filter_map(keeper).collect();
    let measured = tokio::task::spawn_blocking(move || {
        let of = |session: &Session| {
            // What an adopted session looks at runs in a pane of tmux, and its keeper's program only carries it.
            let roots = [keeper(session), session.pid].into_iter().flatten();
            let roots: Vec<Identity> = roots.filter_map(Identity::of).collect();
            // A daemon that was started in a session has its own processes below that one's keeper.
            let others = keepers.iter().copied().filter(|pid| Some(*pid) != keeper(session));
            let others: Vec<u32> = others.chain([std::process::id()]).collect();
            let of = process::of_trees(&roots, &others);
            (of.processes > 0).then_some(SessionFigures {
                id: session.id,
                processes: of.processes,
                memory: of.memory,
                estimated: of.estimated,
                cpu_ms: of.cpu_ms,
            })
        };
        sessions.iter().filter_map(of).collect()
    });
    let sessions = measured.await.unwrap_or_default();
    Figures { at_ms: crate::clock::monotonic_micros() / 1000, sessions }
}

fn keeper(session: &Session) -> Option<u32> {
    session.runs.first().and_then(|run| run.keeper_pid)
}
