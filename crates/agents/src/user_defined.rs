//! Agents that the person defines, and changes to the built-in ones.

use std::path::{Path, PathBuf};

use crate::launch::{Conversation, LaunchInput, LaunchPlan, LaunchRefused};
use crate::rules::Rules;
use crate::toml_words;

/// Largest file that is read, in bytes.
const LARGEST: u64 = 256 * 1024;

/// The `.toml` files of a folder, by name.
pub(crate) fn files(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let mut files: Vec<_> = entries
        .map(|entry| entry.path())
        .filter(|path| path.extension().is_some_and(|end| end == "toml"))
        .collect();
    files.sort();
    files
}

/// The agent's id, from the file's name, and its keys.
pub(crate) fn read(file: &Path) -> Result<(String, toml::Table), String> {
    let id = file.file_stem().and_then(|stem| stem.to_str()).unwrap_or_default().to_owned();
    let plain = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-' || c == '_';
    if id.is_empty() || id.starts_with('-') || !id.chars().all(plain) {
        return Err("an agent's file is named by its id: lower-case letters, digits, `-` and `_`".to_owned());
    }
    if std::fs::metadata(file).map_err(|error| error.to_string())?.len() > LARGEST {
        return Err(format!("it is larger than {LARGEST} bytes"));
    }
    let text = std::fs::read_to_string(file).map_err(|error| error.to_string())?;
    // Read as what it is first: only so does an error know its line.
    toml::from_str::<Rules>(&text).map_err(|error| toml_words::fault(&error, &text))?;
    Ok((id, text.parse().map_err(|error| toml_words::fault(&error, &text))?))
}

/// `over` on top of `base`: tables are joined key by key, lists of named tables by name with the new ones first, all else is
/// replaced.
pub(crate) fn merged(mut base: toml::Table, over: toml::Table) -> toml::Table {
    for (key, value) in over {
        let value = match (base.remove(&key), value) {
            (Some(toml::Value::Table(below)), toml::Value::Table(above)) => {
                toml::Value::Table(merged(below, above))
            }
            (Some(toml::Value::Array(below)), toml::Value::Array(above))
                if named(&below) && named(&above) =>
            {
                toml::Value::Array(merged_lists(below, above))
            }
            (_, above) => above,
        };
        base.insert(key, value);
    }
    base
}

fn name(value: &toml::Value) -> Option<&str> {
    value.get("name").and_then(toml::Value::as_str)
}

fn named(list: &[toml::Value]) -> bool {
    !list.is_empty() && list.iter().all(|value| name(value).is_some())
}

/// A rule of the same name takes the other's place; others come before all, since the first that fits counts.
fn merged_lists(mut below: Vec<toml::Value>, above: Vec<toml::Value>) -> Vec<toml::Value> {
    let mut first = Vec::new();
    for value in above {
        match below.iter_mut().find(|known| name(known) == name(&value)) {
            Some(known) => *known = value,
            None => first.push(value),
        }
    }
    first.extend(below);
    first
}

/// A launch by the file's `flags` alone.
pub(crate) fn launch(rules: &Rules, input: &LaunchInput<'_>) -> Result<LaunchPlan, LaunchRefused> {
    let mut plan = LaunchPlan { argv: crate::launch::begin(rules, input)?, ..LaunchPlan::default() };
    let fill = |flags: &[String], value: &str| -> Vec<String> {
        flags.iter().map(|flag| flag.replace("{}", value)).collect()
    };
    match input.conversation {
        Conversation::New { id } if !rules.flags.conversation.is_empty() => {
            plan.argv.extend(fill(&rules.flags.conversation, &id.to_string()));
            plan.conversation_id = Some(id.to_string());
        }
        Conversation::Fork { from, id, .. } if !rules.flags.fork.is_empty() => {
            let named = |flag: &String| flag.replace("{from}", from).replace("{}", &id.to_string());
            plan.conversation_id =
                rules.flags.fork.iter().any(|flag| flag.contains("{}")).then(|| id.to_string());
            plan.argv.extend(rules.flags.fork.iter().map(named));
        }
        Conversation::Resume { id } if !rules.flags.resume.is_empty() => {
            plan.argv.extend(fill(&rules.flags.resume, id));
            plan.conversation_id = Some(id.to_owned());
        }
        _ => {}
    }
    if let Some(model) = &input.new.model {
        plan.argv.extend(fill(&rules.flags.model, model));
    }
    if let Some(text) = input.system_prompt()
        && !rules.flags.system_prompt_file.is_empty()
    {
        let file = input.text_file("system-prompt.md", text);
        plan.argv.extend(fill(&rules.flags.system_prompt_file, &crate::launch::utf8(rules, &file.path)?));
        plan.files.push(file);
    }
    // It may call `belfry hook working` and the like by itself.
    plan.hooks = true;
    plan.argv.extend(input.new.args.iter().cloned());
    Ok(plan)
}
