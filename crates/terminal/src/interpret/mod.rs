//! Gives the scanner's findings their meaning: the screen changes, the program gets answers, the daemon gets events.

mod csi;
mod esc;
mod keyboard;
mod osc;
mod report;

use std::collections::BTreeMap;

use crate::event::{EventKind, TermEvent};
use crate::modes::Modes;
use crate::options::{Options, Rgb, Size};
use crate::output::Reply;
use crate::scan::{Csi, Sink, Verdict};
use crate::screen::Screen;

pub(crate) use keyboard::Keyboard;
pub(crate) use osc::color_spec;
pub(crate) use report::scheme_report;

/// Longest title in characters.
const MAX_TITLE: usize = 512;
/// Saved titles; programs nest two or three deep.
const MAX_TITLES: usize = 16;
/// Events and replies of one piece beyond which further ones are dropped: a flood of them is an attack or noise.
const MAX_EVENTS: usize = 4096;

/// Colours that a program set: 0–255 of the palette, then these.
pub(crate) const COLOR_FOREGROUND: u16 = 256;

/// Everything about a terminal but its scanner.
#[derive(Debug)]
pub(crate) struct Interpreter {
    pub(crate) screen: Screen,
    pub(crate) options: Options,
    pub(crate) title: String,
    pub(crate) titles: Vec<String>,
    pub(crate) keyboard: Keyboard,
    /// Colours changed by OSC 4, 10, 11 and 12.
    pub(crate) palette: BTreeMap<u16, Rgb>,
    pub(crate) replies: Vec<Reply>,
    pub(crate) events: Vec<TermEvent>,
    modes: Modes,
}

impl Interpreter {
    pub(crate) fn new(size: Size, options: Options) -> Self {
        Self {
            screen: Screen::new(size, options.scrollback_lines),
            options,
            title: String::new(),
            titles: Vec::new(),
            keyboard: Keyboard::default(),
            palette: BTreeMap::new(),
            replies: Vec::new(),
            events: Vec::new(),
            modes: Modes::default(),
        }
    }

    /// The modes as others see them.
    pub(crate) fn current_modes(&self) -> Modes {
        let modes = &self.screen.modes;
        Modes {
            app_cursor: modes.app_cursor,
            app_keypad: modes.app_keypad,
            bracketed_paste: modes.bracketed_paste,
            focus_events: modes.focus,
            alternate_screen: self.screen.on_alternate,
            alternate_scroll: modes.alternate_scroll,
            cursor_visible: !modes.cursor_hidden,
            cursor_shape: modes.cursor_shape,
            cursor_blink: if modes.cursor_shape == crate::CursorShape::Default {
                modes.blink
            } else {
                modes.shape_blinks
            },
            mouse: modes.mouse,
            mouse_encoding: modes.mouse_encoding,
            synchronized: modes.synchronized,
            color_scheme_updates: modes.scheme_updates,
            kitty_flags: self.keyboard.flags(self.screen.on_alternate),
            modify_other_keys: self.keyboard.modify_other,
        }
    }

    fn reply(&mut self, offset: u64, bytes: impl Into<Vec<u8>>) {
        if self.replies.len() < MAX_EVENTS {
            self.replies.push(Reply { query_offset: offset - 1, bytes: bytes.into() });
        }
    }

    fn event(&mut self, offset: u64, kind: EventKind) {
        if self.events.len() < MAX_EVENTS {
            self.events.push(TermEvent { offset, kind });
        }
    }

    /// Tells of a change since the last call.
    fn note_modes(&mut self, offset: u64) {
        let modes = self.current_modes();
        if modes != self.modes {
            self.modes = modes;
            self.event(offset, EventKind::ModeChange(modes));
        }
    }

    /// Takes the present modes as known, so that a restored terminal tells only of later changes.
    pub(crate) fn settle_modes(&mut self) {
        self.modes = self.current_modes();
    }

    fn set_title(&mut self, title: &str, offset: u64) {
        self.title = title.chars().filter(|c| !c.is_control()).take(MAX_TITLE).collect();
        self.event(offset, EventKind::Title(self.title.clone()));
    }

    /// Without wrapping, a character beyond the last column overwrites it. Where that is half of a wide one, xterm.js
    /// only takes the other half away when the cursor is there already.
    fn before_overflow(&self) -> Option<Vec<u8>> {
        let screen = &self.screen;
        let buffer = screen.buf();
        if screen.modes.wrap
            || buffer.x < screen.cols
            || !buffer.row(buffer.y).cells()[screen.cols - 1].is_spacer()
        {
            return None;
        }
        let mut bytes = Vec::new();
        crate::snapshot::move_to(&mut bytes, screen);
        Some(bytes)
    }

    /// RIS.
    fn full_reset(&mut self, offset: u64) {
        self.screen.reset();
        self.keyboard = Keyboard::default();
        self.palette.clear();
        self.titles.clear();
        self.note_modes(offset);
    }
}

impl Sink for Interpreter {
    fn text(&mut self, run: &[u8]) -> Option<Vec<u8>> {
        let before = self.before_overflow();
        self.screen.print_ascii(run);
        before
    }

    fn character(&mut self, c: char) -> Verdict {
        if self.screen.modes.wrap {
            return if self.screen.print_char(u32::from(c)) { Verdict::Keep } else { Verdict::Drop };
        }
        let before = self.before_overflow();
        match (self.screen.print_char(u32::from(c)), before) {
            (false, _) => Verdict::Drop,
            (true, None) => Verdict::Keep,
            (true, Some(before)) => Verdict::Replace(before),
        }
    }

    fn control(&mut self, byte: u8, offset: u64) -> bool {
        self.screen.joinable = None;
        match byte {
            0x07 => self.event(offset, EventKind::Bell),
            0x08 => self.screen.backspace(),
            0x09 => self.screen.tab(1),
            0x0a..=0x0c => self.screen.line_feed(),
            0x0d => self.screen.carriage_return(),
            0x0e => self.screen.charsets.active = 1,
            0x0f => self.screen.charsets.active = 0,
            // ENQ must not be answered; the others do nothing.
            _ => return false,
        }
        true
    }

    fn csi(&mut self, csi: &Csi<'_>, offset: u64) -> Verdict {
        let verdict = self.control_sequence(csi, offset);
        self.screen.joinable = None;
        verdict
    }

    fn esc(&mut self, intermediate: u8, last: u8, offset: u64) -> Verdict {
        let verdict = self.escape(intermediate, last, offset);
        self.screen.joinable = None;
        verdict
    }

    fn osc(&mut self, text: &str, bell: bool, offset: u64) -> Verdict {
        self.screen.joinable = None;
        self.command(text, bell, offset)
    }
}
