//! What is printed in throughput runs, the same in every run.

use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::Path;

use anyhow::Result;

const WORDS: [&str; 16] = [
    "error",
    "warning",
    "compiling",
    "src/main.rs",
    "the",
    "session",
    "token",
    "0x7fff5fbff8",
    "passed",
    "failed",
    "in",
    "12.4ms",
    "->",
    "function",
    "returns",
    "unexpected",
];

/// A file of at least that many bytes.
pub(crate) fn write(path: &Path, bytes: usize, line: fn(usize) -> String) -> Result<u64> {
    let mut out = BufWriter::new(File::create(path)?);
    let mut written = 0;
    for number in 0.. {
        let line = line(number);
        out.write_all(line.as_bytes())?;
        written += line.len();
        if written >= bytes {
            break;
        }
    }
    out.flush()?;
    Ok(written as u64)
}

/// A line of words, 60 to 110 columns.
pub(crate) fn plain_line(number: usize) -> String {
    let mut line = format!("{number:08} ");
    for place in 0..8 + number % 5 {
        line.push_str(WORDS[(number * 7 + place * 3) % WORDS.len()]);
        line.push(' ');
    }
    line.push('\n');
    line
}

/// A line of words with a colour for each, as a build or a log prints them.
pub(crate) fn colored_line(number: usize) -> String {
    let mut line = format!("\x1b[2m{number:08}\x1b[0m ");
    for place in 0..8 + number % 5 {
        let color = (number + place * 5) % 216 + 16;
        let word = WORDS[(number * 7 + place * 3) % WORDS.len()];
        line.extend(["\x1b[38;5;", &color.to_string(), "m", word, "\x1b[0m "]);
    }
    line.push('\n');
    line
}
