//! Recordings that are played again: what a terminal showed at any moment, and what it printed from there on.
//!
//! A moment is found by feeding the run's journal into a terminal of our own, so that a player gets a picture of it and then
//! output from which everything is gone that only a real terminal may be asked, as a view does. Each client's last place is
//! kept with its terminal: reading on costs no more than what is read.

mod keyframes;
mod read;
mod survey;

use std::path::PathBuf;
use std::sync::Arc;

use belfry_journal::JournalError;
use belfry_protocol::history::Happened;
use belfry_protocol::recording::{MarkKind, Recording};
use belfry_protocol::{ErrorCode, Reply, RunId, Status, StreamId, WireError};

use crate::Daemon;
use crate::client::{Answer, Client};
use crate::export::{self, Outcome};
use crate::session::Entry;

pub(crate) use self::read::Playhead;
use self::survey::{Clock, Moment, Surveyed};

/// Most output of one piece, in bytes.
const MOST: u32 = 4 * 1024 * 1024;

/// What happened to a session that is looked at for marks.
const HAPPENINGS: u32 = belfry_store::HISTORY_KEPT;

/// The journal of each run that is kept, oldest first.
type Journals = Vec<(RunId, PathBuf)>;

/// What there is of a session to be played again.
pub(crate) async fn show(daemon: &Arc<Daemon>, client: &Client, wanted: &str) -> Outcome {
    let entry = daemon.find(wanted)?;
    let Surveyed { recording, clocks } = survey(daemon, &entry).await?;
    let mut playhead = client.playhead.lock();
    // What comes next is that it is read. One whose clock is another goes: the journal's oldest part was dropped since.
    if !playhead
        .as_ref()
        .is_some_and(|known| known.is_of(entry.id, entry.newest_run()) && known.clocks() == clocks.as_slice())
    {
        *playhead = Some(place(daemon, &entry, &recording, clocks));
    }
    Ok(Reply::Recording(Box::new(recording)))
}

fn place(daemon: &Daemon, entry: &Entry, recording: &Recording, clocks: Vec<Clock>) -> Playhead {
    let runs = recording.runs.clone();
    Playhead::new(entry.id, (runs, clocks), journals(daemon, entry), daemon.terminal_options())
}

async fn survey(daemon: &Arc<Daemon>, entry: &Arc<Entry>) -> Result<Surveyed, WireError> {
    let moments = moments(daemon, entry).await?;
    let journals = journals(daemon, entry);
    let surveyed = tokio::task::spawn_blocking(move || survey::survey(&journals, moments)).await;
    surveyed
        .map_err(|_| WireError::new(ErrorCode::Internal, "the recording could not be read"))?
        .map_err(|error| WireError::new(ErrorCode::Storage, error.to_string()))
}

/// Sends a piece.
pub(crate) async fn read(
    daemon: &Arc<Daemon>,
    client: &Arc<Client>,
    (wanted, from, picture, bytes): (&str, u64, bool, u32),
    stream: StreamId,
    answer: Answer,
) -> Option<(Answer, Outcome)> {
    let entry = match daemon.find(wanted) {
        Ok(entry) => entry,
        Err(error) => return Some((answer, Err(error))),
    };
    let mut playhead =
        client.playhead.lock().take().filter(|known| known.is_of(entry.id, entry.newest_run()));
    if playhead.is_none() {
        let Surveyed { recording, clocks } = match survey(daemon, &entry).await {
            Ok(surveyed) => surveyed,
            Err(error) => return Some((answer, Err(error))),
        };
        playhead = Some(place(daemon, &entry, &recording, clocks));
    }
    let kept = Arc::clone(client);
    export::send(daemon, client, stream, answer, move |pieces| {
        let Some(mut playhead) = playhead else { return Ok::<_, JournalError>(()) };
        playhead.read((from, picture), bytes.min(MOST), pieces)?;
        *kept.playhead.lock() = Some(playhead);
        Ok(())
    })
    .await
}

fn journals(daemon: &Daemon, entry: &Entry) -> Journals {
    let runs = entry.session().runs;
    runs.iter().rev().filter_map(|run| Some((run.id, entry.run_dir(daemon, run.id)?.journal()))).collect()
}

/// What can be gone to, oldest first.
async fn moments(daemon: &Arc<Daemon>, entry: &Arc<Entry>) -> Result<Vec<Moment>, WireError> {
    let happened = crate::client::happened(daemon, entry, HAPPENINGS).await?;
    let mut moments: Vec<Moment> = happened.into_iter().filter_map(moment).collect();
    moments.sort_by_key(|moment| moment.wall);
    Ok(moments)
}

fn moment(happened: Happened) -> Option<Moment> {
    let wall = u64::try_from(happened.at().as_microsecond()).ok()?;
    let (kind, text) = match happened {
        Happened::Ask(ask) => {
            (MarkKind::Ask, ask.about.map_or(ask.text.clone(), |about| format!("{} {about}", ask.text)))
        }
        Happened::Status(change) => match change.to {
            Status::Running if change.from != Status::Waiting => (MarkKind::Turn, String::new()),
            Status::Blocked => (MarkKind::Blocked, change.reason.unwrap_or_default()),
            _ => return None,
        },
    };
    Some(Moment { wall, kind, text: crate::session::clean::line(&text, 200) })
}
