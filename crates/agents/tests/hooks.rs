//! Hooks: how each launch sets them up, and what each payload tells.

#![allow(clippy::unwrap_used, reason = "helpers of tests, where a panic is a failed test")]

use std::fs;
use std::path::{Path, PathBuf};

use belfry_agents::{
    Activity, Agents, Conversation, HOOK_FILE_ENV, Heard, HookLink, HookReader, LaunchInput, LaunchPlan,
    Subagents, Told,
};
use belfry_protocol::Says;
use belfry_protocol::launch::NewSession;
use serde_json::{Value, json};

const SECRET: &str = "0123456789abcdef-secret";

struct Bench {
    folder: tempfile::TempDir,
    env: Vec<(String, String)>,
    version: Option<&'static str>,
}

impl Bench {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let home = folder.path().to_str().unwrap().to_owned();
        Self { folder, env: vec![("HOME".to_owned(), home)], version: None }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn plan(&self, agent: &str, args: &[&str]) -> LaunchPlan {
        let args = args.iter().map(|&arg| arg.to_owned()).collect();
        let new = NewSession { args, ..NewSession::default() };
        let plan = Agents::built_in().get(agent).unwrap().launch(&LaunchInput {
            program: Path::new("/usr/bin/agent"),
            version: self.version,
            new: &new,
            cwd: self.folder.path(),
            texts: &self.path("texts"),
            keep: Path::new("/keep"),
            handover: None,
            env: &self.env,
            conversation: Conversation::New { id: uuid::Uuid::from_u128(7) },
            hooks: Some(HookLink { program: Path::new("/opt/b in/belfry"), secret: SECRET }),
        });
        plan.unwrap()
    }
}

fn after<'a>(plan: &'a LaunchPlan, flag: &str) -> Option<&'a str> {
    plan.argv.iter().skip_while(|arg| *arg != flag).nth(1).map(String::as_str)
}

fn settings(plan: &LaunchPlan) -> Value {
    let file = after(plan, "--settings").unwrap();
    let file = plan.files.iter().find(|known| known.path == Path::new(file)).unwrap();
    serde_json::from_str(&file.contents).unwrap()
}

#[test]
#[ntest::timeout(60000)]
fn the_secret_is_in_a_private_file_and_nowhere_else() {
    for agent in Agents::built_in().iter() {
        let plan = Bench::new().plan(agent.id(), &[]);
        let named = plan.env.iter().find(|(name, _)| name == HOOK_FILE_ENV);
        assert_eq!(named.is_some(), plan.hooks, "{}", agent.id());
        // Codex would have to be told to trust every hook, the repository's own as well.
        assert!(!(plan.hooks && ["codex", "shell"].contains(&agent.id())));
        let with: Vec<_> = plan.files.iter().filter(|file| file.contents.contains(SECRET)).collect();
        assert_eq!(with.len(), usize::from(plan.hooks));
        let shown = format!("{:?} {plan:?}", plan.env);
        assert!(!shown.contains(SECRET), "{shown}");
        if let Some((_, file)) = named {
            assert_eq!(with[0].path, Path::new(file));
            assert_eq!(with[0].contents, SECRET);
        }
    }
}

#[test]
#[ntest::timeout(60000)]
fn claude_gets_its_hooks_beside_the_persons_settings() {
    let mut bench = Bench::new();
    let plan = bench.plan("claude", &["--verbose"]);
    let hooks = settings(&plan)["hooks"].clone();
    assert!(hooks["StopFailure"].is_array() && plan.argv.last().unwrap() == "--verbose");
    assert_eq!(
        hooks["PreToolUse"][0]["hooks"][0]["command"],
        "'/opt/b in/belfry' hook PreToolUse 2>/dev/null || :"
    );
    // One that would not know them is not given them.
    bench.version = Some("2.0.14");
    let old = settings(&bench.plan("claude", &[]))["hooks"].clone();
    assert!(old["Stop"].is_array() && old["StopFailure"].is_null(), "{old}");
    bench.version = Some("2.1.332");

    // The person's own are in the same file, which the flag names once.
    let own = json!({ "model": "m", "hooks": { "Stop": [{ "hooks": [{ "type": "command", "command": "mine" }] }] } });
    fs::write(bench.path("own.json"), own.to_string()).unwrap();
    let inline = own.to_string();
    for args in [["--settings", "own.json"], ["--settings", inline.as_str()]] {
        let plan = bench.plan("claude", &args);
        assert_eq!(plan.argv.iter().filter(|arg| arg.starts_with("--settings")).count(), 1, "{plan:?}");
        let settings = settings(&plan);
        assert_eq!(
            (&settings["model"], &settings["hooks"]["Stop"][0]["hooks"][0]["command"]),
            (&json!("m"), &json!("mine"))
        );
        assert_eq!(settings["hooks"]["Stop"].as_array().map(Vec::len), Some(2));
    }
    assert_eq!(fs::read_to_string(bench.path("own.json")).unwrap(), inline);
    let unread = bench.plan("claude", &["--settings=missing.json"]);
    assert!(!unread.hooks && unread.argv.contains(&"--settings=missing.json".to_owned()));
}

#[test]
#[ntest::timeout(60000)]
fn opencode_gets_a_plugin_beside_the_persons() {
    let mut bench = Bench::new();
    bench.env.push(("OPENCODE_CONFIG_CONTENT".to_owned(), r#"{"plugin":["mine"],"model":"m"}"#.to_owned()));
    let plan = bench.plan("opencode", &[]);
    let config = plan.env.iter().find(|(name, _)| name == "OPENCODE_CONFIG_CONTENT").unwrap();
    let config: Value = serde_json::from_str(&config.1).unwrap();
    assert_eq!((&config["model"], &config["plugin"][0]), (&json!("m"), &json!("mine")));
    let plugin = config["plugin"][1].as_str().unwrap().strip_prefix("file://").unwrap();
    let plugin = plan.files.iter().find(|file| file.path == Path::new(plugin)).unwrap();
    assert!(plugin.contents.contains("/opt/b in/belfry"));
}

#[test]
#[ntest::timeout(60000)]
fn gemini_gets_hooks_only_where_it_reads_them() {
    // Below a directory that everybody may write in, it would complain at every start.
    let bench = Bench { folder: tempfile::tempdir_in("/tmp").unwrap(), ..Bench::new() };
    assert!(!bench.plan("gemini", &[]).hooks);
    let Ok(folder) = tempfile::tempdir_in("/var") else { return };
    let plan = Bench { folder, ..Bench::new() }.plan("gemini", &[]);
    let file = plan.env.iter().find(|(name, _)| name == "GEMINI_CLI_SYSTEM_DEFAULTS_PATH").unwrap();
    let file = plan.files.iter().find(|known| known.path == Path::new(&file.1)).unwrap();
    let settings: Value = serde_json::from_str(&file.contents).unwrap();
    assert!(settings["hooks"]["BeforeAgent"][0]["hooks"][0]["command"].as_str().unwrap().ends_with("|| :"));
    assert_eq!(settings["hooksConfig"]["notifications"], false);
}

#[test]
#[ntest::timeout(60000)]
fn aider_is_not_made_to_notify_otherwise_than_the_person_chose() {
    let mut bench = Bench::new();
    let plan = bench.plan("aider", &[]);
    assert_eq!(
        after(&plan, "--notifications-command"),
        Some("{ '/opt/b in/belfry' hook waits 2>/dev/null || :; } </dev/null")
    );
    assert!(!bench.plan("aider", &["--notifications-command", "mine"]).hooks);
    fs::write(bench.path(".aider.conf.yml"), "notifications: true\n").unwrap();
    assert!(!bench.plan("aider", &[]).hooks);
    fs::remove_file(bench.path(".aider.conf.yml")).unwrap();
    bench.env.push(("AIDER_NOTIFICATIONS".to_owned(), "true".to_owned()));
    assert!(!bench.plan("aider", &[]).hooks);
}

fn told(reader: &mut HookReader, agent: &str, name: &str, payload: &Value) -> Told {
    match reader.read(agent, name, payload) {
        Heard::Told(told) => *told,
        other => panic!("{name}: {other:?}"),
    }
}

#[test]
#[ntest::timeout(60000)]
fn what_claudes_hooks_tell() {
    let bash = json!({ "session_id": "S", "tool_name": "Bash", "tool_input": { "command": "npm test\nx" } });
    let with = |extra: Value| {
        let mut payload = json!({ "session_id": "S" });
        payload.as_object_mut().unwrap().extend(extra.as_object().unwrap().clone());
        payload
    };
    let running = || Activity::Tool("Running npm test".to_owned());
    let table = [
        ("SessionStart", with(json!({ "source": "startup" })), Some(Says::Idle), Activity::Over, None),
        ("UserPromptSubmit", with(json!({ "prompt": "p" })), Some(Says::Working), Activity::Over, None),
        ("PreToolUse", bash.clone(), Some(Says::Working), running(), None),
        (
            "PermissionRequest",
            bash.clone(),
            Some(Says::Asking),
            Activity::Same,
            Some("approve: run npm test"),
        ),
        ("PostToolUse", bash.clone(), Some(Says::Working), Activity::Over, None),
        ("PostToolUseFailure", with(json!({ "is_interrupt": true })), Some(Says::Idle), Activity::Over, None),
        (
            "Notification",
            with(json!({ "notification_type": "idle_prompt" })),
            Some(Says::Idle),
            Activity::Over,
            None,
        ),
        (
            "Notification",
            with(
                json!({ "notification_type": "permission_prompt", "message": "Claude needs your permission" }),
            ),
            Some(Says::Asking),
            Activity::Same,
            Some("Claude needs your permission"),
        ),
        (
            "Stop",
            with(json!({ "background_tasks": [{ "type": "shell" }] })),
            Some(Says::Done),
            Activity::Over,
            None,
        ),
        (
            "StopFailure",
            with(json!({ "error": "server_error", "last_assistant_message": "API Error: 529" })),
            Some(Says::Failed),
            Activity::Over,
            Some("API Error: 529"),
        ),
        ("PreCompact", with(json!({ "trigger": "auto" })), Some(Says::Working), Activity::Compacting, None),
        ("PostCompact", with(json!({ "trigger": "manual" })), Some(Says::Idle), Activity::Over, None),
        ("SessionEnd", with(json!({ "reason": "clear" })), None, Activity::Over, None),
    ];
    for (name, payload, says, activity, reason) in table {
        let told = told(&mut HookReader::default(), "claude", name, &payload);
        assert_eq!(
            (told.says, &told.activity, told.reason.as_deref()),
            (says, &activity, reason),
            "{name} {payload}"
        );
        assert_eq!(told.conversation.as_deref(), Some("S"));
    }
    let mut reader = HookReader::default();
    let start = with(json!({ "agent_id": "a1", "agent_type": "Explore" }));
    assert_eq!(
        told(&mut reader, "claude", "SubagentStart", &start).subagents,
        Subagents::Started("a1".to_owned())
    );
    assert_eq!(
        told(&mut reader, "claude", "SubagentStop", &start).subagents,
        Subagents::Ended("a1".to_owned())
    );
    let stop = with(json!({ "background_tasks": [{ "type": "shell" }, { "type": "agent" }] }));
    assert_eq!(told(&mut reader, "claude", "Stop", &stop).background, Some(1));
    // What a subagent calls is not what the session does.
    let mut inner = bash.clone();
    inner["agent_id"] = json!("a1");
    assert_eq!(told(&mut reader, "claude", "PreToolUse", &inner).activity, Activity::Same);
    assert_eq!(reader.read("claude", "MessageDisplay", &bash), Heard::Unknown);
    for odd in [
        Value::Null,
        json!([1]),
        json!("text"),
        json!({ "tool_name": 7, "tool_input": [], "session_id": {} }),
    ] {
        assert_eq!(
            told(&mut HookReader::default(), "claude", "PreToolUse", &odd).says,
            Some(Says::Working),
            "{odd}"
        );
    }
}

#[test]
#[ntest::timeout(60000)]
fn hooks_of_another_conversation_are_foreign() {
    let mut reader = HookReader::new(Some("S".to_owned()));
    let payload = |id: &str, source: &str| json!({ "session_id": id, "source": source });
    for (name, id, source, heard) in [
        ("SessionStart", "S", "startup", true),
        // An agent that the agent has started.
        ("SessionStart", "N", "startup", false),
        ("Stop", "N", "", false),
        ("SessionEnd", "N", "", false),
        ("Stop", "S", "", true),
        // `/clear`.
        ("SessionEnd", "S", "", true),
        ("SessionStart", "T", "clear", true),
        ("Stop", "S", "", false),
        ("Stop", "T", "", true),
        ("SessionStart", "U", "resume", true),
        ("Stop", "U", "", true),
    ] {
        let read = reader.read("claude", name, &payload(id, source));
        assert_eq!(matches!(read, Heard::Told(_)), heard, "{name} {id}: {read:?}");
    }
    assert_eq!(reader.conversation(), Some("U"));
}

#[test]
#[ntest::timeout(60000)]
fn what_geminis_hooks_tell() {
    let mut reader = HookReader::default();
    let mut says = |name: &str, extra: Value| {
        let mut payload = json!({ "session_id": "S" });
        payload.as_object_mut().unwrap().extend(extra.as_object().unwrap().clone());
        told(&mut reader, "gemini", name, &payload)
    };
    assert_eq!(says("BeforeAgent", json!({ "prompt": "p" })).says, Some(Says::Working));
    let tool =
        says("BeforeTool", json!({ "tool_name": "run_shell_command", "tool_input": { "command": "ls" } }));
    assert_eq!(tool.activity, Activity::Tool("Running ls".to_owned()));
    let ask = json!({ "notification_type": "ToolPermission", "message": "Tool Shell requires approval",
        "details": { "type": "exec", "command": "touch x" } });
    let asked = says("Notification", ask);
    assert_eq!((asked.says, asked.reason.as_deref()), (Some(Says::Asking), Some("approve: run touch x")));
    assert_eq!(says("AfterAgent", json!({ "prompt_response": "Hello" })).says, Some(Says::Done));
    assert_eq!(says("AfterAgent", json!({ "prompt_response": "[no response text]" })).says, Some(Says::Idle));
    assert_eq!(says("SessionEnd", json!({ "reason": "exit" })).says, None);
}

#[test]
#[ntest::timeout(60000)]
fn what_opencodes_events_tell() {
    let mut reader = HookReader::default();
    let status = |id: &str, kind: &str| json!({ "sessionID": id, "status": { "type": kind, "message": "overloaded" } });
    let created = |id: &str, parent: Option<&str>| json!({ "info": { "id": id, "parentID": parent } });
    let mut says = |name: &str, payload: Value| told(&mut reader, "opencode", name, &payload);
    assert_eq!(says("session.created", created("m", None)).conversation.as_deref(), Some("m"));
    assert_eq!(says("session.status", status("m", "busy")).says, Some(Says::Working));
    assert_eq!(
        says("session.status", status("m", "retry")).activity,
        Activity::Retrying("overloaded".to_owned())
    );
    let ask = json!({ "sessionID": "m", "permission": "bash", "patterns": ["touch x"] });
    assert_eq!(says("permission.asked", ask.clone()).reason.as_deref(), Some("approve: run touch x"));
    assert_eq!(says("permission.replied", ask).says, Some(Says::Working));
    // A subagent has a session of its own; its end is not the turn's.
    assert_eq!(
        says("session.created", created("c", Some("m"))).subagents,
        Subagents::Started("c".to_owned())
    );
    let ended = says("session.status", status("c", "idle"));
    assert_eq!((ended.says, ended.subagents), (None, Subagents::Ended("c".to_owned())));
    assert_eq!(says("session.status", status("m", "idle")).says, Some(Says::Done));
    assert_eq!(says("session.status", status("m", "busy")).says, Some(Says::Working));
    let error =
        json!({ "sessionID": "m", "error": { "name": "APIError", "data": { "message": "bad request" } } });
    assert_eq!(says("session.error", error).says, Some(Says::Failed));
    assert_eq!(says("session.idle", json!({ "sessionID": "m" })).says, None, "it stays failed");
    // The person goes on in another of the agent's sessions.
    assert_eq!(says("session.status", status("other", "busy")).conversation.as_deref(), Some("other"));
    assert_eq!(reader.read("opencode", "session.idle", &json!({ "sessionID": "m" })), Heard::Foreign);
}

#[test]
#[ntest::timeout(60000)]
fn other_agents_say_it_in_our_words() {
    let mut reader = HookReader::default();
    assert_eq!(told(&mut reader, "mine", "working", &Value::Null).says, Some(Says::Working));
    assert_eq!(told(&mut reader, "aider", "waits", &Value::Null).says, Some(Says::Idle));
    assert_eq!(reader.read("mine", "dancing", &Value::Null), Heard::Unknown);
    assert_eq!(reader.read("aider", "working", &Value::Null), Heard::Unknown);
}
