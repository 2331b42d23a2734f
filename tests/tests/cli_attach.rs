//! `belfry attach`, in a real terminal.

use belfry_tests::cli::{Belfry, Hung, Outer, eventually};
use ntest::timeout;
use rustix::process::{Pid, Signal, kill_process};

const DETACH: &[u8] = b"\x1c";

fn attach(belfry: &Belfry, id: &str, cols: u16, rows: u16) -> Outer {
    Outer::run(belfry, cols, rows, &["attach", id], &[])
}

#[test]
#[timeout(60000)]
fn it_shows_types_and_detaches() {
    let belfry = Belfry::new();
    let id = belfry.shell(&["--name", "mine"], &["sh", "-c", "echo before; exec cat"]);
    belfry.until_screen(&id, "before");
    let mut outer = attach(&belfry, &id, 80, 24);
    outer.until("before");
    assert!(outer.is_raw());
    outer.type_bytes("héllo\r".as_bytes());
    outer.until("héllo");
    belfry.until_screen(&id, "héllo");
    assert_eq!(belfry.show(&id)["views"], 1);
    outer.type_bytes(DETACH);
    assert_eq!(outer.ended(), 0);
    outer.until("[detached from mine; it goes on]");
    assert!(!outer.text().contains("héllo"), "the session's screen is gone: {}", outer.text());
    outer.assert_restored();
    assert_ne!(belfry.show(&id)["status"], "dead");
    eventually("the view is closed", || belfry.show(&id)["views"] == 0);
}

#[test]
#[timeout(60000)]
fn the_program_sees_the_outer_terminal_s_size() {
    let belfry = Belfry::new();
    let script = "trap 'stty size' WINCH; stty size; while :; do read -r line; done";
    let id = belfry.shell(&["--size", "90x20"], &["sh", "-c", script]);
    belfry.until_screen(&id, "20 90");
    let mut outer = attach(&belfry, &id, 101, 31);
    outer.until("31 101");
    outer.resize(70, 18);
    outer.until("18 70");
    let shown = belfry.show(&id);
    assert_eq!((shown["cols"].as_u64(), shown["rows"].as_u64()), (Some(70), Some(18)));
    outer.type_bytes(DETACH);
    outer.ended();
}

#[test]
#[timeout(60000)]
fn the_end_of_the_session_is_told_and_its_last_words_are_shown() {
    let belfry = Belfry::new();
    let id = belfry.shell(&[], &["sh", "-c", "read -r line; seq 1 2000; echo last words; exit 3"]);
    let mut outer = attach(&belfry, &id, 80, 24);
    eventually("the view is open", || belfry.show(&id)["views"] == 1);
    outer.type_bytes(b"\r");
    assert_eq!(outer.ended(), 0);
    outer.until("[session ended: exit 3]");
    let raw = String::from_utf8_lossy(&outer.raw()).into_owned();
    assert!(raw.contains("last words"), "{raw:?}");
    outer.assert_restored();
}

#[test]
#[timeout(60000)]
fn a_session_that_is_killed_or_removed_lets_go() {
    let belfry = Belfry::new();
    let id = belfry.shell(&[], &["cat"]);
    let mut outer = attach(&belfry, &id, 80, 24);
    eventually("the view is open", || belfry.show(&id)["views"] == 1);
    belfry.run(&["kill", &id]).ok();
    assert_eq!(outer.ended(), 0);
    outer.until("[session ended: SIGHUP]");
    outer.assert_restored();
    let dead = belfry.run(&["show", &id]).ok();
    assert!(dead.stdout.contains("SIGHUP"));
    let mut again = attach(&belfry, &id, 80, 24);
    assert_eq!(again.ended(), 1);
    again.until("has ended (SIGHUP)");
}

#[test]
#[timeout(60000)]
fn signals_restore_the_terminal() {
    let belfry = Belfry::new();
    // With every mode on that a program can leave behind.
    let modes = r"printf '\033[?1049h\033[?25l\033[?1000h\033[?1002h\033[?1003h\033[?1004h\033[?1006h\033[?2004h\033[?1h\033=\033[>1u\033[5 q\033]2;mine\007drawn'";
    let id = belfry.shell(&[], &["sh", "-c", &format!("{modes}; exec cat")]);
    belfry.until_screen(&id, "drawn");
    for signal in [Signal::TERM, Signal::HUP, Signal::INT, Signal::QUIT] {
        let mut outer = attach(&belfry, &id, 80, 24);
        outer.until("drawn");
        eventually("it is drawn with its modes", || outer.look(|terminal| terminal.modes().bracketed_paste));
        kill_process(Pid::from_raw(outer.pid()).unwrap(), signal).unwrap();
        assert_eq!(outer.ended(), 1, "{signal:?}");
        outer.until("Detached by SIG");
        outer.assert_restored();
        assert_ne!(belfry.show(&id)["status"], "dead");
    }
}

#[test]
#[timeout(60000)]
fn the_alternate_screen_comes_and_goes() {
    let belfry = Belfry::new();
    let script = r"echo main-1; read -r a; printf '\033[?1049h\033[Halt-1'; read -r b; printf '\033[?1049l'; echo main-2; exec cat";
    let id = belfry.shell(&["--size", "80x24"], &["sh", "-c", script]);
    belfry.until_screen(&id, "main-1");
    let mut outer = attach(&belfry, &id, 80, 24);
    outer.until("main-1");
    outer.type_bytes(b"\r");
    outer.until("alt-1");
    assert!(!outer.text().contains("main-1"));
    outer.type_bytes(b"\r");
    outer.until("main-2");
    eventually("the main screen is back whole", || {
        outer.text().contains("main-1") && !outer.text().contains("alt-1")
    });
    outer.type_bytes(DETACH);
    outer.ended();
    outer.assert_restored();
}

#[test]
#[timeout(60000)]
fn the_outer_terminal_s_answers_do_not_reach_the_program() {
    let belfry = Belfry::new();
    let script = r"stty raw -echo; printf '\033[c\033[6n\033]11;?\007\033[?2004$pasked'; exec cat > typed";
    let id = belfry.shell(&["--size", "80x24"], &["sh", "-c", script]);
    belfry.until_screen(&id, "asked");
    let typed = || std::fs::read_to_string(belfry.home().join("typed")).unwrap_or_default();
    eventually("the daemon has answered all four", || typed().ends_with("$y"));
    let answers = typed();
    let mut outer = attach(&belfry, &id, 80, 24);
    outer.until("asked");
    let drawn = outer.raw();
    for query in [b"\x1b[c".as_slice(), b"\x1b[6n", b"\x1b]11;?", b"\x1b[?2004$p"] {
        let reached = drawn.windows(query.len()).any(|window| window == query);
        assert!(!reached, "{query:?} reached the outer terminal");
    }
    outer.type_bytes(b"z");
    eventually("the key arrives", || typed().ends_with('z'));
    assert_eq!(typed(), format!("{answers}z"), "nobody answered again");
    outer.type_bytes(DETACH);
    outer.ended();
}

#[test]
#[timeout(60000)]
fn pastes_and_mouse_pass_and_a_paste_never_detaches() {
    let belfry = Belfry::new();
    let typed: &[u8] = b"\x1b[200~a\x1cb\x1b[201~\x1b[<0;5;6M\x1b[A\x1bOP\x1b[1;5C!";
    let modes = r"stty raw -echo; printf '\033[?2004h\033[?1000h\033[?1006hready'";
    let script = format!("{modes}; exec dd bs=1 count={} of=typed 2>/dev/null", typed.len());
    let id = belfry.shell(&[], &["sh", "-c", &script]);
    belfry.until_screen(&id, "ready");
    let mut outer = attach(&belfry, &id, 80, 24);
    outer.until("ready");
    outer.type_bytes(typed);
    assert_eq!(outer.ended(), 0, "dd ends after as many bytes");
    assert_eq!(std::fs::read(belfry.home().join("typed")).unwrap(), typed);
}

#[test]
#[timeout(60000)]
fn the_detach_key_is_chosen() {
    let belfry = Belfry::new();
    let id = belfry.shell(&["--name", "k"], &["cat"]);
    let mut outer = Outer::run(&belfry, 80, 24, &["attach", &id, "--detach-key", "C-]"], &[]);
    eventually("the view is open", || belfry.show(&id)["views"] == 1);
    outer.type_bytes(b"\x1b[93;5u");
    assert_eq!(outer.ended(), 0, "also in the kitty keyboard's form");
    let mut outer = Outer::run(&belfry, 80, 24, &["attach", &id], &[("BELFRY_DETACH_KEY", "C-a")]);
    eventually("the view is open", || belfry.show(&id)["views"] == 1);
    outer.type_bytes(b"\x01");
    assert_eq!(outer.ended(), 0);
    belfry.run(&["attach", &id, "--detach-key", "Enter"]).exits(2);
}

#[test]
#[timeout(60000)]
fn a_daemon_that_is_killed_is_found_again() {
    let belfry = Belfry::new();
    let id = belfry.shell(&["--size", "80x24"], &["sh", "-c", "echo before; exec cat"]);
    belfry.until_screen(&id, "before");
    let mut outer = attach(&belfry, &id, 80, 24);
    outer.until("before");
    belfry.kill_daemon();
    eventually("the view is open again", || belfry.show(&id)["views"] == 1);
    outer.type_bytes(b"after\r");
    outer.until("after");
    assert!(outer.text().contains("before"));
    outer.type_bytes(DETACH);
    assert_eq!(outer.ended(), 0);
    outer.assert_restored();
}

#[test]
#[timeout(60000)]
fn what_was_typed_before_the_detach_key_arrives() {
    let belfry = Belfry::new();
    for round in 0..5 {
        let id = belfry.shell(&[], &["sh", "-c", "echo ready; exec cat"]);
        belfry.until_screen(&id, "ready");
        let mut outer = attach(&belfry, &id, 80, 24);
        outer.until("ready");
        outer.type_bytes(b"the last words\r\x1c");
        assert_eq!(outer.ended(), 0);
        assert!(!outer.text().contains("may not have arrived"), "{}", outer.text());
        eventually(&format!("the words arrive in round {round}"), || {
            belfry.screen(&id).contains("the last words")
        });
    }
}

#[test]
#[timeout(60000)]
fn the_detach_key_works_while_the_daemon_hangs() {
    let belfry = Belfry::new();
    let id = belfry.shell(&[], &["sh", "-c", "stty raw -echo; echo ready; exec cat >/dev/null"]);
    belfry.until_screen(&id, "ready");
    let mut outer = attach(&belfry, &id, 80, 24);
    outer.until("ready");
    let daemon = Hung::new(&belfry);
    // More than the way to the daemon holds.
    for _ in 0..512 {
        outer.type_bytes(&[b'x'; 4000]);
    }
    outer.until("The daemon does not answer");
    outer.until("C-\\ leaves");
    outer.type_bytes(DETACH);
    assert_eq!(outer.ended(), 0);
    outer.until("it goes on");
    outer.until("may not have arrived");
    outer.assert_restored();
    drop(daemon);
    assert_ne!(belfry.show(&id)["status"], "dead");
}

#[test]
#[timeout(60000)]
fn a_daemon_that_hangs_for_a_while_is_told_and_forgotten() {
    let belfry = Belfry::new();
    let id = belfry.shell(&["--size", "80x24"], &["sh", "-c", "echo ready; exec cat"]);
    belfry.until_screen(&id, "ready");
    let mut outer = attach(&belfry, &id, 80, 24);
    outer.until("ready");
    let daemon = Hung::new(&belfry);
    outer.type_bytes(b"meanwhile\r");
    outer.until("The daemon does not answer");
    drop(daemon);
    outer.until("meanwhile\nmeanwhile");
    eventually("the line is gone", || !outer.text().contains("does not answer"));
    outer.type_bytes(DETACH);
    assert_eq!(outer.ended(), 0);
    outer.assert_restored();
}

#[test]
#[timeout(60000)]
fn what_was_typed_when_the_daemon_died_is_told() {
    let belfry = Belfry::new();
    let id = belfry.shell(&["--size", "80x24"], &["sh", "-c", "echo ready; exec cat"]);
    belfry.until_screen(&id, "ready");
    let mut outer = attach(&belfry, &id, 80, 24);
    outer.until("ready");
    let daemon = Hung::new(&belfry);
    outer.type_bytes(b"lost words");
    outer.until("The daemon does not answer");
    daemon.kill();
    // On a slow machine they may not have left for the daemon, and then the next one gets them.
    eventually("the words arrive, or it is told that they may not have", || {
        let text = outer.text();
        text.contains("10 bytes typed may not have arrived") || text.contains("lost words")
    });
    eventually("the line is gone after a while", || !outer.text().contains("may not have arrived"));
    outer.type_bytes(b"more\r");
    outer.until("more\nmore");
    outer.type_bytes(DETACH);
    assert_eq!(outer.ended(), 0);
    outer.assert_restored();
}

#[test]
#[timeout(60000)]
fn another_size_is_shown_cut_until_a_key_takes_it_back() {
    let belfry = Belfry::new();
    let id = belfry.shell(&[], &["sh", "-c", "echo content; exec cat"]);
    let mut small = attach(&belfry, &id, 60, 15);
    small.until("content");
    let mut large = attach(&belfry, &id, 100, 40);
    large.until("content");
    small.until("100x40");
    assert!(small.text().contains("content"));
    small.type_bytes(b"x");
    eventually("the small one has it", || belfry.show(&id)["cols"] == 60);
    eventually("it is drawn as it is", || !small.text().contains("100x40"));
    large.until("60x15");
    small.type_bytes(DETACH);
    small.ended();
    large.type_bytes(DETACH);
    large.ended();
    large.assert_restored();
}

#[test]
#[timeout(60000)]
fn what_cannot_be_attached_is_refused() {
    let belfry = Belfry::new();
    let id = belfry.shell(&[], &["cat"]);
    belfry.run(&["attach", &id]).exits(2);
    belfry.run(&["attach", "nobody"]).exits(2);
    let mut outer = Outer::run(&belfry, 80, 24, &["attach", "nobody"], &[]);
    assert_eq!(outer.ended(), 3);
    let mut outer = Outer::run(&belfry, 80, 24, &["attach", &id], &[("BELFRY_SESSION", &id)]);
    assert_eq!(outer.ended(), 4);
    outer.assert_restored();
}
