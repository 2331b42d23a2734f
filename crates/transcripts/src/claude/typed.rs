//! What stands where the person's words stand in Claude Code's transcript.

/// Whose words they are.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Typed {
    /// The person's.
    Prompt(String),
    /// The person's, to the program: it does not go to the model, and tells nothing of what the conversation is about.
    Own(String),
    /// The person stopped the turn.
    Interrupted,
    /// What the agent says: the output of a command of its own, the end of a task in the background.
    Other(String),
    /// Only for the model.
    Nothing,
}

/// Elements that the agent puts beside the person's words, for the model.
const ASIDES: &[&str] = &[
    "system-reminder",
    "ide_opened_file",
    "ide_selection",
    "ide_diagnostics",
    "local-command-caveat",
    "user-prompt-submit-hook",
];
/// Elements in which the agent tells what it did.
const TOLD: &[&str] =
    &["local-command-stdout", "local-command-stderr", "bash-stdout", "bash-stderr", "task-notification"];

/// Commands that the program carries out itself.
const OWN: &[&str] = &[
    "/clear",
    "/compact",
    "/model",
    "/config",
    "/resume",
    "/login",
    "/logout",
    "/help",
    "/exit",
    "/quit",
    "/cost",
    "/usage",
    "/status",
    "/mcp",
    "/agents",
    "/permissions",
    "/memory",
    "/rename",
    "/effort",
    "/theme",
    "/vim",
    "/hooks",
    "/doctor",
    "/context",
    "/add-dir",
    "/export",
    "/ide",
    "/fast",
    "/tasks",
    "/branch",
    "/rewind",
    "/plugin",
    "/terminal-setup",
];

/// Reads a text.
pub(crate) fn read(text: &str) -> Typed {
    if text.starts_with("[Request interrupted by user") {
        return Typed::Interrupted;
    }
    // Nearly all that is typed has none of them.
    if !text.contains('<') {
        return prompt(text);
    }
    if let Some(name) = inside(text, "command-name") {
        let arguments = inside(text, "command-args").unwrap_or_default();
        let command = format!("/{} {}", name.trim().trim_start_matches('/'), arguments.trim());
        let command = command.trim_end().to_owned();
        let word = command.split(' ').next().unwrap_or_default();
        return if OWN.contains(&word) { Typed::Own(command) } else { Typed::Prompt(command) };
    }
    if let Some(command) = inside(text, "bash-input") {
        return Typed::Prompt(format!("!{}", command.trim()));
    }
    if TOLD.iter().any(|name| text.trim_start().starts_with(&format!("<{name}>"))) {
        let summary = inside(text, "summary").filter(|_| text.contains("<task-notification>"));
        let said = match summary {
            Some(summary) => summary.trim().to_owned(),
            None => TOLD.iter().filter_map(|name| inside(text, name)).collect::<Vec<_>>().join("\n"),
        };
        return if said.trim().is_empty() { Typed::Nothing } else { Typed::Other(said) };
    }
    prompt(&without(text, ASIDES))
}

fn prompt(text: &str) -> Typed {
    let text = text.trim();
    if text.is_empty() { Typed::Nothing } else { Typed::Prompt(text.to_owned()) }
}

/// What stands in the first element of that name.
fn inside<'a>(text: &'a str, name: &str) -> Option<&'a str> {
    let (_, rest) = text.split_once(&format!("<{name}>"))?;
    rest.split_once(&format!("</{name}>")).map(|(inside, _)| inside)
}

/// The text without elements of these names. One that is not closed goes on to the end.
pub(crate) fn without(text: &str, names: &[&str]) -> String {
    let mut text = text.to_owned();
    for name in names {
        let (open, close) = (format!("<{name}>"), format!("</{name}>"));
        let mut kept = String::new();
        let mut rest = text.as_str();
        while let Some((before, after)) = rest.split_once(&open) {
            kept.push_str(before);
            rest = after.split_once(&close).map_or("", |(_, rest)| rest);
        }
        kept.push_str(rest);
        text = kept;
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_persons_words_are_told_from_others() {
        let prompt = |text: &str| Typed::Prompt(text.to_owned());
        for (text, expected) in [
            ("hello", prompt("hello")),
            ("a < b", prompt("a < b")),
            ("<system-reminder>x</system-reminder>\n hello <system-reminder>y", prompt("hello")),
            ("<ide_opened_file>f</ide_opened_file>what is this?", prompt("what is this?")),
            ("<command-name>/review</command-name><command-args>1 2</command-args>", prompt("/review 1 2")),
            (
                "<command-message>x</command-message>\n<command-name>/clear</command-name>",
                Typed::Own("/clear".to_owned()),
            ),
            ("<bash-input>ls -l</bash-input>", prompt("!ls -l")),
            ("<bash-stdout>a</bash-stdout><bash-stderr>b</bash-stderr>", Typed::Other("a\nb".to_owned())),
            ("<local-command-stdout></local-command-stdout>", Typed::Nothing),
            ("<system-reminder>x</system-reminder>", Typed::Nothing),
            ("[Request interrupted by user for tool use]", Typed::Interrupted),
            (
                "<task-notification><summary>It ended</summary></task-notification>",
                Typed::Other("It ended".to_owned()),
            ),
            (" ", Typed::Nothing),
        ] {
            assert_eq!(read(text), expected, "{text}");
        }
    }
}
