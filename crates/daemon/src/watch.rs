//! From what a session's terminal does to what is known of the session: the one path that the daemon takes while a program
//! runs, and `cargo xtask bench status` when it replays a recording.
//!
//! Knows no clock, file or task: it is told what was printed and when, and says when it wants to be called again. Between
//! two readings of the screen lies the question whether anything changed that could matter: only rows that were written to
//! are looked at, and only where words changed are the agent's rules asked at once. A spinner that turns ten times a second
//! is read once a second.

mod copy;
mod pace;
mod says;
mod signs;
mod table;

use belfry_agents::{Agent, Reading};
use belfry_status::{Arbiter, Observation, Verdict};
use belfry_terminal::{EventKind, Modes, Terminal};

use self::copy::{Change, ScreenCopy};
use self::pace::Pace;

pub use self::table::table;

/// The agent that runs in the terminal, with its rules.
#[derive(Clone, Copy, Debug)]
pub struct Known<'a> {
    /// The agent.
    pub agent: &'a Agent,
    /// The version of its program, where that is known.
    pub version: Option<&'a str>,
}

/// What follows the terminal of one run. Times are in milliseconds of any steady clock.
#[derive(Debug, Default)]
pub struct Watch {
    arbiter: Arbiter,
    copy: ScreenCopy,
    pace: Pace,
    reading: Reading,
    /// What was read is whole, and the arbiter has been told.
    told: bool,
    /// The modes that were on when they last changed.
    modes: Modes,
    /// The title said something.
    titled: bool,
    /// The name by which the last report of a program's state counted.
    reported: Option<String>,
    eyes_only: bool,
}

impl Watch {
    /// A run of which the arbiter knows what it knows.
    pub fn new(arbiter: Arbiter) -> Self {
        Self { arbiter, ..Self::default() }
    }

    /// The same without any signal but the screen, the output and the keys: to measure what those are worth.
    #[must_use]
    pub fn eyes_only(self) -> Self {
        Self { eyes_only: true, ..self }
    }

    /// The arbiter, for what is observed elsewhere than in the terminal.
    pub fn arbiter(&mut self) -> &mut Arbiter {
        &mut self.arbiter
    }

    /// Whether the screen has been read, and was whole then.
    pub fn has_read(&self) -> bool {
        self.told
    }

    /// What follows now.
    pub fn verdict(&self, now: u64) -> Verdict {
        self.arbiter.verdict(now)
    }

    /// What the screen said when it was last read.
    pub fn reading(&self) -> &Reading {
        &self.reading
    }

    /// So many bytes were printed and fed, with these events. Call it once for each piece, right after
    /// [`Terminal::feed`].
    pub fn printed(
        &mut self,
        terminal: &mut Terminal,
        known: Option<Known<'_>>,
        bytes: usize,
        events: &[EventKind],
        now: u64,
    ) {
        if bytes == 0 {
            return;
        }
        self.arbiter.observe(Observation::Output(bytes), now);
        let frame_ended = self.events(known, events, now);
        if self.pace.printed(now, terminal.modes().synchronized, frame_ended) {
            self.look(terminal, known, true, now);
        }
    }

    /// The terminal has another size: what comes is no work.
    pub fn resized(&mut self, terminal: &Terminal, now: u64) {
        self.arbiter.observe(Observation::Touched, now);
        self.pace.printed(now, terminal.modes().synchronized, false);
    }

    /// The terminal of which this knows nothing yet is another agent's from now on, which may have drawn on it and told it
    /// things already: its title, its modes, and the last report of a program's state.
    pub fn take_up(
        &mut self,
        terminal: &Terminal,
        known: Option<Known<'_>>,
        reported: Option<&EventKind>,
        now: u64,
    ) {
        if let Some(known) = known {
            let title = Some(terminal.title()).filter(|title| !title.is_empty());
            let told = [title.map(|title| EventKind::Title(title.to_owned()))];
            let told = told.into_iter().flatten().chain([EventKind::ModeChange(terminal.modes())]);
            told.chain(reported.cloned()).for_each(|event| self.sign(known, &event, now));
        }
        self.modes = terminal.modes();
        self.pace.printed(now, self.modes.synchronized, false);
    }

    /// The person or a client typed.
    pub fn typed(&mut self, bytes: &[u8], now: u64) {
        for observation in signs::keys(bytes) {
            self.arbiter.observe(observation, now);
        }
    }

    /// When [`Watch::tick`] has something to do.
    pub fn due(&self) -> Option<u64> {
        self.pace.due()
    }

    /// It may be time to look at the screen. True when it was looked at.
    pub fn tick(&mut self, terminal: &mut Terminal, known: Option<Known<'_>>, now: u64) -> bool {
        let due = self.pace.due().is_some_and(|due| due <= now);
        if due {
            self.look(terminal, known, false, now);
        }
        due
    }

    /// Reads the screen as it is, whatever has been read before: before an answer is typed, and after it.
    pub fn read(&mut self, terminal: &mut Terminal, known: Known<'_>) -> Reading {
        self.copy.follow(terminal, known.agent.wants_highlights());
        known.agent.read(known.version, &self.copy.view())
    }

    /// The terminal shows what another one does, drawn anew: nothing was printed that could tell of work.
    pub(crate) fn shown(&mut self, terminal: &mut Terminal, known: Known<'_>, now: u64) {
        let title = terminal.title().to_owned();
        self.sign(known, &EventKind::Title(title), now);
        let reading = self.read(terminal, known);
        let observation = if self.told && reading == self.reading {
            Observation::Looked
        } else {
            Observation::Screen(says::screen(&reading, true))
        };
        self.arbiter.observe(observation, now);
        (self.told, self.reading) = (true, reading);
    }

    fn events(&mut self, known: Option<Known<'_>>, events: &[EventKind], now: u64) -> bool {
        let mut frame_ended = false;
        for event in events {
            if let EventKind::ModeChange(modes) = event {
                frame_ended |= self.modes.synchronized && !modes.synchronized;
            }
            if let Some(known) = known.filter(|_| !self.eyes_only) {
                self.sign(known, event, now);
            }
            if let EventKind::ModeChange(modes) = event {
                self.modes = *modes;
            }
        }
        frame_ended
    }

    fn sign(&mut self, known: Known<'_>, event: &EventKind, now: u64) {
        for emitted in signs::emitted(event, &self.modes) {
            let sign = known.agent.sign(known.version, emitted);
            let title = matches!(event, EventKind::Title(_));
            if title && sign.is_none() && std::mem::take(&mut self.titled) {
                self.arbiter.observe(signs::untitled(), now);
            }
            self.titled |= title && sign.is_some();
            if let EventKind::ProgramStatus(status) = event {
                if sign.as_ref().is_some_and(|sign| sign.says.is_some()) {
                    self.reported = Some(status.get("app").unwrap_or_default().to_owned());
                } else if signs::withdraws(status, self.reported.as_deref()) {
                    self.reported = None;
                    self.arbiter.observe(signs::withdrawn(), now);
                }
            }
            let Some(sign) = sign else { continue };
            for observation in signs::observations(emitted, sign) {
                self.arbiter.observe(observation, now);
            }
        }
    }

    fn look(&mut self, terminal: &mut Terminal, known: Option<Known<'_>>, frame_ended: bool, now: u64) {
        let highlights = known.is_some_and(|known| known.agent.wants_highlights());
        let change = self.copy.follow(terminal, highlights);
        let settled = self.pace.look(now, frame_ended);
        let Some(known) = known else { return };
        if !self.pace.reads(change, settled, now) {
            // Words as they were: whatever it said, it says still.
            if settled && self.told && change != Change::Words {
                self.arbiter.observe(Observation::Looked, now);
            }
            return;
        }
        let reading = known.agent.read(known.version, &self.copy.view());
        let same = reading == self.reading;
        self.pace.has_read(now, settled, same);
        if same && self.told && settled {
            self.arbiter.observe(Observation::Looked, now);
            return;
        }
        self.arbiter.observe(Observation::Screen(says::screen(&reading, settled)), now);
        self.told = settled;
        self.reading = reading;
    }
}

#[cfg(test)]
mod tests {
    use belfry_agents::Agents;
    use belfry_protocol::Status;
    use belfry_protocol::signal::{Says, Source};
    use belfry_status::Arbiter;
    use belfry_terminal::{Options, Size, Terminal};

    use super::{Known, Watch, table};

    #[test]
    fn a_report_that_is_withdrawn_says_nothing_any_more() {
        let agents = Agents::built_in();
        let known = agents.get("claude").map(|agent| Known { agent, version: None });
        let mut watch = Watch::new(Arbiter::new(table(known), 0));
        let mut terminal = Terminal::new(Size::new(80, 24), Options::default());
        let mut tell = |watch: &mut Watch, pairs: &str, now: u64| {
            let (bytes, at) = (format!("\x1b]7501;{pairs}\x1b\\"), terminal.offset());
            let events: Vec<_> =
                terminal.feed(bytes.as_bytes(), at).events.into_iter().map(|event| event.kind).collect();
            watch.printed(&mut terminal, known, bytes.len(), &events, now);
            let evidence = watch.arbiter().evidence(now);
            evidence.into_iter().find(|one| one.source == Source::Program).and_then(|one| one.says)
        };
        assert_eq!(tell(&mut watch, "state=blocked:app=claude-code", 1000), Some(Says::Asking));
        assert_eq!(watch.verdict(1000).status, Status::Waiting);
        assert_eq!(tell(&mut watch, "state=clear:app=other", 1100), Some(Says::Asking), "another's");
        assert_eq!(tell(&mut watch, "state=clear:id=b1", 1200), Some(Says::Asking), "a task's end");
        assert_eq!(tell(&mut watch, "state=clear:app=claude-code", 1300), None);
        assert_eq!(tell(&mut watch, "state=blocked:app=claude-code", 1400), Some(Says::Asking));
        assert_eq!(tell(&mut watch, "state=clear", 1500), None);
    }
}
