//! A tool's call in words.

use serde_json::Value;

use crate::told::{cut, short};

/// What the call of a tool is, in the words in which every agent's activity is shown. Tools of all agents are known by one
/// table: where two agents use the same name they mean the same.
pub(crate) fn of_tool(name: &str, input: &Value) -> String {
    let field = |keys: &[&str]| keys.iter().find_map(|key| text(&input[*key])).unwrap_or_default();
    let with =
        |word: &str, rest: String| if rest.is_empty() { word.to_owned() } else { format!("{word} {rest}") };
    let file = || base_name(&field(&["file_path", "filePath", "notebook_path", "absolute_path", "path"]));
    match name.to_ascii_lowercase().as_str() {
        "bash" | "shell" | "exec_command" | "shell_command" | "local_shell" | "run_shell_command"
        | "exec" | "powershell" => with("Running", short(&field(&["command", "cmd"]))),
        "write" | "write_file" => with("Writing", file()),
        "edit" | "multiedit" | "notebookedit" | "replace" | "patch" => with("Editing", file()),
        "apply_patch" => with("Editing", patched(input)),
        "read" | "read_file" | "notebookread" => with("Reading", file()),
        "read_many_files" => "Reading files".to_owned(),
        "ls" | "list" | "list_directory" => with("Listing", file()),
        "glob" | "grep" | "search_file_content" | "grep_search" => {
            with("Searching for", short(&field(&["pattern", "query"])))
        }
        "webfetch" | "web_fetch" => with("Fetching", short(&field(&["url", "prompt"]))),
        "websearch" | "web_search" | "google_web_search" | "web_search_call" => {
            with("Searching the web for", short(&field(&["query"])))
        }
        "task" | "agent" | "spawn_agent" => {
            with("Subagent:", short(&field(&["description", "task_name", "message"])))
        }
        "todowrite" | "write_todos" | "update_plan" | "todoread" => "Updating its list".to_owned(),
        "askuserquestion" | "ask_user" | "question" | "request_user_input" => "Asking".to_owned(),
        "exitplanmode" | "enterplanmode" | "exit_plan_mode" | "enter_plan_mode" => "Planning".to_owned(),
        _ => with("Using", tool(name)),
    }
}

/// What leave is asked for, where an agent asks for leave to call a tool.
pub(crate) fn asked_for(name: &str, input: &Value) -> String {
    match name.to_ascii_lowercase().as_str() {
        "askuserquestion" | "ask_user" | "question" | "request_user_input" => {
            let question = &input["questions"][0]["question"];
            text(question)
                .or_else(|| text(&input["question"]))
                .map_or_else(|| "a question".to_owned(), |text| short(&text))
        }
        "exitplanmode" | "exit_plan_mode" => "approve the plan".to_owned(),
        _ => {
            let activity = of_tool(name, input);
            let mut words = activity.splitn(2, ' ');
            let verb = match words.next().unwrap_or_default() {
                "Running" => "run",
                "Writing" => "write",
                "Editing" => "edit",
                "Reading" => "read",
                "Fetching" => "fetch",
                _ => "use",
            };
            let rest = words.next().unwrap_or_default();
            let rest = if verb == "use" { tool(name) } else { rest.to_owned() };
            format!("approve: {verb} {rest}").trim_end().to_owned()
        }
    }
}

/// A tool's name; one of an MCP server with the server's.
pub(crate) fn tool(name: &str) -> String {
    match name.strip_prefix("mcp__").and_then(|rest| rest.split_once("__")) {
        Some((server, tool)) => format!("{} ({})", cut(tool, 40), cut(server, 30)),
        None => cut(name, 60),
    }
}

/// A text, or the words of a command; a shell that is given a script is left out.
fn text(value: &Value) -> Option<String> {
    match value {
        Value::String(text) => Some(text.clone()),
        Value::Array(words) => {
            let words: Vec<&str> = words.iter().filter_map(Value::as_str).collect();
            Some(match words.as_slice() {
                [shell, "-c" | "-lc", script] if shell.ends_with("sh") => (*script).to_owned(),
                words => words.join(" "),
            })
        }
        _ => None,
    }
}

fn base_name(path: &str) -> String {
    cut(path.rsplit(['/', '\\']).find(|part| !part.is_empty()).unwrap_or_default(), 60)
}

/// The first file of a patch in the format that Codex uses.
fn patched(input: &Value) -> String {
    let patch = text(input).or_else(|| text(&input["input"])).or_else(|| text(&input["patch"]));
    let patch = patch.unwrap_or_default();
    let files = patch.lines().filter_map(|line| {
        ["*** Update File: ", "*** Add File: ", "*** Delete File: "]
            .iter()
            .find_map(|head| line.strip_prefix(head))
    });
    files.take(1).map(base_name).collect()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn calls_in_words() {
        for (name, input, words) in [
            ("Bash", json!({ "command": "npm test\nrm x" }), "Running npm test"),
            ("exec_command", json!({ "cmd": "ls" }), "Running ls"),
            ("shell", json!({ "command": ["bash", "-lc", "make all"] }), "Running make all"),
            ("run_shell_command", json!({ "command": "true" }), "Running true"),
            ("Write", json!({ "file_path": "/p/src/main.rs" }), "Writing main.rs"),
            ("Edit", json!({ "file_path": "/p/a b/" }), "Editing a b"),
            ("apply_patch", json!("*** Begin Patch\n*** Update File: src/x.rs\n@@"), "Editing x.rs"),
            ("Grep", json!({ "pattern": "fn main" }), "Searching for fn main"),
            ("WebFetch", json!({ "url": "https://example.org/" }), "Fetching https://example.org/"),
            ("Task", json!({ "description": "Look around" }), "Subagent: Look around"),
            ("mcp__probe__echo", json!({}), "Using echo (probe)"),
            ("Unheard", Value::Null, "Using Unheard"),
            ("Bash", json!({ "command": 7 }), "Running"),
            ("Bash", json!({ "command": "\u{1b}]0;x\u{7}ls" }), "Running ]0;xls"),
        ] {
            assert_eq!(of_tool(name, &input), words, "{name}");
        }
    }

    #[test]
    fn what_leave_is_asked_for() {
        for (name, input, words) in [
            ("Bash", json!({ "command": "touch x" }), "approve: run touch x"),
            ("Write", json!({ "file_path": "/p/x" }), "approve: write x"),
            ("mcp__probe__echo", json!({}), "approve: use echo (probe)"),
            ("ExitPlanMode", json!({}), "approve the plan"),
            ("AskUserQuestion", json!({ "questions": [{ "question": "Which colour?" }] }), "Which colour?"),
            ("AskUserQuestion", json!({}), "a question"),
        ] {
            assert_eq!(asked_for(name, &input), words, "{name}");
        }
    }
}
