//! Gemini CLI.

use std::path::Path;

use serde_json::{Value, json};

use crate::launch::{Conversation, LaunchInput, LaunchPlan, LaunchRefused, PrivateFile, begin, utf8};
use crate::rules::Rules;

/// Names the settings file of least authority; the person's own settings lie over it.
const DEFAULTS: &str = "GEMINI_CLI_SYSTEM_DEFAULTS_PATH";

/// Where that file is without the variable.
const USUAL_DEFAULTS: &str = "/etc/gemini-cli/system-defaults.json";

/// Checked with 0.61.0. `GEMINI_SYSTEM_MD` would replace the agent's own system prompt, so the text is given as a context
/// file of one more directory, by settings of least authority. The agent reads such settings only where nobody else can
/// write in any directory above them; elsewhere it warns on its screen and goes on without.
pub(crate) fn launch(rules: &Rules, input: &LaunchInput<'_>) -> Result<LaunchPlan, LaunchRefused> {
    let mut plan = LaunchPlan { argv: begin(rules, input)?, ..LaunchPlan::default() };
    let chosen = input.new.args.iter().any(|argument| {
        let flag = argument.split('=').next().unwrap_or_default();
        matches!(flag, "--session-id" | "--resume" | "-r" | "--session-file")
    });
    match input.conversation {
        Conversation::New { id } if !chosen => {
            plan.argv.extend(["--session-id".to_owned(), id.to_string()]);
            plan.conversation_id = Some(id.to_string());
        }
        Conversation::Resume { id } if !chosen => {
            plan.argv.extend(["--resume".to_owned(), id.to_owned()]);
            plan.conversation_id = Some(id.to_owned());
        }
        _ => {}
    }
    if let Some(model) = &input.new.model {
        plan.argv.extend(["-m".to_owned(), model.clone()]);
    }
    if let Some(text) = input.system_prompt() {
        let own = input.var(DEFAULTS).filter(|path| !path.is_empty()).unwrap_or(USUAL_DEFAULTS);
        let folder = input.texts.join("gemini");
        let settings = settings(Path::new(own), &utf8(rules, &folder)?);
        let file = input.text_file("gemini-defaults.json", &settings);
        plan.env.push((DEFAULTS.to_owned(), utf8(rules, &file.path)?));
        plan.files.push(PrivateFile { path: folder.join("GEMINI.md"), contents: text.to_owned() });
        plan.files.push(file);
    }
    plan.argv.extend(input.new.args.iter().cloned());
    Ok(plan)
}

/// The defaults that hold already, with one more directory whose context is read.
fn settings(own: &Path, folder: &str) -> String {
    let own = std::fs::read_to_string(own).ok().and_then(|text| serde_json::from_str(&text).ok());
    let mut settings: Value = own.filter(Value::is_object).unwrap_or(json!({}));
    if !settings["context"].is_object() {
        settings["context"] = json!({});
    }
    let context = &mut settings["context"];
    match context.get_mut("includeDirectories").and_then(Value::as_array_mut) {
        Some(folders) => folders.push(folder.into()),
        None => context["includeDirectories"] = json!([folder]),
    }
    context["loadMemoryFromIncludeDirectories"] = json!(true);
    settings.to_string()
}
