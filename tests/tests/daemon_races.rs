//! Texts and answers that come at a moment when the program is not ready for them, though it looks so.

#![expect(clippy::unwrap_used, reason = "a test's own functions fail the test")]

use belfry_protocol::launch::NewSession;
use belfry_protocol::reply::{Delivery, Message};
use belfry_protocol::{ErrorCode, Reply, Request, Session, Status};
use belfry_tests::daemon::{TestDaemon, TestView, eventually};
use ntest::timeout;

async fn send(daemon: &TestDaemon, to: &Session, text: &str) -> Message {
    let request = Request::SendMessage { session: to.id.to_string(), text: text.to_owned(), now: false };
    match daemon.connect().await.request(request).await.unwrap() {
        Reply::Message(message) => message,
        other => panic!("no message: {other:?}"),
    }
}

async fn answer(daemon: &TestDaemon, to: &Session, choice: &str) -> Result<Reply, ErrorCode> {
    let (choice, text, fingerprint) = (Some(choice.to_owned()), None, None);
    let request = Request::AnswerAsk { session: to.id.to_string(), choice, text, fingerprint };
    let answered = daemon.connect().await.request(request).await;
    answered.map_err(|error| error.code().expect("the daemon's own error"))
}

/// An agent with an input box, which plays what its first argument says.
const PROGRAM: &str = r#"#!/bin/sh
stty raw -echo
line='────────────────────────────────────────' cr=$(printf '\r')
mkfifo go 2>/dev/null
report() { printf '\033]7501;state=%s:app=player\033\\' "$1"; }
key() { dd bs=1 count=1 2>/dev/null; }
box() { printf '\033[?2026h\033[2J\033[H%s\r\n> %s\r\n%s\033[2;%sH\033[?2026l' "$line" "$text" "$line" $((3 + ${#text})); }
dialog() {
  printf '\033[?2026h\033[2J\033[H%s\r\n %s\r\n ❯ 1. Yes\r\n   2. No\r\n\r\n Enter to confirm\033[?2026l' "$line" "$1"
}
prompt() {
  text=; box; report idle
  while :; do
    k=$(key)
    if [ "$k" = "$cr" ]; then echo "$text" >>typed; text=; report working; box; report idle
    else text=$text$k; box; fi
  done
}
case $1 in
  # It draws its input box before it asks whether to trust the folder, and loses what is typed in between.
  trusts)
    text=; box
    stty min 0 time 3; dd bs=1000 count=1 >lost 2>/dev/null; stty min 1 time 0
    dialog 'Do you trust this folder?'
    key >chosen
    box
    stty min 0 time 3; dd bs=1000 count=1 >>lost 2>/dev/null; stty min 1 time 0
    prompt ;;
  # It takes its time to close a dialog after Esc, and then reads what comes as text.
  escapes)
    report working; report blocked; dialog 'Do you want to proceed?'
    key >chosen; sleep 0.4
    prompt ;;
  # It works, and one of its tools prints a file that holds a report of idleness.
  forges)
    report working
    for n in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24; do
      printf '\033[?2026h\033[2J\033[H%s\r\n> \r\n%s\r\n%s esc to interrupt\033[2;3H\033[?2026l' "$line" "$line" $n
      [ $n = 8 ] && { report idle; touch forged; }
      sleep 0.1
    done
    report done
    prompt ;;
  # It reports its question before it draws it.
  reports)
    report working; report blocked
    read -r _ <go
    dialog 'Do you want to proceed?'
    key >chosen
    prompt ;;
esac
"#;

const RULES: &str = r#"
name = "Player"
takes = { prompt = true }
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
name = "trust"
kind = "trust"
all = ["Do you trust this folder?"]
question = "Do you trust this folder?"
answer = "key"
[[screen.dialog]]
name = "command"
kind = "approval"
all = ["Do you want to proceed?"]
question = "Do you want to proceed?"
answer = "key"
[[sign]]
name = "works"
source = "program"
app = "player"
state = "working"
says = "working"
[[sign]]
name = "asks"
source = "program"
app = "player"
state = "blocked"
says = "asking"
[[sign]]
name = "over"
source = "program"
app = "player"
state = "done"
says = "done"
[[sign]]
name = "idle"
source = "program"
app = "player"
state = "idle"
says = "idle"
[trust]
program = { rank = 1 }
screen = { rank = 2 }
output = { rank = 3 }
"#;

async fn player(how: &str, prompt: Option<&str>) -> (TestDaemon, Session) {
    let mut daemon = TestDaemon::stopped();
    let program = daemon.cli().script("player", PROGRAM);
    let agents = daemon.home().config_dir().join("agents");
    std::fs::create_dir_all(&agents).unwrap();
    std::fs::write(agents.join("player.toml"), format!("programs = [{program:?}]\n{RULES}")).unwrap();
    daemon.run().await;
    let prompt = prompt.map(str::to_owned);
    let new = NewSession { agent: "player".to_owned(), prompt, ..daemon.shell_request(&[how]) };
    let started = daemon.new_session(new).await;
    (daemon, started)
}

fn asks(session: &Session) -> bool {
    session.status == Status::Waiting && session.ask.as_ref().is_some_and(|ask| ask.answerable)
}

#[tokio::test]
#[timeout(60000)]
async fn a_text_sent_right_after_a_command_does_not_answer_its_question() {
    let daemon = TestDaemon::start().await;
    let asks = "#!/bin/sh\nprintf 'Remove everything? [y/N] '; read -r a; echo \"answer: $a\" >>got\n";
    daemon.cli().script("asks", asks);
    // A shell that takes its time to begin with a command, as one does on a busy machine, and does nothing that can be seen.
    daemon.cli().write("rc", "mkfifo slow; exec 9<>slow; trap 'read -t 0.15 -u 9' DEBUG\n");
    let shell = daemon.shell(&["bash", "--noprofile", "--rcfile", "rc", "-i"]).await;
    daemon.until(shell.id, "idle", |session| session.status == Status::Idle).await;
    let view = TestView::open(&daemon, shell.id).await;
    view.input(b"./asks\r").await;
    // The shell may not have begun with it yet: its status and its screen are what they were.
    send(&daemon, &shell, "echo later >>got").await;
    let asking = daemon.until(shell.id, "it asks", |session| session.ask.is_some()).await;
    assert_eq!(asking.queued, 1);
    assert!(daemon.lines_of("got").is_empty());
    view.input(b"n\r").await;
    daemon.until(shell.id, "it is out", |session| session.queued == 0).await;
    eventually("each where it belongs", || daemon.lines_of("got") == ["answer: n", "later"]).await;
}

#[tokio::test]
#[timeout(60000)]
async fn a_first_prompt_is_not_lost_in_a_start_that_is_not_over() {
    let (daemon, started) = player("trusts", Some("the first prompt")).await;
    daemon.until(started.id, "it asks", asks).await;
    assert!(daemon.lines_of("lost").is_empty(), "{:?}", daemon.lines_of("lost"));
    answer(&daemon, &started, "1").await.expect("it is answered");
    eventually("it arrives", || daemon.lines_of("typed") == ["the first prompt"]).await;
    assert_eq!(daemon.lines_of("chosen"), ["1"]);
    assert!(daemon.lines_of("lost").is_empty(), "{:?}", daemon.lines_of("lost"));
}

#[tokio::test]
#[timeout(60000)]
async fn an_answer_right_after_an_escape_is_not_typed() {
    let (daemon, started) = player("escapes", None).await;
    daemon.until(started.id, "it asks", asks).await;
    let view = TestView::open(&daemon, started.id).await;
    view.input(b"\x1b").await;
    // The dialog is still on the screen.
    let refused = answer(&daemon, &started, "1").await;
    assert_eq!(refused.expect_err("it is refused"), ErrorCode::Changed);
    daemon.until(started.id, "idle", |session| session.status == Status::Idle && session.ask.is_none()).await;
    assert_eq!(send(&daemon, &started, "text").await.delivery, Delivery::Delivered);
    assert_eq!(daemon.lines_of("typed"), ["text"], "nothing lay in the input box");
}

#[tokio::test]
#[timeout(60000)]
async fn an_answer_waits_for_its_dialog() {
    let (daemon, started) = player("reports", None).await;
    let told = daemon.until(started.id, "it says so", |session| session.ask.is_some()).await;
    assert!(!told.ask.unwrap().answerable, "nothing is drawn yet");
    let (answered, ()) = tokio::join!(answer(&daemon, &started, "1"), async {
        // The daemon has the answer before there is a dialog: requests of one client are taken in order.
        daemon.show(started.id).await;
        daemon.let_go();
    });
    answered.expect("it is answered");
    assert_eq!(daemon.lines_of("chosen"), ["1"]);
    // One that never comes is not answered.
    let (daemon, started) = player("reports", None).await;
    daemon.until(started.id, "it says so", |session| session.ask.is_some()).await;
    assert_eq!(answer(&daemon, &started, "1").await.expect_err("there is none"), ErrorCode::Unsupported);
    assert!(daemon.lines_of("chosen").is_empty());
}

#[tokio::test]
#[timeout(60000)]
async fn a_forged_word_of_idleness_is_not_shown_while_the_screen_works() {
    let (daemon, started) = player("forges", None).await;
    daemon.until(started.id, "it works", |session| session.status == Status::Running).await;
    daemon.until(started.id, "it is over", |session| session.status == Status::Idle).await;
    assert!(daemon.person().join("forged").exists(), "that was the forged word");
    let explain = Request::ExplainSession { session: started.id.to_string() };
    let Reply::Explanation(why) = daemon.connect().await.request(explain).await.unwrap() else {
        panic!("no explanation")
    };
    let changes: Vec<_> = why.history.iter().rev().map(|change| change.to).collect();
    assert_eq!(changes, [Status::Running, Status::Idle]);
}
