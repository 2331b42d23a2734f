//! Finding a text in a stream of pieces.

/// Looks for a text across pieces.
#[derive(Debug)]
pub(crate) struct Mark {
    text: &'static [u8],
    tail: Vec<u8>,
}

impl Mark {
    pub(crate) fn new(text: &'static str) -> Self {
        Self { text: text.as_bytes(), tail: Vec::new() }
    }

    /// Whether the text is in what has been seen, up to and with this piece.
    pub(crate) fn seen(&mut self, piece: &[u8]) -> bool {
        // Only the piece's beginning can complete what the last one began.
        let head = piece.len().min(self.text.len());
        self.tail.extend_from_slice(&piece[..head]);
        let found = has(&self.tail, self.text) || has(piece, self.text);
        if piece.len() >= self.text.len() {
            self.tail.clear();
            self.tail.extend_from_slice(&piece[piece.len() - self.text.len()..]);
        } else if self.tail.len() > self.text.len() {
            self.tail.drain(..self.tail.len() - self.text.len());
        }
        found
    }
}

fn has(bytes: &[u8], text: &[u8]) -> bool {
    let Some(first) = text.first() else { return true };
    let mut rest = bytes;
    // A plain byte search first: the measurement must not cost more than what is measured.
    while let Some(at) = rest.iter().position(|byte| byte == first) {
        if rest[at..].starts_with(text) {
            return true;
        }
        rest = &rest[at + 1..];
    }
    false
}
