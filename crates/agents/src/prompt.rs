//! Whether an agent waits at its prompt, as far as can be told from a first look.
//!
//! This decides when the first prompt and queued messages are typed. It is careful in one direction: where a dialog may be
//! open, the answer is no, since digits and Enter would answer it.

use crate::screen::{Place, ScreenRules, ScreenView, is_beginning_of};

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

impl Look<'_> {
    /// The cursor is not known here: it is put where no screen has it.
    fn with<T>(&self, with: impl FnOnce(&ScreenView<'_>) -> T) -> T {
        let rows: Vec<String> = self.screen.lines().map(|row| row.trim_end().to_owned()).collect();
        with(&ScreenView {
            rows: &rows,
            columns: 0,
            cursor: (u16::MAX, u16::MAX),
            cursor_visible: false,
            title: self.title.unwrap_or_default(),
            bracketed_paste: self.bracketed_paste,
            alternate: false,
            highlights: &[],
        })
    }

    /// See [`crate::Agent::at_prompt`].
    pub(crate) fn at_prompt(&self, rules: &ScreenRules) -> AtPrompt {
        self.with(|view| {
            let reading = rules.read(view);
            match reading.place {
                Place::Dialog => AtPrompt::Dialog,
                _ if !rules.composer.known() => AtPrompt::Yes,
                _ if reading.mode.is_some() => AtPrompt::No,
                // Where it only seems to work, it takes text all the same.
                Place::Prompt if rules.started(view) => AtPrompt::Yes,
                Place::Working if reading.inferred && rules.started(view) => AtPrompt::Yes,
                _ => AtPrompt::No,
            }
        })
    }

    /// See [`crate::Agent::holds`].
    pub(crate) fn holds(&self, rules: &ScreenRules, text: &str) -> bool {
        let draft = self.with(|view| rules.read(view).draft);
        draft.is_some_and(|draft| is_beginning_of(&draft, text))
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

    /// An input box between two lines.
    fn boxed(inside: &str, footer: &str) -> String {
        let line = "─".repeat(30);
        format!("● Hello\n\n{line}\n{inside}\n{line}\n{footer}\n\n")
    }

    #[test]
    fn claude() {
        let composer = boxed("❯", "  ⏵⏵ auto mode on (shift+tab to cycle)");
        assert_eq!(see("claude", &composer), AtPrompt::Yes);
        assert_eq!(see("claude", &boxed("❯", "  esc to interrupt")), AtPrompt::No);
        let trust = " Quick safety check: Is this …\n ❯ No, exit\n   Yes, I trust this folder";
        assert_eq!(see("claude", trust), AtPrompt::Dialog);
        assert_eq!(see("claude", " Do you want to proceed?\n ❯ 1. Yes\n   2. No"), AtPrompt::Dialog);
        let quoted = format!("● It asks: Do you want to proceed?\n ❯ 1. Yes\n   2. No\n{composer}");
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
        let (up, low) = ("▄".repeat(30), "▀".repeat(30));
        let box_of = |row: &str| format!(" > count the first\n✦ RECEIVED\n{up}\n {row}\n{low}\n workspace");
        assert!(holds("gemini", &box_of(">  /count these two lines\n   !and"), text));
        assert!(!holds("gemini", &box_of(">   Type your message or @path/to/file"), text));
        assert!(!holds("gemini", &box_of(">   Type your message or @path/to/file"), "count the first"));
        assert!(holds("claude", &boxed("❯ [Pasted text #1 +30 lines]", ""), text));
        assert!(!holds("claude", &format!("❯ /count these two lines\n{}", boxed("❯", "")), text));
        assert!(holds("codex", "› /count these two\n  lines\n\n  mock-model · /x", text));
        assert!(!holds("codex", "› /count these two lines\n Trust this folder?", text));
        let opencode = |inside: &str| format!("  ┃\n  ┃  {inside}\n  ┃\n  ┃  Build · Model\n  ╹{low}\n   /x");
        assert!(holds("opencode", &opencode("/count these two lines"), text));
        assert!(!holds("opencode", &opencode(""), text));
        assert!(!holds("opencode", "  ┃  /count these two lines\n  ┃", text), "what was said");
    }

    #[test]
    fn signs_that_are_missing_mean_no() {
        let agents = Agents::built_in();
        let screen = "› Ask Codex to do anything\n\n  mock-model · /x";
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
