//! Aider.

use std::path::Path;

use crate::hooks::settings::{self, WAITS_OF_AIDER as WAITS};
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
    if let Some(program) = input.hook_program()
        && !notifies_already(input)
    {
        // Its input is the terminal, from which nobody else may read.
        let command = format!("{{ {}; }} </dev/null", settings::command(program, WAITS));
        plan.argv.extend(["--notifications".to_owned(), "--notifications-command".to_owned(), command]);
        plan.hooks = true;
    }
    plan.argv.extend(input.new.args.iter().cloned());
    Ok(plan)
}

/// Whether the person has it notify them: the command of the launch would take the place of theirs.
fn notifies_already(input: &LaunchInput<'_>) -> bool {
    let set = input.env.iter().any(|(name, _)| name.starts_with("AIDER_NOTIFICATIONS"));
    let given = input.new.args.iter().any(|argument| argument.contains("notifications"));
    let home = input.var("HOME").map(Path::new);
    // It reads these of the home, the repository and the directory.
    let folders = home.into_iter().chain(input.cwd.ancestors());
    let mut files = folders.flat_map(|folder| [".aider.conf.yml", ".env"].map(|name| folder.join(name)));
    set || given
        || files.any(|file| {
            let text = settings::text(&file).unwrap_or_default();
            text.to_ascii_lowercase().contains("notifications")
        })
}
