//! Lines of an asciicast: a header and one array an event, with the time in seconds since the beginning.

use serde_json::json;

/// Pause that stands for the time between two runs, in microseconds.
const BETWEEN_RUNS: u64 = 1_000_000;

/// Writes one recording.
pub(super) struct Asciicast {
    title: String,
    started: i64,
    header: bool,
    /// Monotonic time of the present run's first event.
    run_start: Option<u64>,
    /// Recording time of the present run's first event, and of the newest event, in microseconds.
    base: u64,
    now: u64,
    size: Option<(u16, u16)>,
    /// Bytes of a character whose rest has not been printed yet.
    torn: Vec<u8>,
}

impl Asciicast {
    /// `started` is in seconds since 1970.
    pub(super) fn new(title: &str, started: i64) -> Self {
        Self {
            title: title.to_owned(),
            started,
            header: false,
            run_start: None,
            base: 0,
            now: 0,
            size: None,
            torn: Vec::new(),
        }
    }

    /// The events of another run follow. Its terminal is a new one.
    pub(super) fn begin_run(&mut self, out: &mut Vec<u8>) {
        self.flush_torn(out);
        if self.header {
            self.base = self.now + BETWEEN_RUNS;
            self.now = self.base;
            self.event(out, "o", "\u{1b}c");
        }
        self.run_start = None;
    }

    pub(super) fn resize(&mut self, out: &mut Vec<u8>, mono: u64, cols: u16, rows: u16) {
        self.at(mono);
        if self.size == Some((cols, rows)) {
            return;
        }
        self.size = Some((cols, rows));
        if self.header {
            self.event(out, "r", &format!("{cols}x{rows}"));
        } else {
            self.head(out);
        }
    }

    pub(super) fn output(&mut self, out: &mut Vec<u8>, mono: u64, bytes: &[u8]) {
        self.at(mono);
        self.head(out);
        let whole;
        let bytes = if self.torn.is_empty() {
            bytes
        } else {
            whole = [std::mem::take(&mut self.torn).as_slice(), bytes].concat();
            &whole
        };
        let end = whole_characters(bytes);
        self.torn = bytes[end..].to_vec();
        if end > 0 {
            let text = String::from_utf8_lossy(&bytes[..end]).into_owned();
            self.event(out, "o", &text);
        }
    }

    /// Output is missing: says so, on a line of its own.
    pub(super) fn gap(&mut self, out: &mut Vec<u8>, mono: u64, bytes: u64) {
        self.at(mono);
        self.head(out);
        self.flush_torn(out);
        self.event(out, "o", &format!("\u{1b}c[{bytes} bytes of output are missing here]\r\n"));
    }

    /// Nothing follows.
    pub(super) fn end(&mut self, out: &mut Vec<u8>) {
        self.head(out);
        self.flush_torn(out);
    }

    fn at(&mut self, mono: u64) {
        // Stamps of a size that was in force before the first record are 0.
        if mono == 0 {
            return;
        }
        let start = *self.run_start.get_or_insert(mono);
        self.now = self.now.max(self.base + mono.saturating_sub(start));
    }

    fn head(&mut self, out: &mut Vec<u8>) {
        if self.header {
            return;
        }
        self.header = true;
        let (width, height) = *self.size.get_or_insert((80, 24));
        let header = json!({
            "version": 2,
            "width": width,
            "height": height,
            "timestamp": self.started,
            "title": self.title,
            "env": { "TERM": "xterm-256color" },
        });
        line(out, &header);
    }

    fn event(&mut self, out: &mut Vec<u8>, kind: &str, data: &str) {
        line(out, &json!([self.now as f64 / 1e6, kind, data]));
    }

    fn flush_torn(&mut self, out: &mut Vec<u8>) {
        if !self.torn.is_empty() {
            let text = String::from_utf8_lossy(&std::mem::take(&mut self.torn)).into_owned();
            self.event(out, "o", &text);
        }
    }
}

fn line(out: &mut Vec<u8>, value: &serde_json::Value) {
    // A Vec takes every byte, and the values have nothing that could fail.
    let _ = serde_json::to_writer(&mut *out, value);
    out.push(b'\n');
}

/// Length of what ends with a whole character: a last one that is only begun is left out, so that it is not torn between
/// two events.
pub(crate) fn whole_characters(bytes: &[u8]) -> usize {
    let len = bytes.len();
    for back in 1..=len.min(3) {
        let byte = bytes[len - back];
        if byte & 0b1100_0000 == 0b1000_0000 {
            continue;
        }
        let needed = match byte {
            0xc2..=0xdf => 2,
            0xe0..=0xef => 3,
            0xf0..=0xf4 => 4,
            _ => 1,
        };
        return if needed > back { len - back } else { len };
    }
    len
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(out: &[u8]) -> Vec<serde_json::Value> {
        std::str::from_utf8(out).unwrap().lines().map(|line| serde_json::from_str(line).unwrap()).collect()
    }

    #[test]
    fn a_recording_has_its_times_sizes_and_whole_characters() {
        let mut cast = Asciicast::new("demo", 1_700_000_000);
        let mut out = Vec::new();
        cast.begin_run(&mut out);
        cast.resize(&mut out, 0, 80, 24);
        cast.output(&mut out, 5_000_000, b"a\xe2\x82");
        cast.output(&mut out, 5_500_000, b"\xac\xff");
        cast.resize(&mut out, 6_000_000, 100, 30);
        cast.begin_run(&mut out);
        cast.resize(&mut out, 0, 100, 30);
        cast.output(&mut out, 9_000_000, b"b");
        cast.end(&mut out);
        let lines = lines(&out);
        assert_eq!((lines[0]["version"].as_u64(), lines[0]["width"].as_u64()), (Some(2), Some(80)));
        assert_eq!(
            lines[1..],
            [
                json!([0.0, "o", "a"]),
                json!([0.5, "o", "€\u{fffd}"]),
                json!([1.0, "r", "100x30"]),
                json!([2.0, "o", "\u{1b}c"]),
                json!([2.0, "o", "b"]),
            ]
        );
    }

    #[test]
    fn an_empty_recording_is_still_one() {
        let mut out = Vec::new();
        Asciicast::new("x", 0).end(&mut out);
        assert_eq!(lines(&out).len(), 1);
    }
}
