//! Claude Code.

use std::ops::Range;
use std::path::Path;

use serde_json::{Value, json};

use crate::hooks::settings::{self, EVENTS_OF_CLAUDE as EVENTS};
use crate::launch::Follows::{Maybe, Nothing, Value as Always};
use crate::launch::{
    Follows, LaunchInput, LaunchPlan, LaunchRefused, begin, extra_args, name_conversation, utf8,
};
use crate::rules::Rules;

/// From this version on every hook that is asked for is known.
const MEASURED: [u32; 3] = [2, 1, 197];

/// Flags that choose a conversation.
const OWN: &[(&str, Follows)] = &[
    ("--session-id", Always),
    ("--resume", Maybe),
    ("-r", Maybe),
    ("--continue", Nothing),
    ("-c", Nothing),
    ("--fork-session", Nothing),
    ("--resume-session-at", Always),
    ("--from-pr", Maybe),
];

/// Checked with 2.1.332: `--append-system-prompt-file` is accepted though its help names it only in passing, and adds the
/// file to the agent's own system prompt.
pub(crate) fn launch(rules: &Rules, input: &LaunchInput<'_>) -> Result<LaunchPlan, LaunchRefused> {
    let mut plan = LaunchPlan { argv: begin(rules, input)?, ..LaunchPlan::default() };
    name_conversation(&mut plan, input, OWN);
    if let Some(model) = &input.new.model {
        plan.argv.extend(["--model".to_owned(), model.clone()]);
    }
    if let Some(text) = input.system_prompt() {
        let file = input.text_file("system-prompt.md", text);
        plan.argv.extend(["--append-system-prompt-file".to_owned(), utf8(rules, &file.path)?]);
        plan.files.push(file);
    }
    if let Some(handover) = input.handover.and_then(Path::parent) {
        plan.argv.extend(["--add-dir".to_owned(), utf8(rules, handover)?]);
    }
    let mut args = extra_args(input, OWN);
    if let Some(program) = input.hook_program() {
        set_hooks(&mut plan, &mut args, rules, input, program)?;
    }
    plan.argv.extend(args);
    Ok(plan)
}

/// Hooks by `--settings`, on top of all of the person's own, whose hooks still run. The flag is taken once: where the person
/// gives it as well, the file has theirs and ours; where theirs cannot be read, it stays as it is and there are no hooks.
fn set_hooks(
    plan: &mut LaunchPlan,
    args: &mut Vec<String>,
    rules: &Rules,
    input: &LaunchInput<'_>,
    program: &str,
) -> Result<(), LaunchRefused> {
    let mut settings = json!({});
    if let Some((own, at)) = own_settings(args) {
        let read = if own.trim_start().starts_with('{') {
            serde_json::from_str(&own).ok().filter(Value::is_object)
        } else {
            settings::read(&input.cwd.join(&own))
        };
        let Some(read) = read else { return Ok(()) };
        settings = read;
        args.drain(at);
    }
    // A version that nobody knows is today's.
    let all = input.version.is_none_or(|version| !older(version, MEASURED));
    let names = EVENTS.iter().filter(|(_, early)| all || *early).map(|(name, _)| *name);
    settings::add(&mut settings, settings::table(program, names, 1));
    let file = input.text_file("claude-settings.json", &settings.to_string());
    plan.argv.extend(["--settings".to_owned(), utf8(rules, &file.path)?]);
    plan.files.push(file);
    plan.hooks = true;
    Ok(())
}

/// The person's own `--settings`, and which arguments it is.
fn own_settings(args: &[String]) -> Option<(String, Range<usize>)> {
    args.iter().enumerate().find_map(|(at, arg)| match arg.strip_prefix("--settings")? {
        "" => args.get(at + 1).map(|own| (own.clone(), at..at + 2)),
        own => own.strip_prefix('=').map(|own| (own.to_owned(), at..at + 1)),
    })
}

/// Whether a version comes before another; one that is no numbers does not.
fn older(version: &str, than: [u32; 3]) -> bool {
    let mut numbers = version.split(['.', '-']).map(str::parse::<u32>);
    for than in than {
        match numbers.next() {
            Some(Ok(number)) if number != than => return number < than,
            Some(Ok(_)) => {}
            _ => return false,
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_in_order() {
        for (version, is) in
            [("2.1.197", false), ("2.1.332", false), ("3.0.0", false), ("2.1.9", true), ("2.0.300", true)]
        {
            assert_eq!(older(version, MEASURED), is, "{version}");
        }
        assert!(!older("nightly", MEASURED) && !older("2.1", MEASURED));
    }

    #[test]
    fn the_persons_own_settings_are_found_however_they_are_written() {
        let found = |args: &[&str]| own_settings(&args.iter().map(|&arg| arg.to_owned()).collect::<Vec<_>>());
        assert_eq!(found(&["-x", "--settings", "f", "y"]), Some(("f".to_owned(), 1..3)));
        assert_eq!(found(&["--settings={}"]), Some(("{}".to_owned(), 0..1)));
        assert_eq!(found(&["--settings"]), None);
        assert_eq!(found(&["--setting-sources", "user"]), None);
    }
}
