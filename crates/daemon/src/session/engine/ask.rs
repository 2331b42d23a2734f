//! The open question of a session: what it is, since when, and how it ended.

mod kin;

use std::sync::atomic::Ordering;

use belfry_agents::{AnswerBy, Dialog};
use belfry_protocol::ask::{Ask, AskDetail, AskKind, Risk};
use belfry_protocol::history::{Happened, PastAsk};
use belfry_protocol::{AskId, SessionId};
use belfry_store::{AskOutcome, ClosedAsk, Happening};

pub(super) use self::kin::{alike, is_known_from};

use self::kin::{Kin, kin};
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

/// How long a dialog may take to leave the screen once something shows that it was answered, in milliseconds.
const LEAVES: u64 = 300;

/// How long a program counts as starting after a question of its start-up was answered, in milliseconds.
const AFTER_TRUST: u64 = 15_000;

/// How long what the last daemon knew may take to be seen again, in milliseconds.
const RESUMED: u64 = 2000;

/// Most earlier readings of one dialog that are kept.
const EARLIER: usize = 8;

/// What is in the way of an answer, for people.
const HALF_TYPED: &str = "something is half typed at it: finish or clear it in the terminal (Ctrl U)";

/// See [`HALF_TYPED`].
const CUT: &str = "not all of its answers are to be seen: make the terminal taller, or answer there";

/// See [`HALF_TYPED`].
const BEING_DRAWN: &str = "what it is about is still being drawn";

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
    /// What clients were shown before more of it was drawn, with the fingerprint that they were given.
    pub(super) earlier: Vec<(String, Dialog)>,
    /// Since when its dialog is not on the screen any more, although the session still waits.
    unseen: Option<u64>,
    opened: Opened,
    /// Keys that answer it were typed for a client: the label of the choice, and who.
    answered: Option<(Option<String>, String)>,
    /// Since when they may have been.
    answered_at: Option<u64>,
    /// The last sign that the agent works or is at its prompt.
    signed: Option<u64>,
    /// Since when something has shown that it was answered: where the same dialog is still there, it asks anew.
    over: Option<u64>,
}

/// How it was when a question opened.
#[derive(Clone, Copy, Default)]
struct Opened {
    /// What the person had typed, and whether that lay there half typed.
    keystrokes: u64,
    drafted: bool,
}

impl Open {
    /// A question that has just opened.
    fn new(ask: Ask, dialog: Option<Dialog>, opened: Opened, now: u64) -> Self {
        Self {
            ask,
            dialog,
            since: now,
            earlier: Vec::new(),
            unseen: None,
            opened,
            answered: None,
            answered_at: None,
            signed: None,
            over: None,
        }
    }

    /// What is the same for as long as the same dialog is there.
    pub(super) fn base(&self) -> &str {
        base(&self.ask)
    }

    /// Whether something lies where its answer is typed.
    pub(super) fn is_half_typed(&self) -> bool {
        self.ask.obstacle.as_deref() == Some(HALF_TYPED)
    }

    /// Whether more of its dialog may be drawn yet.
    pub(super) fn is_young(&self, now: u64) -> bool {
        now < self.since + DRAWN
    }
}

impl Engine {
    /// What the last daemon knew of an open question: if the same dialog is on the screen, it is the same question.
    pub(super) fn resume_ask(&mut self, now: u64) {
        let ask = self.entry.record().ask.clone();
        let keystrokes = self.entry.keystrokes.load(Ordering::SeqCst);
        let opened = Opened { keystrokes, drafted: false };
        self.asking.open = ask.map(|ask| Open::new(*ask, None, opened, now));
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
        let joined = dialog.and_then(|dialog| self.known_of(dialog));
        let dialog = joined.as_ref().or(dialog);
        let mut fresh = match dialog {
            Some(dialog) => from_dialog(dialog),
            None => from_signal(said),
        };
        let keystrokes = self.entry.keystrokes.load(Ordering::SeqCst);
        if let Some(open) = &mut self.asking.open {
            let untouched = open.answered.is_none() && keystrokes == open.opened.keystrokes;
            // A signal comes before the dialog is drawn, and goes on while it is there: it is one question. Where a dialog
            // follows on another without a pause, the first is over.
            let kin = match (&open.dialog, dialog) {
                (Some(before), Some(dialog)) => kin(before, dialog, untouched, open.is_young(now)),
                _ if open.base() == fresh.fingerprint => Kin::Same,
                _ => Kin::Other,
            };
            let from_screen = open.dialog.is_some() || open.ask.answerable;
            let fills_in = !from_screen && dialog.is_some();
            if dialog.is_none() && from_screen {
                let until = *open.unseen.get_or_insert(now) + UNSEEN;
                if now < until {
                    return self.judge_again(until);
                }
            } else {
                open.unseen = None;
            }
            let anew = open.over.filter(|_| dialog.is_some()).map(|over| over + LEAVES);
            if let Some(at) = anew.filter(|at| now < *at) {
                self.due.verdict = Some(self.due.verdict.map_or(at, |due| due.min(at)));
            }
            let anew = anew.is_some_and(|at| now >= at);
            if (kin != Kin::Other || fills_in) && !anew {
                if let (Kin::Grown, Some(before)) = (kin, open.dialog.take()) {
                    open.earlier.push((open.ask.fingerprint.clone(), before));
                    let more = open.earlier.len().saturating_sub(EARLIER);
                    open.earlier.drain(..more);
                }
                open.dialog = dialog.cloned();
                open.since = if fills_in { now } else { open.since };
                let (since, opened) = (open.since, open.opened);
                fresh = Ask { id: open.ask.id, opened_at: open.ask.opened_at, ..fresh };
                self.see_to(&mut fresh, dialog, since, opened);
                if let Some(open) = self.asking.open.as_mut().filter(|open| open.ask != fresh) {
                    open.ask = fresh;
                    self.keep_ask();
                }
                return;
            }
            self.ask_over(None);
        }
        let opened = Opened { keystrokes, drafted: self.entry.draft.load(Ordering::Relaxed) };
        self.see_to(&mut fresh, dialog, now, opened);
        self.asking.open = Some(Open::new(fresh, dialog.cloned(), opened, now));
        self.keep_ask();
        self.note_ask("opened", None, None);
    }

    /// A list that scrolls, with what was seen of it before; none where that is nothing.
    pub(super) fn known_of(&self, dialog: &Dialog) -> Option<Dialog> {
        let open = self.asking.open.as_ref().filter(|open| dialog.scrolls && open.over.is_none())?;
        dialog.joined(open.dialog.as_ref()?)
    }

    /// Gives a question its own fingerprint, and says whether it can be answered as it is.
    fn see_to(&mut self, ask: &mut Ask, dialog: Option<&Dialog>, since: u64, opened: Opened) {
        let now = self.now();
        ask.fingerprint = format!("{}-{}", ask.fingerprint, tail(ask.id));
        let Some(dialog) = dialog else { return };
        let drawn = since + DRAWN;
        if dialog.half_typed || self.lies_unseen(dialog, opened) {
            ask.answerable = false;
            ask.obstacle = Some(HALF_TYPED.to_owned());
        } else if dialog.unnamed && ask.answerable && now < drawn {
            // What is to be approved comes a frame or two after the question: nobody is to approve what they cannot see.
            ask.answerable = false;
            ask.obstacle = Some(BEING_DRAWN.to_owned());
            self.judge_again(drawn);
        } else if !ask.answerable && dialog.cut {
            ask.obstacle = Some(CUT.to_owned());
        }
    }

    /// Whether something was typed that would become part of an answer, though it cannot be read: before the question, where
    /// what is typed is not shown, or into a field whose hint looks like any text.
    fn lies_unseen(&self, dialog: &Dialog, opened: Opened) -> bool {
        let typed = self.entry.keystrokes.load(Ordering::SeqCst) != opened.keystrokes;
        let lies = if self.front_tells() {
            let hidden = opened.drafted || dialog.rule == crate::session::question::SECRET;
            hidden && dialog.answer == AnswerBy::Line
        } else {
            typed && dialog.choices.is_empty() && dialog.takes_text
        };
        lies && self.entry.draft.load(Ordering::Relaxed)
    }

    fn judge_again(&mut self, at: u64) {
        self.due.verdict = Some(self.due.verdict.map_or(at, |due| due.min(at)));
    }

    /// Something shows that the agent works or is at its prompt: what was answered before is over, and the same dialog after
    /// it asks anew.
    pub(super) fn went_on(&mut self, at: u64) {
        let Some(open) = self.asking.open.as_mut().filter(|open| open.dialog.is_some()) else { return };
        let typed_at = self.entry.typed_at.load(Ordering::Relaxed);
        let typed =
            self.entry.keystrokes.load(Ordering::SeqCst) != open.opened.keystrokes && typed_at > open.since;
        open.signed = open.signed.max(Some(at));
        let answered = open.answered_at.is_some_and(|answered| at >= answered);
        if answered || (typed && at > typed_at) {
            open.over.get_or_insert(at);
        }
    }

    /// The question that was answered is asked again, in the same words: what is open now is another one.
    pub(super) fn asked_anew(&mut self, now: u64) {
        if let Some(open) = &mut self.asking.open {
            open.over = Some(0);
        }
        self.judge(now);
    }

    /// Keys that answer the open question were typed for a client. They were given to the keeper then, which types them only
    /// where nothing was printed since: what was told since is an effect of theirs, also where it was heard first.
    pub(super) fn ask_answered(&mut self, label: Option<String>, by: String, given_at: u64) {
        if let Some(open) = &mut self.asking.open {
            open.answered = Some((label, by));
            open.answered_at = Some(given_at);
            open.over = open.over.or(open.signed.filter(|signed| *signed >= given_at));
        }
    }

    /// The question is over: as that says, else by what was typed since it opened.
    pub(super) fn ask_over(&mut self, outcome: Option<AskOutcome>) {
        let Some(open) = self.asking.open.take() else { return };
        if matches!(open.ask.kind, AskKind::Trust | AskKind::Login) {
            // Gemini CLI starts anew once its folder is trusted.
            self.young_until = self.now() + AFTER_TRUST;
        }
        let typed = self.entry.keystrokes.load(Ordering::SeqCst) != open.opened.keystrokes;
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

/// What tells two askings of the same question apart.
fn tail(id: AskId) -> String {
    let id = id.to_string();
    id[id.len().saturating_sub(6)..].to_owned()
}

/// An ask's fingerprint without that.
fn base(ask: &Ask) -> &str {
    let whole = ask.fingerprint.as_str();
    whole.strip_suffix(&format!("-{}", tail(ask.id))).unwrap_or(whole)
}

fn new_id() -> AskId {
    AskId::at(u64::try_from(clock::wall().as_millisecond()).unwrap_or(0))
}

/// The question as clients see it. All of it was on a screen: it is cleaned and cut here, whatever read it.
pub(super) fn from_dialog(dialog: &Dialog) -> Ask {
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
        obstacle: None,
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
        obstacle: None,
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
