//! What an agent's signals mean: its title, its own report, its progress, its notifications, its terminal's modes.

use belfry_protocol::signal::{Says, Source};
use serde::Deserialize;

use crate::screen::{Pattern, one_line};

/// Something that a program told its terminal.
#[derive(Clone, Copy, Debug)]
pub enum Emitted<'a> {
    /// Its title, as it was set.
    Title(&'a str),
    /// OSC 7501: the pairs as they were sent, texts decoded.
    Program(&'a [(String, String)]),
    /// OSC 9;4.
    Progress(Bar),
    /// OSC 9, 99, 777.
    Notification {
        /// Its title; empty where it has none.
        title: &'a str,
        /// Its text.
        body: &'a str,
    },
    /// The bell.
    Bell,
    /// Bracketed paste (mode 2004) was switched on or off.
    BracketedPaste(bool),
    /// The alternate screen was switched on or off.
    Alternate(bool),
}

/// State of a progress bar.
#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Eq)]
#[serde(rename_all = "snake_case")]
pub enum Bar {
    /// There is none.
    None,
    /// Part of the way.
    Normal,
    /// Stopped by an error.
    Error,
    /// Busy without a known end.
    Indeterminate,
    /// Paused, or a warning.
    Paused,
}

/// What it means.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Sign {
    /// The rule's name.
    pub rule: String,
    /// What it says of the session; none where it only adds something.
    pub says: Option<Says>,
    /// What was seen, in a few words.
    pub note: String,
    /// What the program does or asks, in its own words.
    pub activity: Option<String>,
    /// One of its sub-tasks began or ended.
    pub sub: Option<SubTask>,
    /// How many shells are said to be in the background.
    pub background: Option<u32>,
}

/// A sub-task that began or ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SubTask {
    /// The program's own name for it.
    pub id: String,
    /// Its title.
    pub title: Option<String>,
    /// What it is.
    pub kind: SubKind,
    /// It runs.
    pub alive: bool,
}

/// What a sub-task is.
#[derive(Clone, Copy, Debug, Default, Deserialize, PartialEq, Eq)]
#[serde(rename_all = "snake_case")]
pub enum SubKind {
    /// An agent of its own: the turn is open while it lives.
    Subagent,
    /// A shell in the background: the turn may be over.
    Background,
    /// The rules do not know.
    #[default]
    Unknown,
}

/// One `[[sign]]` of a file.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct SignRule {
    /// Its name.
    pub(crate) name: String,
    /// Where it is heard.
    pub(crate) source: Source,
    /// In the title, or in a notification's title and text with a line break between. A program's report: in its `msg`.
    #[serde(default)]
    find: Option<Pattern>,
    /// A program's report: its `app`. A report of another app is not this agent's.
    #[serde(default)]
    app: Option<String>,
    /// Its `state`.
    #[serde(default)]
    state: Option<String>,
    /// Its `kind`.
    #[serde(default)]
    kind: Option<String>,
    /// Its `id`: with it, the report is of a sub-task. Without this key only reports of the session itself count.
    #[serde(default)]
    id: Option<Pattern>,
    /// What the sub-task is.
    #[serde(default)]
    sub: SubKind,
    /// The progress bar's state.
    #[serde(default)]
    progress: Vec<Bar>,
    /// Bracketed paste was switched on, or off.
    #[serde(default)]
    bracketed_paste: Option<bool>,
    /// The alternate screen was switched on, or off.
    #[serde(default)]
    alternate: Option<bool>,
    /// What it says of the session.
    #[serde(default)]
    says: Option<Says>,
    /// What is shown as activity: `$1` is what a group found. Without it, a program's `msg`.
    #[serde(default)]
    activity: Option<String>,
    /// How many shells are in the background: `$1`, or a number.
    #[serde(default)]
    background: Option<String>,
}

/// Longest note, in characters.
const NOTE: usize = 160;

/// The meaning by the first rule that fits.
pub(crate) fn read(rules: &[SignRule], emitted: Emitted<'_>) -> Option<Sign> {
    rules.iter().find_map(|rule| rule.read(emitted))
}

impl SignRule {
    fn read(&self, emitted: Emitted<'_>) -> Option<Sign> {
        match emitted {
            Emitted::Title(title) => self.text(Source::Title, title.trim(), "title"),
            Emitted::Notification { title, body } => {
                let text = if title.is_empty() { body.to_owned() } else { format!("{title}\n{body}") };
                self.text(Source::Notification, &text, "notification")
            }
            Emitted::Bell => {
                let bell = self.source == Source::Notification && self.find.is_none();
                bell.then(|| self.sign("bell"))
            }
            Emitted::Program(pairs) => self.program(pairs),
            Emitted::Progress(bar) => {
                let fits = self.source == Source::Progress && self.progress.contains(&bar);
                fits.then(|| self.sign(&format!("progress: {bar:?}").to_lowercase()))
            }
            Emitted::BracketedPaste(on) => self.mode(self.bracketed_paste, on, "bracketed paste"),
            Emitted::Alternate(on) => self.mode(self.alternate, on, "alternate screen"),
        }
    }

    fn sign(&self, note: &str) -> Sign {
        Sign {
            rule: self.name.clone(),
            says: self.says,
            note: note.chars().take(NOTE).collect(),
            activity: self.activity.clone(),
            background: self.background.as_ref().and_then(|count| count.parse().ok()),
            sub: None,
        }
    }

    fn mode(&self, wanted: Option<bool>, on: bool, name: &str) -> Option<Sign> {
        let fits = self.source == Source::Modes && wanted == Some(on);
        fits.then(|| self.sign(&format!("{name} {}", if on { "on" } else { "off" })))
    }

    fn text(&self, source: Source, text: &str, name: &str) -> Option<Sign> {
        if self.source != source {
            return None;
        }
        let found = self.find.as_ref()?.find_in(text)?;
        let mut sign = self.sign(&format!("{name}: {}", one_line(text)));
        sign.activity = self.activity.as_ref().map(|say| found.say(say)).filter(|say| !say.is_empty());
        sign.background = self.background.as_ref().and_then(|say| found.say(say).parse().ok());
        Some(sign)
    }

    fn program(&self, pairs: &[(String, String)]) -> Option<Sign> {
        let get = |key: &str| pairs.iter().find(|(name, _)| name == key).map(|(_, value)| value.as_str());
        let equal = |wanted: &Option<String>, key: &str| wanted.is_none() || wanted.as_deref() == get(key);
        // The end of a sub-task comes without the program's name.
        let ours = match (&self.app, get("app")) {
            (Some(app), Some(named)) => app == named,
            (Some(_), None) => get("id").is_some(),
            (None, _) => true,
        };
        if self.source != Source::Program
            || !ours
            || !equal(&self.state, "state")
            || !equal(&self.kind, "kind")
        {
            return None;
        }
        let id = match (&self.id, get("id")) {
            (None, None) => None,
            (Some(pattern), Some(id)) => pattern.matches(id).then_some(Some(id))?,
            _ => return None,
        };
        let text = get("msg").unwrap_or_default();
        let found = match &self.find {
            Some(pattern) => Some(pattern.find_in(text)?),
            None => None,
        };
        let mut note = get("state").unwrap_or_default().to_owned();
        for part in
            [get("kind"), Some(text).filter(|text| !text.is_empty()), get("title")].into_iter().flatten()
        {
            note.push_str(", ");
            note.push_str(&one_line(part));
        }
        let mut sign = self.sign(&note);
        let said = |say: &String| match &found {
            Some(found) => found.say(say),
            None => say.clone(),
        };
        sign.activity =
            Some(self.activity.as_ref().map_or_else(|| one_line(text), said)).filter(|say| !say.is_empty());
        sign.background = self.background.as_ref().and_then(|say| said(say).parse().ok());
        sign.sub = id.map(|id| SubTask {
            id: id.chars().take(NOTE).collect(),
            title: get("title").map(one_line).filter(|title| !title.is_empty()),
            kind: self.sub,
            alive: get("state") != Some("clear"),
        });
        Some(sign)
    }
}
