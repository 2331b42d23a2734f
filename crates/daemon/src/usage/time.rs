//! From changes of status to time at work and time waiting.

use std::collections::BTreeMap;
use std::ops::AddAssign;

use belfry_protocol::explain::StatusChange;
use belfry_protocol::{Session, Status};
use jiff::Timestamp;
use jiff::civil::Date;
use jiff::tz::TimeZone;

/// Time that was spent, in milliseconds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Spent {
    pub(super) working_ms: u64,
    pub(super) waiting_ms: u64,
}

impl AddAssign for Spent {
    fn add_assign(&mut self, more: Self) {
        self.working_ms += more.working_ms;
        self.waiting_ms += more.waiting_ms;
    }
}

/// A stretch of one status.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Span {
    waiting: bool,
    from: Timestamp,
    to: Timestamp,
}

/// The stretches in which a session worked or waited, from its changes, oldest first. What is before the first of them is not
/// known. One whose run ended while no daemon ran ends with the run.
pub(super) fn spans(session: &Session, changes: &[StatusChange], now: Timestamp) -> Vec<Span> {
    let mut spans = Vec::new();
    for (at, change) in changes.iter().enumerate() {
        let waiting = match change.to {
            Status::Running => false,
            Status::Waiting => true,
            _ => continue,
        };
        let next = changes.get(at + 1).map(|next| next.at);
        let lasts = session.alive() && session.status == change.to;
        // Without a next one and otherwise by now: a daemon ended before it could note it.
        let Some(mut to) = next.or_else(|| lasts.then_some(now)) else { continue };
        let ends = session.runs.iter().filter_map(|run| run.ended_at).filter(|end| *end > change.at);
        to = ends.min().map_or(to, |end| to.min(end));
        if to > change.at {
            spans.push(Span { waiting, from: change.at, to });
        }
    }
    spans
}

/// What of them lies between two moments.
pub(super) fn spent(spans: &[Span], since: Timestamp, before: Timestamp) -> Spent {
    let mut spent = Spent::default();
    for span in spans {
        let (from, to) = (span.from.max(since), span.to.min(before));
        let ms = u64::try_from(to.duration_since(from).as_millis()).unwrap_or(0);
        if span.waiting {
            spent.waiting_ms += ms;
        } else {
            spent.working_ms += ms;
        }
    }
    spent
}

/// The same for each day, as days begin there.
pub(super) fn days(
    spans: &[Span],
    since: Timestamp,
    before: Timestamp,
    zone: &TimeZone,
) -> BTreeMap<Date, Spent> {
    let mut days: BTreeMap<Date, Spent> = BTreeMap::new();
    for span in spans {
        let mut at = span.from.max(since);
        let end = span.to.min(before);
        while at < end {
            let day = at.to_zoned_datetime(zone.clone()).date();
            let next = day.tomorrow().ok().and_then(|next| next.to_zoned_datetime(zone.clone()).ok());
            let next = next.map_or(end, |next| next.timestamp()).max(at);
            let to = if next > at { next.min(end) } else { end };
            *days.entry(day).or_default() += spent(&[*span], at, to);
            at = to;
        }
    }
    days
}

#[cfg(test)]
mod tests {
    use belfry_protocol::session::Run;
    use belfry_protocol::{RunId, SessionId};

    use super::*;

    fn at(seconds: i64) -> Timestamp {
        Timestamp::from_second(seconds).expect("a time")
    }

    fn change(seconds: i64, to: Status) -> StatusChange {
        let (source, what) = ("hook".to_owned(), String::new());
        StatusChange { at: at(seconds), from: Status::Unknown, to, reason: None, source, what }
    }

    fn session(status: Status, ended: Option<i64>) -> Session {
        let text = || "x".to_owned();
        let mut session = crate::session::fresh(SessionId::at(1), text(), text(), text(), at(0));
        session.status = status;
        session.runs = vec![Run {
            id: RunId::at(1),
            started_at: at(0),
            ended_at: ended.map(at),
            exit: None,
            pid: None,
            keeper_pid: None,
        }];
        session
    }

    #[test]
    fn work_and_waiting_are_told_apart_and_cut_where_they_were_asked_for() {
        let changes = [
            change(10, Status::Running),
            change(30, Status::Waiting),
            change(35, Status::Running),
            change(40, Status::Idle),
        ];
        let spans = spans(&session(Status::Idle, None), &changes, at(1000));
        let all = spent(&spans, at(0), at(1000));
        assert_eq!((all.working_ms, all.waiting_ms), (25_000, 5000));
        let part = spent(&spans, at(20), at(32));
        assert_eq!((part.working_ms, part.waiting_ms), (10_000, 2000));
    }

    #[test]
    fn what_goes_on_lasts_until_now_and_what_nobody_saw_end_counts_for_nothing() {
        let changes = [change(10, Status::Running)];
        let working =
            |session: &Session| spent(&spans(session, &changes, at(100)), at(0), at(1000)).working_ms;
        assert_eq!(working(&session(Status::Running, None)), 90_000);
        assert_eq!(working(&session(Status::Dead, None)), 0);
        let found_dead = [change(10, Status::Running), change(90_000, Status::Dead)];
        let spans = spans(&session(Status::Dead, Some(20)), &found_dead, at(100_000));
        assert_eq!(spent(&spans, at(0), at(100_000)).working_ms, 10_000, "the machine was off after that");
    }

    #[test]
    fn a_night_s_work_belongs_to_two_days() {
        let midnight = 86_400;
        let changes = [change(midnight - 60, Status::Running), change(midnight + 120, Status::Idle)];
        let spans = spans(&session(Status::Idle, None), &changes, at(midnight * 2));
        let of_days = days(&spans, at(0), at(midnight * 2), &TimeZone::UTC);
        let worked: Vec<u64> = of_days.values().map(|day| day.working_ms).collect();
        assert_eq!(worked, [60_000, 120_000]);
    }
}
