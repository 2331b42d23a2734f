//! Codex's rollout: one JSON object a line. Measured with 0.171.0.

use belfry_protocol::Says;
use serde::Deserialize;
use serde_json::Value;

use super::millis;
use crate::told::{Activity, Told, cut};
use crate::{activity, failure};

/// Tools that are called at once and remembered.
const MOST_OPEN: usize = 64;

/// Reads a rollout, line by line.
#[derive(Debug, Default)]
pub struct CodexRollout {
    turn: String,
    /// Calls without an output: id and activity.
    open: Vec<(String, String)>,
}

#[derive(Deserialize)]
struct Head {
    #[serde(rename = "type")]
    kind: String,
}

#[derive(Deserialize)]
struct Line {
    #[serde(default)]
    timestamp: Option<String>,
    #[serde(default)]
    payload: Value,
}

impl CodexRollout {
    /// The conversation that a rollout is of, from its first line, if it is the person's: subagents have rollouts too.
    pub fn conversation(first_line: &[u8]) -> Option<String> {
        let line: Line = serde_json::from_slice(first_line).ok()?;
        let payload = &line.payload;
        let of_person = payload["source"].is_string() || payload["source"].is_null();
        let id = payload["id"].as_str()?;
        (of_person && !id.is_empty() && id.len() <= 64).then(|| id.to_owned())
    }

    /// One line, without its end. None where it says nothing of the status.
    pub fn line(&mut self, line: &[u8]) -> Option<Told> {
        let head: Head = serde_json::from_slice(line).ok()?;
        if !matches!(head.kind.as_str(), "event_msg" | "response_item" | "compacted") {
            return None;
        }
        let line: Line = serde_json::from_slice(line).ok()?;
        let mut told = match head.kind.as_str() {
            "event_msg" => self.event(&line.payload),
            "response_item" => self.item(&line.payload),
            _ => Some(Told::new(None, "compacted").over()),
        }?;
        told.at_ms = millis(line.timestamp.as_deref());
        Some(told)
    }

    fn event(&mut self, event: &Value) -> Option<Told> {
        let turn = event["turn_id"].as_str().unwrap_or_default();
        match event["type"].as_str()? {
            "task_started" => {
                self.open.clear();
                turn.clone_into(&mut self.turn);
                Some(Told::new(Some(Says::Working), "task_started").over())
            }
            // A late word of a turn before the one that goes on.
            "task_complete" | "turn_aborted"
                if !turn.is_empty() && !self.turn.is_empty() && turn != self.turn =>
            {
                None
            }
            // Also after an error of the model, of which only the terminal tells.
            "task_complete" => {
                self.open.clear();
                Some(Told::new(Some(Says::Done), "task_complete").over())
            }
            "turn_aborted" => {
                self.open.clear();
                let reason = cut(event["reason"].as_str().unwrap_or_default(), 40);
                Some(Told::new(Some(Says::Idle), format!("turn_aborted ({reason})")).over())
            }
            "error" => {
                self.open.clear();
                Some(failure::told("", event["message"].as_str().unwrap_or_default(), "error"))
            }
            "stream_error" => Some(
                Told::new(Some(Says::Working), "stream_error")
                    .doing(Activity::Retrying(cut(event["message"].as_str().unwrap_or_default(), 80))),
            ),
            _ => None,
        }
    }

    fn item(&mut self, item: &Value) -> Option<Told> {
        let kind = item["type"].as_str()?;
        match kind {
            "function_call" | "custom_tool_call" | "local_shell_call" | "web_search_call" => {
                let name = item["name"].as_str().unwrap_or(kind.trim_end_matches("_call"));
                let namespace = item["namespace"].as_str().unwrap_or_default();
                let name = if namespace.starts_with("mcp__") {
                    format!("{namespace}__{name}")
                } else {
                    name.to_owned()
                };
                // Arguments are JSON within JSON; a patch is plain text; a shell call has its own field.
                let input = match item["arguments"].as_str().or(item["input"].as_str()) {
                    Some(text) => {
                        serde_json::from_str(text).unwrap_or_else(|_| Value::String(text.to_owned()))
                    }
                    None => item["action"].clone(),
                };
                let activity = activity::of_tool(&name, &input);
                if let (Some(id), true) = (item["call_id"].as_str(), self.open.len() < MOST_OPEN) {
                    self.open.push((cut(id, 64), activity.clone()));
                }
                Some(
                    Told::new(Some(Says::Working), format!("calls {}", activity::tool(&name)))
                        .calling(activity),
                )
            }
            "function_call_output" | "custom_tool_call_output" | "local_shell_call_output" => {
                let id = cut(item["call_id"].as_str().unwrap_or_default(), 64);
                self.open.retain(|(open, _)| *open != id);
                let told = Told::new(Some(Says::Working), "a tool's output");
                Some(match self.open.last() {
                    Some((_, activity)) => told.calling(activity.clone()),
                    None => told.over(),
                })
            }
            // Written when it is whole, and before the end of the turn.
            "message" if item["role"] == "assistant" => Some(Told::new(Some(Says::Working), "an answer")),
            "reasoning" => Some(Told::new(Some(Says::Working), "reasoning")),
            _ => None,
        }
    }
}
