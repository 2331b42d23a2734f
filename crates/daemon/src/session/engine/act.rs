//! What the engine is told.

use std::sync::Arc;
use std::sync::atomic::Ordering;

use belfry_agents::Agents;
use belfry_protocol::keeper::{Kill, ToKeeper};
use belfry_protocol::{ErrorCode, Reply};
use belfry_status::Observation;

use super::Engine;
use crate::session::{Command, keys};

/// Bytes typed before the keeper was connected that are kept for it.
const MOST_EARLY: usize = 64 * 1024;

impl Engine {
    pub(super) fn act(&mut self, command: Command) {
        match command {
            Command::Open { view, size, focus, credit, answer } => {
                self.open(&view, size, focus, credit, answer);
            }
            Command::Close { view, answer } => {
                self.close(view);
                if let Some(answer) = answer {
                    answer.done();
                }
            }
            Command::Resize { view, size, answer } => {
                self.resize_view(view, size);
                answer.done();
            }
            Command::Focus { view, focused, answer } => {
                self.focus(view, focused);
                if let Some(answer) = answer {
                    answer.done();
                }
            }
            Command::Hold { view, held, answer } => self.with_view(view, answer, |open| open.flow.hold(held)),
            Command::Fetch { view, answer } => self.with_view(view, answer, |open| open.flow.fetch()),
            Command::Input(bytes) => self.type_raw(&bytes),
            Command::Keys { keys, answer } => {
                // The keeper may still be busy with what the program left.
                if !self.entry.alive() {
                    let asleep = self.entry.record().hibernated();
                    let why = if asleep { "the session sleeps" } else { "the session has ended" };
                    answer.fail(ErrorCode::NotAlive, why);
                    return;
                }
                let app_cursor = self.terminal.modes().app_cursor;
                let bytes: Vec<u8> = keys.iter().flat_map(|key| keys::bytes(key, app_cursor)).collect();
                let now = self.now();
                self.entry.keystrokes.fetch_add(1, Ordering::SeqCst);
                self.entry.typed(&bytes, now);
                self.entry.spoken_to(&self.daemon, &bytes);
                self.type_raw(&bytes);
                answer.done();
            }
            Command::Screen { ansi, scrollback, answer } => {
                answer.give(Ok(self.read_screen(ansi, scrollback)));
            }
            Command::Read { scrollback, done } => {
                let _ = done.send(self.read_screen(false, scrollback));
            }
            Command::Message { id, text, now, answer } => self.queue(id, text, now, answer),
            Command::Messages { listed, answer } => answer.give(Ok(self.list_messages(listed))),
            Command::Cancel { id, done } => {
                let _ = done.send(self.cancel(id));
            }
            Command::Answer { given, answer } => self.answer_ask(given, answer),
            Command::Explain { history, answer } => answer.give(Ok(self.explain(history))),
            Command::Agents(agents) => self.take_rules(agents),
            Command::Source(signal) => self.source(&signal),
            Command::MessageClaimed { id, ours } => self.claimed(id, ours),
            Command::Sought { run, found } => self.sought(run, found),
            Command::Kill { answer } => self.kill(answer),
            Command::Hibernate { by, done } => {
                let _ = done.send(self.hibernate(by));
            }
            Command::Run(live) => self.follow(*live),
            Command::Colors(colors) => {
                if let Some(told) = self.terminal.set_colors((*colors).clone()) {
                    self.type_raw(&told);
                }
            }
            Command::Checkpointed { run, written } => self.checkpointed(run, written),
            Command::Save { done } => self.save(done),
            Command::Remove => {
                self.close_all("the session was removed");
                self.removed = true;
            }
        }
    }

    /// Types as it is. Before the keeper is connected it waits, bounded; after the end it is nobody's.
    pub(super) fn type_raw(&mut self, bytes: &[u8]) {
        match &self.following.link {
            Some(link) => {
                if !link.input(bytes) {
                    tracing::warn!(session = %self.entry.logged(), "input was dropped: the keeper does not read");
                }
                let now = self.now();
                if bytes.contains(&b'\r') {
                    self.submitted(now);
                } else {
                    self.touched(now);
                }
                self.stir_front_soon(now);
            }
            None if self.entry.alive() && self.early.len() + bytes.len() <= MOST_EARLY => {
                self.early.extend_from_slice(bytes);
            }
            None => {}
        }
    }

    fn kill(&mut self, answer: Option<crate::client::Answer>) {
        self.stays_awake();
        let Some(link) = &self.following.link else {
            if self.seeking {
                self.end_unreached(answer);
            } else if let Some(answer) = answer {
                answer.give(Ok(Reply::Session(Box::new(self.entry.session()))));
            }
            return;
        };
        link.send(&ToKeeper::Kill(Kill::default()));
        self.killers.extend(answer);
    }

    /// Something was done to the terminal whose echo is no work.
    pub(super) fn touched(&mut self, now: u64) {
        self.observe(Observation::Touched, now);
    }

    /// Something was submitted for somebody: what follows its echo is work.
    pub(super) fn submitted(&mut self, now: u64) {
        self.observe(Observation::Submitted, now);
        self.front_is_old();
        self.stir_front_soon(now);
    }

    /// The agents' rules have changed.
    fn take_rules(&mut self, agents: Arc<Agents>) {
        let now = self.now();
        self.agents = agents;
        self.watched_front = self.watches_front();
        self.last_sight = None;
        let table = self.table();
        self.watch.arbiter().set_table(table, now);
        self.due.verdict = Some(now);
    }
}
