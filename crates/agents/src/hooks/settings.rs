//! Hooks as agents' settings have them.

use std::path::Path;

use serde_json::{Value, json};

pub(crate) use super::aider::WAITS as WAITS_OF_AIDER;
pub(crate) use super::claude::EVENTS as EVENTS_OF_CLAUDE;
pub(crate) use super::gemini::EVENTS as EVENTS_OF_GEMINI;
pub(crate) use super::opencode::EVENTS as EVENTS_OF_OPENCODE;

/// Seconds after which an agent gives a hook up. One takes a hundredth of that, and never half a second.
const PATIENCE: u64 = 5;

/// The command of a hook, for a shell. It says nothing and fails never, also where the program is gone: an agent can take
/// either for an answer.
pub(crate) fn command(program: &str, name: &str) -> String {
    format!("{} hook {name} 2>/dev/null || :", quoted(program))
}

/// One word for a POSIX shell.
fn quoted(text: &str) -> String {
    format!("'{}'", text.replace('\'', r"'\''"))
}

/// A table of hooks with a command for each name, in the shape that Claude Code and Gemini CLI share. `unit` is how many
/// of the agent's units a second has.
pub(crate) fn table<'a>(program: &str, names: impl IntoIterator<Item = &'a str>, unit: u64) -> Value {
    let hook = |name: &str| {
        let hook =
            json!({ "type": "command", "command": command(program, name), "timeout": PATIENCE * unit });
        json!([{ "hooks": [hook] }])
    };
    names.into_iter().map(|name| (name.to_owned(), hook(name))).collect::<serde_json::Map<_, _>>().into()
}

/// Adds a table of hooks to settings that may have some: those stay, and come first.
pub(crate) fn add(settings: &mut Value, table: Value) {
    if !settings["hooks"].is_object() {
        settings["hooks"] = json!({});
    }
    let Value::Object(table) = table else { return };
    for (name, hooks) in table {
        let known = &mut settings["hooks"][name];
        match (known.as_array_mut(), hooks) {
            (Some(known), Value::Array(hooks)) => known.extend(hooks),
            (_, hooks) => *known = hooks,
        }
    }
}

/// Settings in a file; none where it has none.
pub(crate) fn read(file: &Path) -> Option<Value> {
    serde_json::from_str(&text(file)?).ok().filter(Value::is_object)
}

/// The text of a file; none where it is none, or too large for settings. A pipe of that name is never waited for.
pub(crate) fn text(file: &Path) -> Option<String> {
    const LARGEST: u64 = 1024 * 1024;
    let meta = std::fs::metadata(file).ok()?;
    if !meta.is_file() || meta.len() > LARGEST {
        return None;
    }
    std::fs::read_to_string(file).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_with_anything_in_it_is_one_word() {
        let command = command("/o'p t/$x/belfry", "Stop");
        assert_eq!(command, r"'/o'\''p t/$x/belfry' hook Stop 2>/dev/null || :");
        let ran = std::process::Command::new("/bin/sh").args(["-c", &command]).output().unwrap();
        assert!(ran.status.success() && ran.stdout.is_empty() && ran.stderr.is_empty(), "{ran:?}");
    }

    #[test]
    fn hooks_that_are_there_stay() {
        let mut settings = json!({ "model": "m", "hooks": { "Stop": [{ "hooks": [1] }], "Odd": 1 } });
        add(&mut settings, table("/b", ["Stop", "SessionStart"], 1));
        assert_eq!(settings["model"], "m");
        assert_eq!(settings["hooks"]["Stop"].as_array().map(Vec::len), Some(2));
        assert_eq!(settings["hooks"]["Stop"][0]["hooks"][0], 1);
        assert_eq!(settings["hooks"]["SessionStart"][0]["hooks"][0]["timeout"], 5);
        assert_eq!(settings["hooks"]["Odd"], 1);
    }
}
