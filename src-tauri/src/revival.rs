//! When a page whose process has ended is loaded again.

use std::time::{Duration, Instant};

/// A page that lived this long did not die of itself.
const SOUND: Duration = Duration::from_secs(10);
/// So often in a row it is brought back at once: a person who is typing goes on typing.
const AT_ONCE: u32 = 3;
/// Then it is waited for, twice as long each time, so that a page that dies of itself keeps no machine busy.
const FIRST_WAIT: Duration = Duration::from_secs(1);
/// And no longer than this: what made it die, say a machine out of memory, may be over.
const LONGEST_WAIT: Duration = Duration::from_mins(1);

/// The page's lives so far.
#[derive(Debug, Default)]
pub(crate) struct Revival {
    /// When the last one began, if it was not the first.
    begun: Option<Instant>,
    /// How many in a row were short.
    in_a_row: u32,
}

impl Revival {
    /// The page's process has ended: how long to wait before it is loaded again.
    pub(crate) fn ended(&mut self, now: Instant) -> Duration {
        if self.begun.is_some_and(|begun| now.saturating_duration_since(begun) >= SOUND) {
            self.in_a_row = 0;
        }
        let wait = match self.in_a_row.checked_sub(AT_ONCE) {
            None => Duration::ZERO,
            Some(more) => {
                FIRST_WAIT.saturating_mul(1u32.checked_shl(more).unwrap_or(u32::MAX)).min(LONGEST_WAIT)
            }
        };
        self.in_a_row = self.in_a_row.saturating_add(1);
        self.begun = Some(now + wait);
        wait
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_that_is_killed_comes_back_at_once() {
        let (mut revival, mut now) = (Revival::default(), Instant::now());
        for _ in 0..50 {
            assert_eq!(revival.ended(now), Duration::ZERO);
            now += SOUND;
        }
    }

    #[test]
    fn one_that_dies_of_itself_is_tried_ever_less_often_and_never_given_up() {
        let (mut revival, mut now) = (Revival::default(), Instant::now());
        let mut waits = Vec::new();
        for _ in 0..100 {
            let wait = revival.ended(now);
            now += wait + Duration::from_millis(300);
            waits.push(wait.as_secs());
        }
        assert_eq!(waits[..10], [0, 0, 0, 1, 2, 4, 8, 16, 32, 60]);
        assert!(waits[10..].iter().all(|wait| *wait == 60));
        assert_eq!(revival.ended(now + SOUND), Duration::ZERO, "it lived");
    }
}
