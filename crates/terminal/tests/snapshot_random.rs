//! Random streams, other ones in every run: the engine, its snapshots and xterm.js must agree on every cell.
//!
//! `BELFRY_SEED` and `BELFRY_CASES` repeat a run; `BELFRY_MINIMISE=1` shrinks what fails.

mod support;

use belfry_terminal::inspect::{Detail, picture, private_state};
use belfry_terminal::{Options, Scope, Size, Terminal};

use support::chance::{Chance, cases, seed};
use support::xterm::{Piece, Xterm};
use support::{
    feed_in_pieces, primary_rows, same, same_as_xterm, same_state, starts_with_a_continuation, stream,
    with_rows_above, without_wraps,
};

/// One random stream: what comes before a snapshot, and after it.
struct Case {
    seed: u64,
    size: Size,
    first: Vec<Vec<u8>>,
    rest: Vec<Vec<u8>>,
}

impl Case {
    fn new(seed: u64) -> Self {
        let mut chance = Chance::new(seed);
        let size = Size::new(4 + chance.below(60) as u16, 2 + chance.below(20) as u16);
        let count = 20 + chance.below(600);
        let first = stream::random(&mut chance, size.cols, size.rows, count);
        let rest = stream::random(&mut chance, size.cols, size.rows, 60);
        Self { seed, size, first, rest }
    }

    fn check(&self, xterm: &mut Xterm) -> Result<(), String> {
        let size = (self.size.cols, self.size.rows);
        let mut chance = Chance::new(self.seed ^ 1);
        let mut terminal = Terminal::new(self.size, Options::default());
        let mut view = Vec::new();
        feed_in_pieces(&mut terminal, &self.first.concat(), &mut chance, |fed| {
            view.extend_from_slice(&fed.view);
        });

        // What views get puts xterm.js into the engine's state.
        let ours = picture(&terminal, Detail::State);
        let theirs = xterm
            .picture(size, &[Piece::Bytes(&view)], "state")
            .map_err(|e| format!("xterm.js threw on view bytes: {e}"))?;
        same_as_xterm("view bytes", &ours, &with_rows_above(&theirs, primary_rows(&ours)))?;

        // So does a snapshot.
        let snapshot = terminal.snapshot(Scope::All);
        let theirs = xterm.picture(size, &[Piece::Bytes(&snapshot.bytes)], "state")?;
        same_as_xterm("snapshot in xterm.js", &ours, &with_rows_above(&theirs, primary_rows(&ours)))?;
        let mut again = Terminal::new(self.size, Options::default());
        let fed = again.feed(&snapshot.bytes, 0);
        if !fed.replies.is_empty() {
            return Err("a snapshot holds a query".to_owned());
        }
        let loaded = with_rows_above(&picture(&again, Detail::State), primary_rows(&ours));
        same_state("snapshot in a terminal", &ours, &loaded)?;
        same("private state", &private_state(&terminal), &private_state(&again))?;

        // And so it stays with what comes after.
        let orphan = starts_with_a_continuation(&ours);
        let mut view = Vec::new();
        feed_in_pieces(&mut terminal, &self.rest.concat(), &mut chance, |fed| {
            view.extend_from_slice(&fed.view);
        });
        let ours = picture(&terminal, Detail::State);
        let theirs = xterm
            .picture(size, &[Piece::Bytes(&snapshot.bytes), Piece::Bytes(&view)], "state")
            .map_err(|e| format!("xterm.js threw after a snapshot: {e}"))?;
        let (ours, theirs) =
            if orphan { (without_wraps(&ours), without_wraps(&theirs)) } else { (ours, theirs) };
        same_as_xterm("snapshot, then view bytes", &ours, &with_rows_above(&theirs, primary_rows(&ours)))
    }

    /// The same failure with less.
    fn minimised(self, xterm: &mut Xterm, report: &str) -> (Self, String) {
        let kind = report.split(':').next().unwrap_or("").to_owned();
        let Self { seed, size, first, rest } = self;
        let case = |first: &[Vec<u8>], rest: &[Vec<u8>]| Self {
            seed,
            size,
            first: first.to_vec(),
            rest: rest.to_vec(),
        };
        let mut fails = |case: Self| case.check(xterm).is_err_and(|r| r.starts_with(&kind));
        let rest = stream::minimise(rest, &mut |rest| fails(case(&first, rest)));
        let first = stream::minimise(first, &mut |first| fails(case(first, &rest)));
        let case = case(&first, &rest);
        let report = case.check(xterm).err().unwrap_or_default();
        (case, report)
    }
}

#[test]
#[ntest::timeout(300_000)]
fn random_streams_match_xterm() {
    let first = seed();
    let mut xterm = Xterm::start();
    let mut failed = Vec::new();
    let count = cases(150);
    for seed in first..first + count {
        let case = Case::new(seed);
        let Err(mut report) = case.check(&mut xterm) else { continue };
        if std::env::var_os("BELFRY_MINIMISE").is_some() {
            let (case, less) = case.minimised(&mut xterm, &report);
            let show = |part: &[Vec<u8>]| String::from_utf8_lossy(&part.concat()).escape_debug().to_string();
            report = format!(
                "{less}  size {:?}\n  first {}\n  rest {}\n",
                case.size,
                show(&case.first),
                show(&case.rest)
            );
        }
        println!("BELFRY_SEED={seed} BELFRY_CASES=1 {report}");
        failed.push(seed);
    }
    assert!(failed.is_empty(), "{} of {count} streams differ: {failed:?}", failed.len());
}

#[test]
#[ntest::timeout(60_000)]
fn every_character_is_as_wide_as_in_xterm() {
    let widths = Xterm::start().widths();
    let mut terminal = Terminal::new(Size::new(10, 2), Options::default());
    for c in (0xa0..=0x10_ffff).filter_map(char::from_u32) {
        let offset = terminal.offset();
        let mut text = [0; 8];
        text[..3].copy_from_slice(b"\r.\r");
        let length = 3 + c.encode_utf8(&mut text[3..]).len();
        terminal.feed(&text[..length], offset);
        assert_eq!(terminal.cursor().col, u16::from(widths[c as usize]), "width of U+{:04x}", c as u32);
    }
}
