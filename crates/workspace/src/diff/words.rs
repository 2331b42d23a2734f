//! The words by which a line differs from the one that it was.

use belfry_protocol::changes::{DiffLine, LineKind};
use similar::{Algorithm, DiffTag, capture_diff_slices};

/// Longest line that is compared by words, in bytes, and most lines of one change.
const LONGEST: usize = 1000;
const MOST_LINES: usize = 200;
/// Pairs of lines up to which those that are most alike are found; beyond, they are taken in their order.
const MOST_PAIRS: usize = 900;
/// How much two lines must have in common to be one that was changed, of 1.
const ALIKE: f32 = 0.4;

/// Marks the words in all changes of a hunk.
pub(super) fn mark(lines: &mut [DiffLine]) {
    let mut at = 0;
    while at < lines.len() {
        let run =
            |from: usize, kind: LineKind| lines[from..].iter().take_while(|line| line.kind == kind).count();
        let removed = run(at, LineKind::Removed);
        if removed == 0 {
            at += 1;
            continue;
        }
        let added = run(at + removed, LineKind::Added);
        if added > 0 && removed <= MOST_LINES && added <= MOST_LINES {
            block(&mut lines[at..at + removed + added], removed);
        }
        at += removed + added;
    }
}

fn block(lines: &mut [DiffLine], removed: usize) {
    let (old, new) = lines.split_at_mut(removed);
    let old_words: Vec<Vec<&str>> = old.iter().map(|line| split(&line.text)).collect();
    let new_words: Vec<Vec<&str>> = new.iter().map(|line| split(&line.text)).collect();
    let mut marks = Vec::new();
    for (from, to) in pairs(&old_words, &new_words) {
        let (a, b) = (&old_words[from], &new_words[to]);
        if a.is_empty() || b.is_empty() {
            continue;
        }
        let (mut gone, mut come) = (Ranges::default(), Ranges::default());
        let mut same = 0;
        for op in capture_diff_slices(Algorithm::Myers, a, b) {
            let (tag, was, is) = op.as_tag_tuple();
            if tag == DiffTag::Equal {
                same += a[was.clone()]
                    .iter()
                    .filter(|word| !word.trim().is_empty())
                    .map(|word| word.len())
                    .sum::<usize>();
            }
            gone.add(&a[was], tag != DiffTag::Equal);
            come.add(&b[is], tag != DiffTag::Equal);
        }
        // Lines that have next to nothing in common are two lines, not one that was changed.
        let longer = old[from].text.trim().len().max(new[to].text.trim().len());
        if (same as f32) >= ALIKE * longer as f32 * 0.5 {
            marks.push((from, gone.ranges, to, come.ranges));
        }
    }
    for (from, gone, to, come) in marks {
        old[from].words = gone;
        new[to].words = come;
    }
}

#[derive(Default)]
struct Ranges {
    at: u32,
    ranges: Vec<(u32, u32)>,
}

impl Ranges {
    fn add(&mut self, words: &[&str], differ: bool) {
        let units = words.iter().map(|word| word.encode_utf16().count() as u32).sum::<u32>();
        if differ && units > 0 {
            match self.ranges.last_mut() {
                Some(last) if last.1 == self.at => last.1 += units,
                _ => self.ranges.push((self.at, self.at + units)),
            }
        }
        self.at += units;
    }
}

/// Words, runs of spaces, and every other character by itself.
fn split(text: &str) -> Vec<&str> {
    if text.len() > LONGEST {
        return Vec::new();
    }
    let class = |letter: char| match letter {
        letter if letter.is_alphanumeric() || letter == '_' => 0,
        letter if letter.is_whitespace() => 1,
        _ => 2,
    };
    let mut words = Vec::new();
    let mut begin = 0;
    let mut last = None;
    for (at, letter) in text.char_indices() {
        let this = class(letter);
        if last.is_some_and(|last| last != this || this == 2) {
            words.push(&text[begin..at]);
            begin = at;
        }
        last = Some(this);
    }
    if begin < text.len() {
        words.push(&text[begin..]);
    }
    words
}

/// Which removed line became which added one; both ascending.
fn pairs(old: &[Vec<&str>], new: &[Vec<&str>]) -> Vec<(usize, usize)> {
    if old.len() == new.len() || old.len() * new.len() > MOST_PAIRS {
        return (0..old.len().min(new.len())).map(|at| (at, at)).collect();
    }
    // The pairing, in order, that has most in common.
    let likeness: Vec<Vec<f32>> = old.iter().map(|a| new.iter().map(|b| alike(a, b)).collect()).collect();
    let mut best = vec![vec![0.0_f32; new.len() + 1]; old.len() + 1];
    for a in (0..old.len()).rev() {
        for b in (0..new.len()).rev() {
            let pair = if likeness[a][b] >= ALIKE { likeness[a][b] + best[a + 1][b + 1] } else { 0.0 };
            best[a][b] = pair.max(best[a + 1][b]).max(best[a][b + 1]);
        }
    }
    let (mut a, mut b, mut pairs) = (0, 0, Vec::new());
    while a < old.len() && b < new.len() {
        if best[a + 1][b] >= best[a][b] {
            a += 1;
        } else if best[a][b + 1] >= best[a][b] {
            b += 1;
        } else {
            pairs.push((a, b));
            (a, b) = (a + 1, b + 1);
        }
    }
    pairs
}

/// How much of the words of two lines is the same, in any order.
fn alike(a: &[&str], b: &[&str]) -> f32 {
    let sorted = |words: &[&str]| {
        let mut words: Vec<String> =
            words.iter().filter(|word| !word.trim().is_empty()).map(|word| (*word).to_owned()).collect();
        words.sort_unstable();
        words
    };
    let (a, b) = (sorted(a), sorted(b));
    let total = a.len() + b.len();
    if total == 0 {
        return 0.0;
    }
    let (mut at, mut to, mut same) = (0, 0, 0);
    while at < a.len() && to < b.len() {
        match a[at].cmp(&b[to]) {
            std::cmp::Ordering::Equal => {
                same += 2;
                at += 1;
                to += 1;
            }
            std::cmp::Ordering::Less => at += 1,
            std::cmp::Ordering::Greater => to += 1,
        }
    }
    same as f32 / total as f32
}

#[cfg(test)]
mod tests {
    use super::*;

    fn marked(old: &[&str], new: &[&str]) -> Vec<Vec<(u32, u32)>> {
        let line = |kind, text: &&str| DiffLine {
            kind,
            text: (*text).to_owned(),
            words: Vec::new(),
            no_newline: false,
        };
        let mut lines: Vec<DiffLine> = old.iter().map(|text| line(LineKind::Removed, text)).collect();
        lines.extend(new.iter().map(|text| line(LineKind::Added, text)));
        mark(&mut lines);
        lines.into_iter().map(|line| line.words).collect()
    }

    #[test]
    fn units_are_utf_16() {
        let words = marked(&["let 🦀 = \"alt\";"], &["let 🦀 = \"neu und\";"]);
        assert_eq!(words, [vec![(10, 13)], vec![(10, 17)]]);
    }

    #[test]
    fn a_line_finds_its_counterpart_among_new_ones() {
        let words = marked(&["return total;"], &["// Taxes come last.", "return total + taxes;"]);
        assert_eq!(words, [vec![], vec![], vec![(12, 20)]]);
    }

    #[test]
    fn strangers_are_not_compared() {
        assert_eq!(marked(&["import os"], &["class Shop:"]), [vec![], vec![]]);
    }
}
