//! What an agent's arguments tell: whether it is a session of a person's at all, and which conversation it goes on with.

/// Flags and subcommands with which an agent answers once, serves others, or looks after itself.
const SERVES: [(&str, &[&str], &[&str]); 5] = [
    (
        "claude",
        &["-p", "--print"],
        &["mcp", "doctor", "update", "install", "setup-token", "plugin", "auth", "daemon"],
    ),
    (
        "codex",
        &[],
        &[
            "exec",
            "e",
            "app-server",
            "mcp",
            "mcp-server",
            "proto",
            "queue",
            "login",
            "logout",
            "apply",
            "debug",
            "completion",
            "sandbox",
            "cloud",
            "exec-server",
            "remote-control",
        ],
    ),
    (
        "opencode",
        &[],
        &[
            "run",
            "serve",
            "web",
            "acp",
            "auth",
            "models",
            "upgrade",
            "uninstall",
            "mcp",
            "session",
            "export",
            "import",
            "stats",
            "github",
            "agent",
            "debug",
        ],
    ),
    (
        "gemini",
        &["-p", "--prompt", "--acp", "--experimental-acp", "--list-sessions", "-l"],
        &["mcp", "extensions", "skills", "hooks"],
    ),
    (
        "aider",
        &["-m", "--message", "--msg", "-f", "--message-file", "--gui", "--browser", "--commit", "--lint"],
        &[],
    ),
];

/// Flags that name a conversation, by agent; of Codex it is a subcommand.
const NAMES: [(&str, &[&str]); 4] = [
    ("claude", &["--resume", "-r", "--session-id"]),
    ("codex", &["resume"]),
    ("opencode", &["-s", "--session"]),
    ("gemini", &["--resume", "-r", "--session-id"]),
];

/// Whether it is no session of a person's.
pub(super) fn serves(agent: &str, argv: &[String]) -> bool {
    let Some((_, flags, words)) = SERVES.iter().find(|(id, ..)| *id == agent) else { return false };
    let own = own(argv);
    let flag = |argument: &String| flags.contains(&argument.split('=').next().unwrap_or_default());
    let word = own.iter().find(|argument| !argument.starts_with('-'));
    own.iter().any(flag) || word.is_some_and(|word| words.contains(&word.as_str()))
}

/// The conversation that it was told to go on with, by its id.
pub(super) fn conversation(agent: &str, argv: &[String]) -> Option<String> {
    let (_, names) = NAMES.iter().find(|(id, _)| *id == agent)?;
    let own = own(argv);
    own.iter().enumerate().find_map(|(at, argument)| {
        let (name, value) = match argument.split_once('=') {
            Some((name, value)) => (name, Some(value.to_owned())),
            None => (argument.as_str(), own.get(at + 1).cloned()),
        };
        value.filter(|value| names.contains(&name) && is_id(value))
    })
}

/// A conversation in a name such as `claude-0b5c…`: the id of one of Claude Code's.
pub(super) fn named(agent: &str, name: &str) -> Option<String> {
    let id = name.strip_prefix(agent)?.strip_prefix('-')?;
    uuid::Uuid::try_parse(id).is_ok().then(|| id.to_owned())
}

fn is_id(text: &str) -> bool {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_';
    let opencode = text.strip_prefix("ses_").is_some_and(|id| !id.is_empty() && id.bytes().all(plain));
    text.len() <= 128 && (opencode || uuid::Uuid::try_parse(text).is_ok())
}

/// The agent's own arguments: without the program, and without the script where that is an interpreter.
fn own(argv: &[String]) -> &[String] {
    let Some(program) = argv.first() else { return &[] };
    let base = program.rsplit('/').next().unwrap_or(program);
    let interpreter = ["node", "bun", "python", "ruby", "deno"].iter().any(|known| base.starts_with(known));
    if !interpreter {
        return &argv[1..];
    }
    match argv.iter().skip(1).position(|argument| !argument.starts_with('-')) {
        Some(script) => &argv[script + 2..],
        None => &[],
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn argv(line: &str) -> Vec<String> {
        line.split(' ').map(str::to_owned).collect()
    }

    #[test]
    fn servers_and_single_answers_are_no_sessions() {
        let serves = |agent: &str, line: &str| serves(agent, &argv(line));
        assert!(serves("claude", "claude -p hello"));
        assert!(serves("claude", "claude --output-format=json --print"));
        assert!(serves("claude", "/usr/bin/node --no-warnings /x/cli.js mcp serve"));
        assert!(serves("codex", "node /x/codex.js exec fix"));
        assert!(serves("codex", "/x/codex app-server --listen unix://"));
        assert!(serves("opencode", "opencode serve --port 1"));
        assert!(serves("gemini", "node /x/gemini.js --prompt=hi"));
        assert!(!serves("claude", "claude --resume 0b5c"));
        assert!(!serves("codex", "codex resume --last"));
        assert!(!serves("codex", "codex"));
        assert!(!serves("aider", "python3 /x/bin/aider --model x"));
        assert!(!serves("pi", "pi -p"));
    }

    #[test]
    fn conversations_are_named_by_arguments() {
        let id = "0b5c0000-1111-4222-8333-444455556666";
        let named = |agent: &str, line: &str| conversation(agent, &argv(&line.replace("ID", id)));
        assert_eq!(named("claude", "claude --resume ID").as_deref(), Some(id));
        assert_eq!(named("claude", "claude --session-id=ID --x").as_deref(), Some(id));
        assert_eq!(named("codex", "node /x/codex.js resume ID").as_deref(), Some(id));
        assert_eq!(named("opencode", "opencode -s ses_ab12").as_deref(), Some("ses_ab12"));
        assert_eq!(named("gemini", "node /x/gemini.js --resume latest"), None);
        assert_eq!(named("claude", "claude --resume"), None);
        assert_eq!(named("codex", "codex fork ID"), None);
        assert_eq!(super::named("claude", &format!("claude-{id}")).as_deref(), Some(id));
        assert_eq!(super::named("claude", "claude-work"), None);
    }
}
