//! What the tray shows, worked out from the sessions. Pure, so that it is only touched when it differs.

use belfry_protocol::{SessionId, Status};

use crate::live::{Counts, Model, Need, words};

/// Entries of who needs the person. More would make the menu higher than some screens.
const MOST: usize = 10;

/// Letters of an entry.
const LONGEST: usize = 70;

/// The worst that any session is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Mood {
    /// One asks something.
    Waiting,
    /// One cannot go on.
    Blocked,
    /// One works.
    Running,
    /// Nothing goes on.
    Idle,
    /// The daemon does not answer.
    Away,
}

/// All that the tray shows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Look {
    /// The icon.
    pub(crate) mood: Mood,
    /// Counts in words.
    pub(crate) counts: String,
    /// Who needs the person, oldest first.
    pub(crate) needs: Vec<Entry>,
    /// How many more there are.
    pub(crate) more: usize,
    /// Nothing is to disturb.
    pub(crate) do_not_disturb: bool,
}

/// One session in the menu.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Entry {
    /// Which.
    pub(crate) session: SessionId,
    /// Its name and what it wants.
    pub(crate) label: String,
}

impl Look {
    /// What these sessions look like; none where the daemon is not reached.
    pub(crate) fn of(model: Option<&Model>, do_not_disturb: bool) -> Self {
        let Some(model) = model else {
            let counts = "The daemon does not answer".to_owned();
            return Self { mood: Mood::Away, counts, needs: Vec::new(), more: 0, do_not_disturb };
        };
        let counts = model.counts();
        let needs = model.needs();
        Self {
            mood: mood(counts),
            counts: sentence(counts),
            more: needs.len().saturating_sub(MOST),
            needs: needs.iter().take(MOST).map(entry).collect(),
            do_not_disturb,
        }
    }
}

fn mood(counts: Counts) -> Mood {
    match counts {
        Counts { waiting: 1.., .. } => Mood::Waiting,
        Counts { blocked: 1.., .. } => Mood::Blocked,
        Counts { running: 1.., .. } => Mood::Running,
        _ => Mood::Idle,
    }
}

fn sentence(counts: Counts) -> String {
    let Counts { waiting, blocked, running, done, idle } = counts;
    let parts =
        [(waiting, "waiting"), (blocked, "blocked"), (running, "running"), (done, "done"), (idle, "idle")];
    let words: Vec<_> =
        parts.iter().filter(|(count, _)| *count > 0).map(|(count, word)| format!("{count} {word}")).collect();
    if words.is_empty() { "Nothing is going on".to_owned() } else { words.join(" · ") }
}

fn entry(need: &Need) -> Entry {
    let why = need.why.as_deref().unwrap_or(match need.status {
        Status::Blocked => "cannot go on",
        _ => "asks something",
    });
    Entry { session: need.session, label: words::cut(&format!("{}: {why}", need.name), LONGEST) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::live::session;

    fn look(sessions: &[belfry_protocol::Session]) -> Look {
        let mut model = Model::default();
        model.reset(sessions);
        Look::of(Some(&model), false)
    }

    #[test]
    fn the_worst_one_decides() {
        let one = |number, status| session(number, "s", status, 1);
        let all = [one(1, "idle"), one(2, "running"), one(3, "blocked"), one(4, "waiting")];
        let moods: Vec<_> = (0..=4).map(|known| look(&all[..known]).mood).collect();
        assert_eq!(moods, [Mood::Idle, Mood::Idle, Mood::Running, Mood::Blocked, Mood::Waiting]);
        assert_eq!(look(&all).counts, "1 waiting · 1 blocked · 1 running · 1 idle");
        assert_eq!(look(&[]).counts, "Nothing is going on");
        assert_eq!(Look::of(None, true).mood, Mood::Away);
    }

    #[test]
    fn the_menu_stays_short() {
        let many: Vec<_> =
            (0..25).map(|n| session(n, &"n".repeat(300), "waiting", n.cast_signed())).collect();
        let look = look(&many);
        assert_eq!((look.needs.len(), look.more), (MOST, 15));
        assert!(look.needs.iter().all(|entry| entry.label.chars().count() <= LONGEST));
        assert_eq!(look.needs[0].session, many[0].id, "the oldest first");
    }

    #[test]
    fn an_entry_says_what_is_wanted() {
        let mut stuck = session(1, "Upgrade", "blocked", 1);
        stuck.reason = Some("usage limit".to_owned());
        assert_eq!(look(&[stuck]).needs[0].label, "Upgrade: usage limit");
        assert_eq!(look(&[session(1, "One", "waiting", 1)]).needs[0].label, "One: asks something");
    }
}
