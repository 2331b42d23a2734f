//! Which sessions are put to sleep, and when to look again. Pure.

use belfry_protocol::SessionId;
use belfry_protocol::settings::Hibernate;

/// The least time that a session is idle before it makes room for others, in milliseconds: a turn that just ended is often
/// followed by another.
const LEAST: u64 = 10_000;

/// A session that could be put to sleep.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Tired {
    pub(super) id: SessionId,
    /// For how long it has been idle, with nobody looking, in milliseconds.
    pub(super) idle_ms: u64,
    /// What it takes, in bytes, where that was measured.
    pub(super) memory: u64,
}

/// What to do.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Decision {
    /// These are put to sleep.
    pub(super) sleep: Vec<SessionId>,
    /// In so many milliseconds something may be due, if nothing changes.
    pub(super) again_in: Option<u64>,
    /// How much memory they take would have to be known.
    pub(super) measure: bool,
}

/// Decides, of so many sessions that live. `memory` is what all of them take, in bytes, where that was measured.
pub(super) fn decide(
    mut tired: Vec<Tired>,
    live: usize,
    memory: Option<u64>,
    limits: &Hibernate,
) -> Decision {
    let mut decision = Decision::default();
    // The longest idle first; of those that are equally long, the older.
    tired.sort_by_key(|one| (std::cmp::Reverse(one.idle_ms), one.id));
    let again = |decision: &mut Decision, ms: u64| {
        decision.again_in = Some(decision.again_in.map_or(ms, |known| known.min(ms)));
    };
    let after = u64::from(limits.after_minutes) * 60_000;
    if after > 0 {
        let due = tired.partition_point(|one| one.idle_ms >= after);
        decision.sleep.extend(tired.drain(..due).map(|one| one.id));
        if let Some(next) = tired.first() {
            again(&mut decision, after - next.idle_ms);
        }
    }
    let most = limits.above_sessions as usize;
    if most > 0 {
        let mut over = live.saturating_sub(decision.sleep.len()).saturating_sub(most);
        while over > 0 && !tired.is_empty() {
            if tired[0].idle_ms < LEAST {
                again(&mut decision, LEAST - tired[0].idle_ms);
                break;
            }
            decision.sleep.push(tired.remove(0).id);
            over -= 1;
        }
    }
    let most = u64::from(limits.above_memory_mb) << 20;
    if most > 0 && !tired.is_empty() {
        if tired[0].idle_ms < LEAST {
            again(&mut decision, LEAST - tired[0].idle_ms);
        } else if let Some(memory) = memory {
            // What was chosen above has not ended yet: what it takes is seen at the next look.
            let mut memory = if decision.sleep.is_empty() { memory } else { 0 };
            while memory > most && tired.first().is_some_and(|one| one.idle_ms >= LEAST) {
                let one = tired.remove(0);
                memory = memory.saturating_sub(one.memory);
                decision.sleep.push(one.id);
            }
        } else {
            decision.measure = true;
        }
    }
    decision
}

#[cfg(test)]
mod tests {
    use super::*;

    const MB: u64 = 1 << 20;

    fn id(number: u64) -> SessionId {
        format!("00000000-0000-7000-8000-{number:012}").parse().expect("an id")
    }

    fn tired(number: u64, idle_ms: u64) -> Tired {
        Tired { id: id(number), idle_ms, memory: 100 * MB }
    }

    fn limits(after_minutes: u32, above_sessions: u32, above_memory_mb: u32) -> Hibernate {
        Hibernate { after_minutes, above_sessions, above_memory_mb }
    }

    #[test]
    fn without_limits_nothing_sleeps_and_nothing_is_due() {
        let decided = decide(vec![tired(1, u64::MAX)], 100, Some(u64::MAX), &limits(0, 0, 0));
        assert_eq!(decided, Decision::default());
    }

    #[test]
    fn one_that_is_idle_for_long_sleeps_and_the_next_is_waited_for() {
        let all = vec![tired(1, 59_000), tired(2, 60_000), tired(3, 61_000)];
        let decided = decide(all, 3, None, &limits(1, 0, 0));
        assert_eq!(decided.sleep, [id(3), id(2)]);
        assert_eq!((decided.again_in, decided.measure), (Some(1000), false));
    }

    #[test]
    fn those_above_the_number_make_room_the_longest_idle_first() {
        let all = vec![tired(1, 20_000), tired(2, 90_000), tired(3, 30_000)];
        assert_eq!(decide(all.clone(), 6, None, &limits(0, 4, 0)).sleep, [id(2), id(3)]);
        assert!(decide(all, 4, None, &limits(0, 4, 0)).sleep.is_empty());
        let just = decide(vec![tired(1, 4000)], 5, None, &limits(0, 4, 0));
        assert_eq!((just.sleep.len(), just.again_in), (0, Some(6000)), "its turn is just over");
        assert_eq!(decide(Vec::new(), 9, None, &limits(0, 4, 0)), Decision::default(), "all are busy");
    }

    #[test]
    fn memory_is_measured_only_where_somebody_could_make_room() {
        let limits = limits(0, 0, 250);
        assert!(decide(vec![tired(1, 20_000)], 3, None, &limits).measure);
        assert!(!decide(Vec::new(), 3, None, &limits).measure);
        let all = vec![tired(1, 20_000), tired(2, 90_000), tired(3, 30_000)];
        assert_eq!(decide(all.clone(), 3, Some(420 * MB), &limits).sleep, [id(2), id(3)]);
        assert!(decide(all, 3, Some(250 * MB), &limits).sleep.is_empty());
    }
}
