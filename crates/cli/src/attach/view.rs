//! The loop of a view: keys one way, output the other.

use std::time::Duration;

use base64::Engine;
use belfry_client::{ClientError, Connection, Incoming, IncomingStream, Requests};
use belfry_protocol::frame::{OUTPUT_SNAPSHOT_BEGIN, OUTPUT_SNAPSHOT_END};
use belfry_protocol::launch::Size;
use belfry_protocol::{ErrorCode, Event, Reply, Request, Session, SessionId, ViewId};
use tokio::sync::mpsc;
use tokio::time::Instant;

use super::end::End;
use super::foot::{Foot, PATIENCE};
use super::key::DetachKey;
use super::outer;
use super::output::{After, Filter, RESET};
use super::person::{Deeds, Done, Person};
use super::picture;
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
                Next::Arrived(Some(arrival)) => self.arrived(arrival).await?,
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

    /// Events tell of the session's end.
    async fn subscribe(&mut self) -> Result<Option<End>, Failure> {
        let subscribed = self.incoming.subscribe(&self.requests);
        let sessions = self.foot.patiently(&mut self.writer, self.here, subscribed).await?.sessions;
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
        match self.ask(request).await? {
            Reply::View { size, .. } => self.size = size,
            other => return Err(unexpected(&other)),
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

    async fn done(&mut self, done: Done) -> Result<(), Failure> {
        match done {
            Done::Bytes(bytes) => {
                self.typing.push(bytes);
                self.send_typed().await;
            }
            Done::Dropped(bytes) => self.typing.dropped(bytes),
            Done::Focus(focused) => self.tell(Request::FocusView { view: self.id, focused }),
            Done::Resized => {
                let Some(here) = outer::size().filter(|here| *here != self.here) else { return Ok(()) };
                let was_elsewhere = self.is_elsewhere();
                self.here = here;
                self.tell(Request::ResizeView { view: self.id, size: here });
                if was_elsewhere {
                    self.picture_at = Some(Instant::now());
                }
            }
            Done::Back => {
                self.here = outer::size().unwrap_or(self.here);
                self.open(true).await?;
            }
        }
        Ok(())
    }

    /// Sends what was typed; what the connection does not take waits for the next one.
    async fn send_typed(&mut self) {
        if self.typing.front().is_some() && self.is_elsewhere() {
            self.tell(Request::FocusView { view: self.id, focused: true });
        }
        while let Some(bytes) = self.typing.front().map(<[u8]>::to_vec) {
            let (requests, view) = (self.requests.clone(), self.id);
            // No longer than a piece, so that it is taken whole or not at all.
            if self.patiently(async move { requests.input(view, &bytes).await }).await.is_err() {
                return;
            }
            let sent = self.typing.sent();
            self.deeds.left(sent);
        }
        self.confirm();
    }

    /// Asks whether the daemon has read what was typed: it reads in order, so that any answer tells. One question at a time.
    fn confirm(&mut self) {
        if self.confirming.is_some() || self.typing.unsure() == 0 {
            return;
        }
        self.confirming = Some(Instant::now());
        let (requests, confirms) = (self.requests.clone(), self.confirms.clone());
        let confirmed = Confirmed { connection: self.connection, mark: self.typing.mark() };
        tokio::spawn(async move {
            if requests.request(Request::Ping).await.is_ok() {
                let _ = confirms.send(confirmed);
            }
        });
    }

    fn was_read(&mut self, confirmed: Confirmed) {
        if confirmed.connection != self.connection {
            return;
        }
        self.typing.read(confirmed.mark);
        self.confirming = None;
        self.foot.answers();
        let dropped = self.typing.take_dropped();
        if dropped > 0 {
            let bytes = typing::bytes(dropped as u64);
            self.foot.say(format!("{bytes} typed while the daemon did not answer were thrown away."));
        }
        self.confirm();
    }

    /// The person leaves: what was typed before is not left behind. How many bytes may be, all the same.
    async fn type_the_rest(&mut self) -> u64 {
        while let Some(done) = self.deeds.at_hand() {
            if let Done::Bytes(bytes) = done {
                self.typing.push(bytes);
            }
        }
        let rest = async {
            self.send_typed().await;
            while self.typing.unsure() > 0 {
                let Some(confirmed) = self.confirmed.recv().await else { return };
                self.was_read(confirmed);
            }
        };
        let _ = tokio::time::timeout(LAST_INPUT, rest).await;
        self.typing.not_arrived()
    }

    async fn arrived(&mut self, arrival: Incoming) -> Result<Option<End>, Failure> {
        match arrival {
            Incoming::Output { view, offset, flags, bytes } if view == self.id => {
                self.offset = offset;
                self.output(flags, &bytes).await?;
            }
            Incoming::Event(event) => return self.event(*event).await,
            Incoming::Output { .. } | Incoming::Blob { .. } => {}
        }
        Ok(None)
    }

    async fn output(&mut self, flags: u8, bytes: &[u8]) -> Result<(), Failure> {
        let mut out = Vec::with_capacity(bytes.len());
        if flags & OUTPUT_SNAPSHOT_BEGIN != 0 {
            self.in_snapshot = true;
            self.filter.reset();
            out.extend_from_slice(RESET.as_bytes());
        }
        let after = self.filter.feed(bytes, self.in_snapshot, &mut out);
        let whole = flags & OUTPUT_SNAPSHOT_END != 0;
        if whole {
            self.in_snapshot = false;
        }
        if self.is_elsewhere() {
            out.clear();
            self.picture_at.get_or_insert_with(|| Instant::now() + PICTURE_EVERY);
        }
        self.writer.write(out, bytes.len() as u32);
        if whole && !self.is_elsewhere() {
            self.foot.over(&mut self.writer, self.here);
        }
        if after == After::Redraw && !self.is_elsewhere() { self.open(false).await } else { Ok(()) }
    }

    async fn event(&mut self, event: Event) -> Result<Option<End>, Failure> {
        match event {
            Event::ViewSize { view, size } if view == self.id && size != self.size => {
                self.size = size;
                if self.is_elsewhere() {
                    self.picture_at = Some(Instant::now());
                } else {
                    self.open(false).await?;
                }
            }
            Event::ViewKeyboard { view, kitty } if view == self.id => {
                self.writer.write(format!("\x1b[={kitty}u").into_bytes(), 0);
            }
            Event::ClipboardWrite { view, text } if view == self.id => {
                let text = base64::engine::general_purpose::STANDARD.encode(text);
                self.writer.write(format!("\x1b]52;c;{text}\x1b\\").into_bytes(), 0);
            }
            Event::ViewClosed { view, .. } if view == self.id => {
                if let Some(end) = self.ended().await? {
                    return Ok(Some(end));
                }
                self.open(false).await?;
            }
            Event::Session { session } if session.id == self.session && !session.alive() => {
                let _ = tokio::time::timeout(LAST_OUTPUT, self.last_output()).await;
                return Ok(Some(End::Session(session)));
            }
            Event::SessionRemoved { id } if id == self.session => return Ok(Some(End::Removed)),
            _ => {}
        }
        Ok(None)
    }

    /// The program has ended; what it printed last is on its way.
    async fn last_output(&mut self) -> Result<(), Failure> {
        let request = Request::ReadScreen { session: self.session.to_string(), ansi: false, scrollback: 0 };
        let Reply::Screen(screen) = self.ask(request).await? else { return Ok(()) };
        while self.offset < screen.offset || self.in_snapshot {
            tokio::select! {
                arrived = self.incoming.next() => match arrived {
                    Some(Incoming::Output { view, offset, flags, bytes }) if view == self.id => {
                        self.offset = offset;
                        self.output(flags, &bytes).await?;
                    }
                    Some(_) => {}
                    None => return Ok(()),
                },
                written = self.writer.written() => self.requests.credit(self.id, written).await?,
            }
        }
        self.writer.drain().await;
        Ok(())
    }

    async fn draw_picture(&mut self) -> Result<(), Failure> {
        self.picture_at = None;
        if !self.is_elsewhere() {
            return Ok(());
        }
        let request = Request::ReadScreen { session: self.session.to_string(), ansi: true, scrollback: 0 };
        match self.ask(request).await {
            // Then the session has just got our size, and a snapshot follows.
            Ok(Reply::Screen(screen)) if screen.size == self.here => {}
            Ok(Reply::Screen(screen)) => {
                self.writer.write(picture::draw(&screen, self.here, self.foot.text()), 0);
                self.foot.pictured();
            }
            Ok(other) => return Err(unexpected(&other)),
            // It was removed or the daemon ended; events say so.
            Err(error) => tracing::debug!(%error, "no picture"),
        }
        Ok(())
    }

    /// The daemon ended: the next one has everything but what was on its way to it.
    async fn reconnect(&mut self) -> Result<Option<End>, Failure> {
        let lost = self.typing.lost();
        self.connection += 1;
        self.confirming = None;
        let context = self.context;
        let connection = self.patiently(context.connect()).await?;
        (self.requests, self.incoming) = connection.split();
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
