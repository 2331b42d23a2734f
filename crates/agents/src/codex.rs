//! Codex CLI.

use std::path::{Path, PathBuf};

use crate::launch::Follows::Nothing;
use crate::launch::{
    Conversation, Follows, LINK_PREFIX, LaunchInput, LaunchPlan, LaunchRefused, Link, begin, extra_args,
};
use crate::rules::Rules;

/// Flags of its subcommands that choose a conversation.
const OWN: &[(&str, Follows)] = &[("--last", Nothing), ("--all", Nothing)];

/// Checked with 0.171.0. `--no-daemon` (in the rules) keeps the work in this process: with the shared background server,
/// turns would go on after the session's end and belong to no session.
///
/// There is no flag that adds to the instructions from a file: `model_instructions_file` replaces the agent's own, and `-c
/// developer_instructions=…` would show the text to every user of the machine. What there is, is `--profile NAME`, which
/// reads `NAME.config.toml` in the agent's home on top of the person's configuration: so a link is put there for the time
/// of the run, to a private file of the run.
pub(crate) fn launch(rules: &Rules, input: &LaunchInput<'_>) -> Result<LaunchPlan, LaunchRefused> {
    let mut plan = LaunchPlan { argv: begin(rules, input)?, ..LaunchPlan::default() };
    if let Some(model) = &input.new.model {
        plan.argv.extend(["-m".to_owned(), model.clone()]);
    }
    if let Some(text) = input.system_prompt() {
        let profiled = input.new.args.iter().any(|argument| {
            argument.starts_with("--profile") || (argument.starts_with("-p") && !argument.starts_with("--"))
        });
        let home = home(input);
        let (Some(home), false) = (home, profiled) else {
            return Err(LaunchRefused::Value {
                agent: rules.name.clone(),
                what: "system prompt beside",
                value: if profiled { "--profile".to_owned() } else { "an unset HOME".to_owned() },
            });
        };
        let name = format!("{LINK_PREFIX}{}", unique(input.texts));
        let file = input.text_file("codex.config.toml", &profile(&home, text));
        plan.links.push(Link { at: home.join(format!("{name}.config.toml")), to: file.path.clone() });
        plan.files.push(file);
        plan.argv.extend(["--profile".to_owned(), name]);
    }
    let args = extra_args(input, OWN);
    // Codex takes no id for a new conversation, nor for a copy.
    let (subcommand, id) = match input.conversation {
        Conversation::New { .. } => {
            plan.argv.extend(args);
            return Ok(plan);
        }
        Conversation::Resume { id } => ("resume", id),
        Conversation::Fork { from, .. } => ("fork", from),
    };
    plan.argv.extend(without_subcommand(&args).iter().cloned());
    plan.argv.splice(1..1, [subcommand.to_owned(), id.to_owned()]);
    plan.conversation_id = (subcommand == "resume").then(|| id.to_owned());
    Ok(plan)
}

/// The arguments without `resume ID` or `fork ID` at their beginning.
fn without_subcommand(args: &[String]) -> &[String] {
    let Some((first, rest)) = args.split_first() else { return args };
    match rest.split_first() {
        _ if first != "resume" && first != "fork" => args,
        Some((id, rest)) if !id.starts_with('-') => rest,
        _ => rest,
    }
}

fn home(input: &LaunchInput<'_>) -> Option<PathBuf> {
    let set = |name| input.var(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    set("CODEX_HOME").or_else(|| set("HOME").map(|home| home.join(".codex")))
}

/// A name of letters, digits and `-` for the run, from the directory that is the run's own.
fn unique(texts: &Path) -> String {
    let mut hash = 0xcbf2_9ce4_8422_2325_u64;
    for byte in texts.as_os_str().as_encoded_bytes() {
        hash = (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3);
    }
    format!("{hash:016x}")
}

/// The profile: the person's own `developer_instructions`, which a profile's would replace, and then the text.
fn profile(home: &Path, text: &str) -> String {
    let own = std::fs::read_to_string(home.join("config.toml"))
        .ok()
        .and_then(|config| config.parse::<toml::Table>().ok())
        .and_then(|config| config.get("developer_instructions")?.as_str().map(str::to_owned));
    let text = own.map_or_else(|| text.to_owned(), |own| format!("{own}\n\n{text}"));
    let mut table = toml::Table::new();
    table.insert("developer_instructions".to_owned(), toml::Value::String(text));
    table.to_string()
}
