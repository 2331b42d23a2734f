//! Puts the page's pieces back into the order in which the page numbered them.
//!
//! Each piece is a request of its own, and nothing promises that a web view delivers requests in the order of their
//! making. Keystrokes must never swap, so the page counts and this restores.

use std::collections::BTreeMap;

/// More than this many pieces ahead of a missing one means that it will never come.
const MOST_AHEAD: usize = 1024;

/// Pieces that came early, and the number of the next one due.
#[derive(Debug, Default)]
pub(super) struct InOrder {
    next: u64,
    early: BTreeMap<u64, Vec<u8>>,
}

/// A piece that can have no place in the stream.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum OutOfPlace {
    /// Its number was used before.
    Repeated,
    /// A piece before it has been missing for too long.
    Gap,
}

impl InOrder {
    /// Takes a piece and returns, in order, all that are due now.
    pub(super) fn take(&mut self, sequence: u64, piece: Vec<u8>) -> Result<Vec<Vec<u8>>, OutOfPlace> {
        if sequence < self.next || self.early.contains_key(&sequence) {
            return Err(OutOfPlace::Repeated);
        }
        if sequence > self.next && self.early.len() >= MOST_AHEAD {
            return Err(OutOfPlace::Gap);
        }
        self.early.insert(sequence, piece);
        let mut due = Vec::new();
        while let Some(piece) = self.early.remove(&self.next) {
            self.next += 1;
            due.push(piece);
        }
        Ok(due)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn piece(byte: u8) -> Vec<u8> {
        vec![byte]
    }

    #[test]
    fn passes_pieces_in_order_straight_on() {
        let mut order = InOrder::default();
        for number in 0..5u8 {
            assert_eq!(order.take(u64::from(number), piece(number)), Ok(vec![piece(number)]));
        }
    }

    #[test]
    fn holds_early_pieces_until_the_missing_one_comes() {
        let mut order = InOrder::default();
        assert_eq!(order.take(2, piece(2)), Ok(vec![]));
        assert_eq!(order.take(1, piece(1)), Ok(vec![]));
        assert_eq!(order.take(0, piece(0)), Ok(vec![piece(0), piece(1), piece(2)]));
        assert_eq!(order.take(3, piece(3)), Ok(vec![piece(3)]));
    }

    #[test]
    fn refuses_a_number_used_twice() {
        let mut order = InOrder::default();
        assert_eq!(order.take(0, piece(0)), Ok(vec![piece(0)]));
        assert_eq!(order.take(0, piece(9)), Err(OutOfPlace::Repeated));
        assert_eq!(order.take(5, piece(5)), Ok(vec![]));
        assert_eq!(order.take(5, piece(9)), Err(OutOfPlace::Repeated));
    }

    #[test]
    fn gives_up_on_a_piece_that_never_comes() {
        let mut order = InOrder::default();
        for number in 1..=MOST_AHEAD as u64 {
            assert_eq!(order.take(number, piece(0)), Ok(vec![]));
        }
        assert_eq!(order.take(MOST_AHEAD as u64 + 1, piece(0)), Err(OutOfPlace::Gap));
    }
}
