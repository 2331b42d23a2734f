//! Requests about sessions that Belfry did not start.

use std::sync::Arc;

use belfry_protocol::reply::Screen;
use belfry_protocol::{Reply, WireError};

use super::{Answer, Outcome};
use crate::Daemon;
use crate::client::Client;
use crate::local::{self, tmux};

pub(super) async fn adopt(daemon: &Arc<Daemon>, target: &str) -> Outcome {
    let entry = local::adopt::target(daemon, target).await?;
    Ok(Reply::Session(Box::new(entry.session())))
}

/// The screen of a session that was found, where it can be read; `error` is why it is none of the list.
pub(super) fn screen(
    daemon: &Arc<Daemon>,
    client: &Client,
    wanted: &str,
    (ansi, scrollback): (bool, u32),
    (answer, error): (Answer, WireError),
) {
    let Some(session) = daemon.locals.find(wanted) else { return answer.give(Err(error)) };
    if let Err(error) = client.authority.reaches(session.id) {
        return answer.give(Err(error));
    }
    let Some(at) = session.local.as_ref().and_then(|local| local.pane()).cloned() else {
        return answer.give(Err(error));
    };
    tokio::spawn(async move { answer.give(read(&at, ansi, scrollback).await) });
}

async fn read(at: &belfry_protocol::local::TmuxPane, ansi: bool, scrollback: u32) -> Outcome {
    let gone = || WireError::new(belfry_protocol::ErrorCode::NotAlive, "its tmux pane is gone");
    let (state, _) = tmux::picture(at).await.ok_or_else(gone)?;
    let text = tmux::screen(at, ansi, scrollback.min(10_000)).await.map_err(|_| gone())?;
    let text = text.lines().map(str::trim_end).collect::<Vec<_>>().join("\n");
    Ok(Reply::Screen(Box::new(Screen {
        text,
        size: belfry_protocol::launch::Size { cols: state.cols, rows: state.rows },
        cursor_col: state.x.min(state.cols.saturating_sub(1)),
        cursor_row: state.y,
        cursor_visible: state.cursor,
        alternate: state.alternate,
        title: None,
        offset: 0,
    })))
}
