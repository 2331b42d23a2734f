//! What dies, and the machine itself.

use belfry_protocol::session::Exit;
use belfry_protocol::{Request, Session, Status};
use belfry_tests::daemon::{TestDaemon, eventually, kill, lives};
use ntest::timeout;
use serde_json::{Value, json};

use crate::claude::{arguments, claude, clear, env, resume, spoken, transcript, turn};

#[tokio::test]
#[timeout(90000)]
async fn a_conversation_survives_everything_that_dies() {
    let mut daemon = TestDaemon::start().await;
    let (started, _) = spoken(&daemon).await;
    clear(&daemon, &started, "0190-second").await;
    turn(&daemon, &started).await;
    transcript(&daemon, "0190-second");
    daemon.kill();
    kill(started.runs[0].keeper_pid.unwrap());
    kill(started.pid.unwrap());
    eventually("all is gone", || !lives(started.pid.unwrap())).await;
    // Even the database: the run's own note knows it.
    for suffix in ["", "-wal", "-shm"] {
        let mut file = daemon.home().database().into_os_string();
        file.push(suffix);
        let _ = std::fs::remove_file(file);
    }
    daemon.run().await;
    daemon.until(started.id, "dead", |now| now.status == Status::Dead).await;
    assert_eq!(daemon.show(started.id).await.conversation_id.as_deref(), Some("0190-second"));
    let _ = std::fs::remove_file(daemon.person().join("one.argv"));
    resume(&daemon, started.id).await.unwrap();
    arguments(&daemon, "one", "--resume 0190-second").await;
}

/// The machine goes down with all that runs, and comes up again.
async fn reboot(daemon: &mut TestDaemon, sessions: &[&Session], was: &str) {
    let mut files = Vec::new();
    for session in sessions {
        let run = daemon.home().run(session.id, session.runs[0].id);
        files.push(run.meta());
    }
    daemon.kill();
    for session in sessions {
        kill(session.runs[0].keeper_pid.unwrap());
        kill(session.pid.unwrap());
        eventually("all is gone", || !lives(session.pid.unwrap())).await;
    }
    std::fs::remove_dir_all(daemon.home().runtime_dir()).unwrap();
    for file in files {
        let mut meta: Value = serde_json::from_slice(&std::fs::read(&file).unwrap()).unwrap();
        meta["boot_id"] = was.into();
        std::fs::write(&file, meta.to_string()).unwrap();
    }
}

#[tokio::test]
#[timeout(90000)]
async fn after_a_reboot_all_that_was_alive_comes_back() {
    let mut daemon = TestDaemon::start().await;
    let mut sessions = Vec::new();
    for name in ["one", "two", "three"] {
        let started = claude(&daemon, name).await;
        turn(&daemon, &started).await;
        transcript(&daemon, started.conversation_id.as_ref().unwrap());
        sessions.push(daemon.show(started.id).await);
    }
    let ended = daemon.shell(&["true"]).await;
    daemon.until(ended.id, "dead", |now| now.status == Status::Dead).await;
    let all: Vec<&Session> = sessions.iter().collect();
    reboot(&mut daemon, &all, "the boot before").await;
    daemon.run().await;
    for started in &sessions {
        daemon.until(started.id, "dead", |now| now.exit == Some(Exit::MachineRestarted)).await;
    }
    let mut command = daemon.cli().command(&["resume", "--all", "--json"]);
    command.envs(env(&daemon).into_iter().map(|one| (one.name, one.value)));
    let ran = command.output().unwrap();
    let resumed: Value = serde_json::from_slice(&ran.stdout).unwrap();
    assert_eq!(resumed.as_array().map(Vec::len), Some(3), "{resumed}");
    for started in &sessions {
        let now = daemon.until(started.id, "alive", |now| now.alive() && now.runs.len() == 2).await;
        assert_eq!(now.conversation_id, started.conversation_id);
    }
    assert!(!daemon.show(ended.id).await.alive());
    assert_eq!(daemon.cli().run(&["resume", "--all", "--json"]).ok().json(), json!([]));
}

#[tokio::test]
#[timeout(90000)]
async fn after_a_reboot_it_comes_back_by_itself_where_that_is_set() {
    let mut daemon = TestDaemon::start().await;
    let (started, conversation) = spoken(&daemon).await;
    transcript(&daemon, &conversation);
    let started = daemon.show(started.id).await;
    // Where the login shell finds it, whose environment it is then.
    let place = daemon.person().join(".local/bin");
    std::fs::create_dir_all(&place).unwrap();
    std::fs::copy(daemon.person().join("claude"), place.join("claude")).unwrap();
    let connection = daemon.connect().await;
    let value = json!({ "now": "the boot before", "before": null });
    connection.request(Request::PutSetting { name: "daemon.boots".to_owned(), value }).await.unwrap();
    let set = Request::ChangeSetting { path: "sessions.resume_after_reboot".to_owned(), value: true.into() };
    connection.request(set).await.unwrap();
    drop(connection);
    reboot(&mut daemon, &[&started], "the boot before").await;
    daemon.run().await;
    let now = daemon.until(started.id, "alive", |now| now.alive() && now.runs.len() == 2).await;
    assert_eq!(now.conversation_id, started.conversation_id);
}
