//! What has the terminal: which process, and whether it waits for the person. Only for programs of which nothing better is
//! known. The keeper is asked some moments after output or input, a few times, and then no more: nothing is polled in quiet.

use std::sync::atomic::Ordering::{Relaxed, SeqCst};

use belfry_agents::{Dialog, Place, Reading};
use belfry_platform::process;
use belfry_protocol::Status;
use belfry_protocol::keeper::{self, Stats, ToKeeper, Waits};
use belfry_protocol::signal::Source;
use belfry_status::{Observation, Silence};
use belfry_terminal::{EventKind, Scope};

use super::{Engine, take_due};
use crate::session::clean;
use crate::session::in_front::{self, Does, Seen, does};

/// Longest command that is shown, in characters.
const COMMAND: usize = 80;

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

/// Quiet after which what a program has printed last is where it stands, in milliseconds, where the system does not tell whether it
/// waits.
const STANDS: u64 = 500;

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
    /// Where a program waited before something was typed there.
    stood: Option<Stood>,
    /// What the person had typed when a program that takes keys was last seen.
    keystrokes: u64,
}

/// A program that waits, what it waits behind, and what it asks there.
struct Stood {
    pid: u32,
    row: String,
    at: u64,
    asks: Option<Box<Dialog>>,
}

struct FrontTold {
    at: u64,
    offset: u64,
    reading: Reading,
}

impl Engine {
    /// The session's own agent's rules apply.
    pub(super) fn own_rules(&mut self) {
        self.show_guest(None);
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
        (self.front.told, self.front.stood) = (None, None);
    }

    /// The program that has the terminal and takes keys, or has the whole screen: no text is for it.
    pub(super) fn open_program(&self) -> Option<String> {
        let last = self.front.last.as_ref().filter(|last| self.front_tells() && last.runs && last.keys)?;
        Some(last.command.clone().unwrap_or_else(|| "a program".to_owned()))
    }

    /// The keeper has answered.
    pub(super) fn front_told(&mut self, stats: &Stats, now: u64) {
        let pane = self.pane_stats(stats);
        let stats = pane.as_ref().unwrap_or(stats);
        let asked = self.front.asked.take().unwrap_or(now);
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
        let does = self.does(stats, asked, now);
        // What was printed since it was asked may be the question, or its end.
        let settled = stats.offset == self.terminal.offset();
        let dialog = match &does {
            Some(Does::Asks(dialog)) if settled => Some((**dialog).clone()),
            _ => None,
        };
        if settled {
            let place = if dialog.is_some() { Place::Dialog } else { Place::Unknown };
            let reading = Reading { place, dialog: dialog.clone(), ..Reading::default() };
            self.front.told = Some(FrontTold { at: now, offset: stats.offset, reading });
        } else {
            self.front.told = None;
            self.stir_front(now);
        }
        let Some(fronted) = self.fronted(stats, does.as_ref(), dialog.as_ref(), now) else {
            return self.judge(now);
        };
        self.follow_draft(&fronted);
        let same = self.front.last.as_ref() == Some(&fronted);
        self.front.apart = if same { (self.front.apart * 2).clamp(OFTEN, SELDOM) } else { OFTEN };
        self.front.last = Some(fronted.clone());
        self.observe_front(fronted, now);
    }

    /// What the program in front does, as far as its terminal and its screen tell.
    fn does(&mut self, stats: &Stats, asked: u64, now: u64) -> Option<Does> {
        let front = stats.front.as_ref()?;
        let modes = self.terminal.modes();
        if in_front::is_shell(front) && modes.bracketed_paste {
            self.front.marks_pastes = true;
        }
        let rows = self.terminal.text(Scope::Screen);
        let cursor = self.terminal.cursor();
        let at = usize::from(cursor.row).min(rows.len());
        let row = rows.get(at).map_or("", String::as_str);
        let lines = stats.lines.unwrap_or(false);
        let seen = Seen {
            row,
            column: usize::from(cursor.col),
            above: &rows[..at],
            below: rows.get(at + 1..).unwrap_or_default(),
            echo: stats.echo.unwrap_or(true),
            lines,
            alternate: modes.alternate_screen,
            unmarked: self.front.marks_pastes && !modes.bracketed_paste,
            own: self.is_own(stats),
            half_typed: self.half_typed(front, row, lines),
            quiet: now >= self.printed_at + STANDS,
            front,
        };
        if seen.half_typed
            && let Some((stood, dialog)) =
                self.front.stood.as_ref().and_then(|stood| Some((stood, stood.asks.as_ref()?)))
        {
            // It asks until it gets the answer.
            // What is cleared is not always taken off the screen: a terminal does not go back over the edge of a row.
            let half_typed = row.trim_end() != stood.row.trim_end() && self.entry.draft.load(Relaxed);
            return Some(Does::Asks(Box::new(Dialog { half_typed, ..(**dialog).clone() })));
        }
        let does = does(seen);
        if !seen.half_typed {
            let asks = if let Does::Asks(dialog) = &does { Some(dialog.clone()) } else { None };
            let stands = asks.is_some() || (seen.waits() && (lines || seen.behind_a_prompt()));
            let stood = stands.then(|| Stood { pid: front.pid, row: row.to_owned(), at: asked, asks });
            self.front.stood = stood;
        }
        Some(does)
    }

    /// Whether the session's own program has the terminal, or what it runs without giving that away.
    fn is_own(&self, stats: &Stats) -> bool {
        stats.foreground == 0 || stats.foreground == self.following.program
    }

    /// Whether the person has begun to type where a program waits. Of what is typed, a program gets nothing before Enter where it
    /// gets whole lines; an editor of lines shows it behind its prompt.
    fn half_typed(&self, front: &keeper::Front, row: &str, lines: bool) -> bool {
        let Some(stood) = &self.front.stood else { return false };
        let entry = &self.entry;
        let given = entry.entered_at.load(Relaxed).max(entry.interrupted_at.load(Relaxed));
        // An editor of lines may be busy with a key; a question is answered by one.
        let waits = front.waits != Waits::No || (!lines && stood.asks.is_none());
        stood.pid == front.pid
            && waits
            && entry.typed_at.load(Relaxed) > stood.at
            && given <= stood.at
            && (lines || row.starts_with(stood.row.trim_end()))
    }

    /// What the arbiter is told; none where nothing is to be said.
    fn fronted(
        &mut self,
        stats: &Stats,
        does: Option<&Does>,
        dialog: Option<&Dialog>,
        now: u64,
    ) -> Option<Fronted> {
        let front = stats.front.as_ref();
        let waits = front.map_or(Waits::Unknown, |front| front.waits);
        let reads = matches!(waits, Waits::Reads | Waits::Polls);
        let own = self.is_own(stats);
        let at_prompt = does == Some(&Does::AtPrompt);
        // An agent's own rules tell what it does itself; and whatever it looks like, it takes texts.
        let plain = !self.agent().is_some_and(|agent| agent.shows_what_it_holds() || agent.takes().prompt);
        let keys = matches!(does, Some(Does::Runs { keys: true }))
            || (front.is_none() && self.terminal.modes().alternate_screen);
        // One that takes keys is busy now and then, and is no less open.
        let stays =
            |last: &Fronted| last.keys && stats.lines == Some(false) && last.group == stats.foreground;
        let keys = (keys || (!at_prompt && self.front.last.as_ref().is_some_and(stays))) && (plain || !own);
        let runs = if !own || plain {
            !at_prompt
        } else {
            // It neither waits for the person nor runs another: it works, until it has been quiet for long.
            waits == Waits::No && now < self.printed_at + QUIET
        };
        let unclear = match front {
            None => own,
            Some(_) if plain || !own => false,
            // What waits for several things may wait for the person or for its own work: Node.js always looks so.
            Some(front) => {
                waits == Waits::Unknown
                    || (waits == Waits::Polls && dialog.is_none() && !in_front::is_shell(front))
            }
        };
        if unclear {
            // The session's own program, and nobody knows what it does: its output tells.
            if self.front.last.take().is_some() {
                self.observe(Observation::Lost(unclear_front()), now);
            }
            return None;
        }
        let shell = own && front.is_some_and(in_front::has_prompt);
        if shell && runs && dialog.is_none() && self.entry.record().status == Status::Starting {
            // A shell that reads its own files has not reached its prompt.
            return None;
        }
        let command = front.map(|front| clean::line(&name_of(front, stats.foreground), COMMAND));
        Some(Fronted {
            group: stats.foreground,
            runs: runs || dialog.is_some(),
            keys: keys && dialog.is_none(),
            // What a shell does itself has no name.
            command: command.filter(|_| !(shell && runs && dialog.is_none())),
            reads,
            question: dialog.map(|dialog| dialog.text.clone()),
            echo_off: stats.echo == Some(false) && stats.lines == Some(true) && dialog.is_some(),
        })
    }

    /// Keys that a program took which was open are no draft at the prompt after it.
    fn follow_draft(&mut self, fronted: &Fronted) {
        let keystrokes = self.entry.keystrokes.load(SeqCst);
        let was_open = self.front.last.as_ref().is_some_and(|last| last.runs && last.keys);
        if fronted.runs && fronted.keys {
            self.front.keystrokes = keystrokes;
        } else if was_open && !fronted.runs && keystrokes <= self.front.keystrokes + 1 {
            // The one that it was left by.
            self.entry.draft.store(false, Relaxed);
        }
    }
}

/// What people know a program by that has the terminal: the command that they gave, where that has started it (`man` its pager, a
/// script what it runs), without the directory that it was found in.
fn name_of(front: &keeper::Front, group: u32) -> String {
    let began = (front.pid != group)
        .then(|| process::ancestry(front.pid))
        .flatten()
        .is_some_and(|line| line.iter().any(|one| one.pid == group));
    let given = began.then(|| process::command_line(group)).flatten();
    let command = given.unwrap_or_else(|| front.command.clone());
    let (program, rest) = command.split_once(' ').unwrap_or((&command, ""));
    let program = program.rsplit('/').next().unwrap_or(program);
    if rest.is_empty() { program.to_owned() } else { format!("{program} {rest}") }
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
    /// Its process group.
    pub(super) group: u32,
    /// It runs, or asks; else it stands at its prompt.
    pub(super) runs: bool,
    /// It takes keys, or has the whole screen.
    pub(super) keys: bool,
    pub(super) command: Option<String>,
    pub(super) reads: bool,
    pub(super) question: Option<String>,
    pub(super) echo_off: bool,
}
