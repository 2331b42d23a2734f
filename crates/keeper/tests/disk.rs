//! A disk that is full, on a small tmpfs of the test's own.
#![cfg(target_os = "linux")]
#![allow(clippy::unwrap_used, missing_docs)]

mod common;

use std::ffi::CString;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

use belfry_journal::GapReason;
use belfry_protocol::keeper::{FromKeeper, LaunchSpec, Notice, ToKeeper};
use common::{Daemon, Rig, Run, wait_until};

/// A mounted tmpfs, unmounted in the end.
struct SmallDisk(PathBuf);

impl SmallDisk {
    /// `None`, with the reason printed, where nothing may be mounted.
    fn mount(at: PathBuf, bytes: usize) -> Option<Self> {
        std::fs::create_dir(&at).unwrap();
        let path = CString::new(at.as_os_str().as_bytes()).unwrap();
        let options = CString::new(format!("size={bytes},mode=700")).unwrap();
        let kind = c"tmpfs".as_ptr();
        // SAFETY: all strings end with a zero and outlive the call.
        let result = unsafe { libc::mount(kind, path.as_ptr(), kind, 0, options.as_ptr().cast()) };
        if result != 0 {
            let error = std::io::Error::last_os_error();
            // Past the harness, which shows what a test prints only where it fails.
            let said = format!("left out: cannot mount a tmpfs: {error}\n");
            let _ = std::io::Write::write_all(&mut std::io::stderr(), said.as_bytes());
            assert!(std::env::var_os("CI").is_none(), "in CI nothing is left out");
            return None;
        }
        Some(Self(at))
    }

    fn fill(&self) {
        let block = [0; 4096];
        let mut file = std::fs::File::create(self.0.join("filler")).unwrap();
        while std::io::Write::write_all(&mut file, &block).is_ok() {}
    }

    fn empty(&self) {
        std::fs::remove_file(self.0.join("filler")).unwrap();
    }
}

impl Drop for SmallDisk {
    fn drop(&mut self) {
        let path = CString::new(self.0.as_os_str().as_bytes()).unwrap();
        // SAFETY: the string ends with a zero and outlives the call.
        unsafe { libc::umount2(path.as_ptr(), libc::MNT_DETACH) };
    }
}

fn start(rig: &Rig, disk: &Path, script: &str) -> Run {
    let run_dir = disk.join("run");
    belfry_platform::directory::create_private(&run_dir).unwrap();
    rig.start_spec(&LaunchSpec { run_dir: run_dir.into(), ..rig.spec(script) })
}

fn notice(daemon: &mut Daemon) -> Notice {
    daemon.wait_for("a notice", |frame| match frame {
        FromKeeper::Notice(notice) => Some(notice.clone()),
        _ => None,
    })
}

#[test]
#[ntest::timeout(60000)]
fn output_goes_on_in_memory_and_into_the_journal_when_there_is_room_again() {
    let rig = Rig::new();
    let Some(disk) = SmallDisk::mount(rig.dir.path().join("small disk"), 2 << 20) else { return };
    let run = start(&rig, &disk.0, "stty raw -echo; printf ready; exec cat");
    run.wait_for_output("ready");
    let mut daemon = run.connect();
    disk.fill();
    let text = "something that does not fit into what is left of the last page. ".repeat(200);
    daemon.input(text.as_bytes());
    let Notice::DiskFull { offset, errno } = notice(&mut daemon) else { panic!("another notice") };
    assert_eq!(errno, libc::ENOSPC);
    let before = run.recorded().output;
    assert_eq!(before.len() as u64, offset);
    // What the journal lacks comes over the socket, in order.
    let mut got = before;
    while got.len() < 5 + text.len() {
        let (offset, bytes) = daemon.wait_for("a tail", |frame| match frame {
            FromKeeper::Tail { offset, bytes } => Some((*offset, bytes.clone())),
            _ => None,
        });
        assert_eq!(offset, got.len() as u64);
        got.extend_from_slice(&bytes);
    }
    assert_eq!(got, format!("ready{text}").into_bytes());
    assert!(daemon.stat().tail > 0);
    // A new daemon is told anew.
    let (mut second, hello) = Daemon::connect(&run.socket);
    assert!(hello.disk_full && hello.journal_offset == offset);
    second.wait_for("a tail", |frame| match frame {
        FromKeeper::Tail { offset: at, .. } => (*at == offset).then_some(()),
        _ => None,
    });
    disk.empty();
    let Notice::DiskRecovered { from, to } = notice(&mut second) else { panic!("another notice") };
    assert_eq!(from, to, "nothing was lost");
    second.send(&ToKeeper::Input { id: 0, only_if_offset: None, bytes: b"end".to_vec() });
    run.wait_for_output("end");
    let recorded = run.recorded();
    assert_eq!(recorded.gaps, []);
    assert_eq!(recorded.output, format!("ready{text}end").into_bytes());
}

#[test]
#[ntest::timeout(60000)]
fn without_a_daemon_the_newest_megabyte_is_kept_and_the_hole_is_marked() {
    let rig = Rig::new();
    let Some(disk) = SmallDisk::mount(rig.dir.path().join("small disk"), 4 << 20) else { return };
    let run =
        start(&rig, &disk.0, "stty -onlcr; echo ready; read line; seq 1 600000; echo; read line; exit 8");
    run.wait_for_output("ready");
    disk.fill();
    run.connect().input(b"\n");
    let mut expected = b"ready\n\n".to_vec();
    expected.extend((1..=600_000).flat_map(|line| format!("{line}\n").into_bytes()));
    expected.push(b'\n');
    let printed = || Daemon::connect(&run.socket).1.offset;
    wait_until("all of it", || printed() == expected.len() as u64);
    disk.empty();
    wait_until("the tail in the journal", || run.recorded().output.ends_with(b"600000\n\n"));
    let recorded = run.recorded();
    let [gap] = recorded.gaps[..] else { panic!("{:?}", recorded.gaps) };
    assert_eq!(gap.reason, GapReason::DiskFull);
    assert_eq!(expected.len() as u64 - gap.to, 1 << 20);
    let (from, to) = (gap.from as usize, gap.to as usize);
    assert!(recorded.output == [&expected[..from], &expected[to..]].concat());
    run.connect().input(b"\n");
    assert_eq!(run.exit().code, Some(8));
}

#[test]
#[ntest::timeout(60000)]
fn the_end_is_recorded_though_the_disk_is_full() {
    let rig = Rig::new();
    let Some(disk) = SmallDisk::mount(rig.dir.path().join("small disk"), 2 << 20) else { return };
    let run = start(&rig, &disk.0, "echo ready; read line; seq 1 3000; exit 11");
    run.wait_for_output("ready");
    disk.fill();
    run.connect().input(b"\n");
    wait_until("exit.json", || run.run_dir.join("exit.json").exists());
    assert!(run.keeper.is_alive(), "the output is not in the journal yet");
    disk.empty();
    let exit = run.exit();
    assert_eq!(exit.code, Some(11));
    let recorded = run.recorded();
    assert_eq!(recorded.output.len() as u64, exit.offset);
    assert_eq!(recorded.exit.unwrap().code, Some(11));
}
