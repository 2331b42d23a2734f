//! Any program that has no rules of its own: whether it asks, stands at a prompt or runs, with the programs that people run.

#![cfg(target_os = "linux")]
#![expect(clippy::unwrap_used, reason = "a test's own functions fail the test")]

use belfry_protocol::ask::{Ask, AskKind, Risk};
use belfry_protocol::explain::{Explanation, Weight};
use belfry_protocol::reply::{Delivery, Message};
use belfry_protocol::signal::{Says, Source};
use belfry_protocol::{Reply, Request, Session, Status};
use belfry_tests::daemon::{TestDaemon, TestView};
use ntest::timeout;

async fn explain(daemon: &TestDaemon, of: &Session) -> Explanation {
    let request = Request::ExplainSession { session: of.id.to_string() };
    match daemon.connect().await.request(request).await.unwrap() {
        Reply::Explanation(explanation) => *explanation,
        other => panic!("no explanation: {other:?}"),
    }
}

/// What decided says what is shown, and whatever says something else was overruled.
async fn explains_itself(daemon: &TestDaemon, of: &Session) -> Explanation {
    let why = explain(daemon, of).await;
    for one in &why.evidence {
        let fits = match (one.says, why.status) {
            (None, _) => continue,
            (Some(Says::Working), status) => status == Status::Running,
            (Some(Says::Asking), status) => status == Status::Waiting,
            (Some(_), status) => status == Status::Idle,
        };
        let counts = matches!(one.weight, Weight::Decided | Weight::Agrees);
        assert_eq!(fits, counts, "{one:?} of {why:#?}");
    }
    assert!(why.evidence.iter().any(|one| one.weight == Weight::Decided), "{why:#?}");
    assert_eq!(why.status, daemon.show(of.id).await.status);
    why
}

async fn send(daemon: &TestDaemon, to: &Session, text: &str, now: bool) -> Message {
    let request = Request::SendMessage { session: to.id.to_string(), text: text.to_owned(), now };
    match daemon.connect().await.request(request).await.unwrap() {
        Reply::Message(message) => message,
        other => panic!("no message: {other:?}"),
    }
}

/// Presses keys without looking, as somebody does who is elsewhere.
async fn keys(daemon: &TestDaemon, to: &Session, keys: &[&str]) {
    let keys = keys.iter().map(|key| (*key).to_owned()).collect();
    daemon.connect().await.request(Request::SendKeys { session: to.id.to_string(), keys }).await.unwrap();
}

async fn answer(daemon: &TestDaemon, to: &Session, choice: &str) {
    let (choice, text, fingerprint) = (Some(choice.to_owned()), None, None);
    let request = Request::AnswerAsk { session: to.id.to_string(), choice, text, fingerprint };
    daemon.connect().await.request(request).await.expect("it is answered");
}

async fn bash(daemon: &TestDaemon) -> Session {
    let started = daemon.shell(&["bash", "--norc", "--noprofile", "-i"]).await;
    until_idle(daemon, &started).await
}

async fn until_idle(daemon: &TestDaemon, of: &Session) -> Session {
    daemon.until(of.id, "idle", |session| session.status == Status::Idle).await
}

async fn until_runs(daemon: &TestDaemon, of: &Session, activity: &str) -> Session {
    let runs = |session: &Session| {
        session.status == Status::Running && session.activity.as_deref() == Some(activity)
    };
    daemon.until(of.id, activity, runs).await
}

async fn until_asks(daemon: &TestDaemon, of: &Session) -> Ask {
    let asks = |session: &Session| session.status == Status::Waiting && session.ask.is_some();
    *daemon.until(of.id, "it asks", asks).await.ask.unwrap()
}

/// All that a session was, oldest first.
async fn was(daemon: &TestDaemon, of: &Session) -> Vec<Status> {
    explain(daemon, of).await.history.iter().rev().map(|change| change.to).collect()
}

#[tokio::test]
#[timeout(60000)]
async fn a_program_with_the_whole_screen_is_open_and_its_end_is_nobodys_work() {
    let daemon = TestDaemon::start().await;
    daemon.cli().write("text", &"a line of a long text\n".repeat(100));
    let shell = bash(&daemon).await;
    let leaves: [(&str, &str, &str, &[&str]); 4] = [
        ("top", "top is open", "Esc", &["q"]),
        ("htop", "htop is open", "Down", &["q"]),
        ("less text", "less text is open", "Down", &["q"]),
        ("vi text", "vi text is open", "Esc", &[":q", "Enter"]),
    ];
    for (command, activity, key, leave) in leaves {
        keys(&daemon, &shell, &[command, "Enter"]).await;
        until_runs(&daemon, &shell, activity).await;
        let why = explains_itself(&daemon, &shell).await;
        assert_eq!(why.evidence[0].source, Source::Foreground, "{why:#?}");
        // Keys in it are none of anybody's business.
        keys(&daemon, &shell, &[key]).await;
        let held = send(&daemon, &shell, "echo hello", false).await;
        assert_eq!(held.delivery, Delivery::Queued);
        assert!(held.why.as_deref().is_some_and(|why| why.contains("is open")), "{held:?}");
        daemon.connect().await.request(Request::CancelMessage { message: held.id }).await.unwrap();
        until_runs(&daemon, &shell, activity).await;
        keys(&daemon, &shell, leave).await;
        let left = until_idle(&daemon, &shell).await;
        assert!(!left.unseen, "{command} was left, and has done nothing");
        explains_itself(&daemon, &shell).await;
        // The key that it was left by is no draft at the shell's prompt.
        let sent = send(&daemon, &shell, "true", false).await;
        assert_eq!(sent.delivery, Delivery::Delivered, "{command}: {sent:?}");
        until_idle(&daemon, &shell).await;
    }
    let was = was(&daemon, &shell).await;
    assert!(!was.contains(&Status::Waiting) && !was.contains(&Status::Unknown), "{was:?}");
}

#[tokio::test]
#[timeout(60000)]
async fn one_that_is_the_sessions_own_is_open_from_its_start() {
    let daemon = TestDaemon::start().await;
    for program in ["top", "htop"] {
        let started = daemon.shell(&[program]).await;
        until_runs(&daemon, &started, &format!("{program} is open")).await;
        for at_once in [false, true] {
            let held = send(&daemon, &started, "q", at_once).await;
            assert!(held.why.as_deref().is_some_and(|why| why.contains("is open")), "{held:?}");
        }
        keys(&daemon, &started, &["Esc"]).await;
        until_runs(&daemon, &started, &format!("{program} is open")).await;
        explains_itself(&daemon, &started).await;
        assert_eq!(was(&daemon, &started).await, [Status::Running]);
    }
}

#[tokio::test]
#[timeout(60000)]
async fn a_program_that_reads_nothing_runs_and_takes_no_message() {
    let daemon = TestDaemon::start().await;
    let server = "import http.server as h; s = h.HTTPServer(('127.0.0.1', 0), h.SimpleHTTPRequestHandler); \
        print('Listening on:', s.server_port, end=' what now? ', flush=True); s.serve_forever()";
    daemon.cli().write("log", "Overwrite? [y/N] ");
    let programs: [&[&str]; 3] = [&["sleep", "1000"], &["tail", "-f", "log"], &["python3", "-c", server]];
    for program in programs {
        let started = daemon.shell(program).await;
        let runs = daemon.until(started.id, "it runs", |session| session.status == Status::Running).await;
        assert!(runs.activity.as_deref().is_some_and(|activity| activity.starts_with("Running")), "{runs:?}");
        let held = send(&daemon, &started, "hello", false).await;
        assert_eq!(held.delivery, Delivery::Queued);
        assert!(held.why.as_deref().is_some_and(|why| why.contains("no prompt")), "{held:?}");
        explains_itself(&daemon, &started).await;
        assert_eq!(was(&daemon, &started).await, [Status::Running]);
    }
}

#[tokio::test]
#[timeout(60000)]
async fn an_interpreter_stands_at_its_prompt_and_what_is_begun_there_asks_nothing() {
    let daemon = TestDaemon::start().await;
    let python = daemon.shell(&["python3", "-q"]).await;
    daemon.until_screen(python.id, ">>>").await;
    until_idle(&daemon, &python).await;
    explains_itself(&daemon, &python).await;
    assert_eq!(send(&daemon, &python, "print(6 * 7)", false).await.delivery, Delivery::Delivered);
    daemon.until_screen(python.id, "42").await;
    until_idle(&daemon, &python).await;
    let view = TestView::open(&daemon, python.id).await;
    view.input(b"for x in what:").await;
    daemon.until_screen(python.id, "for x in what:").await;
    let held = send(&daemon, &python, "1", false).await;
    assert_eq!(held.why.as_deref(), Some("a draft lies in the input box"));
    until_idle(&daemon, &python).await;
    view.input(b"\x15import time; time.sleep(1000)\r").await;
    let runs = format!("Running {}", python.command.join(" "));
    until_runs(&daemon, &python, &runs).await;
    let was = was(&daemon, &python).await;
    assert!(!was.contains(&Status::Waiting), "{was:?}");
}

#[tokio::test]
#[timeout(60000)]
async fn lines_that_are_begun_and_pages_ask_nothing() {
    let daemon = TestDaemon::start().await;
    daemon.cli().write("page", &"See it? [y/n]:\n".repeat(60));
    let cat = daemon.shell(&["cat"]).await;
    until_idle(&daemon, &cat).await;
    let view = TestView::open(&daemon, cat.id).await;
    view.input(b"are you there?").await;
    daemon.until_screen(cat.id, "are you there?").await;
    view.input(b" really:").await;
    daemon.until_screen(cat.id, "really:").await;
    let shell = bash(&daemon).await;
    keys(&daemon, &shell, &["LESS= less -X page", "Enter"]).await;
    daemon.until_screen(shell.id, "See it?").await;
    until_runs(&daemon, &shell, "less -X page is open").await;
    keys(&daemon, &shell, &["G"]).await;
    daemon.until_screen(shell.id, "(END)").await;
    explains_itself(&daemon, &shell).await;
    keys(&daemon, &shell, &["q"]).await;
    until_idle(&daemon, &shell).await;
    for session in [&cat, &shell] {
        let was = was(&daemon, session).await;
        assert!(!was.contains(&Status::Waiting), "{was:?}");
    }
}

#[tokio::test]
#[timeout(60000)]
async fn a_question_is_heard_wherever_it_is_asked() {
    let daemon = TestDaemon::start().await;
    let shell = bash(&daemon).await;
    daemon.cli().write("ask.sh", "printf 'Go on? [y/N] '; read -r a </dev/tty; echo \"got $a\"\n");
    let threaded = "import threading; t = threading.Thread(target=lambda: print('got', input('Enter a value: '))); \
        t.start(); t.join()";
    daemon.cli().write("threaded.py", threaded);
    let polled = "import select, sys; print('Proceed (yes/no)? ', end='', flush=True); \
        select.select([sys.stdin], [], []); print('got', sys.stdin.readline())";
    daemon.cli().write("polled.py", polled);
    let asking = [
        ("sh <ask.sh", "Go on? [y/N]"),
        // The part that asks is not the first one of its pipeline, which may be gone, or go on.
        ("cat ask.sh | sh", "Go on? [y/N]"),
        ("(cat ask.sh; sleep 1000) | sh", "Go on? [y/N]"),
        ("python3 threaded.py", "Enter a value:"),
        ("python3 polled.py", "Proceed (yes/no)?"),
    ];
    for (command, question) in asking {
        keys(&daemon, &shell, &[command, "Enter"]).await;
        let ask = until_asks(&daemon, &shell).await;
        assert_eq!((ask.kind, ask.text.as_str()), (AskKind::Input, question), "{command}");
        explains_itself(&daemon, &shell).await;
        keys(&daemon, &shell, &["C-c"]).await;
        until_idle(&daemon, &shell).await;
    }
}

#[tokio::test]
#[timeout(60000)]
async fn what_vim_asks_of_a_swap_file_is_answered_by_its_letters() {
    let daemon = TestDaemon::start().await;
    daemon.cli().write("notes", "some notes\n");
    // An editor with the whole screen, as Vim asks.
    let asks = "stty raw -echo; printf '\\033[?1049h\\033[2J\\033[HE325: ATTENTION\\r\\n\\r\\n\
        Swap file \".notes.swp\" already exists!\\r\\n\
        [O]pen Read-Only, (E)dit anyway, (R)ecover, (D)elete it, (Q)uit, (A)bort: '; \
        k=$(dd bs=1 count=1 2>/dev/null); printf '\\033[?1049l'; stty sane; echo \"got $k\"; read -r _";
    daemon.cli().write("editor.sh", asks);
    let started = daemon.shell(&["sh", "editor.sh"]).await;
    let ask = until_asks(&daemon, &started).await;
    assert_eq!((ask.kind, ask.text.as_str()), (AskKind::Choice, "Swap file \".notes.swp\" already exists!"));
    let choices: Vec<_> = ask.choices.iter().map(|one| (one.key.as_str(), one.label.as_str())).collect();
    assert_eq!(choices[..2], [("o", "Open Read-Only"), ("e", "Edit anyway")]);
    assert_eq!((ask.risk, ask.choices[1].risk), (Risk::Low, Risk::Medium));
    answer(&daemon, &started, "e").await;
    daemon.until_screen(started.id, "got e").await;
}

#[tokio::test]
#[timeout(60000)]
async fn a_half_typed_answer_leaves_the_question_open() {
    let daemon = TestDaemon::start().await;
    let shell = bash(&daemon).await;
    keys(&daemon, &shell, &["read -r -p 'Go on? [y/N] ' a; echo \"got $a\"", "Enter"]).await;
    let first = until_asks(&daemon, &shell).await;
    keys(&daemon, &shell, &["y", "e"]).await;
    daemon.until_screen(shell.id, "[y/N] ye").await;
    daemon
        .until(shell.id, "it cannot be answered from here", |session| {
            session.ask.as_ref().is_some_and(|ask| !ask.answerable && ask.id == first.id)
        })
        .await;
    explains_itself(&daemon, &shell).await;
    keys(&daemon, &shell, &["C-u"]).await;
    daemon
        .until(shell.id, "it can again", |session| {
            session.ask.as_ref().is_some_and(|ask| ask.answerable && ask.id == first.id)
        })
        .await;
    answer(&daemon, &shell, "y").await;
    daemon.until_screen(shell.id, "got y").await;
}

#[tokio::test]
#[timeout(60000)]
async fn the_risk_of_a_question_is_that_of_its_answer() {
    let daemon = TestDaemon::start().await;
    let script = "printf 'Do you want to continue? [Y/n] '; read -r a";
    let started = daemon.shell(&["sh", "-c", script]).await;
    let ask = until_asks(&daemon, &started).await;
    assert_eq!((ask.risk, ask.choices[0].risk, ask.choices[1].risk), (Risk::Medium, Risk::Medium, Risk::Low));
    assert!(ask.risk_reason.is_some());
}
