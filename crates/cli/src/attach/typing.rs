//! What was typed, and how far it is known to have come. A connection that breaks may take typed bytes with it; then
//! that is said, since nothing else tells that a line was never run.

use std::collections::VecDeque;

/// Typed bytes on their way.
#[derive(Debug, Default)]
pub(super) struct Typing {
    /// Not handed to any connection yet: the next one takes it.
    unsent: VecDeque<Vec<u8>>,
    /// Bytes handed to this connection.
    sent: u64,
    /// Of those, the ones that the daemon is known to have read.
    read: u64,
    /// Thrown away, since too much waited.
    dropped: usize,
}

impl Typing {
    pub(super) fn push(&mut self, bytes: Vec<u8>) {
        self.unsent.push_back(bytes);
    }

    pub(super) fn dropped(&mut self, bytes: usize) {
        self.dropped += bytes;
    }

    /// What is to be sent next.
    pub(super) fn front(&self) -> Option<&[u8]> {
        self.unsent.front().map(Vec::as_slice)
    }

    /// The connection has taken the front; how many bytes that were.
    pub(super) fn sent(&mut self) -> usize {
        let length = self.unsent.pop_front().map_or(0, |bytes| bytes.len());
        self.sent += length as u64;
        length
    }

    /// How far it is: an answer to a question that is asked now will stand for this.
    pub(super) fn mark(&self) -> u64 {
        self.sent
    }

    /// The daemon has read up to a mark.
    pub(super) fn read(&mut self, mark: u64) {
        self.read = self.read.max(mark);
    }

    /// Bytes that were sent and are not known to have been read.
    pub(super) fn unsure(&self) -> u64 {
        self.sent - self.read
    }

    /// All bytes of which nobody knows that they arrived.
    pub(super) fn not_arrived(&self) -> u64 {
        self.unsure() + self.unsent.iter().map(|bytes| bytes.len() as u64).sum::<u64>()
    }

    /// The connection has ended; bytes that may be lost with it.
    pub(super) fn lost(&mut self) -> u64 {
        let lost = self.unsure();
        (self.sent, self.read) = (0, 0);
        lost
    }

    /// Bytes that were thrown away since the last time.
    pub(super) fn take_dropped(&mut self) -> usize {
        std::mem::take(&mut self.dropped)
    }
}

/// A number of bytes, for people.
pub(super) fn bytes(count: u64) -> String {
    if count == 1 { "1 byte".to_owned() } else { format!("{count} bytes") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_not_known_to_be_read_is_counted() {
        let mut typing = Typing::default();
        typing.push(b"abc".to_vec());
        typing.push(b"de".to_vec());
        assert_eq!(typing.front(), Some(b"abc".as_slice()));
        assert_eq!((typing.sent(), typing.mark()), (3, 3));
        assert_eq!((typing.unsure(), typing.not_arrived()), (3, 5));
        typing.read(3);
        assert_eq!((typing.unsure(), typing.not_arrived()), (0, 2));
        typing.sent();
        assert_eq!(typing.lost(), 2);
        assert_eq!((typing.unsure(), typing.front()), (0, None));
    }

    #[test]
    fn what_no_connection_took_waits_for_the_next() {
        let mut typing = Typing::default();
        typing.push(b"abc".to_vec());
        assert_eq!(typing.lost(), 0);
        assert_eq!(typing.front(), Some(b"abc".as_slice()));
    }
}
