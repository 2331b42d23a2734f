//! From what is observed to the status that clients see.

use std::sync::Arc;
use std::sync::atomic::Ordering;

use belfry_agents::{AtPrompt, Look};
use belfry_protocol::keeper::ToKeeper;
use belfry_protocol::{Event, Status};
use belfry_status::first::{ProgramState, Prompt, Signal};
use belfry_terminal::{EventKind, ProgramStatus, Scope};

use super::deliver::LOOK_AGAIN;
use super::{Engine, take_due};

/// Quiet after which the screen is looked at: a frame is complete then, and a spinner's next is not there yet, so that a
/// busy screen costs no looks. Milliseconds.
const LOOK_AFTER: u64 = 300;

/// While output goes on, the screen is looked at this seldom, in milliseconds.
const LOOK_AT_LEAST: u64 = 5000;

/// Least time between two bells, and between two titles, that clients are told of, in milliseconds.
const BELL_EVERY: u64 = 1000;

/// See [`BELL_EVERY`].
const TITLE_EVERY: u64 = 1000;

/// Longest title that is shown, in characters.
const TITLE_LENGTH: usize = 200;

impl Engine {
    pub(super) fn observe_output(&mut self, bytes: usize, now: u64) {
        if bytes == 0 {
            return;
        }
        // What was typed went past us; it comes to mind when its echo is here.
        let typed = self.entry.typed_at.load(Ordering::Relaxed);
        if typed > self.typed_known {
            self.typed_known = typed;
            let entered = self.entry.entered_at.load(Ordering::Relaxed) == typed;
            self.arbiter.observe(if entered { Signal::Submitted } else { Signal::Typed }, typed);
        }
        self.arbiter.observe(Signal::Output(bytes), now);
        self.look_again = LOOK_AGAIN;
        self.due.verdict = Some(now);
        // While it prints, the look is put off, though not for ever.
        let latest = *self.look_by.get_or_insert(now + LOOK_AT_LEAST);
        self.due.look = Some((now + LOOK_AFTER).min(latest.max(now)));
        let mut session = self.entry.record();
        session.last_activity_at = crate::clock::wall();
    }

    /// Looks at the screen and at the foreground, some time after the last output. Nothing is polled in quiet.
    pub(super) fn tend_look(&mut self, now: u64) {
        if !take_due(&mut self.due.look, now) {
            return;
        }
        self.look_by = None;
        // It is quiet: time to pack what a flood left.
        self.terminal.compact();
        if !self.alive() {
            return;
        }
        if let Some(at_prompt) = self.at_prompt() {
            self.arbiter.observe(
                Signal::Prompt(match at_prompt {
                    AtPrompt::Yes => Prompt::Ready,
                    AtPrompt::No => Prompt::Busy,
                    AtPrompt::Dialog => Prompt::Dialog,
                }),
                now,
            );
        }
        if self.is_shell()
            && let Some(link) = &self.following.link
        {
            link.send(&ToKeeper::Stat);
        }
        self.due.verdict = Some(now);
    }

    pub(super) fn is_shell(&self) -> bool {
        self.entry.record().agent == "shell"
    }

    /// The session's agent.
    pub(super) fn agent(&self) -> Option<&belfry_agents::Agent> {
        let agent = self.entry.record().agent.clone();
        self.daemon.agents.get(&agent)
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

    /// Judges anew, and tells clients where the status has changed.
    pub(super) fn judge(&mut self, now: u64) {
        if !self.alive() {
            return;
        }
        let verdict = self.arbiter.verdict(now);
        self.due.verdict = verdict.again_at.map(|at| at.max(now + 1));
        let reason = self.arbiter.reason(now);
        let (status, since, same) = {
            let session = self.entry.record();
            let same = session.source == verdict.source.word() && session.reason == reason;
            (session.status, session.since, same)
        };
        if status == verdict.status && same {
            return;
        }
        match (status, verdict.status) {
            (Status::Waiting, Status::Waiting) => {}
            (_, Status::Waiting) => self.draft_before = self.entry.draft.load(Ordering::Relaxed),
            // What was typed meanwhile answered the question, also where no Enter followed: it is not half a message. One
            // that was begun before the question is still there.
            (Status::Waiting, _) => {
                self.entry.draft.store(std::mem::take(&mut self.draft_before), Ordering::Relaxed);
            }
            _ => {}
        }
        let turn_over = self.arbiter.turn_over(status, verdict.status);
        let looked_at = self.entry.focus.load(Ordering::Relaxed) != 0;
        self.daemon.change(&self.entry, |session| {
            if status != verdict.status {
                session.since = crate::clock::wall().max(since);
            }
            session.status = verdict.status;
            verdict.source.word().clone_into(&mut session.source);
            session.reason = reason;
            // What waits says so itself.
            let over = verdict.status != Status::Waiting && (session.unseen || turn_over);
            session.unseen = over && !looked_at;
        });
        if status == Status::Running && verdict.status != Status::Running {
            self.branch_may_have_changed();
        }
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

    /// What the terminal noticed.
    pub(super) fn event(&mut self, event: EventKind, now: u64) {
        match event {
            EventKind::Title(_) => {
                let due = (self.last_title + TITLE_EVERY).max(now);
                self.due.title.get_or_insert(due);
            }
            EventKind::Bell if self.alive() && now >= self.last_bell + BELL_EVERY => {
                self.last_bell = now;
                self.daemon.tell_all(&Event::Bell { session: self.entry.id });
            }
            EventKind::ClipboardWrite { text, primary: false } => self.clipboard(text, now),
            EventKind::ModeChange(modes) => {
                self.keyboard(modes.kitty_flags);
                if modes.focus_events && self.told_focus.is_none() {
                    // A program that asks for reports is told of each change from now on, as by any terminal.
                    self.told_focus = Some(self.entry.focus.load(Ordering::Relaxed) != 0);
                }
                self.due.look.get_or_insert(now + LOOK_AFTER);
            }
            EventKind::ProgramStatus(status) => {
                if let Some(state) = program_state(&status, &self.entry.record().agent) {
                    self.arbiter.observe(Signal::Program(state), now);
                    self.arbiter.explain(status.get("msg").and_then(shown_title));
                    self.due.verdict = Some(now);
                }
            }
            EventKind::EngineReset => {
                tracing::warn!(session = %self.entry.logged(), "the terminal engine failed on some output and was reset");
                self.views.iter_mut().for_each(|open| open.flow.miss());
            }
            _ => {}
        }
    }

    pub(super) fn tend_title(&mut self, now: u64) {
        if take_due(&mut self.due.title, now) {
            self.last_title = now;
            let title = shown_title(self.terminal.title());
            self.daemon.change(&self.entry, |session| session.title = title);
        }
    }

    pub(super) fn notice(&self, notice: Option<String>) {
        self.daemon.change(&self.entry, |session| session.notice = notice);
    }
}

/// A report of OSC 7501, if it is the session's own agent's and about the whole session. Any file that is printed can make
/// one; it changes a colour and nothing else. The outer none is no report, the inner one takes back what was reported.
#[expect(clippy::option_option, reason = "no report and a report of nothing are two things")]
fn program_state(status: &ProgramStatus, agent: &str) -> Option<Option<ProgramState>> {
    let app = match agent {
        "claude" => "claude-code",
        other => other,
    };
    if status.get("id").is_some() || status.get("app").is_some_and(|given| given != app) {
        return None;
    }
    Some(Some(match status.get("state")? {
        // With a message it says that only background shells go on: the turn is over.
        "working" if status.get("msg").is_some_and(|text| text.contains("still running")) => {
            ProgramState::Idle
        }
        "working" => ProgramState::Working,
        "blocked" => ProgramState::Blocked,
        "idle" | "done" => ProgramState::Idle,
        "error" => ProgramState::Failed,
        "clear" => return Some(None),
        _ => return None,
    }))
}

/// The title without a spinner at its front, which would make it another title ten times a second.
fn shown_title(title: &str) -> Option<String> {
    let spinner = |c: char| {
        matches!(
            c,
            '\u{2800}'
                ..='\u{28ff}'
                    | '✳'
                    | '✶'
                    | '✻'
                    | '✽'
                    | '✢'
                    | '·'
                    | '*'
                    | '●'
                    | '○'
                    | '◐'
                    | '◓'
                    | '◑'
                    | '◒'
                    | '◇'
                    | '◆'
        )
    };
    let text = title.trim_start_matches(|c: char| spinner(c) || c.is_whitespace());
    let text: String = text.chars().filter(|c| !c.is_control()).take(TITLE_LENGTH).collect();
    let text = text.trim();
    (!text.is_empty()).then(|| text.to_owned())
}

#[cfg(test)]
mod tests {
    use belfry_status::first::ProgramState;
    use belfry_terminal::ProgramStatus;

    use super::{program_state, shown_title};

    #[test]
    fn a_report_counts_only_from_the_session_s_own_agent_about_the_whole() {
        let report = |pairs: &[(&str, &str)]| {
            let pairs = pairs.iter().map(|(key, value)| ((*key).to_owned(), (*value).to_owned())).collect();
            program_state(&ProgramStatus { pairs }, "claude")
        };
        let app = ("app", "claude-code");
        assert_eq!(report(&[("state", "working"), app]), Some(Some(ProgramState::Working)));
        assert_eq!(report(&[("state", "working"), ("app", "codex")]), None);
        assert_eq!(report(&[("state", "working"), app, ("id", "7")]), None);
        let over = [("state", "working"), app, ("msg", "1 shell still running")];
        assert_eq!(report(&over), Some(Some(ProgramState::Idle)));
        assert_eq!(report(&[("state", "clear")]), Some(None));
        assert_eq!(report(&[("state", "dancing"), app]), None);
    }

    #[test]
    fn a_spinner_makes_no_new_title() {
        for title in ["⠋ Fix the tests", "⠙ Fix the tests", "✳ Fix the tests", "Fix the tests "] {
            assert_eq!(shown_title(title).as_deref(), Some("Fix the tests"));
        }
        assert_eq!(shown_title("⠋ "), None);
    }
}
