//! What is observed of the session, on its way to the arbiter.

use std::sync::atomic::Ordering;

use belfry_agents::Agents;
use belfry_protocol::signal::{Says, Source};
use belfry_status::{Foreground, Observation, Word};
use belfry_terminal::PromptMark;

use super::front::Fronted;
use super::{Engine, take_due};
use crate::watch::{Known, table};

/// Quiet after which what a flood left is packed, in milliseconds.
const PACK_AFTER: u64 = 300;

/// While output goes on, that is done this seldom, in milliseconds.
const PACK_AT_LEAST: u64 = 5000;

/// How long a word of the shell's integration may be ahead of what the keeper sees, in milliseconds: a command that has begun
/// has the terminal a moment later.
const AHEAD: u64 = 300;

/// What the shell's integration said last. Any file that is printed can say it.
#[derive(Clone, Copy, Default)]
pub(super) struct ShellSaid {
    works: Option<bool>,
    at: u64,
}

/// The agent with its rules, as what follows the terminal wants to know it.
pub(super) fn known<'a>(agents: &'a Agents, id: &str, version: Option<&'a str>) -> Option<Known<'a>> {
    agents.get(id).map(|agent| Known { agent, version })
}

impl Engine {
    pub(super) fn known(&self) -> Option<Known<'_>> {
        known(&self.agents, &self.agent_id, self.version.as_deref())
    }

    /// How far this agent's sources are trusted.
    pub(super) fn table(&self) -> belfry_status::Table {
        table(self.known())
    }

    pub(super) fn observe(&mut self, observation: Observation, now: u64) {
        self.watch.arbiter().observe(observation, now);
        self.due.verdict = Some(now);
    }

    /// Something was printed, and the terminal has been watched while it was fed.
    pub(super) fn observe_output(&mut self, bytes: usize, now: u64) {
        if bytes == 0 {
            return;
        }
        self.printed_at = now;
        self.look_again = super::deliver::LOOK_AGAIN;
        self.due.verdict = Some(now);
        let latest = *self.pack_by.get_or_insert(now + PACK_AT_LEAST);
        self.due.pack = Some((now + PACK_AFTER).min(latest));
        if self.guest.is_some() && !self.front_is_same() {
            self.stir_front_soon(now);
        } else {
            self.stir_front(now);
        }
        self.entry.record().last_activity_at = crate::clock::wall();
    }

    /// What was typed went past us, straight to the keeper.
    pub(super) fn observe_typing(&mut self, now: u64) {
        let entry = &self.entry;
        let times = [&entry.touched_at, &entry.typed_at, &entry.entered_at, &entry.interrupted_at]
            .map(|at| at.load(Ordering::Relaxed));
        let newest = times.into_iter().max().unwrap_or(0);
        if newest <= self.typed_known {
            return;
        }
        let kinds =
            [Observation::Touched, Observation::Typed, Observation::Submitted, Observation::Interrupted];
        for (at, observation) in times.into_iter().zip(kinds) {
            if at > self.typed_known {
                self.watch.arbiter().observe_dated(observation, at, now);
            }
        }
        self.typed_known = newest;
        self.due.verdict = Some(now);
        self.stir_front_soon(now);
    }

    /// Looks at the screen when that is due.
    pub(super) fn tend_look(&mut self, now: u64) {
        if take_due(&mut self.due.pack, now) {
            self.pack_by = None;
            self.terminal.compact();
        }
        self.due.look = None;
        if !self.alive() {
            return;
        }
        let known = known(&self.agents, &self.agent_id, self.version.as_deref());
        if self.watch.tick(&mut self.terminal, known, now) {
            self.due.verdict = Some(now);
        }
        self.due.look = self.watch.due().map(|due| due.max(now + 1));
    }

    /// What has the terminal, as far as that tells anything.
    pub(super) fn observe_front(&mut self, front: Fronted, now: u64) {
        let Fronted { group: _, runs, keys, command, reads, question, echo_off } = front;
        let front = Foreground { runs, keys, command, reads_terminal: reads, question, echo_off };
        self.observe(Observation::Foreground(front), now);
        if self.shell_said.works.is_some_and(|works| works != runs) && now >= self.shell_said.at + AHEAD {
            self.shell_said.works = None;
            let what = "the terminal's foreground says otherwise";
            self.observe(Observation::Word(Word::new(Source::Shell, None, what)), now);
        }
        self.judge(now);
    }

    /// A mark of the shell's integration (OSC 133).
    pub(super) fn prompt_mark(&mut self, mark: PromptMark, now: u64) {
        let (works, what) = match mark {
            PromptMark::PromptStart => (false, "the shell shows its prompt".to_owned()),
            PromptMark::OutputStart => (true, "the shell runs a command".to_owned()),
            PromptMark::CommandEnd(Some(code)) => (false, format!("the command ended with {code}")),
            PromptMark::CommandEnd(None) => (false, "the command ended".to_owned()),
            PromptMark::CommandStart => return,
        };
        // The prompt that follows on a command's end says nothing new.
        if matches!(mark, PromptMark::PromptStart) && self.shell_said.works == Some(false) {
            return;
        }
        self.shell_said = ShellSaid { works: Some(works), at: now };
        let says = if works { Says::Working } else { Says::Idle };
        self.observe(Observation::Word(Word::new(Source::Shell, says, what)), now);
        self.stir_front_soon(now);
    }
}
