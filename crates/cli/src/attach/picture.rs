//! A session shown at another size than the outer terminal's: its screen cut to what fits, with a hint.
//!
//! A session has one size, that of the view last typed in. While that is another view's, the program's own output would
//! be drawn wrongly here, so pictures of the screen are shown until a key is typed.

use belfry_protocol::launch::Size;
use belfry_protocol::reply::Screen;
use unicode_width::UnicodeWidthChar;

/// What draws the picture on a terminal of size `outer`, with `text` below it where there is something else to say.
pub(super) fn draw(screen: &Screen, outer: Size, text: Option<&str>) -> Vec<u8> {
    let rows = usize::from(outer.rows).saturating_sub(1);
    let lines: Vec<&str> = screen.text.lines().collect();
    // The rows around the cursor are where things happen.
    let first = (usize::from(screen.cursor_row) + 1).saturating_sub(rows).min(lines.len().saturating_sub(1));
    let mut out = String::from("\x1b[?2026h\x1b[?25l\x1b[H");
    for row in 0..rows {
        out.push_str("\x1b[m");
        out.push_str(&cut(lines.get(first + row).copied().unwrap_or_default(), usize::from(outer.cols)));
        out.push_str("\x1b[m\x1b[K\r\n");
    }
    let size = screen.size;
    let hint = format!("{}x{}, the size of another view; press a key to have it here", size.cols, size.rows);
    out.push_str(&line(text.unwrap_or(&hint), outer));
    out.push_str("\x1b[?2026l");
    out.into_bytes()
}

/// What draws a line over the last row of a terminal, and leaves the cursor and the colours as they are. A sequence of the
/// program's that is not complete is ended.
pub(super) fn foot(text: &str, outer: Size) -> Vec<u8> {
    format!("\x1b\\\x1b[?2026l\x1b7\x1b[{};1H{}\x1b8", outer.rows, line(text, outer)).into_bytes()
}

/// Turned round, and not into the last column: there, some terminals would go on in the next row.
fn line(text: &str, outer: Size) -> String {
    let text = cut(&format!(" {text} "), usize::from(outer.cols).saturating_sub(1));
    format!("\x1b[m\x1b[7m{text}\x1b[m\x1b[K")
}

/// The first `width` cells of a line, colours kept.
fn cut(line: &str, width: usize) -> String {
    let mut out = String::new();
    let mut used = 0;
    let mut chars = line.chars();
    while let Some(c) = chars.next() {
        if c == '\x1b' {
            out.push(c);
            // Only colours are in such a text: ESC [ … m.
            for c in chars.by_ref() {
                out.push(c);
                if c.is_ascii_alphabetic() {
                    break;
                }
            }
            continue;
        }
        let cells = c.width().unwrap_or(0);
        if used + cells > width {
            break;
        }
        used += cells;
        out.push(c);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_cut_by_cells_and_keep_colours() {
        assert_eq!(cut("\x1b[31mabc\x1b[0md", 2), "\x1b[31mab");
        assert_eq!(cut("日本", 3), "日");
    }

    #[test]
    fn the_rows_around_the_cursor_are_shown() {
        let text: Vec<String> = (0..10).map(|row| format!("row {row}")).collect();
        let screen = Screen {
            text: text.join("\n"),
            size: Size { cols: 80, rows: 10 },
            cursor_col: 0,
            cursor_row: 9,
            cursor_visible: true,
            alternate: false,
            title: None,
            offset: 0,
        };
        let drawn = String::from_utf8(draw(&screen, Size { cols: 20, rows: 4 }, None)).unwrap();
        assert!(drawn.contains("row 7") && drawn.contains("row 9") && !drawn.contains("row 6"), "{drawn:?}");
        assert!(drawn.contains("80x10"), "{drawn:?}");
    }
}
