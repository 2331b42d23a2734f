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

/// Rows from the bottom, blank ones not counted, in which dialogs and input boxes are; what is above is conversation, and
/// may quote them.
const LOWER: usize = 16;

/// Characters of a text that are looked for; a narrow input box shows at least as many in one row.
const BEGINNING: usize = 16;

/// What agents show in place of a long paste begins with this.
const FOLDED: &str = "[Pasted ";

/// The rows in which to look, from the bottom.
fn lower(screen: &str) -> impl Iterator<Item = &str> {
    screen.lines().rev().filter(|row| !row.trim().is_empty()).take(LOWER)
}

impl Prompt {
    /// See [`crate::Agent::holds`].
    pub(crate) fn holds(&self, look: Look<'_>, text: &str) -> bool {
        let Some(marker) = &self.marker else { return false };
        if (self.bracketed_paste && !look.bracketed_paste) || self.seen(look) == AtPrompt::Dialog {
            return false;
        }
        // The last row with the marker is the input box; those above it are what was said before.
        let frame = |c: char| c.is_whitespace() || matches!(c, '│' | '┃' | '|');
        let mut held =
            lower(look.screen).filter_map(|row| row.trim_start_matches(frame).strip_prefix(marker.as_str()));
        let Some(held) = held.next().map(str::trim) else { return false };
        let beginning: String =
            text.trim().lines().next().unwrap_or_default().chars().take(BEGINNING).collect();
        let beginning = beginning.trim_end();
        held.starts_with(FOLDED) || (!beginning.is_empty() && held.starts_with(beginning))
    }

    pub(crate) fn seen(&self, look: Look<'_>) -> AtPrompt {
        let lower: Vec<&str> = lower(look.screen).collect();
        let within = |rows: usize, texts: &[String]| {
            texts.iter().any(|text| lower.iter().take(rows).any(|row| row.contains(text.as_str())))
        };
        let on_screen = |texts: &[String]| within(LOWER, texts);
        if within(self.dialog_rows.unwrap_or(LOWER), &self.dialogs) {
            return AtPrompt::Dialog;
        }
        let bracketed = look.bracketed_paste || !self.bracketed_paste;
        let titled = !self.title || look.title.is_some_and(|title| !title.trim().is_empty());
        let shown = self.shows.is_empty() || on_screen(&self.shows);
        if bracketed && titled && shown && !on_screen(&self.busy) { AtPrompt::Yes } else { AtPrompt::No }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Agents;

    fn see(agent: &str, screen: &str) -> AtPrompt {
        let look = Look { screen, title: Some("t"), bracketed_paste: true };
        Agents::built_in().get(agent).unwrap().at_prompt(look)
    }

    #[test]
    fn claude() {
        let composer = "────\n❯ \n────\n  ⏵⏵ auto mode on (shift+tab to cycle)\n\n\n";
        assert_eq!(see("claude", composer), AtPrompt::Yes);
        assert_eq!(see("claude", "────\n❯ \n────\n  esc to interrupt"), AtPrompt::No);
        assert_eq!(see("claude", " Quick safety check: Is this …\n ❯ No, exit"), AtPrompt::Dialog);
        assert_eq!(see("claude", " Do you want to proceed?\n ❯ 1. Yes\n   2. No"), AtPrompt::Dialog);
        let quoted = format!("● It asks: Do you want to proceed?\n{}{composer}", "line\n".repeat(20));
        assert_eq!(see("claude", &quoted), AtPrompt::Yes);
    }

    #[test]
    fn what_lies_in_the_input_box() {
        let agents = Agents::built_in();
        let holds = |agent: &str, screen: &str, text: &str| {
            let look = Look { screen, title: Some("t"), bracketed_paste: true };
            agents.get(agent).unwrap().holds(look, text)
        };
        let text = " /count these two lines\n!and";
        let box_of = |row: &str| format!(" > count the first\n✦ RECEIVED\n▄▄▄▄\n {row}\n▀▀▀▀\n workspace");
        assert!(holds("gemini", &box_of(">  /count these two lines\n   !and"), text));
        assert!(!holds("gemini", &box_of(">   Type your message or @path/to/file"), text));
        assert!(!holds("gemini", &box_of(">   Type your message or @path/to/file"), "count the first"));
        assert!(holds("claude", "────\n❯ [Pasted text #1 +30 lines]\n────", text));
        assert!(!holds("claude", "❯ /count these two lines\n● Hello\n────\n❯ \n────", text));
        assert!(holds("codex", "› /count these two\n  lines\n\n  mock-model", text));
        assert!(!holds("codex", "› /count these two lines\n Trust this folder?", text));
        assert!(
            !holds("opencode", "┃ /count these two lines", text),
            "its box cannot be told from what was said"
        );
    }

    #[test]
    fn signs_that_are_missing_mean_no() {
        let agents = Agents::built_in();
        let screen = "› Ask Codex to do anything";
        let codex = |title, bracketed_paste| {
            agents.get("codex").unwrap().at_prompt(Look { screen, title, bracketed_paste })
        };
        assert_eq!(codex(Some("proj"), true), AtPrompt::Yes);
        assert_eq!(codex(None, true), AtPrompt::No);
        assert_eq!(codex(Some(" "), true), AtPrompt::No);
        assert_eq!(codex(Some("proj"), false), AtPrompt::No);
        assert_eq!(
            see("aider", "Add .aider* to .gitignore (recommended)? (Y)es/(N)o [Yes]: "),
            AtPrompt::Dialog
        );
        let answered = "Add .aider*? (Y)es/(N)o [Yes]: y\nAdded\n────\n> ";
        assert_eq!(see("aider", answered), AtPrompt::Yes);
        assert_eq!(see("shell", ""), AtPrompt::Yes);
    }
}
