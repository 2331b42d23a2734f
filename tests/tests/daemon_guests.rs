//! An agent that is started by hand in a shell's session: watched as what it is while it has the terminal, and no longer.

#![cfg(target_os = "linux")]
#![expect(clippy::unwrap_used, reason = "a test's own functions fail the test")]

use belfry_protocol::reply::{Delivery, Message, QueuedMessage};
use belfry_protocol::signal::Source;
use belfry_protocol::{Reply, Request, Session, Status};
use belfry_tests::daemon::{TestDaemon, TestView, eventually, kill};
use ntest::timeout;

/// An agent with an input box of its own, which reports what it does. It notes its process, and the lines it is given.
/// `slow` lets it wait before it draws anything; the line `work` is worked on until it is let go, `poll` until a file is
/// there, `ask` asks, and `quit` ends it.
const GUEST: &str = r#"#!/bin/sh
echo $$ >pid
mkfifo go 2>/dev/null
[ "$1" = slow ] && read -r _ <go
before=$(stty -g)
stty raw -echo
trap 'stty raw -echo' CONT
line='────────────────────────────────────────' cr=$(printf '\r') text= busy=
report() { printf '\033]7501;state=%s:app=guest\033\\' "$1"; }
key() { dd bs=1 count=1 2>/dev/null; }
draw() {
  printf '\033[?2026h\033[2J\033[H%s\r\n> %s\r\n%s\r\n%s\033[2;%sH\033[?2026l' \
    "$line" "$text" "$line" "$busy" $((3 + ${#text}))
}
draw; report idle
while :; do
  k=$(key)
  if [ "$k" != "$cr" ]; then text=$text$k; draw; continue; fi
  [ "$text" = quit ] && break
  echo "$text" >>typed
  report working
  [ "$text" = work ] && { text= busy='esc to interrupt'; draw; read -r _ <go; busy=; }
  [ "$text" = poll ] && { text= busy='esc to interrupt'; draw; until [ -e done ]; do sleep 0.05; done; busy=; }
  if [ "$text" = ask ]; then
    printf '\033[?2026h\033[2J\033[H%s\r\n Do you want to proceed?\r\n ❯ 1. Yes\r\n   2. No\r\n\r\n Enter to confirm\033[?2026l' "$line"
    report blocked
    key >>chosen
    report working
  fi
  text=; draw; report idle
done
stty "$before"
printf '\033[2J\033[H\033]7501;state=clear:app=guest\033\\bye\r\n'
"#;

const RULES: &str = r#"
name = "Guest"
processes = ["guest"]
[screen]
dialog_top = '/^─{20,}/'
[screen.composer]
marker = ">"
above = '/^─{8,}/'
below = '/^─{8,}$/'
[[screen.busy]]
name = "hint"
where = "footer"
find = "esc to interrupt"
[[screen.dialog]]
name = "command"
kind = "approval"
all = ["Do you want to proceed?"]
question = "Do you want to proceed?"
answer = "key"
[[sign]]
name = "works"
source = "program"
app = "guest"
state = "working"
says = "working"
[[sign]]
name = "asks"
source = "program"
app = "guest"
state = "blocked"
says = "asking"
[[sign]]
name = "idle"
source = "program"
app = "guest"
state = "idle"
says = "idle"
[trust]
program = { rank = 1 }
screen = { rank = 2 }
output = { rank = 3 }
"#;

/// A daemon, a real shell in it, and a view of that.
async fn shell() -> (TestDaemon, Session, TestView) {
    let mut daemon = TestDaemon::stopped();
    let program = daemon.cli().script("guest", GUEST);
    let agents = daemon.home().config_dir().join("agents");
    std::fs::create_dir_all(&agents).unwrap();
    std::fs::write(agents.join("guest.toml"), format!("programs = [{program:?}]\n{RULES}")).unwrap();
    daemon.run().await;
    let started = daemon.shell(&["bash", "--norc", "--noprofile", "-i"]).await;
    daemon.until(started.id, "idle", |session| session.status == Status::Idle).await;
    let view = TestView::open(&daemon, started.id).await;
    (daemon, started, view)
}

/// Types the agent's name.
async fn start(daemon: &TestDaemon, view: &TestView, how: &str) {
    let program = daemon.person().join("guest");
    view.input(format!("{} {how}\r", program.display()).as_bytes()).await;
}

async fn at_its_prompt(daemon: &TestDaemon, of: &Session) -> Session {
    daemon
        .until(of.id, "the agent's prompt", |session| {
            (session.status, session.source.as_str()) == (Status::Idle, "program")
        })
        .await
}

fn pid(daemon: &TestDaemon) -> u32 {
    daemon.lines_of("pid")[0].parse().unwrap()
}

async fn send(daemon: &TestDaemon, to: &Session, text: &str) -> Message {
    let request = Request::SendMessage { session: to.id.to_string(), text: text.to_owned(), now: false };
    match daemon.connect().await.request(request).await.unwrap() {
        Reply::Message(message) => message,
        other => panic!("no message: {other:?}"),
    }
}

async fn listed(daemon: &TestDaemon, of: &Session) -> Vec<QueuedMessage> {
    match daemon.connect().await.request(Request::ListMessages { session: of.id.to_string() }).await.unwrap()
    {
        Reply::Messages(messages) => messages,
        other => panic!("no messages: {other:?}"),
    }
}

async fn until_ended(daemon: &TestDaemon, of: &Session, text: &str) -> (Delivery, String) {
    loop {
        let all = listed(daemon, of).await;
        let message = all.into_iter().find(|message| message.text == text).expect("it is known");
        if !matches!(message.delivery, Delivery::Queued | Delivery::Sending) {
            return (message.delivery, message.why.unwrap_or_default());
        }
        tokio::task::yield_now().await;
    }
}

#[tokio::test]
#[timeout(60000)]
async fn its_own_rules_apply_while_it_has_the_terminal() {
    let (daemon, shell, view) = shell().await;
    start(&daemon, &view, "").await;
    at_its_prompt(&daemon, &shell).await;
    let explain = Request::ExplainSession { session: shell.id.to_string() };
    let Reply::Explanation(why) = daemon.connect().await.request(explain.clone()).await.unwrap() else {
        panic!("no explanation")
    };
    assert!(
        why.evidence
            .iter()
            .any(|one| one.source == Source::Foreground && one.what.contains("Guest was started by hand")),
        "{:?}",
        why.evidence
    );
    assert_eq!(why.agent, "shell");
    assert_eq!(send(&daemon, &shell, "hello").await.delivery, Delivery::Delivered);
    assert_eq!(daemon.lines_of("typed"), ["hello"]);
    // It asks, and is answered.
    send(&daemon, &shell, "ask").await;
    let waits = |session: &Session| session.ask.as_ref().is_some_and(|ask| ask.answerable);
    let asking = daemon.until(shell.id, "it asks", waits).await;
    assert_eq!(asking.status, Status::Waiting);
    let (choice, text, fingerprint) = (Some("2".to_owned()), None, None);
    let answer = Request::AnswerAsk { session: shell.id.to_string(), choice, text, fingerprint };
    daemon.connect().await.request(answer).await.expect("it is answered");
    assert_eq!(daemon.lines_of("chosen"), ["2"]);
    at_its_prompt(&daemon, &shell).await;
    // What ends it was delivered, and the shell is the shell again.
    send(&daemon, &shell, "quit").await;
    let back = daemon.until(shell.id, "the shell", |session| session.source == "foreground").await;
    assert_eq!(back.ask, None);
    assert_eq!(until_ended(&daemon, &shell, "quit").await.0, Delivery::Delivered);
    daemon.until(shell.id, "idle", |session| session.status == Status::Idle).await;
    assert_eq!(send(&daemon, &shell, "touch by-shell").await.delivery, Delivery::Delivered);
    eventually("the shell has run it", || daemon.person().join("by-shell").exists()).await;
    let Reply::Explanation(why) = daemon.connect().await.request(explain).await.unwrap() else {
        panic!("no explanation")
    };
    assert!(why.evidence.iter().all(|one| !one.what.contains("started by hand")), "{:?}", why.evidence);
}

#[tokio::test]
#[timeout(60000)]
async fn what_was_meant_for_it_is_never_run_by_the_shell() {
    let (daemon, shell, view) = shell().await;
    start(&daemon, &view, "").await;
    at_its_prompt(&daemon, &shell).await;
    assert_eq!(send(&daemon, &shell, "work").await.delivery, Delivery::Delivered);
    daemon.until(shell.id, "it works", |session| session.status == Status::Running).await;
    let later = send(&daemon, &shell, "touch oops").await;
    assert_eq!((later.delivery, later.why.as_deref()), (Delivery::Queued, Some("the agent works")));
    kill(pid(&daemon));
    let (delivery, why) = until_ended(&daemon, &shell, "touch oops").await;
    assert_eq!(delivery, Delivery::Failed, "{why}");
    assert!(why.contains("has ended"), "{why}");
    daemon
        .until(shell.id, "the shell", |session| session.status == Status::Idle && session.queued == 0)
        .await;
    assert_eq!(send(&daemon, &shell, "touch by-shell").await.delivery, Delivery::Delivered);
    eventually("the shell has run it", || daemon.person().join("by-shell").exists()).await;
    assert!(!daemon.person().join("oops").exists());
}

#[tokio::test]
#[timeout(60000)]
async fn what_is_queued_while_it_starts_is_for_it() {
    let (daemon, shell, view) = shell().await;
    start(&daemon, &view, "slow").await;
    let early = send(&daemon, &shell, "touch oops").await;
    assert_eq!(early.delivery, Delivery::Queued);
    eventually("it starts", || daemon.person().join("go").exists()).await;
    daemon.let_go();
    assert_eq!(until_ended(&daemon, &shell, "touch oops").await.0, Delivery::Delivered);
    assert_eq!(daemon.lines_of("typed"), ["touch oops"]);
    // One that the shell was given while it ran something waits for the shell, whoever comes in front.
    view.input(b"quit\r").await;
    daemon.until(shell.id, "the shell", |session| session.source == "foreground").await;
    assert!(!daemon.person().join("oops").exists());
}

#[tokio::test]
#[timeout(60000)]
async fn it_outlives_the_daemon_and_so_does_whom_a_message_is_for() {
    let (mut daemon, shell, view) = shell().await;
    start(&daemon, &view, "").await;
    at_its_prompt(&daemon, &shell).await;
    send(&daemon, &shell, "work").await;
    daemon.until(shell.id, "it works", |session| session.status == Status::Running).await;
    assert_eq!(send(&daemon, &shell, "touch oops").await.delivery, Delivery::Queued);
    drop(view);
    daemon.kill();
    daemon.run().await;
    // It is still an agent at work, and what comes next still waits for it.
    let works = |session: &Session| (session.status, session.queued) == (Status::Running, 1);
    daemon.until(shell.id, "it works still", works).await;
    daemon.kill();
    kill(pid(&daemon));
    daemon.run().await;
    let (delivery, why) = until_ended(&daemon, &shell, "touch oops").await;
    assert_eq!(delivery, Delivery::Failed, "{why}");
    assert!(!daemon.person().join("oops").exists());
}

#[tokio::test]
#[timeout(60000)]
async fn what_is_for_an_agent_that_is_suspended_waits_and_keeps_nothing_waiting() {
    let (daemon, shell, view) = shell().await;
    start(&daemon, &view, "").await;
    at_its_prompt(&daemon, &shell).await;
    send(&daemon, &shell, "poll").await;
    daemon.until(shell.id, "it works", |session| session.status == Status::Running).await;
    assert_eq!(send(&daemon, &shell, "later").await.delivery, Delivery::Queued);
    let agent = rustix::process::Pid::from_raw(pid(&daemon).cast_signed()).unwrap();
    rustix::process::kill_process(agent, rustix::process::Signal::STOP).unwrap();
    daemon.until(shell.id, "the shell", |session| session.source == "foreground").await;
    daemon.until(shell.id, "idle", |session| session.status == Status::Idle).await;
    let waiting = listed(&daemon, &shell).await.into_iter().find(|message| message.text == "later").unwrap();
    let why = waiting.why.unwrap_or_default();
    assert_eq!(waiting.delivery, Delivery::Queued);
    assert!(why.contains("does not have the terminal"), "{why}");
    send(&daemon, &shell, "touch by-shell").await;
    assert_eq!(until_ended(&daemon, &shell, "touch by-shell").await.0, Delivery::Delivered);
    eventually("the shell has run it", || daemon.person().join("by-shell").exists()).await;
    view.input(b"fg\r").await;
    daemon.cli().write("done", "");
    assert_eq!(until_ended(&daemon, &shell, "later").await.0, Delivery::Delivered);
    assert_eq!(daemon.lines_of("typed"), ["poll", "later"]);
}
