//! The open question of a session: what it is, since when, and how it ended.

use std::sync::atomic::Ordering;

use belfry_agents::{AnswerBy, Dialog};
use belfry_protocol::ask::{Ask, AskDetail, AskKind, Risk};
use belfry_protocol::history::{Happened, PastAsk};
use belfry_protocol::{AskId, SessionId};
use belfry_store::{AskOutcome, ClosedAsk, Happening};

use super::Engine;
use crate::clock;
use crate::session::clean;

/// Longest question that is kept, in characters, and longest of its details.
const TEXT: usize = 1000;

/// See [`TEXT`]. A plan or a diff is cut where a card would not show it anyway.
const DETAIL: usize = 4096;

/// Longest label and description of a choice, in characters.
const LABEL: usize = 300;

/// Most choices; the longest dialog that was seen has nine.
const CHOICES: usize = 32;

/// How long a question stays as it is while its dialog is not to be seen and the session waits all the same, in
/// milliseconds: a dialog is drawn anew when the window's size changes.
const UNSEEN: u64 = 2000;

/// How long a dialog may take to be drawn whole, in milliseconds.
const DRAWN: u64 = 1500;

/// How long a program counts as starting after a question of its start-up was answered, in milliseconds.
const AFTER_TRUST: u64 = 15_000;

/// How long what the last daemon knew may take to be seen again, in milliseconds.
const RESUMED: u64 = 2000;

/// The question that is open.
#[derive(Default)]
pub(super) struct Asking {
    pub(super) open: Option<Open>,
    /// Until then, what the last daemon knew stands although it cannot be seen yet.
    stands_until: u64,
}

/// An open question, and what is known of how it will end.
pub(super) struct Open {
    pub(super) ask: Ask,
    /// The dialog on the screen; none where only a signal speaks of a question.
    pub(super) dialog: Option<Dialog>,
    /// Since when its dialog is on the screen, by the daemon's clock.
    pub(super) since: u64,
    /// Since when its dialog is not on the screen any more, although the session still waits.
    unseen: Option<u64>,
    /// What the person had typed when it opened.
    keystrokes: u64,
    /// Keys that answer it were typed for a client: the label of the choice, and who.
    answered: Option<(Option<String>, String)>,
}

impl Engine {
    /// What the last daemon knew of an open question: if the same dialog is on the screen, it is the same question.
    pub(super) fn resume_ask(&mut self, now: u64) {
        let ask = self.entry.record().ask.clone();
        let keystrokes = self.entry.keystrokes.load(Ordering::SeqCst);
        self.asking.open = ask.map(|ask| Open {
            ask: *ask,
            dialog: None,
            since: now,
            unseen: None,
            keystrokes,
            answered: None,
        });
        self.asking.stands_until = now + RESUMED;
    }

    /// The session does not wait, as far as is known. What the last daemon knew stands until the screen was read.
    pub(super) fn asks_nothing(&mut self, now: u64) {
        let stands = now < self.asking.stands_until && !self.watch.has_read();
        match &self.asking.open {
            Some(open) if open.dialog.is_none() && stands => {
                let until = self.asking.stands_until;
                self.due.verdict = Some(self.due.verdict.map_or(until, |due| due.min(until)));
            }
            Some(_) => self.ask_over(None),
            None => {}
        }
    }

    /// The session waits: with that dialog on its screen, or because a signal says so in these words.
    pub(super) fn asks(&mut self, dialog: Option<&Dialog>, said: Option<&str>, now: u64) {
        let fresh = match dialog {
            Some(dialog) => from_dialog(dialog),
            None => from_signal(said),
        };
        let keystrokes = self.entry.keystrokes.load(Ordering::SeqCst);
        if let Some(open) = &mut self.asking.open {
            // A signal comes before the dialog is drawn, and goes on while it is there: it is one question. Where a dialog
            // follows on another without a pause, the first is over.
            let drawn_anew = match (&open.dialog, dialog) {
                (Some(before), Some(dialog)) => alike(before, dialog, now < open.since + DRAWN),
                _ => false,
            };
            let same = open.ask.fingerprint == fresh.fingerprint || drawn_anew;
            let fills_in = open.dialog.is_none() && !open.ask.answerable && dialog.is_some();
            if dialog.is_none() && open.ask.answerable {
                let until = *open.unseen.get_or_insert(now) + UNSEEN;
                if now < until {
                    self.due.verdict = Some(self.due.verdict.map_or(until, |due| due.min(until)));
                    return;
                }
            } else {
                open.unseen = None;
            }
            if same || fills_in {
                open.dialog = dialog.cloned();
                open.since = if fills_in { now } else { open.since };
                let ask = Ask { id: open.ask.id, opened_at: open.ask.opened_at, ..fresh };
                if ask != open.ask {
                    open.ask = ask;
                    self.keep_ask();
                }
                return;
            }
            self.ask_over(None);
        }
        let dialog = dialog.cloned();
        self.asking.open =
            Some(Open { ask: fresh, dialog, since: now, unseen: None, keystrokes, answered: None });
        self.keep_ask();
        self.note_ask("opened", None, None);
    }

    /// Keys that answer the open question were typed for a client.
    pub(super) fn ask_answered(&mut self, label: Option<String>, by: String) {
        if let Some(open) = &mut self.asking.open {
            open.answered = Some((label, by));
        }
    }

    /// The question is over: as that says, else by what was typed since it opened.
    pub(super) fn ask_over(&mut self, outcome: Option<AskOutcome>) {
        let Some(open) = self.asking.open.take() else { return };
        if matches!(open.ask.kind, AskKind::Trust | AskKind::Login) {
            // Gemini CLI starts anew once its folder is trusted.
            self.young_until = self.now() + AFTER_TRUST;
        }
        let typed = self.entry.keystrokes.load(Ordering::SeqCst) != open.keystrokes;
        let outcome = match (&open.answered, outcome) {
            (Some(_), _) => AskOutcome::Answered,
            (None, Some(outcome)) => outcome,
            (None, None) if typed => AskOutcome::InTerminal,
            (None, None) => AskOutcome::Gone,
        };
        let (answer, answered_by) = open.answered.unzip();
        let closed = ClosedAsk { outcome, answer: answer.flatten(), answered_by };
        self.entry.ask_vanished.store(outcome == AskOutcome::Gone, Ordering::SeqCst);
        let word = match outcome {
            AskOutcome::Answered => "answered",
            AskOutcome::InTerminal => "answered in the terminal",
            AskOutcome::Gone => "gone",
            AskOutcome::Ended => "the session ended",
        };
        self.note_ask_of(&open.ask, word, closed.answer.as_deref(), closed.answered_by.as_deref());
        let (id, at) = (open.ask.id, clock::wall());
        if self.entry.private {
            let ClosedAsk { outcome, answer, answered_by } = closed;
            let (ended_at, outcome) = (Some(at), Some(outcome));
            let past = PastAsk { ended_at, outcome, answer, answered_by, ..PastAsk::of(&open.ask) };
            self.entry.remember(Happened::Ask(past));
        } else {
            self.daemon.post(move |store| store.close_ask(id, &closed, at));
        }
    }

    /// It is kept as it is now; clients see it with the status.
    fn keep_ask(&self) {
        let Some(open) = &self.asking.open else { return };
        let ask = open.ask.clone();
        if self.entry.private {
            self.entry.remember(Happened::Ask(PastAsk::of(&ask)));
        } else {
            let session = self.entry.id;
            self.daemon.post(move |store| store.save_ask(session, &ask));
        }
    }

    fn note_ask(&self, what: &str, answer: Option<&str>, by: Option<&str>) {
        if let Some(open) = &self.asking.open {
            self.note_ask_of(&open.ask, what, answer, by);
        }
    }

    fn note_ask_of(&self, ask: &Ask, what: &str, answer: Option<&str>, by: Option<&str>) {
        if self.entry.private {
            return;
        }
        let detail = serde_json::json!({
            "ask": ask.id, "kind": ask.kind, "what": what, "answer": answer, "by": by,
        });
        let happening =
            Happening { at: clock::wall(), session: Some(self.entry.id), kind: "ask".to_owned(), detail };
        self.daemon.post(move |store| store.record(&happening));
    }
}

/// Whether that is the same dialog, with a choice drawn otherwise than before: ticked, or become the field for a text. While
/// it is being drawn, more of what it is about may come: a diff comes after the question.
pub(super) fn alike(one: &Dialog, other: &Dialog, being_drawn: bool) -> bool {
    let about = |dialog: &Dialog| {
        let AskDetail { command, path, url, tool, body } = dialog.detail.clone();
        let body = body.filter(|_| !being_drawn);
        (dialog.kind, dialog.text.clone(), [command, path, url, tool, body], dialog.choices.len())
    };
    let pairs = || one.choices.iter().zip(&other.choices);
    let differ = pairs().filter(|(one, other)| one.label != other.label).count();
    about(one) == about(other) && pairs().all(|(one, other)| one.key == other.key) && differ <= 1
}

fn new_id() -> AskId {
    AskId::at(u64::try_from(clock::wall().as_millisecond()).unwrap_or(0))
}

/// The question as clients see it. All of it was on a screen: it is cleaned and cut here, whatever read it.
fn from_dialog(dialog: &Dialog) -> Ask {
    let line = |text: &str, most| clean::line(text, most);
    let choices = dialog.choices.iter().take(CHOICES).map(|choice| {
        let mut choice = choice.clone();
        choice.key = line(&choice.key, 20);
        choice.label = line(&choice.label, LABEL);
        choice.description = choice.description.as_deref().map(|text| line(text, LABEL));
        choice
    });
    let AskDetail { command, path, url, tool, body } = &dialog.detail;
    let part = |part: &Option<String>| part.as_deref().map(|text| clean::text(text, DETAIL));
    Ask {
        id: new_id(),
        kind: dialog.kind,
        approves: dialog.approves,
        text: line(&dialog.text, TEXT),
        choices: choices.collect(),
        takes_text: dialog.takes_text,
        detail: AskDetail {
            command: part(command),
            path: part(path),
            url: part(url),
            tool: part(tool),
            body: part(body),
        },
        risk: dialog.risk,
        risk_reason: dialog.risk_reason.as_deref().map(|text| line(text, LABEL)),
        fingerprint: dialog.fingerprint(),
        answerable: dialog.answer != AnswerBy::Unknown && dialog.choices.len() <= CHOICES,
        opened_at: clock::wall(),
    }
}

/// A question of which only a signal tells. It cannot be answered from here: nobody knows its keys.
fn from_signal(said: Option<&str>) -> Ask {
    let text = clean::line(said.unwrap_or("a question is open"), TEXT);
    // Claude Code and Codex report `approve Bash: …`; that it is an approval is the kind's to say.
    let (kind, text) = match text.strip_prefix("approve ") {
        Some(what) => (AskKind::Approval, what.to_owned()),
        None => (AskKind::Choice, text),
    };
    Ask {
        id: new_id(),
        kind,
        approves: None,
        fingerprint: format!("signal:{}", clean::line(&text, 80)),
        text,
        choices: Vec::new(),
        takes_text: false,
        detail: AskDetail::default(),
        risk: Risk::Low,
        risk_reason: None,
        answerable: false,
        opened_at: clock::wall(),
    }
}

/// What a daemon that has no engine for it does with a question that is open in the database: its session is over.
pub(crate) fn close_of_dead(daemon: &crate::Daemon, session: SessionId, ask: AskId) {
    tracing::debug!(%session, "a question was open when its session ended");
    let closed = ClosedAsk { outcome: AskOutcome::Ended, answer: None, answered_by: None };
    let at = clock::wall();
    daemon.post(move |store| store.close_ask(ask, &closed, at));
}
