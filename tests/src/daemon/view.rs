//! A view as a window has one: a terminal that is fed what the daemon sends.

use belfry_client::{Connection, Incoming};
use belfry_protocol::frame::{OUTPUT_SNAPSHOT_BEGIN, OUTPUT_SNAPSHOT_END, OUTPUT_SNAPSHOT_FULL};
use belfry_protocol::launch::Size;
use belfry_protocol::{Event, Reply, Request, SessionId, ViewId};
use belfry_terminal::{Options, Scope, Terminal};

use super::{PATIENCE, TestDaemon};

/// The only view of its connection.
pub const VIEW: ViewId = ViewId(1);

/// A view, with a connection of its own.
#[derive(Debug)]
pub struct TestView {
    /// Its connection.
    pub connection: Connection,
    /// Source bytes of the run that it has seen.
    pub offset: u64,
    /// Snapshots that it got.
    pub snapshots: u32,
    /// Snapshots of the whole scrollback that it got.
    pub full_snapshots: u32,
    /// Bytes of output that it got.
    pub bytes: u64,
    /// Events that it got, newest last.
    pub events: Vec<Event>,
    /// Whether it grants what it has taken.
    pub grants: bool,
    terminal: Screen,
    whole: bool,
}

struct Screen(Terminal);

impl std::fmt::Debug for Screen {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0.text(Scope::Screen).join("\n"))
    }
}

impl TestView {
    /// Opens a view of 80 columns and 24 rows with 256 KB of credit.
    pub async fn open(daemon: &TestDaemon, session: SessionId) -> Self {
        Self::open_with(daemon, session, Size { cols: 80, rows: 24 }, false, 256 * 1024).await
    }

    /// Opens a view.
    pub async fn open_with(
        daemon: &TestDaemon,
        session: SessionId,
        size: Size,
        focus: bool,
        credit: u32,
    ) -> Self {
        let connection = daemon.connect().await;
        let request = Request::OpenView { session: session.to_string(), view: VIEW, size, focus, credit };
        let size = match connection.request(request).await.expect("a view") {
            Reply::View { size, .. } => size,
            other => panic!("no view: {other:?}"),
        };
        Self {
            connection,
            offset: 0,
            snapshots: 0,
            full_snapshots: 0,
            bytes: 0,
            events: Vec::new(),
            grants: true,
            terminal: Screen(terminal(size)),
            whole: false,
        }
    }

    /// Types.
    pub async fn input(&self, bytes: &[u8]) {
        self.connection.requests().input(VIEW, bytes).await.expect("the connection holds");
    }

    /// Asks for something that is answered by `Done`.
    pub async fn done(&self, request: Request) {
        assert_eq!(self.connection.request(request).await.expect("it is done"), Reply::Done);
    }

    /// Takes what arrives until it is so.
    pub async fn until(&mut self, what: &str, is_so: impl Fn(&Self) -> bool) {
        let wait = async {
            while !is_so(self) {
                self.take().await;
            }
        };
        let waited = tokio::time::timeout(PATIENCE, wait).await;
        assert!(waited.is_ok(), "never: {what}; offset {}, screen:\n{}", self.offset, self.text());
    }

    /// Takes the next arrival.
    pub async fn take(&mut self) {
        match self.connection.next().await.expect("the connection holds") {
            Incoming::Output { flags, offset, bytes, .. } => {
                if flags & OUTPUT_SNAPSHOT_BEGIN != 0 {
                    let size = self.terminal.0.size();
                    self.terminal.0 = Terminal::new(size, Options::default());
                    self.whole = false;
                }
                let at = self.terminal.0.offset();
                self.terminal.0.feed(&bytes, at);
                self.bytes += bytes.len() as u64;
                self.offset = offset;
                if flags & OUTPUT_SNAPSHOT_END != 0 {
                    self.whole = true;
                    self.snapshots += 1;
                    self.full_snapshots += u32::from(flags & OUTPUT_SNAPSHOT_FULL != 0);
                }
                if self.grants && !bytes.is_empty() {
                    let granted = self.connection.requests().credit(VIEW, bytes.len() as u32).await;
                    granted.expect("the connection holds");
                }
            }
            Incoming::Event(event) => {
                if let Event::ViewSize { size, .. } = *event {
                    self.terminal.0.resize(belfry_terminal::Size::new(size.cols, size.rows));
                }
                self.events.push(*event);
            }
            Incoming::Blob { .. } => {}
        }
    }

    /// The screen as text; empty before the first snapshot is whole.
    pub fn text(&self) -> String {
        if self.whole { self.terminal.0.text(Scope::Screen).join("\n") } else { String::new() }
    }

    /// The terminal that it has been fed to.
    pub fn terminal(&self) -> &Terminal {
        &self.terminal.0
    }
}

fn terminal(size: Size) -> Terminal {
    Terminal::new(belfry_terminal::Size::new(size.cols, size.rows), Options::default())
}
