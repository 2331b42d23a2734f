//! What has the terminal: which process, and whether it waits for the person. Only for programs of which nothing better is
//! known. The keeper is asked some moments after output or input, a few times, and then no more: nothing is polled in quiet.

use belfry_agents::{Dialog, Place, Reading};
use belfry_protocol::keeper::{Stats, ToKeeper, Waits};
use belfry_protocol::signal::Source;
use belfry_status::{Observation, Silence};
use belfry_terminal::{EventKind, Scope};

use super::{Engine, take_due};
use crate::session::clean;
use crate::session::question::{self, Seen};

/// When the keeper is asked after the last output or input, in milliseconds: a question is printed at once and read a moment
/// later; a program takes a while to start.
const LOOKS: [u64; 4] = [60, 250, 800, 2000];

/// While output goes on and what has the terminal stays the same, the keeper is asked more and more seldom: from this on, in
/// milliseconds, to [`SELDOM`]. A spinner of ten frames a second must not cost ten looks.
const OFTEN: u64 = 100;

/// See [`OFTEN`].
const SELDOM: u64 = 2000;

/// Quiet after which a program that does not wait for the person counts as idle all the same, in milliseconds.
const QUIET: u64 = 2000;

/// While an answer is being given, what was told is old after this, in milliseconds.
const OLD: u64 = 100;

/// What the keeper said last, and when it is asked again.
#[derive(Default)]
pub(super) struct Front {
    /// It was asked then, and has not answered.
    asked: Option<u64>,
    /// The output or input that the looks follow on.
    stirred: u64,
    /// The next of the looks.
    look: usize,
    /// When it was asked last, and how long until it is asked again while output goes on.
    asked_at: u64,
    apart: u64,
    /// What was told last, as far as a status rests on it.
    last: Option<Fronted>,
    told: Option<FrontTold>,
    /// The process group that had the terminal when that was last told, and when.
    pub(super) group: Option<u32>,
    pub(super) told_at: u64,
    /// The group, and the process in front with its name and command, among which there was no agent: a program that draws all the
    /// time has its processes looked for once, and not at each look.
    pub(super) strangers: Option<(u32, u32, String, String)>,
    /// The last report of a program's state, while nobody knew whose it is.
    pub(super) reported: Option<EventKind>,
    /// A shell here marks pastes at its prompt.
    pub(super) marks_pastes: bool,
}

struct FrontTold {
    at: u64,
    offset: u64,
    reading: Reading,
}

impl Engine {
    /// The session's own agent's rules apply.
    pub(super) fn own_rules(&mut self) {
        let own = self.entry.session();
        (self.guest, self.awaits_front) = (None, false);
        (self.version, self.agent_id) = (self.daemon.version_of(&own), own.agent);
    }

    /// Whether what has the terminal tells of the session's own program.
    pub(super) fn watches_front(&self) -> bool {
        let version = None;
        let own = self.entry.record().agent.clone();
        self.agents
            .get(&own)
            .is_some_and(|agent| agent.trust(version).iter().any(|(source, _)| *source == Source::Foreground))
    }

    /// The question that the program in front asks, as far as was told last.
    pub(super) fn front_dialog(&self) -> Option<Dialog> {
        self.front.told.as_ref()?.reading.dialog.clone()
    }

    /// Something was printed or typed.
    pub(super) fn stir_front(&mut self, now: u64) {
        if !self.watched_front {
            return;
        }
        self.front.stirred = now;
        self.front.look = 0;
        let due = (now + LOOKS[0]).max(self.front.asked_at + self.front.apart);
        // While it prints without a pause, the look is not put off.
        self.due.front = Some(self.due.front.map_or(due, |before| due.min(before)));
    }

    /// Somebody typed: what has the terminal may be another process in a moment.
    pub(super) fn stir_front_soon(&mut self, now: u64) {
        self.front.apart = OFTEN;
        self.stir_front(now);
    }

    /// It is asked then, or sooner.
    pub(super) fn ask_front_at(&mut self, at: u64) {
        self.due.front = Some(self.due.front.map_or(at, |due| due.min(at)));
    }

    pub(super) fn tend_front(&mut self, now: u64) {
        if take_due(&mut self.due.front, now) {
            self.ask_front(now);
            self.front.look += 1;
            let next = LOOKS.get(self.front.look).map(|after| self.front.stirred + after);
            self.due.front = next.map(|next| next.max(now + self.front.apart.max(1)));
        }
    }

    fn ask_front(&mut self, now: u64) {
        // One question at a time; an answer that does not come in a second is not waited for.
        if self.front.asked.is_some_and(|asked| now >= asked + 1000) {
            self.front.asked = None;
        }
        if let Some(link) = &self.following.link
            && self.front.asked.is_none()
        {
            link.send(&ToKeeper::Stat);
            self.front.asked = Some(now);
            self.front.asked_at = now;
        }
    }

    /// What is known of the terminal's front at that offset; asks where that is not, or no longer.
    pub(super) fn front_reading(&mut self, now: u64, offset: u64) -> Option<Reading> {
        let told = self.front.told.as_ref().filter(|told| told.offset == offset);
        let typed = self.entry.typed_at.load(std::sync::atomic::Ordering::Relaxed);
        // Told right after a key, it may not have begun what was typed.
        let begun = typed.saturating_add(if typed == 0 { 0 } else { OLD });
        let fresh = told.filter(|told| told.at >= begun && (!self.answers() || now < told.at + OLD));
        let reading = fresh.map(|told| told.reading.clone());
        if reading.is_none() {
            self.ask_front(now);
            self.due.sight = Some(now + OLD);
        }
        reading
    }

    /// Forgets what was told: something was typed, and another process may have the terminal now.
    pub(super) fn front_is_old(&mut self) {
        self.front.told = None;
    }

    /// The keeper has answered.
    pub(super) fn front_told(&mut self, stats: &Stats, now: u64) {
        self.front.asked = None;
        (self.front.group, self.front.told_at) = (Some(stats.foreground).filter(|group| *group != 0), now);
        self.meet(stats, now);
        self.settle_meant(now);
        if std::mem::take(&mut self.awaits_front) && !self.following.rung {
            self.observe(Observation::CaughtUp, now);
        }
        if self.guest_acts() {
            // Its own signs tell what it does; what has the terminal tells only when it goes.
            self.front.apart = (self.front.apart * 2).clamp(OFTEN, SELDOM);
            (self.front.told, self.front.last) = (None, None);
            return self.judge(now);
        }
        if stats.front.as_ref().is_some_and(question::is_shell) && self.terminal.modes().bracketed_paste {
            self.front.marks_pastes = true;
        }
        let unmarked = self.front.marks_pastes && !self.terminal.modes().bracketed_paste;
        let dialog = stats.front.as_ref().and_then(|front| {
            let rows = self.terminal.text(Scope::Screen);
            let cursor = self.terminal.cursor();
            let row = usize::from(cursor.row).min(rows.len());
            question::question(Seen {
                row: rows.get(row).map_or("", String::as_str),
                above: &rows[..row],
                echo: stats.echo.unwrap_or(true),
                lines: stats.lines.unwrap_or(false),
                alternate: self.terminal.modes().alternate_screen,
                unmarked,
                front,
            })
        });
        // What was printed since it was asked may be the question, or its end.
        let settled = stats.offset == self.terminal.offset();
        let dialog = dialog.filter(|_| settled);
        if settled {
            let place = if dialog.is_some() { Place::Dialog } else { Place::Unknown };
            let reading = Reading { place, dialog: dialog.clone(), ..Reading::default() };
            self.front.told = Some(FrontTold { at: now, offset: stats.offset, reading });
        } else {
            self.front.told = None;
            self.stir_front(now);
        }
        let front = stats.front.as_ref();
        // A shell within the shell, at its prompt.
        let (echo, lines) = (stats.echo.unwrap_or(false), stats.lines.unwrap_or(true));
        let at_prompt = front.is_some_and(|front| question::edits_a_line(front, echo, lines, unmarked));
        let group = stats.foreground;
        let other = group != 0 && group != self.following.program && !at_prompt;
        let waits = front.map_or(Waits::Unknown, |front| front.waits);
        let reads = matches!(waits, Waits::Reads | Waits::Polls);
        // What waits for several things may wait for the person or for its own work: Node.js always looks so.
        let unclear = waits == Waits::Unknown
            || (waits == Waits::Polls && dialog.is_none() && !front.is_some_and(question::is_shell));
        if !other && unclear {
            // The session's own program, and nobody knows what it does: its output tells.
            if self.front.last.take().is_some() {
                self.observe(Observation::Lost(unclear_front()), now);
            }
            return self.judge(now);
        }
        // It neither waits for the person nor runs another: it works, until it has been quiet for long.
        let busy = waits == Waits::No && now < self.printed_at + QUIET;
        let works = other || busy;
        let fronted = Fronted {
            other: works || dialog.is_some(),
            command: front.filter(|_| works).map(|front| clean::line(&front.command, 80)),
            reads,
            question: dialog.as_ref().map(|dialog| dialog.text.clone()),
            echo_off: stats.echo == Some(false) && stats.lines == Some(true) && dialog.is_some(),
        };
        let same = self.front.last.as_ref() == Some(&fronted);
        self.front.apart = if same { (self.front.apart * 2).clamp(OFTEN, SELDOM) } else { OFTEN };
        self.front.last = Some(fronted.clone());
        self.observe_front(fronted, now);
    }
}

fn unclear_front() -> Silence {
    Silence {
        source: Source::Foreground,
        why: "the program waits for several things, and the terminal may or may not be one".to_owned(),
        costs: "whether it works is told by its output alone".to_owned(),
    }
}

/// What the arbiter is told of the terminal's front.
#[derive(Clone, PartialEq, Eq)]
pub(super) struct Fronted {
    /// Another program than the session's own, or a question of whichever.
    pub(super) other: bool,
    pub(super) command: Option<String>,
    pub(super) reads: bool,
    pub(super) question: Option<String>,
    pub(super) echo_off: bool,
}
