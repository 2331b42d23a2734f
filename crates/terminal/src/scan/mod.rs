//! The byte scanner: cuts a stream into text, control characters and whole sequences, and decides what views get of it.
//!
//! There is one parser for everything. What it does not understand, or finds malformed, reaches neither the screen nor
//! a view, so the two cannot be made to disagree. Memory is bounded whatever comes: an unfinished sequence keeps at most
//! [`MAX_OSC`] bytes.

mod params;
mod sequence;
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
                            verdict => put_character(&verdict, c, out),
                        }
                        at += length;
                    }
                    Decoded::Control(length) => at += length,
                    Decoded::Invalid(length) => {
                        let verdict = sink.character(char::REPLACEMENT_CHARACTER);
                        put_character(&verdict, char::REPLACEMENT_CHARACTER, out);
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
            put_character(&sink.character(c), c, out);
        }
    }
}

/// Gives views a character that is not copied from the input.
fn put_character(verdict: &Verdict, c: char, out: &mut ViewWriter<'_>) {
    if *verdict == Verdict::Drop {
        return;
    }
    if let Verdict::Replace(before) = verdict {
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
