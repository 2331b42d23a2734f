//! Gemini CLI.

use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use crate::launch::{LaunchInput, LaunchPlan, LaunchRefused, begin, name_conversation, utf8};
use crate::rules::Rules;

/// Names the settings file of least authority; the person's own settings lie over it.
const DEFAULTS: &str = "GEMINI_CLI_SYSTEM_DEFAULTS_PATH";

/// Directories above one another that a working directory may lie in.
const DEEPEST: usize = 64;

/// Where that file is without the variable.
const USUAL_DEFAULTS: &str = "/etc/gemini-cli/system-defaults.json";

/// Checked with 0.61.0. `GEMINI_SYSTEM_MD` would replace the agent's own system prompt, and a further directory whose
/// `GEMINI.md` is read makes it ask whether that is trusted. So the text is one more context file, named by settings of
/// least authority. The agent reads such settings only where nobody else can write in any directory above them; elsewhere
/// it warns on its screen and goes on without.
pub(crate) fn launch(rules: &Rules, input: &LaunchInput<'_>) -> Result<LaunchPlan, LaunchRefused> {
    let mut plan = LaunchPlan { argv: begin(rules, input)?, ..LaunchPlan::default() };
    name_conversation(&mut plan, input, &["--session-id", "--resume", "-r", "--session-file"]);
    if let Some(model) = &input.new.model {
        plan.argv.extend(["-m".to_owned(), model.clone()]);
    }
    if let Some(text) = input.system_prompt() {
        if let Some(file) = own_names(input) {
            return Err(LaunchRefused::Value {
                agent: rules.name.clone(),
                what: "system prompt beside `context.fileName` in",
                value: file.display().to_string(),
            });
        }
        let own = input.var(DEFAULTS).filter(|path| !path.is_empty()).unwrap_or(USUAL_DEFAULTS);
        let context = input.text_file("system-prompt.md", text);
        let settings = settings(Path::new(own), &utf8(rules, &context.path)?);
        let file = input.text_file("gemini-defaults.json", &settings);
        plan.env.push((DEFAULTS.to_owned(), utf8(rules, &file.path)?));
        plan.files.extend([context, file]);
    }
    plan.argv.extend(input.new.args.iter().cloned());
    Ok(plan)
}

/// The person's or the project's settings, where they name context files of their own: those would replace ours. Such a
/// file may have comments, so it is searched and not parsed.
fn own_names(input: &LaunchInput<'_>) -> Option<PathBuf> {
    let home = input.var("HOME").map(Path::new);
    let files = home.into_iter().chain([input.cwd]).map(|folder| folder.join(".gemini/settings.json"));
    files.into_iter().find(|file| {
        let text = std::fs::read_to_string(file).unwrap_or_default();
        text.contains("\"fileName\"") || text.contains("\"contextFileName\"")
    })
}

/// The defaults that hold already, with one more name of a context file. A name is looked for in the directory and in each
/// above it, so an absolute path has to be written as one that leads from any of them to the root first.
fn settings(own: &Path, file: &str) -> String {
    let own = std::fs::read_to_string(own).ok().and_then(|text| serde_json::from_str(&text).ok());
    let mut settings: Value = own.filter(Value::is_object).unwrap_or(json!({}));
    if !settings["context"].is_object() {
        settings["context"] = json!({});
    }
    let name = format!("{}{}", "../".repeat(DEEPEST), file.trim_start_matches('/'));
    let names = &mut settings["context"]["fileName"];
    *names = match names.take() {
        Value::Array(mut names) => {
            names.push(name.into());
            names.into()
        }
        Value::String(one) => json!([one, name]),
        _ => json!(["GEMINI.md", name]),
    };
    settings.to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_that_hold_already_are_kept() {
        let folder = tempfile::tempdir().unwrap();
        let own = folder.path().join("own.json");
        let names = |text: &str| {
            std::fs::write(&own, text).unwrap();
            let all: Value = serde_json::from_str(&settings(&own, "/x/y.md")).unwrap();
            let names = all["context"]["fileName"].as_array().unwrap().clone();
            let last = names.last().unwrap().as_str().unwrap();
            assert!(last.starts_with("../../") && last.ends_with("../x/y.md"), "{last}");
            json!([all["ui"], names[..names.len() - 1]])
        };
        assert_eq!(names("{}"), json!([null, ["GEMINI.md"]]));
        assert_eq!(names("nonsense"), json!([null, ["GEMINI.md"]]));
        assert_eq!(names(r#"{"ui":1,"context":{"fileName":"A.md"}}"#), json!([1, ["A.md"]]));
        assert_eq!(names(r#"{"context":{"fileName":["A.md","B.md"]}}"#), json!([null, ["A.md", "B.md"]]));
    }
}
