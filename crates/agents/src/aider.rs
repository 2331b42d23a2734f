//! Aider.

use std::path::Path;

use crate::hooks::settings::{self, WAITS_OF_AIDER as WAITS};
use crate::launch::Follows::{Nothing, Value as Always};
use crate::launch::{Conversation, Follows, LaunchInput, LaunchPlan, LaunchRefused, begin, extra_args, utf8};
use crate::rules::Rules;

/// Flags that choose a conversation.
const OWN: &[(&str, Follows)] = &[
    ("--chat-history-file", Always),
    ("--restore-chat-history", Nothing),
    ("--no-restore-chat-history", Nothing),
];

/// Checked with 0.86.2. It has no system prompt: the text is a read-only file of the chat, which it sends with every turn.
/// It has no conversation ids either: a conversation is a history file, by whose path it goes here. By itself it has one for
/// each repository, in which all that anybody ever said there comes together: so each session gets one of its own, unless the
/// person has chosen one.
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
    name_history(&mut plan, rules, input)?;
    if let Some(handover) = input.handover {
        plan.argv.extend(["--read".to_owned(), utf8(rules, handover)?]);
    }
    if let Some(program) = input.hook_program()
        && !notifies_already(input)
    {
        // Its input is the terminal, from which nobody else may read.
        let command = format!("{{ {}; }} </dev/null", settings::command(program, WAITS));
        plan.argv.extend(["--notifications".to_owned(), "--notifications-command".to_owned(), command]);
        plan.hooks = true;
    }
    plan.argv.extend(extra_args(input, OWN));
    Ok(plan)
}

/// Says which history is the conversation, and whether it is read.
fn name_history(plan: &mut LaunchPlan, rules: &Rules, input: &LaunchInput<'_>) -> Result<(), LaunchRefused> {
    let path = match input.conversation {
        Conversation::Resume { id } => {
            plan.argv.push("--restore-chat-history".to_owned());
            id.to_owned()
        }
        Conversation::New { .. } if has_history_already(input) => return Ok(()),
        Conversation::New { id } | Conversation::Fork { id, .. } => {
            utf8(rules, &input.keep.join(format!("aider-{id}.md")))?
        }
    };
    plan.argv.extend(["--chat-history-file".to_owned(), path.clone()]);
    plan.conversation_id = Some(path);
    Ok(())
}

/// Whether the person has said where it is to keep its history, or what it is to begin with.
fn has_history_already(input: &LaunchInput<'_>) -> bool {
    let chosen = |argument: &String| {
        OWN.iter().any(|(flag, _)| argument.split('=').next().unwrap_or_default() == *flag)
    };
    input.new.args.iter().any(chosen)
        || ["AIDER_CHAT_HISTORY_FILE", "AIDER_RESTORE_CHAT_HISTORY"]
            .iter()
            .any(|name| input.var(name).is_some())
        || in_own_files(input, "chat-history")
        || in_own_files(input, "chat_history")
}

/// Whether the person has it notify them: the command of the launch would take the place of theirs.
fn notifies_already(input: &LaunchInput<'_>) -> bool {
    let set = input.env.iter().any(|(name, _)| name.starts_with("AIDER_NOTIFICATIONS"));
    let given = input.new.args.iter().any(|argument| argument.contains("notifications"));
    set || given || in_own_files(input, "notifications")
}

/// Whether one of the files that it is configured by has that word. It reads those of the home, the repository and the
/// directory.
fn in_own_files(input: &LaunchInput<'_>, word: &str) -> bool {
    let home = input.var("HOME").map(Path::new);
    let folders = home.into_iter().chain(input.cwd.ancestors());
    let mut files = folders.flat_map(|folder| [".aider.conf.yml", ".env"].map(|name| folder.join(name)));
    files.any(|file| {
        let text = settings::text(&file).unwrap_or_default();
        text.lines()
            .any(|line| !line.trim_start().starts_with('#') && line.to_ascii_lowercase().contains(word))
    })
}
