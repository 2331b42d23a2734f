//! What was said against what was true.

use std::collections::BTreeMap;

use belfry_protocol::Status;

use super::{AskSeen, Labels, Said, Timeline, TrueStatus, Truth};

/// What follows a change this late is late and no more, in milliseconds; later it is another status, wrongly.
const LAG: u64 = 500;

/// What follows a change this late is in time, in milliseconds: delays are counted by themselves.
const IN_TIME: u64 = 150;

/// Shorter than this nothing has been said, in milliseconds: random pieces are that late.
const MOMENT: u64 = 20;

/// After a stretch that is not counted, what it left behind is not counted either, for so long. Milliseconds.
const AFTER_UNSCORED: u64 = 300;

/// Something that was said wrongly, for some time.
#[derive(Clone, Debug)]
pub struct Slip {
    /// Where: the recording's name.
    pub case: String,
    /// From when, in milliseconds.
    pub from: u64,
    /// To when, in milliseconds.
    pub to: u64,
    /// What was true.
    pub truth: TrueStatus,
    /// What was said, and why.
    pub said: Said,
}

/// How good it was.
#[derive(Clone, Debug, Default)]
pub struct Score {
    /// Recordings.
    pub cases: usize,
    /// Time that counts, in milliseconds.
    pub scored: u64,
    /// Of that, when the status was right.
    pub right: u64,
    /// Of that, when it was still what had been right up to 150 ms before.
    pub following: u64,
    /// Time by what was true and what was said, in milliseconds.
    pub matrix: BTreeMap<(String, String), u64>,
    /// Changes that should have been seen.
    pub delays: Vec<u64>,
    /// Questions that were never shown as such, or a second late and more.
    pub missed_waiting: Vec<Slip>,
    /// `waiting` where nothing was asked.
    pub false_waiting: Vec<Slip>,
    /// `idle` where it was not.
    pub false_idle: Vec<Slip>,
    /// All that was wrong.
    pub slips: Vec<Slip>,
    /// Questions that were looked at.
    pub asks: usize,
    /// Of these, what was read wrongly: the recording, when, and what.
    pub misread: Vec<(String, u64, Vec<String>)>,
}

impl Score {
    /// Counts a replay.
    pub fn add(&mut self, case: &str, labels: &Labels, timeline: &Timeline, asks: &[AskSeen]) {
        self.cases += 1;
        self.asks += asks.len();
        for ask in asks {
            let faults = ask.faults();
            if !faults.is_empty() {
                self.misread.push((case.to_owned(), ask.at, faults));
            }
        }
        for (index, truth) in labels.truth.iter().enumerate() {
            let before = index.checked_sub(1).map(|before| &labels.truth[before]);
            let end = labels.truth.get(index + 1).map_or_else(|| labels.ends(), Truth::unclear_from);
            if truth.status == TrueStatus::Unscored {
                continue;
            }
            let stretch = Stretch { case, truth, before, end };
            self.stretch(&stretch, timeline);
        }
    }

    /// Joins another score to this one.
    pub fn merge(&mut self, other: Self) {
        self.cases += other.cases;
        self.scored += other.scored;
        self.right += other.right;
        self.following += other.following;
        for (key, time) in other.matrix {
            *self.matrix.entry(key).or_default() += time;
        }
        self.delays.extend(other.delays);
        self.missed_waiting.extend(other.missed_waiting);
        self.false_waiting.extend(other.false_waiting);
        self.false_idle.extend(other.false_idle);
        self.slips.extend(other.slips);
        self.asks += other.asks;
        self.misread.extend(other.misread);
    }

    /// The share of the time in which the status was right, in percent. Recordings are much denser than days: with a
    /// change every four seconds, 80 ms late each are 2 %.
    pub fn share_right(&self) -> f64 {
        self.share(self.right)
    }

    /// The same, where it may follow a change within 150 ms.
    pub fn share_in_time(&self) -> f64 {
        self.share(self.right + self.following)
    }

    fn share(&self, time: u64) -> f64 {
        if self.scored == 0 { 100.0 } else { 100.0 * time as f64 / self.scored as f64 }
    }

    fn stretch(&mut self, stretch: &Stretch<'_>, timeline: &Timeline) {
        let Stretch { case, truth, before, end } = *stretch;
        let after_gap = before.is_some_and(|before| before.status == TrueStatus::Unscored);
        let from = if after_gap { truth.from() + AFTER_UNSCORED } else { truth.from() };
        let before = before.filter(|_| !after_gap);
        // Both are right.
        if let Some(before) = before {
            let either = |status| truth.accepts(status) || before.accepts(status);
            self.count(stretch, timeline.within(truth.unclear_from(), truth.from()), &either);
        }
        self.count(stretch, timeline.within(from, end), &|status| truth.accepts(status));
        let Some(before) =
            before.filter(|before| !truth.or.contains(&before.status) && before.status != truth.status)
        else {
            return;
        };
        let reached = timeline
            .within(truth.unclear_from(), end)
            .find(|(_, _, said)| truth.accepts(said.status))
            .map(|(at, ..)| at.saturating_sub(truth.from()));
        self.delays.push(reached.unwrap_or(end.saturating_sub(truth.from())));
        let missed = reached.is_none_or(|late| late > 1000);
        if truth.status == TrueStatus::Waiting && truth.or.is_empty() && missed {
            let said = timeline.within(truth.from(), end).next().map(|(.., said)| said.clone());
            let said = said.unwrap_or_else(|| Said { from, status: Status::Unknown, why: String::new() });
            let slip =
                Slip { case: case.to_owned(), from: truth.from(), to: end, truth: before.status, said };
            self.missed_waiting.push(slip);
        }
    }

    fn count<'t>(
        &mut self,
        stretch: &Stretch<'_>,
        pieces: impl Iterator<Item = (u64, u64, &'t Said)>,
        right: &dyn Fn(Status) -> bool,
    ) {
        let truth = stretch.truth;
        for (from, to, said) in pieces {
            let time = to - from;
            self.scored += time;
            let fits = right(said.status);
            let shown = if fits { word(truth.status) } else { format!("{:?}", said.status).to_lowercase() };
            *self.matrix.entry((word(truth.status), shown)).or_default() += time;
            if fits {
                self.right += time;
                continue;
            }
            let slip =
                Slip { case: stretch.case.to_owned(), from, to, truth: truth.status, said: said.clone() };
            // What was true until now, still said.
            let lags =
                from <= truth.from() && stretch.before.is_some_and(|before| before.accepts(said.status));
            if lags {
                self.following += to.min(truth.from() + IN_TIME).saturating_sub(from);
            }
            if time > MOMENT && (!lags || time > LAG) {
                match said.status {
                    Status::Waiting => self.false_waiting.push(slip.clone()),
                    Status::Idle => self.false_idle.push(slip.clone()),
                    _ => {}
                }
            }
            self.slips.push(slip);
        }
    }
}

/// What was true for some time.
struct Stretch<'a> {
    case: &'a str,
    truth: &'a Truth,
    before: Option<&'a Truth>,
    /// When what follows may be said.
    end: u64,
}

fn word(status: TrueStatus) -> String {
    format!("{status:?}").to_lowercase()
}

/// The value below which so much of a hundred lies; nothing where there is none.
pub fn percentile(values: &[u64], of_hundred: usize) -> Option<u64> {
    let mut sorted = values.to_vec();
    sorted.sort_unstable();
    let at = (sorted.len() * of_hundred).div_ceil(100).max(1) - 1;
    sorted.get(at).copied()
}

#[cfg(test)]
mod tests {
    use belfry_protocol::Status;

    use super::super::{Labels, Said, Timeline};
    use super::{Score, percentile};

    const LABELS: &str = r#"
agent = "claude"
version = "2"
size = "80x24"
theme = "dark"
done = "Something."
ends_s = 10.0
[[truth]]
from_s = 0.0
status = "idle"
[[truth]]
from_s = 2.0
unclear_from_s = 1.5
status = "running"
[[truth]]
from_s = 5.0
status = "waiting"
"#;

    fn score(said: &[(u64, Status)]) -> Score {
        let labels: Labels = toml::from_str(LABELS).expect("labels");
        let said = said.iter().map(|&(from, status)| Said { from, status, why: String::new() });
        let mut score = Score::default();
        score.add("case", &labels, &Timeline(said.collect()), &[]);
        score
    }

    #[test]
    fn both_are_right_while_it_is_unclear_and_delays_count_from_there() {
        let score = score(&[(0, Status::Idle), (1800, Status::Running), (5100, Status::Waiting)]);
        assert_eq!((score.scored, score.right), (10_000, 9_900));
        assert_eq!(score.delays, [0, 100]);
        assert!(
            score.missed_waiting.is_empty() && score.false_waiting.is_empty() && score.false_idle.is_empty()
        );
    }

    #[test]
    fn what_is_wrong_has_a_name() {
        let score = score(&[
            (0, Status::Idle),
            (2100, Status::Running),
            (3000, Status::Waiting),
            (3100, Status::Running),
        ]);
        assert_eq!(score.missed_waiting.len(), 1);
        assert_eq!(score.false_waiting.len(), 1);
        assert_eq!(score.delays, [100, 5000]);
        let early = self::score(&[
            (0, Status::Idle),
            (2700, Status::Running),
            (4000, Status::Idle),
            (5000, Status::Waiting),
        ]);
        assert_eq!(early.false_idle.len(), 2, "a late one and a wrong one");
    }

    #[test]
    fn percentiles() {
        let values: Vec<u64> = (1..=100).collect();
        assert_eq!(percentile(&values, 95), Some(95));
        assert_eq!(percentile(&values[..1], 95), Some(1));
        assert_eq!(percentile(&[], 95), None);
    }
}
