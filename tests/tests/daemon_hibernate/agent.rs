//! A small agent that can be resumed: it draws an input box, notes what it was started with and what it is told, and leaves at
//! Ctrl-D as agents do.

use belfry_client::ClientError;
use belfry_protocol::launch::NewSession;
use belfry_protocol::session::HIBERNATED;
use belfry_protocol::{Reply, Request, Session, Status, WireError};
use belfry_tests::daemon::{TestDaemon, session};

/// `deaf` as an argument: it does not leave by itself. The lines `first` and `work` are worked on until it is let go, `server` leaves
/// something in its background.
const PROGRAM: &str = r#"#!/bin/sh
case " $* " in *" deaf "*) deaf=yes; trap '' HUP ;; esac
mkfifo go 2>/dev/null
stty raw -echo
line='────────────────────────────────────────' cr=$(printf '\r') leave=$(printf '\004') text= busy=
report() { printf '\033]7501;state=%s:app=sleeper\033\\' "$1"; }
key() { dd bs=1 count=1 2>/dev/null; }
draw() {
  printf '\033[?2026h\033[2J\033[H%s\r\n> %s\r\n%s\r\n%s\033[2;%sH\033[?2026l' \
    "$line" "$text" "$line" "$busy" $((3 + ${#text}))
}
draw; report idle
echo "$*" >>argv
while :; do
  k=$(key)
  if [ "$k" = "$leave" ]; then
    [ -z "$text" ] && [ -z "$deaf" ] && break
    echo asked >>asked
    continue
  fi
  if [ "$k" != "$cr" ]; then text=$text$k; draw; continue; fi
  echo "$text" >>typed
  report working
  case $text in first | work) true ;; *) false ;; esac && { text= busy='esc to interrupt'; draw; read -r _ <go; busy=; }
  [ "$text" = server ] && { sh -c 'sleep 1000; :' </dev/null >/dev/null 2>&1 & echo $! >server; }
  text=; draw; report idle
done
printf '\033[2J\033[Hbye\r\n'
stty -raw echo
"#;

const RULES: &str = r#"
name = "Sleeper"
processes = ["sleeper"]
[flags]
conversation = ["--session", "{}"]
resume = ["--resume", "{}"]
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
[[sign]]
name = "works"
source = "program"
app = "sleeper"
state = "working"
says = "working"
[[sign]]
name = "idle"
source = "program"
app = "sleeper"
state = "idle"
says = "idle"
[trust]
program = { rank = 1 }
screen = { rank = 2 }
output = { rank = 3 }
"#;

/// A daemon that knows the agent.
pub(crate) async fn daemon() -> TestDaemon {
    let mut daemon = TestDaemon::stopped();
    let program = daemon.cli().script("sleeper", PROGRAM);
    let agents = daemon.home().config_dir().join("agents");
    std::fs::create_dir_all(&agents).unwrap();
    std::fs::write(agents.join("sleeper.toml"), format!("programs = [{program:?}]\n{RULES}")).unwrap();
    daemon.run().await;
    daemon
}

/// Starts one in a directory of its own, and waits until it is at its prompt.
pub(crate) async fn start(daemon: &TestDaemon, name: &str, args: &[&str]) -> Session {
    let cwd = daemon.person().join(name);
    std::fs::create_dir_all(&cwd).unwrap();
    let new = NewSession {
        agent: "sleeper".to_owned(),
        name: Some(name.to_owned()),
        cwd: Some(cwd.to_str().unwrap().to_owned()),
        args: args.iter().map(|arg| (*arg).to_owned()).collect(),
        ..NewSession::default()
    };
    let started = daemon.new_session(new).await;
    at_its_prompt(daemon, &started).await
}

pub(crate) async fn at_its_prompt(daemon: &TestDaemon, of: &Session) -> Session {
    let is = |now: &Session| now.alive() && now.status == Status::Idle && now.queued == 0;
    daemon.until(of.id, "at its prompt", is).await
}

/// Something was said in it.
pub(crate) async fn spoken(daemon: &TestDaemon, name: &str, args: &[&str]) -> Session {
    let started = start(daemon, name, args).await;
    send(daemon, &started, "first").await.unwrap();
    daemon.until(started.id, "it works", |now| now.status == Status::Running).await;
    std::fs::write(daemon.person().join(name).join("go"), "\n").unwrap();
    at_its_prompt(daemon, &started).await
}

pub(crate) async fn send(daemon: &TestDaemon, to: &Session, text: &str) -> Result<(), WireError> {
    let request = Request::SendMessage { session: to.id.to_string(), text: text.to_owned(), now: false };
    match daemon.connect().await.request(request).await {
        Ok(Reply::Message(_)) => Ok(()),
        Ok(other) => panic!("no message: {other:?}"),
        Err(ClientError::Failed(error)) => Err(error),
        Err(other) => panic!("{other}"),
    }
}

pub(crate) async fn hibernate(daemon: &TestDaemon, of: &Session) -> Result<Session, WireError> {
    let request = Request::HibernateSession { session: of.id.to_string() };
    match daemon.connect().await.request(request).await {
        Ok(reply) => Ok(session(reply)),
        Err(ClientError::Failed(error)) => Err(error),
        Err(other) => panic!("{other}"),
    }
}

/// The lines of a file in a session's directory, once there are so many.
pub(crate) async fn lines(daemon: &TestDaemon, name: &str, file: &str, count: usize) -> Vec<String> {
    let path = daemon.person().join(name).join(file);
    let read = || -> Vec<String> {
        let text = std::fs::read_to_string(&path).unwrap_or_default();
        text.lines().map(str::to_owned).collect()
    };
    belfry_tests::daemon::eventually(&format!("{count} lines in {file}"), || read().len() >= count).await;
    read()
}

/// It sleeps, as everybody sees it.
pub(crate) fn sleeps(session: &Session) -> bool {
    let reason = session.reason.as_deref() == Some(HIBERNATED);
    session.status == Status::Idle && reason && session.pid.is_none() && session.exit.is_none()
}
