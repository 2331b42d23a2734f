//! What a terminal is created with: its size, its limits and the colours it reports.

/// Size of a screen in cells.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Size {
    /// Columns; values below [`Size::MIN_COLS`] are raised to it.
    pub cols: u16,
    /// Rows; zero is raised to one.
    pub rows: u16,
}

impl Size {
    /// A wide character needs two columns.
    pub const MIN_COLS: u16 = 2;
    /// Beyond this a size is a mistake or an attack, not a window: it bounds the memory of one screen to 24 MB.
    pub const MAX: u16 = 1000;

    /// A size of `cols` × `rows` cells.
    #[must_use]
    pub const fn new(cols: u16, rows: u16) -> Self {
        Self { cols, rows }
    }

    /// The nearest size that a terminal can have.
    #[must_use]
    pub fn clamped(self) -> Self {
        Self { cols: self.cols.clamp(Self::MIN_COLS, Self::MAX), rows: self.rows.clamp(1, Self::MAX) }
    }
}

/// A colour, 8 bits a channel.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Rgb {
    /// Red.
    pub r: u8,
    /// Green.
    pub g: u8,
    /// Blue.
    pub b: u8,
}

impl Rgb {
    /// The colour `0xRRGGBB`.
    #[must_use]
    pub const fn hex(value: u32) -> Self {
        Self { r: (value >> 16) as u8, g: (value >> 8) as u8, b: value as u8 }
    }
}

/// The theme's colours. Programs may ask for them (OSC 4, 10, 11, 12); they are never used for drawing here.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Colors {
    /// Default text colour (OSC 10).
    pub foreground: Rgb,
    /// Default background (OSC 11).
    pub background: Rgb,
    /// Cursor (OSC 12).
    pub cursor: Rgb,
    /// The 16 named colours (OSC 4); the other 240 are the standard cube and greys.
    pub ansi: [Rgb; 16],
    /// What `CSI ? 996 n` and the notifications of mode 2031 say: dark (`true`) or light.
    pub dark: bool,
}

impl Default for Colors {
    fn default() -> Self {
        const ANSI: [u32; 16] = [
            0x1d_1f_21, 0xcc_66_66, 0xb5_bd_68, 0xf0_c6_74, 0x81_a2_be, 0xb2_94_bb, 0x8a_be_b7, 0xc5_c8_c6,
            0x66_66_66, 0xd5_4e_53, 0xb9_ca_4a, 0xe7_c5_47, 0x7a_a6_da, 0xc3_97_d8, 0x70_c0_b1, 0xea_ea_ea,
        ];
        Self {
            foreground: Rgb::hex(0xd8_d8_d8),
            background: Rgb::hex(0x14_16_1a),
            cursor: Rgb::hex(0xd8_d8_d8),
            ansi: ANSI.map(Rgb::hex),
            dark: true,
        }
    }
}

/// How a [`Terminal`](crate::Terminal) behaves.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Options {
    /// Rows kept above the screen. xterm.js in the window uses the same figure.
    pub scrollback_lines: usize,
    /// Colours that programs may ask for.
    pub colors: Colors,
    /// Width and height of a cell in pixels, for `CSI 14 t` and `CSI 16 t`; these stay unanswered without it.
    pub cell_pixels: Option<(u16, u16)>,
    /// Shown in the reply to XTVERSION as `Belfry(version)`.
    pub version: &'static str,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            scrollback_lines: 10_000,
            colors: Colors::default(),
            cell_pixels: None,
            version: env!("CARGO_PKG_VERSION"),
        }
    }
}
