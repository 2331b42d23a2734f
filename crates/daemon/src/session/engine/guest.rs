//! An agent that somebody has started by hand in a shell's session.
//!
//! While it has the terminal, its own rules apply in place of the shell's: how its screen is read, what it reports, how its
//! questions are answered and texts are typed. When it goes, the shell's apply again. The session's agent, and with it
//! what may be done from inside the session, stays as it is.

use belfry_agents::Process;
use belfry_platform::process::{self, Identity};
use belfry_protocol::explain::{Evidence, Weight};
use belfry_protocol::keeper::Stats;
use belfry_protocol::signal::Source;
use belfry_status::{Arbiter, Observation};
use belfry_terminal::EventKind;

use super::Engine;
use super::start::STARTS;
use super::watching::known;
use crate::watch::Watch;

/// An agent in the shell's terminal.
#[derive(Clone, Debug)]
pub(super) struct Guest {
    agent: String,
    pub(super) process: Identity,
    /// Its process group.
    group: u32,
    /// It has drawn an interface of its own: its rules apply. Without one (`claude -p`) it is a command like any other.
    acts: bool,
    since: u64,
}

impl Engine {
    /// Whether the rules that apply are a guest's.
    pub(super) fn guest_acts(&self) -> bool {
        self.guest.as_ref().is_some_and(|guest| guest.acts)
    }

    /// Whether what has the terminal tells of the program whose rules apply.
    pub(super) fn front_tells(&self) -> bool {
        self.watched_front && !self.guest_acts()
    }

    /// What people call the guest.
    pub(super) fn guest_name(&self) -> Option<String> {
        let guest = self.guest.as_ref()?;
        Some(
            self.agents.get(&guest.agent).map_or(guest.agent.as_str(), belfry_agents::Agent::name).to_owned(),
        )
    }

    /// The keeper has told which processes have the terminal.
    pub(super) fn meet(&mut self, stats: &Stats, now: u64) {
        let found = self.recognise(stats);
        let left = self
            .guest
            .as_ref()
            .is_some_and(|guest| found.as_ref().is_none_or(|(_, process)| *process != guest.process));
        if left {
            self.guest_leaves(now);
        }
        if let Some((agent, process)) = found
            && self.guest.is_none()
        {
            let group = stats.foreground;
            self.guest = Some(Guest { agent, process, group, acts: false, since: now });
        }
        // No agent's interface gets whole lines, and no line editor of a shell's is in front of it.
        if stats.lines == Some(false) && self.guest.is_some() && !self.guest_acts() {
            self.guest_begins(now);
        }
    }

    /// The agent among the processes that have the terminal.
    fn recognise(&mut self, stats: &Stats) -> Option<(String, Identity)> {
        let front = stats.front.as_ref();
        let seen = front
            .map(|front| (stats.foreground, front.pid, front.name.clone(), front.command.clone()))
            .filter(|_| self.guest.is_none());
        if seen.is_some() && seen == self.front.strangers {
            return None;
        }
        let found = self.search(stats);
        self.front.strangers = seen.filter(|_| found.is_none());
        found
    }

    fn search(&self, stats: &Stats) -> Option<(String, Identity)> {
        let leader = Identity::of(stats.foreground)?;
        if let Some(guest) = &self.guest
            && guest.group == stats.foreground
            && guest.process.is_alive()
        {
            return Some((guest.agent.clone(), guest.process));
        }
        // The one that waits for keys, and what it was started by: a script, a package runner.
        let mut near =
            stats.front.as_ref().and_then(|front| process::ancestry(front.pid)).unwrap_or_default();
        let program = near.iter().position(|one| one.pid == self.following.program);
        near.truncate(program.map_or(1, |program| program + 1));
        let own = self.entry.record().agent.clone();
        [leader].into_iter().chain(near).find_map(|one| {
            let (name, argv) = (process::name(one.pid)?, process::arguments(one.pid));
            let agent = self.agents.recognise(Process { name: &name, argv: &argv })?;
            let found = (agent.id() != own).then(|| (agent.id().to_owned(), one));
            found.filter(|(_, one)| one.is_alive())
        })
    }

    fn guest_begins(&mut self, now: u64) {
        let Some(guest) = &mut self.guest else { return };
        (guest.acts, guest.since) = (true, now);
        let (agent, process) = (guest.agent.clone(), guest.process);
        tracing::info!(session = %self.entry.logged(), agent, "an agent was started in the shell");
        self.show_guest(Some(&agent));
        (self.agent_id, self.version) = (agent, None);
        let arbiter = if self.awaits_front {
            // It was there before this daemon was.
            let (last, source) = self.last_known();
            Arbiter::resumed(self.table(), last, source, now)
        } else {
            self.young_until = now + STARTS;
            Arbiter::new(self.table(), now)
        };
        *self.watch = Watch::new(arbiter);
        let known = known(&self.agents, &self.agent_id, self.version.as_deref());
        self.watch.take_up(&self.terminal, known, self.front.reported.as_ref(), now);
        self.last_sight = None;
        self.watch_files_of(process);
        self.due.verdict = Some(now);
    }

    fn guest_leaves(&mut self, now: u64) {
        let Some(guest) = self.guest.take() else { return };
        if guest.acts {
            tracing::info!(session = %self.entry.logged(), "the shell has its terminal back");
            self.show_guest(None);
            let own = self.entry.session();
            (self.version, self.agent_id) = (self.daemon.version_of(&own), own.agent);
            let mut arbiter = Arbiter::resumed(self.table(), own.status, Source::Foreground, now);
            arbiter.observe(Observation::CaughtUp, now);
            *self.watch = Watch::new(arbiter);
            self.watch.resized(&self.terminal, now);
            self.last_sight = None;
            self.shell_said = super::ShellSaid::default();
            self.answer_ended("the agent that asked has left the terminal");
            self.entry.draft.store(false, std::sync::atomic::Ordering::Relaxed);
            self.watch_files();
            self.due.verdict = Some(now);
        }
        self.front.reported = None;
        self.messages_of_guest(guest.process, guest.agent.as_str());
    }

    /// A report of the program's state, which a guest may have made before it was known to be there.
    pub(super) fn note_report(&mut self, event: &EventKind) {
        if let EventKind::ProgramStatus(status) = event
            && status.get("id").is_none()
        {
            self.front.reported = Some(event.clone());
        }
    }

    /// Whether the terminal is still the same process group's as when that was last told. Looked at right before something is
    /// typed, and whenever something was printed while a guest is there: what it left on the screen still looks like it.
    pub(super) fn front_is_same(&self) -> bool {
        let Some(group) = self.front.group else { return true };
        let guest_lives = self.guest.as_ref().is_none_or(|guest| guest.process.is_alive());
        guest_lives && process::terminal_group(self.following.program).is_none_or(|now| now == group)
    }

    /// That a guest's rules apply, for whoever wants to know why.
    pub(super) fn guest_evidence(&self, now: u64) -> Option<Evidence> {
        let (guest, name) = (self.guest.as_ref().filter(|guest| guest.acts)?, self.guest_name()?);
        Some(Evidence {
            source: Source::Foreground,
            says: None,
            what: format!("{name} was started by hand and has the terminal: its rules apply until it goes"),
            age_ms: now.saturating_sub(guest.since),
            weight: Weight::Adds,
            why: None,
        })
    }
}
