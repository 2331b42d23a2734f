//! Output that means harm or makes no sense: memory stays bounded, nothing a program prints comes back as its input, and
//! what follows is shown as if nothing had been.

mod support;

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

use belfry_terminal::{Colors, EventKind, Options, Rgb, Scope, Size, Terminal};

use support::chance::{Chance, seed};

thread_local! {
    static NOW: Cell<isize> = const { Cell::new(0) };
    static PEAK: Cell<isize> = const { Cell::new(0) };
}

/// Counts each thread's own memory.
struct Counting;

#[global_allocator]
static ALLOCATOR: Counting = Counting;

fn count(change: isize) {
    let _ = NOW.try_with(|now| {
        now.set(now.get() + change);
        let _ = PEAK.try_with(|peak| peak.set(peak.get().max(now.get())));
    });
}

// SAFETY: every call goes to the system's allocator unchanged; the counters do not allocate.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        count(layout.size().cast_signed());
        // SAFETY: the caller's promise is passed on.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, memory: *mut u8, layout: Layout) {
        count(-(layout.size().cast_signed()));
        // SAFETY: the caller's promise is passed on.
        unsafe { System.dealloc(memory, layout) }
    }
}

/// The most memory that was taken at any moment of `run`, in bytes.
fn peak_of(run: impl FnOnce()) -> isize {
    let start = NOW.get();
    PEAK.set(start);
    run();
    PEAK.get() - start
}

fn terminal() -> Terminal {
    Terminal::new(Size::new(80, 24), Options::default())
}

fn feed(terminal: &mut Terminal, bytes: &[u8]) -> (Vec<Vec<u8>>, Vec<EventKind>, Vec<u8>) {
    let offset = terminal.offset();
    let fed = terminal.feed(bytes, offset);
    (
        fed.replies.into_iter().map(|r| r.bytes).collect(),
        fed.events.into_iter().map(|e| e.kind).collect(),
        fed.view.bytes.into_owned(),
    )
}

#[test]
#[ntest::timeout(120_000)]
fn unfinished_sequences_take_little_memory() {
    const PIECE: usize = 64 * 1024;
    for (start, filler) in [
        ("\x1b]2;", "a"),
        ("\x1b]52;c;", "YWFh"),
        ("\x1b]8;;https://", "x"),
        ("\x1bP", "q"),
        ("\x1bPtmux;", "\x07x"),
        ("\x1b_G", "A"),
        ("\x1b^", "p"),
        ("\x1bX", "s"),
        ("\x1b[", "1"),
        ("\x1b[", "1;"),
        ("\x1b[", "1:"),
        ("\x1b[", "!"),
        ("\x1b[", "\n"),
        ("\x1b", "("),
        ("\x1b[1;2", "\x7f"),
    ] {
        let mut terminal = terminal();
        feed(&mut terminal, b"before");
        let filler = filler.repeat(PIECE / filler.len());
        let peak = peak_of(|| {
            feed(&mut terminal, start.as_bytes());
            // 100 MB of a title; the others differ in nothing that grows.
            let megabytes = if start == "\x1b]2;" { 100 } else { 10 };
            for _ in 0..megabytes * 1024 * 1024 / PIECE {
                let (replies, events, view) = feed(&mut terminal, filler.as_bytes());
                assert!(replies.is_empty() && events.is_empty());
                assert!(view.len() <= 64, "views get nothing of {start:?}");
            }
        });
        assert!(peak < 1 << 20, "{start:?} takes {peak} bytes");
        feed(&mut terminal, b"\x18\r\n\x1b[2Kafter");
        assert!(terminal.text(Scope::Screen).contains(&"after".to_owned()), "{start:?}");
    }
}

#[test]
#[ntest::timeout(60_000)]
fn every_query_has_the_answer_written_here_or_none() {
    let colors = Colors { background: Rgb::hex(0x01_02_a3), dark: false, ..Colors::default() };
    let options = Options { colors, cell_pixels: Some((8, 17)), version: "1.2", ..Options::default() };
    let mut terminal = Terminal::new(Size::new(80, 24), options);
    feed(&mut terminal, b"\x1b]2;title\x07\x1b]1;icon\x07\x1b[3;5H\x1b[1;31m");
    for (query, answer) in [
        ("\x1b[c", "\x1b[?62;22c"),
        ("\x1b[0c", "\x1b[?62;22c"),
        ("\x1b[>c", "\x1b[>0;276;0c"),
        ("\x1b[=c", ""),
        ("\x1bZ", ""),
        ("\x05", ""),
        ("\x1b[5n", "\x1b[0n"),
        ("\x1b[6n", "\x1b[3;5R"),
        ("\x1b[?6n", "\x1b[?3;5R"),
        ("\x1b[?15n", ""),
        ("\x1b[?996n", "\x1b[?997;2n"),
        ("\x1b[>q", "\x1bP>|Belfry(1.2)\x1b\\"),
        ("\x1b[?25$p", "\x1b[?25;1$y"),
        ("\x1b[?2026$p", "\x1b[?2026;2$y"),
        ("\x1b[?2027$p", "\x1b[?2027;0$y"),
        ("\x1b[?31337$p", ""),
        ("\x1b[4$p", "\x1b[4;2$y"),
        ("\x1b[?u", "\x1b[?0u"),
        ("\x1b[?4m", ""),
        ("\x1b[14t", "\x1b[4;408;640t"),
        ("\x1b[16t", "\x1b[6;17;8t"),
        ("\x1b[18t", "\x1b[8;24;80t"),
        ("\x1b[11t", ""),
        ("\x1b[20t", ""),
        ("\x1b[21t", ""),
        ("\x1b]11;?\x07", "\x1b]11;rgb:0101/0202/a3a3\x07"),
        ("\x1b]11;?\x1b\\", "\x1b]11;rgb:0101/0202/a3a3\x1b\\"),
        ("\x1b]4;1;?\x07", "\x1b]4;1;rgb:cccc/6666/6666\x07"),
        ("\x1b]4;196;?\x07", "\x1b]4;196;rgb:ffff/0000/0000\x07"),
        ("\x1b]4;256;?\x07", ""),
        ("\x1b]52;c;?\x07", ""),
        ("\x1b]7501;?\x1b\\", "\x1b]7501;?1\x1b\\"),
        ("\x1b]l\x1b\\", ""),
        ("\x1b]99;i=1:p=?;\x1b\\", ""),
        ("\x1bP$qm\x1b\\", ""),
        ("\x1bP$q\"p\x1b\\", ""),
        ("\x1bP+q544e\x1b\\", ""),
        ("\x1b_Gi=31,s=1,v=1,a=q,t=d,f=24;AAAA\x1b\\", ""),
        ("\x1b[1;1;1;1;1;1*y", ""),
        ("\u{9b}c", ""),
    ] {
        let (replies, _, view) = feed(&mut terminal, query.as_bytes());
        let expected: Vec<Vec<u8>> =
            if answer.is_empty() { vec![] } else { vec![answer.as_bytes().to_vec()] };
        assert_eq!(replies, expected, "{query:?}");
        assert!(view.is_empty() || !view.contains(&0x1b), "views must not see {query:?}");
    }
}

#[test]
#[ntest::timeout(60_000)]
fn a_reply_names_its_query_once() {
    let mut terminal = terminal();
    let bytes = b"ab\x1b[c\x1b[5ncd";
    let mut seen = Vec::new();
    for (at, byte) in bytes.iter().enumerate() {
        let fed = terminal.feed(std::slice::from_ref(byte), at as u64);
        seen.extend(fed.replies.into_iter().map(|r| r.query_offset));
    }
    assert_eq!(seen, [4, 8], "offsets of the last bytes");
    // The same bytes once more, as after a reconnection: known already.
    assert!(terminal.feed(bytes, 0).replies.is_empty());
    assert_eq!(terminal.offset(), bytes.len() as u64);
    // After a gap an unfinished sequence is no part of what follows.
    terminal.feed(b"\x1b[", 11);
    assert!(terminal.feed(b"c", 20).replies.is_empty());
    assert_eq!(terminal.text(Scope::Screen)[0], "abcdc");
}

#[test]
#[ntest::timeout(120_000)]
fn nothing_printed_comes_back_as_input() {
    let mut chance = Chance::new(seed());
    let mut terminal = terminal();
    for _ in 0..20_000 {
        // Letters that no fixed part of a reply has in this order.
        let mark: String = (0..8).map(|_| char::from(b"qxzjkwvQXZJKWV"[chance.below(14)])).collect();
        let number = 100_000 + chance.below(900_000);
        let query = match chance.below(14) {
            0 => format!("\x1b]2;{mark}\x07\x1b[21t"),
            1 => format!("\x1b]1;{mark}\x07\x1b[20t"),
            2 => format!("\x1bP$q{mark}\x1b\\"),
            3 => format!("\x1bP+q{mark}\x1b\\"),
            4 => format!("\x1b]4;1;{mark}\x07\x1b]4;1;?\x07"),
            5 => format!("\x1b]10;#{:06x}\x07\x1b]10;?;?;?\x07", chance.below(1 << 24)),
            6 => format!("\x1b]52;c;{mark}\x07\x1b]52;c;?\x07"),
            7 => format!("\x1b]7501;?{mark}\x07"),
            8 => format!("\x1b]8;;{mark}\x07\x1b[c"),
            9 => format!("\x1b[?{number}$p\x1b[{number}$p"),
            10 => format!("\x1b[{number};{number}H\x1b[6n"),
            11 => format!("\x1b[>{number}u\x1b[?u\x1b[{number}n\x1b[{number}t"),
            12 => format!("\x1b_G{mark}\x1b\\\x1b]{mark};?\x07\x1b[?{number}n"),
            _ => format!("{mark}\x05\x1b[>q\x1b[{number}c"),
        };
        let number = number.to_string();
        let (replies, ..) = feed(&mut terminal, query.as_bytes());
        for reply in replies {
            let text = String::from_utf8(reply).expect("replies are text");
            let chosen = [mark.as_str(), number.as_str()];
            let echoed = chosen
                .iter()
                .filter(|c| query.contains(**c))
                .any(|c| (0..=c.len() - 4).any(|at| text.contains(&c[at..at + 4])));
            assert!(!echoed, "{query:?} is answered by {text:?}");
            assert!(
                text.starts_with('\x1b') && !text.contains(['\r', '\n']),
                "{text:?} would be taken for typing"
            );
        }
    }
}

#[test]
#[ntest::timeout(60_000)]
fn text_from_sequences_is_stripped_and_bounded() {
    let mut terminal = terminal();
    let (_, events, view) = feed(&mut terminal, "\x1b]2;a\x01\x08b\u{9b}31mc\u{7f}\x07".as_bytes());
    assert_eq!(events, [EventKind::Title("ab31mc".to_owned())]);
    assert_eq!(view, b"\x1b]2;ab31mc\x1b\\");
    let long = "t".repeat(100_000);
    feed(&mut terminal, format!("\x1b]2;{long}\x07").as_bytes());
    assert_eq!(terminal.title().len(), 512);
    let (_, events, _) = feed(&mut terminal, format!("\x1b]777;notify;a;{long}\x07").as_bytes());
    assert!(matches!(&events[..], [EventKind::Notify { body, .. }] if body.len() == 4096));
    // "QQ==" is an A; 100 KB is the most that may be offered to the clipboard.
    let (_, events, view) = feed(&mut terminal, b"\x1b]52;c;G0EKCQAA\x07");
    assert_eq!(events, [EventKind::ClipboardWrite { primary: false, text: "A\n\t".to_owned() }]);
    assert!(view.is_empty());
    let (_, events, _) = feed(&mut terminal, format!("\x1b]52;c;{}\x07", "QUFB".repeat(40_000)).as_bytes());
    assert!(events.is_empty());
    let (_, events, _) = feed(&mut terminal, "\x1b]9;4;1;300\x07".as_bytes());
    assert_eq!(events, [EventKind::Progress(belfry_terminal::Progress::Normal(100))]);
}

#[test]
#[ntest::timeout(60_000)]
fn marks_links_and_clusters_are_bounded() {
    let mut terminal = terminal();
    let (_, _, view) = feed(&mut terminal, format!("e{}f", "\u{301}".repeat(10_000)).as_bytes());
    assert_eq!(terminal.text(Scope::Screen)[0].chars().count(), 33, "32 in one cell, then the f");
    assert_eq!(String::from_utf8(view).expect("text").chars().count(), 33);
    let peak = peak_of(|| {
        for n in 0..200_000_u32 {
            let text = format!(
                "\x1b]8;;https://example.org/{n}/{}\x07x\x1b[58:2::{}:{}:1mye\u{301}{}\r\n",
                "p".repeat(100),
                n % 256,
                n / 256 % 256,
                char::from_u32(0x300 + n % 100).unwrap_or('x')
            );
            feed(&mut terminal, text.as_bytes());
        }
    });
    assert!(peak < 32 << 20, "{peak} bytes");
    feed(&mut terminal, b"\x1b]8;;\x07\x1b[m\x1b[H\x1b[2J\x1b]8;;https://example.org/last\x07link");
    let snapshot = terminal.snapshot(Scope::Screen).bytes;
    assert!(String::from_utf8_lossy(&snapshot).contains("https://example.org/last"));
}

#[test]
#[ntest::timeout(60_000)]
fn large_counts_are_quick_and_do_not_reach_views() {
    let mut terminal = terminal();
    for last in [
        "@", "A", "B", "C", "D", "E", "F", "G", "I", "L", "M", "P", "S", "T", "X", "Z", "a", "b", "d", "e",
        " @", " A", "'}", "'~",
    ] {
        feed(&mut terminal, b"\x1b[10;10Hx");
        let (_, _, view) = feed(&mut terminal, format!("\x1b[2147483647{last}").as_bytes());
        let text = String::from_utf8(view).expect("text");
        if "ILMSTZb".contains(last) {
            assert!(!text.contains("2147483647"), "xterm.js would work through {text:?}");
        }
    }
    let (_, _, view) = feed(&mut terminal, b"\x1b[99999999;99999999H\x1b[99999999;99999999rq");
    assert!(!view.is_empty());
}

#[test]
#[ntest::timeout(120_000)]
fn random_bytes_never_fail() {
    let mut chance = Chance::new(seed());
    let mut terminal = terminal();
    let alphabet = b"\x1b[]?;:0123456789 !$'\"<=>ABCDHJKLMPSTXhlmnprstuqc\x07\x08\x09\r\n\x0e\x0f\\P_^X()*+7\xc3\xa9\xe4\xb8\x96\x9b\xff";
    for round in 0..600 {
        let length = 1 + chance.below(16 * 1024);
        let dense = chance.one_in(2);
        let bytes: Vec<u8> = (0..length)
            .map(|_| if dense { alphabet[chance.below(alphabet.len())] } else { chance.next() as u8 })
            .collect();
        let (_, events, _) = feed(&mut terminal, &bytes);
        assert!(!events.contains(&EventKind::EngineReset), "round {round}");
        if chance.one_in(4) {
            let size = if chance.one_in(3) { 1000 } else { 90 };
            terminal.resize(Size::new(chance.below(size) as u16, chance.below(size / 3) as u16));
        }
        if chance.one_in(8) {
            let saved = terminal.checkpoint();
            let again = Terminal::restore(&saved.live, Options::default(), |id| {
                terminal.archive_block(id).map(<[u8]>::to_vec)
            });
            assert_eq!(again.expect("it restores").text(Scope::Screen), terminal.text(Scope::Screen));
            assert!(!terminal.snapshot(Scope::All).bytes.is_empty());
            assert!(!terminal.lines(Scope::All).is_empty());
            assert!(!terminal.ansi(Scope::Recent(30)).is_empty());
        }
    }
}

#[test]
#[ntest::timeout(60_000)]
fn damaged_checkpoints_are_refused() {
    let mut chance = Chance::new(seed());
    let mut terminal = terminal();
    feed(&mut terminal, &b"some lines\r\n".repeat(3000));
    let saved = terminal.checkpoint();
    for _ in 0..2000 {
        let mut live = saved.live.clone();
        match chance.below(3) {
            0 => live.truncate(chance.below(live.len())),
            1 => {
                let at = chance.below(live.len());
                live[at] ^= 1 << chance.below(8);
            }
            _ => live = (0..chance.below(100)).map(|_| chance.next() as u8).collect(),
        }
        if live != saved.live {
            assert!(Terminal::restore(&live, Options::default(), |_| None).is_err());
        }
    }
    // Blocks that are gone or rotten only cost their lines.
    let again =
        Terminal::restore(&saved.live, Options::default(), |_| Some(vec![1, 2, 3])).expect("it restores");
    assert_eq!(again.text(Scope::Screen), terminal.text(Scope::Screen));
}
