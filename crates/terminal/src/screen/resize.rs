//! A new size: rows that the terminal wrapped flow anew on the primary screen.

use std::collections::VecDeque;

use super::{LIVE_ROWS, Screen};
use crate::grid::{Buffer, Cell, Row, default_tabs};

/// A place in the text that must be found again after it has flowed anew.
#[derive(Clone, Copy, Debug)]
struct Mark {
    /// Row in the buffer, rows above the screen included.
    line: usize,
    x: usize,
}

impl Screen {
    pub(crate) fn resize(&mut self, cols: usize, rows: usize) {
        if cols == self.cols && rows == self.rows {
            return;
        }
        // The same rows are live whatever was fed in which pieces before, so that the outcome is the same too.
        self.unarchive(LIVE_ROWS);
        self.archive_rows();
        let old_cols = self.cols;
        (self.cols, self.rows) = (cols, rows);
        let on_alternate = self.on_alternate;
        let primary = &mut self.buffers[0];
        change_rows(primary, old_cols, rows);
        if cols != old_cols {
            // While the alternate screen is shown the primary cursor is the one that was saved.
            reflow(primary, cols, rows, !on_alternate);
        }
        let alternate = &mut self.buffers[1];
        change_rows(alternate, old_cols, rows);
        for row in &mut alternate.lines {
            row.set_width(cols);
        }
        for buffer in &mut self.buffers {
            (buffer.top, buffer.bottom) = (0, rows - 1);
            buffer.x = buffer.x.min(cols - 1);
            buffer.y = buffer.y.min(rows - 1);
            buffer.saved.x = buffer.saved.x.min(cols - 1);
            buffer.saved.y = buffer.saved.y.min(rows - 1);
            let mut tabs = default_tabs(cols);
            let kept = buffer.tabs.len().min(cols);
            tabs[..kept].copy_from_slice(&buffer.tabs[..kept]);
            buffer.tabs = tabs;
        }
        self.joinable = None;
        self.generation += 1;
        self.replaced = true;
        self.archive.trim(cols, self.buffers[0].base);
    }
}

/// Adds or removes rows of the screen. The cursor's row stays: rows below it go first, then rows at the top.
fn change_rows(buffer: &mut Buffer, cols: usize, rows: usize) {
    while buffer.rows() < rows {
        // Rows come back from above when the cursor is in the last one, as it is under a prompt.
        if buffer.base > 0 && buffer.y + 1 == buffer.rows() {
            buffer.base -= 1;
            buffer.y += 1;
            buffer.saved.y += 1;
        } else {
            buffer.lines.push_back(Row::new(cols, Cell::default()));
        }
    }
    while buffer.rows() > rows {
        if buffer.y + 1 < buffer.rows() {
            buffer.lines.pop_back();
            continue;
        }
        if buffer.scrollback {
            buffer.base += 1;
        } else {
            buffer.lines.pop_front();
        }
        buffer.y = buffer.y.saturating_sub(1);
        buffer.saved.y = buffer.saved.y.saturating_sub(1);
    }
}

/// Sets the width, wrapping every logical line anew.
fn reflow(buffer: &mut Buffer, cols: usize, rows: usize, follow_cursor: bool) {
    let mut marks = [
        Mark { line: buffer.base + buffer.y, x: buffer.x },
        Mark { line: buffer.base + buffer.saved.y.min(rows - 1), x: buffer.saved.x },
    ];
    let keep = usize::from(!follow_cursor);
    let old_total = buffer.lines.len();
    let old = std::mem::take(&mut buffer.lines);
    let mut lines = VecDeque::with_capacity(old.len());
    let mut new_marks = marks;
    let mut first = 0;
    while first < old.len() {
        let mut end = first + 1;
        while end < old.len() && old[end].wrapped {
            end += 1;
        }
        wrap_anew(&old, first..end, cols, &mut lines, &marks, &mut new_marks);
        first = end;
    }
    marks = new_marks;
    // Rows that wrapping added push out blank rows under the cursor before they push text off the screen.
    let mut added = lines.len().saturating_sub(old_total);
    while added > 0
        && lines.len() > rows
        && lines.len() - 1 > marks[keep].line
        && lines.back().is_some_and(|row| row.is_blank() && !row.wrapped)
    {
        lines.pop_back();
        added -= 1;
    }
    let mut base = lines.len().saturating_sub(rows);
    if marks[keep].line < base {
        base = marks[keep].line;
        lines.truncate(base + rows);
    }
    while lines.len() < base + rows {
        lines.push_back(Row::new(cols, Cell::default()));
    }
    buffer.lines = lines;
    buffer.base = base;
    buffer.x = marks[0].x;
    buffer.y = marks[0].line.saturating_sub(base);
    buffer.saved.x = marks[1].x;
    buffer.saved.y = marks[1].line.saturating_sub(base);
}

/// Wraps the logical line in `old[range]` into rows of `cols` cells and moves the marks that are on it.
fn wrap_anew(
    old: &VecDeque<Row>,
    range: std::ops::Range<usize>,
    cols: usize,
    lines: &mut VecDeque<Row>,
    marks: &[Mark; 2],
    new_marks: &mut [Mark; 2],
) {
    // Offsets of the marks within the line, once they are known.
    let mut offsets = [None; 2];
    let mut cells: Vec<Cell> = Vec::new();
    for at in range.clone() {
        let row = &old[at];
        for (mark, offset) in marks.iter().zip(&mut offsets) {
            if mark.line == at {
                *offset = Some(cells.len() + mark.x);
            }
        }
        if at + 1 == range.end {
            let printed = row.content().iter().rposition(|c| c.ch != 0 || c.is_spacer()).map_or(0, |i| i + 1);
            cells.extend_from_slice(&row.cells()[..printed]);
        } else {
            cells.extend_from_slice(row.going_on(old.get(at + 1)));
        }
    }
    let first_line = lines.len();
    let mut starts = Vec::new();
    let mut at = 0;
    loop {
        let mut end = (at + cols).min(cells.len());
        if end < cells.len() && cells[end].is_spacer() && end > at + 1 {
            end -= 1;
        }
        starts.push(at);
        let mut row = Row::new(cols, Cell::default());
        row.cells_to(end - at).copy_from_slice(&cells[at..end]);
        row.wrapped = at > 0;
        if range.len() == 1 && at == 0 && end == cells.len() {
            // The background of erased cells behind the text stays where it is; text that flows takes none along.
            let behind = old[range.start].content().get(end..).unwrap_or_default();
            let kept = behind.len().min(cols - end);
            row.cells_to(end + kept)[end..].copy_from_slice(&behind[..kept]);
        }
        lines.push_back(row);
        at = end;
        if at >= cells.len() {
            break;
        }
    }
    for (offset, mark) in offsets.iter().zip(new_marks) {
        let Some(offset) = *offset else { continue };
        let row = starts.partition_point(|&start| start <= offset) - 1;
        // Beyond the text the place is kept as a number of blank columns, as far as they fit.
        *mark = Mark { line: first_line + row, x: (offset - starts[row]).min(cols) };
        if mark.x == cols && offset < cells.len() {
            mark.x = cols - 1;
        }
    }
}
