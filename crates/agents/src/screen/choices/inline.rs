//! Answers in the question's own row.

use super::{Block, Item};
use crate::screen::Foot;
use crate::screen::rows::{unframed, width};

/// Most characters of an answer that is being typed.
const TYPED: usize = 24;

/// Most rows that a question takes.
const ROWS: usize = 4;

/// The answers of the last row, with the rows above it that it goes on from: such a question is broken at the edge of the
/// screen, in the middle of a word. What it is about may be in the row above, which is no part of it.
pub(super) fn read(foot: &Foot<'_>) -> Option<Block> {
    let rows = foot.rows;
    let end = rows.len();
    let mut begins = end.checked_sub(1)?;
    while begins > 0 && end - begins < ROWS && width(&rows[begins - 1]) + 1 >= foot.right.max(2) {
        begins -= 1;
    }
    // A row above that is as wide as the screen may be of something else: the fewest rows that have a question.
    (begins..end).rev().find_map(|first| {
        let mut text = String::new();
        for row in &rows[first..] {
            // A blank at the break is not kept by the screen.
            let cut = !text.is_empty() && !width(&text).is_multiple_of(foot.right.max(1));
            text.push_str(if cut { " " } else { "" });
            text.push_str(unframed(row).trim_end());
        }
        let (question, items, typed) = lettered(&text).or_else(|| bracketed(&text))?;
        let whole = question.starts_with(|c: char| c.is_uppercase()) || first == begins;
        let block = Block { items, first, end, question: Some(question), partial: false, typed };
        (whole && block.question.as_deref() != Some("")).then_some(block)
    })
}

/// `Add it? (Y)es/(N)o/(D)on't ask again [Yes]: `
fn lettered(text: &str) -> Option<(String, Vec<Item>, bool)> {
    let begins = text.match_indices('(').map(|(at, _)| at).find(|&at| letter(&text[at..]).is_some())?;
    let mut items = Vec::new();
    let mut rest = &text[begins..];
    while let Some((key, tail)) = letter(rest) {
        let until = tail.find(['/', '[', ':']).unwrap_or(tail.len());
        let label = format!("{key}{}", tail[..until].trim_end());
        items.push(Item { key: key.to_lowercase().to_string(), label, ..Item::default() });
        rest = tail[until..].trim_start_matches('/');
    }
    let default = rest.strip_prefix('[').and_then(|rest| rest.split_once(']'));
    let typed = match default {
        Some((default, rest)) => {
            for item in &mut items {
                item.marked = item.label.eq_ignore_ascii_case(default);
            }
            rest
        }
        None => rest,
    };
    (items.len() >= 2 && is_answer(typed))
        .then(|| (text[..begins].trim().to_owned(), items, !answer_of(typed).is_empty()))
}

fn letter(text: &str) -> Option<(char, &str)> {
    let mut chars = text.strip_prefix('(')?.chars();
    let key = chars.next().filter(|c| c.is_alphanumeric())?;
    Some((key, chars.as_str().strip_prefix(')')?))
}

/// `Go on? [y/N] `, `Overwrite (yes/no)? `
fn bracketed(text: &str) -> Option<(String, Vec<Item>, bool)> {
    for (open, close) in [('[', ']'), ('(', ')')] {
        let Some(begins) = text.rfind(open) else { continue };
        let Some((inside, after)) = text[begins + 1..].split_once(close) else { continue };
        let words: Vec<&str> = inside.split('/').map(str::trim).collect();
        let short = |word: &&str| {
            !word.is_empty() && word.len() <= 12 && word.chars().all(|c| c.is_alphanumeric() || c == '?')
        };
        if words.len() < 2
            || !words.iter().all(short)
            || !words.iter().any(|word| word.to_lowercase().starts_with('y'))
        {
            continue;
        }
        if !is_answer(after) {
            continue;
        }
        let one_upper = words.iter().filter(|word| word.chars().all(char::is_uppercase)).count() == 1;
        let items = words.iter().map(|word| Item {
            key: word.to_lowercase(),
            label: (*word).to_owned(),
            marked: one_upper && word.chars().all(char::is_uppercase),
            ..Item::default()
        });
        let typed = !answer_of(after).is_empty();
        return Some((text[..begins].trim().to_owned(), items.collect(), typed));
    }
    None
}

/// What is being typed after the question and its end mark.
fn answer_of(after: &str) -> &str {
    after.trim_start().trim_start_matches(['?', ':', '>']).trim()
}

/// Whether only an end mark and a short answer that is being typed follow.
fn is_answer(after: &str) -> bool {
    let after = after.trim_start();
    let typed = answer_of(after);
    let most = if after.len() == typed.len() { 3 } else { TYPED };
    typed.chars().count() <= most
}
