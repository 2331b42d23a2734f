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
    cli.run(&["settings", "set", "keys.pane.split", "[\"Ctrl+D\"]"]).ok();
    let all = cli.run(&["settings"]).ok().stdout;
    assert!(
        all.contains("appearance.theme = dark\n") && all.contains("keys.pane.split = [\"Ctrl+D\"]\n"),
        "{all}"
    );
    let json = cli.run(&["settings", "get", "keys", "--json"]).ok().json();
    assert_eq!(json, json!({ "pane.split": ["Ctrl+D"] }));
    cli.run(&["settings", "reset", "keys"]).ok();
    assert_eq!(cli.run(&["settings", "get", "keys", "--json"]).ok().json(), json!({}));
    cli.run(&["settings", "set", "appearance.theme", "blue"]).exits(2);
    cli.run(&["settings", "get", "nothing"]).exits(2);
    cli.run(&["settings", "check"]).ok();
}
