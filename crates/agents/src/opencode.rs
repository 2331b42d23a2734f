//! OpenCode.

use std::fmt::Write as _;

use serde_json::{Value, json};

use crate::hooks::HOOK_FILE_ENV;
use crate::hooks::settings::EVENTS_OF_OPENCODE as EVENTS;
use crate::launch::Follows::{Nothing, Value as Always};
use crate::launch::{Conversation, Follows, LaunchInput, LaunchPlan, LaunchRefused, begin, extra_args, utf8};
use crate::rules::Rules;

/// A variable with configuration that OpenCode lays over its files.
const CONFIG: &str = "OPENCODE_CONFIG_CONTENT";

/// Flags that choose a conversation, or say something in it at once.
const OWN: &[(&str, Follows)] = &[
    ("-s", Always),
    ("--session", Always),
    ("-c", Nothing),
    ("--continue", Nothing),
    ("--fork", Nothing),
    ("--prompt", Always),
];

/// Checked with 1.18.33. It takes its directory from `PWD`, which the environment function sets for every session. A
/// system prompt is one more file of `instructions` and the hooks are one more `plugin`, named in [`CONFIG`]; what the person
/// has there is kept.
pub(crate) fn launch(rules: &Rules, input: &LaunchInput<'_>) -> Result<LaunchPlan, LaunchRefused> {
    let mut plan = LaunchPlan { argv: begin(rules, input)?, ..LaunchPlan::default() };
    if let Some(model) = &input.new.model {
        plan.argv.extend(["-m".to_owned(), model.clone()]);
    }
    let mut config = own_config(input.var(CONFIG));
    let mut configured = false;
    if let Some(text) = input.system_prompt() {
        let file = input.text_file("system-prompt.md", text);
        add(&mut config, "instructions", utf8(rules, &file.path)?);
        plan.files.push(file);
        configured = true;
    }
    if let Some(program) = input.hook_program() {
        let file = input.text_file("belfry-plugin.js", &plugin(program));
        add(&mut config, "plugin", file_url(&utf8(rules, &file.path)?));
        plan.files.push(file);
        (plan.hooks, configured) = (true, true);
    }
    if configured {
        plan.env.push((CONFIG.to_owned(), config.to_string()));
    }
    match input.conversation {
        Conversation::New { .. } => {}
        Conversation::Resume { id } => {
            plan.argv.extend(["-s".to_owned(), id.to_owned()]);
            plan.conversation_id = Some(id.to_owned());
        }
        Conversation::Fork { from, .. } => {
            plan.argv.extend(["-s".to_owned(), from.to_owned(), "--fork".to_owned()]);
        }
    }
    plan.argv.extend(extra_args(input, OWN));
    Ok(plan)
}

/// The person's configuration, where it is one.
fn own_config(own: Option<&str>) -> Value {
    own.and_then(|own| serde_json::from_str(own).ok()).filter(Value::is_object).unwrap_or(json!({}))
}

/// Adds one more to a list of it. OpenCode joins such lists with those of its files.
fn add(config: &mut Value, list: &str, item: String) {
    match config.get_mut(list).and_then(Value::as_array_mut) {
        Some(items) => items.push(item.into()),
        None => config[list] = json!([item]),
    }
}

/// The plugin, which passes some events on.
fn plugin(program: &str) -> String {
    let setting = |value: Value| value.to_string();
    include_str!("hooks/opencode-plugin.js")
        .replace("\"{PROGRAM}\"", &setting(program.into()))
        .replace("[\"{EVENTS}\"]", &setting(EVENTS.into()))
        .replace("\"{FILE_ENV}\"", &setting(HOOK_FILE_ENV.into()))
}

/// A file as a URL: what is no plain letter of a path is escaped.
fn file_url(path: &str) -> String {
    let mut url = "file://".to_owned();
    for byte in path.bytes() {
        if byte.is_ascii_alphanumeric() || b"/-._~".contains(&byte) {
            url.push(byte as char);
        } else {
            let _ = write!(url, "%{byte:02X}");
        }
    }
    url
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_persons_own_configuration_is_kept() {
        let with = |own: Option<&str>| {
            let mut config = own_config(own);
            add(&mut config, "instructions", "/x/system-prompt.md".to_owned());
            config.to_string()
        };
        assert_eq!(with(None), r#"{"instructions":["/x/system-prompt.md"]}"#);
        assert_eq!(
            with(Some(r#"{"instructions":["a.md"],"model":"m"}"#)),
            r#"{"instructions":["a.md","/x/system-prompt.md"],"model":"m"}"#
        );
        assert_eq!(with(Some("nonsense")), r#"{"instructions":["/x/system-prompt.md"]}"#);
    }

    #[test]
    fn a_plugin_names_a_program_of_any_path() {
        let text = plugin("/o\"dd/bel\\fry");
        assert!(text.contains(r#"const program = "/o\"dd/bel\\fry";"#), "{text}");
        assert!(
            text.contains(r#""session.status""#) && !text.contains("{PROGRAM}") && !text.contains("{EVENTS}"),
            "{text}"
        );
        assert_eq!(file_url("/a b/ü#.js"), "file:///a%20b/%C3%BC%23.js");
    }
}
