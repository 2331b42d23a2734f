//! Which session calls the person, and when. Pure: it is told how a session is and what time it is, and says what to do.
//!
//! What a session calls for, its [`About`], is read from its record. It calls once it has done so for [`HOLDS`], where
//! nobody looks at it, and once for each. It is silent while it is muted; what a snooze has kept back calls when that is
//! over, where it is still so.

use std::collections::HashMap;

use belfry_protocol::session::Exit;
use belfry_protocol::settings::Notifications;
use belfry_protocol::{AskId, NotificationId, NotificationKind, RunId, Session, SessionId, Status};
use jiff::{SignedDuration, Timestamp};

use super::words::{Words, words};

/// How long a reason must hold before it calls, in milliseconds.
pub(super) const HOLDS: u64 = 1000;

/// How long a question that vanished without an answer may take to be seen again and be the same, in milliseconds: a screen
/// that is drawn anew can be without it for that long.
const VANISHED: u64 = 3000;

/// How long a session that is blocked for the same reason again does not call again, in milliseconds.
const BLOCKED_AGAIN: u64 = 5 * 60_000;

/// Longest wait before the wall's clock is looked at again, in milliseconds: a machine that slept has another time.
const LOOK_AGAIN: u64 = 60_000;

/// The moment, by the daemon's clock in milliseconds and by the wall's.
#[derive(Clone, Copy, Debug)]
pub(super) struct Moment {
    pub(super) now: u64,
    pub(super) wall: Timestamp,
}

/// How a session is.
#[derive(Clone, Copy, Debug)]
pub(super) struct Seen<'a> {
    pub(super) session: &'a Session,
    /// A view of it has the keyboard.
    pub(super) looked_at: bool,
    /// The person has ended its program.
    pub(super) killed: bool,
    /// The last question went away without an answer.
    pub(super) vanished: bool,
}

/// What to do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Act {
    /// Call the person.
    Call(Box<Call>),
    /// A call's reason is gone.
    Gone(NotificationId),
}

/// A call before it is a notification. [`Decider::called`] is to be told its id.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Call {
    pub(super) session: SessionId,
    pub(super) private: bool,
    pub(super) kind: NotificationKind,
    pub(super) about: String,
    pub(super) words: Words,
}

/// What a session calls for.
#[derive(Clone, Debug, PartialEq, Eq)]
enum About {
    Ask(AskId, String),
    Blocked(Timestamp),
    Done(Timestamp),
    Died(RunId),
}

impl About {
    fn kind(&self) -> NotificationKind {
        match self {
            Self::Ask(..) => NotificationKind::Waiting,
            Self::Blocked(_) => NotificationKind::Blocked,
            Self::Done(_) => NotificationKind::Done,
            Self::Died(_) => NotificationKind::Died,
        }
    }

    /// Whether it is the same one. A question's fingerprint changes while its dialog is being drawn.
    fn is(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Ask(one, _), Self::Ask(other, _)) => one == other,
            (one, other) => one == other,
        }
    }

    /// As it is kept.
    fn written(&self) -> String {
        match self {
            Self::Ask(id, _) => format!("ask {id}"),
            Self::Blocked(since) => format!("blocked {since}"),
            Self::Done(since) => format!("done {since}"),
            Self::Died(run) => format!("died {run}"),
        }
    }
}

/// How far a reason is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stage {
    /// It calls then, where it still holds.
    Fresh { at: u64 },
    /// It calls when the snooze is over.
    Snoozed { until: Timestamp },
    /// It has called.
    Told { id: NotificationId },
    /// It is not to be seen any more; over then.
    Vanished { id: NotificationId, at: u64 },
    /// It does not call.
    Silent,
}

#[derive(Debug, Default)]
struct Known {
    /// Its status when it was looked at last.
    status: Option<Status>,
    /// When the turn began that goes on.
    turn: Option<Timestamp>,
    /// When a turn ended last, and how long it took where that is known.
    over: Option<(Timestamp, Option<SignedDuration>)>,
    /// The reason of the last call of a blocked session, and when that was.
    blocked: Option<(Option<String>, u64)>,
    reason: Option<(About, Stage)>,
}

/// All sessions, as far as they matter here.
#[derive(Debug, Default)]
pub(super) struct Decider {
    sessions: HashMap<SessionId, Known>,
}

impl Decider {
    /// A session is there, as a record says or because it was just made. What it calls for already has called before; so has
    /// a question only where `told` has a call of that. Gives the call that still holds.
    pub(super) fn begin(
        &mut self,
        session: &Session,
        told: &[(NotificationId, String)],
    ) -> Option<NotificationId> {
        let mut known = Known {
            status: Some(session.status),
            turn: (session.status == Status::Running).then_some(session.since),
            ..Known::default()
        };
        if session.status == Status::Idle && session.unseen {
            known.over = Some((session.since, None));
        }
        let seen = Seen { session, looked_at: false, killed: false, vanished: false };
        let mut still = None;
        if let Some(about) = calls_for(&seen, &known, 0) {
            let written = about.written();
            let told = told.iter().rev().find(|(_, about)| *about == written).map(|(id, _)| *id);
            still = told;
            known.reason = match (told, &about) {
                (Some(id), _) => Some((about, Stage::Told { id })),
                (None, About::Ask(..)) => None,
                (None, _) => Some((about, Stage::Silent)),
            };
        }
        self.sessions.insert(session.id, known);
        still
    }

    /// Looks at a session anew, after a change or because it is time.
    pub(super) fn look(&mut self, seen: &Seen<'_>, set: &Notifications, moment: Moment) -> Vec<Act> {
        let known = self.sessions.entry(seen.session.id).or_default();
        known.follow_turn(seen.session);
        let about = calls_for(seen, known, set.done_after_seconds);
        let mut acts = Vec::new();
        known.reason = match (known.reason.take(), about) {
            (Some((before, stage)), Some(about))
                if before.is(&about) || same_dialog(&before, &about, stage) =>
            {
                let stage = match stage {
                    Stage::Vanished { id, .. } => Stage::Told { id },
                    stage => stage,
                };
                Some((about, stage))
            }
            (Some((before, Stage::Told { id })), None)
                if seen.vanished && matches!(before, About::Ask(..)) && seen.session.alive() =>
            {
                Some((before, Stage::Vanished { id, at: moment.now + VANISHED }))
            }
            (Some((before, Stage::Vanished { id, at })), None) if moment.now < at && seen.session.alive() => {
                Some((before, Stage::Vanished { id, at }))
            }
            (before, about) => {
                if let Some((_, Stage::Told { id } | Stage::Vanished { id, .. })) = before {
                    acts.push(Act::Gone(id));
                }
                let again =
                    about.as_ref().is_some_and(|about| known.blocked_again(about, seen.session, moment.now));
                let stage = if again { Stage::Silent } else { Stage::Fresh { at: moment.now + HOLDS } };
                about.map(|about| (about, stage))
            }
        };
        if let Some((about, stage)) = &mut known.reason {
            let turn = known.over.and_then(|(_, length)| length);
            acts.extend(go_on(about, stage, seen, set, moment, turn));
            let called = acts.iter().any(|act| matches!(act, Act::Call(_)));
            if called && matches!(about, About::Blocked(_)) {
                known.blocked = Some((seen.session.reason.clone(), moment.now));
            }
        }
        acts
    }

    /// A call became a notification.
    pub(super) fn called(&mut self, session: SessionId, id: NotificationId) {
        if let Some((_, stage)) = self.sessions.get_mut(&session).and_then(|known| known.reason.as_mut()) {
            *stage = Stage::Told { id };
        }
    }

    /// A session is gone, and its call with it.
    pub(super) fn forget(&mut self, session: SessionId) -> Option<Act> {
        match self.sessions.remove(&session)?.reason?.1 {
            Stage::Told { id } | Stage::Vanished { id, .. } => Some(Act::Gone(id)),
            _ => None,
        }
    }

    /// The sessions that are to be looked at by now.
    pub(super) fn due(&self, moment: Moment) -> Vec<SessionId> {
        let due = |known: &Known| known.due(moment).is_some_and(|at| at <= moment.now);
        self.sessions.iter().filter(|(_, known)| due(known)).map(|(id, _)| *id).collect()
    }

    /// When one is to be looked at next, by the daemon's clock.
    pub(super) fn next(&self, moment: Moment) -> Option<u64> {
        self.sessions.values().filter_map(|known| known.due(moment)).min()
    }
}

impl Known {
    /// A turn begins with work, and what interrupts it does not end it.
    fn follow_turn(&mut self, session: &Session) {
        match session.status {
            Status::Running => {
                self.turn.get_or_insert(session.since);
            }
            Status::Idle => {
                if let Some(began) = self.turn.take() {
                    self.over = Some((session.since, Some(session.since.duration_since(began))));
                }
            }
            Status::Starting | Status::Dead => (self.turn, self.over) = (None, None),
            // Work that asks at once is not seen to be work.
            Status::Waiting | Status::Blocked if self.status == Some(Status::Idle) => {
                self.turn.get_or_insert(session.since);
            }
            Status::Waiting | Status::Blocked | Status::Unknown => {}
        }
        self.status = Some(session.status);
    }

    /// Whether the person was told of the very same a while ago: an agent that tries again is blocked again.
    fn blocked_again(&self, about: &About, session: &Session, now: u64) -> bool {
        let told = self
            .blocked
            .as_ref()
            .filter(|(reason, at)| *reason == session.reason && now < at + BLOCKED_AGAIN);
        matches!(about, About::Blocked(_)) && told.is_some()
    }

    fn due(&self, moment: Moment) -> Option<u64> {
        match self.reason.as_ref()?.1 {
            Stage::Fresh { at } | Stage::Vanished { at, .. } => Some(at),
            Stage::Snoozed { until } => {
                let left = u64::try_from(until.duration_since(moment.wall).as_millis()).unwrap_or(0);
                Some(moment.now + left.min(LOOK_AGAIN))
            }
            Stage::Told { .. } | Stage::Silent => None,
        }
    }
}

/// A dialog that vanished and is there again.
fn same_dialog(before: &About, about: &About, stage: Stage) -> bool {
    let vanished = matches!(stage, Stage::Vanished { .. });
    matches!((before, about), (About::Ask(_, one), About::Ask(_, other)) if vanished && one == other)
}

fn calls_for(seen: &Seen<'_>, known: &Known, done_after: u32) -> Option<About> {
    let session = seen.session;
    if session.archived_at.is_some() || session.trashed_at.is_some() || session.unspoken {
        return None;
    }
    // Of a command that runs beside an agent only its end matters, unless somebody pressed Ctrl-C in it (128 + SIGINT).
    let interrupted = matches!(session.exit, Some(Exit::Signal { signal: 2, .. } | Exit::Code { code: 130 }));
    if session.runs_for.is_some() && (session.status != Status::Dead || interrupted) {
        return None;
    }
    match session.status {
        Status::Waiting => session.ask.as_ref().map(|ask| About::Ask(ask.id, ask.fingerprint.clone())),
        Status::Blocked => Some(About::Blocked(session.since)),
        Status::Idle if session.unseen => {
            let (at, took) = known.over?;
            let least = SignedDuration::from_secs(done_after.into());
            took.is_none_or(|took| took >= least).then_some(About::Done(at))
        }
        Status::Dead if session.unseen && !seen.killed => {
            let unexpected = match session.exit.as_ref()? {
                Exit::Code { code: 0 } => session.agent != "shell",
                // The person knows, and all of them at once help nobody. One that never started was told to who started it.
                Exit::MachineRestarted | Exit::LaunchFailed { .. } => false,
                _ => true,
            };
            session.runs.first().filter(|_| unexpected).map(|run| About::Died(run.id))
        }
        _ => None,
    }
}

fn on(kind: NotificationKind, set: &Notifications) -> bool {
    match kind {
        NotificationKind::Waiting => set.waiting,
        NotificationKind::Blocked => set.blocked,
        NotificationKind::Done => set.done,
        NotificationKind::Died => set.died,
    }
}

/// The next step of a reason that holds.
fn go_on(
    about: &About,
    stage: &mut Stage,
    seen: &Seen<'_>,
    set: &Notifications,
    moment: Moment,
    turn: Option<SignedDuration>,
) -> Option<Act> {
    let session = seen.session;
    let snoozed = session.snoozed_until.filter(|until| *until > moment.wall && !session.muted);
    let quiet = seen.looked_at || session.muted;
    let (next, act) = match (*stage, snoozed) {
        (Stage::Told { id }, Some(until)) => (Stage::Snoozed { until }, Some(Act::Gone(id))),
        (Stage::Told { id }, None) if quiet => (Stage::Silent, Some(Act::Gone(id))),
        (Stage::Fresh { .. } | Stage::Snoozed { .. } | Stage::Silent, Some(until)) if !seen.looked_at => {
            (Stage::Snoozed { until }, None)
        }
        (Stage::Fresh { .. } | Stage::Snoozed { .. }, None) if quiet => (Stage::Silent, None),
        (Stage::Fresh { .. }, Some(_)) => (Stage::Silent, None),
        (Stage::Fresh { at }, None) if moment.now < at => (Stage::Fresh { at }, None),
        (Stage::Fresh { .. } | Stage::Snoozed { .. }, None) => {
            let kind = about.kind();
            let call = || Call {
                session: session.id,
                private: session.private,
                kind,
                about: about.written(),
                words: words(session, kind, turn),
            };
            (Stage::Silent, on(kind, set).then(|| Act::Call(Box::new(call()))))
        }
        (stage, _) => (stage, None),
    };
    *stage = next;
    act
}

#[cfg(test)]
pub(super) mod tests;
