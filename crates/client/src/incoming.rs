//! What arrives without having been asked for by a single request.

use belfry_protocol::session::{Group, Project};
use belfry_protocol::{ErrorCode, Event, Reply, Request, Session, StreamId, ViewId, WireError};
use tokio::sync::mpsc;

use crate::{ClientError, Requests};

/// One arrival. Their order is the daemon's own: a `ViewSize` event stands exactly between the outputs it separates.
#[derive(Clone, Debug, PartialEq)]
pub enum Incoming {
    /// Something happened.
    Event(Box<Event>),
    /// Bytes for a view's terminal.
    Output {
        /// The view.
        view: ViewId,
        /// Source bytes printed by the run up to the end of this piece.
        offset: u64,
        /// `OUTPUT_*` bits of [`belfry_protocol::frame`].
        flags: u8,
        /// What to write to the terminal.
        bytes: Vec<u8>,
    },
    /// A piece of a long answer; empty at its end.
    Blob {
        /// The stream.
        stream: StreamId,
        /// The piece.
        bytes: Vec<u8>,
    },
}

/// The arrivals of a connection, in order. While it is kept it must be read: at 4096 waiting arrivals the connection
/// stands still, replies included. Dropped, arrivals are thrown away.
#[derive(Debug)]
pub struct IncomingStream {
    pub(crate) receiver: mpsc::Receiver<Incoming>,
}

impl IncomingStream {
    /// The next arrival; `None` when the connection has ended.
    pub async fn next(&mut self) -> Option<Incoming> {
        self.receiver.recv().await
    }

    /// Subscribes, and gathers the whole overview, of which a long one comes in pieces. What else arrives meanwhile is
    /// dropped, so this comes before any view is opened.
    pub async fn subscribe(&mut self, requests: &Requests) -> Result<Overview, ClientError> {
        let Reply::Overview { sessions, projects, groups, mut more } =
            requests.request(Request::Subscribe).await?
        else {
            let why = "the daemon answered with something else than an overview";
            return Err(ClientError::Failed(WireError::new(ErrorCode::Internal, why)));
        };
        let mut overview = Overview { sessions, projects, groups };
        while more {
            match self.next().await {
                Some(Incoming::Event(event)) => match *event {
                    Event::Session { session } => overview.sessions.push(*session),
                    Event::OverviewEnd => more = false,
                    _ => {}
                },
                Some(_) => {}
                None => return Err(ClientError::Lost),
            }
        }
        Ok(overview)
    }
}

/// Everything that there is, as it was at one moment; every later change is an event.
#[derive(Clone, Debug, PartialEq)]
pub struct Overview {
    /// All sessions, trashed and archived ones too, oldest first.
    pub sessions: Vec<Session>,
    /// Projects.
    pub projects: Vec<Project>,
    /// Groups.
    pub groups: Vec<Group>,
}
