//! What a program does that has no rules of its own, told by how it has its terminal.
//!
//! Somebody who looks wants to know: does it need me, does it work, does it take a message? So there are three answers, whatever the
//! program is called and whatever it prints:
//!
//! * It **asks** (`waiting`) where it sleeps until something is typed right behind what it has printed last, and that looks like a
//!   question: it ends in `?`, `:`, `[y/N]` or lettered answers, wants Enter, is a shell's menu, or what is typed is not shown, as for
//!   a password. Neither alone is enough: a shell at its prompt sleeps in the same way, and any log can be full of `[y/N]`. What the
//!   person has begun to type is no question either, nor is what a pager waits behind, nor what a program shows that has the whole
//!   screen, but for lettered answers in its last row, as Vim's about a swap file.
//! * It is **at a prompt** (`idle`, and takes messages) where a shell edits a line; or where the session's own program waits for a
//!   whole line, or stands right behind a prompt of its own.
//! * Else it **runs** (`running`) for as long as it has the terminal, silent or not. One that takes single keys or has the whole screen
//!   (an editor, a pager, a monitor, a remote shell) is *open*: no message is ever typed to it, and leaving it ends nothing that
//!   somebody waits for.

use belfry_agents::Dialog;
use belfry_protocol::keeper::{Front, Waits};

use super::question::{is_begun, question};

/// Programs that edit a line of their own at their prompt, which is no question.
const SHELLS: &[&str] = &[
    "sh", "dash", "bash", "zsh", "fish", "ksh", "mksh", "tcsh", "csh", "nu", "pwsh", "elvish", "xonsh", "ash",
];

/// What is seen of a program's terminal.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Seen<'a> {
    /// The cursor's row.
    pub(crate) row: &'a str,
    /// The cursor's column.
    pub(crate) column: usize,
    /// The rows above it.
    pub(crate) above: &'a [String],
    /// The rows below it.
    pub(crate) below: &'a [String],
    /// What is typed is shown.
    pub(crate) echo: bool,
    /// The program gets whole lines.
    pub(crate) lines: bool,
    /// The program has the whole screen to itself, as an editor has.
    pub(crate) alternate: bool,
    /// A paste is not marked as one (mode 2004 is off), by a program that has marked them before.
    pub(crate) unmarked: bool,
    /// It is the session's own program, and none that a shell runs.
    pub(crate) own: bool,
    /// The person has begun to type behind what the program stood at.
    pub(crate) half_typed: bool,
    /// Nothing has been printed for a while.
    pub(crate) quiet: bool,
    /// The process in front.
    pub(crate) front: &'a Front,
}

/// What a program does.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Does {
    /// It waits for a line that somebody may type.
    AtPrompt,
    /// It asks that.
    Asks(Box<Dialog>),
    /// It runs.
    Runs {
        /// It takes single keys, or has the whole screen.
        keys: bool,
    },
}

impl Seen<'_> {
    /// It sleeps until something is typed.
    pub(crate) fn waits(&self) -> bool {
        matches!(self.front.waits, Waits::Reads | Waits::Polls)
    }

    /// The cursor's row up to the cursor, as it is.
    pub(crate) fn before(&self) -> String {
        self.row.chars().take(self.column).collect()
    }

    /// Nothing stands right of the cursor.
    pub(crate) fn at_end(&self) -> bool {
        self.row.trim_end().chars().count() <= self.column
    }

    /// Whether the cursor stands one blank behind what a prompt ends in.
    pub(crate) fn behind_a_prompt(&self) -> bool {
        let before = self.before();
        let prompt = before.trim_end();
        let blank = self.column > prompt.chars().count();
        let named = |prompt: &str| prompt.starts_with('(') && !prompt.contains(' ');
        self.at_end()
            && blank
            && match prompt.chars().next_back() {
                Some('>' | '$' | '#' | '%' | '❯' | '›' | '»' | 'λ' | '➜') => true,
                Some(')') => named(prompt),
                Some(':') => is_numbered(prompt),
                _ => false,
            }
    }

    /// Whether a shell edits a line at its prompt. Its editor shows what is typed itself, key by key; `read -n1`, which a function
    /// or the person has it run, leaves that to the terminal, `read` wants whole lines, and neither marks pastes. A script has no
    /// prompt at all. Which screen that is on tells nothing: an agent that was killed leaves its own behind.
    pub(crate) fn edits_a_line(&self) -> bool {
        has_prompt(self.front) && !self.lines && !self.echo && !self.unmarked
    }

    /// Whether the session's own program waits for a line: a whole one, or at a prompt.
    fn takes_a_line(&self) -> bool {
        let whole = self.lines && self.front.waits == Waits::Reads;
        // A shell without an editor, or one whose terminal another program has left in a mode of its own.
        let shell = self.waits() && has_prompt(self.front);
        let begun = !self.lines && (self.half_typed || (self.waits() && is_begun(self.row)));
        let own = self.own && (whole || begun || (self.waits() && self.behind_a_prompt()));
        !self.alternate && (own || shell)
    }
}

/// What the program does.
pub(crate) fn does(seen: Seen<'_>) -> Does {
    if seen.edits_a_line() {
        return Does::AtPrompt;
    }
    match question(seen) {
        Some(dialog) => Does::Asks(Box::new(dialog)),
        None if seen.takes_a_line() => Does::AtPrompt,
        None => Does::Runs { keys: seen.alternate || (!seen.lines && seen.waits()) },
    }
}

/// Whether a process is a shell that sleeps until something is typed.
pub(crate) fn is_shell(front: &Front) -> bool {
    matches!(front.waits, Waits::Reads | Waits::Polls) && is_called_shell(front)
}

/// Whether a process is a shell that has a prompt: it is given no script.
pub(crate) fn has_prompt(front: &Front) -> bool {
    is_called_shell(front) && is_interactive(&front.command)
}

fn is_called_shell(front: &Front) -> bool {
    SHELLS.contains(&front.name.trim_start_matches('-'))
}

fn is_interactive(command: &str) -> bool {
    let mut words = command.split_whitespace().skip(1);
    while let Some(word) = words.next() {
        match word {
            "--rcfile" | "--init-file" | "-O" | "+O" | "-o" | "+o" => {
                words.next();
            }
            _ if word.starts_with("--") || word.starts_with('+') => {}
            _ if word.starts_with('-') && word.contains('c') => return false,
            _ if word.starts_with('-') && word.contains('i') => return true,
            _ if word.starts_with('-') => {}
            _ => return false,
        }
    }
    true
}

/// A prompt that ends as a question does: `In [1]:`.
pub(crate) fn is_numbered(row: &str) -> bool {
    let inside = row.trim().strip_suffix("]:").and_then(|row| row.split_once(" [")).map(|(_, inside)| inside);
    inside.is_some_and(|inside| !inside.is_empty() && inside.chars().all(|c| c.is_ascii_digit()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn front(name: &str, waits: Waits) -> Front {
        Front { pid: 1, name: name.to_owned(), command: name.to_owned(), waits }
    }

    fn seen<'a>(front: &'a Front, row: &'a str) -> Seen<'a> {
        Seen {
            row,
            column: row.chars().count(),
            above: &[],
            below: &[],
            echo: true,
            lines: true,
            alternate: false,
            unmarked: false,
            own: true,
            half_typed: false,
            quiet: true,
            front,
        }
    }

    #[test]
    fn which_shell_has_a_prompt() {
        for (command, prompt) in [
            ("bash", true),
            ("-bash", true),
            ("bash --rcfile x", true),
            ("zsh -l", true),
            ("bash -i x", true),
            ("sh -c read", false),
            ("bash x", false),
            ("bash -ec x", false),
        ] {
            let front = Front { command: command.to_owned(), ..front("bash", Waits::Reads) };
            assert_eq!(has_prompt(&front), prompt, "{command}");
        }
    }

    #[test]
    fn what_stands_at_a_prompt() {
        fn raw<'f>(front: &'f Front, row: &'f str) -> Seen<'f> {
            Seen { echo: false, lines: false, ..seen(front, row) }
        }
        let python = front("python3", Waits::Polls);
        for row in [">>> ", "sqlite> ", "(gdb) ", "In [12]: ", "user@host:~$ ", "127.0.0.1:6379> "] {
            assert_eq!(does(raw(&python, row)), Does::AtPrompt, "{row:?}");
            let by_shell = Seen { own: false, ..raw(&python, row) };
            assert_eq!(does(by_shell), Does::Runs { keys: true }, "{row:?}");
        }
        for row in ["", "(END)", ":", "--More--(13%)", "top - 12:00:01", ">>>"] {
            assert_eq!(does(raw(&python, row)), Does::Runs { keys: true }, "{row:?}");
        }
        let cat = front("cat", Waits::Reads);
        assert_eq!(does(seen(&cat, "")), Does::AtPrompt, "a whole line is read");
        assert_eq!(does(Seen { own: false, ..seen(&cat, "") }), Does::Runs { keys: false });
        for (name, command) in [("bash", "bash -i"), ("fish", "fish")] {
            for waits in [Waits::Reads, Waits::Polls, Waits::No, Waits::Unknown] {
                let shell = Front { command: command.to_owned(), ..front(name, waits) };
                let nested = Seen { own: false, ..raw(&shell, "what? ") };
                assert_eq!(does(nested), Does::AtPrompt, "{name} {waits:?}");
            }
        }
        let dash = front("dash", Waits::Reads);
        assert_eq!(does(Seen { own: false, ..seen(&dash, "$ ") }), Does::AtPrompt);
        let left_whole = front("bash", Waits::Polls);
        assert_eq!(
            does(seen(&left_whole, "$ ")),
            Does::AtPrompt,
            "su has left the terminal with whole lines"
        );
    }

    #[test]
    fn a_shell_is_at_its_prompt_on_whatever_screen_a_killed_program_has_left() {
        let shell = front("bash", Waits::Polls);
        let prompt = Seen { echo: false, lines: false, alternate: true, ..seen(&shell, "bash-5.2# ") };
        assert_eq!(does(prompt), Does::AtPrompt);
    }

    #[test]
    fn what_runs() {
        for (name, waits) in [("sleep", Waits::No), ("python3", Waits::No), ("sudo", Waits::Unknown)] {
            assert_eq!(does(seen(&front(name, waits), "$ ")), Does::Runs { keys: false }, "{name}");
        }
        let vim = front("vim", Waits::Polls);
        let editor = Seen { lines: false, echo: false, alternate: true, ..seen(&vim, "def question(self):") };
        assert_eq!(does(editor), Does::Runs { keys: true }, "a line of a program that is edited");
        assert_eq!(does(Seen { row: "$ ", column: 2, ..editor }), Does::Runs { keys: true });
    }
}
