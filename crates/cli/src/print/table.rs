//! A table whose columns line up, also with wide characters, and that fits the terminal.

use unicode_width::UnicodeWidthStr;

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
    /// Columns that may be cut when the terminal is too narrow. The widest gives first, and of equal ones the first here.
    elastic: Vec<usize>,
    rows: Vec<Vec<Cell>>,
}

/// An elastic column is not cut below this, in cells.
const NARROWEST: usize = 8;
/// Where no terminal cuts anything, an elastic column lines up to this, in cells: one long name must not move every row's
/// other columns out of sight. What is longer is whole, and moves its own row only.
const WIDEST: usize = 40;
const GAP: usize = 2;

impl Table {
    pub(crate) fn new(head: &[&'static str], elastic: &[usize]) -> Self {
        Self { head: head.to_vec(), elastic: elastic.to_vec(), rows: Vec::new() }
    }

    pub(crate) fn row(&mut self, cells: Vec<(String, Option<Color>)>) {
        self.rows.push(cells.into_iter().map(|(text, color)| Cell { text, color }).collect());
    }

    /// The table's lines, at most `width` cells wide where that is given and possible.
    pub(crate) fn lines(&self, style: Style, width: Option<usize>) -> Vec<String> {
        let widths = self.widths(width);
        let head = self.head.iter().map(|text| Cell { text: (*text).to_owned(), color: Some(Color::Faint) });
        let head: Vec<Cell> = head.collect();
        std::iter::once(&head)
            .chain(&self.rows)
            .map(|row| line(row, &widths, style, width.is_some()))
            .collect()
    }

    fn widths(&self, limit: Option<usize>) -> Vec<usize> {
        let mut widths: Vec<usize> = self.head.iter().map(|head| head.width()).collect();
        for row in &self.rows {
            for (width, cell) in widths.iter_mut().zip(row) {
                *width = (*width).max(cell.text.width());
            }
        }
        let Some(limit) = limit else {
            for &column in &self.elastic {
                widths[column] = widths[column].min(WIDEST);
            }
            return widths;
        };
        let mut over =
            (widths.iter().sum::<usize>() + GAP * widths.len().saturating_sub(1)).saturating_sub(limit);
        while over > 0 {
            // The last of equal ones is taken, so the order is turned round.
            let widest = self.elastic.iter().rev().copied().max_by_key(|&column| widths[column]);
            let Some(column) = widest.filter(|&column| widths[column] > NARROWEST) else { break };
            widths[column] -= 1;
            over -= 1;
        }
        widths
    }
}

fn line(row: &[Cell], widths: &[usize], style: Style, cutting: bool) -> String {
    let mut line = String::new();
    for (index, (cell, &width)) in row.iter().zip(widths).enumerate() {
        let text = if cutting { cut(&cell.text, width) } else { cell.text.clone() };
        let blank = width - text.width().min(width);
        match cell.color {
            Some(color) => line.push_str(&style.paint(&text, color)),
            None => line.push_str(&text),
        }
        if index + 1 < row.len() {
            line.extend(std::iter::repeat_n(' ', blank + GAP));
        }
    }
    line.truncate(line.trim_end().len());
    line
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
        let mut table = Table::new(&["NAME", "DIR"], &[1, 0]);
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
        let mut table = Table::new(&["NAME", "DIR", "AGE"], &[1, 0]);
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
}
