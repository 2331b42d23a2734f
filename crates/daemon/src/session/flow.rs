//! What one view is sent, and when: credit, backlog, snapshots.
//!
//! Pure: it decides, the engine does. Output within the credit goes out at once; what exceeds it waits up to
//! [`MOST_BACKLOG`] bytes; past that the view is *stale*: nothing is kept for it, and when it has credit again it gets one
//! snapshot in place of all it missed. A snapshot that was begun is always finished, however much is printed meanwhile, so
//! that a slow client under a flood still sees whole screens.

use std::collections::VecDeque;

use belfry_protocol::frame::{MAX_PIECE, OUTPUT_SNAPSHOT_BEGIN, OUTPUT_SNAPSHOT_END, OUTPUT_SNAPSHOT_FULL};
use belfry_terminal::Size;
use bytes::Bytes;

/// Bytes of output that wait for a view's credit before it is brought up to date by a snapshot instead.
pub(crate) const MOST_BACKLOG: usize = 256 * 1024;

/// Most bytes of credit that a view can hold: bounds what a client that grants and does not read can make us queue.
const MOST_CREDIT: u64 = 1 << 20;

/// Least time between two snapshots that replace skipped output, in milliseconds. Twenty full screens a second are more
/// than can be read, and drawing more would take time from the program.
const SNAPSHOT_EVERY: u64 = 50;

/// One thing to send to a view.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Send {
    /// An output frame.
    Output { offset: u64, flags: u8, bytes: Bytes },
    /// The session has another size from here on.
    Size(Size),
}

#[derive(Clone, Debug)]
enum Item {
    Live { offset: u64, bytes: Bytes },
    Snapshot { offset: u64, flags: u8, bytes: Bytes },
    Size(Size),
}

/// The state of one view.
#[derive(Debug)]
pub(crate) struct Flow {
    credit: u64,
    queue: VecDeque<Item>,
    /// Bytes of live output in the queue.
    backlog: usize,
    /// Snapshot pieces in the queue.
    snapshots: usize,
    stale: bool,
    held: bool,
    /// The whole scrollback is wanted with the next snapshot.
    full: bool,
    /// The size that the client was told last.
    size: Size,
    last_snapshot: Option<u64>,
    /// Another size is on its way; until then, or until it has come, a snapshot would be drawn for nothing.
    resizing_until: u64,
}

impl Flow {
    /// A view that has nothing yet and is told a size by the answer to its opening.
    pub(crate) fn new(credit: u64, size: Size) -> Self {
        Self {
            credit: credit.min(MOST_CREDIT),
            queue: VecDeque::new(),
            backlog: 0,
            snapshots: 0,
            stale: true,
            held: false,
            full: false,
            size,
            last_snapshot: None,
            resizing_until: 0,
        }
    }

    /// The client can take that much more.
    pub(crate) fn grant(&mut self, bytes: u64) {
        self.credit = (self.credit + bytes).min(MOST_CREDIT);
    }

    /// While held, no snapshot replaces what the view shows.
    pub(crate) fn hold(&mut self, held: bool) {
        self.held = held;
    }

    /// The session is about to have another size: the first snapshot can wait for it until then.
    pub(crate) fn resizing(&mut self, until: u64) {
        if self.last_snapshot.is_none() {
            self.resizing_until = until;
        }
    }

    /// The person wants the whole scrollback.
    pub(crate) fn fetch(&mut self) {
        self.full = true;
    }

    /// The program printed this; `offset` is the one after it.
    pub(crate) fn output(&mut self, offset: u64, bytes: &Bytes) {
        if self.stale || bytes.is_empty() {
            return;
        }
        if self.backlog + bytes.len() > MOST_BACKLOG.max(bytes.len()) {
            self.miss();
            return;
        }
        self.backlog += bytes.len();
        self.queue.push_back(Item::Live { offset, bytes: bytes.clone() });
    }

    /// What comes next cannot be followed (skipped output, a restored terminal): a snapshot is needed.
    pub(crate) fn miss(&mut self) {
        self.stale = true;
        self.backlog = 0;
        self.queue.retain(|item| matches!(item, Item::Snapshot { .. }));
    }

    /// The terminal has another size from here on.
    pub(crate) fn resized(&mut self, size: Size) {
        self.resizing_until = 0;
        if !self.stale {
            self.queue.push_back(Item::Size(size));
        }
    }

    /// Whether a snapshot should be taken now; with the whole scrollback when `Some(true)`.
    pub(crate) fn wants_snapshot(&self, now: u64) -> Option<bool> {
        if self.snapshots > 0 || self.credit == 0 || now < self.resizing_until {
            return None;
        }
        if self.full {
            return Some(true);
        }
        let due = self.last_snapshot.is_none_or(|last| now >= last + SNAPSHOT_EVERY);
        (self.stale && !self.held && due).then_some(false)
    }

    /// When to ask [`Self::wants_snapshot`] again although nothing happened.
    pub(crate) fn again_at(&self, now: u64) -> Option<u64> {
        let due = self.last_snapshot.map_or(0, |last| last + SNAPSHOT_EVERY).max(self.resizing_until);
        (self.stale && !self.held && self.snapshots == 0 && self.credit > 0 && due > now).then_some(due)
    }

    /// A snapshot of the terminal as it is: replaces all that waits.
    pub(crate) fn snapshot(&mut self, bytes: &Bytes, offset: u64, size: Size, full: bool, now: u64) {
        self.queue.clear();
        self.backlog = 0;
        self.stale = false;
        self.full = self.full && !full;
        self.last_snapshot = Some(now);
        if size != self.size {
            self.queue.push_back(Item::Size(size));
        }
        let pieces = bytes.len().div_ceil(MAX_PIECE).max(1);
        self.snapshots = pieces;
        for index in 0..pieces {
            let piece = bytes.slice(index * MAX_PIECE..bytes.len().min((index + 1) * MAX_PIECE));
            let mut flags = if full { OUTPUT_SNAPSHOT_FULL } else { 0 };
            if index == 0 {
                flags |= OUTPUT_SNAPSHOT_BEGIN;
            }
            if index + 1 == pieces {
                flags |= OUTPUT_SNAPSHOT_END;
            }
            self.queue.push_back(Item::Snapshot { offset, flags, bytes: piece });
        }
    }

    /// The next thing that the credit allows.
    pub(crate) fn next(&mut self) -> Option<Send> {
        match self.queue.pop_front()? {
            Item::Size(size) => {
                self.size = size;
                Some(Send::Size(size))
            }
            Item::Live { offset, mut bytes } => {
                let now = self.take(&mut bytes);
                let Some(now) = now else {
                    self.queue.push_front(Item::Live { offset, bytes });
                    return None;
                };
                self.backlog -= now.len();
                let left = bytes.len() as u64;
                if left > 0 {
                    self.queue.push_front(Item::Live { offset, bytes });
                }
                Some(Send::Output { offset: offset - left.min(offset), flags: 0, bytes: now })
            }
            Item::Snapshot { offset, flags, mut bytes } => {
                // An empty terminal has an empty snapshot, which costs nothing and must arrive.
                let now = if bytes.is_empty() { Some(Bytes::new()) } else { self.take(&mut bytes) };
                let Some(now) = now else {
                    self.queue.push_front(Item::Snapshot { offset, flags, bytes });
                    return None;
                };
                if bytes.is_empty() {
                    self.snapshots -= 1;
                    return Some(Send::Output { offset, flags, bytes: now });
                }
                let rest = flags & !OUTPUT_SNAPSHOT_BEGIN;
                self.queue.push_front(Item::Snapshot { offset, flags: rest, bytes });
                Some(Send::Output { offset, flags: flags & !OUTPUT_SNAPSHOT_END, bytes: now })
            }
        }
    }

    /// As many bytes as the credit and a frame allow.
    fn take(&mut self, bytes: &mut Bytes) -> Option<Bytes> {
        let most = usize::try_from(self.credit).unwrap_or(usize::MAX).min(bytes.len()).min(MAX_PIECE);
        if most == 0 {
            return None;
        }
        self.credit -= most as u64;
        Some(bytes.split_to(most))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SIZE: Size = Size::new(80, 24);

    fn drain(flow: &mut Flow) -> Vec<Send> {
        std::iter::from_fn(|| flow.next()).collect()
    }

    fn opened(credit: u64) -> Flow {
        let mut flow = Flow::new(credit, SIZE);
        assert_eq!(flow.wants_snapshot(0), Some(false));
        flow.snapshot(&Bytes::from_static(b"screen"), 10, SIZE, false, 0);
        assert_eq!(drain(&mut flow).len(), 1);
        flow
    }

    #[test]
    fn output_goes_out_within_the_credit_and_waits_beyond_it() {
        let mut flow = opened(6 + 4);
        flow.output(16, &Bytes::from_static(b"abcdef"));
        let first = Send::Output { offset: 14, flags: 0, bytes: Bytes::from_static(b"abcd") };
        assert_eq!(drain(&mut flow), [first]);
        flow.grant(100);
        let rest = Send::Output { offset: 16, flags: 0, bytes: Bytes::from_static(b"ef") };
        assert_eq!(drain(&mut flow), [rest]);
    }

    #[test]
    fn a_view_that_falls_behind_gets_one_snapshot() {
        let mut flow = opened(6);
        let piece = Bytes::from(vec![b'x'; MAX_PIECE]);
        for turn in 1..=20 {
            flow.output(10 + turn * MAX_PIECE as u64, &piece);
        }
        assert_eq!(drain(&mut flow), []);
        assert_eq!(flow.wants_snapshot(1000), None, "no credit");
        flow.grant(50);
        assert_eq!(flow.wants_snapshot(20), None, "too soon after the last");
        assert_eq!(flow.again_at(20), Some(50));
        assert_eq!(flow.wants_snapshot(50), Some(false));
        flow.hold(true);
        assert_eq!(flow.wants_snapshot(60), None, "held");
        flow.hold(false);
        flow.snapshot(&Bytes::from_static(b"new"), 99, SIZE, false, 60);
        assert_eq!(drain(&mut flow).len(), 1);
    }

    #[test]
    fn the_first_snapshot_waits_for_the_size_that_it_is_for() {
        let mut flow = Flow::new(10, SIZE);
        flow.resizing(50);
        assert_eq!((flow.wants_snapshot(0), flow.again_at(0)), (None, Some(50)));
        assert_eq!(flow.wants_snapshot(50), Some(false), "not for ever");
        flow.resized(Size::new(100, 30));
        assert_eq!(flow.wants_snapshot(1), Some(false));
    }

    #[test]
    fn a_snapshot_is_finished_whatever_is_printed_meanwhile() {
        let mut flow = Flow::new(10, SIZE);
        flow.fetch();
        assert_eq!(flow.wants_snapshot(0), Some(true));
        flow.snapshot(&Bytes::from(vec![b's'; 25]), 5, SIZE, true, 0);
        let mut flags = Vec::new();
        for turn in 0..40u64 {
            flow.output(5 + turn, &Bytes::from(vec![b'x'; MAX_PIECE]));
            assert_eq!(flow.wants_snapshot(1000), None);
            flags.extend(drain(&mut flow).into_iter().map(|sent| match sent {
                Send::Output { flags, bytes, .. } => (flags, bytes.len()),
                Send::Size(_) => panic!("the size did not change"),
            }));
            if turn == 2 || turn == 30 {
                flow.grant(10);
            }
            if flags.iter().any(|(flags, _)| flags & OUTPUT_SNAPSHOT_END != 0) {
                break;
            }
        }
        let full = OUTPUT_SNAPSHOT_FULL;
        assert_eq!(flags[..2], [(full | OUTPUT_SNAPSHOT_BEGIN, 10), (full, 10)]);
        assert_eq!(flags[2], (full | OUTPUT_SNAPSHOT_END, 5));
    }

    #[test]
    fn the_size_is_told_before_what_is_drawn_for_it() {
        let mut flow = opened(1000);
        let wide = Size::new(100, 30);
        flow.output(11, &Bytes::from_static(b"a"));
        flow.resized(wide);
        flow.output(12, &Bytes::from_static(b"b"));
        let kinds: Vec<_> = drain(&mut flow).iter().map(|sent| matches!(sent, Send::Size(_))).collect();
        assert_eq!(kinds, [false, true, false]);
        flow.miss();
        flow.snapshot(&Bytes::new(), 13, SIZE, false, 99);
        let sent = drain(&mut flow);
        assert_eq!(sent[0], Send::Size(SIZE));
        let both = OUTPUT_SNAPSHOT_BEGIN | OUTPUT_SNAPSHOT_END;
        assert_eq!(sent[1], Send::Output { offset: 13, flags: both, bytes: Bytes::new() });
    }
}
