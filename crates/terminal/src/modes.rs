//! The terminal's modes, as far as a view or a status rule needs them.

/// How the mouse is reported.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum MouseTracking {
    /// Not at all.
    #[default]
    Off,
    /// Mode 9: presses only.
    X10,
    /// Mode 1000: presses and releases.
    Normal,
    /// Mode 1002: motion while a button is held.
    Drag,
    /// Mode 1003: all motion.
    Any,
}

/// How mouse positions are encoded.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum MouseEncoding {
    /// Bytes, up to column 223.
    #[default]
    Default,
    /// Mode 1006.
    Sgr,
    /// Mode 1016: SGR with pixels.
    SgrPixels,
}

/// Shape of the cursor (DECSCUSR).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum CursorShape {
    /// Whatever the user chose.
    #[default]
    Default,
    /// A filled cell.
    Block,
    /// A line under the cell.
    Underline,
    /// A line at the cell's left.
    Bar,
}

/// All modes that matter outside the engine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Modes {
    /// DECCKM (1): arrow keys send `ESC O`.
    pub app_cursor: bool,
    /// DECKPAM: the keypad sends application sequences.
    pub app_keypad: bool,
    /// 2004: pastes are bracketed.
    pub bracketed_paste: bool,
    /// 1004: focus changes are reported.
    pub focus_events: bool,
    /// 47, 1047 or 1049: the alternate screen is shown.
    pub alternate_screen: bool,
    /// 1007: the wheel sends arrows on the alternate screen.
    pub alternate_scroll: bool,
    /// DECTCEM (25): the cursor is shown.
    pub cursor_visible: bool,
    /// DECSCUSR.
    pub cursor_shape: CursorShape,
    /// DECSCUSR or mode 12.
    pub cursor_blink: bool,
    /// What is reported of the mouse.
    pub mouse: MouseTracking,
    /// In which encoding.
    pub mouse_encoding: MouseEncoding,
    /// 2026: the program is in the middle of drawing a frame; screen rules had better wait for its end.
    pub synchronized: bool,
    /// 2031: the program wants to be told when the theme turns dark or light.
    pub color_scheme_updates: bool,
    /// Flags of the kitty keyboard protocol: 1 disambiguate, 2 event types, 4 alternate keys, 8 all keys as escape codes, 16 text.
    /// xterm.js does not know this protocol, so the window encodes keys by these flags itself.
    pub kitty_flags: u8,
    /// `CSI > 4 ; n m` (modifyOtherKeys): 0, 1 or 2.
    pub modify_other_keys: u8,
}

impl Default for Modes {
    fn default() -> Self {
        Self {
            app_cursor: false,
            app_keypad: false,
            bracketed_paste: false,
            focus_events: false,
            alternate_screen: false,
            alternate_scroll: true,
            cursor_visible: true,
            cursor_shape: CursorShape::Default,
            cursor_blink: false,
            mouse: MouseTracking::Off,
            mouse_encoding: MouseEncoding::Default,
            synchronized: false,
            color_scheme_updates: false,
            kitty_flags: 0,
            modify_other_keys: 0,
        }
    }
}
