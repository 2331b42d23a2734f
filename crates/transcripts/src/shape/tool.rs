//! A tool's call: what it is about, which files it changes, and how.

use belfry_protocol::transcript::ToolCall;
use serde_json::Value;

use super::diff;
use super::patch::{Patch, apply_patch};
use crate::clean;
use crate::json::items;

/// What says best what a call is about, in this order. Where two agents use the same name for a field they mean the same.
const ABOUT: &[&str] = &[
    "command",
    "cmd",
    "file_path",
    "filePath",
    "notebook_path",
    "absolute_path",
    "path",
    "pattern",
    "url",
    "query",
    "description",
    "task_name",
    "subject",
    "question",
    "prompt",
    "message",
    "plan",
    "dir_path",
];

/// A call, from what its agent wrote down. The arguments are a value, or a text of their own kind.
pub(crate) fn call(id: &str, name: &str, input: &Value) -> ToolCall {
    let (files, diff) = changes(name, input);
    let arguments = match input {
        Value::String(text) => clean::text(text),
        Value::Null => clean::text(""),
        other => clean::text(&other.to_string()),
    };
    ToolCall {
        call: clean::name(id),
        name: clean::name(name),
        about: about(input, &files),
        arguments,
        files,
        diff: diff.filter(|diff| !diff.is_empty()).map(|diff| clean::text(&diff)),
    }
}

fn about(input: &Value, files: &[String]) -> Option<String> {
    let line = |text: &str| clean::line(text, clean::LINE);
    if input.is_string() {
        return files.first().map(String::as_str).or(input.as_str()).and_then(line);
    }
    let field = |name: &&str| match &input[*name] {
        Value::String(text) => line(text),
        // A program and its arguments.
        Value::Array(words) if matches!(*name, "command" | "cmd") => {
            let words: Vec<&str> = words.iter().filter_map(Value::as_str).collect();
            // A shell's own name says nothing.
            let words = match words.as_slice() {
                [shell, flag, rest @ ..] if shell.ends_with("sh") && flag.starts_with('-') => rest,
                all => all,
            };
            line(&words.join(" "))
        }
        _ => None,
    };
    let first_question = || input["questions"][0]["question"].as_str().and_then(line);
    ABOUT.iter().find_map(field).or_else(first_question)
}

/// The files that a call changes, and the changes as a unified diff.
fn changes(name: &str, input: &Value) -> (Vec<String>, Option<String>) {
    let field = |names: &[&str]| names.iter().find_map(|name| input[*name].as_str());
    let file = field(&["file_path", "filePath", "notebook_path", "absolute_path", "path"]);
    let old = field(&["old_string", "oldString", "old_str"]);
    let new = field(&["new_string", "newString", "new_str", "new_source"]);
    match name.to_ascii_lowercase().as_str() {
        "edit" | "multiedit" | "notebookedit" | "replace" | "str_replace" => {
            let Some(file) = file.and_then(clean::path) else { return (Vec::new(), None) };
            let mut diff = String::new();
            diff::header(&mut diff, &file, &file);
            let pair = |edit: &Value| {
                let text =
                    |names: [&str; 2]| names.iter().find_map(|name| edit[*name].as_str()).map(str::to_owned);
                Some((text(["old_string", "oldString"])?, text(["new_string", "newString"])?))
            };
            for (old, new) in items(&input["edits"]).iter().filter_map(pair) {
                diff::replaced(&mut diff, &old, &new);
            }
            match (old, new) {
                (None, None) => {}
                (old, new) => diff::replaced(&mut diff, old.unwrap_or_default(), new.unwrap_or_default()),
            }
            (vec![file], Some(diff))
        }
        "write" | "write_file" | "create" => {
            let Some(file) = file.and_then(clean::path) else { return (Vec::new(), None) };
            let mut diff = String::new();
            let text = field(&["content", "contents", "text"]).unwrap_or_default();
            diff::whole(&mut diff, "/dev/null", &file, '+', text);
            (vec![file], Some(diff))
        }
        "apply_patch" | "patch" => patched(input.as_str().or(field(&["patchText", "patch", "input"]))),
        // Codex's older versions called it by the shell.
        "shell" | "exec_command" | "shell_command" | "local_shell" | "exec" => {
            let words = items(&input["command"]);
            let in_words =
                || words.iter().filter_map(Value::as_str).find(|word| word.contains("*** Begin Patch"));
            let in_text = field(&["command", "cmd"]).or(input.as_str());
            patched(in_text.filter(|text| text.contains("*** Begin Patch")).or_else(in_words))
        }
        _ => (Vec::new(), None),
    }
}

fn patched(text: Option<&str>) -> (Vec<String>, Option<String>) {
    match text.and_then(apply_patch) {
        Some(Patch { files, diff }) => (files, Some(diff)),
        None => (Vec::new(), None),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn what_calls_are_about() {
        for (name, input, about, files) in [
            ("Bash", json!({ "command": "ls\nrm x" }), Some("ls"), ""),
            ("shell", json!({ "command": ["bash", "-lc", "make all"] }), Some("make all"), ""),
            ("exec_command", json!({ "cmd": "make" }), Some("make"), ""),
            ("Write", json!({ "file_path": "/p/x", "content": "a" }), Some("/p/x"), "/p/x"),
            ("Edit", json!({ "file_path": "/p/x" }), Some("/p/x"), "/p/x"),
            ("Read", json!({ "file_path": "/p/x" }), Some("/p/x"), ""),
            ("AskUserQuestion", json!({ "questions": [{ "question": "Which?" }] }), Some("Which?"), ""),
            ("apply_patch", json!("*** Begin Patch\n*** Add File: n\n+x\n*** End Patch"), Some("n"), "n"),
            ("Odd", json!(7), None, ""),
            ("Odd", json!({ "command": 7 }), None, ""),
            ("Edit", json!({ "file_path": 7 }), None, ""),
        ] {
            let call = call("c", name, &input);
            assert_eq!(call.about.as_deref(), about, "{name} {input}");
            assert_eq!(call.files.join(","), files, "{name} {input}");
        }
    }

    #[test]
    fn edits_are_diffs() {
        let diff = |name: &str, input: Value| call("c", name, &input).diff.unwrap().text;
        let edit = json!({ "file_path": "f", "old_string": "a\nb", "new_string": "a\nc" });
        assert_eq!(diff("Edit", edit), "--- f\n+++ f\n@@\n a\n-b\n+c");
        let edits = json!({ "file_path": "f", "edits": [{ "old_string": "a", "new_string": "b" }, 7] });
        assert_eq!(diff("MultiEdit", edits), "--- f\n+++ f\n@@\n-a\n+b");
        let write = json!({ "filePath": "f", "content": "a\n" });
        assert_eq!(diff("write", write), "--- /dev/null\n+++ f\n@@\n+a");
        let shell =
            json!({ "command": ["apply_patch", "*** Begin Patch\n*** Add File: n\n+x\n*** End Patch"] });
        assert_eq!(diff("shell", shell), "--- /dev/null\n+++ n\n+x");
    }
}
