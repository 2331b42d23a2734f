//! OpenCode's events, as its plugin passes them on. Measured with 1.18.33.

use belfry_protocol::Says;
use serde_json::Value;

use super::reader::{Foreign, HookReader};
use super::text;
use crate::failure;
use crate::told::{Activity, Subagents, Told, cut, short};

/// The events that the plugin passes on; all others are many and say nothing of the status.
pub(crate) const EVENTS: &[&str] = &[
    "session.created",
    "session.status",
    "session.idle",
    "session.error",
    "permission.asked",
    "permission.replied",
    "question.asked",
    "question.replied",
    "question.rejected",
];

/// A subagent is a session of its own below another one, and its questions are the person's as well.
pub(super) fn read(reader: &mut HookReader, name: &str, payload: &Value) -> Result<Option<Told>, Foreign> {
    if name == "session.created" {
        return Ok(created(reader, payload));
    }
    let id = text(payload, "sessionID");
    let child = reader.children.contains(id);
    if !child && !id.is_empty() && reader.conversation.as_deref() != Some(id) {
        // One that works is the one that the person has just prompted. Another's other words are late ones.
        let begins = name == "session.status" && payload["status"]["type"] == "busy";
        if reader.conversation.is_some() && !begins {
            return Err(Foreign);
        }
        reader.learn(id);
    }
    let working = Some(Says::Working);
    Ok(Some(match name {
        "session.status" if child => child_status(payload, id),
        "session.status" => return Ok(status(reader, payload)),
        "session.idle" | "session.error" if child => ended(id, name),
        "session.idle" => over(reader, name),
        "session.error" => {
            reader.failed = true;
            error(payload)
        }
        "permission.asked" => Told::new(Some(Says::Asking), named(name, text(payload, "permission")))
            .because(format!("approve: {}", asked(payload))),
        "question.asked" => {
            let question = payload["questions"][0]["question"].as_str().unwrap_or("a question");
            Told::new(Some(Says::Asking), name).because(short(question))
        }
        "permission.replied" | "question.replied" | "question.rejected" => Told::new(working, name),
        _ => return Ok(None),
    }))
}

fn created(reader: &mut HookReader, payload: &Value) -> Option<Told> {
    let info = &payload["info"];
    let id = info["id"].as_str()?;
    if info["parentID"].is_string() {
        reader.child(id);
        let mut told = Told::new(None, "session.created (subagent)");
        told.subagents = Subagents::Started(cut(id, 64));
        return Some(told);
    }
    reader.learn(id);
    reader.failed = false;
    Some(Told::new(None, "session.created"))
}

fn child_status(payload: &Value, id: &str) -> Told {
    if payload["status"]["type"] == "idle" {
        return ended(id, "session.status");
    }
    let mut told = Told::new(None, "session.status (subagent)");
    told.subagents = Subagents::Started(cut(id, 64));
    told
}

fn ended(id: &str, name: &str) -> Told {
    let mut told = Told::new(None, named(name, "subagent"));
    told.subagents = Subagents::Ended(cut(id, 64));
    told
}

fn status(reader: &mut HookReader, payload: &Value) -> Option<Told> {
    let status = &payload["status"];
    Some(match status["type"].as_str()? {
        "busy" => {
            reader.failed = false;
            Told::new(Some(Says::Working), "session.status busy")
        }
        "retry" => {
            let why = Activity::Retrying(short(text(status, "message")));
            Told::new(Some(Says::Working), "session.status retry").doing(why)
        }
        "idle" => over(reader, "session.status idle"),
        _ => return None,
    })
}

/// The end of a turn; after an error it only repeats that.
fn over(reader: &HookReader, name: &str) -> Told {
    Told::new((!reader.failed).then_some(Says::Done), name).over()
}

fn error(payload: &Value) -> Told {
    let error = &payload["error"];
    let kind = text(error, "name");
    if kind == "MessageAbortedError" {
        return Told::new(Some(Says::Idle), "session.error (interrupted)").over();
    }
    let message = error["data"]["message"].as_str().unwrap_or_default();
    failure::told(kind, message, named("session.error", kind))
}

fn asked(payload: &Value) -> String {
    let kind = text(payload, "permission");
    let pattern =
        payload["patterns"][0].as_str().or(payload["metadata"]["command"].as_str()).unwrap_or_default();
    let verb = match kind {
        "bash" => "run",
        "edit" | "write" => "edit",
        "webfetch" => "fetch",
        other => other,
    };
    format!("{} {}", cut(verb, 40), short(pattern)).trim_end().to_owned()
}

fn named(name: &str, about: &str) -> String {
    if about.is_empty() { name.to_owned() } else { format!("{name} ({})", cut(about, 40)) }
}
