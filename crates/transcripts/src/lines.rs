//! Lines of a file, in bounded memory.

use std::io::{self, Read};

use memchr::memchr;

/// Bytes that are read at once, as long as lines are short.
const PIECE: usize = 64 * 1024;
/// Longest line that is kept: pictures in base64 make lines of a few MB.
pub(crate) const LONGEST: usize = 8 * 1024 * 1024;
/// Bytes of a longer line that are kept, to tell of what kind it was.
const HEAD: usize = 256;

/// What is next.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Line<'a> {
    /// A line, without its end.
    Whole(&'a [u8]),
    /// What there is of a line whose end has not been written.
    Unfinished(&'a [u8]),
    /// A line beyond [`LONGEST`]: its beginning, and its length.
    TooLong(&'a [u8], u64),
    /// Nothing.
    End,
}

/// Reads lines from a place that is at the beginning of one.
#[derive(Debug)]
pub(crate) struct Lines<R> {
    input: R,
    longest: usize,
    buffer: Vec<u8>,
    start: usize,
    end: usize,
    /// Where the next line begins.
    next: u64,
}

impl<R: Read> Lines<R> {
    pub(crate) fn new(input: R, offset: u64) -> Self {
        Self::with_longest(input, offset, LONGEST)
    }

    fn with_longest(input: R, offset: u64, longest: usize) -> Self {
        let piece = PIECE.min(longest);
        Self { input, longest, buffer: vec![0; piece], start: 0, end: 0, next: offset }
    }

    /// Where the next line begins. An unfinished one begins there itself.
    pub(crate) fn offset(&self) -> u64 {
        self.next
    }

    pub(crate) fn next(&mut self) -> io::Result<Line<'_>> {
        let mut searched = 0;
        loop {
            let kept = &self.buffer[self.start..self.end];
            if let Some(length) = memchr(b'\n', &kept[searched..]).map(|length| length + searched) {
                let from = self.start;
                self.start += length + 1;
                self.next += length as u64 + 1;
                return Ok(Line::Whole(&self.buffer[from..from + length]));
            }
            searched = kept.len();
            if kept.len() >= self.longest {
                return self.skip();
            }
            if !self.fill()? {
                return Ok(match &self.buffer[self.start..self.end] {
                    [] => Line::End,
                    rest => Line::Unfinished(rest),
                });
            }
        }
    }

    /// Reads on, behind what is kept.
    fn fill(&mut self) -> io::Result<bool> {
        if self.start > 0 {
            self.buffer.copy_within(self.start..self.end, 0);
            self.end -= self.start;
            self.start = 0;
        }
        if self.end == self.buffer.len() {
            let longer = (self.buffer.len() * 2).min(self.longest);
            self.buffer.resize(longer, 0);
        }
        loop {
            match self.input.read(&mut self.buffer[self.end..]) {
                Ok(0) => return Ok(false),
                Ok(read) => {
                    self.end += read;
                    return Ok(true);
                }
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
    }

    /// Goes over a line that is too long. One without an end is left for the next time.
    fn skip(&mut self) -> io::Result<Line<'_>> {
        let head = HEAD.min(self.end - self.start);
        self.buffer.copy_within(self.start..self.start + head, 0);
        let mut length = (self.end - self.start) as u64;
        loop {
            self.start = head;
            self.end = head;
            if !self.fill_after(head)? {
                // The next reading begins at the line again; nothing of it is kept until then.
                self.start = 0;
                self.end = 0;
                return Ok(Line::End);
            }
            let read = &self.buffer[head..self.end];
            if let Some(rest) = memchr(b'\n', read) {
                length += rest as u64;
                self.start = head + rest + 1;
                self.next += length + 1;
                return Ok(Line::TooLong(&self.buffer[..head], length));
            }
            length += read.len() as u64;
        }
    }

    fn fill_after(&mut self, head: usize) -> io::Result<bool> {
        loop {
            match self.input.read(&mut self.buffer[head..]) {
                Ok(0) => return Ok(false),
                Ok(read) => {
                    self.end = head + read;
                    return Ok(true);
                }
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Gives a few bytes at a time.
    struct Slow<'a>(&'a [u8], usize);

    impl Read for Slow<'_> {
        fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
            let take = self.1.min(into.len()).min(self.0.len());
            into[..take].copy_from_slice(&self.0[..take]);
            self.0 = &self.0[take..];
            Ok(take)
        }
    }

    fn all(bytes: &[u8], piece: usize, longest: usize) -> (Vec<String>, u64) {
        let mut lines = Lines::with_longest(Slow(bytes, piece), 100, longest);
        let mut found = Vec::new();
        loop {
            let at = lines.offset();
            let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
            let shown = match lines.next().unwrap() {
                Line::End => break,
                Line::Whole(line) => text(line),
                Line::Unfinished(line) => {
                    found.push(format!("…{}", text(line)));
                    break;
                }
                Line::TooLong(head, length) => format!("{}+{length}", text(head)),
            };
            found.push(format!("{at} {shown}"));
        }
        (found, lines.offset())
    }

    #[test]
    fn lines_are_the_same_in_any_pieces() {
        for piece in 1..40 {
            let (lines, offset) = all(b"one\n\ntwo two\nthr", piece, 1000);
            assert_eq!(lines, ["100 one", "104 ", "105 two two", "…thr"], "{piece}");
            assert_eq!(offset, 113);
        }
    }

    #[test]
    fn a_long_line_is_passed_over() {
        let mut bytes = b"a\n".to_vec();
        bytes.extend(vec![b'x'; 3000]);
        bytes.extend(b"\nb\n");
        for piece in [1, 7, 255, 256, 257, 1000, 5000] {
            let (lines, offset) = all(&bytes, piece, 1024);
            assert_eq!(lines, ["100 a", &format!("102 {}+3000", "x".repeat(256)), "3103 b"], "{piece}");
            assert_eq!(offset, 3105);
            // Its end is still to come.
            let (lines, offset) = all(&bytes[..2500], piece, 1024);
            assert_eq!((lines, offset), (vec!["100 a".to_owned()], 102));
        }
    }
}
