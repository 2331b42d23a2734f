//! Gemini CLI.

use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use crate::hooks::settings::{self, EVENTS_OF_GEMINI as EVENTS};
use crate::launch::Follows::{Maybe, Value as Always};
use crate::launch::{
    Follows, LaunchInput, LaunchPlan, LaunchRefused, begin, extra_args, name_conversation, utf8,
};
use crate::rules::Rules;

/// Names the settings file of least authority; the person's own settings lie over it.
const DEFAULTS: &str = "GEMINI_CLI_SYSTEM_DEFAULTS_PATH";

/// Names the settings file of highest authority; that of least lies beside it.
const SYSTEM: &str = "GEMINI_CLI_SYSTEM_SETTINGS_PATH";

/// Directories above one another that a working directory may lie in.
const DEEPEST: usize = 64;

/// Where that file is without the variable.
const USUAL_DEFAULTS: &str = "/etc/gemini-cli/system-defaults.json";

/// Flags that choose a conversation, or say something in it at once.
const OWN: &[(&str, Follows)] = &[
    ("--session-id", Always),
    ("--resume", Maybe),
    ("-r", Maybe),
    ("--session-file", Always),
    ("--prompt-interactive", Always),
    ("-i", Always),
];

/// Checked with 0.61.0. `GEMINI_SYSTEM_MD` would replace the agent's own system prompt, and a further directory whose
/// `GEMINI.md` is read makes it ask whether that is trusted. So the text is one more context file, named by settings of
/// least authority. The agent reads such settings only where nobody else can write in any directory above them; elsewhere
/// it warns on its screen and goes on without.
pub(crate) fn launch(rules: &Rules, input: &LaunchInput<'_>) -> Result<LaunchPlan, LaunchRefused> {
    let mut plan = LaunchPlan { argv: begin(rules, input)?, ..LaunchPlan::default() };
    name_conversation(&mut plan, input, OWN);
    if let Some(handover) = input.handover.and_then(Path::parent) {
        plan.argv.extend(["--include-directories".to_owned(), utf8(rules, handover)?]);
    }
    if let Some(model) = &input.new.model {
        plan.argv.extend(["-m".to_owned(), model.clone()]);
    }
    let mut defaults: Option<Value> = None;
    if let Some(text) = input.system_prompt() {
        if let Some(file) = own_names(input) {
            return Err(LaunchRefused::Value {
                agent: rules.name.clone(),
                what: "system prompt beside `context.fileName` in",
                value: file.display().to_string(),
            });
        }
        if !reads_settings_in(input.texts) {
            return Err(LaunchRefused::Here {
                agent: rules.name.clone(),
                what: "system prompt",
                why: "it reads settings for one launch only from directories that belong to root; write the text into a \
                      GEMINI.md of the project or of your own",
            });
        }
        let context = input.text_file("system-prompt.md", text);
        defaults = Some(with_context(own_defaults(input), &utf8(rules, &context.path)?));
        plan.files.push(context);
    }
    if let Some(program) = input.hook_program()
        && (defaults.is_some() || reads_settings_in(input.texts))
    {
        let settings = defaults.get_or_insert_with(|| own_defaults(input));
        set_hooks(settings, input, program);
        plan.hooks = true;
    }
    if let Some(settings) = defaults {
        let file = input.text_file("gemini-defaults.json", &settings.to_string());
        plan.env.push((DEFAULTS.to_owned(), utf8(rules, &file.path)?));
        plan.files.push(file);
    }
    plan.argv.extend(extra_args(input, OWN));
    Ok(plan)
}

/// The person's or the project's settings, where they name context files of their own: those would replace ours. Such a
/// file may have comments, so it is searched and not parsed.
fn own_names(input: &LaunchInput<'_>) -> Option<PathBuf> {
    says_in_settings(input, &["\"fileName\"", "\"contextFileName\""])
}

fn said_in_settings(input: &LaunchInput<'_>, words: &[&str]) -> bool {
    says_in_settings(input, words).is_some()
}

/// The first of the person's and the project's settings that has one of these words.
fn says_in_settings(input: &LaunchInput<'_>, words: &[&str]) -> Option<PathBuf> {
    let home = input.var("HOME").map(Path::new);
    let files = home.into_iter().chain([input.cwd]).map(|folder| folder.join(".gemini/settings.json"));
    files.into_iter().find(|file| {
        let text = settings::text(file).unwrap_or_default();
        words.iter().any(|word| text.contains(word))
    })
}

/// Hooks among the settings of least authority: the agent joins each event's hooks of all its settings.
fn set_hooks(settings: &mut Value, input: &LaunchInput<'_>, program: &str) {
    let table = settings::table(program, EVENTS.iter().copied(), 1000);
    settings::add(settings, table);
    // It would say at every step that hooks are executed; whoever has some of their own may want to know.
    if !said_in_settings(input, &["\"hooks\""]) && settings["hooksConfig"].is_null() {
        settings["hooksConfig"] = json!({ "notifications": false });
    }
}

/// Whether the agent will read settings of such authority from a file there. Where it does not, it says so on its screen at
/// every start. Its rule (0.61.0): the file and every directory above belong to root, and nobody else may write in them.
#[cfg(unix)]
fn reads_settings_in(folder: &Path) -> bool {
    use std::os::unix::fs::MetadataExt as _;
    // What is not there yet is made by us, for us alone.
    let there = folder.ancestors().skip_while(|place| !place.exists());
    let mut there = there.peekable();
    there.peek().is_some()
        && there.all(|place| {
            std::fs::metadata(place).is_ok_and(|meta| meta.uid() == 0 && meta.mode() & 0o022 == 0)
        })
}

/// Windows: it looks at the access lists instead.
#[cfg(not(unix))]
fn reads_settings_in(_folder: &Path) -> bool {
    false
}

/// The settings of least authority that hold already.
fn own_defaults(input: &LaunchInput<'_>) -> Value {
    let set = |name| input.var(name).filter(|path| !path.is_empty()).map(PathBuf::from);
    let beside = || set(SYSTEM).map(|file| file.with_file_name("system-defaults.json"));
    let file = set(DEFAULTS).or_else(beside).unwrap_or_else(|| USUAL_DEFAULTS.into());
    settings::read(&file).unwrap_or(json!({}))
}

/// The settings with one more name of a context file. A name is looked for in the directory and in each above it, so an
/// absolute path has to be written as one that leads from any of them to the root first.
fn with_context(mut settings: Value, file: &str) -> Value {
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
    settings
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
            let all = with_context(settings::read(&own).unwrap_or(json!({})), "/x/y.md");
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
