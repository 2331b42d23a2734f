//! A request, whatever its dialect: what the person said last, and what has happened since.

use serde_json::Value;

/// Whose dialect it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Asker {
    /// Claude Code: Anthropic Messages.
    Claude,
    /// Codex: OpenAI Responses.
    Codex,
    /// OpenCode: OpenAI Chat Completions with tools.
    OpenCode,
    /// Gemini CLI: Gemini generateContent.
    Gemini,
    /// Aider: OpenAI Chat Completions without tools.
    Aider,
}

/// One request of an agent.
#[derive(Clone, Debug)]
pub(crate) struct Turn {
    pub(crate) asker: Asker,
    /// What the person said last.
    pub(crate) prompt: String,
    /// Names of the tools that the model may call.
    pub(crate) tools: Vec<String>,
    /// Results of tools since.
    pub(crate) results: usize,
    /// It is not the person's turn but one of the agent's own: a title, a commit message, a routing decision.
    pub(crate) side: Option<Side>,
    /// A file that the agent wants its plan in.
    pub(crate) plan_file: Option<String>,
}

/// A request that the person does not see.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Side {
    /// Wants JSON.
    Json,
    /// Wants a line of text.
    Line,
}

impl Turn {
    pub(crate) fn new(asker: Asker) -> Self {
        Self { asker, prompt: String::new(), tools: Vec::new(), results: 0, side: None, plan_file: None }
    }

    /// The person said this; what came before does not matter any more.
    pub(crate) fn said(&mut self, text: &str) {
        let text = without_asides(text);
        if !text.is_empty() {
            self.prompt = text;
            self.results = 0;
        }
    }

    /// The directory named in the prompt as `cwd=DIR`, for tools that want absolute paths.
    pub(crate) fn directory(&self) -> &str {
        let named = self.prompt.split_whitespace().find_map(|word| word.strip_prefix("cwd="));
        named.unwrap_or("/nowhere")
    }

    /// The first of these tools that there is.
    pub(crate) fn tool(&self, names: &[&'static str]) -> &'static str {
        names.iter().find(|name| self.tools.iter().any(|tool| tool == *name)).unwrap_or(&names[0])
    }
}

/// The text without what agents put in the person's mouth.
pub(crate) fn without_asides(text: &str) -> String {
    let mut text = text.to_owned();
    for tag in ["system-reminder", "environment_context", "session_context"] {
        let (open, close) = (format!("<{tag}>"), format!("</{tag}>"));
        while let Some(from) = text.find(&open) {
            let to = text[from..].find(&close).map_or(text.len(), |at| from + at + close.len());
            text.replace_range(from..to, "");
        }
    }
    text.trim().to_owned()
}

/// The text of a message's content, which is a string or a list of parts.
pub(crate) fn content_text(content: &Value) -> String {
    match content {
        Value::String(text) => text.clone(),
        Value::Array(parts) => {
            parts.iter().filter_map(|part| part["text"].as_str()).collect::<Vec<_>>().join("\n")
        }
        _ => String::new(),
    }
}

/// The items of a list, none where it is no list.
pub(crate) fn items(value: &Value) -> &[Value] {
    value.as_array().map_or(&[], Vec::as_slice)
}
