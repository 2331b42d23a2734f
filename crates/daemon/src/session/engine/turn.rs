//! One turn: from the journal through the terminal to the views.

use std::cell::RefCell;

use belfry_journal::{Gap, What};
use belfry_protocol::keeper::{ToKeeper, most_doorbells};
use belfry_status::Observation;
use belfry_terminal::{EventKind, Options, Reply, Size, Terminal};
use bytes::Bytes;

use super::watching::known;
use super::{Engine, Link, OpenView};
use crate::local::bridge::Bridge;
use crate::watch::{Known, Watch};

/// Bytes of output in one turn, before others get theirs.
const TURN: u64 = 64 * 1024;

/// The same while a session floods. The terminal passes over lines that nobody can see any more by a piece's end, so that
/// large pieces cost less than their parts.
const FLOOD_TURN: u64 = 256 * 1024;

/// Output bytes after which the keeper is told how far we are although there is more to read, long before it would pause.
const ACK_EVERY: u64 = 512 * 1024;

thread_local! {
    /// The buffers that all engines of a thread read their journals with.
    static SCRATCH: RefCell<Scratch> = const { RefCell::new(Scratch { read: Vec::new(), output: Vec::new() }) };
}

struct Scratch {
    read: Vec<u8>,
    output: Vec<u8>,
}

/// Output that follows on each other, not yet fed.
struct Piece<'a> {
    bytes: &'a mut Vec<u8>,
    offset: u64,
    /// When the first of it was printed, for the answers to its queries.
    printed_at: u64,
}

/// What a turn came to.
#[derive(Default)]
struct Turn {
    printed: usize,
    events: Vec<EventKind>,
    gap: bool,
    resized: Option<Size>,
}

/// Where output goes.
struct Feed<'a> {
    terminal: &'a mut Terminal,
    watch: &'a mut Watch,
    known: Option<Known<'a>>,
    now: u64,
    views: &'a mut [OpenView],
    link: Option<&'a Link>,
    /// tmux is the terminal that the program asks.
    adopted: bool,
    turn: Turn,
}

impl Feed<'_> {
    fn output(&mut self, bytes: &[u8], offset: u64, printed_at: u64) {
        if bytes.is_empty() {
            return;
        }
        self.turn.printed += bytes.len();
        let fed = self.terminal.feed(bytes, offset);
        if let Some(link) = self.link {
            let adopted = self.adopted;
            let ours = |reply: &Reply| super::adopted::is_ours_to_answer(adopted, &reply.bytes);
            for reply in fed.replies.into_iter().filter(ours) {
                link.send(&ToKeeper::Reply {
                    query_offset: reply.query_offset,
                    sent_at: printed_at,
                    bytes: reply.bytes,
                });
            }
        }
        let events = self.turn.events.len();
        self.turn.events.extend(fed.events.into_iter().map(|event| event.kind));
        if !self.views.is_empty() && !fed.view.is_empty() {
            let offset = fed.view.offset;
            let bytes = Bytes::from(fed.view.bytes.into_owned());
            self.views.iter_mut().for_each(|view| view.flow.output(offset, &bytes));
        }
        let events = self.turn.events.get(events..).unwrap_or_default();
        self.watch.printed(self.terminal, self.known, bytes.len(), events, self.now);
    }

    fn piece(&mut self, piece: &mut Piece<'_>) {
        self.output(piece.bytes, piece.offset, piece.printed_at);
        piece.bytes.clear();
    }

    fn resize(&mut self, cols: u16, rows: u16) {
        let size = Size::new(cols, rows).clamped();
        if size != self.terminal.size() {
            self.terminal.resize(size);
            self.views.iter_mut().for_each(|view| view.flow.resized(size));
            self.watch.resized(self.terminal, self.now);
        }
        self.turn.resized = Some(size);
    }

    /// What was on the screen cannot be known: begin anew, at the same place.
    fn gap(&mut self, gap: Gap, options: Options) {
        let mut fresh = Terminal::new(Size::new(gap.size.0, gap.size.1), options);
        fresh.feed(&[], gap.to);
        *self.terminal = fresh;
        self.turn.gap = true;
        self.views.iter_mut().for_each(|view| view.flow.miss());
    }
}

impl Engine {
    /// Takes in some of what is new. True when there is more.
    pub(super) fn turn(&mut self) -> bool {
        if !self.following.rung {
            return false;
        }
        let Some(journal) = self.following.journal.as_mut() else {
            self.following.rung = false;
            return false;
        };
        let budget = if self.following.flooding { FLOOD_TURN } else { TURN };
        let skip_size = &mut self.following.skip_size;
        let now = self.daemon.clock.now();
        let adopted = Bridge::of(&self.entry.record()).is_some();
        let mut feed = Feed {
            terminal: &mut self.terminal,
            watch: &mut self.watch,
            known: known(&self.agents, &self.agent_id, self.version.as_deref()),
            now,
            views: &mut self.views,
            link: self.following.link.as_deref(),
            adopted,
            turn: Turn::default(),
        };
        let daemon = &self.daemon;
        let polled = SCRATCH.with_borrow_mut(|scratch| {
            let mut piece = Piece { bytes: &mut scratch.output, offset: 0, printed_at: 0 };
            let polled = journal.poll(&mut scratch.read, budget, |entry| match entry.what {
                What::Output(bytes) => {
                    *skip_size = false;
                    if piece.bytes.is_empty() {
                        (piece.offset, piece.printed_at) = (entry.offset, entry.stamp.mono);
                    }
                    piece.bytes.extend_from_slice(bytes);
                }
                // The size that a segment began with, told because it was entered in its middle: the terminal knows better.
                What::Resize { .. } if std::mem::take(skip_size) => {}
                What::Resize { cols, rows } => {
                    feed.piece(&mut piece);
                    feed.resize(cols, rows);
                }
                What::Gap(gap) => {
                    *skip_size = false;
                    feed.piece(&mut piece);
                    feed.gap(gap, daemon.terminal_options());
                }
                What::Input { .. } | What::Exit(_) => {}
            });
            feed.piece(&mut piece);
            polled
        });
        let turn = feed.turn;
        let more = match polled {
            Ok(progress) => !progress.caught_up,
            Err(error) => {
                tracing::warn!(session = %self.entry.logged(), %error, "the journal cannot be read on");
                false
            }
        };
        self.following.flooding = more;
        self.after(turn);
        if !more && !self.awaits_front {
            let now = self.now();
            self.watch.arbiter().observe(Observation::CaughtUp, now);
        }
        // At half of what it rings without an answer, so that it is never silent while we read.
        self.acknowledge(!more && self.following.unanswered >= most_doorbells(self.following.speaks) / 2);
        self.following.rung = more;
        if !more {
            self.end_if_read();
        }
        more
    }

    /// Output that never reaches the journal, because the disk is full.
    pub(super) fn tail(&mut self, offset: u64, bytes: &[u8]) {
        let now = self.daemon.clock.now();
        let adopted = Bridge::of(&self.entry.record()).is_some();
        let mut feed = Feed {
            terminal: &mut self.terminal,
            watch: &mut self.watch,
            known: known(&self.agents, &self.agent_id, self.version.as_deref()),
            now,
            views: &mut self.views,
            link: self.following.link.as_deref(),
            adopted,
            turn: Turn::default(),
        };
        feed.output(bytes, offset, crate::clock::monotonic_micros());
        let turn = feed.turn;
        if let Some(journal) = self.following.journal.as_mut() {
            journal.skip_to(self.terminal.offset());
        }
        self.after(turn);
        self.acknowledge(true);
    }

    fn after(&mut self, turn: Turn) {
        let now = self.now();
        if turn.gap {
            self.notice(Some(
                "some output is missing, because it was printed while no daemon ran".to_owned(),
            ));
            if let Some(link) = &self.following.link {
                link.send(&ToKeeper::Repaint);
            }
        }
        if let Some(size) = turn.resized {
            self.daemon.change(&self.entry, |session| {
                (session.cols, session.rows) = (size.cols, size.rows);
            });
        }
        self.observe_output(turn.printed, now);
        if turn.printed > 0 && self.entry.beside {
            self.daemon.runs.signs.note(self.entry.id);
        }
        for event in turn.events {
            self.event(event, now);
        }
    }

    /// Tells the keeper how far we are where it may wait for that, or is to be told.
    fn acknowledge(&mut self, owed: bool) {
        let offset = self.terminal.offset();
        if let Some(link) = &self.following.link
            && (owed || offset >= self.following.acked + ACK_EVERY)
        {
            link.send(&ToKeeper::Ack { offset });
            self.following.acked = offset;
            self.following.unanswered = 0;
        }
    }
}
