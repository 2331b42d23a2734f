//! Panes of tmux as sessions: adopted, looked at, typed to, ended and forgotten.

use belfry_protocol::launch::Size;
use belfry_protocol::session::Kind;
use belfry_protocol::{ErrorCode, Reply, Request, Session, Status};
use belfry_tests::cli::eventually;
use belfry_tests::daemon::{TestDaemon, TestView, session};
use belfry_tests::tmux::Tmux;

/// A daemon that knows where this test's tmux servers are.
async fn daemon() -> TestDaemon {
    let mut daemon = TestDaemon::stopped();
    run(&mut daemon).await;
    daemon
}

async fn run(daemon: &mut TestDaemon) {
    let mut command = daemon.command();
    command.env("TMUX_TMPDIR", Tmux::folder(daemon.cli()));
    daemon.run_as(command).await;
}

async fn adopt(daemon: &TestDaemon, target: &str) -> Session {
    let request = Request::AdoptSession { target: target.to_owned() };
    let adopted = daemon.connect().await.request(request).await;
    session(adopted.unwrap_or_else(|error| panic!("{target} is not adopted: {error}")))
}

async fn keys(daemon: &TestDaemon, session: &Session, keys: &[&str]) {
    let keys = keys.iter().map(|key| (*key).to_owned()).collect();
    let request = Request::SendKeys { session: session.id.to_string(), keys };
    assert_eq!(daemon.connect().await.request(request).await.expect("keys"), Reply::Done);
}

/// Waits until Belfry's screen of the session is that of the pane, row by row, with the cursor in its place. No view is
/// opened for it.
async fn until_same(daemon: &TestDaemon, session: &Session, tmux: &Tmux, pane: &str) -> String {
    let (mut ours, mut theirs) = (String::new(), String::new());
    for _ in 0..500 {
        let screen = daemon.screen(session.id, false, 0).await;
        // tmux gives lines as the letters that they are made of.
        let text = screen.text.trim_end().replace("┌──┐", "lqqk");
        ours = format!("{text}\n{} {}", screen.cursor_col, screen.cursor_row);
        let cursor = tmux.format(pane, "#{cursor_x} #{cursor_y}");
        theirs = format!("{}\n{cursor}", tmux.screen(pane));
        if ours == theirs {
            return ours;
        }
        tokio::time::sleep(std::time::Duration::from_millis(20)).await;
    }
    panic!("the screens differ\n--- ours\n{ours}\n--- tmux's\n{theirs}");
}

const SIZES: [(u16, u16); 3] = [(80, 24), (120, 40), (200, 50)];

/// Draws colours, wide letters, a row to its very end, and more rows than fit.
const DRAWS: &str = r"i=0; while [ $i -lt 90 ]; do printf '\033[3%dmrow %d \033[44mblue\033[0m ünïcode 日本 ✳\n' $((i%8)) $i; i=$((i+1)); done
printf '\033(0lqqk\033(B\033[7m%0*d\033[0m|' 70 0; printf '\033]2;a title\007\nready> '; exec cat";

#[tokio::test(flavor = "multi_thread")]
#[ntest::timeout(60000)]
async fn a_pane_looks_as_it_does_in_tmux_at_three_sizes() {
    let daemon = daemon().await;
    for (at, (cols, rows)) in SIZES.into_iter().enumerate() {
        let tmux = Tmux::start(daemon.cli(), &format!("s{at}"), (cols, rows), &["sh", "-c", DRAWS]);
        tmux.until("main", "ready>");
        let adopted = adopt(&daemon, &format!("s{at}:main:0.0")).await;
        assert_eq!((adopted.kind, adopted.cols, adopted.rows), (Kind::Managed, cols, rows));
        let local = adopted.local.as_ref().expect("where it is");
        assert_eq!(local.place, "tmux main:0.0");
        until_same(&daemon, &adopted, &tmux, "main").await;
        let whole = daemon.screen(adopted.id, false, 2000).await.text;
        assert!(whole.contains("row 0 blue ünïcode 日本 ✳"), "its scrollback is there:\n{whole}");
        assert_eq!(whole.matches("row 89 ").count(), 1);
        keys(&daemon, &adopted, &["hello there", "Enter"]).await;
        tmux.until("main", "hello there");
        let shown = until_same(&daemon, &adopted, &tmux, "main").await;
        assert!(shown.contains("hello there\nhello there"), "{shown}");
        let size = tmux.format("main", "#{window_width} #{window_height}");
        assert_eq!(size, format!("{cols} {rows}"), "nobody has looked at it yet");
        assert_eq!(daemon.show(adopted.id).await.title.as_deref(), Some("a title"));
    }
}

#[tokio::test(flavor = "multi_thread")]
#[ntest::timeout(60000)]
async fn it_takes_its_size_once_it_is_shown_and_tmux_s_wherever_somebody_else_looks() {
    let daemon = daemon().await;
    let tmux = Tmux::start(daemon.cli(), "s", (80, 24), &["sh", "-c", DRAWS]);
    tmux.until("main", "ready>");
    let adopted = adopt(&daemon, "%0").await;
    until_same(&daemon, &adopted, &tmux, "main").await;
    let size = Size { cols: 100, rows: 30 };
    let view = TestView::open_with(&daemon, adopted.id, size, true, 1 << 20).await;
    eventually("the pane has the view's size", || {
        tmux.format("main", "#{pane_width} #{pane_height}") == "100 30"
    });
    let sized =
        daemon.until(adopted.id, "the size", |session| session.cols == 100 && session.rows == 30).await;
    until_same(&daemon, &sized, &tmux, "main").await;
    // Somebody splits the window: the pane is half of it, whatever the view wants.
    tmux.run(&["split-window", "-h", "-t", "main", "cat"]);
    let half: u16 = tmux.format("%0", "#{pane_width}").parse().unwrap();
    assert!(half < 60);
    daemon.until(adopted.id, "half the width", |session| session.cols == half).await;
    until_same(&daemon, &adopted, &tmux, "%0").await;
    drop(view);
}

#[tokio::test(flavor = "multi_thread")]
#[ntest::timeout(60000)]
async fn it_outlives_the_daemon_and_its_keeper() {
    let mut daemon = daemon().await;
    let tmux = Tmux::start(daemon.cli(), "s", (120, 40), &["sh", "-c", DRAWS]);
    tmux.until("main", "ready>");
    let adopted = adopt(&daemon, "main").await;
    until_same(&daemon, &adopted, &tmux, "main").await;
    daemon.kill();
    tmux.run(&["send-keys", "-t", "main", "meanwhile", "Enter"]);
    tmux.until("main", "meanwhile");
    run(&mut daemon).await;
    until_same(&daemon, &adopted, &tmux, "main").await;
    let found = daemon.until(adopted.id, "its place again", |session| {
        session.local.as_ref().is_some_and(|local| local.place == "tmux main:0.0")
    });
    let keeper = found.await.runs[0].keeper_pid.unwrap();
    keys(&daemon, &adopted, &["again", "Enter"]).await;
    tmux.until("main", "again");
    // Without its keeper it is over here, and goes on there; it is the same session that takes it up again.
    belfry_tests::daemon::kill(keeper);
    daemon.until(adopted.id, "dead", |session| session.status == Status::Dead).await;
    assert_eq!(tmux.format("main", "#{pane_dead}"), "0");
    assert_eq!(adopt(&daemon, "%0").await.id, adopted.id);
    until_same(&daemon, &adopted, &tmux, "main").await;
}

#[tokio::test(flavor = "multi_thread")]
#[ntest::timeout(60000)]
async fn ending_it_ends_that_pane_alone_and_removing_it_only_forgets_it() {
    let daemon = daemon().await;
    let tmux = Tmux::start(daemon.cli(), "s", (80, 24), &["cat"]);
    tmux.run(&["split-window", "-t", "main", "cat"]);
    tmux.run(&["new-window", "-t", "main", "cat"]);
    let panes = || tmux.run(&["list-panes", "-s", "-t", "main", "-F", "#{pane_id}"]).replace('\n', " ");
    assert_eq!(panes(), "%0 %1 %2");
    let first = adopt(&daemon, "main:0.0").await;
    let second = adopt(&daemon, "main:0.1").await;
    assert_ne!(first.id, second.id);
    assert_eq!(adopt(&daemon, "%0").await.id, first.id, "one pane is one session");
    let cli = daemon.cli();
    cli.run(&["kill", &first.id.to_string()]).ok();
    assert_eq!(panes(), "%1 %2");
    let dead = daemon.show(first.id).await;
    assert_eq!(dead.status, Status::Dead);
    let error = cli.run(&["restart", &first.id.to_string(), "--json"]).exits(1).error_code();
    assert_eq!(error, "not_alive");
    cli.run(&["rm", &second.id.to_string()]).ok();
    assert_eq!(panes(), "%1 %2", "it goes on in tmux");
    // What goes by itself is seen at once.
    let third = adopt(&daemon, "main:1").await;
    tmux.run(&["send-keys", "-t", "main:1", "C-d"]);
    let dead = daemon.until(third.id, "dead", |session| session.status == Status::Dead).await;
    assert_eq!(dead.reason.as_deref(), Some("its tmux pane was closed"));
    assert_eq!(panes(), "%1");
}

#[tokio::test(flavor = "multi_thread")]
#[ntest::timeout(60000)]
async fn panes_of_two_servers_are_told_apart() {
    let daemon = daemon().await;
    let one = Tmux::start(daemon.cli(), "one", (80, 24), &["cat"]);
    let other = Tmux::start(daemon.cli(), "other", (80, 24), &["cat"]);
    let connection = daemon.connect().await;
    let refused = |target: &str| connection.request(Request::AdoptSession { target: target.to_owned() });
    let code = |error| match error {
        Err(belfry_client::ClientError::Failed(error)) => error.code,
        other => panic!("{other:?}"),
    };
    assert_eq!(code(refused("main").await), ErrorCode::Ambiguous);
    assert_eq!(code(refused("%0").await), ErrorCode::Ambiguous);
    assert_eq!(code(refused("nobody").await), ErrorCode::NoSuchSession);
    assert_eq!(code(refused("one:%7").await), ErrorCode::NoSuchSession);
    let adopted = adopt(&daemon, "other:%0").await;
    keys(&daemon, &adopted, &["to the other", "Enter"]).await;
    other.until("main", "to the other");
    assert_eq!(one.screen("main"), "");
    drop(other);
    daemon.until(adopted.id, "gone with its server", |session| session.status == Status::Dead).await;
}

/// A program that prints what tmux's own conversation looks like, and names that do.
#[tokio::test(flavor = "multi_thread")]
#[ntest::timeout(60000)]
async fn nothing_that_a_pane_shows_is_taken_for_tmux_s_own() {
    let draws = r"printf '\033]2;%%end 1 2 1\007\033kname\033\\'; i=0; while [ $i -lt 400 ]; do
printf '%%end %s %d 1\n%%exit\n%%begin 1 2 1\n' $(date +%s) $i; i=$((i+1)); done; printf 'ready> '; exec cat";
    let daemon = daemon().await;
    let tmux = Tmux::start(daemon.cli(), "s", (80, 24), &["sh", "-c", draws]);
    tmux.run(&["rename-session", "-t", "main", "%exit é"]);
    tmux.until("%0", "ready>");
    let adopted = adopt(&daemon, "%0").await;
    until_same(&daemon, &adopted, &tmux, "%0").await;
    keys(&daemon, &adopted, &["%exit", "Enter"]).await;
    tmux.until("%0", "ready> %exit\n%exit");
    until_same(&daemon, &adopted, &tmux, "%0").await;
    assert_eq!(daemon.show(adopted.id).await.title.as_deref(), Some("%end 1 2 1"));
}

#[tokio::test(flavor = "multi_thread")]
#[ntest::timeout(60000)]
async fn pastes_are_marked_where_the_program_wants_them_to_be() {
    let daemon = daemon().await;
    let plain = r"stty raw -echo; printf ready; exec cat -v";
    let marked = r"stty raw -echo; printf '\033[?2004hready'; exec cat -v";
    for (at, (program, wanted)) in
        [(plain, "readyone^Mtwo;$(x)"), (marked, "ready^[[200~one^Mtwo;$(x)^[[201~")].into_iter().enumerate()
    {
        let tmux = Tmux::start(daemon.cli(), &format!("s{at}"), (80, 24), &["sh", "-c", program]);
        tmux.until("main", "ready");
        let adopted = adopt(&daemon, &format!("s{at}:%0")).await;
        until_same(&daemon, &adopted, &tmux, "main").await;
        let view = TestView::open(&daemon, adopted.id).await;
        view.input(b"\x1b[200~one\rtwo;$(x)\x1b[201~").await;
        tmux.until("main", wanted);
        // Somebody looks back in tmux; keys reach the program all the same.
        tmux.run(&["copy-mode", "-t", "main"]);
        view.input(b"Q\x00\x7f").await;
        tmux.until("main", &format!("{wanted}Q^@^?"));
    }
}

/// Full-screen programs: what is on the other screen comes back, and questions are answered once.
#[tokio::test(flavor = "multi_thread")]
#[ntest::timeout(60000)]
async fn both_screens_of_a_pane_are_right() {
    let draws = r"printf 'on the main screen\n'; printf '\033[?1049h\033[2J\033[5;10Halternate\033[31m red'; read x
printf '\033[?1049l'; printf 'back\n'; stty raw -echo; printf '\033[c'; printf ready; exec cat -v";
    let daemon = daemon().await;
    let tmux = Tmux::start(daemon.cli(), "s", (80, 24), &["sh", "-c", draws]);
    tmux.until("main", "alternate red");
    let adopted = adopt(&daemon, "main").await;
    let shown = until_same(&daemon, &adopted, &tmux, "main").await;
    assert!(!shown.contains("main screen"), "{shown}");
    keys(&daemon, &adopted, &["Enter"]).await;
    tmux.until("main", "ready^[[?");
    let shown = until_same(&daemon, &adopted, &tmux, "main").await;
    assert!(shown.contains("on the main screen\nback"), "{shown}");
    assert_eq!(shown.matches("^[[?").count(), 1, "tmux has answered, and nobody else:\n{shown}");
}
