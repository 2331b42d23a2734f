//! One cell of a screen: 16 bytes, copied freely. What is rare (several code points, links, underline colours) is in [`Tables`](super::Tables).

/// A colour as a program chose it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) struct Color(u32);

impl Color {
    pub(crate) const DEFAULT: Self = Self(0);

    /// One of the 16 named colours (SGR 30–37, 90–97 and their backgrounds).
    pub(crate) const fn named(index: u8) -> Self {
        Self(0x0100_0000 | index as u32)
    }

    /// One of 256 (SGR 38;5).
    pub(crate) const fn indexed(index: u8) -> Self {
        Self(0x0200_0000 | index as u32)
    }

    pub(crate) const fn rgb(r: u8, g: u8, b: u8) -> Self {
        Self(0x0300_0000 | (r as u32) << 16 | (g as u32) << 8 | b as u32)
    }

    /// As a number, for storage.
    pub(crate) const fn bits(self) -> u32 {
        self.0
    }

    pub(crate) const fn from_bits(bits: u32) -> Self {
        Self(bits)
    }

    pub(crate) const fn kind(self) -> ColorKind {
        match self.0 >> 24 {
            1 => ColorKind::Named(self.0 as u8),
            2 => ColorKind::Indexed(self.0 as u8),
            3 => ColorKind::Rgb((self.0 >> 16) as u8, (self.0 >> 8) as u8, self.0 as u8),
            _ => ColorKind::Default,
        }
    }
}

/// [`Color`] taken apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ColorKind {
    Default,
    Named(u8),
    Indexed(u8),
    Rgb(u8, u8, u8),
}

/// Attributes and width of a cell, as bits.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) struct Flags(pub(crate) u16);

impl Flags {
    pub(crate) const BOLD: u16 = 1;
    pub(crate) const DIM: u16 = 1 << 1;
    pub(crate) const ITALIC: u16 = 1 << 2;
    pub(crate) const BLINK: u16 = 1 << 3;
    pub(crate) const INVERSE: u16 = 1 << 4;
    pub(crate) const HIDDEN: u16 = 1 << 5;
    pub(crate) const STRIKE: u16 = 1 << 6;
    pub(crate) const OVERLINE: u16 = 1 << 7;
    /// Underline style 0–5 (none, single, double, curly, dotted, dashed).
    pub(crate) const UNDERLINE: u16 = 7 << 8;
    /// First half of a wide character.
    pub(crate) const WIDE: u16 = 1 << 11;
    /// Second half.
    pub(crate) const SPACER: u16 = 1 << 12;

    pub(crate) const fn has(self, bits: u16) -> bool {
        self.0 & bits != 0
    }

    pub(crate) fn set(&mut self, bits: u16, on: bool) {
        if on {
            self.0 |= bits;
        } else {
            self.0 &= !bits;
        }
    }

    pub(crate) const fn underline(self) -> u8 {
        ((self.0 & Self::UNDERLINE) >> 8) as u8
    }

    pub(crate) fn set_underline(&mut self, style: u8) {
        self.0 = (self.0 & !Self::UNDERLINE) | (u16::from(style.min(5)) << 8);
    }

    /// Without the bits that say how wide the character is.
    pub(crate) const fn attributes(self) -> u16 {
        self.0 & !(Self::WIDE | Self::SPACER)
    }
}

/// Marks [`Cell::ch`] as an index into the table of clusters.
pub(crate) const CLUSTER: u32 = 1 << 31;

/// One cell.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Cell {
    /// 0 where nothing was ever printed, a code point, or [`CLUSTER`] and an index.
    pub(crate) ch: u32,
    pub(crate) fg: Color,
    pub(crate) bg: Color,
    pub(crate) flags: Flags,
    /// Index into the table of rare attributes; 0 for none.
    pub(crate) ext: u16,
}

impl Cell {
    /// A cell that was erased with this background.
    pub(crate) const fn blank(bg: Color) -> Self {
        Self { ch: 0, fg: Color::DEFAULT, bg, flags: Flags(0), ext: 0 }
    }

    /// Nothing printed and nothing to see.
    pub(crate) fn is_default(&self) -> bool {
        *self == Self::default()
    }

    pub(crate) const fn is_wide(&self) -> bool {
        self.flags.has(Flags::WIDE)
    }

    pub(crate) const fn is_spacer(&self) -> bool {
        self.flags.has(Flags::SPACER)
    }

    /// The attributes alone, for comparison and as a pen.
    pub(crate) const fn pen(&self) -> Pen {
        Pen { fg: self.fg, bg: self.bg, flags: Flags(self.flags.attributes()), ext: self.ext }
    }
}

/// What the next character will look like.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Pen {
    pub(crate) fg: Color,
    pub(crate) bg: Color,
    pub(crate) flags: Flags,
    pub(crate) ext: u16,
}

impl Pen {
    /// A cell drawn with this pen.
    pub(crate) const fn cell(self, ch: u32, width_bits: u16) -> Cell {
        Cell { ch, fg: self.fg, bg: self.bg, flags: Flags(self.flags.0 | width_bits), ext: self.ext }
    }
}
