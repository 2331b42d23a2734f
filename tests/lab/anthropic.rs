//! Anthropic Messages, as Claude Code speaks it.

use serde_json::{Value, json};

use super::script::Step;
use super::turn::{Asker, Side, Turn, items, without_asides};
use super::wire::{Piece, Voice, Wire, id, named, spoken};

/// What the request is about.
pub(crate) fn turn(body: &Value) -> Turn {
    let mut turn = Turn::new(Asker::Claude);
    turn.tools =
        items(&body["tools"]).iter().filter_map(|tool| tool["name"].as_str().map(str::to_owned)).collect();
    for message in items(&body["messages"]).iter().filter(|message| message["role"] == "user") {
        match &message["content"] {
            Value::String(text) => turn.said(text),
            parts => {
                for part in items(parts) {
                    let text = without_asides(part["text"].as_str().unwrap_or_default());
                    match part["type"].as_str() {
                        Some("tool_result") => turn.results += 1,
                        Some("text") if !text.starts_with("[Request interrupted") => turn.said(&text),
                        _ => {}
                    }
                }
            }
        }
    }
    if turn.tools.is_empty() {
        turn.side = Some(Side::Json);
    }
    turn.plan_file = plan_file(&body.to_string());
    turn
}

/// The last path of a plan that is named anywhere in the request.
fn plan_file(body: &str) -> Option<String> {
    let at = body.rfind("/.claude/plans/")?;
    let ends = |c: char| c.is_whitespace() || matches!(c, '"' | '\\' | '`' | '\'');
    let from = body[..at].rfind(ends).map_or(0, |from| from + 1);
    let to = body[at..].find(ends).map_or(body.len(), |to| at + to);
    let path = body[from..to].trim_end_matches('.');
    path.strip_suffix(".md").map(|_| path.to_owned())
}

/// The answer's way over the wire.
#[derive(Debug)]
pub(crate) struct Messages {
    model: Value,
    index: u32,
    words: u32,
    stop: &'static str,
}

impl Messages {
    pub(crate) fn new(body: &Value) -> Self {
        Self { model: body["model"].clone(), index: 0, words: 0, stop: "end_turn" }
    }

    fn delta(&self, delta: &Value) -> String {
        named(&json!({ "type": "content_block_delta", "index": self.index, "delta": delta }))
    }

    fn stop_block(&mut self) -> String {
        let stop = named(&json!({ "type": "content_block_stop", "index": self.index }));
        self.index += 1;
        stop
    }

    fn start_block(&self, block: &Value) -> String {
        named(&json!({ "type": "content_block_start", "index": self.index, "content_block": block }))
    }
}

impl Wire for Messages {
    fn piece(&mut self, piece: Piece<'_>) -> String {
        match piece {
            Piece::Begin => {
                let usage = json!({
                    "input_tokens": 100, "output_tokens": 1, "cache_creation_input_tokens": 0, "cache_read_input_tokens": 0
                });
                let message = json!({
                    "id": id("msg_"), "type": "message", "role": "assistant", "model": self.model, "content": [],
                    "stop_reason": null, "stop_sequence": null, "usage": usage
                });
                named(&json!({ "type": "message_start", "message": message }))
            }
            Piece::Open(Voice::Aloud) => self.start_block(&json!({ "type": "text", "text": "" })),
            Piece::Open(Voice::Inward) => {
                self.start_block(&json!({ "type": "thinking", "thinking": "", "signature": "" }))
            }
            Piece::More(voice, text) => {
                self.words += 1;
                self.delta(&match voice {
                    Voice::Aloud => json!({ "type": "text_delta", "text": text }),
                    Voice::Inward => json!({ "type": "thinking_delta", "thinking": text }),
                })
            }
            Piece::Close(Voice::Aloud, _) => self.stop_block(),
            Piece::Close(Voice::Inward, _) => {
                let signed = self.delta(&json!({ "type": "signature_delta", "signature": "c2ln" }));
                signed + &self.stop_block()
            }
            Piece::Call(call) => {
                self.stop = "tool_use";
                let block = json!({ "type": "tool_use", "id": id("toolu_"), "name": call.name, "input": {} });
                let arguments =
                    json!({ "type": "input_json_delta", "partial_json": call.arguments.to_string() });
                self.start_block(&block) + &self.delta(&arguments) + &self.stop_block()
            }
            Piece::End => {
                let delta = json!({ "stop_reason": self.stop, "stop_sequence": null });
                let usage = json!({ "output_tokens": self.words + 5 });
                named(&json!({ "type": "message_delta", "delta": delta, "usage": usage }))
                    + &named(&json!({ "type": "message_stop" }))
            }
        }
    }

    fn whole(&mut self, steps: &[Step]) -> Value {
        json!({
            "id": id("msg_"), "type": "message", "role": "assistant", "model": self.model, "stop_reason": "end_turn",
            "stop_sequence": null, "content": [{ "type": "text", "text": spoken(steps) }],
            "usage": { "input_tokens": 10, "output_tokens": 5 }
        })
    }

    fn refusal(&self, status: u16, message: &str) -> Value {
        let kind = match status {
            529 => "overloaded_error",
            429 => "rate_limit_error",
            401 => "authentication_error",
            400 => "invalid_request_error",
            _ => "api_error",
        };
        json!({ "type": "error", "error": { "type": kind, "message": message } })
    }
}
