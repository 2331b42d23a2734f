//! The byte scanner: cuts a stream into text, control characters and whole sequences, and decides what views get of it.
//!
//! There is one parser for everything. What it does not understand, or finds malformed, reaches neither the screen nor
//! a view, so the two cannot be made to disagree. Memory is bounded whatever comes: an unfinished sequence keeps at most
//! [`MAX_OSC`] bytes.

mod params;
mod utf8;
mod view;

pub(crate) use params::Params;
pub(crate) use view::ViewWriter;

use utf8::Decoded;

/// Longest string of an OSC: room for 100 KB of clipboard in base64. Longer ones are swallowed.
pub(crate) const MAX_OSC: usize = 160 * 1024;
/// Longest control sequence. The longest real ones, SGR with many colours, have about 200 bytes.
const MAX_CSI: usize = 1024;
/// Control characters inside an unfinished sequence that are kept to be executed at its end.
const MAX_DEFERRED: usize = 64;

/// What views get of a sequence.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Verdict {
    Keep,
    Drop,
    /// Something else in its place.
    Replace(Vec<u8>),
    /// The sequence, then something more.
    KeepAnd(Vec<u8>),
}

/// A control sequence (CSI).
#[derive(Debug)]
pub(crate) struct Csi<'a> {
    pub(crate) params: &'a Params,
    /// `<`, `=`, `>` or `?`, else 0.
    pub(crate) prefix: u8,
    /// The one intermediate that any known sequence has, else 0.
    pub(crate) intermediate: u8,
    pub(crate) last: u8,
}

impl Csi<'_> {
    /// As it is written without anything superfluous.
    pub(crate) fn write(&self, out: &mut Vec<u8>) {
        out.extend_from_slice(b"\x1b[");
        out.extend([self.prefix].into_iter().filter(|&b| b != 0));
        self.params.write(out);
        out.extend([self.intermediate, self.last].into_iter().filter(|&b| b != 0));
    }
}

/// Takes what the scanner finds. Offsets are those after the last byte.
pub(crate) trait Sink {
    /// Printable ASCII. What is given back comes before it in views.
    fn text(&mut self, run: &[u8]) -> Option<Vec<u8>>;
    /// Another character; `Verdict::Replace` takes what views get before it.
    fn character(&mut self, c: char) -> Verdict;
    /// C0; `false` to keep it from views.
    fn control(&mut self, byte: u8, offset: u64) -> bool;
    fn csi(&mut self, csi: &Csi<'_>, offset: u64) -> Verdict;
    fn esc(&mut self, intermediate: u8, last: u8, offset: u64) -> Verdict;
    /// `text` has no control characters; `bell` tells how it was ended.
    fn osc(&mut self, text: &str, bell: bool, offset: u64) -> Verdict;
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum State {
    #[default]
    Ground,
    Escape,
    /// After an escape with one intermediate, or more (0xff: none known).
    EscapeIntermediate(u8),
    CsiStart,
    Csi,
    CsiIntermediate,
    CsiIgnore,
    Osc,
    /// An escape inside: the string ends here, with or without the backslash.
    OscEscape,
    /// Device control and other strings nobody needs.
    Skip,
    SkipEscape,
}

/// State between pieces.
#[derive(Debug, Default)]
pub(crate) struct Scanner {
    state: State,
    params: Params,
    prefix: u8,
    intermediate: u8,
    /// Final byte of the control sequence that was dispatched last.
    last: u8,
    /// Bytes of the control sequence so far.
    length: usize,
    string: Vec<u8>,
    overlong: bool,
    /// Control characters that came inside the sequence.
    deferred: Vec<u8>,
    /// Offset where the unfinished sequence or character starts.
    begin: u64,
    /// The sequence cannot be copied from the input as it stands.
    rewritten: bool,
    partial: [u8; 4],
    partial_len: usize,
}

impl Scanner {
    /// Offset of the first byte that has had no effect yet, given the offset of all that came.
    pub(crate) fn settled(&self, offset: u64) -> u64 {
        if self.state == State::Ground && self.partial_len == 0 { offset } else { self.begin }
    }

    /// Forgets an unfinished sequence.
    pub(crate) fn abort(&mut self) {
        *self = Self::default();
    }

    /// Whether nothing is unfinished.
    pub(crate) fn is_idle(&self) -> bool {
        self.state == State::Ground && self.partial_len == 0
    }

    /// Scans `bytes` from index `from` on. The first of all has offset `base`, and is also the first of `out`'s input.
    pub(crate) fn feed(
        &mut self,
        bytes: &[u8],
        from: usize,
        base: u64,
        sink: &mut impl Sink,
        out: &mut ViewWriter<'_>,
    ) {
        let mut at = from;
        let mut start = from;
        self.rewritten = true;
        while at < bytes.len() {
            match self.state {
                State::Ground => {
                    if self.partial_len > 0 {
                        self.finish_character(bytes[at], &mut at, sink, out);
                        continue;
                    }
                    at = self.ground(bytes, at, base, sink, out);
                    if at < bytes.len() && bytes[at] == 0x1b {
                        start = at;
                        self.begin = base + at as u64;
                        self.rewritten = false;
                        self.state = State::Escape;
                        at += 1;
                    }
                }
                State::Osc => {
                    at += self.osc_bytes(&bytes[at..]);
                    let Some(&byte) = bytes.get(at) else { break };
                    at += 1;
                    match byte {
                        0x07 => {
                            self.state = State::Ground;
                            self.dispatch_osc(true, (start, at), base + at as u64, sink, out);
                        }
                        0x1b => self.state = State::OscEscape,
                        _ => self.state = State::Ground,
                    }
                }
                State::Skip => at += self.skip_bytes(&bytes[at..]),
                _ => at += usize::from(self.step(bytes[at], at, start, base, sink, out)),
            }
        }
    }

    /// Text and control characters up to an escape or the end. A whole control sequence is handled here as well, being
    /// by far the most frequent.
    fn ground(
        &mut self,
        bytes: &[u8],
        mut at: usize,
        base: u64,
        sink: &mut impl Sink,
        out: &mut ViewWriter<'_>,
    ) -> usize {
        while at < bytes.len() {
            let run = ascii_run(&bytes[at..]);
            if run > 0 {
                if let Some(before) = sink.text(&bytes[at..at + run]) {
                    out.push(&before);
                }
                out.keep(at, at + run);
                at += run;
                continue;
            }
            match bytes[at] {
                0x1b => match self.whole_csi(&bytes[at..]) {
                    Some(length) => {
                        let verdict =
                            self.dispatch_csi(bytes[at + length - 1], base + (at + length) as u64, sink);
                        self.rewritten = false;
                        self.put(verdict, at, at + length, out, Scanner::write_csi);
                        at += length;
                    }
                    None => return at,
                },
                byte @ 0..=0x1f => {
                    if sink.control(byte, base + at as u64 + 1) {
                        out.keep(at, at + 1);
                    }
                    at += 1;
                }
                0x7f => at += 1,
                _ => match utf8::decode(&bytes[at..]) {
                    Decoded::Char(c, length) => {
                        match sink.character(c) {
                            Verdict::Keep => out.keep(at, at + length),
                            verdict => put_character(verdict, c, out),
                        }
                        at += length;
                    }
                    Decoded::Control(length) => at += length,
                    Decoded::Invalid(length) => {
                        let verdict = sink.character(char::REPLACEMENT_CHARACTER);
                        put_character(verdict, char::REPLACEMENT_CHARACTER, out);
                        at += length;
                    }
                    Decoded::Incomplete => {
                        let rest = &bytes[at..];
                        self.partial[..rest.len()].copy_from_slice(rest);
                        self.partial_len = rest.len();
                        self.begin = base + at as u64;
                        return bytes.len();
                    }
                },
            }
        }
        at
    }

    /// Goes on with a character that was cut by a piece's end.
    fn finish_character(&mut self, byte: u8, at: &mut usize, sink: &mut impl Sink, out: &mut ViewWriter<'_>) {
        self.partial[self.partial_len] = byte;
        self.partial_len += 1;
        let character = match utf8::decode(&self.partial[..self.partial_len]) {
            Decoded::Incomplete => {
                *at += 1;
                return;
            }
            Decoded::Char(c, _) => {
                *at += 1;
                Some(c)
            }
            Decoded::Control(_) => {
                *at += 1;
                None
            }
            // The new byte is not part of it and is looked at again.
            Decoded::Invalid(_) => Some(char::REPLACEMENT_CHARACTER),
        };
        self.partial_len = 0;
        if let Some(c) = character {
            put_character(sink.character(c), c, out);
        }
    }

    /// Length of the control sequence at the start of `bytes`, when it is whole and well-formed.
    fn whole_csi(&mut self, bytes: &[u8]) -> Option<usize> {
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
    fn step(
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

    fn escape(
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

    fn csi(
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

    fn dispatch_csi(&mut self, last: u8, offset: u64, sink: &mut impl Sink) -> Verdict {
        let csi = Csi { params: &self.params, prefix: self.prefix, intermediate: self.intermediate, last };
        self.last = last;
        sink.csi(&csi, offset)
    }

    /// The sequence that was just dispatched, in its plainest form.
    fn write_csi(&self, out: &mut Vec<u8>) {
        let csi = Csi {
            params: &self.params,
            prefix: self.prefix,
            intermediate: self.intermediate,
            last: self.last,
        };
        csi.write(out);
    }

    fn dispatch_esc(
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
    fn osc_bytes(&mut self, bytes: &[u8]) -> usize {
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
    fn skip_bytes(&mut self, bytes: &[u8]) -> usize {
        match memchr::memchr3(0x1b, 0x18, 0x1a, bytes) {
            None => bytes.len(),
            Some(at) => {
                self.state = if bytes[at] == 0x1b { State::SkipEscape } else { State::Ground };
                at + 1
            }
        }
    }

    fn dispatch_osc(
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
        let text = match clean(&string) {
            Some(text) => text,
            None => {
                self.rewritten = true;
                cleaned(&string)
            }
        };
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
    fn put(
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
    fn end_sequence(&mut self, offset: u64, sink: &mut impl Sink, out: &mut ViewWriter<'_>) {
        self.run_deferred(offset, sink, out);
        self.state = State::Ground;
    }

    fn run_deferred(&mut self, offset: u64, sink: &mut impl Sink, out: &mut ViewWriter<'_>) {
        for byte in std::mem::take(&mut self.deferred) {
            if sink.control(byte, offset) {
                out.push(&[byte]);
            }
        }
    }
}

/// Gives views a character that is not copied from the input.
fn put_character(verdict: Verdict, c: char, out: &mut ViewWriter<'_>) {
    if verdict == Verdict::Drop {
        return;
    }
    if let Verdict::Replace(before) = &verdict {
        out.push(before);
    }
    out.push(c.encode_utf8(&mut [0; 4]).as_bytes());
}

/// The character at the start of `bytes`, when it is one and no control function.
pub(crate) fn character(bytes: &[u8]) -> Option<char> {
    match utf8::decode(bytes) {
        Decoded::Char(c, _) => Some(c),
        _ => None,
    }
}

/// Length of the run of printable ASCII at the start.
fn ascii_run(bytes: &[u8]) -> usize {
    const STEP: usize = 16;
    let plain = |b: u8| b.wrapping_sub(0x20) < 0x5f;
    let mut at = 0;
    while let Some(chunk) = bytes.get(at..at + STEP) {
        if !chunk.iter().fold(true, |all, &b| all & plain(b)) {
            break;
        }
        at += STEP;
    }
    at + bytes[at..].iter().position(|&b| !plain(b)).unwrap_or(bytes.len() - at)
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
