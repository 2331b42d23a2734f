//! What programs say of themselves, in the words that they really use.

use belfry_terminal::{
    Colors, CursorShape, EventKind, Modes, MouseEncoding, MouseTracking, Options, Progress, PromptMark,
    Scope, Size, Terminal,
};

fn terminal() -> Terminal {
    Terminal::new(Size::new(80, 24), Options::default())
}

fn events(terminal: &mut Terminal, text: &str) -> Vec<EventKind> {
    let offset = terminal.offset();
    terminal.feed(text.as_bytes(), offset).events.into_iter().map(|e| e.kind).collect()
}

#[test]
fn each_command_is_understood() {
    let cwd = |host: &str, path: &str| EventKind::Cwd { host: host.into(), path: path.into() };
    let notify = |title: &str, body: &str| EventKind::Notify { title: title.into(), body: body.into() };
    for (text, expected) in [
        ("\x1b]0;both\x07", Some(EventKind::Title("both".into()))),
        ("\x1b]2;✳ title with ünicode\x1b\\", Some(EventKind::Title("✳ title with ünicode".into()))),
        ("\x1b]0;\x07", Some(EventKind::Title(String::new()))),
        ("\x1b]1;icon\x07", None),
        ("\x07", Some(EventKind::Bell)),
        ("\x1b]7;file://host/home/a%20b/%C3%A9\x07", Some(cwd("host", "/home/a b/é"))),
        ("\x1b]7;file:///tmp\x07", Some(cwd("", "/tmp"))),
        ("\x1b]7;https://example.org/\x07", None),
        ("\x1b]9;9;/tmp/x\x07", Some(cwd("", "/tmp/x"))),
        ("\x1b]9;done; really\x07", Some(notify("", "done; really"))),
        ("\x1b]777;notify;Title;Body; more\x07", Some(notify("Title", "Body; more"))),
        ("\x1b]99;;plain\x1b\\", Some(notify("plain", ""))),
        ("\x1b]99;i=1:p=body:e=1;aGVsbG8=\x1b\\", Some(notify("", "hello"))),
        ("\x1b]99;i=1:p=?;\x1b\\", None),
        ("\x1b]9;4;0;\x07", Some(EventKind::Progress(Progress::None))),
        ("\x1b]9;4;1;42\x07", Some(EventKind::Progress(Progress::Normal(42)))),
        ("\x1b]9;4;2;7\x07", Some(EventKind::Progress(Progress::Error(7)))),
        ("\x1b]9;4;3\x07", Some(EventKind::Progress(Progress::Indeterminate))),
        ("\x1b]9;4;4;9\x07", Some(EventKind::Progress(Progress::Paused(9)))),
        ("\x1b]133;A\x07", Some(EventKind::PromptMark(PromptMark::PromptStart))),
        ("\x1b]133;B\x07", Some(EventKind::PromptMark(PromptMark::CommandStart))),
        ("\x1b]133;C;cmdline=x\x07", Some(EventKind::PromptMark(PromptMark::OutputStart))),
        ("\x1b]133;D;127\x07", Some(EventKind::PromptMark(PromptMark::CommandEnd(Some(127))))),
        ("\x1b]133;D\x07", Some(EventKind::PromptMark(PromptMark::CommandEnd(None)))),
        ("\x1b]52;c;aGVsbG8=\x07", Some(EventKind::ClipboardWrite { primary: false, text: "hello".into() })),
        ("\x1b]52;p;aGVsbG8\x07", Some(EventKind::ClipboardWrite { primary: true, text: "hello".into() })),
        // Claude Code leaves the selection empty.
        ("\x1b]52;;aGVsbG8=\x07", Some(EventKind::ClipboardWrite { primary: false, text: "hello".into() })),
        ("\x1b]52;c;not base64!\x07", None),
        ("\x1b]52;c;?\x07", None),
        ("\x1b]21337;indicator=x\x07", None),
    ] {
        assert_eq!(events(&mut terminal(), text), Vec::from_iter(expected), "{text:?}");
    }
}

#[test]
fn program_status_is_taken_apart() {
    let text = "\x1b]7501;state=blocked:app=claude-code:kind=permission:msg=YXBwcm92ZSBCYXNoOiB0b3VjaCB4:odd:x=a=b\x1b\\";
    let events = events(&mut terminal(), text);
    let [EventKind::ProgramStatus(status)] = &events[..] else { panic!("{events:?}") };
    assert_eq!(status.get("state"), Some("blocked"));
    assert_eq!(status.get("kind"), Some("permission"));
    assert_eq!(status.get("msg"), Some("approve Bash: touch x"));
    assert_eq!(status.get("x"), Some("a=b"), "split at the first =");
    assert_eq!(status.pairs.len(), 5);
}

#[test]
fn modes_are_told_when_they_change() {
    let mut terminal = terminal();
    let fresh = Modes::default();
    for (text, expected) in [
        ("\x1b[?2004h", Modes { bracketed_paste: true, ..fresh }),
        ("\x1b[?2004l", fresh),
        ("\x1b[?25l", Modes { cursor_visible: false, ..fresh }),
        ("\x1b[?25h", fresh),
        ("\x1b[?1049h", Modes { alternate_screen: true, ..fresh }),
        ("\x1b[?1049l", fresh),
        ("\x1b[?1004h", Modes { focus_events: true, ..fresh }),
        ("\x1b[?1004l", fresh),
        (
            "\x1b[?1002;1006h",
            Modes { mouse: MouseTracking::Drag, mouse_encoding: MouseEncoding::Sgr, ..fresh },
        ),
        ("\x1b[?1002;1006l", fresh),
        ("\x1b[?2026h", Modes { synchronized: true, ..fresh }),
        ("\x1b[?2026l", fresh),
        ("\x1b[>5u", Modes { kitty_flags: 5, ..fresh }),
        ("\x1b[=2;2u", Modes { kitty_flags: 7, ..fresh }),
        ("\x1b[=1;3u", Modes { kitty_flags: 6, ..fresh }),
        ("\x1b[>1u", Modes { kitty_flags: 1, ..fresh }),
        ("\x1b[<2u", fresh),
        ("\x1b[>4;2m", Modes { modify_other_keys: 2, ..fresh }),
        ("\x1b[>4m", fresh),
        ("\x1b[5 q", Modes { cursor_shape: CursorShape::Bar, cursor_blink: true, ..fresh }),
        ("\x1b[0 q", fresh),
        ("\x1b=", Modes { app_keypad: true, ..fresh }),
        ("\x1b>", fresh),
        ("\x1b[?1h", Modes { app_cursor: true, ..fresh }),
        ("\x1bc", fresh),
    ] {
        assert_eq!(events(&mut terminal, text), [EventKind::ModeChange(expected)], "{text:?}");
        assert_eq!(terminal.modes(), expected);
        assert!(events(&mut terminal, "\x1b[?7h").is_empty(), "nothing changed");
    }
}

#[test]
fn the_keyboard_of_each_screen_is_its_own() {
    let mut terminal = terminal();
    events(&mut terminal, "\x1b[>1u\x1b[?1049h");
    assert_eq!(terminal.kitty_flags(), 0);
    events(&mut terminal, "\x1b[>7u");
    assert_eq!(terminal.kitty_flags(), 7);
    let mut again = Terminal::new(Size::new(80, 24), Options::default());
    again.feed(&terminal.snapshot(Scope::Screen).bytes, 0);
    assert_eq!(again.kitty_flags(), 7, "a snapshot brings it back");
    for terminal in [&mut terminal, &mut again] {
        events(terminal, "\x1b[?1049l");
        assert_eq!(terminal.kitty_flags(), 1);
        events(terminal, "\x1b[?1049h");
        assert_eq!(terminal.kitty_flags(), 0, "nothing is left from the visit before");
    }
}

#[test]
fn saved_titles_come_back() {
    let mut terminal = terminal();
    events(&mut terminal, "\x1b]2;shell\x07\x1b[22;0t\x1b]2;editor\x07");
    let offset = terminal.offset();
    let fed = terminal.feed(b"\x1b[23;0t", offset);
    assert_eq!(fed.events[0].kind, EventKind::Title("shell".into()));
    assert_eq!(&fed.view[..], b"\x1b]2;shell\x1b\\", "xterm.js has no such stack");
    assert_eq!(terminal.title(), "shell");
    assert!(events(&mut terminal, "\x1b[23;0t").is_empty());
}

#[test]
fn a_program_that_asked_is_told_of_a_dark_theme() {
    let light = Colors { dark: false, ..Colors::default() };
    let mut terminal = terminal();
    assert_eq!(terminal.set_colors(light.clone()), None, "it did not ask");
    events(&mut terminal, "\x1b[?2031h");
    assert_eq!(terminal.set_colors(light), None, "nothing changed");
    assert_eq!(terminal.set_colors(Colors::default()), Some(b"\x1b[?997;1n".to_vec()));
}

#[test]
fn offsets_count_source_bytes() {
    let mut terminal = terminal();
    let fed = terminal.feed(b"ab\x07\x1b]2;t\x07", 0);
    assert_eq!(fed.events.iter().map(|e| e.offset).collect::<Vec<_>>(), [3, 9]);
    let fed = terminal.feed(b"x\x1b[c\x1b[3", 9);
    assert_eq!((fed.view.offset, &fed.view[..]), (13, &b"x"[..]), "the unfinished sequence is held back");
    assert_eq!((terminal.offset(), terminal.view_offset()), (16, 13));
    assert_eq!(terminal.snapshot(Scope::Screen).offset, 13);
    let fed = terminal.feed(b"1m", 16);
    assert_eq!((fed.view.offset, &fed.view[..]), (18, &b"\x1b[31m"[..]), "and comes whole");
}

#[test]
fn generations_change_with_what_is_seen() {
    let mut terminal = terminal();
    let mut last = terminal.generation();
    for (text, changes) in [
        ("x", true),
        ("\x1b[c", false),
        ("\x1b]7501;state=idle\x07", false),
        ("\x1b[H", true),
        ("\x1b]2;t\x07", false),
        ("\r\n", true),
        ("\x1b[31m", true),
    ] {
        events(&mut terminal, text);
        if changes {
            assert_ne!(terminal.generation(), last, "{text:?}");
        }
        last = terminal.generation();
    }
    assert_eq!((terminal.cursor().row, terminal.cursor().col), (1, 0));
}
