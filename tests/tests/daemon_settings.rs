//! Settings: one file, which the person and clients edit, and which counts as soon as it is saved.

#![expect(clippy::unwrap_used, reason = "a test's own functions fail the test")]

use std::os::unix::fs::PermissionsExt as _;
use std::path::PathBuf;

use belfry_client::{Connection, Incoming};
use belfry_protocol::settings::SettingsState;
use belfry_protocol::{ErrorCode, Event, Reply, Request};
use belfry_tests::cli::Belfry;
use belfry_tests::daemon::{PATIENCE, TestDaemon, eventually};
use ntest::timeout;
use serde_json::{Value, json};

fn file(daemon: &TestDaemon) -> PathBuf {
    daemon.home().config_dir().join("settings.toml")
}

/// Saves as most editors do: a new file in the place of the old one.
fn save(daemon: &TestDaemon, text: &str) {
    let beside = file(daemon).with_extension("new");
    std::fs::write(&beside, text).unwrap();
    std::fs::rename(&beside, file(daemon)).unwrap();
}

async fn change(daemon: &TestDaemon, path: &str, value: Value) -> Result<SettingsState, ErrorCode> {
    let request = Request::ChangeSetting { path: path.to_owned(), value };
    match daemon.connect().await.request(request).await {
        Ok(Reply::Settings(state)) => Ok(*state),
        Ok(other) => panic!("no settings: {other:?}"),
        Err(error) => Err(error.code().expect("the daemon's own error")),
    }
}

async fn subscribed(daemon: &TestDaemon) -> Connection {
    let connection = daemon.connect().await;
    connection.request(Request::Subscribe).await.unwrap();
    connection
}

/// Waits until the settings are told to be so.
async fn told(
    connection: &mut Connection,
    what: &str,
    is_so: impl Fn(&SettingsState) -> bool,
) -> SettingsState {
    let wait = async {
        loop {
            if let Incoming::Event(event) = connection.next().await.expect("the connection holds")
                && let Event::Settings { state } = *event
                && is_so(&state)
            {
                return *state;
            }
        }
    };
    tokio::time::timeout(PATIENCE, wait).await.unwrap_or_else(|_| panic!("never: {what}"))
}

#[tokio::test]
#[timeout(60000)]
async fn a_client_changes_one_value_in_the_persons_file() {
    let daemon = TestDaemon::start().await;
    let mut events = subscribed(&daemon).await;
    assert!(!file(&daemon).exists(), "nothing was changed yet");
    let state = change(&daemon, "notifications.sounds", json!(false)).await.unwrap();
    assert!(!state.settings.notifications.sounds);
    assert_eq!(state.file, file(&daemon).display().to_string());
    let text = std::fs::read_to_string(file(&daemon)).unwrap();
    assert!(
        text.contains("# A sound goes with each.\nsounds = false\n# How loud: 0 to 100.\n#volume = 60\n"),
        "{text}"
    );
    assert_eq!(std::fs::metadata(file(&daemon)).unwrap().permissions().mode() & 0o777, 0o600);
    assert_eq!(told(&mut events, "it is told", |_| true).await, state);

    for (path, value) in [
        ("fonts.size", json!(99)),
        ("fonts.size", json!("big")),
        ("fonts.sise", json!(1)),
        ("fonts", json!({ "size": 12 })),
        ("notifications.quiet_hours", json!({ "from": "22:00" })),
        ("fonts..size", json!(12)),
    ] {
        assert_eq!(change(&daemon, path, value).await, Err(ErrorCode::BadRequest), "{path}");
    }
    assert_eq!(std::fs::read_to_string(file(&daemon)).unwrap(), text);
    let state = change(&daemon, "notifications.sounds", Value::Null).await.unwrap();
    assert!(state.settings.notifications.sounds);
}

#[tokio::test]
#[timeout(60000)]
async fn what_is_saved_by_hand_counts_and_an_error_changes_nothing() {
    let daemon = TestDaemon::start().await;
    let mut events = subscribed(&daemon).await;
    save(&daemon, "[fonts]\nsize = 20\n");
    told(&mut events, "it counts", |state| state.settings.fonts.size == 20).await;

    save(&daemon, "[fonts]\nsize = twenty\n");
    let state = told(&mut events, "it is no good", |state| state.error.is_some()).await;
    let error = state.error.unwrap();
    assert_eq!((error.line, error.column, state.settings.fonts.size), (2, 8, 20));
    assert_eq!(change(&daemon, "fonts.size", json!(12)).await, Err(ErrorCode::BadRequest));
    assert_eq!(std::fs::read_to_string(file(&daemon)).unwrap(), "[fonts]\nsize = twenty\n");
    let checked = daemon.cli().run(&["settings", "check"]).exits(1);
    assert!(checked.stderr.contains("line 2, column 8"), "{}", checked.stderr);
    let doctor = daemon.cli().run(&["doctor"]);
    assert!(doctor.stdout.contains("settings.toml, line 2, column 8"), "{}", doctor.stdout);

    save(&daemon, "[fonts]\nsize = 14\nsise = 1\n");
    let state = told(&mut events, "it was mended", |state| state.error.is_none()).await;
    assert_eq!((state.settings.fonts.size, state.warnings[0].line), (14, 3));
    std::fs::remove_file(file(&daemon)).unwrap();
    told(&mut events, "it is gone", |state| state.settings.fonts.size == 13).await;
}

#[tokio::test]
#[timeout(60000)]
async fn a_link_to_the_file_stays_one() {
    let daemon = TestDaemon::stopped();
    let folder = daemon.person().join("dotfiles");
    std::fs::create_dir_all(&folder).unwrap();
    std::fs::create_dir_all(daemon.home().config_dir()).unwrap();
    let real = folder.join("belfry.toml");
    std::fs::write(&real, "# mine\n[tray]\nshow = true\n").unwrap();
    std::os::unix::fs::symlink(&real, file(&daemon)).unwrap();
    let mut daemon = daemon;
    daemon.run().await;
    let mut events = subscribed(&daemon).await;
    change(&daemon, "tray.show", json!(false)).await.unwrap();
    assert!(file(&daemon).is_symlink());
    assert_eq!(std::fs::read_to_string(&real).unwrap(), "# mine\n[tray]\nshow = false\n");
    // The folder that it is really in is watched.
    std::fs::write(&real, "[tray]\nclose_to_tray = true\n").unwrap();
    told(&mut events, "it counts", |state| state.settings.tray.close_to_tray).await;
}

#[tokio::test]
#[timeout(60000)]
async fn an_agent_is_started_as_it_is_set() {
    let mut daemon = TestDaemon::stopped();
    daemon.add_asker("key");
    let other = daemon.cli().script("other", "#!/bin/sh\necho \"$FROM $OWN $*\" >>started\nexec cat\n");
    std::fs::create_dir_all(daemon.home().config_dir()).unwrap();
    let set = |path: &str| {
        save(
            &daemon,
            &format!(
                "[agents.asker]\npath = {path:?}\nargs = [\"-v\"]\nenv = {{ FROM = \"file\", OWN = \"file\" }}\n"
            ),
        );
    };
    set(&other);
    daemon.run().await;
    let mut request = daemon.asker_request("key");
    request.env.push(belfry_protocol::launch::EnvVar { name: "OWN".to_owned(), value: "session".to_owned() });
    let session = daemon.new_session(request.clone()).await;
    assert_eq!(session.command, [other.as_str(), "-v", "key"]);
    eventually("it has started", || daemon.lines_of("started") == ["file session -v key"]).await;
    let Reply::Agents(agents) =
        daemon.connect().await.request(Request::ListAgents { refresh: false }).await.unwrap()
    else {
        panic!("no agents")
    };
    let asker = agents.iter().find(|agent| agent.id == "asker").unwrap();
    assert_eq!(asker.program.as_deref(), Some(other.as_str()));

    let state = change(&daemon, "agents.asker.path", json!("/nowhere/asker")).await.unwrap();
    assert_eq!(state.settings.agents["asker"].args, ["-v"]);
    let error = daemon
        .connect()
        .await
        .request(Request::NewSession(Box::new(request)))
        .await
        .expect_err("it is not there");
    assert_eq!(error.code(), Some(ErrorCode::MissingProgram));
}

#[tokio::test]
#[timeout(60000)]
async fn an_agent_changes_no_settings() {
    let mut daemon = TestDaemon::stopped();
    daemon.add_asker("key");
    let belfry = Belfry::program("belfry");
    let script = format!(
        "#!/bin/sh\n'{0}' settings set tray.show false; echo $? >>codes\n'{0}' settings get; echo $? >>codes\nexec cat\n",
        belfry.display()
    );
    let meddler = daemon.cli().script("meddler", &script);
    std::fs::create_dir_all(daemon.home().config_dir()).unwrap();
    save(&daemon, &format!("[agents.asker]\npath = {meddler:?}\n"));
    daemon.run().await;
    daemon.asker("key").await;
    eventually("it has tried", || daemon.lines_of("codes").len() == 2).await;
    assert_eq!(daemon.lines_of("codes"), ["4", "4"]);
    assert!(!std::fs::read_to_string(file(&daemon)).unwrap().contains("tray"));
}

#[tokio::test]
#[timeout(60000)]
async fn the_command_line_shows_and_changes_them() {
    let daemon = TestDaemon::stopped();
    let cli = daemon.cli();
    let path = cli.run(&["settings", "path"]).ok();
    assert_eq!(path.word(), file(&daemon).display().to_string());
    assert!(std::fs::read_to_string(file(&daemon)).unwrap().contains("#sounds = true"));
    cli.run(&["daemon", "start"]).ok();
    assert_eq!(cli.run(&["settings", "get", "fonts.size"]).ok().word(), "13");
    let set = cli.run(&["settings", "set", "appearance.theme", "dark"]).ok();
    assert_eq!(set.word(), "appearance.theme = dark");
    cli.run(&["settings", "set", "keys.split-right", "[\"Ctrl+D\"]"]).ok();
    let all = cli.run(&["settings"]).ok().stdout;
    assert!(
        all.contains("appearance.theme = dark\n") && all.contains("keys.split-right = [\"Ctrl+D\"]\n"),
        "{all}"
    );
    let json = cli.run(&["settings", "get", "keys", "--json"]).ok().json();
    assert_eq!(json, json!({ "split-right": ["Ctrl+D"] }));
    cli.run(&["settings", "reset", "keys"]).ok();
    assert_eq!(cli.run(&["settings", "get", "keys", "--json"]).ok().json(), json!({}));
    cli.run(&["settings", "set", "appearance.theme", "blue"]).exits(2);
    cli.run(&["settings", "get", "nothing"]).exits(2);
    cli.run(&["settings", "check"]).ok();
}

/// What a person may try, and a word of the answer.
const NONSENSE: &[(&str, &str, &str)] = &[
    ("appearance.theme", "drak", "did you mean `dark`?"),
    ("appearance.terminal_dark", "drakula", "did you mean `dracula`?"),
    ("appearance.terminal_dark", "nonsense", "there are belfry-dark"),
    ("appearance.scale", "-5", "a whole number from 100 to 200, not `-5`"),
    ("appearance.scale", "1e99", "a whole number from 100 to 200"),
    ("fonts.size", "big", "a whole number from 8 to 32, not `big`"),
    ("fonts.family", "", "a font's name"),
    ("terminal.renderer", "gpu", "`auto`, `dom` or `webgl`"),
    ("notifications.volume", "256", "from 0 to 100"),
    ("notifications.sounds", "maybe", "true or false, not `maybe`"),
    ("notifications.quiet_hours", "22:00", "two times of day"),
    ("notifications.quiet_hours", "22:00-25:00", "two times of day"),
    ("notifications.quiet_hours.from", "22:00", "one of them is missing"),
    ("keys.pallete", "Ctrl+K", "did you mean `palette`?"),
    ("keys.palette", "Ctrl+Shift", "names no key to be pressed"),
    ("keys.palette", "Ctlr+K", "did you mean `Ctrl`?"),
    ("keys.palette", "Ctrl+Left", "did you mean `ArrowLeft`?"),
    ("shortcut.show", "B", "would be gone from every program"),
    ("agents.cluade.args", "-v", "did you mean `claude`?"),
    ("agents.claude.path", "bin/claude", "absolute path"),
    ("agents.claude.environment", "x", "There is no setting"),
    ("workspaces.kind", "cupboard", "it is `directory`, `worktree`, `clone` or `scratch`"),
    ("privacy.history_days", "0", "from 1 to 3650"),
    ("fonts.sise", "3", "did you mean `fonts.size`?"),
    ("volume", "3", "did you mean `notifications.volume`?"),
];

#[test]
#[timeout(120000)]
fn nonsense_is_refused_with_what_is_allowed() {
    let belfry = Belfry::new();
    for (name, value, said) in NONSENSE {
        let refused = belfry.run(&["settings", "set", name, value]).exits(2).stderr;
        assert!(refused.contains(said), "{name} {value}: {refused}");
        for word in ["invalid", "expected", "u8", "u16", "u32", "variant", "struct", "sequence"] {
            assert!(!refused.contains(word), "{name} {value}: {refused}");
        }
    }
    let get = belfry.run(&["settings", "get", "fonts.sise"]).exits(2).stderr;
    assert!(get.contains("Did you mean `fonts.size`?"), "{get}");
    assert_eq!(belfry.run(&["settings", "get", "agents.claude.path"]).ok().word(), "(none)");
    assert!(!belfry.belfry_home().join("config/settings.toml").exists(), "nothing was written");
}

#[tokio::test]
#[timeout(60000)]
async fn lists_and_tables_are_set_from_the_command_line() {
    let daemon = TestDaemon::start().await;
    let cli = daemon.cli();
    let set = |words: &[&str]| cli.run(&[&["settings"], words].concat()).ok().stdout;
    let said = set(&["set", "notifications.quiet_hours", "22:00-07:00"]);
    assert!(said.contains("notifications.quiet_hours.from = 22:00"), "{said}");
    set(&["set", "notifications.quiet_hours.to", "06:30"]);
    set(&["set", "agents.claude.env", "{ EDITOR = \"vi\", TOKEN = 's' }"]);
    set(&["set", "agents.claude.env.PORT", "8080"]);
    set(&["set", "agents.claude.args", "--verbose"]);
    set(&["set", "keys.palette", "['Ctrl+Alt+K', \"F2\"]"]);
    set(&["unset", "agents.claude.env.TOKEN"]);
    let all: Value = cli.run(&["settings", "get", "--json"]).ok().json();
    assert_eq!(all["notifications"]["quiet_hours"], json!({ "from": "22:00", "to": "06:30" }));
    assert_eq!(all["agents"]["claude"]["env"], json!({ "EDITOR": "vi", "PORT": "8080" }));
    assert_eq!(all["agents"]["claude"]["args"], json!(["--verbose"]));
    assert_eq!(all["keys"]["palette"], json!(["Ctrl+Alt+K", "F2"]));
    cli.run(&["settings", "unset", "notifications.quiet_hours.to"]).exits(2);
    set(&["unset", "notifications.quiet_hours"]);
    assert_eq!(cli.run(&["settings", "get", "notifications.quiet_hours"]).ok().word(), "(none)");
}

#[tokio::test]
#[timeout(60000)]
async fn what_a_newer_belfry_wrote_stays_and_is_warned_of_with_its_line() {
    let daemon = TestDaemon::start().await;
    let mut events = subscribed(&daemon).await;
    let newer = "[appearance]\nterminal_dark = \"of-tomorrow\"\nglow = true\n[keys]\nfly = [\"F9\"]\n\
                 [workspaces]\nkind = \"clone\"\n[agents.robot]\nargs = [\"-x\"]\n[fonts]\nsize = 20\n";
    save(&daemon, newer);
    let state = told(&mut events, "it is read", |state| state.settings.fonts.size == 20).await;
    assert_eq!(state.error, None);
    let lines: Vec<u32> = state.warnings.iter().map(|warning| warning.line).collect();
    assert_eq!(lines, [2, 3, 5, 8], "{:?}", state.warnings);
    change(&daemon, "fonts.size", json!(21)).await.unwrap();
    let text = std::fs::read_to_string(file(&daemon)).unwrap();
    assert_eq!(text, newer.replace("size = 20", "size = 21"));
    // What is named may be taken out.
    let cli = daemon.cli();
    cli.run(&["settings", "unset", "appearance.glow"]).ok();
    cli.run(&["settings", "unset", "keys.fly"]).ok();
    let text = std::fs::read_to_string(file(&daemon)).unwrap();
    assert!(!text.contains("glow") && !text.contains("fly"), "{text}");
    cli.run(&["settings", "unset", "appearance.glow"]).exits(2);
}

#[tokio::test]
#[timeout(60000)]
async fn a_start_with_a_broken_file_goes_by_the_last_good_one_and_says_so() {
    let mut daemon = TestDaemon::start().await;
    change(&daemon, "fonts.size", json!(20)).await.unwrap();
    daemon.stop().await;
    let good = std::fs::read_to_string(file(&daemon)).unwrap();
    save(&daemon, &format!("{good}\n[fonts\n"));
    daemon.run().await;
    let cli = daemon.cli();
    let shown = cli.run(&["settings", "get", "fonts.size"]).ok();
    assert_eq!(shown.word(), "20");
    assert!(
        shown.stderr.contains("settings.toml, line ")
            && shown.stderr.contains("the last settings without an error"),
        "{}",
        shown.stderr
    );
    let Reply::Daemon(info) = daemon.connect().await.request(Request::DaemonStatus).await.unwrap() else {
        panic!("no status")
    };
    assert!(info.notices.iter().any(|notice| notice.contains("last settings without an error")), "{info:?}");
    let doctor = cli.run(&["doctor"]).stdout;
    assert!(doctor.contains("the last settings without an error are in force"), "{doctor}");
    let mut events = subscribed(&daemon).await;
    save(&daemon, &good.replace("size = 20", "size = 14"));
    told(&mut events, "it was mended", |state| state.error.is_none() && state.settings.fonts.size == 14)
        .await;
    let Reply::Daemon(info) = daemon.connect().await.request(Request::DaemonStatus).await.unwrap() else {
        panic!("no status")
    };
    assert_eq!(info.notices, Vec::<String>::new());
}
