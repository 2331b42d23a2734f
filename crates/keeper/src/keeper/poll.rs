//! One turn of the loop: wait for something, and do what is due.

use std::os::fd::{AsFd, BorrowedFd};
use std::time::Duration;

use belfry_platform::clock;
use belfry_protocol::keeper::{FrameError, FromKeeper, OLDEST_VERSION, Refused, ToKeeper, What, Why};
use rustix::event::{PollFd, PollFlags, Timespec, poll};

use super::{HELLO_TIME, Keeper, TURN, WAITING_LIMIT};
use crate::link::Link;
use crate::peers;

/// Where in the poll set each descriptor stands.
const SIGNALS: usize = 0;
const LISTENER: usize = 1;
const TERMINAL: usize = 2;
const DAEMON: usize = 3;
const WAITING: usize = 4;

impl Keeper {
    pub(super) fn turn(&mut self) {
        let ready = self.wait();
        let readable = |at: usize| ready[at].intersects(PollFlags::IN | PollFlags::HUP | PollFlags::ERR);
        if readable(SIGNALS) {
            self.signals_arrived();
        }
        // Output first: a key's echo goes out before anything else is looked at.
        if ready[TERMINAL].intersects(PollFlags::IN) && !self.is_paused() {
            self.read_terminal();
            self.tell();
        }
        if ready[TERMINAL].intersects(PollFlags::OUT) {
            self.write_input();
        }
        if readable(DAEMON) {
            self.serve_daemon();
        }
        if ready[DAEMON].intersects(PollFlags::OUT)
            && let Some(daemon) = &mut self.daemon
        {
            daemon.flush();
        }
        self.serve_waiting(&ready[WAITING..]);
        if readable(LISTENER) {
            self.accept();
        }
        self.timers();
        self.tell();
        if self.daemon.as_ref().is_some_and(Link::is_broken) {
            // What it sent before it was gone is still done: it may be what somebody has just typed.
            self.serve_daemon();
            self.daemon = None;
        }
    }

    /// Waits until something is ready or due. What is ready, by place.
    fn wait(&self) -> [PollFlags; WAITING + WAITING_LIMIT] {
        let mut ready = [PollFlags::empty(); WAITING + WAITING_LIMIT];
        let mut set: [Option<(BorrowedFd<'_>, PollFlags)>; WAITING + WAITING_LIMIT] = Default::default();
        set[SIGNALS] = Some((self.signals.fd(), PollFlags::IN));
        if self.waiting.len() < WAITING_LIMIT {
            set[LISTENER] = Some((self.listener.as_fd(), PollFlags::IN));
        }
        if let Some(pty) = &self.pty {
            let mut wanted = PollFlags::empty();
            wanted.set(PollFlags::IN, !self.is_paused());
            wanted.set(PollFlags::OUT, !self.input.is_empty());
            // Nothing wanted: a hang-up would be reported all the same, again and again.
            set[TERMINAL] = (!wanted.is_empty()).then(|| (pty.master(), wanted));
        }
        if let Some(daemon) = &self.daemon {
            let mut wanted = PollFlags::empty();
            wanted.set(PollFlags::IN, daemon.has_room());
            wanted.set(PollFlags::OUT, daemon.unsent_len() > 0);
            set[DAEMON] = Some((daemon.fd(), wanted));
        }
        for (place, link) in set[WAITING..].iter_mut().zip(&self.waiting) {
            *place = Some((link.fd(), PollFlags::IN));
        }

        let mut fds: Vec<PollFd<'_>> =
            set.iter().flatten().map(|(fd, wanted)| PollFd::from_borrowed_fd(*fd, *wanted)).collect();
        let timeout = self.timeout();
        // An interrupted wait is a turn with nothing ready; the signal's byte ends the next one.
        if poll(&mut fds, timeout.as_ref()).is_ok() {
            let mut results = fds.iter().map(PollFd::revents);
            for (place, entry) in ready.iter_mut().zip(&set) {
                if entry.is_some() {
                    *place = results.next().unwrap_or(PollFlags::empty());
                }
            }
        }
        ready
    }

    fn timeout(&self) -> Option<Timespec> {
        let deadlines = [
            Some(self.name_check),
            self.recorder.deadline(),
            self.repaint.map(|(at, _)| at),
            self.ladder.as_ref().map(crate::ladder::Ladder::deadline),
            self.waiting.iter().map(|link| link.since + HELLO_TIME).min(),
            self.end.deadline(),
        ];
        let next = deadlines.into_iter().flatten().min()?;
        // Rounded up by a microsecond, so that it is really due then.
        let rest = next.saturating_sub(clock::monotonic()).saturating_add(1);
        Timespec::try_from(Duration::from_micros(rest)).ok()
    }

    fn timers(&mut self) {
        let now = clock::monotonic();
        self.recorder.retry();
        if self.repaint.is_some_and(|(at, _)| now >= at) {
            self.end_repaint();
        }
        self.waiting.retain(|link| now < link.since + HELLO_TIME);
        if now >= self.name_check {
            self.check_name(now);
        }
        self.climb(now);
        self.try_to_record(now);
    }

    fn signals_arrived(&mut self) {
        let arrived = self.signals.take();
        if arrived.end {
            self.shut_down();
        }
        if arrived.look_at_name {
            self.check_name(clock::monotonic());
        }
        if arrived.child {
            self.children_ended();
        }
    }

    fn accept(&mut self) {
        let Ok((stream, _)) = self.listener.accept() else { return };
        let Ok(mut link) = Link::new(stream, clock::monotonic()) else { return };
        if peers::may_speak(&link.fd(), self.runtime_dir()) {
            self.waiting.push(link);
        } else {
            link.send(&refused(What::Hello, Why::NotAllowed));
        }
    }

    /// Connections that have not said hello. A valid hello makes one the daemon's and ends the one before.
    fn serve_waiting(&mut self, ready: &[PollFlags]) {
        let waiting = std::mem::take(&mut self.waiting);
        for (at, mut link) in waiting.into_iter().enumerate() {
            if ready.get(at).is_none_or(PollFlags::is_empty) {
                self.waiting.push(link);
                continue;
            }
            if !link.receive(&mut self.buffer) {
                continue;
            }
            match next(&mut link) {
                Ok(None) => self.waiting.push(link),
                Ok(Some(Ok(ToKeeper::Hello { version }))) if version >= OLDEST_VERSION => {
                    self.welcome(link);
                }
                Ok(Some(_)) | Err(_) => link.send(&refused(What::Hello, Why::Invalid)),
            }
        }
    }

    fn welcome(&mut self, mut link: Link) {
        link.acked = self.recorder.offset();
        link.send(&FromKeeper::Hello(Box::new(self.hello())));
        if let Some(info) = self.exit_info() {
            link.send(&FromKeeper::Exit(Box::new(info)));
        }
        self.recorder.forget_sent();
        self.daemon = Some(link);
        self.handle_frames();
    }

    fn serve_daemon(&mut self) {
        let Some(daemon) = &mut self.daemon else { return };
        if daemon.has_room() && !daemon.receive(&mut self.buffer[..TURN]) {
            self.daemon = None;
            return;
        }
        self.handle_frames();
    }

    /// Does what the daemon's frames say, one after the other.
    fn handle_frames(&mut self) {
        while let Some(daemon) = &mut self.daemon {
            match next(daemon) {
                Ok(None) => {
                    daemon.decoder.shrink();
                    return;
                }
                Ok(Some(Ok(message))) => self.command(message),
                Ok(Some(Err(()))) => daemon.send(&refused(What::Frame, Why::Unknown)),
                Err(_) => {
                    daemon.send(&refused(What::Frame, Why::Invalid));
                    self.daemon = None;
                }
            }
        }
    }
}

fn refused(what: What, why: Why) -> FromKeeper {
    FromKeeper::Refused(Refused { id: 0, what, why })
}

/// The next message; `Some(Err)` for one that is not understood, `Err` for a broken stream.
fn next(link: &mut Link) -> Result<Option<Result<ToKeeper, ()>>, FrameError> {
    let frame = link.decoder.next_frame()?;
    Ok(frame.map(|frame| ToKeeper::decode(frame).map_err(drop)))
}
