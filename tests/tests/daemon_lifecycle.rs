//! Sessions from start to end, and what clients see of them.

use belfry_protocol::launch::Size;
use belfry_protocol::session::Exit;
use belfry_protocol::{ErrorCode, Reply, Request, Status};
use belfry_tests::daemon::{TestDaemon, TestView, lives, session};
use ntest::timeout;

#[tokio::test]
#[timeout(60000)]
async fn a_session_starts_is_typed_in_and_ends() {
    let daemon = TestDaemon::start().await;
    let started = daemon.shell(&["sh", "-c", "echo ready; read -r line; echo got:$line; exit 7"]).await;
    assert!(started.pid.is_some_and(lives));
    let mut view = TestView::open(&daemon, started.id).await;
    view.until("ready", |view| view.text().contains("ready")).await;
    view.input(b"hello\r").await;
    view.until("the echo and the answer", |view| view.text().contains("got:hello")).await;
    let dead = daemon.until(started.id, "dead", |session| session.status == Status::Dead).await;
    assert_eq!(dead.exit, Some(Exit::Code { code: 7 }));
    assert_eq!(dead.reason.as_deref(), Some("exit 7"));
    assert_eq!((dead.pid, dead.runs.len()), (None, 1));
    assert!(dead.runs[0].ended_at.is_some());
    // Its screen stays readable.
    assert!(daemon.screen(started.id, false, 0).await.text.contains("got:hello"));
}

#[tokio::test]
#[timeout(60000)]
async fn a_kill_is_answered_when_it_is_dead() {
    let daemon = TestDaemon::start().await;
    let started = daemon.shell(&["sleep", "1000"]).await;
    let connection = daemon.connect().await;
    let request = Request::KillSession { session: started.id.to_string() };
    let dead = session(connection.request(request).await.unwrap());
    assert_eq!(dead.status, Status::Dead);
    assert!(matches!(dead.exit, Some(Exit::Signal { .. })), "{:?}", dead.exit);
    assert!(!lives(started.pid.unwrap()));
}

#[tokio::test]
#[timeout(60000)]
async fn a_restart_is_a_new_run_of_the_same_session() {
    let daemon = TestDaemon::start().await;
    let started = daemon.shell(&["sh", "-c", "echo run:$$; read -r x"]).await;
    let mut view = TestView::open(&daemon, started.id).await;
    view.until("the first run", |view| view.text().contains("run:")).await;
    let first = view.text();
    let connection = daemon.connect().await;
    let name = started.id.to_string();
    let refused = connection
        .request(Request::RestartSession { session: name.clone(), anew: false, base_env: None })
        .await
        .unwrap_err();
    assert_eq!(refused.code(), Some(ErrorCode::StillAlive));
    connection.request(Request::KillSession { session: name.clone() }).await.unwrap();
    let again = session(
        connection
            .request(Request::RestartSession { session: name, anew: false, base_env: None })
            .await
            .unwrap(),
    );
    assert_eq!((again.id, again.runs.len()), (started.id, 2));
    assert!(again.alive() && again.exit.is_none());
    // The view that was open shows the new run.
    view.until("the second run", |view| view.text().contains("run:") && view.text() != first).await;
}

#[tokio::test]
#[timeout(60000)]
async fn a_program_that_ends_at_once_is_still_a_session() {
    let daemon = TestDaemon::start().await;
    for _ in 0..10 {
        let started = daemon.shell(&["sh", "-c", "echo gone; exit 3"]).await;
        let dead = daemon.until(started.id, "dead", |session| session.status == Status::Dead).await;
        assert_eq!(dead.exit, Some(Exit::Code { code: 3 }));
        assert!(daemon.screen(started.id, false, 0).await.text.contains("gone"));
    }
}

#[tokio::test]
#[timeout(60000)]
async fn what_cannot_start_leaves_nothing() {
    let daemon = TestDaemon::start().await;
    let connection = daemon.connect().await;
    for (new, code) in [
        (daemon.shell_request(&["/no/such/program"]), ErrorCode::MissingProgram),
        (
            belfry_protocol::launch::NewSession {
                cwd: Some("/no/such/directory".into()),
                ..daemon.shell_request(&["true"])
            },
            ErrorCode::BadDirectory,
        ),
        (
            belfry_protocol::launch::NewSession { agent: "nobody".into(), ..Default::default() },
            ErrorCode::BadRequest,
        ),
    ] {
        let refused = connection.request(Request::NewSession(Box::new(new))).await.unwrap_err();
        assert_eq!(refused.code(), Some(code), "{refused}");
    }
    let Reply::Sessions(sessions) = connection
        .request(Request::ListSessions { status: Vec::new(), all: true, after: None })
        .await
        .unwrap()
    else {
        panic!("no list")
    };
    assert!(sessions.is_empty());
    assert_eq!(std::fs::read_dir(daemon.home().sessions_dir()).unwrap().count(), 0);
}

#[tokio::test]
#[timeout(60000)]
async fn the_trash_keeps_and_gives_back() {
    let daemon = TestDaemon::start().await;
    let started = daemon.shell(&["cat"]).await;
    let connection = daemon.connect().await;
    let name = started.id.to_string();
    let remove = |now, kill| Request::RemoveSession { session: name.clone(), now, kill };
    let refused = connection.request(remove(false, false)).await.unwrap_err();
    assert_eq!(refused.code(), Some(ErrorCode::StillAlive));
    connection.request(remove(false, true)).await.unwrap();
    assert!(daemon.show(started.id).await.trashed_at.is_some());
    let restored =
        session(connection.request(Request::RestoreSession { session: started.id }).await.unwrap());
    assert!(restored.trashed_at.is_none());
    connection.request(remove(true, false)).await.unwrap();
    let gone = connection.request(Request::ShowSession { session: name.clone() }).await.unwrap_err();
    assert_eq!(gone.code(), Some(ErrorCode::NoSuchSession));
    assert!(!daemon.home().session_dir(started.id).exists());
}

#[tokio::test]
#[timeout(60000)]
async fn the_focused_view_has_the_size() {
    let daemon = TestDaemon::start().await;
    let script = "while :; do stty size; sleep 0.05; done";
    let started = daemon.shell(&["sh", "-c", script]).await;
    let size = |cols, rows| Size { cols, rows };
    let mut first = TestView::open_with(&daemon, started.id, size(100, 30), true, 1 << 20).await;
    first.until("its size", |view| view.text().contains("30 100")).await;
    let mut second = TestView::open_with(&daemon, started.id, size(60, 20), false, 1 << 20).await;
    second.until("the other's size", |view| view.text().contains("30 100")).await;
    assert_eq!(second.terminal().size(), belfry_terminal::Size::new(100, 30));
    second.input(b"x").await;
    second.until("typing takes the size over", |view| view.text().contains("20 60")).await;
    first.until("and everybody is told", |view| view.terminal().size().cols == 60).await;
    let shown = daemon.show(started.id).await;
    assert_eq!((shown.cols, shown.rows, shown.views), (60, 20, 2));
}

#[tokio::test]
#[timeout(60000)]
async fn a_view_that_brings_its_size_is_drawn_once() {
    let daemon = TestDaemon::start().await;
    let started = daemon.shell(&["sh", "-c", "echo quiet; exec cat"]).await;
    daemon.until_screen(started.id, "quiet").await;
    let size = Size { cols: 132, rows: 43 };
    let mut view = TestView::open_with(&daemon, started.id, size, true, 1 << 20).await;
    view.until("the screen", |view| view.text().contains("quiet")).await;
    assert_eq!((view.snapshots, view.terminal().size().cols), (1, 132));
    assert_eq!(daemon.show(started.id).await.cols, 132);
}

#[tokio::test]
#[timeout(60000)]
async fn keys_have_names_and_honour_the_modes() {
    let daemon = TestDaemon::start().await;
    let started = daemon
        .shell(&["sh", "-c", "stty raw -echo; printf '\\033[?1hgo\\r\\n'; exec od -An -tx1 -v -w1"])
        .await;
    daemon.until_screen(started.id, "go").await;
    let connection = daemon.connect().await;
    let keys = ["Up", "C-a", "Enter", "x"].map(str::to_owned).to_vec();
    connection.request(Request::SendKeys { session: started.id.to_string(), keys }).await.unwrap();
    let mut view = TestView::open(&daemon, started.id).await;
    view.until("application cursor keys", |view| {
        let words: Vec<_> = view.text().split_whitespace().map(str::to_owned).collect();
        words.ends_with(&["1b", "4f", "41", "01", "0d", "78"].map(str::to_owned))
    })
    .await;
}

#[tokio::test]
#[timeout(60000)]
async fn the_environment_is_the_sessions_own() {
    let daemon = TestDaemon::start().await;
    let pair =
        |name: &str, value: &str| belfry_protocol::launch::EnvVar { name: name.into(), value: value.into() };
    let mut new = daemon.shell_request(&["sh", "-c", "env | sort > env.txt; echo done; cat"]);
    new.base_env = Some(vec![
        pair("PATH", "/usr/bin:/bin"),
        pair("HOME", "/h"),
        pair("TMUX", "x"),
        pair("CLAUDECODE", "1"),
        pair("ANTHROPIC_API_KEY", "k"),
    ]);
    new.env = vec![pair("OWN", "value")];
    let started = daemon.new_session(new).await;
    daemon.until_screen(started.id, "done").await;
    let env = std::fs::read_to_string(daemon.person().join("env.txt")).unwrap();
    let has = |line: &str| env.lines().any(|known| known == line);
    for line in ["OWN=value", "ANTHROPIC_API_KEY=k", "TERM=xterm-256color", "COLORTERM=truecolor", "HOME=/h"]
    {
        assert!(has(line), "{line} in\n{env}");
    }
    assert!(has(&format!("BELFRY_SESSION={}", started.id)));
    assert!(has(&format!("PWD={}", daemon.person().display())));
    assert!(!env.contains("TMUX") && !env.contains("CLAUDECODE"), "{env}");
    assert_eq!(started.env_names, ["OWN"]);
}

#[tokio::test]
#[timeout(60000)]
async fn status_follows_what_is_seen() {
    let daemon = TestDaemon::start().await;
    let script =
        "read -r x; i=0; while [ $i -lt 30 ]; do echo work $i; i=$((i+1)); sleep 0.1; done; read -r x";
    let started = daemon.shell(&["sh", "-c", script]).await;
    daemon.until(started.id, "idle after its start", |session| session.status == Status::Idle).await;
    let connection = daemon.connect().await;
    let keys = vec!["Enter".to_owned()];
    connection.request(Request::SendKeys { session: started.id.to_string(), keys }).await.unwrap();
    daemon.until(started.id, "running", |session| session.status == Status::Running).await;
    let done = daemon.until(started.id, "idle again", |session| session.status == Status::Idle).await;
    assert!(done.unseen, "nobody looked");
    connection.request(Request::MarkSeen { session: started.id }).await.unwrap();
    assert!(!daemon.show(started.id).await.unseen);
}
