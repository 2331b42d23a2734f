//! Who keeps a copy of the screen by what is said to have changed always has the screen, and quiet rows are left alone.

mod support;

use belfry_terminal::{Damage, Options, Scope, Size, Terminal};

use support::chance::{Chance, cases, seed};
use support::stream;

/// A copy of the screen, as a reader keeps it.
struct Copy(Vec<String>);

impl Copy {
    fn follow(&mut self, terminal: &mut Terminal) -> Damage {
        let damage = terminal.take_damage();
        self.0.resize(terminal.size().rows.into(), String::new());
        let scrolled = usize::from(damage.scrolled).min(self.0.len());
        self.0.rotate_left(scrolled);
        for &row in &damage.rows {
            terminal.row(row, &mut self.0[usize::from(row)]);
        }
        damage
    }
}

#[test]
#[ntest::timeout(120_000)]
fn a_copy_that_follows_the_damage_is_the_screen() {
    let first = seed();
    for seed in first..first + cases(150) {
        let mut chance = Chance::new(seed);
        let size = Size::new(4 + chance.below(60) as u16, 2 + chance.below(20) as u16);
        let mut terminal = Terminal::new(size, Options::default());
        let mut copy = Copy(Vec::new());
        let count = 20 + chance.below(400);
        for element in stream::random(&mut chance, size.cols, size.rows, count) {
            let offset = terminal.offset();
            terminal.feed(&element, offset);
            if chance.one_in(40) {
                terminal.resize(Size::new(4 + chance.below(60) as u16, 2 + chance.below(20) as u16));
            }
            if chance.one_in(4) {
                copy.follow(&mut terminal);
                assert_eq!(copy.0, terminal.text(Scope::Screen), "BELFRY_SEED={seed} BELFRY_CASES=1");
            }
        }
    }
}

#[test]
#[ntest::timeout(30_000)]
fn floods_are_followed() {
    let mut chance = Chance::new(seed());
    let mut terminal = Terminal::new(Size::new(40, 12), Options::default());
    let mut copy = Copy(Vec::new());
    for _ in 0..20 {
        let lines = (0..chance.below(3000)).fold(String::new(), |text, n| text + &format!("line {n}\r\n"));
        let offset = terminal.offset();
        terminal.feed(lines.as_bytes(), offset);
        copy.follow(&mut terminal);
        assert_eq!(copy.0, terminal.text(Scope::Screen));
    }
}

#[test]
fn a_spinner_touches_one_row_and_a_line_feed_moves_the_rest() {
    let mut terminal = Terminal::new(Size::new(40, 12), Options::default());
    assert!(terminal.take_damage().all);
    terminal.feed(b"\x1b[5;1Hspin |", 0);
    assert_eq!(terminal.take_damage(), Damage { all: false, scrolled: 0, rows: vec![4] });
    let offset = terminal.offset();
    terminal.feed(b"\x1b[12;1H", offset);
    assert!(terminal.take_damage().is_empty());
    let offset = terminal.offset();
    terminal.feed(b"last\r\nnew", offset);
    assert_eq!(terminal.take_damage(), Damage { all: false, scrolled: 1, rows: vec![10, 11] });
}

#[test]
fn what_stands_out_by_its_ground_is_found() {
    let mut terminal = Terminal::new(Size::new(40, 3), Options::default());
    terminal
        .feed(b"\x1b[44m   \x1b[K\x1b[43mAllow once\x1b[44m  Reject\r\n\x1b[0mplain \x1b[7mchosen\x1b[0m", 0);
    let mut found = Vec::new();
    terminal.highlights(0, &mut found);
    assert_eq!(found, [(3, 13)]);
    terminal.highlights(1, &mut found);
    assert_eq!(found, [(6, 12)]);
    terminal.highlights(2, &mut found);
    assert!(found.is_empty());
    terminal.highlights(9, &mut found);
    assert!(found.is_empty());
}
