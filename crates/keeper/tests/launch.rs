//! What a program is started with, and what happens when it cannot be.
#![allow(clippy::unwrap_used, missing_docs)]

mod common;

use std::os::unix::fs::PermissionsExt;

use belfry_protocol::keeper::{LaunchErrorKind, LaunchReply, LaunchSpec, OsText};
use common::{Rig, launch, launch_text};

fn failure(spec: &LaunchSpec) -> LaunchErrorKind {
    match launch(spec) {
        LaunchReply::Failed(error) => error.kind,
        LaunchReply::Started(_) => panic!("it started"),
    }
}

#[test]
#[ntest::timeout(30000)]
fn the_program_gets_exactly_what_was_given() {
    let rig = Rig::new();
    let mut spec =
        rig.spec("env; pwd; umask; tty >/dev/null && echo terminal; stty size; ls /proc/self/fd | wc -l");
    spec.env.push(("ODD".into(), OsText::Bytes(b"\xff\xfe".to_vec())));
    spec.umask = Some(0o027);
    (spec.cols, spec.rows) = (101, 33);
    let run = rig.start_spec(&spec);
    run.wait_gone();
    let output = run.recorded().output;
    let text = String::from_utf8_lossy(&output);
    let lines: Vec<&str> = text.lines().collect();
    // The shell sets PWD and perhaps `_` and such by itself.
    assert!(lines.contains(&"TERM=xterm") && lines.contains(&"PATH=/usr/bin:/bin"), "{text}");
    assert!(output.windows(6).any(|bytes| bytes == b"ODD=\xff\xfe"));
    assert!(!text.contains("HOME=") && !text.contains("BELFRY"), "{text}");
    assert!(lines.contains(&rig.dir.path().to_str().unwrap()));
    assert!(lines.contains(&"0027") && lines.contains(&"terminal") && lines.contains(&"33 101"), "{text}");
    // stdin, stdout, stderr and the directory that ls reads.
    assert_eq!(lines.last(), Some(&"4"), "{text}");
}

#[cfg(target_os = "linux")]
#[test]
#[ntest::timeout(30000)]
fn no_signal_is_ignored_or_blocked_in_the_program() {
    let rig = Rig::new();
    let run = rig.start("grep -E '^Sig(Blk|Ign)' /proc/self/status");
    run.wait_gone();
    let text = run.output();
    // Signals 32 and 33 belong to the C library, which lets nobody touch them, and may have been inherited ignored.
    let internal: u64 = 0b11 << 31;
    let sets = text.lines().filter_map(|line| line.split_whitespace().nth(1));
    let sets: Vec<u64> = sets.map(|set| u64::from_str_radix(set, 16).unwrap() & !internal).collect();
    assert_eq!(sets, [0, 0], "{text}");
}

#[test]
#[ntest::timeout(30000)]
fn a_program_is_looked_up_in_the_given_path() {
    let rig = Rig::new();
    let tools = rig.dir.path().join("tools");
    std::fs::create_dir(&tools).unwrap();
    let tool = tools.join("belfry-test-tool");
    std::fs::write(&tool, "#!/bin/sh\necho found\n").unwrap();
    std::fs::set_permissions(&tool, std::fs::Permissions::from_mode(0o755)).unwrap();
    let mut spec = rig.spec("");
    spec.argv = vec!["belfry-test-tool".into()];
    assert_eq!(failure(&spec), LaunchErrorKind::ProgramNotFound);
    let mut spec = rig.spec("");
    spec.argv = vec!["belfry-test-tool".into()];
    spec.env = vec![("PATH".into(), tools.into())];
    let run = rig.start_spec(&spec);
    run.wait_gone();
    assert_eq!(run.output(), "found\r\n");
}

#[test]
#[ntest::timeout(30000)]
fn what_cannot_start_says_why_and_leaves_nothing() {
    let rig = Rig::new();
    let file = rig.dir.path().join("plain");
    std::fs::write(&file, "text").unwrap();
    let base = || rig.spec("true");
    let cases = [
        (LaunchSpec { argv: vec!["/no/such/program".into()], ..base() }, LaunchErrorKind::ProgramNotFound),
        (LaunchSpec { argv: vec![file.clone().into()], ..base() }, LaunchErrorKind::ProgramNotExecutable),
        (LaunchSpec { argv: vec![], ..base() }, LaunchErrorKind::Spec),
        (LaunchSpec { argv: vec!["a\0b".into()], ..base() }, LaunchErrorKind::Spec),
        (LaunchSpec { cwd: "/no/such/directory".into(), ..base() }, LaunchErrorKind::Cwd),
        (LaunchSpec { cwd: file.into(), ..base() }, LaunchErrorKind::Cwd),
        (LaunchSpec { cwd: "relative".into(), ..base() }, LaunchErrorKind::Cwd),
        (LaunchSpec { cols: 0, ..base() }, LaunchErrorKind::Spec),
        (LaunchSpec { keepers_dir: "/no/such/directory".into(), ..base() }, LaunchErrorKind::Socket),
        (LaunchSpec { run_dir: "/no/such/directory".into(), ..base() }, LaunchErrorKind::Journal),
    ];
    for (spec, kind) in cases {
        assert_eq!(failure(&spec), kind, "{spec:?}");
        let run_dir = std::path::PathBuf::from(spec.run_dir.clone());
        let journal = std::fs::read_dir(run_dir.join("journal")).map_or(0, Iterator::count);
        assert_eq!(journal, 0, "{spec:?}");
        assert!(!run_dir.join(".exit.json.reserved").exists(), "{spec:?}");
    }
    assert_eq!(std::fs::read_dir(rig.home.keepers_dir()).unwrap().count(), 0);
    for text in ["", "{", "{\"session\":1}"] {
        assert!(matches!(launch_text(text), LaunchReply::Failed(e) if e.kind == LaunchErrorKind::Spec));
    }
}

#[test]
#[ntest::timeout(30000)]
fn a_deep_home_with_spaces_works() {
    let rig = Rig::new();
    let deep = rig.dir.path().join(format!("{}/ü ß/{}", "d".repeat(120), "e".repeat(120)));
    let home = belfry_platform::Home::at(&deep);
    home.prepare().unwrap();
    let deep = Rig { home, dir: rig.dir };
    let run = deep.start("read line; exit 6");
    assert!(run.socket.as_os_str().len() > 250);
    let mut daemon = run.connect();
    daemon.input(b"\n");
    assert_eq!(daemon.wait_for_exit().code, Some(6));
}

#[test]
#[ntest::timeout(30000)]
fn a_socket_whose_name_was_removed_comes_back() {
    let rig = Rig::new();
    let run = rig.start("read line; exit 2");
    std::fs::remove_dir_all(rig.home.keepers_dir()).unwrap();
    belfry_platform::process::signal(run.keeper, rustix::process::Signal::USR1);
    common::wait_until("the name", || run.socket.exists());
    let mut daemon = run.connect();
    daemon.input(b"\n");
    assert_eq!(daemon.wait_for_exit().code, Some(2));
}

#[cfg(target_os = "linux")]
#[test]
#[ntest::timeout(30000)]
fn a_private_run_leaves_nothing_on_a_disk() {
    let rig = Rig::new();
    let mut spec = rig.spec("echo secret words");
    let run_dir = rig.home.create_run("session", spec.run, true).unwrap();
    spec.run_dir = run_dir.path().to_path_buf().into();
    spec.private = true;
    std::fs::remove_dir_all(rig.home.session_dir("session")).unwrap();
    let run = rig.start_spec(&spec);
    assert_eq!(run.exit().code, Some(0));
    assert_eq!(run.output(), "secret words\r\n");
    let on_disk = std::fs::read_dir(rig.home.sessions_dir()).unwrap().count();
    assert_eq!(on_disk, 0);
    std::fs::remove_dir_all(rig.home.private_dir().unwrap()).unwrap();
}

#[cfg(target_os = "linux")]
#[test]
#[ntest::timeout(30000)]
fn files_and_sockets_are_closed_to_others() {
    let rig = Rig::new();
    let run = rig.start("read line");
    let mut files = vec![run.socket.clone(), run.run_dir.join(".exit.json.reserved")];
    files.extend(std::fs::read_dir(run.journal()).unwrap().map(|entry| entry.unwrap().path()));
    assert_eq!(files.len(), 3);
    for file in files {
        let mode = std::fs::symlink_metadata(&file).unwrap().permissions().mode();
        assert_eq!(mode & 0o777, 0o600, "{}", file.display());
    }
    let mode = std::fs::metadata(run.journal()).unwrap().permissions().mode();
    assert_eq!(mode & 0o777, 0o700);
}
