//! `belfry daemon`, its log, `belfry doctor`, and what happens without a daemon.

use std::os::unix::fs::PermissionsExt;

use belfry_tests::cli::{Belfry, Hung, eventually};
use ntest::timeout;

#[test]
#[timeout(60000)]
fn it_starts_stops_and_tells_of_itself() {
    let belfry = Belfry::new();
    let none = belfry.run(&["daemon", "status", "--json"]).exits(5);
    assert_eq!(none.error_code(), "no_daemon");
    assert!(belfry.run(&["daemon", "stop"]).ok().stdout.contains("No daemon"));
    let started = belfry.run(&["daemon", "start", "--json"]).ok().json();
    assert_eq!(started["version"], env!("CARGO_PKG_VERSION"));
    let again = belfry.run(&["daemon", "start", "--json"]).ok().json();
    assert_eq!(again["pid"], started["pid"]);
    let text = belfry.run(&["daemon", "status"]).ok().stdout;
    assert!(text.contains(&started["pid"].to_string()), "{text}");
    let second = belfry.run(&["daemon", "run", "--json"]).exits(1);
    assert_eq!(second.error_code(), "already_running");
    belfry.run(&["daemon", "stop"]).ok();
    belfry.run(&["daemon", "status"]).exits(5);
}

#[test]
#[timeout(60000)]
fn sessions_go_on_without_it() {
    let belfry = Belfry::new();
    let id = belfry.shell(&[], &["sh", "-c", "echo one; read -r x; echo two; exec cat"]);
    belfry.until_screen(&id, "one");
    let pid = belfry.show(&id)["pid"].clone();
    belfry.run(&["daemon", "stop"]).ok();
    assert!(std::path::Path::new(&format!("/proc/{pid}")).exists());
    // Any command brings it back.
    assert_eq!(belfry.show(&id)["pid"], pid);
    belfry.run(&["keys", &id, "Enter"]).ok();
    belfry.until_screen(&id, "two");
}

#[test]
#[timeout(60000)]
fn the_log_is_private_and_has_no_terminal_content() {
    let belfry = Belfry::new();
    let id = belfry.shell(
        &["--name", "secret-name", "--env", "TOKEN=secret-value"],
        &["sh", "-c", "echo secret-output; exec cat"],
    );
    belfry.until_screen(&id, "secret-output");
    // Sent off: no message is typed over what lies in a line.
    belfry.run(&["keys", &id, "secret-input", "Enter"]).ok();
    belfry.run(&["send", &id, "--now", "secret-message"]).ok();
    belfry.until_screen(&id, "secret-message");
    belfry.run(&["daemon", "stop"]).ok();
    let log = belfry.belfry_home().join("state/log/belfry.log");
    let text = std::fs::read_to_string(&log).unwrap();
    assert!(!text.is_empty());
    for secret in ["secret-output", "secret-value", "secret-input", "secret-message"] {
        assert!(!text.contains(secret), "{secret} is in the log");
    }
    assert_eq!(std::fs::metadata(&log).unwrap().permissions().mode() & 0o777, 0o600);
}

#[test]
#[timeout(60000)]
fn a_daemon_that_cannot_be_is_told_with_what_to_do() {
    let belfry = Belfry::new();
    // A file where the runtime directory should be.
    std::fs::write(belfry.belfry_home().join("run"), "").unwrap();
    let ran = belfry.run(&["ls", "--json"]).exits(5);
    assert_eq!(ran.error_code(), "no_daemon");
    assert!(ran.stderr.contains("next"), "{}", ran.stderr);
    let doctor = belfry.run(&["doctor", "--json"]).exits(1).json();
    assert_eq!(doctor["ok"], false);
    let failed: Vec<_> =
        doctor["checks"].as_array().unwrap().iter().filter(|check| check["state"] == "failed").collect();
    assert!(!failed.is_empty());
    for check in failed {
        assert!(check["next"].as_str().is_some_and(|next| !next.is_empty()), "what to do: {check}");
    }
}

#[test]
#[timeout(60000)]
fn the_doctor_finds_a_home_that_others_can_enter() {
    let belfry = Belfry::new();
    let state = belfry.belfry_home().join("state");
    belfry.run(&["daemon", "start"]).ok();
    std::fs::set_permissions(&state, std::fs::Permissions::from_mode(0o755)).unwrap();
    let doctor = belfry.run(&["doctor"]).exits(1);
    assert!(doctor.stdout.contains("chmod 700"), "{}", doctor.stdout);
    std::fs::set_permissions(&state, std::fs::Permissions::from_mode(0o700)).unwrap();
}

#[test]
#[timeout(60000)]
fn the_doctor_checks_everything_and_is_content() {
    let belfry = Belfry::new();
    let doctor = belfry.run(&["doctor", "--json"]).ok().json();
    assert_eq!(doctor["ok"], true, "{doctor:#}");
    let ids: Vec<&str> =
        doctor["checks"].as_array().unwrap().iter().filter_map(|check| check["id"].as_str()).collect();
    for id in [
        "programs",
        "libraries",
        "webkit",
        "git",
        "state",
        "runtime",
        "database_file",
        "room",
        "private_storage",
        "socket",
        "daemon",
        "database",
        "notices",
        "scope",
        "agents",
        "terminal",
        "login_shell",
        "limits",
        "inotify",
        "hooks",
        "rules",
    ] {
        assert!(ids.contains(&id), "{id} is not checked: {ids:?}");
    }
    belfry.run(&["doctor"]).ok();
}

#[test]
#[timeout(60000)]
fn agents_are_found_on_the_terminal_s_path_and_looked_for_again() {
    let belfry = Belfry::new();
    for (directory, agent) in [("terminal", "codex"), ("later", "gemini")] {
        std::fs::create_dir(belfry.home().join(directory)).unwrap();
        belfry.script(&format!("{directory}/{agent}"), "#!/bin/sh\necho 1.2.3\n");
    }
    // As a system's own start files do: what the terminal has is gone.
    belfry.write(".profile", "PATH=/usr/bin:/bin\n");
    let path = format!("{}:{}", belfry.home().join("terminal").display(), std::env::var("PATH").unwrap());
    let started = belfry.command(&["daemon", "start"]).env("PATH", path).status().unwrap();
    assert!(started.success());
    let found = || {
        let doctor = belfry.run(&["doctor", "--json"]).json();
        let checks = doctor["checks"].as_array().unwrap();
        checks.iter().find(|check| check["id"] == "agents").unwrap()["found"].as_str().unwrap().to_owned()
    };
    let before = found();
    assert!(before.contains("Codex") && !before.contains("Gemini"), "{before}");
    belfry.write(".profile", "PATH=$HOME/later:/usr/bin:/bin\n");
    let after = found();
    assert!(after.contains("Codex") && after.contains("Gemini"), "{after}");
}

#[test]
#[timeout(60000)]
fn it_has_nothing_of_whoever_started_it() {
    let belfry = Belfry::new();
    let id = belfry.shell(&[], &["cat"]);
    let daemon = belfry.daemon_pid();
    let of = |pid: i32, what: &str| std::fs::read_link(format!("/proc/{pid}/{what}")).unwrap();
    assert_eq!(of(daemon, "cwd"), std::path::Path::new("/"));
    for fd in ["fd/0", "fd/1", "fd/2"] {
        assert_eq!(of(daemon, fd), std::path::Path::new("/dev/null"), "{fd}");
    }
    let leads = belfry_platform::process::session_members(daemon.cast_unsigned());
    assert!(leads.iter().any(|member| member.identity.pid == daemon.cast_unsigned()), "a session of its own");
    eventually("alive", || belfry.show(&id)["status"] != "dead");
}

fn check(doctor: &serde_json::Value, id: &str) -> serde_json::Value {
    let checks = doctor["checks"].as_array().expect("checks");
    checks.iter().find(|check| check["id"] == id).expect("that check").clone()
}

#[test]
#[timeout(60000)]
fn the_doctor_names_the_place_of_a_fault_in_the_person_s_files() {
    let belfry = Belfry::new();
    let agents = belfry.belfry_home().join("config/agents");
    std::fs::create_dir_all(&agents).unwrap();
    std::fs::write(agents.join("mine.toml"), "name = \"Mine\"\nprograms = [\"mine\"]\n").unwrap();
    let doctor = belfry.run(&["doctor", "--json"]).ok().json();
    assert_eq!(check(&doctor, "rules")["state"], "ok", "{doctor:#}");
    belfry.run(&["daemon", "stop"]).ok();
    std::fs::write(agents.join("bad.toml"), "name = \"Bad\"\nprograms = [\"a\" \"b\"]\n").unwrap();
    let doctor = belfry.run(&["doctor", "--json"]).ok().json();
    let rules = check(&doctor, "rules");
    let found = rules["found"].as_str().unwrap();
    assert_eq!(rules["state"], "warning", "{doctor:#}");
    assert!(found.contains("bad.toml") && found.contains("line 2") && found.contains("column"), "{found}");
    assert_eq!(check(&doctor, "notices")["state"], "ok", "said once: {doctor:#}");
}

#[test]
#[timeout(60000)]
fn the_doctor_says_when_hooks_cannot_be_called() {
    let belfry = Belfry::new();
    // A copy of our own, as an update would replace it.
    let bin = belfry.home().join("bin");
    std::fs::create_dir(&bin).unwrap();
    for name in ["belfry", "belfry-keeper"] {
        std::fs::copy(Belfry::program(name), bin.join(name)).unwrap();
    }
    let started = std::process::Command::new(bin.join("belfry"))
        .args(["daemon", "start"])
        .env_clear()
        .envs(belfry.environment())
        .status()
        .unwrap();
    assert!(started.success());
    let doctor = belfry.run(&["doctor", "--json"]).ok().json();
    assert!(check(&doctor, "hooks")["found"].as_str().unwrap().contains("bin/belfry"), "{doctor:#}");
    std::fs::remove_file(bin.join("belfry")).unwrap();
    let doctor = belfry.run(&["doctor", "--json"]).exits(1).json();
    let hooks = check(&doctor, "hooks");
    assert_eq!(hooks["state"], "failed", "{doctor:#}");
    assert!(hooks["next"].as_str().unwrap().contains("belfry daemon stop"), "{hooks}");
}

#[test]
#[timeout(60000)]
fn the_doctor_names_a_daemon_that_hangs() {
    let belfry = Belfry::new();
    belfry.run(&["daemon", "start"]).ok();
    let pid = belfry.daemon_pid();
    let daemon = Hung::new(&belfry);
    let doctor = belfry.run(&["doctor", "--json"]).exits(1).json();
    drop(daemon);
    let found = check(&doctor, "daemon");
    assert!(found["found"].as_str().unwrap().contains(&pid.to_string()), "{found}");
    assert!(found["next"].as_str().unwrap().contains(&format!("kill -CONT {pid}")), "{found}");
}
