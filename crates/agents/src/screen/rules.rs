//! An agent's `[screen]` section.

use belfry_protocol::ask::{Approves, AskKind, Risk};
use serde::Deserialize;

use super::choices::Layout;
use super::composer::ComposerRules;
use super::pattern::Pattern;

/// How an agent's screens are read. `rules/claude.toml` documents every key.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct ScreenRules {
    /// Versions that the rules were made with, the oldest and the newest.
    pub(crate) measured: Vec<String>,
    /// What must be seen beside the input box before the first prompt is typed: `title`.
    pub(crate) starts_with: Vec<Need>,
    /// The input box.
    pub(crate) composer: ComposerRules,
    /// Whether the reader is told which texts stand out.
    pub(crate) highlights: bool,
    /// The row above a dialog, itself no part of it.
    pub(crate) dialog_top: Option<Pattern>,
    /// What tells two dialogs with the same words apart: the first group, in the dialog; without a group, how often it is found above
    /// the dialog.
    pub(crate) asks_apart: Option<Pattern>,
    /// Rows that stand for what a dialog has no room for.
    pub(crate) cut: Vec<Pattern>,
    /// The dialogs; the first that fits counts.
    pub(crate) dialog: Vec<DialogRule>,
    /// It works.
    pub(crate) busy: Vec<Mark>,
    /// Its input box takes something else than a text for the agent: a command of a shell, say.
    pub(crate) mode: Vec<Mark>,
    /// What it does.
    pub(crate) activity: Vec<Mark>,
    /// It tries again after an error.
    pub(crate) retrying: Vec<Mark>,
    /// Its subagents at work.
    pub(crate) subagents: Vec<Mark>,
    /// Its shells in the background.
    pub(crate) background: Vec<Mark>,
    /// The last turn ended with an error.
    pub(crate) failed: Vec<Mark>,
    /// It cannot go on.
    pub(crate) blocked: Vec<Mark>,
    /// What says no more than that a turn took so long, below what ended it.
    pub(crate) turn_note: Option<Pattern>,
    /// It has an input box and does not take text yet.
    pub(crate) starting: Vec<Mark>,
    /// The last turn is over.
    pub(crate) turn_over: Vec<Mark>,
    /// It shows nothing while it writes: where none of `turn_over` is there it is taken to be working, as a guess.
    pub(crate) silent: bool,
}

/// See [`ScreenRules::starts_with`].
#[derive(Clone, Copy, Debug, Deserialize, PartialEq)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Need {
    /// The terminal has a title.
    Title,
}

/// Part of a screen.
#[derive(Clone, Copy, Debug, Default, Deserialize, PartialEq, Eq)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Region {
    /// The rows right above the input box, up to the next blank row.
    #[default]
    Status,
    /// The same, but what stands above it where `turn_note` is in it.
    Last,
    /// What is below the input box.
    Footer,
    /// The last rows above the input box.
    Tail,
    /// The last rows of the screen, whether or not there is an input box.
    Foot,
    /// What is in the input box.
    Composer,
}

/// One sign on the screen.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Mark {
    /// Its name, which `belfry explain` shows.
    pub(crate) name: String,
    /// Where it is looked for.
    #[serde(default, rename = "where")]
    pub(crate) region: Region,
    /// What is looked for.
    pub(crate) find: Pattern,
    /// With one of these there it does not count.
    #[serde(default)]
    pub(crate) none: Vec<Pattern>,
    /// What is said then: `$1` or `$name` is what a group found. Without it, the text itself.
    #[serde(default)]
    pub(crate) say: Option<String>,
    /// For `blocked`: when it ends.
    #[serde(default)]
    pub(crate) until: Option<String>,
}

/// One kind of dialog.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct DialogRule {
    /// Its name, which `belfry explain` shows.
    pub(crate) name: String,
    /// What kind of question it is.
    pub(crate) kind: AskKind,
    /// What is approved, for approvals.
    #[serde(default)]
    pub(crate) approves: Option<Approves>,
    /// How the answers are shown.
    #[serde(default)]
    pub(crate) choices: Layout,
    /// The row at which it begins, where that is not right below `dialog_top`.
    #[serde(default)]
    pub(crate) top: Option<Pattern>,
    /// All of these are in it.
    #[serde(default)]
    pub(crate) all: Vec<Pattern>,
    /// One of these is in it.
    #[serde(default)]
    pub(crate) any: Vec<Pattern>,
    /// None of these is in it.
    #[serde(default)]
    pub(crate) none: Vec<Pattern>,
    /// One of these is below the answers.
    #[serde(default)]
    pub(crate) below: Vec<Pattern>,
    /// One of these is an answer.
    #[serde(default)]
    pub(crate) offers: Vec<Pattern>,
    /// The question: the first group, else what was found. Without it, the text right above the answers.
    #[serde(default)]
    pub(crate) question: Option<Pattern>,
    /// What is shown for the question where that is not to be seen.
    #[serde(default)]
    pub(crate) otherwise: Option<String>,
    /// What it is about.
    #[serde(default)]
    pub(crate) detail: DetailRules,
    /// How an answer is given.
    #[serde(default)]
    pub(crate) answer: Answer,
    /// How an answer ends that is to be seen whole.
    #[serde(default)]
    pub(crate) whole: Option<Pattern>,
    /// The last answer: without it there, some are not to be seen.
    #[serde(default)]
    pub(crate) closes: Vec<Pattern>,
    /// Answers that refuse or leave, beside those that are known by their words.
    #[serde(default)]
    pub(crate) refuses: Vec<Pattern>,
    /// Answers that do something though they begin like a refusal.
    #[serde(default)]
    pub(crate) acts: Vec<Pattern>,
    /// Answers that open a field for a text.
    #[serde(default)]
    pub(crate) takes_text: Vec<Pattern>,
    /// The field of such an answer opens when Enter is pressed on it; without this, what is typed there goes into it.
    #[serde(default)]
    pub(crate) enter_opens_text: bool,
    /// One of the answers is always such a field: where none is seen, something is typed in it.
    #[serde(default)]
    pub(crate) keeps_field: bool,
    /// It shows a few of its answers at a time.
    #[serde(default)]
    pub(crate) scrolls: Option<Scrolls>,
    /// The answer that ticks all others.
    #[serde(default)]
    pub(crate) ticks_all: Vec<Pattern>,
    /// What ticks the marked answer, where answers have boxes.
    #[serde(default)]
    pub(crate) tick: Option<Tick>,
    /// What takes the ticked answers, where no row does: `tab`.
    #[serde(default)]
    pub(crate) submit: Option<Submit>,
    /// Its answers are below the screen's edge.
    #[serde(default)]
    pub(crate) cut: bool,
    /// A text is wanted where there are no answers.
    #[serde(default)]
    pub(crate) wants_text: bool,
    /// How much there is to lose, where that does not follow from the kind and from what it is about.
    #[serde(default)]
    pub(crate) risk: Option<Risk>,
    /// Why.
    #[serde(default)]
    pub(crate) risk_reason: Option<String>,
}

/// What is at the end of a list that shows a few answers at a time, whether or not it is to be seen.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Scrolls {
    /// The field for a text.
    pub(crate) field: String,
    /// What takes the ticked answers, where they have boxes.
    pub(crate) submit: String,
}

/// A key that ticks.
#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Eq)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Tick {
    /// Enter.
    Enter,
    /// The space bar.
    Space,
}

/// A key that takes what is ticked.
#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Eq)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Submit {
    /// The tabulator.
    Tab,
}

/// See [`super::AnswerBy`].
#[derive(Clone, Copy, Debug, Default, Deserialize, PartialEq, Eq)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Answer {
    /// The key alone.
    Key,
    /// The key and Enter.
    KeyEnter,
    /// Down and Up, then Enter.
    UpDown,
    /// Right and Left, then Enter.
    LeftRight,
    /// Enter.
    Enter,
    /// A line and Enter.
    Line,
    /// Belfry does not answer it.
    #[default]
    Unknown,
}

/// Where a dialog shows what it is about: the first of the parts that is there.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct DetailRules {
    pub(crate) command: Vec<Part>,
    pub(crate) path: Vec<Part>,
    pub(crate) url: Vec<Part>,
    pub(crate) tool: Vec<Part>,
    pub(crate) body: Vec<Part>,
}

/// A part of a dialog.
#[derive(Clone, Debug, Deserialize)]
#[serde(untagged)]
pub(crate) enum Part {
    /// The first group of what is found, else all of it.
    Find(Pattern),
    /// The whole of a section between lines drawn across; 1 is the first.
    Section { section: usize },
    /// What is between two texts: the rows after the one and before the other.
    Between {
        after: Pattern,
        #[serde(default)]
        before: Option<Pattern>,
    },
}
