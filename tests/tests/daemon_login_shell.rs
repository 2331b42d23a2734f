//! A login shell that never answers: one start waits for it, all others do not, and the person is told.

use belfry_protocol::launch::NewSession;
use belfry_protocol::{Reply, Request, Session};
use belfry_tests::daemon::{TestDaemon, eventually};
use ntest::timeout;

async fn notices(daemon: &TestDaemon) -> Vec<String> {
    match daemon.connect().await.request(Request::DaemonStatus).await {
        Ok(Reply::Daemon(info)) => info.notices,
        other => panic!("no status: {other:?}"),
    }
}

/// As the window starts one: in the login shell's environment.
async fn start(daemon: &TestDaemon) -> Session {
    let request = NewSession { base_env: None, ..daemon.shell_request(&["cat"]) };
    daemon.new_session(request).await
}

#[tokio::test]
#[timeout(60000)]
async fn a_login_shell_that_hangs_is_waited_for_once() {
    let mut daemon = TestDaemon::stopped();
    let asked = daemon.person().join("asked");
    let script = format!(
        "#!/bin/sh\necho asked >>'{0}'\n[ -e '{0}.mended' ] && exec /bin/sh \"$@\"\nexec sleep 600\n",
        asked.display()
    );
    let shell = daemon.cli().script("slow", &script);
    daemon
        .run_with(|command| {
            command.env("SHELL", &shell);
        })
        .await;
    let first = start(&daemon).await;
    let second = start(&daemon).await;
    let third = start(&daemon).await;
    assert_eq!(std::fs::read_to_string(&asked).expect("it was asked").lines().count(), 1, "and once only");
    let told = first.notice.expect("the first is told");
    assert!(told.contains("did not answer within 5 seconds") && told.contains(&shell), "{told}");
    assert_eq!((second.notice, third.notice), (None, None));
    assert_eq!(notices(&daemon).await, std::slice::from_ref(&told));
    let doctor = daemon.cli().run(&["doctor"]).stdout;
    assert!(doctor.contains("did not answer within 5 seconds"), "{doctor}");

    // Whoever looks for agents again asks again.
    std::fs::write(daemon.person().join("asked.mended"), "").expect("a file");
    daemon.connect().await.request(Request::ListAgents { refresh: true }).await.expect("the agents");
    assert_eq!(notices(&daemon).await, Vec::<String>::new());
    eventually("it was asked again", || {
        std::fs::read_to_string(&asked).is_ok_and(|text| text.lines().count() >= 2)
    })
    .await;
    assert_eq!(start(&daemon).await.notice, None);
}
