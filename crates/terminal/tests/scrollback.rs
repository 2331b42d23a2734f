//! Lines above the screen: archived, flowed anew, cleared, and left alone by the alternate screen.

mod support;

use std::fmt::Write;

use belfry_terminal::{Options, Scope, Size, Terminal};

use support::chance::{Chance, cases, seed};

fn feed(terminal: &mut Terminal, text: &str) {
    let offset = terminal.offset();
    terminal.feed(text.as_bytes(), offset);
}

/// Lines of random length, some wide, some coloured; `None` in the text is a number that tells them apart.
fn numbered(chance: &mut Chance, count: usize) -> Vec<String> {
    (0..count)
        .map(|n| {
            let filler = chance.pick(&["word ", "世界", "mixed 世 ", "x"]).repeat(chance.below(40));
            format!("{n}:{filler}.")
        })
        .collect()
}

#[test]
#[ntest::timeout(120_000)]
fn lines_survive_any_change_of_width() {
    let first = seed();
    for seed in first..first + cases(30) {
        let mut chance = Chance::new(seed);
        let mut terminal = Terminal::new(Size::new(80, 24), Options::default());
        let lines = {
            let count = 200 + chance.below(800);
            numbered(&mut chance, count)
        };
        for (at, line) in lines.iter().enumerate() {
            let color = if chance.one_in(3) { "\x1b[3;42m" } else { "" };
            feed(&mut terminal, &format!("{color}{line}\x1b[m\r\n"));
            if chance.one_in(40) {
                let size = Size::new(10 + chance.below(150) as u16, 2 + chance.below(60) as u16);
                terminal.resize(size);
            }
            if chance.one_in(100) {
                let kept: Vec<String> =
                    terminal.lines(Scope::All).into_iter().filter(|l| !l.is_empty()).collect();
                let differs = kept.iter().zip(&lines).find(|(kept, line)| kept != line);
                assert_eq!(differs, None, "BELFRY_SEED={seed} after line {at}");
                assert_eq!(kept.len(), at + 1, "BELFRY_SEED={seed} after line {at}");
            }
        }
        let size = terminal.size();
        let rows = terminal.text(Scope::All);
        // Wide characters leave gaps at the ends of rows, which the count does not know of.
        let counted = terminal.scrollback_rows() + usize::from(size.rows);
        let most = counted + counted / 4 + lines.len();
        assert!(
            (counted..most).contains(&rows.len()),
            "BELFRY_SEED={seed}: {} rows, {counted} counted",
            rows.len()
        );
    }
}

#[test]
#[ntest::timeout(60_000)]
fn a_growing_window_brings_lines_back() {
    let mut terminal = Terminal::new(Size::new(40, 5), Options::default());
    for n in 0..2000 {
        feed(&mut terminal, &format!("line {n}\r\n"));
    }
    feed(&mut terminal, "$ ");
    terminal.resize(Size::new(40, 300));
    let screen = terminal.text(Scope::Screen);
    assert_eq!(screen.len(), 300);
    let filled = screen.iter().filter(|row| !row.is_empty()).count();
    assert!(filled > 60, "{filled} rows came back");
    let all = terminal.text(Scope::All);
    for n in 0..2000 {
        assert_eq!(all.iter().filter(|row| **row == format!("line {n}")).count(), 1, "line {n}");
    }
    terminal.resize(Size::new(40, 5));
    assert_eq!(terminal.text(Scope::Screen)[3..], ["line 1999", "$"]);
    assert_eq!(terminal.text(Scope::All)[..2], ["line 0", "line 1"]);
}

#[test]
#[ntest::timeout(60_000)]
fn clearing_the_scrollback_works_on_the_primary_screen_only() {
    let mut terminal = Terminal::new(Size::new(40, 5), Options::default());
    let fill = |terminal: &mut Terminal| {
        for n in 0..1000 {
            feed(terminal, &format!("line {n}\r\n"));
        }
    };
    fill(&mut terminal);
    let above = terminal.scrollback_rows();
    assert_eq!(above, 996);
    feed(&mut terminal, "\x1b[?1049h\x1b[2Jalternate\x1b[3J");
    assert_eq!(terminal.scrollback_rows(), above);
    assert_eq!(terminal.text(Scope::All).len(), 5, "the alternate screen has nothing above it");
    terminal.resize(Size::new(30, 8));
    feed(&mut terminal, "\x1b[?1049l");
    assert_eq!(terminal.text(Scope::All)[..1], ["line 0"]);
    feed(&mut terminal, "\x1b[2J");
    assert_eq!(terminal.text(Scope::All)[..1], ["line 0"], "erasing the screen leaves what is above");
    feed(&mut terminal, "\x1b[3J");
    assert_eq!(terminal.scrollback_rows(), 0);
    assert!(terminal.checkpoint().blocks.is_empty());
    feed(&mut terminal, "\x1b[H");
    fill(&mut terminal);
    assert_eq!(terminal.text(Scope::All)[..2], ["line 0", "line 1"].map(String::from));
}

#[test]
#[ntest::timeout(60_000)]
fn exactly_the_limit_is_kept() {
    let options = Options { scrollback_lines: 1000, ..Options::default() };
    let mut terminal = Terminal::new(Size::new(40, 10), options);
    for n in 0..5000 {
        feed(&mut terminal, &format!("line {n}\r\n"));
    }
    let rows = terminal.text(Scope::All);
    assert_eq!(rows.len(), 1010);
    assert_eq!(rows[0], "line 3991");
    assert_eq!(terminal.text(Scope::Recent(20)).len(), 30);
    let snapshot = terminal.snapshot(Scope::Recent(500));
    assert!(snapshot.scrollback_rows >= 500 && snapshot.scrollback_rows < 700);
    assert_eq!(snapshot.scrollback_rows + snapshot.omitted_rows, 1000);
}

#[test]
#[ntest::timeout(60_000)]
fn blocks_are_written_once_and_never_change() {
    let mut terminal = Terminal::new(Size::new(80, 24), Options::default());
    let mut known = std::collections::BTreeMap::new();
    for round in 0..60 {
        for n in 0..400 {
            feed(
                &mut terminal,
                &format!("\x1b[3{}mround {round} line {n}\x1b[m with some text to fill it\r\n", n % 8),
            );
        }
        let saved = terminal.checkpoint();
        assert!(saved.live.len() < 64 * 1024, "{} bytes are live", saved.live.len());
        for id in &saved.blocks {
            let bytes = terminal.archive_block(*id).expect("listed").to_vec();
            assert_eq!(known.entry(*id).or_insert_with(|| bytes.clone()), &bytes, "block {id:?}");
        }
        assert!(saved.blocks.is_sorted());
    }
    assert!(
        terminal.archive_block(*known.keys().next().expect("some")).is_none(),
        "the oldest are beyond the limit"
    );
}

#[test]
#[ntest::timeout(60_000)]
fn ten_thousand_coloured_lines_take_little_memory() {
    let mut terminal = Terminal::new(Size::new(120, 40), Options::default());
    let mut chance = Chance::new(7);
    for n in 0..12_000 {
        let mut line = String::new();
        for _ in 0..8 {
            let (a, b, c) = (chance.below(8), chance.below(1000), chance.below(256));
            let _ = write!(line, "\x1b[3{a};1mword{b}\x1b[m \x1b[38;5;{c}mother\x1b[m ");
        }
        feed(&mut terminal, &format!("{n} {line}\r\n"));
    }
    terminal.checkpoint();
    assert!(terminal.memory() < 5_000_000, "{} bytes", terminal.memory());
    assert_eq!(terminal.scrollback_rows(), 10_000);
}

#[test]
#[ntest::timeout(60_000)]
fn halves_of_wide_characters_never_stay() {
    for (edit, left) in [
        ("\x1b[1;2Hx", " x"),
        ("\x1b[1;1Hx", "x"),
        ("\x1b[1;2H\x1b[X", ""),
        ("\x1b[1;1H\x1b[X", ""),
        ("\x1b[1;2H\x1b[K", ""),
        ("\x1b[1;1H\x1b[1K", ""),
        ("\x1b[1;2H\x1b[P", ""),
        ("\x1b[1;1H\x1b[P", ""),
        ("\x1b[1;2H\x1b[@", ""),
        ("\x1b[1;2H\x1b[4hx\x1b[4l", " x"),
    ] {
        let mut terminal = Terminal::new(Size::new(10, 2), Options::default());
        feed(&mut terminal, &format!("世{edit}"));
        assert_eq!(terminal.text(Scope::Screen)[0], left, "{edit:?}");
    }
    let mut terminal = Terminal::new(Size::new(5, 3), Options::default());
    feed(&mut terminal, "世界世");
    assert_eq!(terminal.text(Scope::Screen)[..2], ["世界", "世"]);
    terminal.resize(Size::new(6, 3));
    assert_eq!(terminal.text(Scope::Screen)[..2], ["世界世", ""]);
    terminal.resize(Size::new(3, 3));
    assert_eq!(terminal.text(Scope::Screen), ["世", "界", "世"]);
}
