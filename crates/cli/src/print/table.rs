//! A table whose columns line up, also with wide characters, and that fits the terminal.

use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

use super::{Color, Style};

/// A cell: text without control characters, and its colour.
#[derive(Clone, Debug)]
pub(crate) struct Cell {
    text: String,
    color: Option<Color>,
}

/// Rows of cells under a head.
#[derive(Debug)]
pub(crate) struct Table {
    head: Vec<&'static str>,
    /// Columns that may be cut when the terminal is too narrow, and the width that each needs to be read. The widest gives
    /// first, and of equal ones the first here.
    elastic: Vec<(usize, usize)>,
    /// Left out where the terminal is too narrow for the others to be read.
    spare: Option<usize>,
    /// The last column goes on in lines of its own instead of being cut.
    wrapping: bool,
    /// The most that a column takes of a terminal however wide.
    most: Option<(usize, usize)>,
    rows: Vec<Row>,
}

#[derive(Clone, Debug)]
struct Row {
    cells: Vec<Cell>,
    /// The column that goes on below instead of being cut.
    whole: Option<usize>,
}

/// An elastic column is not cut below this, in cells.
const NARROWEST: usize = 8;
/// Where no terminal cuts anything, an elastic column lines up to this, in cells: one long name must not move every row's
/// other columns out of sight. What is longer is whole, and moves its own row only.
const WIDEST: usize = 40;
const GAP: usize = 2;

impl Table {
    pub(crate) fn new(head: &[&'static str], elastic: &[(usize, usize)]) -> Self {
        let (head, elastic) = (head.to_vec(), elastic.to_vec());
        Self { head, elastic, spare: None, wrapping: false, most: None, rows: Vec::new() }
    }

    pub(crate) fn spare(mut self, column: usize) -> Self {
        self.spare = Some(column);
        self
    }

    pub(crate) fn wrapping(mut self) -> Self {
        self.wrapping = true;
        self
    }

    /// A column that takes at most so much of a terminal, in cells.
    pub(crate) fn most(mut self, column: usize, cells: usize) -> Self {
        self.most = Some((column, cells));
        self
    }

    pub(crate) fn row(&mut self, cells: Vec<(String, Option<Color>)>) {
        let cells = cells.into_iter().map(|(text, color)| Cell { text, color }).collect();
        let whole = self.wrapping.then(|| self.head.len().saturating_sub(1));
        self.rows.push(Row { cells, whole });
    }

    /// A row in which that column is always whole, in several lines where it has to be.
    pub(crate) fn row_whole(&mut self, column: usize, cells: Vec<(String, Option<Color>)>) {
        self.row(cells);
        if let Some(row) = self.rows.last_mut() {
            row.whole = Some(column);
        }
    }

    /// The table's lines, at most `width` cells wide where that is given and possible.
    pub(crate) fn lines(&self, style: Style, width: Option<usize>) -> Vec<String> {
        let widths = self.widths(width);
        let head = self.head.iter().map(|text| Cell { text: (*text).to_owned(), color: Some(Color::Faint) });
        let head = Row { cells: head.collect(), whole: None };
        let rows = std::iter::once(&head).chain(&self.rows);
        rows.flat_map(|row| lines(row, &widths, style, width.is_some())).collect()
    }

    /// Each column's width; 0 for one that is left out.
    fn widths(&self, limit: Option<usize>) -> Vec<usize> {
        let mut widths: Vec<usize> = self.head.iter().map(|head| head.width()).collect();
        for row in &self.rows {
            for (width, cell) in widths.iter_mut().zip(&row.cells) {
                *width = (*width).max(cell.text.width());
            }
        }
        let Some(limit) = limit else {
            for &(column, _) in &self.elastic {
                widths[column] = widths[column].min(WIDEST);
            }
            return widths;
        };
        if let Some((column, most)) = self.most {
            widths[column] = widths[column].min(most);
        }
        if let Some(column) = self.spare {
            let mut narrow = widths.clone();
            for &(column, least) in &self.elastic {
                narrow[column] = narrow[column].min(least);
            }
            if total(&narrow) > limit {
                widths[column] = 0;
            }
        }
        let mut over = total(&widths).saturating_sub(limit);
        // First down to what can be read, then to what can be shown.
        for to_least in [true, false] {
            while over > 0 {
                let floor = |least: usize| if to_least { least.max(NARROWEST) } else { NARROWEST };
                let can_give = |&(column, least): &(usize, usize)| widths[column] > floor(least);
                // The last of equal ones is taken, so the order is turned round.
                let giving = self.elastic.iter().rev().filter(|one| can_give(one));
                let Some(&(column, _)) = giving.max_by_key(|(column, _)| widths[*column]) else { break };
                widths[column] -= 1;
                over -= 1;
            }
        }
        widths
    }
}

fn total(widths: &[usize]) -> usize {
    let shown = widths.iter().filter(|width| **width > 0).count();
    widths.iter().sum::<usize>() + GAP * shown.saturating_sub(1)
}

fn lines(row: &Row, widths: &[usize], style: Style, cutting: bool) -> Vec<String> {
    let mut line = String::new();
    // What goes on below, and where it begins.
    let mut more: Vec<(usize, String, Option<Color>)> = Vec::new();
    let mut indent = 0;
    let shown = row.cells.iter().zip(widths).enumerate().filter(|(_, (_, width))| **width > 0);
    for (index, (cell, &width)) in shown {
        let last = index + 1 == row.cells.len();
        let text = if cutting && row.whole == Some(index) {
            let mut wrapped = wrap(&cell.text, width).into_iter();
            let first = wrapped.next().unwrap_or_default();
            more.extend(wrapped.map(|text| (indent, text, cell.color)));
            first
        } else if cutting {
            cut(&cell.text, width)
        } else {
            cell.text.clone()
        };
        let blank = width - text.width().min(width);
        line.push_str(&paint(&text, cell.color, style));
        if !last {
            line.extend(std::iter::repeat_n(' ', blank + GAP));
            indent += width + GAP;
        }
    }
    line.truncate(line.trim_end().len());
    let more =
        more.iter().map(|(indent, text, color)| format!("{:indent$}{}", "", paint(text, *color, style)));
    std::iter::once(line).chain(more).collect()
}

fn paint(text: &str, color: Option<Color>, style: Style) -> String {
    color.map_or_else(|| text.to_owned(), |color| style.paint(text, color))
}

/// `text` in lines of at most `width` cells, broken at blanks where that is possible.
pub(crate) fn wrap(text: &str, width: usize) -> Vec<String> {
    let mut lines = vec![String::new()];
    for word in text.split_whitespace() {
        let mut word = word.to_owned();
        loop {
            let line = lines.last_mut().map_or_else(String::new, std::mem::take);
            let joined = if line.is_empty() { word.clone() } else { format!("{line} {word}") };
            if joined.width() <= width {
                put(&mut lines, joined);
                break;
            }
            if !line.is_empty() {
                put(&mut lines, line);
                lines.push(String::new());
                continue;
            }
            // A word that is longer than a line.
            let mut kept = 0;
            let end = word.char_indices().find(|(_, c)| {
                kept += c.width().unwrap_or(0);
                kept > width
            });
            let end = end.map_or(word.len(), |(at, _)| at);
            let rest = word.split_off(if end == 0 { word.len() } else { end });
            put(&mut lines, word);
            if rest.is_empty() {
                break;
            }
            lines.push(String::new());
            word = rest;
        }
    }
    lines
}

fn put(lines: &mut [String], text: String) {
    if let Some(last) = lines.last_mut() {
        *last = text;
    }
}

fn cut(text: &str, width: usize) -> String {
    if text.width() <= width {
        return text.to_owned();
    }
    let mut kept = String::new();
    for c in text.chars() {
        let mut longer = kept.clone();
        longer.push(c);
        if longer.width() + 1 > width {
            break;
        }
        kept = longer;
    }
    kept.push('…');
    kept
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table() -> Table {
        let mut table = Table::new(&["NAME", "DIR"], &[(1, 8), (0, 8)]);
        table.row(vec![("日本".to_owned(), None), ("/a/rather/long/directory".to_owned(), Some(Color::Red))]);
        table.row(vec![("x".to_owned(), None), (String::new(), None)]);
        table
    }

    #[test]
    fn columns_line_up() {
        let lines = table().lines(Style { on: false }, None);
        assert_eq!(lines, ["NAME  DIR", "日本  /a/rather/long/directory", "x"]);
    }

    #[test]
    fn a_narrow_terminal_cuts_elastic_columns() {
        let lines = table().lines(Style { on: false }, Some(16));
        assert_eq!(lines[1], "日本  /a/rather…");
    }

    #[test]
    fn a_long_cell_is_cut_on_a_terminal_and_whole_elsewhere() {
        let mut table = Table::new(&["NAME", "DIR", "AGE"], &[(1, 8), (0, 8)]);
        table.row(vec![("n".repeat(200), None), ("/a".to_owned(), None), ("1 s".to_owned(), None)]);
        table.row(vec![("x".to_owned(), None), ("/b".to_owned(), None), ("2 s".to_owned(), None)]);
        let plain = table.lines(Style { on: false }, None);
        assert_eq!(plain[1], format!("{}  /a   1 s", "n".repeat(200)));
        assert_eq!(plain[2], format!("x{}/b   2 s", " ".repeat(41)));
        let lines = table.lines(Style { on: false }, Some(60));
        assert!(lines.iter().all(|line| line.width() <= 60), "{lines:?}");
        assert!(lines[1].ends_with("n…  /a   1 s") && lines[1].width() == 60, "{lines:?}");
    }

    #[test]
    fn colours_do_not_count_as_width() {
        let lines = table().lines(Style { on: true }, None);
        assert_eq!(lines[1], "日本  \x1b[31m/a/rather/long/directory\x1b[0m");
    }

    #[test]
    fn a_spare_column_goes_before_the_others_cannot_be_read() {
        let mut table = Table::new(&["DOING", "NAME", "DIR"], &[(0, 20), (1, 10), (2, 10)]).spare(2);
        let cell = |c: char, count| (c.to_string().repeat(count), None);
        table.row(vec![cell('a', 30), cell('b', 30), cell('c', 30)]);
        let wide = table.lines(Style { on: false }, Some(44));
        assert!(wide[0].ends_with("DIR") && wide[1].contains('c'), "{wide:?}");
        let narrow = table.lines(Style { on: false }, Some(40));
        assert!(!narrow[0].contains("DIR") && !narrow[1].contains('c'), "{narrow:?}");
        assert_eq!(narrow[1].width(), 40);
        // Where even that is too wide, the others are cut further.
        assert_eq!(table.lines(Style { on: false }, Some(20))[1].width(), 20);
    }

    #[test]
    fn a_column_takes_no_more_than_its_share_and_can_be_whole_in_a_row() {
        let mut table = Table::new(&["A", "DOING", "B"], &[(1, 8)]).most(1, 9);
        let row = |text: &str| vec![("x".to_owned(), None), (text.to_owned(), None), ("y".to_owned(), None)];
        table.row(row("one two three four"));
        table.row_whole(1, row("one two three four"));
        let lines = table.lines(Style { on: false }, Some(200));
        assert_eq!(lines, ["A  DOING      B", "x  one two …  y", "x  one two    y", "   three", "   four"]);
        assert_eq!(table.lines(Style { on: false }, None)[2], "x  one two three four  y");
    }

    #[test]
    fn the_last_column_can_go_on_below() {
        let mut table = Table::new(&["A", "B"], &[(1, 8)]).wrapping();
        table.row(vec![("x".to_owned(), None), ("one two three four".to_owned(), None)]);
        let lines = table.lines(Style { on: false }, Some(13));
        assert_eq!(lines, ["A  B", "x  one two", "   three four"]);
        assert_eq!(table.lines(Style { on: false }, None)[1], "x  one two three four");
    }

    #[test]
    fn text_is_wrapped_at_blanks() {
        assert_eq!(wrap("one two three", 7), ["one two", "three"]);
        assert_eq!(wrap("abcdefghij k", 4), ["abcd", "efgh", "ij k"]);
        assert_eq!(wrap("日本語", 4), ["日本", "語"]);
        assert_eq!(wrap("日", 1), ["日"], "never an endless loop");
        assert_eq!(wrap("", 4), [""]);
    }
}
