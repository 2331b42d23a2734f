//! What the agent's own files and hooks tell.

use std::sync::Arc;

use belfry_platform::process::{self, Identity};
use belfry_protocol::Source;

use super::Engine;
use super::start::STARTS;
use crate::clock;
use crate::conversations::ledger;
use crate::session::Command;
use crate::sources::{Alive, SourceSignal, Subject, has_secret, observations, silent};

/// Conversations that a run has left and that are remembered.
const MOST_LEFT: usize = 64;

impl Engine {
    /// Follows the agent's files of the run, now that its program is known.
    pub(super) fn watch_files(&mut self) {
        self.left.clear();
        let subject = Identity::of(self.following.program).map(|program| {
            let session = self.entry.record();
            Subject {
                agent: session.agent.clone(),
                program,
                cwd: session.cwd.clone(),
                conversation: session.conversation_id.clone(),
            }
        });
        self.follow_files(subject, has_secret(&self.following.dir));
    }

    /// Follows the files of an agent that was started by hand, and so without any hooks.
    pub(super) fn watch_files_of(&mut self, program: Identity) {
        let cwd = process::directory(program.pid).unwrap_or_else(|| self.entry.record().cwd.clone());
        let subject = Subject { agent: self.agent_id.clone(), program, cwd, conversation: None };
        self.follow_files(Some(subject), false);
    }

    fn follow_files(&mut self, subject: Option<Subject>, hooked: bool) {
        let entry = Arc::clone(&self.entry);
        let tell = move |signal| {
            entry.tell_if_running(Command::Source(Box::new(signal)));
        };
        self.watching = subject.and_then(|subject| self.daemon.sources.watch(subject, Box::new(tell)));
        self.subagents = Alive::new();
        for silence in silent(&self.agent_id, hooked) {
            self.observe(silence, self.now());
        }
    }

    pub(super) fn source(&mut self, signal: &SourceSignal) {
        if !self.alive() {
            return;
        }
        // A guest's conversation is not what the session would be resumed with.
        if let Some(conversation) = signal.told.conversation.as_ref().filter(|_| !self.guest_acts()) {
            self.in_conversation(&conversation.clone(), signal.source);
        }
        let now = self.now();
        for observation in observations(signal, &mut self.subagents) {
            self.watch.arbiter().observe_dated(observation, signal.at, now);
        }
        // Also a question that is told of since an answer is another one.
        if signal.told.says.is_some() {
            self.went_on(signal.at);
        }
        self.due.verdict = Some(now);
        if !self.messages.waiting.is_empty() && matches!(signal.source, Source::Hook) {
            // It may have waited for just that.
            self.due.delivery.get_or_insert(now);
        }
    }

    /// The conversation of which the run begins with a copy, while that is being made: some agents make it when they show their
    /// prompt already, and what is typed before would begin a conversation of its own.
    pub(super) fn copies_now(&self) -> Option<String> {
        let session = self.entry.record();
        let begun = session.runs.first()?.started_at;
        let lately = clock::wall().duration_since(begun).as_millis() < i128::from(STARTS);
        let command = &session.command;
        let after = |word: &str| command.iter().skip_while(|known| *known != word).nth(1).cloned();
        match session.agent.as_str() {
            _ if !lately => None,
            "codex" if command.get(1).is_some_and(|word| word == "fork") => after("fork"),
            "opencode" if command.iter().any(|word| word == "--fork") => after("-s"),
            _ => None,
        }
    }

    /// The session is in that conversation from now on. Where a hook has said that it left it, a file that still names it is late:
    /// Claude Code's list goes on with the one before a `/resume` for a while.
    fn in_conversation(&mut self, conversation: &str, source: Source) {
        let known = self.entry.record().conversation_id.clone();
        if known.as_deref() == Some(conversation) {
            return;
        }
        // Codex has the one that it copies open for a moment.
        if source != Source::Hook && self.copies_now().as_deref() == Some(conversation) {
            return;
        }
        let left = |left: &String| left == conversation;
        if source == Source::Hook {
            self.left.retain(|id| !left(id));
            self.left.extend(known);
            if self.left.len() > MOST_LEFT {
                self.left.remove(0);
            }
        } else if self.left.iter().any(left) {
            return;
        }
        // Codex's rollout is known by its process having it open.
        let opened = source == Source::Transcript && self.agent_id == "codex";
        ledger::note(
            &self.daemon,
            &self.entry,
            conversation,
            if opened { ledger::OPEN_FILE } else { source.word() },
        );
    }
}
