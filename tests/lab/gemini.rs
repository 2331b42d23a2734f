//! Gemini generateContent.

use serde_json::{Value, json};

use super::script::Step;
use super::turn::{Asker, Side, Turn, items};
use super::wire::{Piece, Voice, Wire, event, id, spoken};

/// What the request is about.
pub(crate) fn turn(body: &Value) -> Turn {
    let mut turn = Turn::new(Asker::Gemini);
    let declared = items(&body["tools"]).iter().flat_map(|tool| items(&tool["functionDeclarations"]));
    turn.tools = declared.filter_map(|tool| tool["name"].as_str().map(str::to_owned)).collect();
    for content in items(&body["contents"]).iter().filter(|content| content["role"] == "user") {
        let parts = items(&content["parts"]);
        let results = parts.iter().filter(|part| !part["functionResponse"].is_null()).count();
        if results > 0 {
            turn.results += results;
        } else {
            turn.said(&parts.iter().filter_map(|part| part["text"].as_str()).collect::<Vec<_>>().join("\n"));
        }
    }
    let config = &body["generationConfig"];
    let json = config["responseMimeType"] == "application/json"
        || !config["responseSchema"].is_null()
        || !config["responseJsonSchema"].is_null();
    if json || turn.tools.is_empty() {
        turn.side = Some(Side::Json);
    }
    turn
}

/// The answer's way over the wire.
#[derive(Debug)]
pub(crate) struct Generate {
    id: String,
}

impl Generate {
    pub(crate) fn new() -> Self {
        Self { id: id("response") }
    }

    fn body(&self, parts: &Value, finish: Option<&str>) -> Value {
        let mut candidate = json!({ "content": { "role": "model", "parts": parts }, "index": 0 });
        if let Some(finish) = finish {
            candidate["finishReason"] = json!(finish);
        }
        json!({
            "candidates": [candidate], "modelVersion": "mock", "responseId": self.id,
            "usageMetadata": { "promptTokenCount": 100, "candidatesTokenCount": 10, "totalTokenCount": 110 }
        })
    }
}

impl Wire for Generate {
    fn piece(&mut self, piece: Piece<'_>) -> String {
        match piece {
            Piece::Begin | Piece::Open(_) | Piece::Close(..) => String::new(),
            Piece::More(Voice::Aloud, text) => event(&self.body(&json!([{ "text": text }]), None)),
            // It takes reasoning in whole headed paragraphs: each word makes one.
            Piece::More(Voice::Inward, text) => {
                let thought = format!("**Pondering**\n{text}");
                event(&self.body(&json!([{ "text": thought, "thought": true }]), None))
            }
            Piece::Call(call) => {
                let function = json!({ "name": call.name, "args": call.arguments, "id": id("fc") });
                event(&self.body(&json!([{ "functionCall": function, "thoughtSignature": "c2ln" }]), None))
            }
            Piece::End => event(&self.body(&json!([{ "text": "" }]), Some("STOP"))),
        }
    }

    fn whole(&mut self, steps: &[Step]) -> Value {
        self.body(&json!([{ "text": spoken(steps) }]), Some("STOP"))
    }

    fn refusal(&self, status: u16, message: &str) -> Value {
        let word = match status {
            429 => "RESOURCE_EXHAUSTED",
            401 => "UNAUTHENTICATED",
            400 => "INVALID_ARGUMENT",
            _ => "INTERNAL",
        };
        json!({ "error": { "code": status, "message": message, "status": word } })
    }
}
