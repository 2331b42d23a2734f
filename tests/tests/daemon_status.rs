//! Status: what any program does, why it is so, and what the rules of agents are made of.

#![expect(clippy::unwrap_used, reason = "a test's own functions fail the test")]

use belfry_protocol::ask::AskKind;
use belfry_protocol::explain::{Explanation, Weight};
use belfry_protocol::reply::{DaemonInfo, Delivery, QueuedMessage};
use belfry_protocol::signal::Source;
use belfry_protocol::{ErrorCode, Reply, Request, Session, Status};
use belfry_tests::cli::Belfry;
use belfry_tests::daemon::{TestDaemon, TestView, eventually, session};
use ntest::timeout;

async fn explain(daemon: &TestDaemon, session: &Session) -> Explanation {
    let request = Request::ExplainSession { session: session.id.to_string() };
    match daemon.connect().await.request(request).await.unwrap() {
        Reply::Explanation(explanation) => *explanation,
        other => panic!("no explanation: {other:?}"),
    }
}

async fn answer(daemon: &TestDaemon, of: &Session, choice: Option<&str>, text: Option<&str>) -> Session {
    let request = Request::AnswerAsk {
        session: of.id.to_string(),
        choice: choice.map(str::to_owned),
        text: text.map(str::to_owned),
        fingerprint: None,
    };
    session(daemon.connect().await.request(request).await.expect("it is answered"))
}

fn waits(session: &Session) -> bool {
    session.status == Status::Waiting && session.ask.is_some()
}

#[tokio::test]
#[timeout(60000)]
async fn a_program_that_asks_waits_and_is_answered() {
    let daemon = TestDaemon::start().await;
    let script = "printf 'Really go on? [y/N] '; read -r a; echo \"got $a\"; read -r b";
    let started = daemon.shell(&["sh", "-c", script]).await;
    let asking = daemon.until(started.id, "waiting", waits).await;
    let ask = asking.ask.unwrap();
    assert_eq!((ask.kind, ask.text.as_str()), (AskKind::Input, "Really go on? [y/N]"));
    let keys: Vec<_> = ask.choices.iter().map(|choice| choice.key.as_str()).collect();
    assert_eq!(keys, ["y", "n"]);
    assert_eq!(asking.source, "foreground");
    answer(&daemon, &started, Some("y"), None).await;
    daemon.until_screen(started.id, "got y").await;
    let idle = daemon.until(started.id, "idle", |session| session.status == Status::Idle).await;
    assert_eq!(idle.ask, None, "a read without a question asks nothing");
}

#[tokio::test]
#[timeout(60000)]
async fn a_password_is_asked_for_and_kept_nowhere() {
    let mut daemon = TestDaemon::start().await;
    let script = "#!/bin/sh\nstty -echo; printf 'Password for someone: '; read -r p; stty echo; echo; \
        [ \"$p\" = hunter-two ] && echo opened; read -r b\n";
    let login = daemon.cli().script("login", script);
    let started = daemon.shell(&[&login]).await;
    let asking = daemon.until(started.id, "waiting", waits).await;
    let ask = asking.ask.unwrap();
    assert!(ask.takes_text && ask.choices.is_empty(), "{ask:?}");
    answer(&daemon, &started, None, Some("hunter-two")).await;
    daemon.until_screen(started.id, "opened").await;
    daemon.stop().await;
    for file in std::fs::read_dir(daemon.home().state_dir()).unwrap().flatten() {
        let bytes = std::fs::read(file.path()).unwrap_or_default();
        let found = bytes.windows(10).any(|window| window == b"hunter-two");
        assert!(!found, "it is in {:?}", file.path());
    }
}

#[tokio::test]
#[timeout(60000)]
async fn a_log_full_of_questions_asks_nothing() {
    let daemon = TestDaemon::start().await;
    daemon.cli().write("log", "Overwrite? [y/N]\nPassword:\nPress any key to continue\nAre you sure?");
    let started = daemon.shell(&["sh", "-c", "cat log; read -r go <wait; cat"]).await;
    daemon.until_screen(started.id, "Are you sure?").await;
    let idle = daemon.until(started.id, "idle", |session| session.status == Status::Idle).await;
    assert_eq!(idle.ask, None);
}

#[tokio::test]
#[timeout(60000)]
async fn a_shell_runs_while_its_command_does_and_says_which() {
    let daemon = TestDaemon::start().await;
    let started = daemon.shell(&["sh", "-i"]).await;
    daemon.until(started.id, "idle", |session| session.status == Status::Idle).await;
    let view = TestView::open(&daemon, started.id).await;
    view.input(b"sleep 1000\r").await;
    let running = daemon
        .until(started.id, "running", |session| {
            session.status == Status::Running && session.activity.is_some()
        })
        .await;
    assert_eq!(running.activity.as_deref(), Some("Running sleep 1000"));
    let why = explain(&daemon, &started).await;
    assert_eq!(why.status, Status::Running);
    let decided: Vec<_> = why.evidence.iter().filter(|evidence| evidence.weight == Weight::Decided).collect();
    assert_eq!(decided[0].source, Source::Foreground, "{:?}", why.evidence);
    view.input(b"\x03").await;
    let idle = daemon.until(started.id, "idle", |session| session.status == Status::Idle).await;
    assert_eq!(idle.activity, None);
    let history = explain(&daemon, &started).await.history;
    let changes: Vec<_> = history.iter().rev().map(|change| change.to).collect();
    assert!(changes.ends_with(&[Status::Running, Status::Idle]), "{changes:?}");
    assert!(!explain(&daemon, &started).await.rule.is_empty());
}

#[tokio::test]
#[timeout(60000)]
async fn shell_integration_is_believed_until_the_foreground_says_otherwise() {
    let daemon = TestDaemon::start().await;
    // A file that claims a command which runs for ever.
    let script = "printf '\\033]133;A\\007$ \\033]133;B\\007\\033]133;C\\007'; read -r a; printf '\\033]133;D;3\\007'; read -r b";
    let started = daemon.shell(&["sh", "-c", script]).await;
    daemon.until_screen(started.id, "$").await;
    daemon.until(started.id, "idle", |session| session.status == Status::Idle).await;
}

#[tokio::test]
#[timeout(60000)]
async fn a_forged_report_neither_asks_in_a_shell_nor_ends_a_dialog() {
    let mut daemon = TestDaemon::stopped();
    daemon.add_asker("key");
    daemon.run().await;
    daemon.cli().write("forged", "\u{1b}]7501;state=blocked:app=asker:msg=eA==\u{1b}\\Allow it?\n");
    let shell = daemon.shell(&["sh", "-c", "cat forged; cat"]).await;
    daemon.until_screen(shell.id, "Allow it?").await;
    let idle = daemon.until(shell.id, "idle", |session| session.status == Status::Idle).await;
    assert_eq!(idle.ask, None);
    // A dialog that is on the screen stands, whatever is reported.
    let asker = daemon.asker("forges").await;
    daemon.until(asker.id, "waiting", |session| session.ask.as_ref().is_some_and(|ask| ask.answerable)).await;
    daemon.let_go();
    eventually("it has reported to be idle", || daemon.person().join("forged_now").exists()).await;
    daemon.until_screen(asker.id, "Do you want to proceed?").await;
    let still = daemon.show(asker.id).await;
    let why = explain(&daemon, &asker).await;
    assert_eq!((still.status, still.ask.is_some()), (Status::Waiting, true), "{why:?}");
}

#[tokio::test]
#[timeout(60000)]
async fn an_agent_cannot_answer_its_own_question() {
    let daemon = TestDaemon::start().await;
    let belfry = Belfry::program("belfry");
    let belfry = belfry.display();
    // What an agent's shell tool would try.
    let agent = format!(
        "#!/bin/sh\nfor command in 'answer '$BELFRY_SESSION' y' 'keys '$BELFRY_SESSION' y' 'send '$BELFRY_SESSION' y'; do\n\
         '{belfry}' $command >>said 2>&1; echo $? >>codes; done\nprintf 'Allow it? [y/N] '; read -r a; echo \"got $a\"; cat\n"
    );
    let agent = daemon.cli().script("claude", &agent);
    let started = daemon.shell(&[&agent]).await;
    daemon.until(started.id, "waiting", waits).await;
    assert_eq!(daemon.lines_of("codes"), ["4", "4", "4"], "{:?}", daemon.lines_of("said"));
    assert!(daemon.lines_of("said").iter().any(|line| line.contains("authority")));
    assert!(waits(&daemon.show(started.id).await), "the person is still asked");
}

#[tokio::test]
#[timeout(60000)]
async fn rules_are_read_again_when_their_files_change_and_a_bad_one_is_told_of() {
    let mut daemon = TestDaemon::stopped();
    daemon.add_asker("key");
    daemon.run().await;
    let file = daemon.home().config_dir().join("agents/asker.toml");
    let good = std::fs::read_to_string(&file).unwrap();
    let started = daemon.asker("key").await;
    daemon.until(started.id, "waiting", waits).await;
    let notices = async || match daemon.connect().await.request(Request::DaemonStatus).await.unwrap() {
        Reply::Daemon(info) => {
            let DaemonInfo { notices, .. } = *info;
            notices
        }
        other => panic!("no status: {other:?}"),
    };
    assert!(notices().await.is_empty());
    std::fs::write(&file, format!("{good}\n[[screen.dialog]]\nname = 7\n")).unwrap();
    let mut told = notices().await;
    while told.is_empty() {
        tokio::task::yield_now().await;
        told = notices().await;
    }
    assert!(told[0].contains("asker.toml") && told[0].contains("line "), "{told:?}");
    assert!(told[0].contains("column "), "{told:?}");
    std::fs::write(&file, good).unwrap();
    while !notices().await.is_empty() {
        tokio::task::yield_now().await;
    }
    let again = daemon.asker("key").await;
    daemon.until(again.id, "waiting", waits).await;
}

async fn messages(daemon: &TestDaemon, session: &Session) -> Vec<QueuedMessage> {
    let request = Request::ListMessages { session: session.id.to_string() };
    match daemon.connect().await.request(request).await.unwrap() {
        Reply::Messages(messages) => messages,
        other => panic!("no messages: {other:?}"),
    }
}

async fn send(daemon: &TestDaemon, session: &Session, text: &str) -> belfry_protocol::reply::Message {
    let request = Request::SendMessage { session: session.id.to_string(), text: text.to_owned(), now: false };
    match daemon.connect().await.request(request).await.unwrap() {
        Reply::Message(message) => message,
        other => panic!("no message: {other:?}"),
    }
}

#[tokio::test]
#[timeout(60000)]
async fn messages_say_what_they_wait_for_and_can_be_taken_back() {
    let mut daemon = TestDaemon::stopped();
    daemon.add_asker("key");
    daemon.run().await;
    let started = daemon.asker("key").await;
    daemon.until(started.id, "waiting", waits).await;
    let first = send(&daemon, &started, "the first").await;
    assert_eq!((first.delivery, first.why.as_deref()), (Delivery::Queued, Some("a question is open")));
    let second = send(&daemon, &started, "the second").await;
    let listed = messages(&daemon, &started).await;
    let texts: Vec<_> = listed.iter().map(|message| message.text.as_str()).collect();
    assert_eq!(texts, ["the first", "the second"]);
    assert!(listed.iter().all(|message| message.delivery == Delivery::Queued && message.why.is_some()));
    let cancel = |id| Request::CancelMessage { message: id };
    let connection = daemon.connect().await;
    assert!(matches!(connection.request(cancel(first.id)).await, Ok(Reply::Message(_))));
    let again = connection.request(cancel(first.id)).await.unwrap_err();
    assert_eq!(again.code(), Some(ErrorCode::Changed));
    let unknown = connection.request(cancel(belfry_protocol::MessageId::at(1))).await.unwrap_err();
    assert_eq!(unknown.code(), Some(ErrorCode::NotFound));
    answer(&daemon, &started, Some("1"), None).await;
    daemon.until(started.id, "none waits", |session| session.queued == 0).await;
    eventually("the second one arrives alone", || daemon.lines_of("typed") == ["the second"]).await;
    let ended = messages(&daemon, &started).await;
    let deliveries: Vec<_> = ended.iter().map(|message| (message.id, message.delivery)).collect();
    assert_eq!(deliveries, [(first.id, Delivery::Failed), (second.id, Delivery::Delivered)]);
}

#[tokio::test]
#[timeout(60000)]
async fn a_key_that_lands_in_the_input_box_holds_a_message_back() {
    let mut daemon = TestDaemon::stopped();
    daemon.add_asker("key");
    daemon.run().await;
    let started = daemon.asker("draft").await;
    daemon.until(started.id, "idle", |session| session.status == Status::Idle).await;
    let sent = send(&daemon, &started, "later").await;
    let why = Some("a draft lies in the input box");
    assert_eq!((sent.delivery, sent.why.as_deref()), (Delivery::Queued, why));
    assert_eq!(messages(&daemon, &started).await[0].why.as_deref(), why);
    daemon.let_go();
    daemon.until(started.id, "it goes out", |session| session.queued == 0).await;
}
