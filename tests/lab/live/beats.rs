//! From what a script did to what was true.

use crate::status_score::{Labels, TrueStatus, Truth};

use super::super::record::truth::Place;
use super::eyes::Change;

/// What held for less than this is no truth, in microseconds: between the answer to a question and the work that it allows
/// some screens show a prompt.
const BLINK: u64 = 100_000;

/// What follows a change this late is in time, in microseconds.
const FOLLOWS: u64 = 150_000;

/// How the agent's bytes show that something has become true.
#[derive(Clone, Copy, Debug)]
pub(super) enum Shown {
    /// The first time that they show it.
    First(Place),
    /// The last time before the next thing happens: then it stays.
    Last(&'static [Place]),
    /// They no longer show this.
    Gone(Place),
    /// It happens at a known moment.
    At(u64),
}

/// Something that the script brought about. Times are in microseconds of the machine's monotonic clock.
#[derive(Clone, Debug)]
pub(super) struct Beat {
    pub(super) status: TrueStatus,
    /// As right as that.
    pub(super) or: Vec<TrueStatus>,
    /// From here on it may be so: a key was pressed, the model was asked or has answered.
    pub(super) after: u64,
    /// So long before it is shown, it may be so at the earliest.
    pub(super) ahead: u64,
    pub(super) shown: Shown,
    /// From here on it is so even if it is never shown.
    pub(super) anyhow: u64,
    pub(super) note: &'static str,
}

/// How long something was shown.
#[derive(Clone, Copy, Debug)]
struct Stretch {
    from: u64,
    to: u64,
    place: Place,
}

/// What was true, by what was done and what was shown.
pub(super) fn truth(beats: &[Beat], changes: &[Change], began: u64, ends: u64) -> Vec<Truth> {
    let stretches = stretches(changes, ends);
    let ms = |at: u64| at.saturating_sub(began) / 1000;
    // For each beat, from when on it may be so, and from when on it is.
    let mut times: Vec<(u64, u64)> = Vec::new();
    let mut last = began;
    for (index, beat) in beats.iter().enumerate() {
        let start = beat.after.max(last);
        let end = beats[index + 1..].iter().map(|later| later.after).find(|after| *after > start);
        let end = end.unwrap_or(ends).max(start);
        let from = shown(beat, &stretches, start, end).clamp(start, end);
        let unclear = start.max(from.saturating_sub(beat.ahead));
        // Where nothing is known of its beginning, the change before may be followed first.
        let follows = index > 0 && beat.after <= last;
        times.push((if follows { unclear.max(from.min(last + FOLLOWS)) } else { unclear }, from));
        last = from;
    }
    let mut truth: Vec<Truth> = Vec::new();
    for (index, beat) in beats.iter().enumerate() {
        let (mut unclear, from) = times[index];
        let mut or = beat.or.clone();
        // While it may be so already, what was true two changes ago may still be said for a moment.
        if let Some(before) = index.checked_sub(2) {
            let until = from.min(times[index - 1].1 + FOLLOWS);
            if unclear < until {
                let all = vec![beats[before].status, beat.status];
                truth.push(Truth::new(
                    ms(unclear),
                    ms(unclear),
                    beats[index - 1].status,
                    all,
                    beats[index - 1].note,
                ));
                unclear = until;
            }
        }
        let next = beats.get(index + 1).zip(times.get(index + 1));
        match next.filter(|(_, (_, next))| next - from < BLINK) {
            Some((next, _)) => {
                // Over before it could be seen: from when on it may have been so, all of it is right.
                or.extend(truth.last().map(|before| before.status));
                or.push(next.status);
                truth.push(Truth::new(ms(unclear), ms(unclear), beat.status, or, beat.note));
            }
            None => truth.push(Truth::new(ms(from), ms(unclear), beat.status, or, beat.note)),
        }
    }
    truth
}

/// Labels around it.
pub(super) fn labels(agent: &str, done: &str, truth: Vec<Truth>, ends_s: f64) -> Labels {
    Labels {
        agent: agent.to_owned(),
        version: String::new(),
        size: "120x40".to_owned(),
        theme: "dark".to_owned(),
        done: done.to_owned(),
        middle: false,
        ends_s,
        truth,
    }
}

fn shown(beat: &Beat, stretches: &[Stretch], start: u64, end: u64) -> u64 {
    let mut within = stretches.iter().filter(|stretch| stretch.to > start && stretch.from < end);
    let found = match beat.shown {
        Shown::At(at) => return at,
        Shown::First(place) => within.find(|stretch| stretch.place == place),
        Shown::Gone(place) => within.find(|stretch| stretch.place != place),
        Shown::Last(places) => {
            let there = |stretch: &&Stretch| places.contains(&stretch.place);
            within.rev().skip_while(|stretch| !there(stretch)).take_while(there).last()
        }
    };
    found.map_or(beat.anyhow, |stretch| stretch.from)
}

/// Without blinks.
fn stretches(changes: &[Change], ends: u64) -> Vec<Stretch> {
    let mut out: Vec<Stretch> = Vec::new();
    let next = changes.iter().skip(1).map(|change| change.at).chain([ends]);
    for (change, to) in changes.iter().zip(next) {
        let blink = to.saturating_sub(change.at) < BLINK;
        match out.last_mut() {
            Some(last) if blink || last.place == change.place => last.to = to,
            _ => out.push(Stretch { from: change.at, to, place: change.place }),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    const MS: u64 = 1000;

    fn change(ms: u64, place: Place) -> Change {
        Change { at: ms * MS, place }
    }

    fn beat(status: TrueStatus, after_ms: u64, shown: Shown) -> Beat {
        let after = after_ms * MS;
        Beat { status, or: Vec::new(), after, ahead: u64::MAX, shown, anyhow: after + MS, note: "" }
    }

    fn told(truth: &[Truth]) -> Vec<(TrueStatus, u64, u64)> {
        truth.iter().map(|truth| (truth.status, truth.unclear_from(), truth.from())).collect()
    }

    const REST: Shown = Shown::Last(&[Place::Prompt]);

    #[test]
    fn a_turn_is_true_from_when_it_is_shown() {
        let beats = [
            beat(TrueStatus::Idle, 0, REST),
            beat(TrueStatus::Running, 1000, Shown::First(Place::Working)),
            beat(TrueStatus::Idle, 3000, REST),
        ];
        let changes = [
            change(0, Place::Starting),
            change(500, Place::Prompt),
            change(1200, Place::Working),
            // A blink, which is nothing.
            change(2000, Place::Prompt),
            change(2040, Place::Working),
            change(3100, Place::Prompt),
        ];
        let truth = truth(&beats, &changes, 0, 5000 * MS);
        assert_eq!(
            told(&truth),
            [(TrueStatus::Idle, 0, 500), (TrueStatus::Running, 1000, 1200), (TrueStatus::Idle, 3000, 3100)]
        );
    }

    #[test]
    fn what_is_never_shown_counts_from_what_the_script_knows() {
        let beats = [
            beat(TrueStatus::Idle, 0, REST),
            Beat { anyhow: 1300 * MS, ..beat(TrueStatus::Running, 1000, Shown::First(Place::Working)) },
            beat(TrueStatus::Idle, 3000, REST),
        ];
        let truth = truth(&beats, &[change(0, Place::Prompt)], 0, 5000 * MS);
        let told = told(&truth);
        assert_eq!(told[1], (TrueStatus::Running, 1000, 1300));
        // It stood there all the time.
        assert_eq!(told[2], (TrueStatus::Idle, 3000, 3000));
    }

    #[test]
    fn rest_is_rest_whatever_it_looks_like() {
        let beats = [
            beat(TrueStatus::Running, 0, Shown::First(Place::Working)),
            beat(TrueStatus::Waiting, 1000, Shown::First(Place::Asking)),
            beat(TrueStatus::Running, 2000, Shown::Gone(Place::Asking)),
            beat(TrueStatus::Blocked, 2000, Shown::Last(&[Place::Prompt, Place::Failed])),
        ];
        let changes = [
            change(0, Place::Working),
            change(1100, Place::Asking),
            change(2100, Place::Working),
            change(2400, Place::Failed),
            change(3000, Place::Prompt),
        ];
        let truth = truth(&beats, &changes, 0, 5000 * MS);
        let from: Vec<_> = truth.iter().map(Truth::from).collect();
        assert_eq!(from, [0, 1100, 2100, 2400]);
    }

    #[test]
    fn a_change_may_be_followed_although_the_next_is_not_far() {
        let beats = [
            beat(TrueStatus::Waiting, 0, Shown::First(Place::Asking)),
            beat(TrueStatus::Running, 1000, Shown::Gone(Place::Asking)),
            // Nothing is known of its beginning but that it was shown.
            beat(TrueStatus::Idle, 0, REST),
        ];
        let changes = [change(0, Place::Asking), change(1010, Place::Working), change(1300, Place::Prompt)];
        let truth = truth(&beats, &changes, 0, 5000 * MS);
        assert_eq!(told(&truth)[1..], [(TrueStatus::Running, 1000, 1010), (TrueStatus::Idle, 1160, 1300)]);
    }

    #[test]
    fn two_changes_in_a_row_may_both_be_followed() {
        let beats = [
            beat(TrueStatus::Idle, 0, REST),
            beat(TrueStatus::Running, 1000, Shown::First(Place::Working)),
            beat(TrueStatus::Waiting, 1050, Shown::First(Place::Asking)),
        ];
        let changes = [change(0, Place::Prompt), change(1010, Place::Working), change(1500, Place::Asking)];
        let truth = truth(&beats, &changes, 0, 5000 * MS);
        let both = (TrueStatus::Running, 1050, 1050);
        assert_eq!(
            told(&truth)[1..],
            [(TrueStatus::Running, 1000, 1010), both, (TrueStatus::Waiting, 1160, 1500)]
        );
        assert_eq!(truth[2].or, [TrueStatus::Idle, TrueStatus::Waiting]);
    }

    #[test]
    fn what_is_over_at_once_may_be_missed() {
        let beats = [
            beat(TrueStatus::Idle, 0, REST),
            Beat { anyhow: 1020 * MS, ..beat(TrueStatus::Running, 1000, Shown::First(Place::Working)) },
            beat(TrueStatus::Blocked, 1050, Shown::Last(&[Place::Failed])),
        ];
        let changes = [change(0, Place::Prompt), change(1060, Place::Failed)];
        let truth = truth(&beats, &changes, 0, 5000 * MS);
        assert_eq!(truth[1].or, [TrueStatus::Idle, TrueStatus::Blocked]);
        assert_eq!(told(&truth).pop(), Some((TrueStatus::Blocked, 1060, 1060)));
    }
}
