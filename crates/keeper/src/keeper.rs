//! The loop, and what it does.

mod commands;
mod end;
mod poll;

use std::os::unix::net::UnixListener;
use std::path::{Path, PathBuf};

use belfry_journal::Writer;
use belfry_platform::{clock, directory, socket};
use belfry_protocol::keeper::{
    ExitInfo, FromKeeper, KeeperHello, Leftovers, MOST_DOORBELLS, PAUSE_PAST_ACK, VERSION,
};
use uuid::Uuid;

use crate::ending::ExitFile;
use crate::input::{Queue, Replies};
use crate::ladder::Ladder;
use crate::link::Link;
use crate::pty::Pty;
use crate::recorder::Recorder;
use crate::signals::Signals;

/// Bytes read from the terminal or a socket in one turn: the most that one journal record holds.
const TURN: usize = 64 * 1024;

/// A read of fewer bytes than this has most probably emptied the terminal.
const SHORT: usize = 1024;

/// Connections that have not said hello yet; and how long, in microseconds, they may take.
const WAITING_LIMIT: usize = 4;
const HELLO_TIME: u64 = 5_000_000;

/// Time between two looks whether the socket's name is still there, in microseconds. Log-out and cleaners of `/tmp` remove
/// such names, and a keeper that nobody can find is as good as lost.
const NAME_CHECK: u64 = 300_000_000;

/// Largest number of columns or rows: beyond any screen, and small enough that no program's tables burst.
pub(crate) const SIZE_LIMIT: u16 = 10_000;

/// How long the one row less of a repaint lasts, in microseconds: a program that looks at the size only after both
/// changes would see none.
const REPAINT: u64 = 60_000;

/// What a keeper is made of.
pub(crate) struct Parts {
    pub(crate) session: Uuid,
    pub(crate) run: Uuid,
    pub(crate) leftovers: Leftovers,
    pub(crate) program: u32,
    pub(crate) pty: Pty,
    pub(crate) writer: Writer,
    pub(crate) exit_file: ExitFile,
    pub(crate) signals: Signals,
    pub(crate) listener: UnixListener,
    pub(crate) socket_path: PathBuf,
}

pub(crate) struct Keeper {
    session: Uuid,
    run: Uuid,
    leftovers: Leftovers,
    program: u32,
    /// Gone once the program has ended and its last words are read.
    pty: Option<Pty>,
    size: (u16, u16),
    recorder: Recorder,
    exit_file: ExitFile,
    signals: Signals,
    listener: UnixListener,
    socket_path: PathBuf,
    name_check: u64,

    input: Queue,
    replies: Replies,
    /// When to give back the row that a repaint took, and the size to give back.
    repaint: Option<(u64, (u16, u16))>,

    daemon: Option<Link>,
    waiting: Vec<Link>,

    ladder: Option<Ladder>,
    end: end::End,
    buffer: Box<[u8]>,
}

impl Keeper {
    pub(crate) fn new(parts: Parts) -> Self {
        let size = parts.pty.size();
        Self {
            session: parts.session,
            run: parts.run,
            leftovers: parts.leftovers,
            program: parts.program,
            pty: Some(parts.pty),
            size,
            recorder: Recorder::new(parts.writer, size),
            exit_file: parts.exit_file,
            signals: parts.signals,
            listener: parts.listener,
            socket_path: parts.socket_path,
            name_check: clock::monotonic() + NAME_CHECK,
            input: Queue::default(),
            replies: Replies::default(),
            repaint: None,
            daemon: None,
            waiting: Vec::new(),
            ladder: None,
            end: end::End::default(),
            buffer: vec![0; TURN].into_boxed_slice(),
        }
    }

    /// Until the program has ended and everything about it is recorded or told.
    pub(crate) fn run(mut self) {
        // The program may have ended before the handler was there.
        self.children_ended();
        while !self.is_done() {
            self.turn();
        }
        let _ = socket::remove(&self.socket_path);
    }

    /// Whether the terminal is left alone for now, so that nothing unread is ever dropped.
    fn is_paused(&self) -> bool {
        self.daemon.as_ref().is_some_and(|daemon| {
            self.recorder.offset() >= daemon.acked.saturating_add(PAUSE_PAST_ACK)
                || !self.recorder.has_room(daemon.acked)
        })
    }

    /// Reads one turn's worth of output and records it; false when there was none.
    fn read_terminal(&mut self) -> bool {
        let Some(pty) = &self.pty else { return false };
        let mut used = 0;
        // The kernel gives at most about 4 KB a time; several make one record and one doorbell. After a short one there is
        // hardly more, and what there is wakes us.
        while used < self.buffer.len() {
            match pty.read(&mut self.buffer[used..]) {
                // No error comes before both ends are closed, and we hold both.
                Ok(0) | Err(_) => break,
                Ok(count) => used += count,
            }
            if used < SHORT {
                break;
            }
        }
        if used > 0 {
            self.follow_size();
            self.recorder.output(&self.buffer[..used]);
        }
        used > 0
    }

    /// Writes waiting input, and records how much it was.
    fn write_input(&mut self) {
        let Some(pty) = &self.pty else { return };
        if let Ok(count @ 1..) = self.input.flush(pty) {
            self.recorder.input(count);
        }
    }

    /// Tells the daemon what there is to tell.
    fn tell(&mut self) {
        let notices = self.recorder.take_notices();
        let Some(daemon) = &mut self.daemon else { return };
        for notice in notices {
            daemon.send(&FromKeeper::Notice(notice));
        }
        if daemon.unanswered < MOST_DOORBELLS && self.recorder.take_grown() {
            daemon.unanswered += 1;
            daemon.send(&FromKeeper::Doorbell { offset: self.recorder.offset() });
        }
        while daemon.has_room() {
            let Some((offset, bytes)) = self.recorder.next_piece(TURN) else { break };
            daemon.send(&FromKeeper::Tail { offset, bytes });
        }
    }

    fn hello(&self) -> KeeperHello {
        KeeperHello {
            version: VERSION,
            build: env!("CARGO_PKG_VERSION").to_owned(),
            session: self.session,
            run: self.run,
            keeper_pid: std::process::id(),
            program_pid: self.program,
            offset: self.recorder.offset(),
            journal_offset: self.recorder.journal_offset(),
            replied_offset: self.replies.answered(),
            cols: self.size.0,
            rows: self.size.1,
            disk_full: self.recorder.is_full(),
            exit: self.exit_info(),
        }
    }

    fn exit_info(&self) -> Option<ExitInfo> {
        self.end.info().cloned()
    }

    /// Gives the terminal a size and records it; what was printed for the old one is recorded before.
    fn resize(&mut self, cols: u16, rows: u16) -> bool {
        if self.size == (cols, rows) {
            return true;
        }
        while !self.is_paused() && self.read_terminal() {}
        let Some(pty) = &mut self.pty else { return false };
        if pty.resize(cols, rows).is_err() {
            return false;
        }
        self.size = (cols, rows);
        self.recorder.resize(cols, rows);
        true
    }

    /// A program can give its terminal another size itself; what it prints then is for that one.
    fn follow_size(&mut self) {
        if let Some(size) = self.pty.as_mut().and_then(crate::pty::Pty::changed_size) {
            self.size = size;
            self.recorder.resize(size.0, size.1);
        }
    }

    /// Gives back the row that a repaint took.
    fn end_repaint(&mut self) {
        if let Some((_, (cols, rows))) = self.repaint.take() {
            self.resize(cols, rows);
        }
    }

    fn runtime_dir(&self) -> Option<&Path> {
        self.socket_path.parent()?.parent()
    }

    /// Makes the socket's name anew if somebody removed it.
    fn check_name(&mut self, now: u64) {
        self.name_check = now + NAME_CHECK;
        if self.socket_path.symlink_metadata().is_ok() {
            return;
        }
        let made = self.socket_path.parent().is_some_and(|dir| directory::create_private(dir).is_ok());
        if made
            && let Ok(listener) = socket::bind(&self.socket_path)
            && listener.set_nonblocking(true).is_ok()
        {
            self.listener = listener;
        }
    }
}
