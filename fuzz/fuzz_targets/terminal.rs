//! The terminal engine: any output in any pieces, with changes of size, snapshots and restores in between.
#![no_main]

use belfry_terminal::inspect::{Detail, picture};
use belfry_terminal::{EventKind, Options, Scope, Size, Terminal};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    let Some((&head, mut rest)) = data.split_first() else { return };
    let size = Size::new(2 + u16::from(head & 15) * 4, 1 + u16::from(head >> 4));
    let options = Options { scrollback_lines: 50, ..Options::default() };
    let mut terminal = Terminal::new(size, options.clone());
    // 0xf8 and above are never part of UTF-8: here they say what happens between two pieces.
    while !rest.is_empty() {
        let end = rest.iter().position(|b| *b >= 0xf8).unwrap_or(rest.len());
        let fed = terminal.feed(&rest[..end], terminal.offset());
        assert!(!fed.events.iter().any(|e| e.kind == EventKind::EngineReset), "the engine panicked");
        assert!(fed.view.offset <= terminal.offset());
        let view = fed.view.bytes.into_owned();
        let mut other = Terminal::new(size, options.clone());
        assert!(other.feed(&view, 0).replies.is_empty(), "views hold no queries");
        let command = rest.get(end).copied();
        rest = &rest[(end + 1).min(rest.len())..];
        match command {
            Some(0xf8) => {
                let next = rest.first().copied().unwrap_or(0);
                terminal.resize(Size::new(u16::from(next & 63), u16::from(next >> 4)));
            }
            Some(0xf9) => {
                let snapshot = terminal.snapshot(Scope::All);
                let mut again = Terminal::new(snapshot.size, options.clone());
                assert!(again.feed(&snapshot.bytes, 0).replies.is_empty(), "snapshots hold no queries");
                assert_eq!(again.text(Scope::Screen), terminal.text(Scope::Screen));
                assert_eq!(again.cursor(), terminal.cursor());
            }
            Some(0xfa) => {
                let saved = terminal.checkpoint();
                let block = |id| terminal.archive_block(id).map(<[u8]>::to_vec);
                let again = Terminal::restore(&saved.live, options.clone(), block).expect("it restores");
                assert_eq!(picture(&again, Detail::State), picture(&terminal, Detail::State));
                terminal = again;
            }
            _ => (),
        }
    }
});
