//! SM, RM, DECSET and DECRST, and what DECRQM says of them.

use super::Screen;
use crate::grid::Charset;
use crate::modes::{MouseEncoding, MouseTracking};

/// State of a mode in DECRPM.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ModeState {
    Unknown = 0,
    Set = 1,
    Reset = 2,
    AlwaysSet = 3,
    AlwaysReset = 4,
}

impl From<bool> for ModeState {
    fn from(on: bool) -> Self {
        if on { Self::Set } else { Self::Reset }
    }
}

impl Screen {
    /// SM and RM. `false` for a mode that does not exist here.
    pub(crate) fn set_mode(&mut self, mode: u32, on: bool) -> bool {
        match mode {
            4 => self.modes.insert = on,
            20 => self.modes.newline = on,
            _ => return false,
        }
        true
    }

    /// DECSET and DECRST. `false` for a mode that does not exist here; views do not get those.
    pub(crate) fn set_private_mode(&mut self, mode: u32, on: bool) -> bool {
        let tracking = |which| if on { which } else { MouseTracking::Off };
        let encoding = |which| if on { which } else { MouseEncoding::Default };
        match mode {
            1 => self.modes.app_cursor = on,
            2 if on => self.charsets.sets = [Charset::Ascii; 4],
            6 => {
                self.modes.origin = on;
                self.move_to(0, 0);
            }
            7 => self.modes.wrap = on,
            9 => self.modes.mouse = tracking(MouseTracking::X10),
            12 => self.modes.blink = on,
            25 => self.modes.cursor_hidden = !on,
            66 => self.modes.app_keypad = on,
            1000 => self.modes.mouse = tracking(MouseTracking::Normal),
            1002 => self.modes.mouse = tracking(MouseTracking::Drag),
            1003 => self.modes.mouse = tracking(MouseTracking::Any),
            1004 => self.modes.focus = on,
            1006 => self.modes.mouse_encoding = encoding(MouseEncoding::Sgr),
            1007 => self.modes.alternate_scroll = on,
            1016 => self.modes.mouse_encoding = encoding(MouseEncoding::SgrPixels),
            47 | 1047 | 1048 | 1049 => self.set_alternate(mode, on),
            2004 => self.modes.bracketed_paste = on,
            2026 => self.modes.synchronized = on,
            2031 => self.modes.scheme_updates = on,
            _ => return false,
        }
        self.generation += 1;
        true
    }

    fn set_alternate(&mut self, mode: u32, on: bool) {
        if on {
            if mode >= 1048 {
                self.save_cursor();
            }
            if mode != 1048 {
                self.enter_alternate();
            }
        } else {
            if mode != 1048 {
                self.leave_alternate();
            }
            if mode >= 1048 {
                self.restore_cursor();
            }
        }
        // The two screens may have different scroll regions, and the cursor must be inside.
        if mode != 1048 && self.modes.origin {
            self.restrict(self.cols - 1);
        }
    }

    /// What DECRQM says of an ANSI mode.
    pub(crate) fn mode_state(&self, mode: u32) -> ModeState {
        match mode {
            4 => self.modes.insert.into(),
            20 => self.modes.newline.into(),
            2 => ModeState::AlwaysReset,
            12 => ModeState::AlwaysSet,
            _ => ModeState::Unknown,
        }
    }

    /// What DECRQM says of a private mode.
    pub(crate) fn private_mode_state(&self, mode: u32) -> ModeState {
        let modes = &self.modes;
        match mode {
            1 => modes.app_cursor.into(),
            6 => modes.origin.into(),
            7 => modes.wrap.into(),
            9 => (modes.mouse == MouseTracking::X10).into(),
            12 => modes.blink.into(),
            25 => (!modes.cursor_hidden).into(),
            47 | 1047 | 1049 => self.on_alternate.into(),
            66 => modes.app_keypad.into(),
            1000 => (modes.mouse == MouseTracking::Normal).into(),
            1002 => (modes.mouse == MouseTracking::Drag).into(),
            1003 => (modes.mouse == MouseTracking::Any).into(),
            1004 => modes.focus.into(),
            1006 => (modes.mouse_encoding == MouseEncoding::Sgr).into(),
            1007 => modes.alternate_scroll.into(),
            1016 => (modes.mouse_encoding == MouseEncoding::SgrPixels).into(),
            1048 => ModeState::Set,
            2004 => modes.bracketed_paste.into(),
            2026 => modes.synchronized.into(),
            2031 => modes.scheme_updates.into(),
            8 => ModeState::AlwaysSet,
            67 | 1005 | 1015 => ModeState::AlwaysReset,
            _ => ModeState::Unknown,
        }
    }
}
