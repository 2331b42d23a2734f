//! From the arbiter's verdict to the status that clients see.

use std::sync::Arc;
use std::sync::atomic::Ordering;

use belfry_agents::{AtPrompt, Look, Place};
use belfry_protocol::Status;
use belfry_protocol::signal::Source;
use belfry_status::Verdict;
use belfry_terminal::Scope;

use super::{Engine, take_due};
use crate::session::clean;

/// Longest reason and activity that clients are told, in characters.
const WORDS: usize = 200;

/// The waits between two activities that clients are told of, in milliseconds: tools follow on each other faster than
/// anybody reads.
const ACTIVITY_EVERY: u64 = 200;

/// The least time between two beginnings of the same activity that are told apart, in milliseconds.
const ANEW: u64 = 500;

impl Engine {
    /// The agent whose rules apply.
    pub(super) fn agent(&self) -> Option<&belfry_agents::Agent> {
        self.agents.get(&self.agent_id)
    }

    /// What the agent's rules say of the screen as it is.
    pub(super) fn at_prompt(&self) -> Option<AtPrompt> {
        let agent = self.agent()?;
        Some(self.look(|look| agent.at_prompt(look)))
    }

    /// The terminal as an agent's rules see it.
    pub(super) fn look<T>(&self, with: impl FnOnce(Look<'_>) -> T) -> T {
        let screen = self.terminal.text(Scope::Screen).join("\n");
        let title = self.terminal.title();
        with(Look {
            screen: &screen,
            title: (!title.is_empty()).then_some(title),
            bracketed_paste: self.terminal.modes().bracketed_paste,
        })
    }

    pub(super) fn tend_verdict(&mut self, now: u64) {
        if take_due(&mut self.due.verdict, now) {
            self.judge(now);
        }
    }

    /// Judges anew, and tells clients where something has changed: of one judgement in one piece, so that no client sees a status
    /// without its question, or a question without its status.
    pub(super) fn judge(&mut self, now: u64) {
        // What its end looks like is nobody's business.
        if !self.alive() || self.ending.is_some() {
            return;
        }
        let verdict = self.watch.verdict(now);
        // How a run ended is told once, with its reason. What had been on its way from the keeper comes after that, and must
        // not have it judged anew.
        if verdict.status == Status::Dead {
            return;
        }
        self.due.verdict = verdict.again_at.map(|at| at.max(now + 1));
        let reading = self.watch.reading();
        let goes_on = matches!(reading.place, Place::Prompt | Place::Working) && !reading.inferred;
        if goes_on && self.watch.has_read() {
            self.went_on(now);
        }
        self.follow_ask(&verdict, now);
        self.show(&verdict, now);
    }

    fn show(&mut self, verdict: &Verdict, now: u64) {
        let (status, since, shown) = {
            let session = self.entry.record();
            (session.status, session.since, (session.reason.clone(), session.activity.clone()))
        };
        let reason = reason(verdict);
        let mut activity =
            verdict.activity.as_ref().map(|activity| clean::line(&activity.doing.words(), WORDS));
        let changed = status != verdict.status;
        let soon = !changed && activity != shown.1 && now < self.activity_told + ACTIVITY_EVERY;
        if soon {
            let again = self.activity_told + ACTIVITY_EVERY;
            self.due.verdict = Some(self.due.verdict.map_or(again, |due| due.min(again)));
            activity.clone_from(&shown.1);
        }
        let began = verdict
            .activity
            .as_ref()
            .and_then(|activity| crate::clock::wall().checked_sub(millis(activity.for_ms)).ok());
        let source = verdict.source.word();
        let ask = self.asking.open.as_ref().map(|open| Box::new(open.ask.clone()));
        let again = {
            let session = self.entry.record();
            let same = (&session.source, &session.ask) == (&source.to_owned(), &ask);
            let again = !soon && activity.is_some() && later(session.activity_since, began);
            if !changed && same && !again && (&reason, &activity) == (&shown.0, &shown.1) {
                return;
            }
            again
        };
        let activity_changed = activity != shown.1;
        if activity_changed {
            self.activity_told = now;
        }
        self.keep_draft(status, verdict.status);
        let turn_over = changed && self.watch.arbiter().turn_over(status, verdict.status);
        let looked_at = self.entry.focus.load(Ordering::Relaxed) != 0;
        let over_at = crate::clock::wall().checked_sub(millis(verdict.for_ms)).ok();
        self.daemon.change(&self.entry, |session| {
            if changed {
                session.since = over_at.unwrap_or(since).max(since);
            }
            session.status = verdict.status;
            source.clone_into(&mut session.source);
            session.reason.clone_from(&reason);
            session.ask = ask;
            if session.activity != activity || changed || again {
                session.activity_since = began.filter(|_| activity.is_some());
            }
            session.activity.clone_from(&activity);
            // What waits says so itself.
            let over = verdict.status != Status::Waiting && (session.unseen || turn_over);
            session.unseen = over && !looked_at;
        });
        if changed || activity_changed {
            self.daemon.spots.stirred(self.entry.id);
        }
        if changed {
            if status == Status::Idle && verdict.status == Status::Running {
                crate::review::prompted(&self.daemon, &self.entry, None);
            }
            self.note_status(status, verdict.status, source, reason.or(activity).as_deref(), &verdict.what);
            let now = self.now();
            self.due.delivery.get_or_insert(now);
            if status == Status::Running {
                self.branch_may_have_changed();
            }
            // A daemon that comes next is to know of it at once.
            if verdict.status == Status::Waiting {
                self.daemon.save_soon(&self.entry);
            }
        }
    }

    /// What was typed at a question answered it, also where no Enter followed: it is not half a message. One that was begun
    /// before the question is still there.
    fn keep_draft(&mut self, from: Status, to: Status) {
        match (from, to) {
            (Status::Waiting, Status::Waiting) => {}
            (_, Status::Waiting) => self.draft_before = self.entry.draft.load(Ordering::Relaxed),
            (Status::Waiting, _) => {
                self.entry.draft.store(std::mem::take(&mut self.draft_before), Ordering::Relaxed);
            }
            _ => {}
        }
    }

    /// The open question follows the status: while the session waits, there is one.
    fn follow_ask(&mut self, verdict: &Verdict, now: u64) {
        if verdict.status != Status::Waiting {
            self.asks_nothing(now);
            return;
        }
        let wanted = verdict.dialog.as_ref().map(|dialog| dialog.fingerprint.as_str());
        let dialog = if verdict.source == Source::Foreground {
            self.front_dialog()
        } else {
            let dialog = self.watch.reading().dialog.clone();
            dialog.filter(|dialog| wanted.is_some_and(|wanted| dialog.fingerprint() == wanted))
        };
        let said = verdict.reason.clone();
        self.asks(dialog.as_ref(), said.as_deref(), now);
    }

    /// The person looks at it.
    pub(super) fn seen(&self) {
        let unseen = self.entry.record().unseen;
        let now = crate::clock::wall();
        if unseen {
            self.daemon.change(&self.entry, |session| {
                session.unseen = false;
                session.last_seen_at = Some(now);
            });
        } else {
            self.entry.record().last_seen_at = Some(now);
        }
    }

    /// Looks beside, as the directory may be slow; one look at a time.
    fn branch_may_have_changed(&self) {
        if self.entry.looking_for_branch.swap(true, Ordering::Relaxed) {
            return;
        }
        let (daemon, entry) = (Arc::clone(&self.daemon), Arc::clone(&self.entry));
        let cwd = entry.record().cwd.clone();
        tokio::spawn(async move {
            let branch = crate::places::branch(cwd.into()).await;
            daemon.change(&entry, |session| session.branch = branch);
            entry.looking_for_branch.store(false, Ordering::Relaxed);
        });
    }
}

fn reason(verdict: &Verdict) -> Option<String> {
    let reason = verdict.reason.as_deref()?;
    let whole = match &verdict.until {
        Some(until) => format!("{reason}, resets {until}"),
        None => reason.to_owned(),
    };
    Some(clean::line(&whole, WORDS))
}

/// Whether the same activity has begun anew. The moment is reckoned each time anew, and no clock is read twice at once.
fn later(known: Option<jiff::Timestamp>, now: Option<jiff::Timestamp>) -> bool {
    known.zip(now).is_some_and(|(known, now)| now.duration_since(known) > millis(ANEW))
}

fn millis(ms: u64) -> jiff::SignedDuration {
    jiff::SignedDuration::from_millis(i64::try_from(ms).unwrap_or(0))
}
