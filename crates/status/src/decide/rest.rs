//! At the prompt: idle, blocked, kept at work by subagents, or not to be told from a question.

use belfry_protocol::Status;
use belfry_protocol::signal::{Says, Source};

use super::Decision;
use crate::observation::{Place, TaskKind, Trouble};
use crate::opinion::{Class, Look, Opinion};
use crate::rule::Rule;
use crate::table::Questions;

/// How long a word of idleness that could hide a question waits for the screen at least, in milliseconds: Codex has been
/// seen to draw a plan's question 20 ms after it called the turn done.
const LOOK: u64 = 80;

/// The same at most, for a source that tells of most questions, in milliseconds.
const LOOK_AT_MOST: u64 = 200;

/// The same at most, for one that tells of none, in milliseconds.
const LOOK_LONG: u64 = 2000;

/// The same at most while the prompt has not been reached, in milliseconds: Gemini's title says that it is ready while it
/// loads and while it asks whether to trust the folder.
const LOOK_AT_START: u64 = 10_000;

/// How long a word of idleness that is older than the answer to a question waits for another one, in milliseconds: Codex
/// goes to work some 10 ms after a plan that it called done is approved.
const ANSWER: u64 = 400;

/// How long the screen may take to show that a turn is over, in milliseconds, after a word that any printed file could be. It takes
/// some 50.
const END_IS_DRAWN: u64 = 250;

/// How long after that word what is printed may still be the end's own frame, in milliseconds. The slowest spinner turns every
/// 125.
const LAST_FRAME: u64 = 150;

/// How long the screen's mark of work counts after it has moved, in milliseconds: it is read once a second while nothing but a
/// spinner turns.
const SPINNER: u64 = 1500;

/// How long after an interruption a word of idleness is its effect, in milliseconds.
const CUT: u64 = 3000;

/// How long a subagent is believed to live without a sign of it, in milliseconds.
const TASK_KEEPS: u64 = 30 * 60_000;

/// How long others must speak against a subagent's life, in milliseconds.
const AGAINST: u64 = 1000;

/// Whether a word of idleness excludes an open question.
enum Sure {
    Yes,
    /// Not yet.
    Wait,
    No,
}

impl Look<'_> {
    pub(super) fn rest(&self, opinions: &[Opinion], lead: &Opinion, rule: Rule) -> Decision {
        if self.subagents(opinions) > 0 {
            return Decision::new(Status::Running, Rule::Subagents, lead.source);
        }
        // What it said before a question was answered is not what it says to the answer.
        // Escape lets nothing go on.
        let screen = &self.state.screen;
        let goes_on = Some(lead.begun) < screen.asked && self.state.person.interrupted < screen.asked;
        if let Some(closed) = screen.closed.filter(|_| goes_on)
            && self.shown.status == Status::Waiting
            && !self.moment.reached(closed + ANSWER)
        {
            return Decision::hold(Rule::JustAnswered, self.shown.source);
        }
        match self.sure(opinions, lead) {
            Sure::Wait if !self.shown.reached => {
                return Decision::new(Status::Starting, Rule::Starting, Source::Process);
            }
            Sure::Wait => return self.hold_for_a_while(Rule::Looking, Rule::Ambiguous, lead.source),
            Sure::No => return Decision::new(Status::Unknown, Rule::Ambiguous, lead.source),
            Sure::Yes => {}
        }
        match self.trouble(lead.source) {
            Some((_, rule, source)) => Decision::new(Status::Blocked, rule, source),
            None => Decision::new(Status::Idle, rule, lead.source),
        }
    }

    /// Whether a word of idleness is looked at first that any file could have told the terminal: the screen showed work before it,
    /// and shows it still. The end of a turn is drawn at once; a spinner that turns on some time later is work.
    pub(super) fn still_works(&self, opinions: &[Opinion], lead: &Opinion) -> Option<Decision> {
        let state = self.state;
        let word = lead.begun;
        let forgeable = matches!(lead.source, Source::Program | Source::Title | Source::Modes);
        let reading = state.screen.reading.as_ref()?;
        let shows =
            reading.says.place == Place::Working && !reading.says.guessed && reading.place_since < word;
        // The person, or what no file can say, has ended it.
        let ended = state.person.interrupted.is_some_and(|at| at + CUT > word)
            || opinions.iter().any(|other| {
                let inside = matches!(other.source, Source::Registry | Source::Api | Source::Hook);
                inside && other.class == Class::Rest && other.at + AGAINST >= word
            });
        if !forgeable || !shows || ended || self.shown.status != Status::Running {
            return None;
        }
        if !self.moment.reached(word + END_IS_DRAWN) {
            return Some(Decision::hold(Rule::Looking, self.shown.source));
        }
        let moved = state.output.last.filter(|last| *last >= word + LAST_FRAME)?;
        let moves = moved < word + 2 * SPINNER && !self.moment.reached(moved + SPINNER);
        moves.then_some(Decision::new(Status::Running, Rule::ScreenWorks, Source::Screen))
    }

    fn sure(&self, opinions: &[Opinion], lead: &Opinion) -> Sure {
        if !self.state.table.screen_rules || lead.source == Source::Output {
            return Sure::Yes;
        }
        let resting = opinions.iter().filter(|opinion| opinion.class == Class::Rest).chain([lead]);
        let questions = resting.map(|opinion| opinion.trust.questions).max().unwrap_or(Questions::None);
        if questions == Questions::All {
            return Sure::Yes;
        }
        let at_most = match questions {
            Questions::None => LOOK_LONG,
            _ if self.shown.reached => LOOK_AT_MOST,
            _ => LOOK_AT_START,
        };
        let start = self.state.screen.closed.filter(|_| !self.shown.reached).unwrap_or(0);
        let late = lead.begun.max(start) + at_most;
        match &self.state.screen.reading {
            Some(reading) if reading.says.place == Place::Prompt => {
                // Read since, or nothing has been printed that could have changed it.
                let current = reading.at >= lead.begun || self.state.output.last <= Some(reading.at);
                let looked = self.moment.reached(lead.begun + LOOK) && current;
                if looked || self.moment.reached(late) { Sure::Yes } else { Sure::Wait }
            }
            Some(_) if !self.moment.reached(late) => Sure::Wait,
            // The screen is there and shows no question that is known.
            Some(_) if questions == Questions::Most => Sure::Yes,
            None if !self.moment.reached(lead.begun + LOOK_LONG) => Sure::Wait,
            Some(_) | None => Sure::No,
        }
    }

    /// How many subagents live.
    pub(crate) fn subagents(&self, opinions: &[Opinion]) -> u32 {
        let shown = self.state.screen.reading.as_ref().map_or(0, |reading| reading.says.subagents);
        let told = self
            .state
            .tasks
            .alive(TaskKind::Agent)
            .filter(|task| {
                !self.moment.reached(task.at + TASK_KEEPS)
                    && !self.task_is_over(task.at, task.source, opinions)
            })
            .count();
        shown.max(u32::try_from(told).unwrap_or(u32::MAX))
    }

    /// Whether the end of a task was missed: the screen shows the prompt and no task, and a source that would call the
    /// agent busy does not.
    fn task_is_over(&self, begun: u64, by: Source, opinions: &[Opinion]) -> bool {
        let Some(reading) = &self.state.screen.reading else { return false };
        reading.says.place == Place::Prompt
            && reading.says.subagents == 0
            && self.moment.reached(begun + AGAINST)
            && opinions.iter().any(|other| {
                other.source != by
                    && other.class == Class::Rest
                    && other.trust.sees_subagents
                    && self.stands_after(other, begun, AGAINST)
            })
    }

    /// Whether the person cut the last turn short. What the screen tells then of an error is of a turn before, whose end is the last
    /// thing on it again.
    fn cut_short(&self) -> bool {
        let (person, screen) = (&self.state.person, &self.state.screen);
        let worked = self.state.last_said(Class::Work).max(screen.worked);
        person.interrupted.is_some_and(|cut| Some(cut) >= person.submitted && worked <= Some(cut + CUT))
    }

    /// Why it cannot go on, or the error of its last turn, with the rule and who says so.
    pub(crate) fn trouble(&self, lead: Source) -> Option<(Trouble, Rule, Source)> {
        let state = self.state;
        let typed = state.person.typed;
        let worked = state.last_said(Class::Work);
        let leading = state.words.get(lead);
        if let Some(noted) = state.screen.blocked()
            && Some(noted.since) > typed
            && !self.cut_short()
        {
            return Some((noted.trouble.clone(), Rule::CannotGoOn, Source::Screen));
        }
        for source in Source::ALL {
            let trusted = state.table.get(source);
            let Some((trust, heard)) = trusted.zip(state.words.get(source)) else { continue };
            let fresh = Some(heard.begun) > typed && !self.expired(heard, trust);
            let says = match heard.says {
                Some(Says::Blocked) if Some(heard.at) > worked || source == lead => Rule::CannotGoOn,
                Some(Says::Failed) if source == lead => Rule::Failed,
                _ => continue,
            };
            if fresh {
                let reason = heard.detail.clone().unwrap_or_else(|| match says {
                    Rule::Failed => "the turn ended with an error".to_owned(),
                    _ => heard.what.clone(),
                });
                return Some((Trouble { reason, until: heard.until.clone() }, says, source));
            }
        }
        let finished = leading.is_some_and(|heard| heard.says == Some(Says::Done));
        let over = finished || self.cut_short();
        let noted = state.screen.failed().filter(|noted| !over && Some(noted.since) > typed)?;
        Some((noted.trouble.clone(), Rule::Failed, Source::Screen))
    }
}
