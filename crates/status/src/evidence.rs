//! What became of each observation.

use belfry_protocol::Status;
use belfry_protocol::explain::{Evidence, Weight};
use belfry_protocol::signal::{Says, Source};

use crate::observation::{Place, TaskKind};
use crate::opinion::{Class, Look};
use crate::rule::Rule;

impl Look<'_> {
    /// All observations, as they count now: what decided first, then in the order of trust.
    pub(crate) fn evidence(&self) -> Vec<Evidence> {
        let mut all: Vec<_> = Source::ALL
            .into_iter()
            .filter_map(|source| self.of(source))
            .chain(self.of_tasks())
            .map(|evidence| {
                let rank = self.state.table.get(evidence.source).map_or(u8::MAX, |trust| trust.rank);
                (evidence.weight != Weight::Decided, rank, evidence)
            })
            .collect();
        all.sort_by_key(|(rest, rank, _)| (*rest, *rank));
        all.into_iter().map(|(_, _, evidence)| evidence).collect()
    }

    fn of(&self, source: Source) -> Option<Evidence> {
        let state = self.state;
        let (says, at) = match source {
            Source::Process => match state.ended {
                Some(ended) => (Some(Says::Gone), ended),
                None => (None, state.started),
            },
            Source::Screen => {
                let reading = state.screen.reading.as_ref()?;
                let says = match reading.says.place {
                    _ if state.screen.open.is_some() => Some(Says::Asking),
                    Place::Unknown => None,
                    Place::Prompt => Some(Says::Idle),
                    Place::Working => Some(Says::Working),
                    Place::Dialog => Some(Says::Asking),
                };
                (says, reading.at)
            }
            Source::Foreground => {
                let front = state.front.as_ref()?;
                let says = match front.says.runs {
                    _ if self.front_asks() => Says::Asking,
                    true => Says::Working,
                    false => Says::Idle,
                };
                (Some(says), front.at)
            }
            Source::Output => {
                let worked = state.output.worked_after(self.shown.drawn_until);
                let last = state.output.last?;
                let busy = worked.is_some_and(|worked| !self.moment.reached(worked + crate::output::QUIET));
                // Quiet means something only where nothing else tells.
                let rests = state.table.quiet_is_idle && self.shown.source == Source::Output;
                let quiet = rests.then_some(Says::Idle);
                if busy { (Some(Says::Working), worked?) } else { (quiet, last) }
            }
            _ => {
                let heard = state.words.get(source)?;
                (heard.says, heard.at)
            }
        };
        let (weight, why) = self.weigh(source, says);
        let age_ms = self.moment.now.saturating_sub(at);
        Some(Evidence { source, says, what: self.what(source), age_ms, weight, why })
    }

    fn weigh(&self, source: Source, says: Option<Says>) -> (Weight, Option<String>) {
        let decides = source == self.shown.source;
        let Some(says) = says else {
            return (if decides { Weight::Decided } else { Weight::Adds }, None);
        };
        let class = Class::of(says);
        let fits = match self.shown.status {
            Status::Starting => class == Class::Start,
            Status::Running => class == Class::Work,
            Status::Waiting => class == Class::Ask,
            Status::Blocked | Status::Idle => class == Class::Rest,
            Status::Dead => class == Class::Gone,
            Status::Unknown => false,
        };
        // Where the status stands although its source says something else by now, the rule tells why.
        if decides && (fits || matches!(self.shown.status, Status::Unknown)) {
            return (Weight::Decided, None);
        }
        let Some(trust) = self.state.table.get(source) else {
            return (Weight::Adds, Some("the rules of this agent do not rely on it".to_owned()));
        };
        if let Some(heard) = self.state.words.get(source) {
            if heard.spent {
                return (Weight::Overruled, Some("that question has left the screen".to_owned()));
            }
            if self.expired(heard, trust) {
                let why = match trust.repeats_ms.filter(|_| says == Says::Working) {
                    Some(ms) => format!("it would have been said again within {} s", ms.div_ceil(1000)),
                    None => "older than this source stays true".to_owned(),
                };
                return (Weight::Expired, Some(why));
            }
        }
        if fits { (Weight::Agrees, None) } else { (Weight::Overruled, Some(self.why_overruled(class))) }
    }

    fn why_overruled(&self, class: Class) -> String {
        let why = match (self.shown.rule, class) {
            (Rule::Dialog | Rule::DialogAway, _) => "a question on the screen counts more",
            (Rule::Subagents, Class::Rest) => "subagents still work",
            (_, Class::Ask) => "no question is on the screen, and others say otherwise",
            (Rule::Leader, _) => "a more trusted source says otherwise",
            (Rule::Ambiguous, _) => "it would say the same at an open question",
            (rule, _) => rule.sentence(),
        };
        why.to_owned()
    }

    fn of_tasks(&self) -> Option<Evidence> {
        let agents = self.state.tasks.alive(TaskKind::Agent);
        let newest = agents.max_by_key(|task| task.at)?;
        let count = self.subagents(&self.opinions());
        let decides = self.shown.rule == Rule::Subagents;
        Some(Evidence {
            source: newest.source,
            says: None,
            what: match count {
                0 => "subagents that have ended unseen".to_owned(),
                1 => "1 subagent works".to_owned(),
                n => format!("{n} subagents work"),
            },
            age_ms: self.moment.now.saturating_sub(newest.at),
            weight: if decides { Weight::Decided } else { Weight::Adds },
            why: None,
        })
    }
}
