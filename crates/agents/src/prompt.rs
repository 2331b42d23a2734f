//! Whether an agent waits at its prompt, as far as can be told from a first look.
//!
//! This decides when the first prompt and queued messages are typed. It is careful in one direction: where a dialog may be
//! open, the answer is no, since digits and Enter would answer it.

use crate::rules::Prompt;

/// What can be seen of a session's terminal.
#[derive(Clone, Copy, Debug, Default)]
pub struct Look<'a> {
    /// The screen's rows, joined by newlines.
    pub screen: &'a str,
    /// The title.
    pub title: Option<&'a str>,
    /// Bracketed paste (mode 2004) is on.
    pub bracketed_paste: bool,
}

/// Whether text can be typed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AtPrompt {
    /// It waits for a prompt. Where the agent gives no sign of its own, this is true as soon as nothing speaks against it,
    /// and the caller should also wait for the output to be quiet.
    Yes,
    /// It starts, or works.
    No,
    /// A dialog is open: only the person can answer it.
    Dialog,
}

impl Prompt {
    pub(crate) fn seen(&self, look: Look<'_>) -> AtPrompt {
        let on_screen = |texts: &[String]| texts.iter().any(|text| look.screen.contains(text.as_str()));
        if on_screen(&self.dialogs) {
            return AtPrompt::Dialog;
        }
        let bracketed = look.bracketed_paste || !self.bracketed_paste;
        let titled = !self.title || look.title.is_some_and(|title| !title.trim().is_empty());
        let shown = self.shows.is_empty() || on_screen(&self.shows);
        if bracketed && titled && shown && !on_screen(&self.busy) { AtPrompt::Yes } else { AtPrompt::No }
    }
}
