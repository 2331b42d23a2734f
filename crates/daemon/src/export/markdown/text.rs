//! Texts of others inside a Markdown document, so that nothing in one of them reaches beyond its end: an unclosed fence, a tag
//! that hides what follows, a heading that passes for the document's own.

use std::fmt::Write as _;

/// A text that is Markdown itself, as models write it. Its headings come below the document's own; where it may leave something
/// open, it is quoted instead.
pub(super) fn markdown(text: &str) -> String {
    contained(text).unwrap_or_else(|| quoted(text))
}

/// None where a fence is left open, or may end earlier than it seems.
fn contained(text: &str) -> Option<String> {
    let mut out = String::with_capacity(text.len() + 64);
    let mut fence: Option<Fence> = None;
    for line in text.lines() {
        if let Some(open) = &fence {
            // In a list, a line that stands further out ends the item and the fence with it.
            if !line.trim().is_empty() && indent(line) < open.indent {
                return None;
            }
            out.push_str(line);
            if open.closed_by(line) {
                fence = None;
            }
        } else {
            fence = Fence::opened_by(line);
            match (&fence, heading(line)) {
                (Some(_), _) => out.push_str(line),
                (None, Some((level, rest))) => {
                    let _ = write!(out, "{} {}", "#".repeat((level + 3).min(6)), inline(rest));
                }
                (None, None) => out.push_str(&inline(line)),
            }
        }
        out.push('\n');
    }
    fence.is_none().then_some(out)
}

/// A text as it was typed, line by line.
pub(super) fn quoted(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 64);
    let mut fence: Option<Fence> = None;
    for line in text.lines() {
        let inside = fence.is_some();
        fence = match fence {
            Some(open) => (!open.closed_by(line)).then_some(open),
            None => Fence::opened_by(line),
        };
        if line.trim().is_empty() {
            out.push_str(">\n");
        } else if inside || fence.is_some() {
            let _ = writeln!(out, "> {line}");
        } else {
            // Two blanks keep the line's end.
            let _ = writeln!(out, "> {}  ", inline(line.trim_end()));
        }
    }
    out
}

/// A text as code, whatever is in it.
pub(super) fn fenced(text: &str, language: &str) -> String {
    let mut longest = 0;
    let mut run = 0;
    for c in text.chars() {
        run = if c == '`' { run + 1 } else { 0 };
        longest = longest.max(run);
    }
    let fence = "`".repeat((longest + 1).max(3));
    format!("{fence}{language}\n{}\n{fence}\n", text.trim_end_matches('\n'))
}

/// A short text in a line, none of it a sign of Markdown's.
pub(super) fn plain(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '\\' | '`' | '*' | '_' | '[' | ']' | '<' | '>' | '#' | '~' | '|' | '&' | '!' => {
                out.extend(['\\', c]);
            }
            c if c.is_control() => out.push(' '),
            c => out.push(c),
        }
    }
    out
}

/// A short text as code in a line.
pub(super) fn code(text: &str) -> String {
    let text: String = text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
    let longest = text.split(|c| c != '`').map(str::len).max().unwrap_or(0);
    let ticks = "`".repeat(longest + 1);
    if text.contains('`') { format!("{ticks} {text} {ticks}") } else { format!("{ticks}{text}{ticks}") }
}

/// A short text inside of a tag.
pub(super) fn html(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            c if c.is_control() => out.push(' '),
            c => out.push(c),
        }
    }
    out
}

/// A line of Markdown without tags of HTML; code in it stays as it is.
fn inline(line: &str) -> String {
    let mut out = String::with_capacity(line.len());
    let mut rest = line;
    while let Some(at) = rest.find(['`', '<', '\\']) {
        out.push_str(&rest[..at]);
        rest = &rest[at..];
        if rest.starts_with('\\') {
            // What follows is meant as it is: a tag after it would be one of ours to take away otherwise.
            let next = rest[1..].chars().next();
            let taken = next.filter(|c| *c != '<').map_or(1, |c| 1 + c.len_utf8());
            if next == Some('<') {
                rest = &rest[1..];
                continue;
            }
            out.push_str(&rest[..taken]);
            rest = &rest[taken..];
        } else if rest.starts_with('`') {
            let ticks = rest.len() - rest.trim_start_matches('`').len();
            let end = closing(&rest[ticks..], ticks).map_or(ticks, |end| ticks + end);
            out.push_str(&rest[..end]);
            rest = &rest[end..];
        } else {
            let tag =
                rest[1..].starts_with(|c: char| c.is_ascii_alphabetic() || matches!(c, '/' | '!' | '?'));
            out.push_str(if tag { "\\<" } else { "<" });
            rest = &rest[1..];
        }
    }
    out.push_str(rest);
    out
}

/// Where a run of exactly so many ticks ends.
fn closing(text: &str, ticks: usize) -> Option<usize> {
    let mut at = 0;
    while let Some(start) = text[at..].find('`') {
        let run = text[at + start..].len() - text[at + start..].trim_start_matches('`').len();
        at += start + run;
        if run == ticks {
            return Some(at);
        }
    }
    None
}

fn indent(line: &str) -> usize {
    line.len() - line.trim_start_matches(' ').len()
}

/// A heading's level, and what it says.
fn heading(line: &str) -> Option<(usize, &str)> {
    let text = line.trim_start_matches(' ');
    let rest = text.trim_start_matches('#');
    let level = text.len() - rest.len();
    let is = indent(line) <= 3 && (1..=6).contains(&level) && rest.starts_with([' ', '\t']);
    is.then(|| (level, rest.trim()))
}

/// A block of code that is open.
struct Fence {
    indent: usize,
    sign: char,
    length: usize,
}

impl Fence {
    fn opened_by(line: &str) -> Option<Self> {
        let text = line.trim_start_matches(' ');
        let sign = text.chars().next().filter(|sign| matches!(sign, '`' | '~'))?;
        let rest = text.trim_start_matches(sign);
        let length = text.len() - rest.len();
        let is = indent(line) <= 3 && length >= 3 && !(sign == '`' && rest.contains('`'));
        is.then(|| Self { indent: indent(line), sign, length })
    }

    fn closed_by(&self, line: &str) -> bool {
        let text = line.trim_start_matches(' ');
        let rest = text.trim_start_matches(self.sign);
        indent(line) <= 3 && text.len() - rest.len() >= self.length && rest.trim().is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_reaches_beyond_its_end() {
        assert_eq!(markdown("It is `Vec<u8>`.\n\n# Why\n"), "It is `Vec<u8>`.\n\n#### Why\n");
        assert_eq!(markdown("a <details> b < c <!-- d"), "a \\<details> b < c \\<!-- d\n");
        assert_eq!(markdown("\\<script> \\\\<b>"), "\\<script> \\\\\\<b>\n");
        assert_eq!(markdown("```rust\n# no heading <b>\n```\n"), "```rust\n# no heading <b>\n```\n");
        assert_eq!(markdown("Look:\n```\nleft open"), "> Look:  \n> ```\n> left open\n");
        assert_eq!(markdown("* a\n  ```\nout\n"), "> * a  \n>   ```\n> out\n");
        assert_eq!(markdown("````\n```\n````"), "````\n```\n````\n");
        assert_eq!(quoted("one\n\ntwo <b>"), "> one  \n>\n> two \\<b>  \n");
        assert_eq!(fenced("a\n````\nb\n", "diff"), "`````diff\na\n````\nb\n`````\n");
        assert_eq!(code("a``b"), "``` a``b ```");
        assert_eq!(code("a"), "`a`");
        assert_eq!(plain("*a* <b>\n# c"), "\\*a\\* \\<b\\> \\# c");
        assert_eq!(html("a<b> & c"), "a&lt;b&gt; &amp; c");
    }
}
