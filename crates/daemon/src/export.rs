//! What is written to files: recordings in the asciicast format, version 2, which most players understand, and conversations as
//! Markdown.

mod asciicast;
mod markdown;

use std::fmt::Display;
use std::sync::Arc;
use std::time::Duration;

use belfry_journal::{JournalError, Reader, What};
use belfry_protocol::frame::{Frame, MAX_PIECE};
use belfry_protocol::{ErrorCode, Event, Reply, StreamId, WireError};
use tokio::sync::{Semaphore, mpsc};

use crate::Daemon;
use crate::client::{Answer, Client};

use self::asciicast::Asciicast;
pub(crate) use self::asciicast::whole_characters;
pub(crate) use self::markdown::{conversation, session};

/// How long a client may take for a piece of a recording.
const PATIENCE: Duration = Duration::from_mins(1);

pub(crate) type Outcome = Result<Reply, WireError>;

/// Sends a session's recording: the answer first, then the pieces. All runs that are kept, oldest first.
pub(crate) async fn asciicast(
    daemon: &Arc<Daemon>,
    client: &Arc<Client>,
    wanted: &str,
    stream: StreamId,
    answer: Answer,
) -> Option<(Answer, Outcome)> {
    let entry = match daemon.find(wanted) {
        Ok(entry) => entry,
        Err(error) => return Some((answer, Err(error))),
    };
    let session = entry.session();
    let dirs: Vec<_> = session
        .runs
        .iter()
        .rev()
        .filter_map(|run| entry.run_dir(daemon, run.id))
        .map(|dir| dir.journal())
        .collect();
    let title = session.name.clone();
    let started = session.created_at.as_second();
    send(daemon, client, stream, answer, move |pieces| read(&dirs, &title, started, pieces)).await
}

/// Sends what is read: the answer first, then the pieces, as fast as the client takes them. `read` may block.
pub(crate) async fn send<E: Display + Send + 'static>(
    daemon: &Arc<Daemon>,
    client: &Arc<Client>,
    stream: StreamId,
    answer: Answer,
    read: impl FnOnce(&mpsc::Sender<Vec<u8>>) -> Result<(), E> + Send + 'static,
) -> Option<(Answer, Outcome)> {
    let places = [Arc::clone(&client.exports), Arc::clone(&daemon.exports)].map(Semaphore::try_acquire_owned);
    let [Ok(_client_place), Ok(place)] = places else {
        let error =
            WireError::new(ErrorCode::TooMuch, "too many recordings and conversations are being read");
        return Some((answer, Err(error.next("wait until one of them is whole"))));
    };
    // Two pieces in the air: the reader never runs ahead of a client that takes its time.
    let (pieces, mut ready) = mpsc::channel::<Vec<u8>>(2);
    let reading = tokio::task::spawn_blocking(move || {
        let outcome = read(&pieces);
        // The thread is what there are so few of.
        drop(place);
        outcome
    });
    answer.done();
    while let Some(bytes) = ready.recv().await {
        let frame = Frame::Blob { stream, bytes };
        match tokio::time::timeout(PATIENCE, client.outbox.blob(&frame)).await {
            Ok(true) => {}
            Ok(false) => return None,
            Err(_) => {
                let error = WireError::new(ErrorCode::TooMuch, "what is sent was not read for too long");
                client.tell(Event::StreamFailed { stream, error });
                return None;
            }
        }
    }
    match reading.await {
        Ok(Ok(())) => {
            client.outbox.blob(&Frame::Blob { stream, bytes: Vec::new() }).await;
        }
        Ok(Err(error)) => client.tell(Event::StreamFailed {
            stream,
            error: WireError::new(ErrorCode::Storage, error.to_string()),
        }),
        Err(_) => client.tell(Event::StreamFailed {
            stream,
            error: WireError::new(ErrorCode::Internal, "it could not be read"),
        }),
    }
    None
}

/// Reads the journals and gives pieces. Blocks.
fn read(
    journals: &[std::path::PathBuf],
    title: &str,
    started: i64,
    pieces: &mpsc::Sender<Vec<u8>>,
) -> Result<(), JournalError> {
    let mut cast = Asciicast::new(title, started);
    let mut out = Vec::new();
    for journal in journals {
        let mut reader = match Reader::open(journal) {
            Ok(reader) => reader,
            Err(JournalError::Missing { .. }) => continue,
            Err(error) => return Err(error),
        };
        cast.begin_run(&mut out);
        let mut gone = false;
        reader.for_each(|entry| {
            match entry.what {
                What::Output(bytes) => cast.output(&mut out, entry.stamp.mono, bytes),
                What::Resize { cols, rows } => cast.resize(&mut out, entry.stamp.mono, cols, rows),
                What::Gap(gap) => cast.gap(&mut out, entry.stamp.mono, gap.to - gap.from),
                What::Input { .. } | What::Exit(_) => {}
            }
            if out.len() >= MAX_PIECE / 2 {
                gone = give(&mut out, pieces).is_err();
            }
            if gone { std::ops::ControlFlow::Break(()) } else { std::ops::ControlFlow::Continue(()) }
        })?;
        if gone {
            return Ok(());
        }
    }
    cast.end(&mut out);
    let _ = give(&mut out, pieces);
    Ok(())
}

/// Gives what is there, in pieces that fit a frame. Fails where nobody listens any more.
pub(crate) fn give(out: &mut Vec<u8>, pieces: &mpsc::Sender<Vec<u8>>) -> Result<(), ()> {
    let bytes = std::mem::take(out);
    bytes.chunks(MAX_PIECE).try_for_each(|piece| pieces.blocking_send(piece.to_vec()).map_err(drop))
}
