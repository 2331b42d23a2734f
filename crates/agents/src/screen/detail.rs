//! What a dialog is about.

use belfry_protocol::ask::AskDetail;

use super::dialog::Found;
use super::rows::{Rows, is_blank, is_divider, joined, unframed, unwrapped};
use super::rules::{DetailRules, Part};

/// Longest text of a dialog's body, in bytes.
const LONGEST_BODY: usize = 4096;

/// Longest of the others.
const LONGEST: usize = 2048;

pub(crate) fn read(rules: &DetailRules, found: &Found<'_>) -> AskDetail {
    let one = |parts: &[Part]| {
        let mut texts = parts.iter().filter_map(|part| part.text(found));
        texts.find(|text| !text.trim().is_empty()).map(|text| cut(text.trim(), LONGEST))
    };
    let mut bodies = rules.body.iter().filter_map(|part| part.rows_of(found));
    AskDetail {
        command: one(&rules.command),
        path: one(&rules.path),
        url: one(&rules.url),
        tool: one(&rules.tool),
        body: bodies.find(|text| !text.is_empty()).map(|text| cut(&text, LONGEST_BODY)),
    }
}

fn cut(text: &str, longest: usize) -> String {
    text[..text.floor_char_boundary(longest)].to_owned()
}

impl Part {
    /// The text with rows joined that were wrapped.
    fn text(&self, found: &Found<'_>) -> Option<String> {
        match self {
            Self::Find(pattern) => {
                let Some(text) = pattern.find(&found.above) else {
                    // A question of one row says it itself.
                    let asked = pattern.find_in(found.question()?)?;
                    return Some(asked.text().to_owned());
                };
                let lines = found.above.lines();
                let first = text.begins().map_or(0, |byte| lines[..byte].matches('\n').count());
                let rows = found.above.rows().iter().skip(first).map(String::as_str);
                Some(joined(rows.zip(text.text().lines()), found.right).join("\n"))
            }
            Self::Section { .. } | Self::Between { .. } => {
                let rows = self.range(found)?;
                Some(unwrapped(rows.iter().map(String::as_str), found.right).join("\n"))
            }
        }
    }

    /// The rows as they are: a diff's or a plan's indentation counts.
    fn rows_of(&self, found: &Found<'_>) -> Option<String> {
        let Some(rows) = self.range(found) else { return self.text(found) };
        let rows: Vec<&str> = rows.iter().map(|row| unframed(row)).filter(|row| !is_divider(row)).collect();
        let blank = |row: &&&str| row.trim().is_empty();
        let first = rows.iter().take_while(blank).count();
        let last = rows.len() - rows.iter().rev().take_while(blank).count();
        let rows = rows.get(first..last)?;
        let shallow = rows.iter().filter(|row| !row.trim().is_empty());
        let indent = shallow.map(|row| row.len() - row.trim_start_matches(' ').len()).min()?;
        let rows: Vec<&str> = rows.iter().map(|row| row.get(indent..).unwrap_or_default()).collect();
        Some(rows.join("\n"))
    }

    fn range<'a>(&self, found: &Found<'a>) -> Option<&'a [String]> {
        let rows = found.above.rows();
        match self {
            Self::Find(_) => None,
            // Where its beginning is not to be seen, nobody knows which is the first.
            Self::Section { .. } if !found.begins => None,
            Self::Section { section } => {
                let drawn = |row: &String| is_divider(unframed(row)) || is_divider(row);
                let mut sections = rows.split(drawn).filter(|rows| !rows.iter().all(|row| is_blank(row)));
                sections.nth(section.checked_sub(1)?)
            }
            Self::Between { after, before } => {
                let at = |row: &String| after.is_in(&Rows::new(std::slice::from_ref(row)));
                let first = rows.iter().position(at)? + 1;
                let ends = |row: &String| {
                    before.as_ref().is_some_and(|before| before.is_in(&Rows::new(std::slice::from_ref(row))))
                };
                let more = rows[first..].iter().position(ends).unwrap_or(rows.len() - first);
                Some(&rows[first..first + more])
            }
        }
    }
}
