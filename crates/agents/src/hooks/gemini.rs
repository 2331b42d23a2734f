//! Gemini CLI's hooks. Measured with 0.61.0.

use belfry_protocol::Says;
use serde_json::Value;

use super::text;
use crate::activity;
use crate::told::{Activity, Subagents, Told, cut, short};

/// Those that say something of the status. `BeforeModel` and `AfterModel` would be called many times a turn.
pub(crate) const EVENTS: &[&str] = &[
    "SessionStart",
    "BeforeAgent",
    "BeforeTool",
    "AfterTool",
    "Notification",
    "AfterAgent",
    "PreCompress",
    "SessionEnd",
];

/// What it says in place of an answer when there was none: after Esc, and after an error of the model.
const NO_ANSWER: &str = "[no response text]";

pub(super) fn read(name: &str, payload: &Value) -> Option<Told> {
    let tool = text(payload, "tool_name");
    let working = Some(Says::Working);
    Some(match name {
        "SessionStart" => {
            let mut told = Told::new(Some(Says::Idle), named(name, text(payload, "source"))).over();
            told.subagents = Subagents::Gone;
            told
        }
        "BeforeAgent" => Told::new(working, name).over(),
        "BeforeTool" => {
            Told::new(working, named(name, tool)).calling(activity::of_tool(tool, &payload["tool_input"]))
        }
        "AfterTool" => Told::new(working, named(name, tool)).over(),
        "Notification" if text(payload, "notification_type") == "ToolPermission" => {
            let kind = payload["details"]["type"].as_str().unwrap_or_default();
            Told::new(Some(Says::Asking), named(name, kind)).because(asked(payload, kind))
        }
        "AfterAgent" if text(payload, "prompt_response") == NO_ANSWER => {
            Told::new(Some(Says::Idle), named(name, "no answer")).over()
        }
        "AfterAgent" => Told::new(Some(Says::Done), name).over(),
        "PreCompress" => {
            Told::new(working, named(name, text(payload, "trigger"))).doing(Activity::Compacting)
        }
        "SessionEnd" => Told::new(None, named(name, text(payload, "reason"))).over(),
        _ => return None,
    })
}

fn asked(payload: &Value, kind: &str) -> String {
    let details = &payload["details"];
    let detail = |key: &str| details[key].as_str().map(short).filter(|text| !text.is_empty());
    let asked = match kind {
        "exec" => detail("command").map(|command| format!("approve: run {command}")),
        "edit" => {
            detail("fileName").or_else(|| detail("filePath")).map(|file| format!("approve: edit {file}"))
        }
        "mcp" => detail("toolName").map(|tool| format!("approve: use {tool}")),
        _ => None,
    };
    asked.unwrap_or_else(|| short(text(payload, "message")))
}

fn named(name: &str, about: &str) -> String {
    if about.is_empty() { name.to_owned() } else { format!("{name} ({})", cut(about, 40)) }
}
