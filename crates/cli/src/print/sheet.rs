//! What is known of one thing: a label and a text a line.

use super::{Color, Style};

/// The longest label is `last activity`.
const LABEL: usize = 13;

/// Labelled lines; what has no text has no line.
#[derive(Debug)]
pub(crate) struct Sheet {
    style: Style,
    lines: Vec<String>,
}

impl Sheet {
    pub(crate) fn new(style: Style) -> Self {
        Self { style, lines: Vec::new() }
    }

    /// A line as it is.
    pub(crate) fn head(&mut self, line: String) {
        self.lines.push(line);
    }

    /// A label and its text, which has no control characters.
    pub(crate) fn add(&mut self, label: &str, text: impl Into<String>) {
        self.add_all(label, [text.into()]);
    }

    /// A label and several lines; the label stands before the first.
    pub(crate) fn add_all(&mut self, label: &str, texts: impl IntoIterator<Item = String>) {
        let mut label = label;
        for text in texts.into_iter().skip_while(String::is_empty) {
            let shown = self.style.paint(&format!("{label:<LABEL$}"), Color::Faint);
            self.lines.push(format!("   {shown} {text}").trim_end().to_owned());
            label = "";
        }
    }

    pub(crate) fn text(&self) -> String {
        self.lines.join("\n")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_line_up_and_what_is_empty_is_left_out() {
        let mut sheet = Sheet::new(Style { on: false });
        sheet.head("head".to_owned());
        sheet.add("one", "1");
        sheet.add("none", "");
        sheet.add_all("more", ["", "a", "", "b"].map(str::to_owned));
        let blank = " ".repeat(17);
        assert_eq!(sheet.text(), format!("head\n   one           1\n   more          a\n\n{blank}b"));
    }
}
