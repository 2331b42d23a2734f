//! What the daemon can ask for.

use belfry_platform::{clock, process};
use belfry_protocol::keeper::{FromKeeper, Kill, Refused, SignalTarget, Stats, ToKeeper, What, Why};
use rustix::process::{Pid, Signal, kill_process_group};

use super::{Keeper, REPAINT, SIZE_LIMIT};
use crate::ladder::Ladder;

impl Keeper {
    pub(super) fn command(&mut self, message: ToKeeper) {
        match message {
            // Said once; a second one changes nothing.
            ToKeeper::Hello { .. } => {}
            ToKeeper::Ack { offset } => self.acknowledged(offset),
            ToKeeper::Input { id, only_if_offset, bytes } => {
                let taken = self.take_input(only_if_offset, bytes);
                self.answer_input(id, taken);
            }
            ToKeeper::Reply { query_offset, sent_at, bytes } => {
                let taken = self.take_reply(query_offset, sent_at, bytes);
                self.answer(What::Reply, taken);
            }
            ToKeeper::Resize { cols, rows } => {
                let done = self.set_size(cols, rows);
                self.answer(What::Resize, done);
            }
            ToKeeper::Repaint => {
                let done = self.start_repaint();
                self.answer(What::Resize, done);
            }
            ToKeeper::Kill(kill) => self.start_ladder(kill),
            ToKeeper::Signal { signal, target } => {
                let done = self.signal(signal, target);
                self.answer(What::Signal, done);
            }
            ToKeeper::Stat => {
                let stats = self.stats();
                self.send(&FromKeeper::Stat(Box::new(stats)));
            }
        }
    }

    fn send(&mut self, frame: &FromKeeper) {
        if let Some(daemon) = &mut self.daemon {
            daemon.send(frame);
        }
    }

    fn answer(&mut self, what: What, done: Result<(), Why>) {
        if let Err(why) = done {
            self.send(&FromKeeper::Refused(Refused { id: 0, what, why }));
        }
    }

    fn answer_input(&mut self, id: u32, taken: Result<(), Why>) {
        match taken {
            Ok(()) if id != 0 => self.send(&FromKeeper::Taken { id }),
            Ok(()) => {}
            Err(why) => self.send(&FromKeeper::Refused(Refused { id, what: What::Input, why })),
        }
    }

    fn acknowledged(&mut self, offset: u64) {
        let printed = self.recorder.offset();
        if let Some(daemon) = &mut self.daemon {
            daemon.acked = offset.min(printed);
            daemon.unanswered = 0;
        }
    }

    fn take_input(&mut self, only_if_offset: Option<u64>, bytes: Vec<u8>) -> Result<(), Why> {
        if self.pty.is_none() {
            return Err(Why::Ended);
        }
        if let Some(offset) = only_if_offset {
            // What the program has printed and nobody has read yet counts as well.
            self.read_terminal();
            if self.recorder.offset() != offset || !self.input.is_empty() {
                return Err(Why::Changed);
            }
        }
        self.input.push(bytes)?;
        self.write_input();
        Ok(())
    }

    fn take_reply(&mut self, query: u64, asked: u64, bytes: Vec<u8>) -> Result<(), Why> {
        if self.pty.is_none() {
            return Err(Why::Ended);
        }
        self.replies.admit(query, asked, clock::monotonic(), self.recorder.offset())?;
        self.input.push(bytes)?;
        self.write_input();
        Ok(())
    }

    fn set_size(&mut self, cols: u16, rows: u16) -> Result<(), Why> {
        if self.pty.is_none() {
            return Err(Why::Ended);
        }
        if !(1..=SIZE_LIMIT).contains(&cols) || !(1..=SIZE_LIMIT).contains(&rows) {
            return Err(Why::Invalid);
        }
        self.repaint = None;
        if self.resize(cols, rows) { Ok(()) } else { Err(Why::System) }
    }

    fn start_repaint(&mut self) -> Result<(), Why> {
        if self.pty.is_none() {
            return Err(Why::Ended);
        }
        if self.repaint.is_some() {
            return Ok(());
        }
        let (cols, rows) = self.size;
        let other = if rows > 1 { rows - 1 } else { rows + 1 };
        if !self.resize(cols, other) {
            return Err(Why::System);
        }
        self.repaint = Some((clock::monotonic() + REPAINT, (cols, rows)));
        Ok(())
    }

    pub(super) fn start_ladder(&mut self, kill: Kill) {
        if self.end.info().is_none() {
            self.end.asked_for();
        }
        match &mut self.ladder {
            Some(ladder) => ladder.widen(kill.everything),
            None => self.ladder = Some(Ladder::new(kill, clock::monotonic())),
        }
    }

    fn signal(&mut self, number: i32, target: SignalTarget) -> Result<(), Why> {
        if self.end.info().is_some() {
            return Err(Why::Ended);
        }
        let signal = Signal::from_named_raw(number).ok_or(Why::Invalid)?;
        let sent = match target {
            SignalTarget::Program => match process::Identity::of(self.program) {
                Some(program) => process::signal(program, signal),
                None => false,
            },
            SignalTarget::Foreground => {
                let group = self.pty.as_ref().and_then(crate::pty::Pty::foreground);
                group.is_some_and(|group| kill_process_group(group, signal).is_ok())
            }
            SignalTarget::Session => {
                process::session_members(self.program)
                    .iter()
                    .filter(|member| process::signal(member.identity, signal))
                    .count()
                    > 0
            }
        };
        if sent { Ok(()) } else { Err(Why::System) }
    }

    fn stats(&self) -> Stats {
        let foreground = self.pty.as_ref().and_then(crate::pty::Pty::foreground);
        let line = self.pty.as_ref().and_then(crate::pty::Pty::line);
        Stats {
            offset: self.recorder.offset(),
            journal_offset: self.recorder.journal_offset(),
            acked: self.daemon.as_ref().map_or(0, |daemon| daemon.acked),
            input_queued: self.input.len() as u64,
            paused: self.is_paused(),
            foreground: foreground.map_or(0, |group: Pid| group.as_raw_pid().cast_unsigned()),
            tail: self.recorder.tail_len() as u64,
            echo: line.map(|line| line.echo),
            lines: line.map(|line| line.whole),
            front: foreground.and_then(|group| {
                let terminal = self.pty.as_ref()?.device()?;
                crate::front::front(group.as_raw_pid().cast_unsigned(), self.program, terminal)
            }),
        }
    }
}
