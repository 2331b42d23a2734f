//! Colours.

/// A colour of the terminal's own palette, so that the person's theme decides how it looks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Color {
    Red,
    Green,
    Yellow,
    Blue,
    Faint,
    Bold,
}

impl Color {
    fn sgr(self) -> &'static str {
        match self {
            Self::Red => "31",
            Self::Green => "32",
            Self::Yellow => "33",
            Self::Blue => "34",
            Self::Faint => "2",
            Self::Bold => "1",
        }
    }
}

/// Whether colours are on.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Style {
    pub on: bool,
}

impl Style {
    pub(crate) fn paint(self, text: &str, color: Color) -> String {
        if self.on { format!("\x1b[{}m{text}\x1b[0m", color.sgr()) } else { text.to_owned() }
    }
}
