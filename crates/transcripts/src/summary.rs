//! What a list says of a conversation, gathered while it is read.

use belfry_protocol::transcript::{Conversation, Usage};
use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use crate::clean;
use crate::found::Found;

/// What is known of a conversation.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Summary {
    /// The id that the file itself gives, where it gives one.
    pub id: Option<String>,
    /// The conversation that this is a subagent of, where the file says so.
    pub parent: Option<String>,
    /// The conversation that it was made from.
    pub forked_from: Option<String>,
    /// What the person called it.
    pub named: Option<String>,
    /// What the agent called it.
    pub titled: Option<String>,
    /// The first thing that was asked.
    pub first_prompt: Option<String>,
    /// The last thing that was asked.
    pub last_prompt: Option<String>,
    /// How often something was asked.
    pub prompts: u32,
    /// The directory.
    pub cwd: Option<String>,
    /// The branch.
    pub branch: Option<String>,
    /// The model that answered last.
    pub model: Option<String>,
    /// The oldest date in it.
    pub started_at: Option<Timestamp>,
    /// The newest date in it.
    pub updated_at: Option<Timestamp>,
    /// What it has used.
    pub usage: Usage,
    /// Its size, where that is not the file's.
    pub bytes: Option<u64>,
    /// Records that could not be read.
    pub unread: u32,
    /// Records of kinds that are not known, or that say nothing to a person.
    pub passed: u64,
}

impl Summary {
    pub(crate) fn dated(&mut self, at: Option<Timestamp>) {
        let Some(at) = at else { return };
        self.started_at = Some(self.started_at.map_or(at, |before| before.min(at)));
        self.updated_at = Some(self.updated_at.map_or(at, |before| before.max(at)));
    }

    pub(crate) fn prompted(&mut self, text: &str) {
        self.prompts = self.prompts.saturating_add(1);
        self.prompt_is(text);
    }

    /// The prompt that was counted last reads so.
    pub(crate) fn prompt_is(&mut self, text: &str) {
        let Some(text) = clean::one_line(text, clean::PROMPT) else { return };
        if self.prompts <= 1 || self.first_prompt.is_none() {
            self.first_prompt = Some(text.clone());
        }
        self.last_prompt = Some(text);
    }

    /// More was used; the context stays as it is.
    pub(crate) fn used(&mut self, more: &Usage) {
        let usage = &mut self.usage;
        usage.input = usage.input.saturating_add(more.input);
        usage.output = usage.output.saturating_add(more.output);
        usage.cache_read = usage.cache_read.saturating_add(more.cache_read);
        usage.cache_write = usage.cache_write.saturating_add(more.cache_write);
        if let Some(cost) = more.cost {
            usage.cost = Some(usage.cost.unwrap_or(0.0) + cost);
        }
        usage.estimated |= more.estimated;
    }

    /// As a list shows it. What is found beside the conversation's own file (a name in another one, say) comes second.
    pub fn conversation(&self, found: &Found) -> Conversation {
        let line = |text: &Option<String>| text.as_deref().and_then(|text| clean::line(text, clean::LINE));
        let title = line(&self.named)
            .or_else(|| line(&found.named))
            .or_else(|| line(&self.titled))
            .or_else(|| line(&found.titled))
            .or_else(|| line(&self.first_prompt));
        let modified = Timestamp::from_nanosecond(i128::from(found.stamp.modified)).unwrap_or_default();
        let mut usage = self.usage.clone();
        usage.estimated |= self.unread > 0;
        Conversation {
            agent: found.agent.clone(),
            id: found.id.clone(),
            title: title.unwrap_or_default(),
            cwd: self.cwd.clone().or_else(|| found.cwd.clone()),
            branch: self.branch.clone(),
            model: self.model.clone(),
            first_prompt: self.first_prompt.clone(),
            last_prompt: self.last_prompt.clone(),
            prompts: self.prompts,
            started_at: self.started_at,
            updated_at: self.updated_at.unwrap_or(modified),
            bytes: self.bytes.unwrap_or(found.stamp.bytes),
            usage,
            forked_from: self.forked_from.clone(),
            file: found.file().to_string_lossy().into_owned(),
            unread: match self.unread {
                0 => None,
                1 => Some("one record could not be read".to_owned()),
                count => Some(format!("{count} records could not be read")),
            },
            hidden: false,
            session: None,
            live: None,
        }
    }
}
