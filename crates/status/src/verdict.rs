//! What follows from all observations.

use belfry_protocol::Status;
use belfry_protocol::signal::Source;

use crate::activity::{Activity, Doing};
use crate::observation::{DialogSeen, Place, TaskKind, Trouble};
use crate::opinion::{Class, Look};
use crate::output::QUIET;
use crate::rule::Rule;
use crate::screen::Open;

/// What follows at a moment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Verdict {
    /// The one word.
    pub status: Status,
    /// For how long it is that one, in milliseconds.
    pub for_ms: u64,
    /// Why it waits, is blocked or not known.
    pub reason: Option<String>,
    /// When what blocks it ends, in the agent's words.
    pub until: Option<String>,
    /// The question on the screen, while one is there and the status is `waiting` for it.
    pub dialog: Option<DialogSeen>,
    /// What the agent does.
    pub activity: Option<Activity>,
    /// The source that decided.
    pub source: Source,
    /// What was seen of it, in a few words.
    pub what: String,
    /// The rule by which it was decided.
    pub rule: Rule,
    /// When the verdict could be another one although nothing was observed, in milliseconds of the caller's clock; none
    /// means that it stands.
    pub again_at: Option<u64>,
}

/// Why no text can be typed to an agent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum WhyNot {
    /// It has not reached its prompt.
    Starting,
    /// It works.
    Works,
    /// A program has the terminal that stands at no prompt: what it does, in words.
    InFront(String),
    /// A question is open.
    Asks,
    /// It cannot go on.
    Blocked(Trouble),
    /// What it does is about to be known, within a second or so.
    Unsettled,
    /// Nobody knows what it does.
    Unknown,
    /// The process is gone.
    Gone,
}

impl std::fmt::Display for WhyNot {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Starting => f.write_str("it has not reached its prompt"),
            Self::Works => f.write_str("the agent works"),
            Self::InFront(does) => write!(f, "{does}, and is at no prompt that takes a message"),
            Self::Asks => f.write_str("a question is open"),
            Self::Blocked(trouble) => write!(f, "the agent cannot go on: {}", trouble.reason),
            Self::Unsettled => f.write_str("the agent has just changed what it does"),
            Self::Unknown => f.write_str("it is not known what the agent does"),
            Self::Gone => f.write_str("the session has ended"),
        }
    }
}

impl Look<'_> {
    /// The verdict, without when to ask again.
    pub(crate) fn verdict(&self) -> Verdict {
        let (reason, until) = self.reason();
        let shown = self.shown;
        let dialog = (shown.status == Status::Waiting && shown.source == Source::Screen)
            .then(|| self.open().map(|open| open.dialog.clone()))
            .flatten();
        Verdict {
            status: shown.status,
            for_ms: self.moment.now.saturating_sub(shown.since),
            reason,
            until,
            dialog,
            activity: self.activity(),
            source: shown.source,
            what: self.what(shown.source),
            rule: shown.rule,
            again_at: None,
        }
    }

    /// The question on the screen, or that was there and may still be open.
    fn open(&self) -> Option<&Open> {
        let asks = matches!(self.shown.rule, Rule::Dialog | Rule::DialogAway | Rule::CatchingUp);
        self.state.screen.open.as_ref().filter(|open| asks || !self.was_answered(open))
    }

    fn reason(&self) -> (Option<String>, Option<String>) {
        let open = || "a question is open".to_owned();
        let left = || "its question has just left the screen".to_owned();
        match (self.shown.status, self.shown.source) {
            // Whoever told of it still names the one that is over.
            (Status::Waiting, _) if self.shown.rule == Rule::JustAnswered => (Some(left()), None),
            (Status::Waiting, Source::Screen) => {
                let open = self.open().map_or_else(left, |open| open.dialog.summary.clone());
                (Some(open), None)
            }
            (Status::Waiting, Source::Foreground) => {
                let asks = self.state.front.as_ref().map(|front| &front.says);
                let question = asks.and_then(|says| says.question.clone());
                (
                    Some(
                        question.unwrap_or_else(|| "input that is not shown, such as a password".to_owned()),
                    ),
                    None,
                )
            }
            (Status::Waiting, source) => {
                let heard = self.state.words.get(source).and_then(|heard| heard.detail.clone());
                (Some(heard.unwrap_or_else(open)), None)
            }
            (Status::Blocked, source) => match self.trouble(source) {
                Some((trouble, ..)) => (Some(trouble.reason), trouble.until),
                None => (None, None),
            },
            (Status::Unknown, _) => (Some(self.shown.rule.sentence().to_owned()), None),
            _ => (None, None),
        }
    }

    fn activity(&self) -> Option<Activity> {
        let (doing, since) = match self.shown.status {
            Status::Running => self.at_work()?,
            Status::Idle => self.beside()?,
            _ => return None,
        };
        Some(Activity { doing, for_ms: self.moment.now.saturating_sub(since) })
    }

    /// What it does. The order is fixed, so that two sources that word the same differently do not take turns.
    fn at_work(&self) -> Option<(Doing, u64)> {
        const ORDER: [Source; 7] = [
            Source::Api,
            Source::Hook,
            Source::Program,
            Source::Shell,
            Source::Registry,
            Source::Title,
            Source::Transcript,
        ];
        let state = self.state;
        let reading = state.screen.reading.as_ref().filter(|reading| reading.says.place == Place::Working);
        let told: Vec<_> = ORDER
            .into_iter()
            .filter_map(|source| Some((state.table.get(source)?, state.words.get(source)?)))
            .filter(|(trust, heard)| {
                heard.says.map(Class::of) == Some(Class::Work) && !self.expired(heard, trust)
            })
            .filter_map(|(_, heard)| Some((heard.doing.clone()?, heard.doing_since)))
            .collect();
        let find = |wanted: fn(&Doing) -> bool| told.iter().find(|(doing, _)| wanted(doing)).cloned();
        let retrying = reading.and_then(|reading| {
            Some((Doing::Retrying(reading.says.retrying.clone()?), reading.activity_since))
        });
        let on_screen = reading
            .and_then(|reading| Some((Doing::Tool(reading.says.activity.clone()?), reading.activity_since)));
        let command = state.front.as_ref().and_then(|front| Some((self.in_front()?, front.since)));
        let subagents = self.subagents(&self.opinions());
        retrying
            .or_else(|| find(|doing| matches!(doing, Doing::Retrying(_) | Doing::Compacting)))
            .or_else(|| find(|doing| matches!(doing, Doing::Tool(_) | Doing::Command(_))))
            .or(on_screen)
            .or(command)
            .or_else(|| (subagents > 0).then_some((Doing::Subagents(subagents), self.shown.since)))
            .or_else(|| told.first().cloned())
    }

    /// What the program does that has the terminal and stands at no prompt.
    fn in_front(&self) -> Option<Doing> {
        let front = self.state.front.as_ref().filter(|front| front.says.runs)?;
        let command = front.says.command.clone()?;
        Some(if front.is_open() { Doing::Open(command) } else { Doing::Command(command) })
    }

    /// Why no text can be typed to what runs.
    pub(crate) fn why_busy(&self) -> WhyNot {
        if !matches!(self.shown.source, Source::Foreground | Source::Shell) {
            return WhyNot::Works;
        }
        WhyNot::InFront(match self.in_front() {
            Some(Doing::Command(command)) => format!("{command} runs"),
            Some(open) => open.words(),
            None => "a program runs".to_owned(),
        })
    }

    /// What goes on beside the idle prompt.
    fn beside(&self) -> Option<(Doing, u64)> {
        let state = self.state;
        let on_screen = state.screen.reading.as_ref().map_or(0, |reading| reading.says.background);
        let told = Source::ALL.into_iter().filter_map(|source| state.words.get(source)).filter_map(|heard| {
            match heard.doing {
                Some(Doing::Background(shells)) if heard.says.map(Class::of) == Some(Class::Rest) => {
                    Some(shells)
                }
                _ => None,
            }
        });
        let known = u32::try_from(state.tasks.alive(TaskKind::Shell).count()).unwrap_or(u32::MAX);
        let shells = told.max().unwrap_or(0).max(on_screen).max(known);
        (shells > 0).then_some((Doing::Background(shells), self.shown.since))
    }

    /// What was seen of a source last, in a few words.
    pub(crate) fn what(&self, source: Source) -> String {
        let state = self.state;
        match source {
            Source::Process if state.ended.is_some() => "the program has ended".to_owned(),
            Source::Process => "the program runs".to_owned(),
            Source::Screen => match (&state.screen.open, &state.screen.reading) {
                (Some(open), _) => format!("a dialog: {}", open.dialog.summary),
                (None, Some(reading)) if reading.says.rules.is_empty() => {
                    reading.says.place.word().to_owned()
                }
                (None, Some(reading)) => format!("{}: {}", reading.says.place.word(), reading.says.rules),
                (None, None) => "it has not been read".to_owned(),
            },
            Source::Foreground => match &state.front {
                Some(front) => {
                    let command = front.says.command.as_deref().unwrap_or("a program");
                    match (&front.says.question, front.says.runs) {
                        (Some(question), true) if front.asks() => {
                            format!("{command} waits behind: {question}")
                        }
                        (None, true) if front.asks() => format!("{command} waits for what is not shown"),
                        (_, true) if front.is_open() => {
                            format!("{command} has the terminal, and takes keys or shows its own screen")
                        }
                        (_, true) => format!("{command} has the terminal"),
                        (_, false) => format!("{command} waits for a line"),
                    }
                }
                None => "it is not known which process has the terminal".to_owned(),
            },
            Source::Output => {
                let worked = state.output.worked_after(self.shown.drawn_until);
                match worked.filter(|worked| !self.moment.reached(worked + QUIET)) {
                    Some(_) => "output that looks like work".to_owned(),
                    None => "no output that looks like work".to_owned(),
                }
            }
            _ => state.words.get(source).map_or_else(String::new, |heard| heard.what.clone()),
        }
    }
}
