//! What is different about a session that is a pane of tmux: its program is the pane's, and not the bridge that carries it.

use belfry_protocol::keeper::Stats;

use super::Engine;
use crate::local::bridge::Bridge;
use crate::local::front;

/// The one report that tmux does not answer itself, and agents ask for.
const REPORTS: &[u8] = b"\x1b]7501;";

/// Whether a reply of the terminal's is typed. In an adopted pane tmux is the terminal that the program asked, and has answered.
pub(super) fn is_ours_to_answer(adopted: bool, reply: &[u8]) -> bool {
    !adopted || reply.starts_with(REPORTS)
}

impl Engine {
    pub(super) fn bridge(&self) -> Option<Bridge> {
        Bridge::of(&self.entry.record())
    }

    /// The process to look at is the pane's.
    pub(super) fn take_pane_for_program(&mut self) {
        let Some(bridge) = self.bridge() else { return };
        self.following.program = bridge.pane_pid;
        self.daemon.change(&self.entry, |session| session.pid = Some(bridge.pane_pid));
    }

    /// What has the pane's terminal, in place of what has the bridge's.
    pub(super) fn pane_stats(&self, told: &Stats) -> Option<Stats> {
        let bridge = self.bridge()?;
        let tty = self.entry.record().local.as_ref().and_then(|local| local.tty.clone());
        Some(front::of_pane(told, bridge.pane_pid, tty.as_deref()))
    }

    /// The agent that was started by hand, for everybody to see.
    pub(super) fn show_guest(&self, agent: Option<&str>) {
        self.daemon.change(&self.entry, |session| session.guest = agent.map(str::to_owned));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tmux_answers_what_it_is_asked() {
        assert!(is_ours_to_answer(false, b"\x1b[?62c"));
        assert!(!is_ours_to_answer(true, b"\x1b[?62c"));
        assert!(is_ours_to_answer(true, b"\x1b]7501;?1\x1b\\"));
    }
}
