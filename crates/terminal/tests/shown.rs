//! Rows that leave the screen, counted and read.

use belfry_terminal::{Options, Size, Terminal};

fn terminal() -> Terminal {
    Terminal::new(Size::new(10, 3), Options::default())
}

/// All that left, in pieces, and what is left on the screen.
fn read(terminal: &mut Terminal, bytes: &[u8], piece: usize) -> (Vec<String>, Vec<String>) {
    let (mut offset, mut left, mut rows) = (terminal.offset(), terminal.rows_left(), Vec::new());
    let mut screen = Vec::new();
    for piece in bytes.chunks(piece) {
        terminal.feed(piece, offset);
        offset += piece.len() as u64;
        let above = (terminal.rows_left() - left) as usize;
        left = terminal.rows_left();
        let mut shown = terminal.shown(above);
        screen = shown.split_off(shown.len() - 3).into_iter().map(|row| row.text).collect();
        rows.extend(shown.into_iter().map(|row| if row.goes_on { row.text + "…" } else { row.text }));
    }
    (rows, screen)
}

#[test]
fn each_row_is_read_once_whatever_the_pieces() {
    let lines: Vec<String> = (0..3000).map(|n| format!("{n} and {}\r\n", "x".repeat(n % 17))).collect();
    let text = lines.concat();
    let (expected, screen) = read(&mut terminal(), text.as_bytes(), 64);
    assert!(expected.len() > 4000 && expected.contains(&"2989 and x…".to_owned()), "{}", expected.len());
    assert_eq!(screen[2], "");
    for piece in [1, 999, 20_000, 100_000] {
        let (rows, at_end) = read(&mut terminal(), text.as_bytes(), piece);
        assert!(rows == expected && at_end == screen, "in pieces of {piece}: {} rows", rows.len());
    }
}

#[test]
fn what_a_region_puts_above_is_counted_and_the_alternate_screen_is_not() {
    let mut terminal = terminal();
    // As programs do that insert their history above what they draw.
    let (rows, screen) =
        read(&mut terminal, b"\x1b[1;2r\x1b[2;1Hone\r\ntwo\r\nthree\x1b[r\x1b[3;1Hbelow", 1000);
    assert_eq!(
        (rows, screen),
        (vec![String::new(), "one".to_owned()], vec!["two".into(), "three".into(), "below".into()])
    );
    let before = terminal.rows_left();
    terminal.feed(b"\x1b[?1049hfull\r\nof\r\nlines\r\nhere", terminal.offset());
    assert_eq!(terminal.rows_left(), before);
    assert_eq!(terminal.shown(5).len(), 3);
}
