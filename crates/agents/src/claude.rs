//! Claude Code.

use crate::launch::{Conversation, LaunchInput, LaunchPlan, LaunchRefused, begin, utf8};
use crate::rules::Rules;

/// Checked with 2.1.332: `--append-system-prompt-file` is accepted though its help names it only in passing, and adds the
/// file to the agent's own system prompt.
pub(crate) fn launch(rules: &Rules, input: &LaunchInput<'_>) -> Result<LaunchPlan, LaunchRefused> {
    let mut plan = LaunchPlan { argv: begin(rules, input)?, ..LaunchPlan::default() };
    // The person's own choice of a conversation, among the extra arguments, wins: with both the program refuses to start.
    let chosen = input.new.args.iter().any(|argument| {
        let flag = argument.split('=').next().unwrap_or_default();
        matches!(flag, "--session-id" | "--resume" | "-r" | "--continue" | "-c" | "--from-pr")
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
