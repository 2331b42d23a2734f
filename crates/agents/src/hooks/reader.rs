//! Hooks of one session, in the order in which they come.

use std::collections::BTreeSet;

use belfry_protocol::Says;
use serde_json::Value;

use super::{aider, claude, gemini, opencode};
use crate::told::Told;

/// Subagents that are remembered. More at once is nobody's plan.
const MOST_SUBAGENTS: usize = 256;

/// What a hook came to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Heard {
    /// It tells something.
    Told(Box<Told>),
    /// It is about another conversation: an agent that was started inside this one, or a late word of the one before.
    Foreign,
    /// Nobody knows what it means.
    Unknown,
}

/// Reads the hooks of one run.
#[derive(Clone, Debug, Default)]
pub struct HookReader {
    pub(super) conversation: Option<String>,
    /// The conversation ended, and the program did not: the next one that starts is the session's.
    pub(super) ended: bool,
    /// Conversations of subagents that have ids of the same kind (OpenCode).
    pub(super) children: BTreeSet<String>,
    /// The turn ended with an error: what follows only says that it is over.
    pub(super) failed: bool,
}

impl HookReader {
    /// For a run whose conversation is known from its launch, or not yet.
    pub fn new(conversation: Option<String>) -> Self {
        Self { conversation, ..Self::default() }
    }

    /// The conversation, as far as it is known.
    pub fn conversation(&self) -> Option<&str> {
        self.conversation.as_deref()
    }

    /// It was learnt otherwise which conversation the session is in.
    pub fn learn(&mut self, conversation: &str) {
        self.conversation = Some(conversation.to_owned());
        self.ended = false;
    }

    /// A hook of that name, in the agent's words. For an agent without hooks of its own kind, the name is what it says
    /// (`working`, `asking`, `idle`, …), so that an agent of the person's can report too.
    pub fn read(&mut self, agent: &str, name: &str, payload: &Value) -> Heard {
        let told = match agent {
            "claude" => self.about(payload, "session_id", name).map(|()| claude::read(name, payload)),
            "gemini" => self.about(payload, "session_id", name).map(|()| gemini::read(name, payload)),
            "opencode" => opencode::read(self, name, payload),
            "aider" => Ok(aider::read(name)),
            _ => Ok(Says::of(name).map(|says| Told::new(Some(says), name))),
        };
        match told {
            Ok(Some(mut told)) => {
                told.conversation.clone_from(&self.conversation);
                Heard::Told(Box::new(told))
            }
            Ok(None) => Heard::Unknown,
            Err(Foreign) => Heard::Foreign,
        }
    }

    /// Whether a hook is about the session's conversation. One that says that another begins moves it there, where none was
    /// known, where the last one has ended, or where the agent itself goes from one to another.
    fn about(&mut self, payload: &Value, key: &str, name: &str) -> Result<(), Foreign> {
        let Some(id) = payload[key].as_str().filter(|id| !id.is_empty() && id.len() <= 128) else {
            return Ok(());
        };
        let ours = self.conversation.as_deref() == Some(id);
        match name {
            "SessionStart" => {
                let moves = matches!(super::text(payload, "source"), "clear" | "resume" | "compact" | "fork");
                if ours || self.conversation.is_none() || self.ended || moves {
                    self.learn(id);
                    return Ok(());
                }
            }
            "SessionEnd" if ours => {
                self.ended = true;
                return Ok(());
            }
            _ if self.conversation.is_none() => {
                self.learn(id);
                return Ok(());
            }
            _ => {}
        }
        if ours { Ok(()) } else { Err(Foreign) }
    }

    pub(super) fn child(&mut self, id: &str) {
        if self.children.len() < MOST_SUBAGENTS {
            self.children.insert(id.to_owned());
        }
    }
}

/// It is about another conversation.
pub(super) struct Foreign;
