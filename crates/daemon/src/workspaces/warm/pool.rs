//! What is made ahead, by repository: which one is being made, which is ready, and who waits. No clock and no disk of its own.

use std::collections::HashMap;
use std::hash::Hash;

/// Most that are ready or being made at once, of all repositories together.
pub(super) const MOST: usize = 4;
/// From a failure to the next try, in milliseconds; doubled by each failure that follows, up to [`LONGEST`].
const AGAIN: u64 = 60_000;
/// See [`AGAIN`].
const LONGEST: u64 = 3_600_000;

/// What is made ahead of one repository. `T` is a workspace, `W` somebody who waits for one.
#[derive(Debug)]
enum Slot<T, W> {
    /// It is being made.
    Making {
        /// Who is to have it.
        waiter: Option<W>,
        /// What it was to be has changed meanwhile.
        unwanted: bool,
    },
    /// It can be taken.
    Ready { it: T, since: u64 },
}

/// All of them.
#[derive(Debug)]
pub(super) struct Pool<K, T, W> {
    slots: HashMap<K, Slot<T, W>>,
    failures: HashMap<K, (u64, u32)>,
}

/// What became of a claim.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Claim<T, W> {
    /// Here it is.
    Taken(T),
    /// One is being made, and whoever claimed it gets it.
    Waits,
    /// There is none for this one: it has to be made for itself.
    None(W),
}

/// What becomes of one that was just made.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Made<T, W> {
    /// It waits to be taken.
    Kept,
    /// Somebody waits for it.
    For(W, T),
    /// Nobody wants it any more: it is to be thrown away.
    Unwanted(T),
}

impl<K, T, W> Default for Pool<K, T, W> {
    fn default() -> Self {
        Self { slots: HashMap::new(), failures: HashMap::new() }
    }
}

impl<K: Clone + Eq + Hash, T, W> Pool<K, T, W> {
    /// Begins to make one, where there is none and a failure is not fresh. False: not now.
    pub(super) fn begin(&mut self, key: &K, now: u64) -> bool {
        let fresh = |(at, times): &(u64, u32)| {
            let pause = AGAIN.saturating_mul(1 << (times - 1).min(6)).min(LONGEST);
            now < at + pause
        };
        if self.slots.contains_key(key)
            || self.slots.len() >= MOST
            || self.failures.get(key).is_some_and(fresh)
        {
            return false;
        }
        self.slots.insert(key.clone(), Slot::Making { waiter: None, unwanted: false });
        true
    }

    /// One was made.
    pub(super) fn made(&mut self, key: &K, it: T, now: u64) -> Made<T, W> {
        self.failures.remove(key);
        match self.slots.remove(key) {
            Some(Slot::Making { waiter: Some(waiter), .. }) => Made::For(waiter, it),
            Some(Slot::Making { unwanted: false, .. }) => {
                self.slots.insert(key.clone(), Slot::Ready { it, since: now });
                Made::Kept
            }
            Some(ready @ Slot::Ready { .. }) => {
                self.slots.insert(key.clone(), ready);
                Made::Unwanted(it)
            }
            Some(Slot::Making { .. }) | None => Made::Unwanted(it),
        }
    }

    /// It could not be made. Gives who waited.
    pub(super) fn failed(&mut self, key: &K, now: u64) -> Option<W> {
        let times = self.failures.get(key).map_or(0, |(_, times)| *times);
        self.failures.insert(key.clone(), (now, times.saturating_add(1)));
        match self.slots.remove(key) {
            Some(Slot::Making { waiter, .. }) => waiter,
            Some(ready) => {
                self.slots.insert(key.clone(), ready);
                None
            }
            None => None,
        }
    }

    /// Takes the one that is ready, where it fits; else waits for the one that is being made, where nobody does yet. Others
    /// are better served by one of their own, made beside: it is there sooner than the second in a row.
    pub(super) fn claim(&mut self, key: &K, waiter: W, fits: impl FnOnce(&T) -> bool) -> Claim<T, W> {
        match self.slots.remove(key) {
            Some(Slot::Ready { it, .. }) if fits(&it) => Claim::Taken(it),
            Some(Slot::Making { waiter: None, unwanted: false }) => {
                self.slots.insert(key.clone(), Slot::Making { waiter: Some(waiter), unwanted: false });
                Claim::Waits
            }
            Some(other) => {
                self.slots.insert(key.clone(), other);
                Claim::None(waiter)
            }
            None => Claim::None(waiter),
        }
    }

    /// One that was taken comes back. Gives it back where there is another by now.
    pub(super) fn give_back(&mut self, key: &K, it: T, now: u64) -> Option<T> {
        if self.slots.contains_key(key) || self.slots.len() >= MOST {
            return Some(it);
        }
        self.slots.insert(key.clone(), Slot::Ready { it, since: now });
        None
    }

    /// What it was to be has changed, or none is wanted any more: gives the one that is to be thrown away now. One that is
    /// being made for somebody is made to its end.
    pub(super) fn unwanted(&mut self, key: &K) -> Option<T> {
        self.failures.remove(key);
        match self.slots.remove(key)? {
            Slot::Ready { it, .. } => Some(it),
            Slot::Making { waiter, .. } => {
                let unwanted = waiter.is_none();
                self.slots.insert(key.clone(), Slot::Making { waiter, unwanted });
                None
            }
        }
    }

    /// The one that has waited longest, where there is no place for one more.
    pub(super) fn oldest_if_full(&self) -> Option<K> {
        if self.slots.len() < MOST {
            return None;
        }
        let ready = self.slots.iter().filter_map(|(key, slot)| match slot {
            Slot::Ready { since, .. } => Some((since, key)),
            Slot::Making { .. } => None,
        });
        ready.min_by_key(|(since, _)| **since).map(|(_, key)| key.clone())
    }

    /// The one that is ready.
    pub(super) fn ready(&self, key: &K) -> Option<&T> {
        match self.slots.get(key) {
            Some(Slot::Ready { it, .. }) => Some(it),
            _ => None,
        }
    }

    /// What failed may be tried again at once.
    pub(super) fn forgive(&mut self) {
        self.failures.clear();
    }

    /// Repositories that have one or are getting it.
    pub(super) fn keys(&self) -> Vec<K> {
        self.slots.keys().cloned().collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    type Small = Pool<&'static str, u32, char>;

    fn any<T>(_: &T) -> bool {
        true
    }

    #[test]
    fn one_is_made_at_a_time_and_taken_once() {
        let mut pool = Small::default();
        assert_eq!(pool.claim(&"a", 'x', any), Claim::None('x'));
        assert!(pool.begin(&"a", 0));
        assert!(!pool.begin(&"a", 0), "one is being made");
        assert_eq!(pool.ready(&"a"), None);
        assert_eq!(pool.made(&"a", 1, 5), Made::Kept);
        assert!(!pool.begin(&"a", 6), "one is ready");
        assert_eq!(pool.claim(&"a", 'x', |one| *one == 2), Claim::None('x'), "it is another one");
        assert_eq!(pool.claim(&"a", 'x', any), Claim::Taken(1));
        assert_eq!(pool.claim(&"a", 'y', any), Claim::None('y'));
        assert!(pool.begin(&"a", 7));
    }

    #[test]
    fn ten_quick_claims_get_ten_and_one_is_made_ahead_at_a_time() {
        let mut pool = Small::default();
        assert!(pool.begin(&"a", 0));
        pool.made(&"a", 1, 0);
        let (mut taken, mut waits, mut own) = (0, 0, 0);
        for claim in '0'..='9' {
            match pool.claim(&"a", claim, any) {
                Claim::Taken(_) => taken += 1,
                Claim::Waits => waits += 1,
                Claim::None(_) => own += 1,
            }
            // The next is begun after each; it is one all the same.
            pool.begin(&"a", 1);
        }
        assert_eq!((taken, waits, own), (1, 1, 8));
        assert_eq!(pool.made(&"a", 2, 2), Made::For('1', 2));
        assert!(pool.begin(&"a", 3));
        assert_eq!(pool.made(&"a", 3, 4), Made::Kept);
    }

    #[test]
    fn who_waits_learns_of_a_failure_and_the_next_try_comes_later_each_time() {
        let mut pool = Small::default();
        assert!(pool.begin(&"a", 0));
        assert_eq!(pool.claim(&"a", 'w', any), Claim::Waits);
        assert_eq!(pool.failed(&"a", 1000), Some('w'));
        assert!(!pool.begin(&"a", 1000 + AGAIN - 1));
        assert!(pool.begin(&"a", 1000 + AGAIN));
        assert_eq!(pool.failed(&"a", 100_000), None);
        assert!(!pool.begin(&"a", 100_000 + AGAIN));
        assert!(pool.begin(&"a", 100_000 + 2 * AGAIN));
        assert_eq!(pool.made(&"a", 1, 0), Made::Kept);
        pool.claim(&"a", 'w', any);
        for _ in 0..80 {
            pool.slots.insert("a", Slot::Making { waiter: None, unwanted: false });
            pool.failed(&"a", 0);
        }
        assert!(!pool.begin(&"a", LONGEST - 1) && pool.begin(&"a", LONGEST));
        // The person has changed something: that is a reason to try at once.
        pool.failed(&"a", 0);
        pool.unwanted(&"a");
        assert!(pool.begin(&"a", 1));
    }

    #[test]
    fn what_is_not_wanted_any_more_is_thrown_away_but_for_whoever_waits() {
        let mut pool = Small::default();
        pool.begin(&"a", 0);
        assert_eq!(pool.unwanted(&"a"), None);
        assert_eq!(pool.claim(&"a", 'w', any), Claim::None('w'), "it is the wrong one");
        assert_eq!(pool.made(&"a", 1, 0), Made::Unwanted(1));
        pool.begin(&"a", 0);
        assert_eq!(pool.claim(&"a", 'w', any), Claim::Waits);
        pool.unwanted(&"a");
        assert_eq!(pool.made(&"a", 2, 0), Made::For('w', 2));
        pool.begin(&"a", 0);
        pool.made(&"a", 3, 0);
        assert_eq!(pool.unwanted(&"a"), Some(3));
        assert_eq!(pool.made(&"a", 4, 0), Made::Unwanted(4), "nobody has begun it");
    }

    #[test]
    fn one_that_comes_back_is_ready_again_unless_there_is_another() {
        let mut pool = Small::default();
        pool.begin(&"a", 0);
        pool.made(&"a", 1, 0);
        pool.claim(&"a", 'w', any);
        assert_eq!(pool.give_back(&"a", 1, 1), None);
        assert_eq!(pool.give_back(&"a", 2, 1), Some(2));
        assert_eq!(pool.claim(&"a", 'w', any), Claim::Taken(1));
        pool.begin(&"a", 2);
        assert_eq!(pool.give_back(&"a", 1, 3), Some(1));
        assert_eq!(pool.made(&"a", 5, 4), Made::Kept);
    }

    #[test]
    fn there_are_never_more_than_the_limit() {
        let mut pool = Small::default();
        let keys = ["a", "b", "c", "d", "e"];
        for (at, key) in (0..).zip(&keys[..MOST]) {
            assert!(pool.begin(key, 0));
            pool.made(key, 0, 10 - at);
        }
        assert!(!pool.begin(&"e", 0));
        assert_eq!(pool.oldest_if_full(), Some("d"));
        assert_eq!(pool.unwanted(&"d"), Some(0));
        assert_eq!(pool.oldest_if_full(), None);
        assert!(pool.begin(&"e", 0));
        assert_eq!(pool.give_back(&"d", 0, 0), Some(0));
        assert_eq!(pool.keys().len(), MOST);
    }
}
