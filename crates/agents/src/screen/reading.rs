//! What a screen says, read by an agent's rules.

use belfry_protocol::ask::{Approves, AskDetail, AskKind, Choice, Risk};

/// What is seen of a session's terminal at one moment.
#[derive(Clone, Copy, Debug, Default)]
pub struct ScreenView<'a> {
    /// The screen's rows from the top, trailing blanks cut.
    pub rows: &'a [String],
    /// How wide it is, in cells; 0 where that is not known.
    pub columns: u16,
    /// The cursor's column and row, from 0.
    pub cursor: (u16, u16),
    /// Whether the cursor shows.
    pub cursor_visible: bool,
    /// The terminal's title; empty where there is none.
    pub title: &'a str,
    /// Bracketed paste (mode 2004) is on.
    pub bracketed_paste: bool,
    /// The alternate screen is on.
    pub alternate: bool,
    /// Where text stands out from what is beside it in its row, by its ground or by inverse video: row, first column, column
    /// after the last. Only for agents whose rules want it ([`crate::Agent::wants_highlights`]).
    pub highlights: &'a [(u16, u16, u16)],
}

/// Where the program is, as its screen shows it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Place {
    /// No rule fits: start-up, or a screen that nobody has described.
    #[default]
    Unknown,
    /// Its input box is there and nothing says that it works.
    Prompt,
    /// Something says that it works.
    Working,
    /// A question is open.
    Dialog,
}

/// What a screen says.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Reading {
    /// Where the program is.
    pub place: Place,
    /// It is said to work only because nothing says that the last turn is over: too weak to overrule what a program says
    /// of itself.
    pub inferred: bool,
    /// At its prompt, and something above it says that the last turn is over: not merely that nothing says the contrary.
    pub over: bool,
    /// The open question.
    pub dialog: Option<Dialog>,
    /// What it does, in the words to be shown: `Running npm test`.
    pub activity: Option<String>,
    /// It tries again after an error of its model: what it says of that.
    pub retrying: Option<String>,
    /// Subagents at work.
    pub subagents: u32,
    /// Shells in the background.
    pub background: u32,
    /// Why it cannot go on, where it says so at its prompt: a usage limit, an expired login.
    pub blocked: Option<Blocked>,
    /// The last turn ended with that error.
    pub failed: Option<String>,
    /// What lies in its input box, not submitted; none where that cannot be told. A placeholder is no draft.
    pub draft: Option<String>,
    /// The input box takes something else than a text for the agent: what it says of that, `shell mode`.
    pub mode: Option<String>,
    /// The names of the rules that matched, and the text of each.
    pub matched: Vec<(String, String)>,
}

/// Why a program cannot go on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Blocked {
    /// In a few words: `usage limit`, `signed out`.
    pub reason: String,
    /// When that ends, in the program's own words: `15:30`.
    pub until: Option<String>,
}

/// A question on the screen.
#[derive(Clone, Debug, PartialEq)]
pub struct Dialog {
    /// The rule that found it.
    pub rule: String,
    /// What kind it is.
    pub kind: AskKind,
    /// What is approved, for approvals.
    pub approves: Option<Approves>,
    /// The question in its own words, one line.
    pub text: String,
    /// The answers, in order.
    pub choices: Vec<Choice>,
    /// The choice that Enter would take, by its place.
    pub selected: Option<usize>,
    /// How each choice is taken.
    pub answer: AnswerBy,
    /// A text can be given.
    pub takes_text: bool,
    /// What ticks the marked choice, where several can be chosen and that is known.
    pub tick: Option<Vec<u8>>,
    /// What takes the ticked choices, where no row of the dialog does: [`Choice::SUBMIT`] is not to be walked to.
    pub submit: Option<Vec<u8>>,
    /// The field for it opens when Enter is pressed on its choice; otherwise what is typed on the choice goes into it.
    pub enter_opens_text: bool,
    /// What it is about.
    pub detail: AskDetail,
    /// How risky that looks, and why.
    pub risk: Risk,
    /// What the risk rests on.
    pub risk_reason: Option<String>,
    /// The choice that ticks all others, by its place: its box follows theirs.
    pub ticks_all: Option<usize>,
    /// It shows a few of its choices at a time: there may be others.
    pub scrolls: bool,
    /// What differs where the same is asked again, as far as the screen shows that; no part of the fingerprint.
    pub serial: Option<String>,
    /// Something lies where its answer is typed, not submitted: what is typed now would be appended to it.
    pub half_typed: bool,
    /// What is to be approved is not to be seen: it may be drawn a moment after the rest.
    pub unnamed: bool,
    /// Not all of it is on the screen.
    pub cut: bool,
}

/// How a choice is taken.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum AnswerBy {
    /// Its key alone, which acts at once.
    Key,
    /// Its key, then Enter.
    KeyEnter,
    /// Moving the mark to it, one step at a time and looking after each, then Enter.
    Walk {
        /// Moves the mark to the next choice.
        next: Vec<u8>,
        /// Moves it to the one before.
        previous: Vec<u8>,
    },
    /// Enter alone.
    Enter,
    /// A typed line and Enter.
    Line,
    /// Nobody knows: Belfry shows it and does not answer it.
    Unknown,
}

impl Dialog {
    /// A question of which only that is known.
    pub fn new(kind: AskKind, text: String, answer: AnswerBy) -> Self {
        Self {
            rule: String::new(),
            kind,
            approves: None,
            text,
            choices: Vec::new(),
            selected: None,
            answer,
            takes_text: false,
            tick: None,
            submit: None,
            enter_opens_text: false,
            detail: AskDetail::default(),
            risk: Risk::Low,
            risk_reason: None,
            ticks_all: None,
            scrolls: false,
            serial: None,
            half_typed: false,
            unnamed: false,
            cut: false,
        }
    }

    /// Where a list shows a few of its choices at a time: what this reading and an earlier one know together. None where they are
    /// not of the same list.
    #[must_use]
    pub fn joined(&self, earlier: &Self) -> Option<Self> {
        let same = (&self.rule, &self.text, &self.detail) == (&earlier.rule, &earlier.text, &earlier.detail);
        let known = |choice: &Choice| self.choices.iter().find(|other| other.key == choice.key);
        let fits = |choice: &Choice| known(choice).is_none_or(|other| other.label == choice.label);
        if !(self.scrolls && earlier.scrolls && same && earlier.choices.iter().all(fits)) {
            return None;
        }
        let marked = self.selected.and_then(|at| self.choices.get(at)).map(|choice| choice.key.clone());
        let all = |dialog: &Self| Some(dialog.choices.get(dialog.ticks_all?)?.key.clone());
        let all = all(self).or_else(|| all(earlier));
        let more = earlier.choices.iter().filter(|choice| known(choice).is_none());
        let mut choices: Vec<_> = self.choices.iter().chain(more).cloned().collect();
        choices.sort_by_key(|choice| match choice.key.parse::<u32>() {
            Ok(number) => (0, number),
            Err(_) => (1, u32::from(choice.key == Choice::SUBMIT)),
        });
        let at = |key: Option<String>| choices.iter().position(|choice| Some(&choice.key) == key.as_ref());
        let (selected, ticks_all) = (at(marked), at(all));
        Some(Self { choices, selected, ticks_all, ..self.clone() })
    }

    /// The same for as long as the same dialog is open: its kind, text, choices and what it is about, but not which choice
    /// is marked, nor anything that moves. 16 hexadecimal digits (FNV-1a, 64 bits).
    pub fn fingerprint(&self) -> String {
        let mut hash: u64 = 0xcbf2_9ce4_8422_2325;
        let mut add = |text: &str| {
            for byte in text.bytes().chain([0xff]) {
                hash = (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3);
            }
        };
        add(&format!("{:?}", self.kind));
        add(&self.text);
        for choice in &self.choices {
            add(&choice.key);
            add(&choice.label);
            // One that was ticked since is not the one that a client looked at.
            if let Some(ticked) = choice.ticked {
                add(if ticked { "ticked" } else { "not ticked" });
            }
        }
        let AskDetail { command, path, url, tool, body } = &self.detail;
        for part in [command, path, url, tool, body] {
            add(part.as_deref().unwrap_or_default());
        }
        format!("{hash:016x}")
    }
}
