//! Claude Code's transcript: one JSON object a line. Measured with 2.1.197 and 2.1.332.

use belfry_protocol::Says;
use serde::Deserialize;
use serde_json::Value;

use super::millis;
use crate::told::{Activity, Told, cut, short};
use crate::{activity, failure};

/// Tools that are called at once and remembered. An agent calls a handful.
const MOST_OPEN: usize = 64;

/// Reads a transcript, line by line.
#[derive(Debug, Default)]
pub struct ClaudeTranscript {
    /// Calls without a result: id and activity.
    open: Vec<(String, String)>,
    /// The message that they are of.
    message: String,
}

/// What is looked at in every line, so that the many that are about nothing of interest cost next to nothing.
#[derive(Deserialize)]
struct Head {
    #[serde(rename = "type")]
    kind: String,
    #[serde(default, rename = "isSidechain")]
    sidechain: bool,
    #[serde(default, rename = "isMeta")]
    meta: bool,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Record {
    #[serde(default)]
    subtype: Option<String>,
    #[serde(default)]
    timestamp: Option<String>,
    #[serde(default)]
    is_api_error_message: bool,
    #[serde(default)]
    error: Value,
    #[serde(default)]
    message: Value,
    #[serde(default)]
    retry_attempt: Option<u64>,
    #[serde(default)]
    max_retries: Option<u64>,
}

impl ClaudeTranscript {
    /// One line, without its end. None where it says nothing of the status.
    pub fn line(&mut self, line: &[u8]) -> Option<Told> {
        let head: Head = serde_json::from_slice(line).ok()?;
        if head.sidechain || head.meta || !matches!(head.kind.as_str(), "user" | "assistant" | "system") {
            return None;
        }
        let record: Record = serde_json::from_slice(line).ok()?;
        let mut told = match head.kind.as_str() {
            "assistant" => self.assistant(&record),
            "user" => self.user(&record),
            _ => self.system(&record),
        }?;
        told.at_ms = millis(record.timestamp.as_deref());
        Some(told)
    }

    fn assistant(&mut self, record: &Record) -> Option<Told> {
        let content = record.message["content"].as_array()?;
        let of_type = |kind: &'static str| content.iter().filter(move |block| block["type"] == kind);
        if record.is_api_error_message {
            self.open.clear();
            let text = of_type("text").find_map(|block| block["text"].as_str()).unwrap_or_default();
            let kind = record.error.as_str().unwrap_or_default();
            return Some(failure::told(kind, text, "an error of the model"));
        }
        // One message is several records. What an earlier one called has been answered by now, whether that was seen or not.
        let message = record.message["id"].as_str().unwrap_or_default();
        if self.message != message {
            self.open.clear();
            message.clone_into(&mut self.message);
        }
        for call in of_type("tool_use") {
            let name = call["name"].as_str().unwrap_or_default();
            if let (Some(id), true) = (call["id"].as_str(), self.open.len() < MOST_OPEN) {
                self.open.push((cut(id, 64), activity::of_tool(name, &call["input"])));
            }
        }
        let called = of_type("tool_use").next_back().and_then(|call| call["name"].as_str());
        Some(match called {
            Some(name) => self.working(format!("calls {}", activity::tool(name))),
            None => self.working("an answer"),
        })
    }

    fn user(&mut self, record: &Record) -> Option<Told> {
        let content = &record.message["content"];
        let texts: Vec<&str> = match content {
            Value::String(text) => vec![text],
            Value::Array(blocks) => blocks.iter().filter_map(|block| block["text"].as_str()).collect(),
            _ => return None,
        };
        if texts.iter().any(|text| text.starts_with("[Request interrupted by user")) {
            self.open.clear();
            return Some(Told::new(Some(Says::Idle), "interrupted").over());
        }
        let results = content.as_array().into_iter().flatten();
        let mut answered = false;
        for result in results.filter(|block| block["type"] == "tool_result") {
            answered = true;
            let id = cut(result["tool_use_id"].as_str().unwrap_or_default(), 64);
            self.open.retain(|(open, _)| *open != id);
        }
        if answered {
            return Some(self.working("a tool's result"));
        }
        // A local command's own output begins with a tag; a prompt is what is left.
        let typed = texts.first()?;
        if typed.starts_with("<local-command") || typed.starts_with("<command-name>") {
            return None;
        }
        self.open.clear();
        Some(Told::new(Some(Says::Working), "a prompt").over())
    }

    fn system(&mut self, record: &Record) -> Option<Told> {
        match record.subtype.as_deref()? {
            "turn_duration" => {
                self.open.clear();
                Some(Told::new(Some(Says::Done), "turn over").over())
            }
            "api_error" => {
                let tries = match (record.retry_attempt, record.max_retries) {
                    (Some(attempt), Some(most)) => format!("attempt {attempt} of {most}"),
                    _ => String::new(),
                };
                let error = record.error["message"].as_str().or(record.error.as_str()).map(short);
                let told = Told::new(Some(Says::Working), "an error of the model, and it tries again")
                    .doing(Activity::Retrying(tries));
                Some(match error {
                    Some(error) if !error.is_empty() => told.because(error),
                    _ => told,
                })
            }
            "compact_boundary" => Some(Told::new(None, "compacted").over()),
            _ => None,
        }
    }

    fn working(&self, what: impl Into<String>) -> Told {
        let told = Told::new(Some(Says::Working), what);
        match self.open.last() {
            Some((_, activity)) => told.calling(activity.clone()),
            None => told.over(),
        }
    }
}
