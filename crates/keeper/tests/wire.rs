//! Peers that are not what they should be.
#![allow(clippy::unwrap_used, missing_docs)]

mod common;

use std::io::Write;
use std::net::Shutdown;
use std::path::PathBuf;

use belfry_platform::{lock::FileLock, socket};
use belfry_protocol::keeper::{FromKeeper, MAX_FRAME, Refused, SignalTarget, ToKeeper, VERSION, What, Why};
use common::{Daemon, Rig, Run, wait_until};

fn idle(rig: &Rig) -> Run {
    let run = rig.start("stty raw -echo; printf ready; exec cat");
    run.wait_for_output("ready");
    run
}

fn still_serves(run: &Run) {
    let mut daemon = run.connect();
    daemon.input(b"fine");
    wait_until("an echo", || run.output().ends_with("fine"));
}

#[test]
#[ntest::timeout(60000)]
fn garbage_instead_of_a_hello_ends_that_connection_only() {
    let rig = Rig::new();
    let run = idle(&rig);
    let mut daemon = run.connect();
    let oversized = (MAX_FRAME as u32 + 1).to_le_bytes();
    let first_frames: [&[u8]; 5] =
        [b"GET / HTTP/1.1\r\n\r\n", &oversized, &[0; 64], &[2, 0, 0, 0, 8, 0], &ToKeeper::Stat.to_bytes()];
    for bytes in first_frames {
        let mut stranger = Daemon::over(socket::connect(&run.socket).unwrap());
        stranger.stream.write_all(bytes).unwrap();
        assert!(stranger.is_closed(), "{bytes:?}");
    }
    // More silent ones than may wait at a time.
    let silent: Vec<_> = (0..12).map(|_| socket::connect(&run.socket).unwrap()).collect();
    assert_eq!(daemon.stat().offset, 5, "the daemon's connection is untouched");
    drop(silent);
    still_serves(&run);
}

#[test]
#[ntest::timeout(60000)]
fn a_daemon_that_breaks_the_stream_is_dropped_and_one_that_says_something_new_is_not() {
    let rig = Rig::new();
    let run = idle(&rig);
    let mut daemon = run.connect();
    daemon.stream.write_all(&[3, 0, 0, 0, 222, 1, 2]).unwrap();
    let refused = |what, why| Refused { id: 0, what, why };
    assert_eq!(daemon.wait_for_refusal(), refused(What::Frame, Why::Unknown));
    daemon.send(&ToKeeper::Resize { cols: 0, rows: 5 });
    assert_eq!(daemon.wait_for_refusal(), refused(What::Resize, Why::Invalid));
    daemon.send(&ToKeeper::Signal { signal: 4711, target: SignalTarget::Program });
    assert_eq!(daemon.wait_for_refusal(), refused(What::Signal, Why::Invalid));
    daemon.stat();
    daemon.stream.write_all(&u32::MAX.to_le_bytes()).unwrap();
    assert_eq!(daemon.wait_for_refusal(), refused(What::Frame, Why::Invalid));
    assert!(daemon.is_closed());
    still_serves(&run);
}

#[test]
#[ntest::timeout(60000)]
fn the_newest_daemon_wins_once_it_has_said_hello() {
    let rig = Rig::new();
    let run = idle(&rig);
    let mut first = run.connect();
    let mut second = Daemon::over(socket::connect(&run.socket).unwrap());
    first.stat();
    second.send(&ToKeeper::Hello { version: VERSION + 7 });
    let version = second.wait_for("a hello", |frame| match frame {
        FromKeeper::Hello(hello) => Some(hello.version),
        _ => None,
    });
    assert_eq!(version, VERSION, "a later daemon hears which version this keeper speaks");
    assert!(first.is_closed());
    second.stat();
}

#[test]
#[ntest::timeout(60000)]
fn a_half_closed_socket_counts_as_closed() {
    let rig = Rig::new();
    let run = idle(&rig);
    let mut daemon = run.connect();
    daemon.stream.shutdown(Shutdown::Write).unwrap();
    assert!(daemon.is_closed());
    still_serves(&run);
}

#[test]
#[ntest::timeout(60000)]
fn frames_in_single_bytes_are_understood() {
    let rig = Rig::new();
    let run = idle(&rig);
    let mut daemon = Daemon::over(socket::connect(&run.socket).unwrap());
    let mut bytes = ToKeeper::Hello { version: VERSION }.to_bytes();
    ToKeeper::Input { id: 5, only_if_offset: None, bytes: b"slowly".to_vec() }.encode(&mut bytes);
    for byte in bytes {
        daemon.stream.write_all(&[byte]).unwrap();
    }
    daemon.wait_for("an answer", |frame| matches!(frame, FromKeeper::Taken { id: 5 }).then_some(()));
    run.wait_for_output("slowly");
}

#[cfg(target_os = "linux")]
#[test]
#[ntest::timeout(60000)]
fn a_program_of_a_session_cannot_speak_to_keepers() {
    let rig = Rig::new();
    let target = idle(&rig);
    let inside = speaking_inside(&rig, &target, None);
    inside.wait_for_output("refused: NotAllowed");
    still_serves(&target);
}

#[cfg(target_os = "linux")]
#[test]
#[ntest::timeout(60000)]
fn a_daemon_that_a_session_started_is_known_by_its_lock() {
    let rig = Rig::new();
    let target = idle(&rig);
    let inside = speaking_inside(&rig, &target, Some(rig.home.daemon_lock()));
    inside.wait_for_output("welcome");
}

/// The very test program, as a child of another keeper.
fn speaking_inside(rig: &Rig, target: &Run, lock: Option<PathBuf>) -> Run {
    let program = std::env::current_exe().unwrap();
    let mut spec = rig.spec("");
    spec.argv =
        [program.to_str().unwrap(), "--exact", "speaks", "--ignored", "--nocapture"].map(Into::into).to_vec();
    spec.env.push(("TARGET".into(), target.socket.clone().into()));
    spec.env.extend(lock.map(|lock| ("LOCK".into(), lock.into())));
    rig.start_spec(&spec)
}

#[test]
#[ignore = "started inside a session by the tests above"]
fn speaks() {
    let Some(target) = std::env::var_os("TARGET") else { return };
    if let Some(lock) = std::env::var_os("LOCK") {
        let _held = FileLock::try_acquire(lock.as_ref()).unwrap().unwrap();
        Daemon::connect(target.as_ref());
        println!("welcome");
        return;
    }
    let mut daemon = Daemon::over(socket::connect(target.as_ref()).unwrap());
    // It may be refused before it has said anything.
    let _ = daemon.stream.write_all(&ToKeeper::Hello { version: VERSION }.to_bytes());
    println!("refused: {:?}", daemon.wait_for_refusal().why);
}
