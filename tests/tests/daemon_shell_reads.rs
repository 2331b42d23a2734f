//! What a shell reads itself, with `read` and `select`, is a question; its prompt is none.

#![expect(clippy::unwrap_used, reason = "a test's own functions fail the test")]

use belfry_protocol::ask::{Ask, AskKind};
use belfry_protocol::{Request, Session, Status};
use belfry_tests::daemon::{TestDaemon, TestView, eventually};
use ntest::timeout;

/// A real shell at its prompt, which looks like a question itself.
async fn bash(daemon: &TestDaemon) -> (Session, TestView) {
    daemon.cli().write("rc", "PS1='go on? '\n");
    let shell = daemon.shell(&["bash", "--noprofile", "--rcfile", "rc", "-i"]).await;
    daemon.until_screen(shell.id, "go on?").await;
    let idle = daemon.until(shell.id, "idle", |session| session.status == Status::Idle).await;
    assert_eq!(idle.ask, None, "a prompt asks nothing");
    (shell.clone(), TestView::open(daemon, shell.id).await)
}

async fn asked(daemon: &TestDaemon, of: &Session) -> Ask {
    let waits = |session: &Session| session.status == Status::Waiting && session.ask.is_some();
    *daemon.until(of.id, "it waits", waits).await.ask.unwrap()
}

async fn answer(daemon: &TestDaemon, to: &Session, choice: &str) {
    let (choice, text, fingerprint) = (Some(choice.to_owned()), None, None);
    let request = Request::AnswerAsk { session: to.id.to_string(), choice, text, fingerprint };
    daemon.connect().await.request(request).await.expect("it is answered");
}

async fn is_idle_again(daemon: &TestDaemon, shell: &Session) {
    daemon.until(shell.id, "idle", |session| session.status == Status::Idle && session.ask.is_none()).await;
}

#[tokio::test]
#[timeout(60000)]
async fn one_key_is_asked_for_and_typed_alone() {
    let daemon = TestDaemon::start().await;
    let (shell, view) = bash(&daemon).await;
    view.input(b"read -n1 -p 'Sure? [y/N] ' a; read -r b; echo \"$a,$b\" >>got\r").await;
    let ask = asked(&daemon, &shell).await;
    assert_eq!((ask.kind, ask.text.as_str()), (AskKind::Input, "Sure? [y/N]"));
    answer(&daemon, &shell, "y").await;
    // What follows the key would be the next one's.
    is_idle_again(&daemon, &shell).await;
    view.input(b"rest\r").await;
    eventually("it has read both", || daemon.lines_of("got") == ["y,rest"]).await;
}

#[tokio::test]
#[timeout(60000)]
async fn a_line_is_asked_for_by_a_function_and_by_a_script() {
    let daemon = TestDaemon::start().await;
    let (shell, view) = bash(&daemon).await;
    view.input(b"read -p 'Your name: ' a; echo \"$a\" >>got\r").await;
    assert_eq!(asked(&daemon, &shell).await.text, "Your name:");
    view.input(b"someone\r").await;
    eventually("it is read", || daemon.lines_of("got") == ["someone"]).await;
    is_idle_again(&daemon, &shell).await;
    daemon.cli().write("install.sh", "read -s -n1 -p 'Overwrite it? [y/n] ' a; echo \"$a\" >>got\n");
    view.input(b"bash install.sh\r").await;
    let ask = asked(&daemon, &shell).await;
    assert_eq!(ask.text, "Overwrite it? [y/n]");
    answer(&daemon, &shell, "n").await;
    eventually("it is read", || daemon.lines_of("got") == ["someone", "n"]).await;
    is_idle_again(&daemon, &shell).await;
}

#[tokio::test]
#[timeout(60000)]
async fn a_menu_is_asked_with_its_choices() {
    let daemon = TestDaemon::start().await;
    let (shell, view) = bash(&daemon).await;
    view.input(b"select a in red 'dark green' blue; do echo \"$a\" >>got; break; done\r").await;
    let ask = asked(&daemon, &shell).await;
    let choices: Vec<_> = ask.choices.iter().map(|one| (one.key.as_str(), one.label.as_str())).collect();
    assert_eq!(choices, [("1", "red"), ("2", "dark green"), ("3", "blue")]);
    answer(&daemon, &shell, "dark green").await;
    eventually("it is chosen", || daemon.lines_of("got") == ["dark green"]).await;
    is_idle_again(&daemon, &shell).await;
}
