//! Texts in Codex's records.

use std::fmt::Write as _;

use serde_json::Value;

use crate::json::items;
use crate::{clean, shape};

/// Beginnings of what Codex puts in the person's place.
const NOT_THEIRS: &[&str] = &[
    "# AGENTS.md instructions",
    "<environment_context>",
    "<user_instructions>",
    "<turn_aborted>",
    "<skill>",
    "<subagent_notification>",
    "<permissions instructions>",
    "<user_shell_command>",
];

/// What the person said in a text: none where it is not theirs. An editor puts its own context before it.
pub(super) fn prompt(text: &str) -> Option<&str> {
    let text = text.trim();
    if text.is_empty() || NOT_THEIRS.iter().any(|start| text.starts_with(start)) {
        return None;
    }
    if text.starts_with("# Context from my IDE setup:")
        && let Some((_, asked)) = text.split_once("## My request for Codex:")
    {
        return Some(asked.trim());
    }
    Some(text)
}

/// The texts of a content, which is one or a list of parts.
pub(super) fn text_of(content: &Value) -> String {
    match content {
        Value::String(text) => text.clone(),
        _ => items(content).iter().filter_map(|part| part["text"].as_str()).collect::<Vec<_>>().join("\n"),
    }
}

/// What a tool gave, and whether it failed.
pub(super) fn output(output: &Value) -> (String, bool) {
    match output {
        // Older versions put JSON in the text.
        Value::String(text) if text.starts_with("{\"output\"") => match crate::json::parse(text.as_bytes()) {
            Some(told) => {
                let failed = told["metadata"]["exit_code"].as_i64().is_some_and(|code| code != 0);
                (told["output"].as_str().unwrap_or_default().to_owned(), failed)
            }
            None => (text.clone(), false),
        },
        Value::String(text) => (text.clone(), exit_code(text).is_some_and(|code| code != 0)),
        Value::Object(_) => (text_of(&output["content"]), output["success"] == false),
        _ => (text_of(output), false),
    }
}

/// The code in the lines that stand before a command's output.
fn exit_code(text: &str) -> Option<i64> {
    let head = text.split("Output:").next()?;
    let line = head.lines().take(8).find_map(|line| {
        line.strip_prefix("Process exited with code ").or_else(|| line.strip_prefix("Exit code: "))
    })?;
    line.trim().parse().ok()
}

/// Changes to files as a unified diff.
pub(super) fn changes(changes: &Value) -> Option<String> {
    let mut diff = String::new();
    for (file, change) in changes.as_object()?.iter().take(100) {
        let Some(file) = clean::path(file) else { continue };
        let to = change["move_path"].as_str().and_then(clean::path).unwrap_or_else(|| file.clone());
        let content = change["content"].as_str().unwrap_or_default();
        match change["type"].as_str().unwrap_or_default() {
            "add" => shape::whole(&mut diff, "/dev/null", &file, '+', content),
            "delete" => shape::whole(&mut diff, &file, "/dev/null", '-', content),
            _ => {
                let _ = writeln!(diff, "--- {file}\n+++ {to}");
                diff.push_str(clean::upto(
                    change["unified_diff"].as_str().unwrap_or_default(),
                    clean::LONGEST,
                ));
            }
        }
    }
    (!diff.is_empty()).then_some(diff)
}
