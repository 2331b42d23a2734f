//! The loop of a view: keys one way, output the other.

use std::io::Read;
use std::time::Duration;

use base64::Engine;
use belfry_client::{Connection, Incoming, IncomingStream, Requests};
use belfry_protocol::frame::{OUTPUT_SNAPSHOT_BEGIN, OUTPUT_SNAPSHOT_END};
use belfry_protocol::launch::Size;
use belfry_protocol::{ErrorCode, Event, Reply, Request, Session, SessionId, ViewId};
use tokio::sync::mpsc;
use tokio::time::Instant;

use super::end::End;
use super::input::{Scanner, Typed};
use super::key::DetachKey;
use super::outer;
use super::output::{After, Filter, RESET};
use super::picture;
use super::signals::{Asked, Signals};
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

/// A view of one session on the outer terminal.
pub(super) struct View<'a> {
    context: &'a Context,
    session: SessionId,
    requests: Requests,
    incoming: IncomingStream,
    keyboard: mpsc::Receiver<Vec<u8>>,
    signals: Signals,
    writer: Writer,
    scanner: Scanner,
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

enum Next {
    Typed(Option<Vec<u8>>),
    Arrived(Option<Incoming>),
    Written(u32),
    Asked(Asked),
    Picture,
}

impl<'a> View<'a> {
    pub(super) fn new(
        context: &'a Context,
        connection: Connection,
        session: &Session,
        key: DetachKey,
    ) -> Result<Self, Failure> {
        let (requests, incoming) = connection.split();
        let size = Size { cols: session.cols, rows: session.rows };
        let failed = |error| Failure::failed(format!("The view cannot be set up: {error}."));
        Ok(Self {
            context,
            session: session.id,
            requests,
            incoming,
            keyboard: keyboard().map_err(failed)?,
            signals: Signals::new().map_err(failed)?,
            writer: Writer::start().map_err(failed)?,
            scanner: Scanner::new(key),
            filter: Filter::default(),
            id: ViewId(0),
            here: outer::size().unwrap_or(size),
            size,
            in_snapshot: false,
            offset: 0,
            picture_at: None,
        })
    }

    pub(super) async fn run(mut self) -> Result<End, Failure> {
        if let Some(end) = self.subscribe().await? {
            return Ok(end);
        }
        self.open(true).await?;
        loop {
            let picture_at = self.picture_at;
            let next = tokio::select! {
                typed = self.keyboard.recv() => Next::Typed(typed),
                arrived = self.incoming.next() => Next::Arrived(arrived),
                written = self.writer.written() => Next::Written(written),
                asked = self.signals.next() => Next::Asked(asked),
                () = until(picture_at) => Next::Picture,
            };
            let end = match next {
                Next::Typed(None) => Some(End::TerminalGone),
                Next::Typed(Some(bytes)) => self.typed(&bytes).await?,
                Next::Arrived(None) => self.reconnect().await?,
                Next::Arrived(Some(arrival)) => self.arrived(arrival).await?,
                Next::Written(bytes) => {
                    // A lost connection is noticed where it is read.
                    let _ = self.requests.credit(self.id, bytes).await;
                    None
                }
                Next::Asked(asked) => self.asked(asked).await?,
                Next::Picture => {
                    self.draw_picture().await?;
                    None
                }
            };
            if let Some(end) = end {
                if matches!(end, End::Detached | End::Signal(_)) {
                    outer::drop_pending();
                }
                return Ok(end);
            }
        }
    }

    /// Events tell of the session's end.
    async fn subscribe(&mut self) -> Result<Option<End>, Failure> {
        let sessions = self.incoming.subscribe(&self.requests).await?.sessions;
        Ok(match sessions.into_iter().find(|session| session.id == self.session) {
            None => Some(End::Removed),
            Some(session) if !session.alive() => Some(End::Session(Box::new(session))),
            Some(_) => None,
        })
    }

    /// The session's end, if it has one; asked for while events go on.
    async fn ended(&self) -> Result<Option<End>, Failure> {
        let request = Request::ShowSession { session: self.session.to_string() };
        match self.requests.request(request).await {
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
        match self.requests.request(request).await? {
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

    async fn typed(&mut self, bytes: &[u8]) -> Result<Option<End>, Failure> {
        for typed in self.scanner.feed(bytes) {
            match typed {
                Typed::Detach => return Ok(Some(End::Detached)),
                Typed::Focus(focused) => self.tell(Request::FocusView { view: self.id, focused }),
                Typed::Bytes(bytes) => {
                    if self.is_elsewhere() {
                        self.tell(Request::FocusView { view: self.id, focused: true });
                    }
                    // A lost connection is noticed where it is read; what was typed into it is gone, as anywhere.
                    let _ = self.requests.input(self.id, &bytes).await;
                }
            }
        }
        Ok(None)
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
        if flags & OUTPUT_SNAPSHOT_END != 0 {
            self.in_snapshot = false;
        }
        if self.is_elsewhere() {
            out.clear();
            self.picture_at.get_or_insert_with(|| Instant::now() + PICTURE_EVERY);
        }
        self.writer.write(out, bytes.len() as u32);
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
        let Reply::Screen(screen) = self.requests.request(request).await? else { return Ok(()) };
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

    async fn asked(&mut self, asked: Asked) -> Result<Option<End>, Failure> {
        match asked {
            Asked::End(signal) => return Ok(Some(End::Signal(signal))),
            Asked::Resize => {
                let Some(here) = outer::size().filter(|here| *here != self.here) else { return Ok(None) };
                let was_elsewhere = self.is_elsewhere();
                self.here = here;
                self.tell(Request::ResizeView { view: self.id, size: here });
                if was_elsewhere {
                    self.picture_at = Some(Instant::now());
                }
            }
            Asked::Suspend => {
                outer::restore();
                let stopped =
                    rustix::process::kill_process(rustix::process::getpid(), rustix::process::Signal::STOP);
                // Here again when continued.
                stopped.map_err(|error| Failure::failed(format!("The view cannot be stopped: {error}.")))?;
                outer::resume()?;
                self.here = outer::size().unwrap_or(self.here);
                self.open(true).await?;
            }
        }
        Ok(None)
    }

    async fn draw_picture(&mut self) -> Result<(), Failure> {
        self.picture_at = None;
        if !self.is_elsewhere() {
            return Ok(());
        }
        let request = Request::ReadScreen { session: self.session.to_string(), ansi: true, scrollback: 0 };
        match self.requests.request(request).await {
            // Then the session has just got our size, and a snapshot follows.
            Ok(Reply::Screen(screen)) if screen.size == self.here => {}
            Ok(Reply::Screen(screen)) => self.writer.write(picture::draw(&screen, self.here), 0),
            Ok(other) => return Err(unexpected(&other)),
            // It was removed or the daemon ended; events say so.
            Err(error) => tracing::debug!(%error, "no picture"),
        }
        Ok(())
    }

    /// The daemon ended: the next one has everything.
    async fn reconnect(&mut self) -> Result<Option<End>, Failure> {
        (self.requests, self.incoming) = self.context.connect().await?.split();
        self.id = ViewId(0);
        if let Some(end) = self.subscribe().await? {
            return Ok(Some(end));
        }
        self.open(true).await?;
        Ok(None)
    }
}

async fn until(time: Option<Instant>) {
    match time {
        Some(time) => tokio::time::sleep_until(time).await,
        None => std::future::pending().await,
    }
}

/// Reads the terminal on a thread of its own: it must not be made non-blocking, since the shell shares that with us.
fn keyboard() -> std::io::Result<mpsc::Receiver<Vec<u8>>> {
    let (typed, receiver) = mpsc::channel(16);
    std::thread::Builder::new().name("keyboard".to_owned()).spawn(move || {
        let mut piece = vec![0; 64 * 1024];
        loop {
            match std::io::stdin().lock().read(&mut piece) {
                Ok(0) => return,
                Ok(count) => {
                    if typed.blocking_send(piece[..count].to_vec()).is_err() {
                        return;
                    }
                }
                Err(error) if error.kind() == std::io::ErrorKind::Interrupted => {}
                Err(_) => return,
            }
        }
    })?;
    Ok(receiver)
}
