//! OpenAI Chat Completions, as OpenCode and Aider speak it.

use serde_json::{Value, json};

use super::script::Step;
use super::turn::{Asker, Side, Turn, content_text, items};
use super::wire::{Piece, Voice, Wire, event, id, spoken};

/// What the request is about, and which of the two asks: Aider never has tools, and OpenCode is without them only where it
/// wants a title.
pub(crate) fn turn(body: &Value) -> Turn {
    let mut turn = Turn::new(Asker::Aider);
    let named = |tool: &Value| tool["function"]["name"].as_str().map(str::to_owned);
    turn.tools = items(&body["tools"]).iter().filter_map(named).collect();
    let mut system = String::new();
    for message in items(&body["messages"]) {
        let text = content_text(&message["content"]);
        match message["role"].as_str() {
            Some("system") => system.push_str(&text.to_lowercase()),
            Some("user") => turn.said(&text),
            Some("tool") => turn.results += 1,
            _ => {}
        }
    }
    let titles = system.chars().take(300).collect::<String>().contains("title");
    if !turn.tools.is_empty() || titles || system.contains("opencode") {
        turn.asker = Asker::OpenCode;
    }
    let wants_line = match turn.asker {
        Asker::OpenCode => turn.tools.is_empty(),
        _ => system.contains("commit message"),
    };
    turn.side = wants_line.then_some(Side::Line);
    turn
}

/// The answer's way over the wire.
#[derive(Debug)]
pub(crate) struct Chat {
    id: String,
    model: Value,
    calls: u32,
}

impl Chat {
    pub(crate) fn new(body: &Value) -> Self {
        Self { id: id("chatcmpl-"), model: body["model"].clone(), calls: 0 }
    }

    fn chunk(&self, delta: &Value, finish: Option<&str>) -> String {
        let choice = json!({ "index": 0, "delta": delta, "finish_reason": finish });
        event(&json!({
            "id": self.id, "object": "chat.completion.chunk", "created": 1, "model": self.model, "choices": [choice]
        }))
    }
}

impl Wire for Chat {
    fn piece(&mut self, piece: Piece<'_>) -> String {
        match piece {
            Piece::Begin => self.chunk(&json!({ "role": "assistant", "content": "" }), None),
            Piece::Open(_) | Piece::Close(..) => String::new(),
            Piece::More(Voice::Aloud, text) => self.chunk(&json!({ "content": text }), None),
            Piece::More(Voice::Inward, text) => self.chunk(&json!({ "reasoning_content": text }), None),
            Piece::Call(call) => {
                let function = json!({ "name": call.name, "arguments": call.arguments.to_string() });
                let call = json!({ "index": self.calls, "id": id("call_"), "type": "function", "function": function });
                self.calls += 1;
                self.chunk(&json!({ "tool_calls": [call] }), None)
            }
            Piece::End => {
                let finish = if self.calls > 0 { "tool_calls" } else { "stop" };
                let usage = json!({ "prompt_tokens": 10, "completion_tokens": 10, "total_tokens": 20 });
                let last = event(&json!({
                    "id": self.id, "object": "chat.completion.chunk", "created": 1, "model": self.model, "choices": [],
                    "usage": usage
                }));
                self.chunk(&json!({}), Some(finish)) + &last + "data: [DONE]\n\n"
            }
        }
    }

    fn whole(&mut self, steps: &[Step]) -> Value {
        let message = json!({ "role": "assistant", "content": spoken(steps) });
        json!({
            "id": self.id, "object": "chat.completion", "created": 1, "model": self.model,
            "choices": [{ "index": 0, "message": message, "finish_reason": "stop" }],
            "usage": { "prompt_tokens": 10, "completion_tokens": 10, "total_tokens": 20 }
        })
    }

    fn refusal(&self, _status: u16, message: &str) -> Value {
        json!({ "error": { "message": message, "type": "server_error", "code": null } })
    }
}
