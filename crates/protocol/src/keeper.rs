//! What crosses the socket between the daemon and a run's keeper, and what the daemon gives a keeper at its start.
//!
//! A frame is `u32 LE length | u8 kind | payload`; the length counts the kind and the payload and is at most
//! [`MAX_FRAME`]. Frequent frames have a binary payload, rare ones JSON, to which fields may be added: unknown
//! fields are ignored and unknown kinds are answered with [`FromKeeper::Refused`], never with a hang-up.
//!
//! # How a conversation goes
//! 1. The daemon connects and sends [`ToKeeper::Hello`]. The keeper answers with [`FromKeeper::Hello`]. A connection
//!    that has said a valid hello replaces the one before it; one that says anything else first is closed.
//! 2. The daemon sends [`ToKeeper::Ack`] with the offset that it has processed so far (its checkpoint), follows the
//!    journal from there, and acknowledges as it goes.
//! 3. Whenever the keeper has appended to the journal it rings [`FromKeeper::Doorbell`], at most [`MOST_DOORBELLS`]
//!    unanswered: after so many it stays silent until the next `Ack`, which answers them all, and rings at once after
//!    that `Ack` if more was written meanwhile. So the daemon reads the journal to its end after a doorbell (in as many
//!    turns as it likes), and sends an `Ack` before the last of them: not for each, since each wakes the keeper, which is
//!    most of what an idle agent's spinner costs. It may also acknowledge more often, to keep a flooding program from
//!    pausing.
//! 4. While a daemon is connected the keeper stops reading the terminal at [`PAUSE_PAST_ACK`] bytes past the last `Ack`.
//! 5. While the disk is full, output comes as [`FromKeeper::Tail`] instead. A tail may begin past what the daemon has, when
//!    the journal holds what lies between; so it reads the journal first, then takes what is new of the tail. When the
//!    disk takes writes again the tail goes into the journal, and the daemon skips what it has had.
//! 6. When the program has ended, its output is drained and that is recorded: [`FromKeeper::Exit`]; then
//!    [`FromKeeper::Ladder`] when what was left has been dealt with; then the keeper is gone. Whoever connects at that very
//!    moment is hung up on without a hello: `exit.json` in the run's directory is complete by then.
//!
//! Offset, everywhere: the number of bytes that the run's program has printed since its start.

mod codec;
mod frame;
mod launch;

pub use codec::{Decoder, FrameError, MessageError, RawFrame};
pub use frame::{
    EndReason, ExitInfo, FromKeeper, Front, KeeperHello, Kill, LadderReport, LadderStep, Left, Notice,
    Refused, SignalTarget, Stats, ToKeeper, Waits, What, Why,
};
pub use launch::{LaunchError, LaunchErrorKind, LaunchReply, LaunchSpec, Leftovers, OsText, Started};

/// Version of the frames below. A keeper outlives updates of the daemon, so a daemon speaks every version from
/// [`OLDEST_VERSION`] on; the keeper answers a newer daemon with its own version.
///
/// 2: rings more often without an answer ([`most_doorbells`]).
pub const VERSION: u32 = 2;

/// The oldest version that this build still speaks.
pub const OLDEST_VERSION: u32 = 1;

/// Longest frame in bytes, kind and payload. Input larger than this is sent in pieces.
pub const MAX_FRAME: usize = 256 * 1024;

/// Most bytes that one [`ToKeeper::Input`] should carry: several pieces keep other frames flowing between them.
pub const INPUT_PIECE: usize = 64 * 1024;

/// Bytes of input that a keeper queues for a program that does not read; above it input is refused as
/// [`Why::QueueFull`]. A paste of 1 MB passes with room to spare.
pub const INPUT_QUEUE: usize = 4 * 1024 * 1024;

/// Doorbells that a keeper of that version rings without an answer. Each answer wakes it for nothing else, which at every
/// fourth frame was a sixth of what keepers cost beside idle agents' spinners; 64 are far from filling a socket.
pub const fn most_doorbells(version: u32) -> u32 {
    if version < 2 { 8 } else { 64 }
}

/// [`most_doorbells`] of this build's keepers.
pub const MOST_DOORBELLS: u32 = most_doorbells(VERSION);

/// Bytes past the last acknowledged offset at which the keeper stops reading the terminal.
pub const PAUSE_PAST_ACK: u64 = 8 * 1024 * 1024;

/// Age in microseconds from which a terminal reply is refused: nobody waits for it any more, so the program would
/// take it for typing.
pub const REPLY_MAX_AGE: u64 = 2_000_000;
