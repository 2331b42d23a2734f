//! The loop of a view: keys one way, output the other.

mod arrived;
mod typed;

use std::time::Duration;

use belfry_client::{ClientError, Connection, Incoming, IncomingStream, Requests};
use belfry_protocol::launch::Size;
use belfry_protocol::{ErrorCode, Reply, Request, Session, SessionId, ViewId};
use tokio::sync::mpsc;
use tokio::time::Instant;

use super::end::End;
use super::foot::{Foot, PATIENCE};
use super::key::DetachKey;
use super::outer;
use super::output::Filter;
use super::person::{Deeds, Done, Person};
use super::typing::{self, Typing};
use super::writer::Writer;
use crate::context::{Context, unexpected};
use crate::failure::Failure;

/// Bytes that the daemon may send ahead of the outer terminal: a few screens full of colour, and not so much that leaving
/// or another size would wait for it on a slow line.
const CREDIT: u32 = 256 * 1024;

/// Pictures of a session of another size are drawn at most this often.
const PICTURE_EVERY: Duration = Duration::from_millis(50);

/// For how long the last output of a program that ended is waited for.
const LAST_OUTPUT: Duration = Duration::from_secs(2);

/// Connections that end before anything arrives until this is given up, and the pause between them.
const ATTEMPTS: u32 = 20;
const PAUSE: Duration = Duration::from_millis(50);

/// For how long what was typed before the detach key is waited for.
const LAST_INPUT: Duration = Duration::from_secs(1);

/// Draws the session until it ends or the person leaves.
pub(super) async fn run(
    context: &Context,
    connection: Connection,
    session: &Session,
    key: DetachKey,
) -> Result<End, Failure> {
    let failed = |error| Failure::failed(format!("The view cannot be set up: {error}."));
    let (mut person, deeds) = Person::new(key).map_err(failed)?;
    let mut view = View::new(context, connection, session, deeds, key).map_err(failed)?;
    // Whatever the view waits for, the person can leave.
    let end = tokio::select! {
        end = view.show() => end?,
        end = person.leaves() => end?,
    };
    match end {
        End::Detached { .. } => {
            outer::drop_pending();
            Ok(End::Detached { unsure: view.type_the_rest().await })
        }
        End::Signal(_) => {
            outer::drop_pending();
            Ok(end)
        }
        _ => Ok(end),
    }
}

/// A view of one session on the outer terminal.
struct View<'a> {
    context: &'a Context,
    session: SessionId,
    requests: Requests,
    incoming: IncomingStream,
    deeds: Deeds,
    typing: Typing,
    confirms: mpsc::UnboundedSender<Confirmed>,
    confirmed: mpsc::UnboundedReceiver<Confirmed>,
    /// Since when such an answer is waited for.
    confirming: Option<Instant>,
    /// How many connections there were before this one.
    connection: u32,
    /// How many of the last ones ended before anything arrived.
    futile: u32,
    writer: Writer,
    foot: Foot,
    filter: Filter,
    id: ViewId,
    /// The outer terminal's size.
    here: Size,
    /// The session's size.
    size: Size,
    /// Between the first and the last piece of a snapshot.
    in_snapshot: bool,
    /// Up to where the program's output has arrived.
    offset: u64,
    /// When the next picture is to be drawn, if one is.
    picture_at: Option<Instant>,
}

/// The daemon has read what was typed into a connection, up to a mark.
#[derive(Clone, Copy, Debug)]
struct Confirmed {
    connection: u32,
    mark: u64,
}

enum Next {
    Done(Done),
    Arrived(Option<Incoming>),
    Written(u32),
    Confirmed(Confirmed),
    Unconfirmed,
    Picture,
    Said,
}

impl<'a> View<'a> {
    fn new(
        context: &'a Context,
        connection: Connection,
        session: &Session,
        deeds: Deeds,
        key: DetachKey,
    ) -> std::io::Result<Self> {
        let (requests, incoming) = connection.split();
        let (confirms, confirmed) = mpsc::unbounded_channel();
        let size = Size { cols: session.cols, rows: session.rows };
        Ok(Self {
            context,
            session: session.id,
            requests,
            incoming,
            deeds,
            typing: Typing::default(),
            confirms,
            confirmed,
            confirming: None,
            connection: 0,
            futile: 0,
            writer: Writer::start()?,
            foot: Foot::new(key),
            filter: Filter::default(),
            id: ViewId(0),
            here: outer::size().unwrap_or(size),
            size,
            in_snapshot: false,
            offset: 0,
            picture_at: None,
        })
    }

    /// Until the session ends.
    async fn show(&mut self) -> Result<End, Failure> {
        if let Some(end) = self.subscribe().await? {
            return Ok(end);
        }
        self.open(true).await?;
        loop {
            if self.foot.take_over() {
                self.open(false).await?;
            }
            let (picture_at, said_until) = (self.picture_at, self.foot.until());
            let unconfirmed_at = self.confirming.map(|since| since + PATIENCE);
            let next = tokio::select! {
                done = self.deeds.next() => Next::Done(done),
                arrived = self.incoming.next() => Next::Arrived(arrived),
                written = self.writer.written() => Next::Written(written),
                Some(confirmed) = self.confirmed.recv() => Next::Confirmed(confirmed),
                () = until(unconfirmed_at) => Next::Unconfirmed,
                () = until(picture_at) => Next::Picture,
                () = until(said_until) => Next::Said,
            };
            let end = match next {
                Next::Done(done) => {
                    self.done(done).await?;
                    None
                }
                Next::Arrived(None) => self.reconnect().await?,
                Next::Arrived(Some(arrival)) => {
                    self.futile = 0;
                    self.arrived(arrival).await?
                }
                Next::Written(bytes) => {
                    let (requests, view) = (self.requests.clone(), self.id);
                    // A lost connection is noticed where it is read.
                    let _ = self.patiently(async move { requests.credit(view, bytes).await }).await;
                    None
                }
                Next::Confirmed(confirmed) => {
                    self.was_read(confirmed);
                    None
                }
                Next::Unconfirmed => {
                    self.confirming = None;
                    self.foot.hangs(&mut self.writer, self.here);
                    None
                }
                Next::Picture => {
                    self.draw_picture().await?;
                    None
                }
                Next::Said => {
                    self.foot.clear();
                    self.open(false).await?;
                    None
                }
            };
            if let Some(end) = end {
                return Ok(end);
            }
        }
    }

    /// Waits for the daemon, and says so when that takes long.
    async fn patiently<T>(&mut self, work: impl Future<Output = T>) -> T {
        self.foot.patiently(&mut self.writer, self.here, work).await
    }

    async fn ask(&mut self, request: Request) -> Result<Reply, ClientError> {
        let requests = self.requests.clone();
        self.patiently(async move { requests.request(request).await }).await
    }

    /// Events tell of the session's end. A connection that is lost here and in what follows is noticed where it is read.
    async fn subscribe(&mut self) -> Result<Option<End>, Failure> {
        let subscribed = self.incoming.subscribe(&self.requests);
        let sessions = match self.foot.patiently(&mut self.writer, self.here, subscribed).await {
            Ok(overview) => overview.sessions,
            Err(ClientError::Lost) => return Ok(None),
            Err(error) => return Err(error.into()),
        };
        Ok(match sessions.into_iter().find(|session| session.id == self.session) {
            None => Some(End::Removed),
            Some(session) if !session.alive() => Some(End::Session(Box::new(session))),
            Some(_) => None,
        })
    }

    /// The session's end, if it has one; asked for while events go on.
    async fn ended(&mut self) -> Result<Option<End>, Failure> {
        let request = Request::ShowSession { session: self.session.to_string() };
        match self.ask(request).await {
            Ok(Reply::Session(session)) if !session.alive() => Ok(Some(End::Session(session))),
            Ok(Reply::Session(_)) => Ok(None),
            Ok(other) => Err(unexpected(&other)),
            Err(error) if error.code() == Some(ErrorCode::NoSuchSession) => Ok(Some(End::Removed)),
            Err(ClientError::Lost) => Ok(None),
            Err(error) => Err(error.into()),
        }
    }

    /// Opens a view, and closes the one before. With `take` the session gets our size.
    async fn open(&mut self, take: bool) -> Result<(), Failure> {
        let before = self.id;
        self.id = ViewId(before.0 + 1);
        let request = Request::OpenView {
            session: self.session.to_string(),
            view: self.id,
            size: self.here,
            focus: take,
            credit: CREDIT,
        };
        match self.ask(request).await {
            Ok(Reply::View { size, .. }) => self.size = size,
            Ok(other) => return Err(unexpected(&other)),
            Err(ClientError::Lost) => return Ok(()),
            Err(error) => return Err(error.into()),
        }
        self.filter.reset();
        self.in_snapshot = false;
        // The new size is often on its way already.
        self.picture_at = self.is_elsewhere().then(|| Instant::now() + PICTURE_EVERY);
        if before.0 > 0 {
            self.tell(Request::CloseView { view: before });
        }
        Ok(())
    }

    /// The session has another view's size.
    fn is_elsewhere(&self) -> bool {
        self.size != self.here
    }

    /// Asks for something whose answer does not matter.
    fn tell(&self, request: Request) {
        let requests = self.requests.clone();
        tokio::spawn(async move {
            if let Err(error) = requests.request(request).await {
                tracing::debug!(%error, "a request about a view");
            }
        });
    }

    /// The daemon ended: the next one has everything but what was on its way to it.
    async fn reconnect(&mut self) -> Result<Option<End>, Failure> {
        let lost = self.typing.lost();
        self.connection += 1;
        self.confirming = None;
        if self.futile == ATTEMPTS {
            return Err(ClientError::Lost.into());
        }
        if self.futile > 0 {
            tokio::time::sleep(PAUSE).await;
        }
        self.futile += 1;
        let context = self.context;
        let connection = self.patiently(context.connect()).await?;
        (self.requests, self.incoming) = connection.split();
        self.foot.answers();
        self.id = ViewId(0);
        if let Some(end) = self.subscribe().await? {
            return Ok(Some(end));
        }
        if lost > 0 {
            let bytes = typing::bytes(lost);
            self.foot.say(format!("The daemon ended: the last {bytes} typed may not have arrived."));
        }
        self.open(true).await?;
        self.send_typed().await;
        Ok(None)
    }
}

async fn until(time: Option<Instant>) {
    match time {
        Some(time) => tokio::time::sleep_until(time).await,
        None => std::future::pending().await,
    }
}
