//! One turn: from the journal through the terminal to the views.

use std::cell::RefCell;

use belfry_journal::What;
use belfry_protocol::keeper::ToKeeper;
use belfry_terminal::{EventKind, Size, Terminal};
use bytes::Bytes;

use super::Engine;

/// Bytes of output in one turn, before others get theirs (DESIGN section 6).
const TURN: u64 = 64 * 1024;

/// Output bytes after which the keeper is told how far we are although there is more to read, long before it would pause.
const ACK_EVERY: u64 = 512 * 1024;

thread_local! {
    /// The buffer that all engines of a thread read their journals with.
    static SCRATCH: RefCell<Vec<u8>> = const { RefCell::new(Vec::new()) };
}

/// What a turn came to.
#[derive(Default)]
struct Turn {
    printed: usize,
    events: Vec<EventKind>,
    /// For views, not yet given to them.
    view: Vec<u8>,
    view_offset: u64,
    gap: bool,
    resized: Option<Size>,
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
        let mut turn = Turn::default();
        let daemon = &self.daemon;
        let (terminal, views, link) = (&mut self.terminal, &mut self.views, self.following.link.as_deref());
        let polled = SCRATCH.with_borrow_mut(|scratch| {
            journal.poll(scratch, TURN, |entry| match entry.what {
                What::Output(bytes) => {
                    turn.printed += bytes.len();
                    let fed = terminal.feed(bytes, entry.offset);
                    if let Some(link) = link {
                        for reply in fed.replies {
                            link.send(&ToKeeper::Reply {
                                query_offset: reply.query_offset,
                                sent_at: entry.stamp.mono,
                                bytes: reply.bytes,
                            });
                        }
                    }
                    turn.events.extend(fed.events.into_iter().map(|event| event.kind));
                    if !views.is_empty() {
                        turn.view.extend_from_slice(&fed.view);
                        turn.view_offset = fed.view.offset;
                    }
                }
                What::Resize { cols, rows } => {
                    let size = Size::new(cols, rows).clamped();
                    if size != terminal.size() {
                        turn.give(views);
                        terminal.resize(size);
                        views.iter_mut().for_each(|view| view.flow.resized(size));
                    }
                    turn.resized = Some(size);
                }
                What::Gap(gap) => {
                    // What was on the screen cannot be known: begin anew, at the same place.
                    let size = Size::new(gap.size.0, gap.size.1);
                    let mut fresh = Terminal::new(size, daemon.terminal_options());
                    fresh.feed(&[], gap.to);
                    *terminal = fresh;
                    turn.view.clear();
                    turn.gap = true;
                    views.iter_mut().for_each(|view| view.flow.miss());
                }
                What::Input { .. } | What::Exit(_) => {}
            })
        });
        turn.give(&mut self.views);
        let more = match polled {
            Ok(progress) => !progress.caught_up,
            Err(error) => {
                tracing::warn!(session = %self.entry.id, %error, "the journal cannot be read on");
                false
            }
        };
        self.after(turn);
        self.acknowledge(!more);
        self.following.rung = more;
        if !more {
            self.end_if_read();
        }
        more
    }

    /// Output that never reaches the journal, because the disk is full.
    pub(super) fn tail(&mut self, offset: u64, bytes: &[u8]) {
        let mut turn = Turn { printed: bytes.len(), ..Turn::default() };
        let fed = self.terminal.feed(bytes, offset);
        if let Some(link) = self.following.link.as_deref() {
            for reply in fed.replies {
                link.send(&ToKeeper::Reply {
                    query_offset: reply.query_offset,
                    sent_at: crate::clock::monotonic_micros(),
                    bytes: reply.bytes,
                });
            }
        }
        turn.events.extend(fed.events.into_iter().map(|event| event.kind));
        turn.view.extend_from_slice(&fed.view);
        turn.view_offset = fed.view.offset;
        turn.give(&mut self.views);
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
            self.touched(now);
            self.daemon.change(&self.entry, |session| {
                (session.cols, session.rows) = (size.cols, size.rows);
            });
        }
        self.observe_output(turn.printed, now);
        for event in turn.events {
            self.event(event, now);
        }
    }

    fn acknowledge(&mut self, caught_up: bool) {
        let offset = self.terminal.offset();
        if let Some(link) = &self.following.link
            && (caught_up || offset >= self.following.acked + ACK_EVERY)
        {
            // When caught up this also answers the doorbell, even where nothing new was found.
            link.send(&ToKeeper::Ack { offset });
            self.following.acked = offset;
        }
    }
}

impl Turn {
    /// Gives the views what they were not given yet.
    fn give(&mut self, views: &mut [super::OpenView]) {
        if self.view.is_empty() {
            return;
        }
        let bytes = Bytes::from(std::mem::take(&mut self.view));
        views.iter_mut().for_each(|view| view.flow.output(self.view_offset, &bytes));
    }
}
