//! Which words of an entry are looked for.

use belfry_protocol::transcript::{Entry, Said};

/// What an entry is, as it is kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Role {
    Title = 0,
    Prompt = 1,
    Answer = 2,
    Thought = 3,
    Tool = 4,
    Result = 5,
    /// Kept apart from the others, in tables of its own.
    Scrollback = 6,
}

/// Bytes of what a tool was given and gave that are looked into. They are most of what there is, and least of what is looked for; a
/// file that was read whole has its beginning here, and its name with the call.
const OF_TOOLS: usize = 1024;
/// Bytes of a prompt and an answer.
const OF_TEXTS: usize = 32 * 1024;

/// The words of an entry; none where nobody looks for it.
pub(crate) fn words(entry: &Entry) -> Option<(Role, String)> {
    let upto = |text: &str, most: usize| text[..text.floor_char_boundary(most)].to_owned();
    let (role, words) = match &entry.said {
        Said::Prompt(text) => (Role::Prompt, upto(&text.text, OF_TEXTS)),
        Said::Answer(text) => (Role::Answer, upto(&text.text, OF_TEXTS)),
        Said::Thought(text) => (Role::Thought, upto(&text.text, OF_TEXTS)),
        Said::Tool(call) => {
            let mut words = format!("{} {}", call.name, call.about.as_deref().unwrap_or_default());
            for file in call.files.iter().take(20) {
                words.push(' ');
                words.push_str(file);
            }
            words.push(' ');
            words.push_str(&upto(&call.arguments.text, OF_TOOLS));
            (Role::Tool, words)
        }
        Said::Result { output, .. } => (Role::Result, upto(&output.text, OF_TOOLS)),
        _ => return None,
    };
    words.bytes().any(|byte| byte.is_ascii_alphanumeric() || !byte.is_ascii()).then_some((role, words))
}

/// What of an entry is shown with a hit: the text that its words are of.
pub(crate) fn shown(entry: &Entry) -> Option<String> {
    words(entry).map(|(_, words)| words)
}

/// As it is kept.
pub(crate) fn number(role: belfry_protocol::search::Role) -> i64 {
    use belfry_protocol::search::Role as Shown;
    let role = match role {
        Shown::Title => Role::Title,
        Shown::Prompt => Role::Prompt,
        Shown::Answer => Role::Answer,
        Shown::Thought => Role::Thought,
        Shown::Tool => Role::Tool,
        Shown::Result => Role::Result,
        Shown::Scrollback => Role::Scrollback,
    };
    role as i64
}

/// As it is shown.
pub(crate) fn role(number: i64) -> belfry_protocol::search::Role {
    use belfry_protocol::search::Role as Shown;
    match number {
        0 => Shown::Title,
        1 => Shown::Prompt,
        2 => Shown::Answer,
        3 => Shown::Thought,
        4 => Shown::Tool,
        6 => Shown::Scrollback,
        _ => Shown::Result,
    }
}
