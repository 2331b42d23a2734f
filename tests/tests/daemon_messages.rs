//! Messages: held while the program works or the person types, typed once, and never lost or repeated by a crash.

use belfry_protocol::launch::NewSession;
use belfry_protocol::reply::{Delivery, Message, QueuedMessage};
use belfry_protocol::{Reply, Request, Session, Status};
use belfry_tests::daemon::{TestDaemon, TestView, eventually};
use ntest::timeout;

async fn send(daemon: &TestDaemon, session: &Session, text: &str, now: bool) -> Message {
    let connection = daemon.connect().await;
    let request = Request::SendMessage { session: session.id.to_string(), text: text.into(), now };
    match connection.request(request).await.expect("it is taken") {
        Reply::Message(message) => message,
        other => panic!("no message: {other:?}"),
    }
}

/// Works for two seconds after each line, and notes what it was given.
const WORKER: &str = "echo ready; while read -r line; do echo \"$line\" >>got.txt; \
    i=0; while [ $i -lt 20 ]; do echo working $i; i=$((i+1)); sleep 0.1; done; echo done-with:$line; done";

fn got(daemon: &TestDaemon) -> Vec<String> {
    let text = std::fs::read_to_string(daemon.person().join("got.txt")).unwrap_or_default();
    text.lines().map(str::to_owned).collect()
}

#[tokio::test]
#[timeout(60000)]
async fn messages_wait_for_the_turn_to_end_and_go_out_in_order() {
    let mut daemon = TestDaemon::start().await;
    let started = daemon.shell(&["sh", "-c", WORKER]).await;
    daemon.until(started.id, "idle", |session| session.status == Status::Idle).await;
    assert_eq!(send(&daemon, &started, "first", false).await.delivery, Delivery::Delivered);
    daemon.until(started.id, "running", |session| session.status == Status::Running).await;
    for text in ["second", "third"] {
        assert_eq!(send(&daemon, &started, text, false).await.delivery, Delivery::Queued);
    }
    assert_eq!(daemon.show(started.id).await.queued, 2);
    // They outlive the daemon.
    daemon.kill();
    daemon.run().await;
    daemon.until(started.id, "all are out", |session| session.queued == 0).await;
    eventually("in order, each once", || got(&daemon) == ["first", "second", "third"]).await;
}

#[tokio::test]
#[timeout(60000)]
async fn a_half_typed_line_is_not_typed_over() {
    let daemon = TestDaemon::start().await;
    let started = daemon.shell(&["sh", "-c", WORKER]).await;
    daemon.until(started.id, "idle", |session| session.status == Status::Idle).await;
    let mut view = TestView::open(&daemon, started.id).await;
    view.input(b"draft").await;
    view.until("the draft's echo", |view| view.text().contains("draft")).await;
    assert_eq!(send(&daemon, &started, "message", false).await.delivery, Delivery::Queued);
    view.input(b" sent\r").await;
    eventually("first the person's line, then the message", || got(&daemon) == ["draft sent", "message"])
        .await;
}

#[tokio::test]
#[timeout(60000)]
async fn control_characters_are_taken_out() {
    let daemon = TestDaemon::start().await;
    let started = daemon.shell(&["sh", "-c", "stty -echo; echo ready; exec cat >got.txt"]).await;
    daemon.until_screen(started.id, "ready").await;
    let message = send(&daemon, &started, "a\u{1b}[31mb\u{3}c\u{9b}d", true).await;
    assert_eq!(message.delivery, Delivery::Delivered);
    eventually("only text arrives", || got(&daemon) == ["a[31mbcd"]).await;
}

#[tokio::test]
#[timeout(60000)]
async fn what_waits_when_the_session_ends_has_failed() {
    let daemon = TestDaemon::start().await;
    let started = daemon.shell(&["sh", "-c", WORKER]).await;
    daemon.until(started.id, "idle", |session| session.status == Status::Idle).await;
    send(&daemon, &started, "work", false).await;
    daemon.until(started.id, "running", |session| session.status == Status::Running).await;
    send(&daemon, &started, "never", false).await;
    let connection = daemon.connect().await;
    connection.request(Request::KillSession { session: started.id.to_string() }).await.unwrap();
    daemon.until(started.id, "nothing waits", |session| session.queued == 0).await;
    assert_eq!(got(&daemon), ["work"]);
}

#[tokio::test]
#[timeout(60000)]
async fn what_is_sent_now_goes_ahead_of_what_waits() {
    let daemon = TestDaemon::start().await;
    let started = daemon.shell(&["sh", "-c", WORKER]).await;
    daemon.until(started.id, "idle", |session| session.status == Status::Idle).await;
    send(&daemon, &started, "work", false).await;
    daemon.until(started.id, "running", |session| session.status == Status::Running).await;
    for text in ["second", "third"] {
        assert_eq!(send(&daemon, &started, text, false).await.delivery, Delivery::Queued);
    }
    for text in ["urgent", "urgent too"] {
        assert_eq!(send(&daemon, &started, text, true).await.delivery, Delivery::Delivered);
    }
    eventually("in that order", || got(&daemon) == ["work", "urgent", "urgent too", "second", "third"]).await;
}

#[tokio::test]
#[timeout(60000)]
async fn a_first_prompt_that_was_being_typed_is_not_typed_again() {
    let mut daemon = TestDaemon::stopped();
    let script = "#!/bin/sh\nstty raw -echo\necho ready\nexec cat >typed\n";
    let program = daemon.cli().script("slow-agent", script);
    let agents = daemon.home().config_dir().join("agents");
    std::fs::create_dir_all(&agents).unwrap();
    // Enter comes an hour after the text.
    let rules = format!(
        "name = \"Slow\"\nprograms = [{program:?}]\ntyping = {{ pause_ms = 3600000 }}\ntakes = {{ prompt = true }}\n"
    );
    std::fs::write(agents.join("slow.toml"), rules).unwrap();
    daemon.run().await;
    let new = NewSession {
        agent: "slow".to_owned(),
        prompt: Some("the first prompt".to_owned()),
        ..daemon.shell_request(&[])
    };
    let started = daemon.new_session(new).await;
    let typed = || std::fs::read_to_string(daemon.person().join("typed")).unwrap_or_default();
    eventually("it is typed", || typed().contains("the first prompt")).await;
    daemon.kill();
    daemon.run().await;
    let shown = daemon.until(started.id, "unsure", |session| session.notice.is_some()).await;
    assert!(shown.notice.unwrap().contains("the first prompt was being typed"));
    let connection = daemon.connect().await;
    let keys = Request::SendKeys { session: started.id.to_string(), keys: vec!["z".into()] };
    connection.request(keys).await.unwrap();
    let typed = || std::fs::read_to_string(daemon.person().join("typed")).unwrap_or_default();
    eventually("the key is there", || typed().ends_with('z')).await;
    assert_eq!(typed().matches("the first prompt").count(), 1);
    // What it was asked for is told, whatever became of it.
    let prompt = Request::ReadPrompt { session: started.id.to_string() };
    let Reply::Prompt { text } = connection.request(prompt).await.unwrap() else { panic!("no prompt") };
    assert_eq!(text.as_deref(), Some("the first prompt"));
}

/// An agent that asks, takes one key for an answer, and notes what it is typed from then on.
const ASKER: &str = r"#!/bin/sh
stty raw -echo
printf '\033]7501;state=idle:app=asker\033\\ready\r\n'
dd bs=1 count=1 2>/dev/null >/dev/null
printf '\033]7501;state=blocked:app=asker:msg=YXBwcm92ZSBCYXNo\033\\Allow it?\r\n'
dd bs=1 count=1 2>/dev/null >/dev/null
printf '\033[2J\033[H\033]7501;state=working:app=asker\033\\ok\r\n'
printf '\033]7501;state=idle:app=asker\033\\ready\r\n'
exec cat >typed
";

#[tokio::test]
#[timeout(60000)]
async fn what_waits_behind_a_question_goes_out_once_it_is_answered_by_a_key() {
    let mut daemon = TestDaemon::stopped();
    let program = daemon.cli().script("asker", ASKER);
    let agents = daemon.home().config_dir().join("agents");
    std::fs::create_dir_all(&agents).unwrap();
    let rules = format!(
        "name = \"Asker\"\nprograms = [{program:?}]\n[[screen.dialog]]\nname = \"allow\"\nkind = \"approval\"\n\
         choices = \"none\"\nbelow = [\"Allow it?\"]\nanswer = \"unknown\"\n\
         [[sign]]\nname = \"works\"\nsource = \"program\"\napp = \"asker\"\nstate = \"working\"\nsays = \"working\"\n\
         [[sign]]\nname = \"asks\"\nsource = \"program\"\napp = \"asker\"\nstate = \"blocked\"\nsays = \"asking\"\n\
         [[sign]]\nname = \"idle\"\nsource = \"program\"\napp = \"asker\"\nstate = \"idle\"\nsays = \"idle\"\n\
         [trust]\nprogram = {{ rank = 1 }}\nscreen = {{ rank = 2 }}\noutput = {{ rank = 3 }}\n"
    );
    std::fs::write(agents.join("asker.toml"), rules).unwrap();
    daemon.run().await;
    let new = NewSession { agent: "asker".to_owned(), ..daemon.shell_request(&[]) };
    let started = daemon.new_session(new).await;
    let connection = daemon.connect().await;
    let key = async |key: &str| {
        let request = Request::SendKeys { session: started.id.to_string(), keys: vec![key.to_owned()] };
        connection.request(request).await.unwrap();
    };
    daemon.until(started.id, "idle", |session| session.status == Status::Idle).await;
    key("Enter").await;
    let asking = daemon.until(started.id, "waiting", |session| session.status == Status::Waiting).await;
    assert_eq!(asking.reason.as_deref(), Some("approve Bash"));
    assert!(!asking.unseen);
    assert_eq!(send(&daemon, &started, "the message", false).await.delivery, Delivery::Queued);
    key("y").await;
    let after = daemon.until(started.id, "it is out", |session| session.queued == 0).await;
    assert_eq!((after.status, after.reason), (Status::Idle, None));
    let typed = || std::fs::read_to_string(daemon.person().join("typed")).unwrap_or_default();
    eventually("it arrives", || typed().contains("the message")).await;
}

async fn listed(daemon: &TestDaemon, of: &Session) -> Vec<QueuedMessage> {
    match daemon
        .connect()
        .await
        .request(Request::ListMessages { session: of.id.to_string() })
        .await
        .expect("it is told")
    {
        Reply::Messages(messages) => messages,
        other => panic!("no messages: {other:?}"),
    }
}

#[tokio::test]
#[timeout(60000)]
async fn a_text_that_ends_its_program_was_delivered() {
    let mut daemon = TestDaemon::stopped();
    daemon.add_asker("key");
    daemon.run().await;
    let started = daemon.asker("prompts").await;
    daemon.until(started.id, "idle", |session| session.status == Status::Idle).await;
    let quit = send(&daemon, &started, "quit", false).await;
    daemon.until(started.id, "its end", |session| session.status == Status::Dead).await;
    assert_eq!(quit.delivery, Delivery::Delivered, "{:?}", quit.why);
    assert_eq!(listed(&daemon, &started).await[0].delivery, Delivery::Delivered);
}

/// An agent with an input box, in which Ctrl-U clears.
const BOXED: &str = r#"#!/bin/sh
stty raw -echo
line='────────────────────────────────────────' cr=$(printf '\r') clear=$(printf '\025') text=
key() { dd bs=1 count=1 2>/dev/null; }
box() { printf '\033[?2026h\033[2J\033[H%s\r\n> %s\r\n%s\033[2;%sH\033[?2026l' "$line" "$text" "$line" $((3 + ${#text})); }
box
while :; do
  k=$(key)
  case $k in
    "$cr") echo "$text" >>typed; text= ;;
    "$clear") text= ;;
    *) text=$text$k ;;
  esac
  box
done
"#;

/// The daemon dies between a text and its Enter, which comes some seconds later.
async fn cut_off(daemon: &mut TestDaemon, started: &Session) {
    daemon.until(started.id, "idle", |session| session.status == Status::Idle).await;
    let request =
        Request::SendMessage { session: started.id.to_string(), text: "touch first".into(), now: false };
    let connection = daemon.connect().await;
    tokio::spawn(async move { connection.request(request).await.is_ok() });
    daemon.until_screen(started.id, "touch first").await;
    daemon.kill();
    daemon.run().await;
    let told = daemon.until(started.id, "unsure", |session| session.notice.is_some()).await;
    assert!(told.notice.expect("a notice").contains("look whether it has arrived"));
    assert_eq!(listed(daemon, started).await[0].delivery, Delivery::Unsure);
    daemon.until(started.id, "idle", |session| session.status == Status::Idle).await;
    let second = send(daemon, started, "touch second", false).await;
    let why = second.why.unwrap_or_default();
    assert_eq!(second.delivery, Delivery::Queued, "{why}");
    assert!(why.contains("still holds the message that was being typed when Belfry ended"), "{why}");
    let keys = Request::SendKeys { session: started.id.to_string(), keys: vec!["C-u".into()] };
    daemon.connect().await.request(keys).await.expect("they are typed");
    daemon.until(started.id, "it is out", |session| session.queued == 0).await;
    assert_eq!(listed(daemon, started).await[1].delivery, Delivery::Delivered);
}

#[tokio::test]
#[timeout(60000)]
async fn what_lies_half_typed_after_a_crash_holds_the_next_one_only_while_it_lies_there() {
    let mut daemon = TestDaemon::stopped();
    let program = daemon.cli().script("boxed", BOXED);
    let agents = daemon.home().config_dir().join("agents");
    std::fs::create_dir_all(&agents).unwrap();
    let rules = format!(
        "name = \"Boxed\"\nprograms = [{program:?}]\ntyping = {{ pause_ms = 4000 }}\n[screen.composer]\nmarker = \">\"\n\
         above = '/^─{{8,}}/'\nbelow = '/^─{{8,}}$/'\n[trust]\nscreen = {{ rank = 1 }}\noutput = {{ rank = 2 }}\n"
    );
    std::fs::write(agents.join("boxed.toml"), rules).unwrap();
    daemon.run().await;
    let new = NewSession { agent: "boxed".to_owned(), ..daemon.shell_request(&[]) };
    let started = daemon.new_session(new).await;
    cut_off(&mut daemon, &started).await;
    let typed = std::fs::read_to_string(daemon.person().join("typed")).unwrap();
    assert_eq!(typed, "touch second\n");
}

#[tokio::test]
#[timeout(60000)]
async fn what_lies_half_typed_on_a_shell_s_line_is_not_typed_on_to() {
    let mut daemon = TestDaemon::stopped();
    let agents = daemon.home().config_dir().join("agents");
    std::fs::create_dir_all(&agents).unwrap();
    std::fs::write(agents.join("shell.toml"), "typing = { pause_ms = 4000 }\n").unwrap();
    daemon.run().await;
    let started = daemon.shell(&["bash", "--norc", "--noprofile", "-i"]).await;
    cut_off(&mut daemon, &started).await;
    let person = daemon.person();
    eventually("the second alone is run", || person.join("second").exists()).await;
    assert!(!person.join("first").exists());
}
