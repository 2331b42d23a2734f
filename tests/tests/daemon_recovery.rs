//! A daemon, a keeper or the machine ends, and sessions are found again as they were.

use std::io::{Read, Write};
use std::path::PathBuf;

use belfry_protocol::keeper::{ToKeeper, VERSION};
use belfry_protocol::session::Exit;
use belfry_protocol::{Reply, Request, Session, Status};
use belfry_tests::daemon::{TestDaemon, TestView, eventually, kill, lives, session};
use ntest::timeout;
use serde_json::Value;

fn run_dir(daemon: &TestDaemon, session: &Session) -> PathBuf {
    daemon.home().run(session.id, session.runs[0].id).path().to_owned()
}

#[tokio::test]
#[timeout(60000)]
async fn sessions_outlive_a_killed_daemon_screen_scrollback_and_all() {
    let mut daemon = TestDaemon::start().await;
    let script =
        "seq 1 3000; printf '\\033]2;the title\\007\\033[31mred\\033[0m'; read -r x; echo after; cat";
    let started = daemon.shell(&["sh", "-c", script]).await;
    daemon.until_screen(started.id, "red").await;
    let before = daemon.screen(started.id, true, 2000).await;
    assert!(before.text.contains("2500") && before.title.as_deref() == Some("the title"));
    for stop in [false, true] {
        if stop {
            daemon.stop().await;
        } else {
            daemon.kill();
        }
        assert!(lives(started.pid.unwrap()));
        daemon.run().await;
        let shown = daemon.show(started.id).await;
        assert_eq!((shown.pid, shown.name.clone()), (started.pid, started.name.clone()));
        // A view's first screen is only sent once it is there.
        daemon.until_screen(started.id, "red").await;
        assert_eq!(daemon.screen(started.id, true, 2000).await, before);
    }
    let mut view = TestView::open(&daemon, started.id).await;
    view.input(b"\r").await;
    view.until("it goes on", |view| view.text().contains("after")).await;
}

#[tokio::test]
#[timeout(60000)]
async fn a_killed_keeper_costs_its_own_session_alone() {
    let daemon = TestDaemon::start().await;
    let victim = daemon.shell(&["sh", "-c", "echo last words; exec cat"]).await;
    let other = daemon.shell(&["cat"]).await;
    daemon.until_screen(victim.id, "last words").await;
    kill(victim.runs[0].keeper_pid.unwrap());
    let dead = daemon.until(victim.id, "dead", |session| session.status == Status::Dead).await;
    assert_eq!(dead.exit, Some(Exit::KeeperLost));
    assert_eq!(dead.reason.as_deref(), Some("keeper lost"));
    assert!(daemon.screen(victim.id, false, 0).await.text.contains("last words"));
    eventually("the program sees its terminal close", || !lives(victim.pid.unwrap())).await;
    assert!(daemon.show(other.id).await.alive() && lives(other.pid.unwrap()));
}

#[tokio::test]
#[timeout(60000)]
async fn what_ended_while_no_daemon_ran_is_told_exactly() {
    let mut daemon = TestDaemon::start().await;
    let exits = daemon.shell(&["sh", "-c", "echo up; read -r x; echo bye; exit 9"]).await;
    let lost = daemon.shell(&["sh", "-c", "echo up; exec cat"]).await;
    for session in [&exits, &lost] {
        daemon.until_screen(session.id, "up").await;
    }
    let keys = Request::SendKeys { session: exits.id.to_string(), keys: vec!["Enter".into()] };
    let connection = daemon.connect().await;
    let keeper = exits.runs[0].keeper_pid.unwrap();
    // Stopped, it cannot tell this daemon any more.
    rustix::process::kill_process(
        rustix::process::Pid::from_raw(i32::try_from(keeper).unwrap()).unwrap(),
        rustix::process::Signal::STOP,
    )
    .unwrap();
    connection.request(keys).await.unwrap();
    daemon.kill();
    rustix::process::kill_process(
        rustix::process::Pid::from_raw(i32::try_from(keeper).unwrap()).unwrap(),
        rustix::process::Signal::CONT,
    )
    .unwrap();
    kill(lost.runs[0].keeper_pid.unwrap());
    eventually("both are gone", || !lives(keeper) && !lives(lost.pid.unwrap())).await;
    daemon.run().await;
    let dead = daemon.until(exits.id, "dead", |session| session.status == Status::Dead).await;
    assert_eq!(dead.exit, Some(Exit::Code { code: 9 }));
    assert!(daemon.screen(exits.id, false, 0).await.text.contains("bye"));
    let dead = daemon.until(lost.id, "dead", |session| session.status == Status::Dead).await;
    assert_eq!(dead.exit, Some(Exit::KeeperLost));
}

#[tokio::test]
#[timeout(60000)]
async fn a_restart_of_the_machine_is_told_as_such() {
    let mut daemon = TestDaemon::start().await;
    let started = daemon.shell(&["sh", "-c", "seq 1 500; echo last; exec cat"]).await;
    daemon.until_screen(started.id, "last").await;
    daemon.kill();
    kill(started.runs[0].keeper_pid.unwrap());
    eventually("all is gone", || !lives(started.pid.unwrap())).await;
    std::fs::remove_dir_all(daemon.home().runtime_dir()).unwrap();
    let meta = run_dir(&daemon, &started).join("meta.json");
    let mut value: Value = serde_json::from_slice(&std::fs::read(&meta).unwrap()).unwrap();
    value["boot_id"] = "another boot".into();
    std::fs::write(&meta, value.to_string()).unwrap();
    daemon.run().await;
    let dead = daemon.until(started.id, "dead", |session| session.status == Status::Dead).await;
    assert_eq!(dead.exit, Some(Exit::MachineRestarted));
    assert_eq!(dead.reason.as_deref(), Some("machine restarted"));
    let screen = daemon.screen(started.id, false, 100).await.text;
    assert!(screen.contains("last") && screen.contains("\n450\n"), "{screen}");
    // One request brings it back.
    let connection = daemon.connect().await;
    let request = Request::RestartSession { session: started.id.to_string(), anew: false, base_env: None };
    assert!(session(connection.request(request).await.unwrap()).alive());
    daemon.until_screen(started.id, "last").await;
}

#[tokio::test]
#[timeout(60000)]
async fn a_lost_or_damaged_database_is_rebuilt_from_the_runs() {
    let mut daemon = TestDaemon::start().await;
    let mut new = daemon.shell_request(&["sh", "-c", "echo here; exec cat"]);
    new.name = Some("keep me".to_owned());
    let started = daemon.new_session(new).await;
    daemon.until_screen(started.id, "here").await;
    for damaged in [false, true] {
        daemon.kill();
        let database = daemon.home().database();
        for suffix in ["", "-wal", "-shm"] {
            let mut file = database.clone().into_os_string();
            file.push(suffix);
            if damaged && suffix.is_empty() {
                std::fs::write(&file, vec![0x5a; 64 * 1024]).unwrap();
            } else {
                let _ = std::fs::remove_file(&file);
            }
        }
        daemon.run().await;
        let found = daemon.show(started.id).await;
        assert_eq!((found.name.as_str(), found.pid, found.alive()), ("keep me", started.pid, true));
        daemon.until_screen(started.id, "here").await;
    }
}

#[tokio::test]
#[timeout(60000)]
async fn a_damaged_checkpoint_is_replayed_around() {
    let mut daemon = TestDaemon::start().await;
    let started = daemon.shell(&["sh", "-c", "seq 1 100000; echo end; exec cat"]).await;
    daemon.until_screen(started.id, "end").await;
    let before = daemon.screen(started.id, false, 5000).await;
    daemon.stop().await;
    let checkpoint = run_dir(&daemon, &started).join("checkpoint");
    let mut bytes = std::fs::read(&checkpoint).unwrap();
    let middle = bytes.len() / 2;
    bytes[middle] ^= 0xff;
    std::fs::write(&checkpoint, bytes).unwrap();
    daemon.run().await;
    daemon.until_screen(started.id, "end").await;
    assert_eq!(daemon.screen(started.id, false, 5000).await, before);
}

#[tokio::test]
#[timeout(60000)]
async fn queries_are_answered_once_across_a_crash() {
    let mut daemon = TestDaemon::start().await;
    // Asks, and writes down what it is answered.
    let script = "stty raw -echo; printf 'ask\\033[6n'; exec cat > typed";
    let started = daemon.shell(&["sh", "-c", script]).await;
    let typed = daemon.person().join("typed");
    eventually("the answer is there", || std::fs::read(&typed).is_ok_and(|bytes| bytes.ends_with(b"R")))
        .await;
    let answer = std::fs::read(&typed).unwrap();
    for _ in 0..3 {
        daemon.kill();
        daemon.run().await;
        daemon.until_screen(started.id, "ask").await;
    }
    let connection = daemon.connect().await;
    let keys = Request::SendKeys { session: started.id.to_string(), keys: vec!["z".into()] };
    connection.request(keys).await.unwrap();
    eventually("the key is there", || std::fs::read(&typed).is_ok_and(|bytes| bytes.ends_with(b"z"))).await;
    assert_eq!(std::fs::read(&typed).unwrap(), [answer, b"z".to_vec()].concat());
}

#[tokio::test]
#[timeout(60000)]
async fn a_daemon_killed_while_it_starts_sessions_leaves_no_strays() {
    let mut daemon = TestDaemon::start().await;
    let old = daemon.shell(&["cat"]).await;
    for round in 0u64..12 {
        let connection = daemon.connect().await;
        let request = if round % 2 == 0 {
            Request::NewSession(Box::new(daemon.shell_request(&["cat"])))
        } else {
            let session = old.id.to_string();
            connection.request(Request::KillSession { session: session.clone() }).await.unwrap();
            Request::RestartSession { session, anew: false, base_env: None }
        };
        let asking = tokio::spawn(async move { connection.request(request).await });
        tokio::time::sleep(std::time::Duration::from_micros(round * 1500)).await;
        daemon.kill();
        let _ = asking.await;
        daemon.run().await;
    }
    // Whatever keeper there is belongs to a session that is known.
    let connection = daemon.connect().await;
    let known = Request::ListSessions { status: Vec::new(), all: true, after: None };
    let belfry_protocol::Reply::Sessions(sessions) = connection.request(known).await.unwrap() else {
        panic!("no list")
    };
    for file in std::fs::read_dir(daemon.home().keepers_dir()).unwrap().flatten() {
        let run = file.file_name().to_string_lossy().trim_end_matches(".sock").to_owned();
        let owner =
            sessions.iter().find(|session| session.runs.iter().any(|known| known.id.to_string() == run));
        assert!(owner.is_some(), "a keeper that nobody knows: {run}");
    }
    for session in sessions {
        let request = Request::RemoveSession { session: session.id.to_string(), now: true, kill: true };
        connection.request(request).await.unwrap();
    }
    eventually("all keepers are gone", || {
        std::fs::read_dir(daemon.home().keepers_dir()).unwrap().count() == 0
    })
    .await;
}

#[tokio::test]
#[timeout(60000)]
async fn a_keeper_that_does_not_answer_is_waited_for() {
    let mut daemon = TestDaemon::start().await;
    let stopped = daemon.shell(&["sh", "-c", "echo stopped; exec cat"]).await;
    let nameless = daemon.shell(&["sh", "-c", "echo nameless; exec cat"]).await;
    for session in [&stopped, &nameless] {
        daemon.until(session.id, "idle", |session| session.status == Status::Idle).await;
    }
    let keeper = i32::try_from(stopped.runs[0].keeper_pid.unwrap()).unwrap();
    let keeper = rustix::process::Pid::from_raw(keeper).unwrap();
    daemon.kill();
    rustix::process::kill_process(keeper, rustix::process::Signal::STOP).unwrap();
    std::fs::remove_file(daemon.home().keeper_socket(nameless.runs[0].id)).unwrap();
    daemon.run().await;
    daemon.until_screen(nameless.id, "nameless").await;
    daemon.until(stopped.id, "unknown", |session| session.status == Status::Unknown).await;
    rustix::process::kill_process(keeper, rustix::process::Signal::CONT).unwrap();
    daemon.until_screen(stopped.id, "stopped").await;
    daemon.until(stopped.id, "known again", |session| session.status == Status::Idle).await;
    assert_eq!(daemon.show(stopped.id).await.pid, stopped.pid);
}

#[tokio::test]
#[timeout(60000)]
async fn a_lost_connection_is_no_lost_session() {
    let daemon = TestDaemon::start().await;
    let started = daemon.shell(&["sh", "-c", "echo here; exec cat"]).await;
    let mut view = TestView::open(&daemon, started.id).await;
    view.until("the screen", |view| view.text().contains("here")).await;
    for round in 0..3 {
        // Whoever says hello takes the keeper over from the daemon, and leaves it to itself.
        let mut other =
            belfry_platform::socket::connect(&daemon.home().keeper_socket(started.runs[0].id)).unwrap();
        other.write_all(&ToKeeper::Hello { version: VERSION }.to_bytes()).unwrap();
        assert!(other.read(&mut [0; 16]).unwrap() > 0, "its hello");
        drop(other);
        eventually("the daemon has seen it", || {
            let log = std::fs::read_to_string(daemon.home().log_file()).unwrap_or_default();
            log.matches("the keeper's connection was lost").count() == round + 1
        })
        .await;
        // Typed now, it waits for the connection.
        let word = format!("word-{round}");
        view.input(format!("{word}\r").as_bytes()).await;
        view.until("it goes on", |view| view.text().matches(&word).count() == 2).await;
    }
    let shown = daemon.until(started.id, "idle", |session| session.status == Status::Idle).await;
    assert_eq!((shown.pid, shown.exit), (started.pid, None));
}

#[tokio::test]
#[timeout(60000)]
async fn a_session_whose_keeper_is_not_reached_can_be_ended() {
    let mut daemon = TestDaemon::start().await;
    let started = daemon.shell(&["sh", "-c", "echo here; exec cat"]).await;
    daemon.until_screen(started.id, "here").await;
    let keeper = i32::try_from(started.runs[0].keeper_pid.unwrap()).unwrap();
    daemon.kill();
    rustix::process::kill_process(
        rustix::process::Pid::from_raw(keeper).unwrap(),
        rustix::process::Signal::STOP,
    )
    .unwrap();
    daemon.run().await;
    // Meanwhile its screen can be read as well.
    assert!(daemon.screen(started.id, false, 0).await.text.contains("here"));
    let connection = daemon.connect().await;
    let request = Request::KillSession { session: started.id.to_string() };
    let dead = session(connection.request(request).await.unwrap());
    assert_eq!((dead.id, dead.status), (started.id, Status::Dead));
    assert!(!lives(started.pid.unwrap()));
}

#[tokio::test]
#[timeout(60000)]
async fn a_keeper_that_was_taken_for_lost_and_lives_is_found_again() {
    let mut daemon = TestDaemon::start().await;
    let started = daemon.shell(&["sh", "-c", "echo here; exec cat"]).await;
    daemon.until_screen(started.id, "here").await;
    let meta = run_dir(&daemon, &started).join("meta.json");
    let good = std::fs::read(&meta).unwrap();
    daemon.kill();
    // Nothing says any more which process it is, nor is its socket there.
    std::fs::remove_file(&meta).unwrap();
    let socket = daemon.home().keeper_socket(started.runs[0].id);
    let aside = socket.with_extension("aside");
    std::fs::rename(&socket, &aside).unwrap();
    daemon.run().await;
    daemon.until(started.id, "dead", |session| session.exit == Some(Exit::KeeperLost)).await;
    daemon.stop().await;
    std::fs::write(&meta, good).unwrap();
    let _ = std::fs::rename(&aside, &socket);
    daemon.run().await;
    let found = daemon.until(started.id, "idle", |session| session.status == Status::Idle).await;
    assert_eq!((found.pid, found.exit, found.reason), (started.pid, None, None));
    assert!(found.runs[0].exit.is_none() && found.runs[0].ended_at.is_none());
}

#[tokio::test]
#[timeout(60000)]
async fn an_ordinary_restart_of_the_machine_is_told_as_such() {
    let mut daemon = TestDaemon::start().await;
    // The machine goes down: the first while the daemon sees it, the second after it.
    let seen = daemon.shell(&["sh", "-c", "echo up; exec cat"]).await;
    let unseen = daemon.shell(&["sh", "-c", "echo up; exec cat"]).await;
    for session in [&seen, &unseen] {
        daemon.until_screen(session.id, "up").await;
    }
    let terminate = |session: &Session| {
        let keeper = i32::try_from(session.runs[0].keeper_pid.unwrap()).unwrap();
        let keeper = rustix::process::Pid::from_raw(keeper).unwrap();
        rustix::process::kill_process(keeper, rustix::process::Signal::TERM).unwrap();
    };
    terminate(&seen);
    let dead = daemon.until(seen.id, "dead", |session| session.status == Status::Dead).await;
    assert!(matches!(dead.exit, Some(Exit::Signal { .. })), "the person may as well have logged out");
    daemon.stop().await;
    terminate(&unseen);
    for session in [&seen, &unseen] {
        let keeper = session.runs[0].keeper_pid.unwrap();
        eventually("the keeper is gone", || !lives(keeper)).await;
        let meta = run_dir(&daemon, session).join("meta.json");
        let mut value: Value = serde_json::from_slice(&std::fs::read(&meta).unwrap()).unwrap();
        value["boot_id"] = "another boot".into();
        std::fs::write(&meta, value.to_string()).unwrap();
    }
    daemon.run().await;
    for session in [&seen, &unseen] {
        let dead = daemon.until(session.id, "dead", |session| session.status == Status::Dead).await;
        assert_eq!(dead.exit, Some(Exit::MachineRestarted));
        assert_eq!(dead.reason.as_deref(), Some("machine restarted"));
    }
}

#[tokio::test]
#[timeout(120000)]
async fn what_was_removed_stays_removed() {
    let mut daemon = TestDaemon::start().await;
    let connection = daemon.connect().await;
    for round in 0..15 {
        let script =
            if round % 2 == 0 { "seq 1 20000; exec cat" } else { "trap '' HUP; while :; do seq 9; done" };
        let started = daemon.shell(&["sh", "-c", script]).await;
        let session = started.id.to_string();
        connection.request(Request::RemoveSession { session, now: true, kill: true }).await.unwrap();
    }
    // One whose removal the daemon did not live to finish.
    let half = daemon.shell(&["true"]).await;
    daemon.until(half.id, "dead", |session| session.status == Status::Dead).await;
    daemon.stop().await;
    let dir = daemon.home().session_dir(half.id);
    std::fs::rename(&dir, dir.with_file_name(format!(".removed-{}", half.id))).unwrap();
    daemon.run().await;
    let connection = daemon.connect().await;
    let all = Request::ListSessions { status: Vec::new(), all: true, after: None };
    let Reply::Sessions(sessions) = connection.request(all).await.unwrap() else { panic!("no list") };
    assert_eq!(sessions.iter().map(|session| session.id).collect::<Vec<_>>(), []);
    let left = std::fs::read_dir(daemon.home().sessions_dir()).unwrap().flatten();
    let left: Vec<PathBuf> = left.map(|dir| dir.path()).collect();
    assert!(left.is_empty(), "{left:?}");
}
