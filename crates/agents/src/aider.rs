//! Aider.

use crate::launch::{LaunchInput, LaunchPlan, LaunchRefused, begin, utf8};
use crate::rules::Rules;

/// Checked with 0.86.2. It has no system prompt: the text is a read-only file of the chat, which it sends with every turn.
/// It has no conversation ids either: a conversation is the history file in the directory.
pub(crate) fn launch(rules: &Rules, input: &LaunchInput<'_>) -> Result<LaunchPlan, LaunchRefused> {
    let mut plan = LaunchPlan { argv: begin(rules, input)?, ..LaunchPlan::default() };
    if let Some(model) = &input.new.model {
        plan.argv.extend(["--model".to_owned(), model.clone()]);
    }
    if let Some(text) = input.system_prompt() {
        let file = input.text_file("system-prompt.md", text);
        plan.argv.extend(["--read".to_owned(), utf8(rules, &file.path)?]);
        plan.files.push(file);
    }
    plan.argv.extend(input.new.args.iter().cloned());
    Ok(plan)
}
