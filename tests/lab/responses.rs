//! OpenAI Responses, as Codex speaks it.

use serde_json::{Value, json};

use super::script::Step;
use super::turn::{Asker, Side, Turn, content_text, items, without_asides};
use super::wire::{Piece, Voice, Wire, id, named, spoken};

/// What the request is about.
pub(crate) fn turn(body: &Value) -> Turn {
    let mut turn = Turn::new(Asker::Codex);
    let name = |tool: &Value| tool["name"].as_str().or_else(|| tool["type"].as_str()).map(str::to_owned);
    for tool in items(&body["tools"]) {
        match tool["type"].as_str() {
            Some("namespace") => turn.tools.extend(items(&tool["tools"]).iter().filter_map(name)),
            _ => turn.tools.extend(name(tool)),
        }
    }
    if let Value::String(text) = &body["input"] {
        turn.said(text);
    }
    for item in items(&body["input"]) {
        let kind = item["type"].as_str().unwrap_or("message");
        if kind == "message" && item["role"] == "user" {
            let text = without_asides(&content_text(&item["content"]));
            // Not the person's: the agent's own context, and instructions that it found in the directory.
            if !text.starts_with('<') && !text.starts_with("# AGENTS.md") {
                turn.said(&text);
            }
        } else if kind.ends_with("_output") {
            turn.results += 1;
        }
    }
    // A second, hidden conversation asks for a title, with the person's prompt inside.
    if turn.prompt.starts_with("Generate a concise") || turn.prompt.starts_with("Generate a short") {
        turn.side = Some(Side::Line);
    }
    turn
}

/// The answer's way over the wire.
#[derive(Debug)]
pub(crate) struct Responses {
    response: String,
    item: String,
    done: Vec<Value>,
}

impl Responses {
    pub(crate) fn new() -> Self {
        Self { response: id("resp_"), item: String::new(), done: Vec::new() }
    }

    fn index(&self) -> usize {
        self.done.len()
    }

    fn added(&self, item: &Value) -> String {
        named(&json!({ "type": "response.output_item.added", "output_index": self.index(), "item": item }))
    }

    fn finished(&mut self, item: Value) -> String {
        let event =
            json!({ "type": "response.output_item.done", "output_index": self.index(), "item": item });
        self.done.push(item);
        named(&event)
    }
}

impl Wire for Responses {
    fn piece(&mut self, piece: Piece<'_>) -> String {
        match piece {
            Piece::Begin => {
                named(&json!({ "type": "response.created", "response": { "id": self.response } }))
            }
            Piece::Open(Voice::Aloud) => {
                self.item = id("msg_");
                self.added(&json!({ "type": "message", "role": "assistant", "id": self.item, "content": [] }))
            }
            Piece::Open(Voice::Inward) => {
                self.item = id("rs_");
                self.added(&json!({ "type": "reasoning", "id": self.item, "summary": [] }))
            }
            Piece::More(Voice::Aloud, text) => named(&json!({
                "type": "response.output_text.delta", "item_id": self.item, "output_index": self.index(),
                "content_index": 0, "delta": text
            })),
            Piece::More(Voice::Inward, text) => named(&json!({
                "type": "response.reasoning_summary_text.delta", "item_id": self.item, "output_index": self.index(),
                "summary_index": 0, "delta": text
            })),
            Piece::Close(Voice::Aloud, text) => {
                let content = json!([{ "type": "output_text", "text": text, "annotations": [] }]);
                let item =
                    json!({ "type": "message", "role": "assistant", "id": self.item, "content": content });
                self.finished(item)
            }
            Piece::Close(Voice::Inward, text) => {
                let summary = json!([{ "type": "summary_text", "text": text }]);
                let item = json!({ "type": "reasoning", "id": self.item, "summary": summary });
                self.finished(item)
            }
            Piece::Call(call) => {
                let item = if let Value::String(input) = &call.arguments {
                    json!({ "type": "custom_tool_call", "id": id("ct_"), "call_id": id("call_"), "name": call.name, "input": input })
                } else {
                    let mut item = json!({
                        "type": "function_call", "id": id("fc_"), "call_id": id("call_"), "name": call.name,
                        "arguments": call.arguments.to_string()
                    });
                    if let Some(namespace) = call.namespace {
                        item["namespace"] = json!(namespace);
                    }
                    item
                };
                self.finished(item)
            }
            Piece::End => {
                let usage = json!({
                    "input_tokens": 100, "input_tokens_details": { "cached_tokens": 0 }, "output_tokens": 20,
                    "output_tokens_details": { "reasoning_tokens": 0 }, "total_tokens": 120
                });
                let response = json!({ "id": self.response, "output": self.done, "usage": usage });
                named(&json!({ "type": "response.completed", "response": response }))
            }
        }
    }

    fn whole(&mut self, steps: &[Step]) -> Value {
        let content = json!([{ "type": "output_text", "text": spoken(steps), "annotations": [] }]);
        let message = json!({ "type": "message", "role": "assistant", "id": id("msg_"), "content": content });
        json!({ "id": self.response, "object": "response", "status": "completed", "output": [message] })
    }

    fn refusal(&self, _status: u16, message: &str) -> Value {
        json!({ "error": { "message": message, "type": "server_error", "code": null } })
    }
}
