//! Gemini CLI's conversation: one JSON object a line, of which later ones change earlier ones. Measured with 0.61.
//!
//! A message is written down again, under the same id, when its tools have run or its tokens are known. Older versions rewrote one
//! object for the whole file, with the same messages in a list.

use std::collections::VecDeque;

use belfry_protocol::transcript::{Note, Said, Usage};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::clean;
use crate::json::{self, items, number};
use crate::out::{Out, PLACES};
use crate::shape::{self, base64_bytes, time};

/// Messages that are remembered: the last one, as a rule, is the one that changes.
const REMEMBERED: usize = 16;
/// Places of a message: thoughts, its text, pictures, and then two for each tool.
const AFTER_THOUGHTS: u64 = 8;
const AFTER_PICTURES: u64 = 16;
/// Bytes that a message in a list is taken to have, of which each has its places: none has fewer.
const ROOM: u64 = 64;
/// Tools that a message may have.
const MOST_TOOLS: usize = 200;

/// Reads a conversation, line by line.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub(crate) struct Gemini {
    messages: VecDeque<Message>,
    /// Messages that the model knows of.
    count: usize,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Message {
    id: String,
    /// Where it was written down first.
    offset: u64,
    /// Input, output, cached, cost nothing more.
    used: [u64; 3],
}

impl Gemini {
    pub(crate) fn line(&mut self, offset: u64, line: &[u8], out: &mut Out<'_>) {
        if line.iter().all(u8::is_ascii_whitespace) {
            return;
        }
        match json::parse(line) {
            Some(record) => self.record(offset, &record, out),
            None => out.unread("a record that could not be read"),
        }
    }

    /// A whole file of an old version. Its messages have no places of their own: they are numbered.
    pub(crate) fn whole(&mut self, file: &Value, out: &mut Out<'_>) {
        self.record(0, file, out);
    }

    fn record(&mut self, offset: u64, record: &Value, out: &mut Out<'_>) {
        if record["$rewindTo"].is_string() {
            out.note(Note::Other, "Went back to an earlier prompt.");
            // How many are left is not known; that there are some is.
            self.count = 1;
        } else if record["id"].is_string() {
            self.message(offset, record, out);
        } else if record["$set"].is_object() {
            let set = &record["$set"];
            Self::about(set, out);
            if set["messages"].is_array() {
                self.history(offset, items(&set["messages"]), out);
            }
        } else if record["sessionId"].is_string() {
            out.summary.id = record["sessionId"].as_str().map(clean::name);
            // It begins anew in the same file when it is gone on with within a minute, and says all of the history once more.
            self.count = self.count.min(1);
            Self::about(record, out);
            for (at, message) in items(&record["messages"]).iter().enumerate() {
                self.message(offset + (at as u64 + 1) * ROOM, message, out);
            }
        } else {
            out.summary.passed += 1;
        }
    }

    /// All that the model knows, written down anew: at the start, with what the agent says first; when a conversation is gone on
    /// with; and when what was said was put in short, so that there is less of it.
    fn history(&mut self, offset: u64, messages: &[Value], out: &mut Out<'_>) {
        if self.count == 0 {
            for (at, message) in messages.iter().enumerate() {
                self.message(offset + at as u64 * ROOM, message, out);
            }
        } else if messages.len() < self.count {
            let mut texts = messages.iter().filter(|message| message["type"] == "user");
            let summary =
                texts.find_map(|message| Some(said(&message["content"])).filter(|text| !text.is_empty()));
            out.note(Note::Compacted, &summary.unwrap_or_default());
        } else {
            out.summary.passed += 1;
        }
        self.count = messages.len();
    }

    fn about(record: &Value, out: &mut Out<'_>) {
        out.dated(time(&record["startTime"]));
        out.dated(time(&record["lastUpdated"]));
        if let Some(summary) = record["summary"].as_str() {
            out.summary.titled = clean::line(summary, clean::LINE);
        }
        if out.summary.cwd.is_none() {
            out.summary.cwd = record["directories"][0].as_str().and_then(clean::path);
        }
    }

    fn remember(&mut self, id: &str, offset: u64) -> (bool, usize) {
        let id = clean::name(id);
        if let Some(at) = self.messages.iter().position(|message| message.id == id) {
            return (false, at);
        }
        if self.messages.len() >= REMEMBERED {
            self.messages.pop_front();
        }
        self.count += 1;
        self.messages.push_back(Message { id, offset, used: [0; 3] });
        (true, self.messages.len() - 1)
    }

    fn message(&mut self, offset: u64, message: &Value, out: &mut Out<'_>) {
        let Some(id) = message["id"].as_str() else { return };
        let (new, at) = self.remember(id, offset);
        let base = self.messages.get(at).map_or(offset, |message| message.offset).saturating_mul(PLACES);
        out.seq = base;
        out.id = Some(clean::name(id));
        out.dated(time(&message["timestamp"]));
        let shown = if message["displayContent"].is_null() {
            &message["content"]
        } else {
            &message["displayContent"]
        };
        match message["type"].as_str().unwrap_or_default() {
            "user" => {
                // Results of tools come so too, and are with their calls.
                let text = said(shown);
                out.seq = base + AFTER_THOUGHTS;
                if text.is_empty() {
                    out.summary.passed += 1;
                } else if new {
                    out.prompt(&text);
                } else {
                    out.say(Said::Prompt(clean::text(&text)));
                }
                pictures(&message["content"], out);
            }
            "gemini" => {
                if let Some(model) = message["model"].as_str().filter(|_| out.subagent.is_none()) {
                    out.summary.model = Some(clean::name(model));
                }
                answer(base, message, out);
                self.tokens(at, &message["tokens"], out);
            }
            "error" => out.note(Note::Failed, &text_of(shown)),
            "info" | "warning" => out.note(Note::Other, &text_of(shown)),
            _ => out.summary.passed += 1,
        }
    }

    /// How many tokens there were, apart from what was told of the same message before.
    fn tokens(&mut self, at: usize, tokens: &Value, out: &mut Out<'_>) {
        let Some(message) = self.messages.get_mut(at).filter(|_| tokens.is_object()) else { return };
        let count = |field: &str| number(&tokens[field]);
        let cached = count("cached");
        let output = count("output").saturating_add(count("thoughts"));
        let now = [count("input").saturating_sub(cached).saturating_add(count("tool")), output, cached];
        if out.subagent.is_none() {
            out.summary.usage.context = Some(count("input").saturating_add(output));
        }
        let more: Vec<u64> =
            now.iter().zip(message.used).map(|(now, before)| now.saturating_sub(before)).collect();
        for (before, now) in message.used.iter_mut().zip(now) {
            *before = now.max(*before);
        }
        if more.iter().any(|more| *more > 0) {
            out.used(Usage { input: more[0], output: more[1], cache_read: more[2], ..Usage::default() });
        }
    }
}

fn answer(base: u64, message: &Value, out: &mut Out<'_>) {
    for thought in items(&message["thoughts"]).iter().take(AFTER_THOUGHTS as usize) {
        let part = |field: &str| thought[field].as_str().unwrap_or_default();
        out.thought(format!("{}\n{}", part("subject"), part("description")).trim());
    }
    out.seq = base + AFTER_THOUGHTS;
    out.answer(&text_of(&message["content"]));
    pictures(&message["content"], out);
    for (number, call) in items(&message["toolCalls"]).iter().take(MOST_TOOLS).enumerate() {
        out.seq = base + AFTER_PICTURES + 3 * number as u64;
        tool(call, out);
    }
}

/// What the person said, without what the agent puts in their mouth.
fn said(content: &Value) -> String {
    crate::claude::without(&text_of(content), &["session_context", "hook_context"]).trim().to_owned()
}

fn tool(call: &Value, out: &mut Out<'_>) {
    let text = |field: &str| call[field].as_str().unwrap_or_default();
    let (id, name) = (text("id"), text("name"));
    let mut made = shape::call(id, name, &call["args"]);
    let shown = &call["resultDisplay"];
    // It knows what the file was before.
    if let Some(diff) = shown["fileDiff"].as_str() {
        made.diff = Some(clean::text(diff));
    }
    if let Some(file) = shown["filePath"].as_str().and_then(clean::path).filter(|_| made.files.is_empty()) {
        made.files.push(file);
    }
    out.tool(made);
    let status = text("status");
    if !matches!(status, "success" | "error" | "cancelled") && call["result"].is_null() {
        return;
    }
    let output = match result_text(&call["result"]) {
        Some(output) => output,
        None => shown.as_str().unwrap_or_default().to_owned(),
    };
    out.say(Said::Result {
        call: clean::name(id),
        output: clean::text(&output),
        failed: matches!(status, "error" | "cancelled"),
        diff: None,
        subagent: call["agentId"].as_str().map(clean::name),
    });
    if let Some(items) = shape::todos(name, &call["args"]) {
        out.say(Said::Todos { items });
    }
}

fn result_text(result: &Value) -> Option<String> {
    if let Some(text) = result.as_str() {
        return Some(text.to_owned());
    }
    let mut texts = Vec::new();
    for part in items(result) {
        let response = &part["functionResponse"]["response"];
        let text = ["output", "error", "content"].iter().find_map(|field| response[*field].as_str());
        texts.extend(text.or(part["text"].as_str()));
    }
    (!texts.is_empty()).then(|| texts.into_iter().map(unwrapped).collect::<Vec<_>>().join("\n"))
}

/// Without the element that tells the model not to trust what a program prints.
fn unwrapped(text: &str) -> &str {
    let inside = text
        .trim()
        .strip_prefix("<untrusted_context>")
        .and_then(|text| text.strip_suffix("</untrusted_context>"));
    inside.unwrap_or(text).trim()
}

/// The texts of a content, which is one or a list of parts.
fn text_of(content: &Value) -> String {
    match content {
        Value::String(text) => text.clone(),
        Value::Object(_) => content["text"].as_str().unwrap_or_default().to_owned(),
        _ => {
            let texts = items(content).iter().filter(|part| part["thought"] != true);
            texts.filter_map(|part| part["text"].as_str().or(part.as_str())).collect::<Vec<_>>().join("\n")
        }
    }
}

fn pictures(content: &Value, out: &mut Out<'_>) {
    for part in items(content).iter().filter(|part| part["inlineData"].is_object()).take(4) {
        let data = &part["inlineData"];
        let bytes = data["data"].as_str().map_or(0, base64_bytes);
        out.image(data["mimeType"].as_str().unwrap_or("image"), bytes);
    }
}
