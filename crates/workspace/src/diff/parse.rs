//! Git's unified diff of one file, read.

use belfry_protocol::changes::{DiffLine, Hunk, LineKind};

use super::words;

/// Characters of a line that are told: a minified file is one line of megabytes.
const LONGEST: usize = 4000;
/// Bytes of all lines, as JSON, that fit in one answer with all that is around them.
const MOST_BYTES: usize = 700 << 10;
/// What the JSON of a line takes beside its text.
const PER_LINE: usize = 40;

/// A diff.
#[derive(Debug, Default)]
pub(super) struct Parsed {
    pub(super) hunks: Vec<Hunk>,
    pub(super) left_out: u32,
    pub(super) binary: bool,
    pub(super) note: Option<String>,
}

/// Reads a diff; of more than `most` lines only the first.
pub(super) fn parse(patch: &[u8], most: Option<usize>) -> Parsed {
    let mut parsed = Parsed::default();
    let returns = Returns::of(patch);
    let mut told = 0;
    let mut bytes = 0;
    let mut cut_lines = false;
    let mut inside = false;
    for line in patch.split_inclusive(|byte| *byte == b'\n') {
        let line = line.strip_suffix(b"\n").unwrap_or(line);
        if line.starts_with(b"@@ ") {
            inside = true;
            if let Some(hunk) = head(line) {
                parsed.hunks.push(hunk);
            }
            continue;
        }
        if line.starts_with(b"diff --git ") {
            // A file that became a link is told as one that went and one that came.
            inside = false;
        }
        if !inside {
            parsed.binary |= line.starts_with(b"Binary files ") || line == b"GIT binary patch";
            continue;
        }
        let Some(hunk) = parsed.hunks.last_mut() else { continue };
        let kind = match line.first() {
            Some(b'+') => LineKind::Added,
            Some(b'-') => LineKind::Removed,
            Some(b'\\') => {
                if let Some(last) = hunk.lines.last_mut().filter(|_| parsed.left_out == 0) {
                    last.no_newline = true;
                }
                continue;
            }
            _ => LineKind::Context,
        };
        let text = String::from_utf8_lossy(line.get(1..).unwrap_or_default());
        let text = if returns.everywhere { text.strip_suffix('\r').unwrap_or(&text) } else { &text };
        let text = match text.char_indices().nth(LONGEST) {
            Some((at, _)) => {
                cut_lines = true;
                format!("{}…", &text[..at])
            }
            None => text.to_owned(),
        };
        let takes = PER_LINE + text.bytes().map(|byte| if byte < b' ' { 6 } else { 1 }).sum::<usize>();
        if most.is_some_and(|most| told >= most) || bytes + takes > MOST_BYTES {
            parsed.left_out += 1;
            continue;
        }
        told += 1;
        bytes += takes;
        hunk.lines.push(DiffLine { kind, text, words: Vec::new(), no_newline: false });
    }
    parsed.hunks.retain(|hunk| !hunk.lines.is_empty());
    parsed.hunks.iter_mut().for_each(|hunk| words::mark(&mut hunk.lines));
    let mut notes = Vec::new();
    if cut_lines {
        notes.push("Long lines are cut.");
    }
    notes.extend(returns.note());
    parsed.note = (!notes.is_empty()).then(|| notes.join(" "));
    parsed
}

/// How the lines of either side end.
#[derive(Default)]
struct Returns {
    everywhere: bool,
    old: [u32; 2],
    new: [u32; 2],
}

impl Returns {
    fn of(patch: &[u8]) -> Self {
        let mut returns = Self::default();
        let mut inside = false;
        for line in patch.split(|byte| *byte == b'\n') {
            inside |= line.starts_with(b"@@ ");
            let with = usize::from(line.ends_with(b"\r"));
            match line.first() {
                Some(b'-') if inside => returns.old[with] += 1,
                Some(b'+') if inside => returns.new[with] += 1,
                Some(b' ') if inside => {
                    returns.old[with] += 1;
                    returns.new[with] += 1;
                }
                _ => {}
            }
        }
        // A last line without any end has no return either.
        let all = |side: [u32; 2]| side[0] <= 1;
        returns.everywhere = returns.old[1] + returns.new[1] > 0 && all(returns.old) && all(returns.new);
        returns
    }

    fn note(&self) -> Option<&'static str> {
        let (with, without) =
            (|side: [u32; 2]| side[0] == 0 && side[1] > 0, |side: [u32; 2]| side[1] == 0 && side[0] > 0);
        if without(self.old) && with(self.new) {
            Some("Lines ended with LF and end with CR LF now.")
        } else if with(self.old) && without(self.new) {
            Some("Lines ended with CR LF and end with LF now.")
        } else {
            None
        }
    }
}

/// `@@ -1,3 +1,4 @@ fn main() {`
pub(super) fn head(line: &[u8]) -> Option<Hunk> {
    let text = String::from_utf8_lossy(line);
    let (places, heading) = text.strip_prefix("@@ -")?.split_once(" @@")?;
    let (old, new) = places.split_once(" +")?;
    let start = |text: &str| text.split(',').next()?.parse().ok();
    let heading: String = heading.trim().chars().filter(|letter| !letter.is_control()).take(200).collect();
    Some(Hunk { old_start: start(old)?, new_start: start(new)?, heading, lines: Vec::new() })
}

#[cfg(test)]
mod tests {
    use LineKind::{Added, Context, Removed};

    use super::*;

    const PATCH: &[u8] = b"diff --git a/a b/a\nindex 1..2 100644\n--- a/a\n+++ b/a\n\
        @@ -1,3 +1,3 @@ fn main() {\n one\n-let old = 1;\n+let new = 1;\n--- no header\n\\ No newline at end of file\n";

    #[test]
    fn lines_are_what_they_say() {
        let parsed = parse(PATCH, None);
        let hunk = &parsed.hunks[0];
        assert_eq!((hunk.old_start, hunk.new_start, hunk.heading.as_str()), (1, 1, "fn main() {"));
        let kinds: Vec<_> = hunk.lines.iter().map(|line| line.kind).collect();
        assert_eq!(kinds, [Context, Removed, Added, Removed]);
        assert_eq!(hunk.lines[3].text, "-- no header");
        assert!(hunk.lines[3].no_newline);
        assert_eq!(hunk.lines[1].words, [(4, 7)]);
    }

    #[test]
    fn what_is_left_out_is_counted() {
        let parsed = parse(PATCH, Some(3));
        assert_eq!((parsed.hunks[0].lines.len(), parsed.left_out), (3, 1));
        assert!(!parsed.hunks[0].lines[2].no_newline);
    }

    #[test]
    fn ends_of_lines_show_where_they_differ() {
        let same = parse(b"@@ -1 +1 @@\n-a\r\n+b\r\n", None);
        assert_eq!(same.hunks[0].lines[0].text, "a");
        let other = parse(b"@@ -1,2 +1,2 @@\n-a\n-b\n+a\r\n+b\r\n", None);
        assert_eq!(other.hunks[0].lines[2].text, "a\r");
        assert_eq!(other.note.as_deref(), Some("Lines ended with LF and end with CR LF now."));
    }
}
