//! What a structured source tells of a session: a hook, the agent's own list of live sessions, its transcript.

use belfry_protocol::Says;

/// One thing told. Everything in it comes from the agent, so from anybody: texts are cut and freed of what is no text.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Told {
    /// What it says of the status; none where it only adds to the picture.
    pub says: Option<Says>,
    /// What was seen, in a few words: `PreToolUse (Bash)`, `busy`.
    pub what: String,
    /// What the agent does.
    pub activity: Activity,
    /// Subagents that came or went.
    pub subagents: Subagents,
    /// Shells in the background, where it tells their number.
    pub background: Option<u32>,
    /// What it asks, why it failed, or why it cannot go on.
    pub reason: Option<String>,
    /// Until when it cannot go on, in the agent's words: `3pm`.
    pub until: Option<String>,
    /// The agent's own id of the conversation that this is about.
    pub conversation: Option<String>,
    /// When it was so, in milliseconds since the Unix epoch, where the agent itself dates it.
    pub at_ms: Option<u64>,
}

/// What is told of the activity.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Activity {
    /// Nothing.
    #[default]
    Same,
    /// What went on is over, and nothing is known of what comes next.
    Over,
    /// It calls a tool; in words to be shown: `Running npm test`.
    Tool(String),
    /// It shortens its conversation.
    Compacting,
    /// It tries again after an error of its model; what it says of that.
    Retrying(String),
}

/// What is told of subagents. Their ids are the agent's own.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Subagents {
    /// Nothing.
    #[default]
    Same,
    /// One began.
    Started(String),
    /// One ended.
    Ended(String),
    /// None is left: the program or the conversation is another one.
    Gone,
}

impl Told {
    pub(crate) fn new(says: Option<Says>, what: impl Into<String>) -> Self {
        Self { says, what: what.into(), ..Self::default() }
    }

    pub(crate) fn doing(mut self, activity: Activity) -> Self {
        self.activity = activity;
        self
    }

    pub(crate) fn calling(self, tool: impl Into<String>) -> Self {
        self.doing(Activity::Tool(tool.into()))
    }

    pub(crate) fn over(mut self) -> Self {
        self.activity = Activity::Over;
        self
    }

    pub(crate) fn because(mut self, reason: impl Into<String>) -> Self {
        self.reason = Some(reason.into());
        self
    }
}

/// Longest text that is told, in characters.
const LONGEST: usize = 80;

/// The first line of a text that says something, as far as it fits in a row of a list.
pub(crate) fn short(text: &str) -> String {
    cut(text, LONGEST)
}

/// The same with another length.
pub(crate) fn cut(text: &str, longest: usize) -> String {
    let line = text.lines().map(str::trim).find(|line| !line.is_empty()).unwrap_or_default();
    let mut kept = String::new();
    let mut blank = false;
    for (count, c) in line.chars().filter(|&c| shown(c)).enumerate() {
        if count >= longest {
            kept.push('…');
            break;
        }
        let space = c.is_whitespace();
        if !(space && blank) {
            kept.push(if space { ' ' } else { c });
        }
        blank = space;
    }
    kept.trim_end().to_owned()
}

/// What has a place on a line: no control, and nothing that turns the direction of writing or cannot be seen.
fn shown(c: char) -> bool {
    let hidden =
        matches!(c, '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}');
    (!c.is_control() || c == '\t') && !hidden
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_one_short_line_without_tricks() {
        assert_eq!(short("\n\n  npm   test\trun \nrm -rf /"), "npm test run");
        assert_eq!(short("a\u{1b}[31mb\u{7}\u{202e}c\u{200b}"), "a[31mbc");
        assert_eq!(short(&"x".repeat(200)), format!("{}…", "x".repeat(80)));
        assert_eq!(short(&"ü".repeat(80)), "ü".repeat(80));
        assert_eq!(short("\u{1b}\n"), "");
    }
}
