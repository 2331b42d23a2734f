//! Every agent's launch, on made-up machines.

#![allow(clippy::unwrap_used, reason = "helpers of tests, where a panic is a failed test")]

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};

use belfry_agents::{
    Agents, Conversation, LaunchInput, LaunchPlan, LaunchRefused, Process, PromptDelivery, SearchIn, Versions,
};
use belfry_protocol::launch::NewSession;

const SECRET: &str = "this text is nobody else's business";

fn script(file: &Path, text: &str) -> PathBuf {
    fs::create_dir_all(file.parent().unwrap()).unwrap();
    fs::write(file, text).unwrap();
    fs::set_permissions(file, fs::Permissions::from_mode(0o755)).unwrap();
    file.to_owned()
}

/// A launch of an agent in a directory of the test's own.
struct Bench {
    folder: tempfile::TempDir,
    env: Vec<(String, String)>,
}

impl Bench {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let home = folder.path().to_str().unwrap().to_owned();
        fs::create_dir(folder.path().join(".codex")).unwrap();
        Self { folder, env: vec![("HOME".to_owned(), home)] }
    }

    fn texts(&self) -> PathBuf {
        self.folder.path().join("texts")
    }

    fn plan(
        &self,
        agent: &str,
        new: &NewSession,
        conversation: Conversation<'_>,
    ) -> Result<LaunchPlan, LaunchRefused> {
        Agents::built_in().get(agent).unwrap().launch(&LaunchInput {
            program: Path::new("/usr/bin/agent"),
            version: None,
            new,
            cwd: Path::new("/"),
            texts: &self.texts(),
            keep: Path::new("/keep"),
            handover: None,
            env: &self.env,
            conversation,
            hooks: None,
        })
    }

    fn fresh(&self, agent: &str, new: &NewSession) -> Result<LaunchPlan, LaunchRefused> {
        self.plan(agent, new, Conversation::New { id: uuid::Uuid::from_u128(7) })
    }
}

fn words(text: &str) -> Vec<String> {
    text.split(' ').map(str::to_owned).collect()
}

#[test]
#[ntest::timeout(60000)]
fn plain_launches() {
    let bench = Bench::new();
    let id = "00000000-0000-0000-0000-000000000007";
    let new = NewSession {
        model: Some("some/model".to_owned()),
        args: words("--extra x"),
        ..NewSession::default()
    };
    let argv = |agent| bench.fresh(agent, &new).unwrap().argv.join(" ");
    assert_eq!(argv("claude"), format!("/usr/bin/agent --session-id {id} --model some/model --extra x"));
    assert_eq!(argv("codex"), "/usr/bin/agent --no-daemon -m some/model --extra x");
    assert_eq!(argv("opencode"), "/usr/bin/agent -m some/model --extra x");
    assert_eq!(argv("gemini"), format!("/usr/bin/agent --session-id {id} -m some/model --extra x"));
    assert_eq!(
        argv("aider"),
        format!(
            "/usr/bin/agent --no-check-update --analytics-disable --model some/model --chat-history-file \
             /keep/aider-{id}.md --extra x"
        )
    );
    for (agent, given) in [("claude", true), ("gemini", true), ("codex", false), ("aider", true)] {
        assert_eq!(bench.fresh(agent, &new).unwrap().conversation_id.is_some(), given, "{agent}");
    }
    let command = NewSession { args: words("htop -d 5"), ..NewSession::default() };
    assert_eq!(bench.fresh("shell", &command).unwrap().argv, words("htop -d 5"));
    assert_eq!(bench.fresh("", &NewSession::default()).unwrap().argv[0], "/usr/bin/agent");
}

#[test]
#[ntest::timeout(60000)]
fn resumed_launches() {
    let bench = Bench::new();
    let argv = |agent, args| {
        let new = NewSession { args: words(args), ..NewSession::default() };
        bench.plan(agent, &new, Conversation::Resume { id: "thread" }).unwrap().argv.join(" ")
    };
    assert_eq!(argv("claude", "-x"), "/usr/bin/agent --resume thread -x");
    assert_eq!(argv("codex", "-x"), "/usr/bin/agent resume thread --no-daemon -x");
    assert_eq!(argv("opencode", "-x"), "/usr/bin/agent -s thread -x");
    assert_eq!(argv("gemini", "-x"), "/usr/bin/agent --resume thread -x");
    let history = "--restore-chat-history --chat-history-file thread";
    let aider = "/usr/bin/agent --no-check-update --analytics-disable";
    assert_eq!(argv("aider", "-x"), format!("{aider} {history} -x"));
    // What the person chose at the first start is over.
    assert_eq!(
        argv("claude", "--continue -x --session-id a -r -y --resume b"),
        "/usr/bin/agent --resume thread -x -y"
    );
    assert_eq!(argv("gemini", "--resume=latest -i hello"), "/usr/bin/agent --resume thread");
    assert_eq!(argv("codex", "resume other --last -x"), "/usr/bin/agent resume thread --no-daemon -x");
    assert_eq!(argv("codex", "resume --last -x"), "/usr/bin/agent resume thread --no-daemon -x");
    assert_eq!(argv("opencode", "-c --prompt hello -- -s"), "/usr/bin/agent -s thread -- -s");
    assert_eq!(argv("aider", "--chat-history-file=f"), format!("{aider} {history}"));
    // At a first start it counts.
    let first = |agent, args| {
        bench.fresh(agent, &NewSession { args: words(args), ..NewSession::default() }).unwrap().argv.join(" ")
    };
    assert_eq!(first("claude", "--continue"), "/usr/bin/agent --continue");
    assert_eq!(first("gemini", "--resume=latest"), "/usr/bin/agent --resume=latest");
    assert_eq!(first("aider", "--chat-history-file f"), format!("{aider} --chat-history-file f"));
}

#[test]
#[ntest::timeout(60000)]
fn forked_launches() {
    let bench = Bench::new();
    let id = uuid::Uuid::from_u128(7);
    let plan = |agent: &str, at| {
        let new = NewSession { args: words("-x"), ..NewSession::default() };
        bench.plan(agent, &new, Conversation::Fork { from: "thread", at, id })
    };
    let claude = plan("claude", None).unwrap();
    let copy = "00000000-0000-0000-0000-000000000007";
    let wanted = format!("/usr/bin/agent --resume thread --fork-session --session-id {copy} -x");
    assert_eq!(claude.argv.join(" "), wanted);
    assert_eq!(claude.conversation_id.as_deref(), Some(copy));
    let codex = plan("codex", None).unwrap();
    assert_eq!(codex.argv.join(" "), "/usr/bin/agent fork thread --no-daemon -x");
    assert_eq!(codex.conversation_id, None, "it tells later");
    assert_eq!(plan("opencode", None).unwrap().argv.join(" "), "/usr/bin/agent -s thread --fork -x");
    for agent in ["gemini", "aider", "shell", "goose"] {
        assert!(matches!(plan(agent, None), Err(LaunchRefused::Fork { .. })), "{agent}");
    }
    assert!(matches!(plan("codex", Some("turn")), Err(LaunchRefused::Fork { .. })));
}

#[test]
#[ntest::timeout(60000)]
fn texts_are_in_private_files_and_never_in_arguments() {
    for agent in Agents::built_in().iter().filter(|agent| agent.takes().system_prompt) {
        let bench = Bench::new();
        let new = NewSession {
            prompt: Some(SECRET.to_owned()),
            system_prompt: Some(format!("{SECRET} \"quoted\"\nand more")),
            ..NewSession::default()
        };
        let plan = match bench.fresh(agent.id(), &new) {
            // Where others may write above the texts, as in a temporary folder, it would leave the prompt out.
            Err(LaunchRefused::Here { .. }) if agent.id() == "gemini" => continue,
            plan => plan.unwrap(),
        };
        let env: Vec<_> = plan.env.iter().map(|(_, value)| value).collect();
        assert!(!plan.argv.iter().chain(env).any(|text| text.contains("nobody")), "{plan:?}");
        assert!(!format!("{plan:?}").contains("quoted"), "texts reach no log: {plan:?}");
        assert_eq!(plan.prompt, PromptDelivery::TypeWhenReady(SECRET.to_owned()));

        plan.write_files().unwrap();
        plan.write_files().unwrap();
        let all: String = plan.files.iter().map(|file| fs::read_to_string(&file.path).unwrap()).collect();
        assert!(all.contains(SECRET), "{agent:?}");
        for file in &plan.files {
            assert_eq!(fs::metadata(&file.path).unwrap().permissions().mode() & 0o777, 0o600);
            assert!(file.path.starts_with(bench.texts()));
        }
        for link in &plan.links {
            assert!(fs::read_to_string(&link.at).unwrap().contains(SECRET));
        }
        plan.remove_links();
        assert!(plan.links.iter().all(|link| fs::symlink_metadata(&link.at).is_err()));
    }
}

#[test]
#[ntest::timeout(60000)]
fn codex_profiles_keep_the_persons_own_instructions_and_leave_nothing() {
    let bench = Bench::new();
    let codex = bench.folder.path().join(".codex");
    fs::write(codex.join("config.toml"), "developer_instructions = \"mine\"\n").unwrap();
    fs::write(codex.join("belfry-own.config.toml"), "not a link of ours").unwrap();
    let new = NewSession { system_prompt: Some("yours".to_owned()), ..NewSession::default() };
    let plan = bench.fresh("codex", &new).unwrap();
    plan.write_files().unwrap();
    let profile: toml::Table = fs::read_to_string(&plan.links[0].at).unwrap().parse().unwrap();
    assert_eq!(profile["developer_instructions"].as_str(), Some("mine\n\nyours"));
    let name = plan.argv.iter().skip_while(|word| *word != "--profile").nth(1).unwrap();
    assert_eq!(plan.links[0].at, codex.join(format!("{name}.config.toml")));

    // The run's files are gone, and its link was left by a crash: the next launch removes it.
    fs::remove_dir_all(bench.texts()).unwrap();
    assert!(fs::symlink_metadata(&plan.links[0].at).is_ok());
    let mut other = bench.fresh("codex", &new).unwrap();
    other.files[0].path = bench.texts().join("other.toml");
    other.links[0].to = bench.texts().join("other.toml");
    other.links[0].at = codex.join("belfry-other.config.toml");
    other.write_files().unwrap();
    assert!(fs::symlink_metadata(&plan.links[0].at).is_err());
    assert!(codex.join("belfry-own.config.toml").exists());

    let profiled = NewSession { args: words("--profile work"), ..new };
    assert!(matches!(bench.fresh("codex", &profiled), Err(LaunchRefused::Value { .. })));
}

#[test]
#[ntest::timeout(60000)]
fn codex_is_given_a_system_prompt_before_it_has_ever_run() {
    let bench = Bench::new();
    let codex = bench.folder.path().join(".codex");
    fs::remove_dir(&codex).unwrap();
    let new = NewSession { system_prompt: Some("yours".to_owned()), ..NewSession::default() };
    let plan = bench.fresh("codex", &new).unwrap();
    plan.write_files().unwrap();
    assert!(fs::read_to_string(&plan.links[0].at).unwrap().contains("yours"));
    assert_eq!(fs::metadata(&codex).unwrap().permissions().mode() & 0o777, 0o700);
}

#[test]
#[ntest::timeout(60000)]
fn what_an_agent_cannot_take_is_refused() {
    let bench = Bench::new();
    let prompt = NewSession { prompt: Some("x".to_owned()), ..NewSession::default() };
    assert!(matches!(bench.fresh("shell", &prompt), Err(LaunchRefused::Takes { what: "prompt", .. })));
    let blank = NewSession { prompt: Some("  ".to_owned()), ..NewSession::default() };
    assert_eq!(bench.fresh("shell", &blank).unwrap().prompt, PromptDelivery::None);
    for model in ["--dangerously-skip-permissions", "a b", "a\nb"] {
        let new = NewSession { model: Some(model.to_owned()), ..NewSession::default() };
        assert!(matches!(bench.fresh("claude", &new), Err(LaunchRefused::Value { .. })), "{model}");
    }
}

#[test]
#[ntest::timeout(60000)]
fn programs_are_found_where_the_person_has_them() {
    let folder = tempfile::tempdir().unwrap();
    let bin = folder.path().join("bin");
    fs::create_dir(&bin).unwrap();
    fs::write(bin.join("claude"), "not executable").unwrap();
    let local = script(&folder.path().join("home/.local/bin/claude"), "#!/bin/sh\n");
    let path = std::env::join_paths([Path::new("relative"), Path::new(""), &bin]).unwrap();
    let home = folder.path().join("home");
    let search = SearchIn { path: Some(&path), home: Some(&home), shell: None };
    let agents = Agents::built_in();
    let claude = agents.get("claude").unwrap();
    assert_eq!(claude.find(search), Some(local));
    let gemini = script(&folder.path().join("home/.bun/bin/gemini"), "#!/bin/sh\n");
    assert_eq!(agents.get("gemini").unwrap().find(search), Some(gemini));
    let listed = script(&bin.join("claude"), "#!/bin/sh\n");
    assert_eq!(claude.find(search), Some(listed));
    let shell =
        agents.get("shell").unwrap().find(SearchIn { shell: Some("/nowhere/zsh".as_ref()), ..search });
    assert!(shell.is_some_and(|shell| shell.is_absolute() && shell.exists()));
    let missing = agents
        .get("codex")
        .unwrap()
        .info(SearchIn { path: Some(&path), ..SearchIn::default() }, &Versions::default());
    assert!(missing.program.is_none() && missing.install.is_some_and(|install| install.contains("codex")));
}

#[test]
#[ntest::timeout(60000)]
fn versions_are_asked_for_once_and_again_when_the_file_changes() {
    let folder = tempfile::tempdir().unwrap();
    let asked = folder.path().join("asked");
    let say = |text: &str| format!("#!/bin/sh\necho x >> '{}'\necho '{text}'\n", asked.display());
    let program = script(&folder.path().join("codex"), &say("codex-cli 0.171.0"));
    let agents = Agents::built_in();
    let codex = agents.get("codex").unwrap();
    let env = [("PATH".to_owned(), "/usr/bin:/bin".to_owned())];
    let mut versions = Versions::default();
    assert_eq!(versions.known(&program), None);
    for _ in 0..3 {
        assert_eq!(versions.of(codex, &program, &env).as_deref(), Some("0.171.0"));
    }
    assert_eq!(fs::read_to_string(&asked).unwrap().lines().count(), 1);
    script(&program, &say("v2.1.332 (Claude Code)"));
    let changed = std::time::SystemTime::UNIX_EPOCH + std::time::Duration::from_secs(1_000_000);
    fs::File::open(&program).unwrap().set_modified(changed).unwrap();
    assert_eq!(versions.of(codex, &program, &env).as_deref(), Some("2.1.332"));
    assert_eq!(versions.known(&program).as_deref(), Some("2.1.332"));
    let silent = script(&folder.path().join("silent"), "#!/bin/sh\necho no number at all\n");
    assert_eq!(versions.of(codex, &silent, &env), None);
}

#[test]
#[ntest::timeout(60000)]
fn processes_are_recognised_by_program_and_script_only() {
    let agents = Agents::built_in();
    let who = |name: &str, argv: &str| {
        agents.recognise(Process { name, argv: &words(argv) }).map_or("", |agent| agent.id()).to_owned()
    };
    assert_eq!(who("claude", "claude"), "claude");
    assert_eq!(who("node", "node /x/node_modules/.bin/codex --no-daemon"), "codex");
    assert_eq!(
        who("node", "/usr/bin/node --max-old-space-size=12052 /x/.bin/gemini --session-id y"),
        "gemini"
    );
    assert_eq!(who("node", "node /x/node_modules/@google/gemini-cli/bundle/gemini.js"), "gemini");
    assert_eq!(who("aider", "/x/bin/python3 /x/bin/aider --no-check-update"), "aider");
    assert_eq!(who("python3.11", "python3.11 /x/bin/aider"), "aider");
    assert_eq!(who("grep", "grep codex"), "");
    assert_eq!(who("vim", "vim /x/bin/aider"), "");
    assert_eq!(who("bash", "bash"), "");
    assert_eq!(agents.recognise(Process { name: "x", argv: &[] }).map(belfry_agents::Agent::id), None);
}

#[test]
#[ntest::timeout(60000)]
fn the_persons_files_add_and_change_agents() {
    let folder = tempfile::tempdir().unwrap();
    let put = |name: &str, text: &str| fs::write(folder.path().join(name), text).unwrap();
    put("claude.toml", "name = \"My Claude\"\n[screen]\nstarts_with = []\n");
    put(
        "mine.toml",
        "name = \"Mine\"\nprograms = [\"mine\"]\ntakes = { prompt = true, model = true, system_prompt = true }\n\
         args = [\"--always\"]\nenv = { A = \"1\" }\n[flags]\nmodel = [\"--model={}\"]\nconversation = [\"--id\", \"{}\"]\n\
         system_prompt_file = [\"--system\", \"{}\"]\n",
    );
    put("broken.toml", "name = ");
    put("unknown.toml", "name = \"x\"\nnmae = \"y\"\n");
    put("Bad Name.toml", "name = \"x\"\n");
    put("notes.txt", "no agent");
    let (agents, bad) = Agents::with_files(folder.path());
    let mut files: Vec<_> = bad.iter().map(|bad| bad.file.file_name().unwrap().to_str().unwrap()).collect();
    files.sort_unstable();
    assert_eq!(files, ["Bad Name.toml", "broken.toml", "unknown.toml"]);
    let claude = agents.get("claude").unwrap();
    assert_eq!((claude.name(), claude.takes().model), ("My Claude", true));
    let ids: Vec<_> = agents.iter().map(belfry_agents::Agent::id).collect();
    assert_eq!(ids[ids.len() - 2..], ["mine", "shell"]);

    let bench = Bench::new();
    let new = NewSession {
        model: Some("m".to_owned()),
        system_prompt: Some(SECRET.to_owned()),
        args: words("last"),
        ..NewSession::default()
    };
    let plan = agents
        .get("mine")
        .unwrap()
        .launch(&LaunchInput {
            program: Path::new("/bin/mine"),
            version: None,
            new: &new,
            cwd: Path::new("/"),
            texts: &bench.texts(),
            keep: Path::new("/keep"),
            handover: None,
            env: &bench.env,
            conversation: Conversation::New { id: uuid::Uuid::nil() },
            hooks: None,
        })
        .unwrap();
    let texts = bench.texts();
    let wanted = format!(
        "/bin/mine --always --id 00000000-0000-0000-0000-000000000000 --model=m --system {}/system-prompt.md last",
        texts.display()
    );
    assert_eq!(plan.argv.join(" "), wanted);
    assert_eq!(plan.env, [("A".to_owned(), "1".to_owned())]);
    let (none, bad) = Agents::with_files(Path::new("/nowhere/at/all"));
    assert_eq!(none.iter().count(), Agents::built_in().iter().count());
    assert!(bad.is_empty());
}
