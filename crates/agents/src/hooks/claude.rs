//! Claude Code's hooks. Measured with 2.1.197 and 2.1.332.

use belfry_protocol::Says;
use serde_json::Value;

use super::text;
use crate::told::{Activity, Subagents, Told, cut, short};
use crate::{activity, failure};

/// The hooks of this agent, with the first version that is known to have each; others are not asked for, so that an older
/// version does not find names in its settings that it does not know.
pub(crate) const EVENTS: &[(&str, bool)] = &[
    ("SessionStart", true),
    ("UserPromptSubmit", true),
    ("PreToolUse", true),
    ("PostToolUse", true),
    ("PostToolUseFailure", false),
    ("PermissionRequest", false),
    ("PermissionDenied", false),
    ("Notification", true),
    ("Stop", true),
    ("StopFailure", false),
    ("SubagentStart", false),
    ("SubagentStop", true),
    ("PreCompact", true),
    ("PostCompact", false),
    ("SessionEnd", true),
];

pub(super) fn read(name: &str, payload: &Value) -> Option<Told> {
    let tool = text(payload, "tool_name");
    let input = &payload["tool_input"];
    // A subagent's tool is not what the session itself does.
    let inner = !text(payload, "agent_id").is_empty() && !name.starts_with("Subagent");
    let working = Some(Says::Working);
    let told = match name {
        "SessionStart" => match text(payload, "source") {
            // It follows a compaction, of which `PostCompact` tells.
            "compact" => Told::new(None, "SessionStart (compact)").over(),
            source => {
                let mut told = Told::new(Some(Says::Idle), named(name, source)).over();
                told.subagents = Subagents::Gone;
                told
            }
        },
        "UserPromptSubmit" => Told::new(working, name).over(),
        "PreToolUse" => Told::new(working, named(name, tool)).calling(activity::of_tool(tool, input)),
        "PostToolUseFailure" if payload["is_interrupt"] == true => {
            Told::new(Some(Says::Idle), named(name, "interrupted")).over()
        }
        "PermissionRequest" => {
            Told::new(Some(Says::Asking), named(name, tool)).because(activity::asked_for(tool, input))
        }
        // The last is the agent's own refusal, of which it tells the model; not the person's.
        "PostToolUse" | "PostToolUseFailure" | "PermissionDenied" => {
            Told::new(working, named(name, tool)).over()
        }
        "Notification" => return notification(payload),
        "Stop" => stop(payload),
        "StopFailure" => {
            let error = text(payload, "error");
            failure::told(error, text(payload, "last_assistant_message"), named(name, error))
        }
        "SubagentStart" => {
            let mut told = Told::new(working, named(name, text(payload, "agent_type")));
            told.subagents = Subagents::Started(id(payload));
            told
        }
        "SubagentStop" => {
            let mut told = Told::new(None, named(name, text(payload, "agent_type")));
            told.subagents = Subagents::Ended(id(payload));
            told
        }
        "PreCompact" => Told::new(working, named(name, text(payload, "trigger"))).doing(Activity::Compacting),
        "PostCompact" if text(payload, "trigger") == "manual" => {
            Told::new(Some(Says::Idle), named(name, "manual")).over()
        }
        "PostCompact" => Told::new(working, named(name, text(payload, "trigger"))).over(),
        "SessionEnd" => {
            let mut told = Told::new(None, named(name, text(payload, "reason"))).over();
            told.subagents = Subagents::Gone;
            told
        }
        _ => return None,
    };
    Some(if inner { Told { activity: Activity::Same, ..told } } else { told })
}

/// The turn is over, though not necessarily the work: background tasks are listed with it.
fn stop(payload: &Value) -> Told {
    let mut told = Told::new(Some(Says::Done), "Stop").over();
    if let Some(tasks) = payload["background_tasks"].as_array() {
        let agent = |task: &&Value| {
            let kind = task["type"].as_str().or(task["kind"].as_str()).unwrap_or_default();
            kind.contains("agent")
        };
        told.background = Some(tasks.iter().filter(|task| !agent(task)).count() as u32);
    }
    told
}

fn notification(payload: &Value) -> Option<Told> {
    let kind = text(payload, "notification_type");
    let what = named("Notification", kind);
    Some(match kind {
        "permission_prompt" | "elicitation_dialog" | "elicitation_url_dialog" => {
            Told::new(Some(Says::Asking), what).because(short(text(payload, "message")))
        }
        "idle_prompt" => Told::new(Some(Says::Idle), what).over(),
        // Versions before 2.1 gave no type.
        "" if text(payload, "message").contains("permission") => {
            Told::new(Some(Says::Asking), what).because(short(text(payload, "message")))
        }
        "" if text(payload, "message").contains("waiting for your input") => {
            Told::new(Some(Says::Idle), what).over()
        }
        _ => return None,
    })
}

fn named(name: &str, about: &str) -> String {
    if about.is_empty() { name.to_owned() } else { format!("{name} ({})", cut(about, 40)) }
}

fn id(payload: &Value) -> String {
    cut(text(payload, "agent_id"), 64)
}
