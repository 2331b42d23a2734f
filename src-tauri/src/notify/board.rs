//! Which notifications show, as the desktop is to show them. Pure: what the desktop answers is told from outside.

use belfry_protocol::{Notification, NotificationId, NotificationKind, SessionId};

use crate::live::words;

/// Letters of a title and of a body. What is longer is cut by desktops anyway, in ways of their own.
const TITLE: usize = 120;
/// See [`TITLE`].
const BODY: usize = 500;
/// Lines of a body that names many.
const NAMES: usize = 6;

/// One thing on the person's screen: a session's newest notification, or one for many at once.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Slot {
    /// Of that session: a newer one takes the older one's place.
    Session(SessionId),
    /// Of no session: a trial.
    Trial,
    /// Of many sessions at once.
    Many,
}

/// What shows in a slot.
#[derive(Debug)]
struct Shown {
    slot: Slot,
    /// What it stands for, oldest first.
    of: Vec<Notification>,
    /// The desktop's number for it, once it has told one.
    number: Option<u32>,
}

/// What the desktop is to show.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Card {
    /// In whose place.
    pub(super) slot: Slot,
    /// The number to replace.
    pub(super) replaces: Option<u32>,
    /// One line.
    pub(super) title: String,
    /// Plain text: whoever shows it must not take any of it for markup.
    pub(super) body: String,
    /// Why it calls.
    pub(super) kind: NotificationKind,
    /// Whether it can be allowed and refused from here.
    pub(super) answers: Answers,
}

/// The choices that a notification offers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Answers {
    /// It can be allowed.
    pub(super) allow: bool,
    /// It can be refused.
    pub(super) deny: bool,
}

/// What a change means for the desktop.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Change {
    /// Show this.
    Show(Card),
    /// Take this number back.
    Close(u32),
}

/// Everything that shows.
#[derive(Debug, Default)]
pub(super) struct Board(Vec<Shown>);

impl Board {
    /// A notification came.
    pub(super) fn put(&mut self, notification: Notification) -> Change {
        let slot = match notification.session {
            _ if notification.many => Slot::Many,
            Some(session) => Slot::Session(session),
            None => Slot::Trial,
        };
        let at = self.0.iter().position(|shown| shown.slot == slot).unwrap_or_else(|| {
            self.0.push(Shown { slot, of: Vec::new(), number: None });
            self.0.len() - 1
        });
        let shown = &mut self.0[at];
        if slot == Slot::Many {
            shown.of.retain(|older| older.session != notification.session);
        } else {
            shown.of.clear();
        }
        shown.of.push(notification);
        Change::Show(card(shown))
    }

    /// Notifications are taken back.
    pub(super) fn withdraw(&mut self, gone: impl Fn(NotificationId) -> bool) -> Vec<Change> {
        let mut changes = Vec::new();
        self.0.retain_mut(|shown| {
            let before = shown.of.len();
            shown.of.retain(|one| !gone(one.id));
            match shown.number {
                Some(number) if shown.of.is_empty() => changes.push(Change::Close(number)),
                Some(_) if shown.of.len() < before => changes.push(Change::Show(card(shown))),
                _ => {}
            }
            !shown.of.is_empty()
        });
        changes
    }

    /// The desktop shows a slot under this number. False where it was withdrawn meanwhile.
    pub(super) fn numbered(&mut self, slot: Slot, number: u32) -> bool {
        let shown = self.0.iter_mut().find(|shown| shown.slot == slot);
        shown.is_some_and(|shown| {
            shown.number = Some(number);
            true
        })
    }

    /// The person did something with that number, or it is gone from the screen. Returns the newest that it stood for, and
    /// whether there were others.
    pub(super) fn take(&mut self, number: u32) -> Option<(Notification, bool)> {
        let at = self.0.iter().position(|shown| shown.number == Some(number))?;
        let mut shown = self.0.remove(at);
        let newest = shown.of.pop()?;
        Some((newest, !shown.of.is_empty()))
    }
}

fn card(shown: &Shown) -> Card {
    let (slot, replaces) = (shown.slot, shown.number);
    if let [only] = shown.of.as_slice() {
        let ask = only.ask.as_ref();
        return Card {
            slot,
            replaces,
            title: words::cut(&words::visible(&only.title), TITLE),
            body: words::cut(&words::visible(&only.text), BODY),
            kind: only.kind,
            answers: Answers {
                allow: ask.is_some_and(|ask| ask.allow.is_some()),
                deny: ask.is_some_and(|ask| ask.deny.is_some()),
            },
        };
    }
    let mut lines: Vec<_> = shown.of.iter().take(NAMES).map(|one| words::one_line(&one.title)).collect();
    if shown.of.len() > NAMES {
        lines.push(format!("and {} more", shown.of.len() - NAMES));
    }
    Card {
        slot,
        replaces,
        title: format!("{} sessions", shown.of.len()),
        body: words::cut(&lines.join("\n"), BODY),
        kind: worst(&shown.of),
        answers: Answers::default(),
    }
}

fn worst(of: &[Notification]) -> NotificationKind {
    let rank = |kind| match kind {
        NotificationKind::Waiting => 0,
        NotificationKind::Blocked => 1,
        NotificationKind::Died => 2,
        NotificationKind::Done => 3,
    };
    of.iter().map(|one| one.kind).min_by_key(|kind| rank(*kind)).unwrap_or(NotificationKind::Done)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn notification(number: u64, session: Option<u64>, text: &str) -> Notification {
        serde_json::from_value(json!({
            "id": NotificationId::at(number), "session": session.map(SessionId::at), "kind": "waiting",
            "title": format!("Session {number}"), "text": text, "at": "2026-01-01T00:00:00Z", "read": false,
        }))
        .expect("a notification")
    }

    fn shown(change: Change) -> Card {
        match change {
            Change::Show(card) => card,
            Change::Close(number) => panic!("{number} is closed"),
        }
    }

    #[test]
    fn a_newer_one_of_a_session_takes_the_olders_place() {
        let session = SessionId::at(1);
        let of = |number| Notification { session: Some(session), ..notification(number, None, "?") };
        let (first, second) = (of(10), of(11));
        let mut board = Board::default();
        assert_eq!(shown(board.put(first.clone())).replaces, None);
        assert!(board.numbered(Slot::Session(session), 7));
        let card = shown(board.put(second.clone()));
        assert_eq!((card.replaces, card.title.as_str()), (Some(7), "Session 11"));
        assert_eq!(board.withdraw(|id| id == first.id), [], "the older one shows no more");
        assert_eq!(board.withdraw(|id| id == second.id), [Change::Close(7)]);
        assert!(board.take(7).is_none());
    }

    #[test]
    fn many_at_once_are_one() {
        let mut board = Board::default();
        let many: Vec<_> =
            (0..9u64).map(|n| Notification { many: true, ..notification(n, Some(n + 100), "?") }).collect();
        let last = many.iter().cloned().map(|one| shown(board.put(one))).last().expect("nine");
        assert_eq!(last.title, "9 sessions");
        assert_eq!(last.body.lines().count(), NAMES + 1);
        assert!(last.body.ends_with("and 3 more"), "{}", last.body);
        assert_eq!(last.answers, Answers::default(), "many are not answered at once");
        board.numbered(Slot::Many, 3);
        let first = many[0].id;
        assert!(
            matches!(&board.withdraw(|id| id == first)[..], [Change::Show(card)] if card.title == "8 sessions")
        );
        let (newest, others) = board.take(3).expect("it shows");
        assert_eq!((newest.id, others), (many[8].id, true));
    }

    #[test]
    fn texts_are_bounded_and_hide_nothing() {
        let mut board = Board::default();
        let hostile = format!("rm\u{202e}\u{1b}[2J {}", "x".repeat(10_000));
        let card = shown(board.put(notification(1, None, &hostile)));
        assert_eq!(card.body.chars().count(), BODY);
        assert!(card.body.starts_with("rm[2J x"), "{}", card.body);
    }

    #[test]
    fn what_was_withdrawn_before_it_had_a_number_is_closed_when_it_gets_one() {
        let mut board = Board::default();
        let one = notification(1, Some(1), "?");
        let (id, slot) = (one.id, Slot::Session(SessionId::at(1)));
        board.put(one);
        assert_eq!(board.withdraw(|gone| gone == id), []);
        assert!(!board.numbered(slot, 5), "so whoever shows it takes it back");
    }
}
