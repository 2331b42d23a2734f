//! Changes to files as unified diffs.

use std::fmt::Write as _;

use serde_json::Value;

use crate::clean;
use crate::json::{items, number};

/// Lines that are the same, shown around a change.
const CONTEXT: usize = 3;
/// A diff is not made longer than this; what is kept of a text is less.
const LONGEST: usize = 2 * clean::LONGEST;

/// A text that took the place of another, somewhere in the file.
pub(crate) fn replaced(into: &mut String, old: &str, new: &str) {
    let old: Vec<&str> = old.lines().collect();
    let new: Vec<&str> = new.lines().collect();
    let same = |(a, b): &(&&str, &&str)| a == b;
    let before = old.iter().zip(&new).take_while(same).count();
    let most = old.len().min(new.len()) - before;
    let after = old.iter().rev().zip(new.iter().rev()).take(most).take_while(same).count();
    let from = before.saturating_sub(CONTEXT);
    let shown_after = after.min(CONTEXT);
    into.push_str("@@\n");
    lines(into, ' ', &old[from..before]);
    lines(into, '-', &old[before..old.len() - after]);
    lines(into, '+', &new[before..new.len() - after]);
    lines(into, ' ', &old[old.len() - after..old.len() - after + shown_after]);
}

/// A file that was written or deleted whole.
pub(crate) fn whole(into: &mut String, from: &str, to: &str, mark: char, text: &str) {
    header(into, from, to);
    into.push_str("@@\n");
    for line in text.lines() {
        lines(into, mark, &[line]);
    }
}

/// The file that the hunks after it are of.
pub(crate) fn header(into: &mut String, from: &str, to: &str) {
    let _ = writeln!(into, "--- {from}\n+++ {to}");
}

/// Hunks as Claude Code writes them down: an object with places and marked lines for each. None where there are none.
pub(crate) fn hunks(file: &str, hunks: &Value) -> Option<String> {
    let mut diff = String::new();
    for hunk in items(hunks) {
        let place = |field: &str| number(&hunk[field]);
        let lines = items(&hunk["lines"]);
        if lines.is_empty() {
            continue;
        }
        if diff.is_empty() {
            header(&mut diff, file, file);
        }
        let (old, new) = ((place("oldStart"), place("oldLines")), (place("newStart"), place("newLines")));
        let _ = writeln!(diff, "@@ -{},{} +{},{} @@", old.0, old.1, new.0, new.1);
        for line in lines.iter().filter_map(Value::as_str) {
            push(&mut diff, line);
        }
    }
    (!diff.is_empty()).then_some(diff)
}

fn lines(into: &mut String, mark: char, lines: &[&str]) {
    for line in lines {
        if into.len() > LONGEST {
            return;
        }
        into.push(mark);
        push(into, line);
    }
}

fn push(into: &mut String, line: &str) {
    if into.len() <= LONGEST {
        into.push_str(clean::upto(line, LONGEST));
        into.push('\n');
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn only_what_differs_is_marked() {
        let mut diff = String::new();
        replaced(&mut diff, "a\nb\nc\nd\ne\nf", "a\nb\nc\nd\nX\nY\nf");
        assert_eq!(diff, "@@\n b\n c\n d\n-e\n+X\n+Y\n f\n");
        for (old, new, expected) in [
            ("", "x", "@@\n+x\n"),
            ("x", "", "@@\n-x\n"),
            ("x", "x", "@@\n x\n"),
            ("x\nx", "x", "@@\n x\n-x\n"),
            ("x", "x\nx\nx", "@@\n x\n+x\n+x\n"),
        ] {
            let mut diff = String::new();
            replaced(&mut diff, old, new);
            assert_eq!(diff, expected, "{old:?} {new:?}");
        }
    }

    #[test]
    fn hunks_have_places() {
        let given =
            json!([{ "oldStart": 3, "oldLines": 1, "newStart": 3, "newLines": 2, "lines": [" a", "+b"] }, 7]);
        assert_eq!(hunks("f", &given).unwrap(), "--- f\n+++ f\n@@ -3,1 +3,2 @@\n a\n+b\n");
        assert_eq!(hunks("f", &json!([])), None);
        assert_eq!(hunks("f", &json!("odd")), None);
    }
}
