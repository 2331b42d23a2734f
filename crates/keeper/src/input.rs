//! Input for the program: a bounded queue that blocks nobody, and the book of terminal replies.

use std::collections::VecDeque;
use std::io;

use belfry_protocol::keeper::{INPUT_QUEUE, REPLY_MAX_AGE, Why};

use crate::pty::Pty;

/// Input that waits for the program to read.
#[derive(Default)]
pub(crate) struct Queue {
    pieces: VecDeque<Vec<u8>>,
    /// Bytes of the first piece that are written.
    written: usize,
    length: usize,
}

impl Queue {
    pub(crate) fn is_empty(&self) -> bool {
        self.pieces.is_empty()
    }

    /// Bytes that wait.
    pub(crate) fn len(&self) -> usize {
        self.length
    }

    /// Takes it whole or not at all: half a paste is worse than none.
    pub(crate) fn push(&mut self, bytes: Vec<u8>) -> Result<(), Why> {
        if self.length + bytes.len() > INPUT_QUEUE {
            return Err(Why::QueueFull);
        }
        if !bytes.is_empty() {
            self.length += bytes.len();
            self.pieces.push_back(bytes);
        }
        Ok(())
    }

    /// Writes until the terminal takes no more; the number of bytes written.
    pub(crate) fn flush(&mut self, pty: &Pty) -> io::Result<usize> {
        let mut total = 0;
        while let Some(piece) = self.pieces.front() {
            let count = pty.write(&piece[self.written..])?;
            total += count;
            self.written += count;
            self.length -= count;
            if self.written == piece.len() {
                self.pieces.pop_front();
                self.written = 0;
            } else if count == 0 {
                break;
            }
        }
        Ok(total)
    }

    /// The program is gone.
    pub(crate) fn clear(&mut self) {
        *self = Self::default();
    }
}

/// Which queries have been answered.
#[derive(Default)]
pub(crate) struct Replies {
    answered: u64,
}

impl Replies {
    /// The offset of the newest answered query.
    pub(crate) fn answered(&self) -> u64 {
        self.answered
    }

    /// Whether a reply may go to the program; if so its query counts as answered.
    pub(crate) fn admit(&mut self, query: u64, asked: u64, now: u64, printed: u64) -> Result<(), Why> {
        if query > printed {
            return Err(Why::Invalid);
        }
        if query <= self.answered {
            return Err(Why::Repeated);
        }
        if now.saturating_sub(asked) >= REPLY_MAX_AGE {
            return Err(Why::TooOld);
        }
        self.answered = query;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_reply_is_given_once_and_in_time() {
        let mut replies = Replies::default();
        let now = 10 * REPLY_MAX_AGE;
        assert_eq!(replies.admit(5, now - 10, now, 4), Err(Why::Invalid));
        assert_eq!(replies.admit(5, now - REPLY_MAX_AGE, now, 9), Err(Why::TooOld));
        assert_eq!(replies.admit(5, now - 10, now, 9), Ok(()));
        assert_eq!(replies.admit(5, now - 10, now, 9), Err(Why::Repeated));
        assert_eq!(replies.admit(4, now - 10, now, 9), Err(Why::Repeated));
        assert_eq!(replies.admit(9, now, now, 9), Ok(()));
        assert_eq!(replies.answered(), 9);
    }

    #[test]
    fn the_queue_takes_all_or_nothing() {
        let mut queue = Queue::default();
        assert_eq!(queue.push(vec![0; INPUT_QUEUE]), Ok(()));
        assert_eq!(queue.push(vec![0; 1]), Err(Why::QueueFull));
        assert_eq!(queue.len(), INPUT_QUEUE);
        queue.clear();
        assert!(queue.is_empty());
    }
}
