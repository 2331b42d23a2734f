//! Codex's rollout: one JSON object a line. Measured with 0.161 and 0.171.

mod said;
mod usage;

use belfry_protocol::transcript::{Note, Said};
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::clean;
use crate::json::{self, items};
use crate::out::Out;
use crate::shape::{self, base64_bytes, time};
use usage::Counted;

/// Changes whose output is waited for.
const MOST_CHANGED: usize = 4;

/// Reads a rollout, line by line.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub(crate) struct Codex {
    counted: Counted,
    /// Prompts are told as events of their own, so that what else stands in the person's place is not theirs.
    events: bool,
    /// What stands in the person's place, until an event tells that it is theirs.
    held: Option<Held>,
    /// The first record was read.
    begun: bool,
    /// Changes to files whose call's output is still to come: the call, and what changed.
    changed: Vec<(String, String)>,
}

/// A text whose speaker is not known yet.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Held {
    seq: u64,
    at: Option<Timestamp>,
    text: String,
}

impl Codex {
    pub(crate) fn line(&mut self, line: &[u8], id: &str, out: &mut Out<'_>) {
        let Some(record) = json::parse(line) else {
            out.unread("a record that could not be read");
            return;
        };
        out.dated(time(&record["timestamp"]));
        let payload = &record["payload"];
        match record["type"].as_str().unwrap_or_default() {
            "session_meta" => self.meta(payload, id, out),
            "turn_context" => {
                if let Some(model) = payload["model"].as_str() {
                    out.summary.model = Some(clean::name(model));
                }
                if out.summary.cwd.is_none() {
                    out.summary.cwd = payload["cwd"].as_str().and_then(clean::path);
                }
            }
            "response_item" => self.item(payload, out),
            "event_msg" => self.event(payload, out),
            "compacted" => out.note(Note::Compacted, payload["message"].as_str().unwrap_or_default()),
            _ => out.summary.passed += 1,
        }
    }

    /// What there is so far.
    pub(crate) fn pause(&mut self, out: &mut Out<'_>) {
        if let (Some(held), false) = (&self.held, self.events) {
            (out.seq, out.at) = (held.seq, held.at);
            out.say(Said::Prompt(clean::text(&held.text)));
        }
    }

    fn meta(&mut self, meta: &Value, id: &str, out: &mut Out<'_>) {
        let text = |value: &Value| value.as_str().map(clean::name);
        let own = text(&meta["id"]);
        // In a conversation that was made from another, that one's record comes after its own.
        if self.begun {
            if let Some(other) = own.filter(|other| other != id) {
                out.summary.forked_from.get_or_insert(other);
            }
            return;
        }
        self.begun = true;
        out.summary.id = own;
        out.summary.cwd = meta["cwd"].as_str().and_then(clean::path);
        out.summary.branch = text(&meta["git"]["branch"]);
        out.summary.forked_from = text(&meta["forked_from_id"]);
        let spawn = &meta["source"]["subagent"]["thread_spawn"];
        out.summary.parent = text(&spawn["parent_thread_id"]);
        out.dated(time(&meta["timestamp"]));
    }

    fn item(&mut self, item: &Value, out: &mut Out<'_>) {
        let text = |field: &str| item[field].as_str().unwrap_or_default();
        let kind = text("type");
        if kind == "message" && text("role") == "user" {
            self.user(item, out);
            return;
        }
        self.release(out);
        match kind {
            "message" if text("role") == "assistant" => out.answer(&said::text_of(&item["content"])),
            "reasoning" => {
                let summary = said::text_of(&item["summary"]);
                out.thought(
                    if summary.is_empty() { said::text_of(&item["content"]) } else { summary }.as_str(),
                );
            }
            "function_call" | "custom_tool_call" | "local_shell_call" | "web_search_call" => {
                let name =
                    if text("name").is_empty() { kind.trim_end_matches("_call") } else { text("name") };
                let name = match text("namespace") {
                    space if space.starts_with("mcp__") => format!("{space}__{name}"),
                    _ => name.to_owned(),
                };
                let input = match item["arguments"].as_str().or(item["input"].as_str()) {
                    Some(text) => json::within(text),
                    None => item["action"].clone(),
                };
                out.tool(shape::call(text("call_id"), &name, &input));
                if let Some(items) = shape::todos(&name, &input) {
                    out.say(Said::Todos { items });
                }
            }
            "function_call_output" | "custom_tool_call_output" | "local_shell_call_output" => {
                let (output, failed) = said::output(&item["output"]);
                let at = self.changed.iter().position(|(call, _)| call == text("call_id"));
                let diff = at.map(|at| clean::text(&self.changed.remove(at).1));
                out.say(Said::Result {
                    call: clean::name(text("call_id")),
                    output: clean::text(&output),
                    failed,
                    diff,
                    subagent: None,
                });
            }
            _ => out.summary.passed += 1,
        }
    }

    /// The person's message, or what is put in their place.
    fn user(&mut self, item: &Value, out: &mut Out<'_>) {
        self.release(out);
        for part in items(&item["content"]).iter().filter(|part| part["type"] == "input_image") {
            let url = part["image_url"].as_str().unwrap_or_default();
            let (kind, data) =
                url.strip_prefix("data:").and_then(|url| url.split_once(',')).unwrap_or_default();
            out.image(
                kind.split(';').next().filter(|kind| !kind.is_empty()).unwrap_or("image"),
                base64_bytes(data),
            );
        }
        let text = said::text_of(&item["content"]);
        match said::prompt(&text) {
            Some(prompt) => {
                let text = clean::upto(prompt, clean::LONGEST).to_owned();
                self.held = Some(Held { seq: out.seq, at: out.at, text });
                out.seq += 1;
            }
            None => out.summary.passed += 1,
        }
    }

    /// No event came. Where there are none at all this is an older rollout, or a copied beginning, and the text is a prompt.
    fn release(&mut self, out: &mut Out<'_>) {
        if let Some(held) = self.held.take().filter(|_| !self.events) {
            let now = (out.seq, out.at);
            (out.seq, out.at) = (held.seq, held.at);
            out.prompt(&held.text);
            (out.seq, out.at) = now;
        }
    }

    /// An event tells that something is the person's.
    fn asked(&mut self, text: &str, out: &mut Out<'_>) {
        self.events = true;
        let mut said = said::prompt(text).unwrap_or_default().to_owned();
        // In the place where it stood first, where it may have been shown already.
        if let Some(held) = self.held.take() {
            (out.seq, out.at) = (held.seq, held.at);
            if said.trim().is_empty() {
                said = held.text;
            }
        }
        out.prompt(&said);
    }

    fn changed(&mut self, call: &Value, changes: &Value) {
        if let (Some(call), Some(diff), true) =
            (call.as_str(), said::changes(changes), self.changed.len() < MOST_CHANGED)
        {
            self.changed.push((clean::name(call), clean::upto(&diff, clean::LONGEST).to_owned()));
        }
    }

    fn event(&mut self, event: &Value, out: &mut Out<'_>) {
        let text = |field: &str| event[field].as_str().unwrap_or_default();
        match text("type") {
            "user_message" => self.asked(text("message"), out),
            "item_completed" if event["item"]["type"] == "UserMessage" => {
                self.asked(&said::text_of(&event["item"]["content"]), out);
            }
            "item_completed" if event["item"]["type"] == "FileChange" => {
                self.changed(&event["item"]["id"], &event["item"]["changes"]);
            }
            "patch_apply_end" => self.changed(&event["call_id"], &event["changes"]),
            "token_count" => self.counted.count(&event["info"], out),
            "task_complete" => out.note(Note::TurnOver, ""),
            "turn_aborted" => out.note(Note::Interrupted, text("reason")),
            "error" => out.note(Note::Failed, text("message")),
            "stream_error" | "warning" => out.note(Note::Other, text("message")),
            "context_compacted" => out.note(Note::Compacted, ""),
            "thread_rolled_back" => out.note(Note::Other, "Went back to an earlier prompt."),
            "thread_name_updated" => {
                out.summary.named = clean::line(text("thread_name"), clean::LINE);
            }
            _ => out.summary.passed += 1,
        }
    }
}
