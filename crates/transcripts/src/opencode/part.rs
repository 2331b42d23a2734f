//! One part of a message.

use belfry_protocol::transcript::{Note, Said};
use serde_json::Value;

use crate::out::Out;
use crate::shape::{self, base64_bytes, time};
use crate::{clean, json};

/// What was made of a part.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Shown {
    /// It will not change any more.
    pub(super) finished: bool,
    /// It was counted as something that the person asked.
    pub(super) prompt: bool,
}

/// Shows a part. `count` is whether a text of the person is a further prompt.
pub(super) fn show(part: &Value, person: bool, count: bool, out: &mut Out<'_>) -> Shown {
    let text = |field: &str| part[field].as_str().unwrap_or_default();
    let mut shown = Shown { finished: true, prompt: false };
    match text("type") {
        // The agent's own words to the model, or what the person does not see.
        "text" if part["synthetic"] == true || part["ignored"] == true => out.summary.passed += 1,
        "text" if person => {
            let said = text("text").trim();
            if count {
                out.prompt(said);
                shown.prompt = !said.is_empty();
            } else if !said.is_empty() {
                out.say(Said::Prompt(clean::text(said)));
            }
        }
        "text" => {
            out.answer(text("text"));
            shown.finished = part["time"]["end"].is_number();
        }
        "reasoning" => {
            out.thought(text("text"));
            shown.finished = part["time"]["end"].is_number();
        }
        "tool" => shown.finished = tool(part, out),
        "file" => {
            let data = text("url").strip_prefix("data:").and_then(|url| url.split_once(','));
            let bytes = data.map_or(0, |(_, data)| base64_bytes(data));
            if text("mime").starts_with("image/") {
                out.image(text("mime"), bytes);
            } else {
                out.note(Note::Other, &format!("file {}", text("filename")));
            }
        }
        "compaction" => out.note(Note::Compacted, ""),
        "retry" => out.note(Note::Other, part["error"]["data"]["message"].as_str().unwrap_or("trying again")),
        "subtask" => out.note(Note::Other, &format!("subagent {}: {}", text("agent"), text("description"))),
        "step-finish" if text("reason") == "stop" => out.note(Note::TurnOver, ""),
        _ => out.summary.passed += 1,
    }
    shown
}

/// A tool's call, and its result once there is one.
fn tool(part: &Value, out: &mut Out<'_>) -> bool {
    let state = &part["state"];
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let (id, name, status) = (text(&part["callID"]), text(&part["tool"]), text(&state["status"]));
    let over = matches!(status.as_str(), "completed" | "error");
    if status == "pending" && state["input"].as_object().is_none_or(serde_json::Map::is_empty) {
        // Its arguments are still being written.
        return false;
    }
    out.at = time(&state["time"]["start"]).or(out.at);
    let mut call = shape::call(&id, &name, &state["input"]);
    let told = &state["metadata"];
    if let Some(diff) = told["diff"].as_str().filter(|diff| !diff.is_empty()) {
        call.diff = Some(clean::text(diff));
    }
    if call.about.is_none() {
        call.about = clean::line(&text(&state["title"]), clean::LINE);
    }
    out.tool(call);
    if !over {
        return false;
    }
    out.at = time(&state["time"]["end"]).or(out.at);
    let output = if status == "error" { text(&state["error"]) } else { text(&state["output"]) };
    out.say(Said::Result {
        call: clean::name(&id),
        output: clean::text(&output),
        failed: status == "error",
        diff: None,
        subagent: told["sessionId"].as_str().or(told["sessionID"].as_str()).map(clean::name),
    });
    let written = json::items(&told["todos"]);
    if let Some(items) = (!written.is_empty())
        .then(|| shape::plan(&told["todos"]))
        .or_else(|| shape::todos(&name, &state["input"]))
    {
        out.say(Said::Todos { items });
    }
    true
}
