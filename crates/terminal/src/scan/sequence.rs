//! What comes between an escape and the end of its sequence.

use super::{Csi, MAX_CSI, MAX_DEFERRED, MAX_OSC, Scanner, Sink, State, Verdict, ViewWriter};

impl Scanner {
    /// Length of the control sequence at the start of `bytes`, when it is whole and well-formed.
    pub(super) fn whole_csi(&mut self, bytes: &[u8]) -> Option<usize> {
        if bytes.get(1) != Some(&b'[') {
            return None;
        }
        self.params.clear();
        self.prefix = 0;
        self.intermediate = 0;
        let mut at = 2;
        if let Some(&byte @ b'<'..=b'?') = bytes.get(2) {
            self.prefix = byte;
            at = 3;
        }
        let end = bytes.len().min(MAX_CSI);
        while at < end {
            let byte = bytes[at];
            at += 1;
            match byte {
                b'0'..=b'9' if self.intermediate == 0 => self.params.digit(byte),
                b';' | b':' if self.intermediate == 0 => self.params.separator(byte == b':'),
                0x20..=0x2f if self.intermediate == 0 => self.intermediate = byte,
                0x40..=0x7e => return Some(at),
                _ => return None,
            }
        }
        None
    }

    /// One byte inside a sequence. Returns whether it was used up.
    pub(super) fn step(
        &mut self,
        byte: u8,
        at: usize,
        start: usize,
        base: u64,
        sink: &mut impl Sink,
        out: &mut ViewWriter<'_>,
    ) -> bool {
        let offset = base + at as u64 + 1;
        if matches!(self.state, State::OscEscape | State::SkipEscape) {
            let osc = self.state == State::OscEscape;
            let closed = byte == b'\\';
            if osc {
                self.rewritten |= !closed;
                let end = if closed { offset } else { offset - 1 };
                self.dispatch_osc(false, (start, at + 1), end, sink, out);
            }
            self.state = if closed { State::Ground } else { State::Escape };
            if !closed {
                // The escape began something else, which is therefore not in one piece with its first byte.
                self.begin = offset - 2;
                self.rewritten = true;
            }
            return closed;
        }
        match byte {
            0x18 | 0x1a => {
                self.end_sequence(offset, sink, out);
                return true;
            }
            0x1b => {
                self.end_sequence(offset, sink, out);
                self.state = State::Escape;
                self.begin = offset - 1;
                // `start` still names the sequence that was given up.
                self.rewritten = true;
                return true;
            }
            0..=0x1f => {
                if self.deferred.len() < MAX_DEFERRED {
                    self.deferred.push(byte);
                }
                self.rewritten = true;
                return true;
            }
            0x7f => {
                self.rewritten = true;
                return true;
            }
            0x80.. => {
                self.end_sequence(offset, sink, out);
                return false;
            }
            _ => (),
        }
        match self.state {
            State::Escape => self.escape(byte, at, start, offset, sink, out),
            State::EscapeIntermediate(intermediate) => {
                if byte < 0x30 {
                    self.state = State::EscapeIntermediate(0xff);
                } else {
                    self.dispatch_esc(intermediate, byte, (start, at + 1), offset, sink, out);
                }
            }
            _ => self.csi(byte, at, start, offset, sink, out),
        }
        true
    }

    pub(super) fn escape(
        &mut self,
        byte: u8,
        at: usize,
        start: usize,
        offset: u64,
        sink: &mut impl Sink,
        out: &mut ViewWriter<'_>,
    ) {
        match byte {
            b'[' => {
                self.params.clear();
                self.prefix = 0;
                self.intermediate = 0;
                self.length = 0;
                self.state = State::CsiStart;
            }
            b']' => {
                self.string.clear();
                self.overlong = false;
                self.state = State::Osc;
            }
            b'P' | b'X' | b'^' | b'_' => self.state = State::Skip,
            0x20..=0x2f => self.state = State::EscapeIntermediate(byte),
            _ => self.dispatch_esc(0, byte, (start, at + 1), offset, sink, out),
        }
    }

    pub(super) fn csi(
        &mut self,
        byte: u8,
        at: usize,
        start: usize,
        offset: u64,
        sink: &mut impl Sink,
        out: &mut ViewWriter<'_>,
    ) {
        self.length += 1;
        if self.length > MAX_CSI {
            self.state = State::CsiIgnore;
        }
        match (self.state, byte) {
            (State::CsiIgnore, 0x40..) => self.end_sequence(offset, sink, out),
            (State::CsiIgnore, _) => (),
            (State::CsiStart, b'<'..=b'?') => {
                self.prefix = byte;
                self.state = State::Csi;
            }
            (State::CsiStart | State::Csi, b'0'..=b'9') => {
                self.params.digit(byte);
                self.state = State::Csi;
            }
            (State::CsiStart | State::Csi, b';' | b':') => {
                self.params.separator(byte == b':');
                self.state = State::Csi;
            }
            (State::CsiStart | State::Csi, 0x20..=0x2f) => {
                self.intermediate = byte;
                self.state = State::CsiIntermediate;
            }
            (_, 0x40..) => {
                self.run_deferred(offset, sink, out);
                let verdict = self.dispatch_csi(byte, offset, sink);
                self.put(verdict, start, at + 1, out, Scanner::write_csi);
                self.state = State::Ground;
            }
            _ => self.state = State::CsiIgnore,
        }
    }

    pub(super) fn dispatch_csi(&mut self, last: u8, offset: u64, sink: &mut impl Sink) -> Verdict {
        let csi = Csi { params: &self.params, prefix: self.prefix, intermediate: self.intermediate, last };
        self.last = last;
        sink.csi(&csi, offset)
    }

    /// The sequence that was just dispatched, in its plainest form.
    pub(super) fn write_csi(&self, out: &mut Vec<u8>) {
        let csi = Csi {
            params: &self.params,
            prefix: self.prefix,
            intermediate: self.intermediate,
            last: self.last,
        };
        csi.write(out);
    }

    pub(super) fn dispatch_esc(
        &mut self,
        intermediate: u8,
        last: u8,
        span: (usize, usize),
        offset: u64,
        sink: &mut impl Sink,
        out: &mut ViewWriter<'_>,
    ) {
        self.run_deferred(offset, sink, out);
        let verdict = sink.esc(intermediate, last, offset);
        self.put(verdict, span.0, span.1, out, |_, bytes| {
            bytes.push(0x1b);
            bytes.extend([intermediate, last].into_iter().filter(|&b| b != 0));
        });
        self.state = State::Ground;
    }

    /// Takes the bytes of a string up to what ends it; returns how many.
    pub(super) fn osc_bytes(&mut self, bytes: &[u8]) -> usize {
        let end = bytes.iter().position(|&b| matches!(b, 0x07 | 0x18 | 0x1a | 0x1b)).unwrap_or(bytes.len());
        if self.string.len() + end > MAX_OSC {
            self.overlong = true;
            self.string = Vec::new();
        }
        if !self.overlong {
            self.string.extend_from_slice(&bytes[..end]);
        }
        end
    }

    /// Passes over the bytes of a string; returns how many.
    pub(super) fn skip_bytes(&mut self, bytes: &[u8]) -> usize {
        match memchr::memchr3(0x1b, 0x18, 0x1a, bytes) {
            None => bytes.len(),
            Some(at) => {
                self.state = if bytes[at] == 0x1b { State::SkipEscape } else { State::Ground };
                at + 1
            }
        }
    }

    pub(super) fn dispatch_osc(
        &mut self,
        bell: bool,
        span: (usize, usize),
        offset: u64,
        sink: &mut impl Sink,
        out: &mut ViewWriter<'_>,
    ) {
        let string = std::mem::take(&mut self.string);
        if self.overlong {
            return;
        }
        let text = clean(&string);
        self.rewritten |= text.is_none();
        let text = text.unwrap_or_else(|| cleaned(&string));
        let verdict = sink.osc(&text, bell, offset);
        self.put(verdict, span.0, span.1, out, |_, bytes| {
            bytes.extend_from_slice(b"\x1b]");
            bytes.extend_from_slice(text.as_bytes());
            bytes.extend_from_slice(b"\x1b\\");
        });
        if string.capacity() < 4096 {
            // Short strings are frequent; their memory is used again.
            self.string = string;
            self.string.clear();
        }
    }

    /// Gives views what a sequence's verdict says.
    pub(super) fn put(
        &self,
        verdict: Verdict,
        start: usize,
        end: usize,
        out: &mut ViewWriter<'_>,
        write: impl FnOnce(&Self, &mut Vec<u8>),
    ) {
        let keep = |out: &mut ViewWriter<'_>| {
            if self.rewritten {
                let mut bytes = Vec::new();
                write(self, &mut bytes);
                out.push(&bytes);
            } else {
                out.keep(start, end);
            }
        };
        match verdict {
            Verdict::Keep => keep(out),
            Verdict::Drop => (),
            Verdict::Replace(bytes) => out.push(&bytes),
            Verdict::KeepAnd(bytes) => {
                keep(out);
                out.push(&bytes);
            }
        }
    }

    /// Gives up the sequence; what came inside it is executed.
    pub(super) fn end_sequence(&mut self, offset: u64, sink: &mut impl Sink, out: &mut ViewWriter<'_>) {
        self.run_deferred(offset, sink, out);
        self.state = State::Ground;
    }

    pub(super) fn run_deferred(&mut self, offset: u64, sink: &mut impl Sink, out: &mut ViewWriter<'_>) {
        for byte in std::mem::take(&mut self.deferred) {
            if sink.control(byte, offset) {
                out.push(&[byte]);
            }
        }
    }
}

/// A string that is already as views should get it.
fn clean(bytes: &[u8]) -> Option<String> {
    let text = std::str::from_utf8(bytes).ok()?;
    (!text.chars().any(char::is_control)).then(|| text.to_owned())
}

/// A string without what is no text.
fn cleaned(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).chars().filter(|c| !c.is_control()).collect()
}
