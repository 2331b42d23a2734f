//! Claude Code.

use crate::launch::{LaunchInput, LaunchPlan, LaunchRefused, begin, name_conversation, utf8};
use crate::rules::Rules;

/// Checked with 2.1.332: `--append-system-prompt-file` is accepted though its help names it only in passing, and adds the
/// file to the agent's own system prompt.
pub(crate) fn launch(rules: &Rules, input: &LaunchInput<'_>) -> Result<LaunchPlan, LaunchRefused> {
    let mut plan = LaunchPlan { argv: begin(rules, input)?, ..LaunchPlan::default() };
    name_conversation(&mut plan, input, &["--session-id", "--resume", "-r", "--continue", "-c", "--from-pr"]);
    if let Some(model) = &input.new.model {
        plan.argv.extend(["--model".to_owned(), model.clone()]);
    }
    if let Some(text) = input.system_prompt() {
        let file = input.text_file("system-prompt.md", text);
        plan.argv.extend(["--append-system-prompt-file".to_owned(), utf8(rules, &file.path)?]);
        plan.files.push(file);
    }
    plan.argv.extend(input.new.args.iter().cloned());
    Ok(plan)
}
