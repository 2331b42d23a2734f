//! Sockets, peers and locks as two processes would meet them.
#![cfg(unix)]
#![allow(clippy::unwrap_used, missing_docs)]

use std::io::{ErrorKind, Read, Write};
use std::os::unix::fs::PermissionsExt;
use std::path::PathBuf;
use std::process::{Command, Stdio};

use belfry_platform::lock::{self, FileLock};
use belfry_platform::process::{self, Identity};
use belfry_platform::{directory, peer, socket};
use tempfile::TempDir;

fn private(name: &str) -> (TempDir, PathBuf) {
    let temp = tempfile::tempdir().unwrap();
    let dir = temp.path().join(name);
    directory::create_private(&dir).unwrap();
    (temp, dir)
}

#[cfg(target_os = "linux")]
#[test]
#[ntest::timeout(30000)]
fn a_socket_works_at_the_end_of_a_long_and_odd_path() {
    let (_temp, dir) = private(&format!("sp ace/ü{}/{}", "x".repeat(200), "y".repeat(200)));
    let path = dir.join("a.sock");
    let listener = socket::bind(&path).unwrap();
    assert_eq!(std::fs::symlink_metadata(&path).unwrap().permissions().mode() & 0o777, 0o600);
    let mut client = socket::connect(&path).unwrap();
    client.write_all(b"hello").unwrap();
    drop(client);
    let (mut server, _) = listener.accept().unwrap();
    let mut text = String::new();
    server.read_to_string(&mut text).unwrap();
    assert_eq!(text, "hello");
}

#[test]
#[ntest::timeout(30000)]
fn a_stale_socket_is_told_from_none_and_replaced_in_one_step() {
    let (_temp, dir) = private("d");
    let path = dir.join("a.sock");
    assert_eq!(socket::connect(&path).unwrap_err().kind(), ErrorKind::NotFound);
    drop(socket::bind(&path).unwrap());
    assert_eq!(socket::connect(&path).unwrap_err().kind(), ErrorKind::ConnectionRefused);
    assert_eq!(socket::bind(&path).unwrap_err().kind(), ErrorKind::AddrInUse);
    let _listener = socket::bind_replacing(&path).unwrap();
    socket::connect(&path).unwrap();
    let again = socket::bind_replacing(&path).unwrap();
    socket::connect(&path).unwrap();
    again.accept().unwrap();
    socket::remove(&path).unwrap();
    socket::remove(&path).unwrap();
    assert_eq!(std::fs::read_dir(&dir).unwrap().count(), 0);
}

#[test]
#[ntest::timeout(30000)]
fn a_socket_in_a_directory_that_others_may_write_is_not_trusted() {
    let (_temp, dir) = private("d");
    let path = dir.join("a.sock");
    let _listener = socket::bind(&path).unwrap();
    std::fs::set_permissions(&dir, std::fs::Permissions::from_mode(0o777)).unwrap();
    assert_eq!(socket::connect(&path).unwrap_err().kind(), ErrorKind::PermissionDenied);
    assert_eq!(socket::bind(&dir.join("b.sock")).unwrap_err().kind(), ErrorKind::PermissionDenied);
}

#[cfg(target_os = "linux")]
#[test]
#[ntest::timeout(30000)]
fn a_peer_is_who_connected() {
    let (_temp, dir) = private("d");
    let path = dir.join("a.sock");
    let listener = socket::bind(&path).unwrap();
    let _client = socket::connect(&path).unwrap();
    let (server, _) = listener.accept().unwrap();
    assert!(peer::is_ours(&server).unwrap());
    assert_eq!(peer::pid(&server).unwrap(), Some(std::process::id()));
    assert_eq!(peer::ancestry(&server), process::ancestry(std::process::id()));
    if let Some(pidfd) = peer::pidfd(&server).unwrap() {
        rustix::process::pidfd_send_signal(&pidfd, rustix::process::Signal::CONT).unwrap();
    }
}

#[test]
#[ntest::timeout(30000)]
fn a_lock_has_one_owner_and_ends_with_it() {
    let (_temp, dir) = private("d");
    let path = dir.join("daemon.lock");
    let held = FileLock::try_acquire(&path).unwrap().unwrap();
    assert!(FileLock::try_acquire(&path).unwrap().is_none());
    assert_eq!(std::fs::read_to_string(&path).unwrap(), format!("{}\n", std::process::id()));
    if cfg!(target_os = "linux") {
        assert_eq!(lock::holder(&path), Some(std::process::id()));
    }
    drop(held);
    // Another test's child has a copy of the file, and with it of the lock, between its fork and its exec.
    while lock::holder(&path).is_some() {
        std::thread::yield_now();
    }
    while FileLock::try_acquire(&path).unwrap().is_none() {
        std::thread::yield_now();
    }
}

#[cfg(target_os = "linux")]
#[test]
#[ntest::timeout(30000)]
fn descendants_and_their_end_are_seen() {
    let mut child = Command::new("/bin/sh")
        .args(["-c", "sleep 1000 & echo $!; wait"])
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut line = [0; 16];
    let count = child.stdout.as_mut().unwrap().read(&mut line).unwrap();
    let grandchild: u32 = std::str::from_utf8(&line[..count]).unwrap().trim().parse().unwrap();
    let grandchild = Identity::of(grandchild).unwrap();

    let found = process::descendants(std::process::id());
    assert!(found.iter().any(|member| member.identity == grandchild));
    let chain: Vec<u32> =
        process::ancestry(grandchild.pid).unwrap().iter().map(|identity| identity.pid).collect();
    assert_eq!(chain[..3], [grandchild.pid, child.id(), std::process::id()]);

    let end = process::pidfd_open(grandchild.pid).unwrap();
    assert!(process::signal(grandchild, rustix::process::Signal::KILL));
    let mut fds = [rustix::event::PollFd::new(&end, rustix::event::PollFlags::IN)];
    rustix::event::poll(&mut fds, None).unwrap();
    assert!(!grandchild.is_alive());
    child.wait().unwrap();
    let impostor = Identity { pid: std::process::id(), start: 1 };
    assert!(!process::signal(impostor, rustix::process::Signal::KILL), "a reused id is not hit");
}
