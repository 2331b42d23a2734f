//! OpenCode.

use serde_json::{Value, json};

use crate::launch::{Conversation, LaunchInput, LaunchPlan, LaunchRefused, begin, utf8};
use crate::rules::Rules;

/// A variable with configuration that OpenCode lays over its files.
const CONFIG: &str = "OPENCODE_CONFIG_CONTENT";

/// Checked with 1.18.33. It takes its directory from `PWD`, which the environment function sets for every session. A
/// system prompt is one more file of `instructions`, named in [`CONFIG`]; what the person has there is kept.
pub(crate) fn launch(rules: &Rules, input: &LaunchInput<'_>) -> Result<LaunchPlan, LaunchRefused> {
    let mut plan = LaunchPlan { argv: begin(rules, input)?, ..LaunchPlan::default() };
    if let Some(model) = &input.new.model {
        plan.argv.extend(["-m".to_owned(), model.clone()]);
    }
    if let Some(text) = input.system_prompt() {
        let file = input.text_file("system-prompt.md", text);
        let path = utf8(rules, &file.path)?;
        plan.files.push(file);
        plan.env.push((CONFIG.to_owned(), with_instructions(input.var(CONFIG), path)));
    }
    if let Conversation::Resume { id } = input.conversation {
        plan.argv.extend(["-s".to_owned(), id.to_owned()]);
        plan.conversation_id = Some(id.to_owned());
    }
    plan.argv.extend(input.new.args.iter().cloned());
    Ok(plan)
}

/// The person's configuration, where it is one, with one more file of instructions.
fn with_instructions(own: Option<&str>, path: String) -> String {
    let mut config =
        own.and_then(|own| serde_json::from_str(own).ok()).filter(Value::is_object).unwrap_or(json!({}));
    match config.get_mut("instructions").and_then(Value::as_array_mut) {
        Some(files) => files.push(path.into()),
        None => config["instructions"] = json!([path]),
    }
    config.to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_persons_own_configuration_is_kept() {
        let path = || "/x/system-prompt.md".to_owned();
        assert_eq!(with_instructions(None, path()), r#"{"instructions":["/x/system-prompt.md"]}"#);
        assert_eq!(
            with_instructions(Some(r#"{"instructions":["a.md"],"model":"m"}"#), path()),
            r#"{"instructions":["a.md","/x/system-prompt.md"],"model":"m"}"#
        );
        assert_eq!(
            with_instructions(Some("nonsense"), path()),
            r#"{"instructions":["/x/system-prompt.md"]}"#
        );
    }
}
