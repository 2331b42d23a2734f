//! What must hold whatever is fed, and in whatever pieces.

mod support;

use std::collections::HashMap;

use belfry_terminal::inspect::{Detail, picture, private_state};
use belfry_terminal::{BlockId, EventKind, Options, Scope, Size, Terminal};

use support::chance::{Chance, cases, seed};
use support::{feed_in_pieces, same, stream};

/// Everything that can be known of a terminal.
fn everything(terminal: &Terminal) -> String {
    let snapshot = terminal.snapshot(Scope::All);
    format!(
        "{}{}\noffset {}\n{}\nsnapshot {}\n",
        picture(terminal, Detail::State),
        private_state(terminal),
        snapshot.offset,
        terminal.text(Scope::All).join("\n"),
        String::from_utf8_lossy(&snapshot.bytes).escape_debug().to_string().replace("\\n", "\\n\n")
    )
}

/// The same, without what depends on how much of the scrollback is packed: that depends on the pieces.
fn visible(terminal: &Terminal) -> String {
    let full = picture(terminal, Detail::State);
    let rows = usize::from(terminal.size().rows);
    let above = support::primary_rows(&full).min(rows + 60);
    format!(
        "{}{}\n{}\n",
        support::with_rows_above(&full, above),
        private_state(terminal),
        terminal.text(Scope::All).join("\n")
    )
}

fn some_output(chance: &mut Chance, size: Size) -> Vec<u8> {
    let count = 20 + chance.below(700);
    stream::random(chance, size.cols, size.rows, count).concat()
}

fn some_size(chance: &mut Chance) -> Size {
    Size::new(4 + chance.below(60) as u16, 2 + chance.below(20) as u16)
}

fn each_seed(default: u64, mut check: impl FnMut(&mut Chance) -> Result<(), String>) {
    let first = seed();
    for seed in first..first + cases(default) {
        if let Err(report) = check(&mut Chance::new(seed)) {
            panic!("BELFRY_SEED={seed} BELFRY_CASES=1\n{report}");
        }
    }
}

#[test]
#[ntest::timeout(120_000)]
fn pieces_make_no_difference() {
    each_seed(150, |chance| {
        let size = some_size(chance);
        let bytes = some_output(chance, size);
        let mut whole = Terminal::new(size, Options::default());
        let fed = whole.feed(&bytes, 0);
        let (replies, events, view) = (fed.replies, fed.events, fed.view.bytes.into_owned());
        let mut pieces = Terminal::new(size, Options::default());
        let (mut other_replies, mut other_events, mut other_view) = (vec![], vec![], vec![]);
        feed_in_pieces(&mut pieces, &bytes, chance, |fed| {
            other_replies.extend(fed.replies.iter().cloned());
            other_events.extend(fed.events.iter().cloned());
            other_view.extend_from_slice(&fed.view);
        });
        same("state", &visible(&whole), &visible(&pieces))?;
        same("replies", &format!("{replies:#?}"), &format!("{other_replies:#?}"))?;
        same("events", &format!("{events:#?}"), &format!("{other_events:#?}"))?;
        // Sequences that were cut are written anew, so views are compared by what they make of it.
        let mut left = Terminal::new(size, Options::default());
        let mut right = Terminal::new(size, Options::default());
        left.feed(&view, 0);
        right.feed(&other_view, 0);
        same("views", &visible(&left), &visible(&right))
    });
}

#[test]
#[ntest::timeout(120_000)]
fn a_view_is_what_the_source_says() {
    each_seed(150, |chance| {
        let size = some_size(chance);
        let bytes = some_output(chance, size);
        let mut terminal = Terminal::new(size, Options::default());
        let view = terminal.feed(&bytes, 0).view.bytes.into_owned();
        let mut again = Terminal::new(size, Options::default());
        let fed = again.feed(&view, 0);
        if !fed.replies.is_empty() {
            return Err(format!("views hold queries: {:?}", fed.replies));
        }
        if fed.view.offset == fed.view.len() as u64 && fed.view[..] != view[..] {
            return Err("views are not stable".to_owned());
        }
        // Only the bits that xterm.js does not have are missing.
        same("view", &picture(&terminal, Detail::Seen), &picture(&again, Detail::Seen))
    });
}

#[test]
#[ntest::timeout(120_000)]
fn a_restored_terminal_goes_on_as_if_nothing_had_happened() {
    each_seed(150, |chance| {
        let size = some_size(chance);
        let mut terminal = Terminal::new(size, Options::default());
        let mut disk: HashMap<BlockId, Vec<u8>> = HashMap::new();
        let bytes = [
            some_output(chance, size),
            b"line of text\r\n".repeat(chance.below(3000)),
            some_output(chance, size),
        ]
        .concat();
        let cut = chance.below(bytes.len());
        feed_in_pieces(&mut terminal, &bytes[..cut], chance, |_| ());
        if chance.one_in(3) {
            terminal.resize(some_size(chance));
        }
        let saved = terminal.checkpoint();
        for id in &saved.blocks {
            disk.insert(*id, terminal.archive_block(*id).ok_or("a block is missing")?.to_vec());
        }
        let mut again = Terminal::restore(&saved.live, Options::default(), |id| disk.get(&id).cloned())
            .map_err(|e| e.to_string())?;
        if again.offset() != saved.offset {
            return Err("the offset is another one".to_owned());
        }
        let offset = usize::try_from(saved.offset).map_err(|e| e.to_string())?;
        again.feed(&bytes[offset..cut], saved.offset);
        same("restored", &everything(&terminal), &everything(&again))?;
        if chance.one_in(2) {
            let size = some_size(chance);
            terminal.resize(size);
            again.resize(size);
        }
        let (mut one, mut two) = (chance.clone(), chance.clone());
        feed_in_pieces(&mut terminal, &bytes[cut..], &mut one, |_| ());
        feed_in_pieces(&mut again, &bytes[cut..], &mut two, |_| ());
        same("restored and gone on", &everything(&terminal), &everything(&again))
    });
}

/// Text as programs print it in floods: plain, coloured, wide, with tabs, and now and then something else.
fn flood(chance: &mut Chance) -> Vec<u8> {
    let mut out = Vec::new();
    let kinds = 1 + chance.below(6);
    for _ in 0..chance.below(4000) {
        match chance.below(kinds) {
            0 => out.extend(std::iter::repeat_n(b'a' + chance.below(26) as u8, chance.below(150))),
            1 => out
                .extend(format!("{} \x1b[3{}mcolour\x1b[m and more", chance.next(), chance.below(8)).bytes()),
            2 => out.extend("wide 世界 and 한국어 é ".repeat(chance.below(4)).bytes()),
            3 => out.extend("col\tumn\ts".bytes()),
            4 if chance.one_in(4) => {
                out.extend(format!("\x1b[4{}mbackground\x1b[1m", chance.below(8)).bytes());
            }
            4 => out.extend("\x1b[38;5;200mleft on".bytes()),
            _ if chance.one_in(40) => {
                out.extend(chance.pick(&["e\u{301}", "\x1b[2J", "\x1b[H", "\x1b]2;t\x07", "\x1b[m"]).bytes());
            }
            _ => out.extend("words ".repeat(chance.below(60)).bytes()),
        }
        out.extend_from_slice(b"\r\n");
    }
    out
}

#[test]
#[ntest::timeout(120_000)]
fn skipping_ahead_makes_no_difference() {
    each_seed(60, |chance| {
        let size = Size::new(10 + chance.below(100) as u16, 2 + chance.below(30) as u16);
        let options = Options { scrollback_lines: 100 + chance.below(3000), ..Options::default() };
        let mut bytes = some_output(chance, size);
        bytes.extend_from_slice(b"\x18\x1b[r\x1b[?1049l\x1b[4l\x1b[?6l\x1b[20l\x1b(B\x0f\x1b[m\r\n");
        bytes.extend(flood(chance));
        let mut whole = Terminal::new(size, options.clone());
        let view = whole.feed(&bytes, 0).view.bytes.into_owned();
        let mut pieces = Terminal::new(size, options.clone());
        // Pieces too short to skip anything.
        let mut all = Vec::new();
        for piece in bytes.chunks(500) {
            let offset = pieces.offset();
            all.extend_from_slice(&pieces.feed(piece, offset).view);
        }
        same("state", &visible(&whole), &visible(&pieces))?;
        // And what a view would get from the archive.
        let picture_of = |terminal: &Terminal| {
            let mut view =
                Terminal::new(size, Options { scrollback_lines: usize::MAX / 2, ..options.clone() });
            view.feed(&terminal.snapshot(Scope::All).bytes, 0);
            view.resize(Size::new(size.cols, 1000));
            support::with_rows_above(&picture(&view, Detail::Seen), options.scrollback_lines.min(900))
        };
        same("snapshots", &picture_of(&whole), &picture_of(&pieces))?;
        let shown = |bytes: &[u8]| {
            let mut view = Terminal::new(size, options.clone());
            view.feed(bytes, 0);
            visible(&view)
        };
        same("views", &shown(&view), &shown(&all))
    });
}

#[test]
#[ntest::timeout(60_000)]
fn a_panic_costs_one_screen() {
    let mut terminal = Terminal::new(Size::new(20, 5), Options::default());
    terminal.feed(b"before", 0);
    terminal.fail_next_feed();
    let fed = terminal.feed(b"during", 6);
    assert_eq!(fed.events.last().map(|e| e.kind.clone()), Some(EventKind::EngineReset));
    assert_eq!(&fed.view[..], b"\x1bc");
    let fed = terminal.feed(b"after", 12);
    assert!(fed.events.is_empty());
    assert_eq!(terminal.text(Scope::Screen)[0], "after");
    assert_eq!(terminal.offset(), 17);
}
