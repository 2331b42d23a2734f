//! Writing asciicast v2.

use std::io::Write as _;
use std::path::Path;

use anyhow::Result;
use serde_json::json;

/// Events of a recording.
#[derive(Debug, Default)]
pub(super) struct Cast {
    lines: Vec<String>,
    /// The beginning of a character that the program has not printed to its end.
    rest: Vec<u8>,
}

impl Cast {
    pub(super) fn output(&mut self, at_ms: u64, bytes: &[u8]) {
        self.rest.extend_from_slice(bytes);
        let whole = match std::str::from_utf8(&self.rest) {
            Ok(text) => text.len(),
            Err(error) if error.error_len().is_none() => error.valid_up_to(),
            Err(_) => self.rest.len(),
        };
        let left = self.rest.split_off(whole);
        let text = String::from_utf8_lossy(&self.rest).into_owned();
        self.rest = left;
        if !text.is_empty() {
            self.event(at_ms, "o", &text);
        }
    }

    pub(super) fn event(&mut self, at_ms: u64, kind: &str, text: &str) {
        self.lines.push(json!([at_ms as f64 / 1000.0, kind, text]).to_string());
    }

    /// Writes it as an LZ4 frame.
    pub(super) fn write(&self, path: &Path, size: (u16, u16), title: &str) -> Result<()> {
        let head = json!({
            "version": 2, "width": size.0, "height": size.1, "env": { "TERM": "xterm-256color" }, "title": title
        });
        let mut out = lz4_flex::frame::FrameEncoder::new(std::fs::File::create(path)?);
        writeln!(out, "{head}")?;
        for line in &self.lines {
            writeln!(out, "{line}")?;
        }
        out.finish()?;
        Ok(())
    }
}
