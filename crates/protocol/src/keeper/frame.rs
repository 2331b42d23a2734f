//! The frames of both directions.

use serde::{Deserialize, Serialize};
use uuid::Uuid;

/// Daemon to keeper.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ToKeeper {
    /// First frame of a connection.
    Hello {
        /// The daemon's [`super::VERSION`].
        version: u32,
    },
    /// Bytes for the program.
    Input {
        /// With an id other than 0 the keeper answers [`FromKeeper::Taken`] or [`FromKeeper::Refused`].
        id: u32,
        /// Written only if the program has printed nothing past this offset, and no older input waits.
        only_if_offset: Option<u64>,
        /// At most [`super::INPUT_PIECE`] bytes, taken whole or refused whole.
        bytes: Vec<u8>,
    },
    /// The terminal's own answer to a query of the program. Refused when this query, or a later one, was answered
    /// before, or when it is [`super::REPLY_MAX_AGE`] old: a daemon that replays the journal cannot answer twice.
    Reply {
        /// The offset just after the query's last byte; grows from query to query.
        query_offset: u64,
        /// When the program printed the query: the monotonic stamp, in microseconds, of its journal record.
        sent_at: u64,
        /// The answer.
        bytes: Vec<u8>,
    },
    /// The terminal's new size.
    Resize {
        /// Columns.
        cols: u16,
        /// Rows.
        rows: u16,
    },
    /// Make the program draw everything anew: one row less for a moment. Both resizes are in the journal.
    Repaint,
    /// End the run.
    Kill(Kill),
    /// Send a signal.
    Signal {
        /// The signal's number on this system.
        signal: i32,
        /// To whom.
        target: SignalTarget,
    },
    /// Everything up to this offset has been processed; also the answer to a doorbell.
    Ack {
        /// The offset. The first of a connection may be below that of an earlier connection.
        offset: u64,
    },
    /// Ask for [`FromKeeper::Stat`].
    Stat,
}

/// How a run is to be ended: SIGHUP to every process of the process session, SIGTERM to those still there after
/// `hup_ms`, SIGKILL after another `term_ms`, each step skipped as soon as nobody is left.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Kill {
    /// Milliseconds between SIGHUP and SIGTERM.
    pub hup_ms: u32,
    /// Milliseconds between SIGTERM and SIGKILL.
    pub term_ms: u32,
    /// Also what the program started and what then left its process session (a daemonised server). Without it such
    /// processes live on and are reported.
    #[serde(default)]
    pub everything: bool,
}

impl Default for Kill {
    /// 2 s and 3 s: agents save their conversation on SIGHUP in well under a second.
    fn default() -> Self {
        Self { hup_ms: 2000, term_ms: 3000, everything: false }
    }
}

/// Who gets a signal.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
pub enum SignalTarget {
    /// The program alone.
    Program = 0,
    /// The terminal's foreground process group, as Ctrl-C does.
    Foreground = 1,
    /// Every process of the process session.
    Session = 2,
}

/// Keeper to daemon.
#[derive(Debug, Clone, PartialEq)]
pub enum FromKeeper {
    /// Answer to a hello.
    Hello(Box<KeeperHello>),
    /// The journal has grown; see the module's text for when it rings.
    Doorbell {
        /// The offset reached.
        offset: u64,
    },
    /// Input with an id was taken: written or queued.
    Taken {
        /// The input's id.
        id: u32,
    },
    /// Something asked for was not done.
    Refused(Refused),
    /// The program has ended and its output is all in the journal.
    Exit(Box<ExitInfo>),
    /// What became of the processes that a ladder, or the end of the program, was about.
    Ladder(LadderReport),
    /// Something that the person should know.
    Notice(Notice),
    /// Output that cannot be written while the disk is full, in order and without holes on one connection.
    Tail {
        /// Offset of the first byte.
        offset: u64,
        /// The bytes.
        bytes: Vec<u8>,
    },
    /// Answer to [`ToKeeper::Stat`].
    Stat(Box<Stats>),
}

/// The keeper introduces itself.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct KeeperHello {
    /// The version that the keeper speaks.
    pub version: u32,
    /// The keeper program's own version, for people.
    pub build: String,
    /// The session.
    pub session: Uuid,
    /// The run.
    pub run: Uuid,
    /// The keeper's process id.
    pub keeper_pid: u32,
    /// The program's process id and process session id.
    pub program_pid: u32,
    /// Output bytes read so far.
    pub offset: u64,
    /// Output bytes in the journal; less than `offset` only while the disk is full.
    pub journal_offset: u64,
    /// Offset after the newest query that was answered with [`ToKeeper::Reply`].
    pub replied_offset: u64,
    /// Columns.
    pub cols: u16,
    /// Rows.
    pub rows: u16,
    /// The disk is full and output is kept in memory.
    pub disk_full: bool,
    /// Set when the program has ended and the keeper is still busy with what it left.
    #[serde(default)]
    pub exit: Option<ExitInfo>,
}

/// How a program ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum EndReason {
    /// By itself or by somebody else's signal.
    Program,
    /// A client asked for it.
    Killed,
    /// The keeper was told to end by SIGTERM (log-out, shutdown).
    Shutdown,
}

/// How a run ended; also the content of `exit.json`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ExitInfo {
    /// The run.
    pub run: Uuid,
    /// Exit code, when the program exited.
    pub code: Option<i32>,
    /// Number of the signal that ended it, when one did.
    pub signal: Option<i32>,
    /// It left a core dump.
    #[serde(default)]
    pub core: bool,
    /// Why.
    pub reason: EndReason,
    /// Output bytes in all.
    pub offset: u64,
    /// Wall time in microseconds since 1970.
    pub at: u64,
    /// The ladder's steps, when there was one; complete in the last version of `exit.json`.
    #[serde(default)]
    pub steps: Vec<LadderStep>,
    /// Processes that the program started and that live on.
    #[serde(default)]
    pub left: Vec<Left>,
}

/// One step of a ladder.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct LadderStep {
    /// The signal sent.
    pub signal: i32,
    /// Milliseconds since the ladder's start.
    pub at_ms: u64,
    /// How many processes it was sent to.
    pub processes: u32,
}

/// A process that lives on.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Left {
    /// Its id.
    pub pid: u32,
    /// Its start time, to tell a reused pid apart.
    pub start: u64,
    /// Its short name.
    pub name: String,
    /// It made a process session of its own.
    pub own_session: bool,
}

/// What became of the processes of a run.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct LadderReport {
    /// The steps taken.
    pub steps: Vec<LadderStep>,
    /// Who lives on.
    pub left: Vec<Left>,
}

/// Something asked for was not done.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Refused {
    /// The id of the input, or 0.
    #[serde(default)]
    pub id: u32,
    /// What was asked for.
    pub what: What,
    /// Why not.
    pub why: Why,
}

/// What was refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum What {
    /// A hello, and with it the connection.
    Hello,
    /// Input.
    Input,
    /// A terminal reply.
    Reply,
    /// A resize or repaint.
    Resize,
    /// A kill or signal.
    Signal,
    /// A frame of a kind that this keeper does not know, or whose payload is malformed.
    Frame,
}

/// Why something was refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Why {
    /// The input queue is full: the program does not read.
    QueueFull,
    /// The program has printed something since the given offset, or older input waits.
    Changed,
    /// That query was answered before.
    Repeated,
    /// The query is too old.
    TooOld,
    /// The program has ended.
    Ended,
    /// The frame is not understood.
    Unknown,
    /// The values are out of range.
    Invalid,
    /// The peer may not speak to this keeper.
    NotAllowed,
    /// The system did not allow it.
    System,
}

/// Something that the person should know.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Notice {
    /// The journal cannot be written; the newest output is kept in memory.
    DiskFull {
        /// Offset of the first byte that is not in the journal.
        offset: u64,
        /// The system's error number.
        errno: i32,
    },
    /// The journal is written again.
    DiskRecovered {
        /// First byte lost for the journal; equal to `to` when nothing was.
        from: u64,
        /// First byte present again.
        to: u64,
    },
}

/// A keeper's figures.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Stats {
    /// Output bytes read.
    pub offset: u64,
    /// Output bytes in the journal.
    pub journal_offset: u64,
    /// Last acknowledged offset of this connection.
    pub acked: u64,
    /// Input bytes queued.
    pub input_queued: u64,
    /// Reading is paused by back-pressure.
    pub paused: bool,
    /// The terminal's foreground process group, 0 when there is none.
    pub foreground: u32,
    /// Output bytes kept in memory because the disk is full.
    pub tail: u64,
    /// What is typed is shown (ECHO). None from a keeper that does not tell.
    #[serde(default)]
    pub echo: Option<bool>,
    /// The terminal gives whole lines (ICANON).
    #[serde(default)]
    pub lines: Option<bool>,
    /// The process in front.
    #[serde(default)]
    pub front: Option<Front>,
}

/// The process of the foreground group that waits for what is typed; where none does, the group's first.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Front {
    /// Its id.
    pub pid: u32,
    /// Its short name: what it says it is, so hostile text.
    pub name: String,
    /// Its command line, cut to [`Front::COMMAND`] characters; hostile text.
    pub command: String,
    /// Whether it sleeps until something is typed.
    pub waits: Waits,
}

impl Front {
    /// Most characters of a command line.
    pub const COMMAND: usize = 300;
}

/// Whether a process sleeps until something is typed.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Waits {
    /// It runs, or sleeps over something else.
    No,
    /// It is in a read of the terminal.
    Reads,
    /// It waits for one of several things, of which the terminal may be one.
    Polls,
    /// The system does not tell.
    #[default]
    #[serde(other)]
    Unknown,
}
