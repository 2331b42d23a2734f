//! From a specification on stdin to a detached keeper with a running program.

use std::io::{self, Read, Write};
use std::os::unix::net::UnixListener;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use belfry_journal::{Stamp, Writer};
use belfry_platform::{clock, directory, process, socket};
use belfry_protocol::keeper::{LaunchError, LaunchErrorKind, LaunchReply, LaunchSpec, Started, VERSION};
use rustix::fs::Mode;

use crate::ending::ExitFile;
use crate::keeper::{Keeper, Parts};
use crate::pty::{Pty, failed};
use crate::signals::{Signals, close_stdio};

/// Longest specification in bytes. An environment and arguments that exec accepts are at most a few MB.
const SPEC_LIMIT: u64 = 32 * 1024 * 1024;

/// The whole life of the process.
pub(crate) fn run() -> ExitCode {
    // Nothing that the daemon happens to have open may live on here or in the program.
    close_inherited();
    give_memory_back();
    let spec = match read_spec() {
        Ok(spec) => spec,
        Err(error) => return refuse(error),
    };
    if let Err(error) = detach() {
        return refuse(failed(LaunchErrorKind::System, "cannot detach", &error));
    }
    let keeper = match launch(&spec) {
        Ok((keeper, started)) => {
            reply(&LaunchReply::Started(started));
            keeper
        }
        Err(error) => return refuse(error),
    };
    // The specification holds the whole environment; none of it is needed any more.
    drop(spec);
    let _ = close_stdio();
    keeper.run();
    ExitCode::SUCCESS
}

fn refuse(error: LaunchError) -> ExitCode {
    reply(&LaunchReply::Failed(error));
    ExitCode::FAILURE
}

/// A daemon that died meanwhile is no reason to end: the next one finds the socket.
fn reply(reply: &LaunchReply) {
    if let Ok(mut line) = serde_json::to_vec(reply) {
        line.push(b'\n');
        let _ = io::stdout().lock().write_all(&line);
        let _ = io::stdout().flush();
    }
}

fn read_spec() -> Result<LaunchSpec, LaunchError> {
    let mut text = Vec::new();
    io::stdin()
        .lock()
        .take(SPEC_LIMIT)
        .read_to_end(&mut text)
        .map_err(|error| failed(LaunchErrorKind::Spec, "cannot read the launch specification", &error))?;
    let invalid = |message: String| LaunchError { kind: LaunchErrorKind::Spec, message, errno: None };
    let spec: LaunchSpec = serde_json::from_slice(&text).map_err(|_| {
        invalid("the launch specification is not understood: is the daemon of another version?".into())
    })?;
    if spec.cols == 0 || spec.rows == 0 {
        return Err(invalid("a terminal needs at least one column and one row".into()));
    }
    Ok(spec)
}

/// Lets glibc take what is larger than a few pages (a piece of a paste, the specification) straight from the kernel, so
/// that it goes back there when it is freed. By default a paste of 4 MB leaves a heap of 5 MB behind for good.
#[cfg(all(target_os = "linux", target_env = "gnu"))]
fn give_memory_back() {
    // SAFETY: only sets numbers of the allocator, before there is another thread.
    unsafe {
        libc::mallopt(libc::M_MMAP_THRESHOLD, 16 * 1024);
        libc::mallopt(libc::M_TRIM_THRESHOLD, 32 * 1024);
    }
}

/// Other allocators do so by themselves.
#[cfg(not(all(target_os = "linux", target_env = "gnu")))]
fn give_memory_back() {}

#[cfg(target_os = "linux")]
fn close_inherited() {
    // SAFETY: no descriptor above 2 belongs to anything in this process yet. A kernel before 5.9 says no; the daemon
    // marks all of its own as close-on-exec anyway.
    unsafe { libc::syscall(libc::SYS_close_range, 3_u32, u32::MAX, 0_u32) };
}

#[cfg(not(target_os = "linux"))]
fn close_inherited() {
    for fd in 3..256 {
        // SAFETY: no descriptor above 2 belongs to anything in this process yet.
        unsafe { libc::close(fd) };
    }
}

/// Becomes a process that nobody waits for and that has no terminal and can get none.
fn detach() -> io::Result<()> {
    fork_and_leave()?;
    rustix::process::setsid()?;
    fork_and_leave()?;
    rustix::process::chdir("/")?;
    Ok(())
}

/// The parent ends here, without running anything that was registered for its end; the child goes on.
fn fork_and_leave() -> io::Result<()> {
    // SAFETY: there is one thread, so the child is a whole copy.
    match unsafe { libc::fork() } {
        -1 => Err(io::Error::last_os_error()),
        0 => Ok(()),
        // SAFETY: ends the process at once.
        _ => unsafe { libc::_exit(0) },
    }
}

fn launch(spec: &LaunchSpec) -> Result<(Keeper, Started), LaunchError> {
    let umask = rustix::process::umask(Mode::RWXG | Mode::RWXO);
    let run_dir = PathBuf::from(spec.run_dir.clone());
    let keepers_dir = PathBuf::from(spec.keepers_dir.clone());
    let system =
        |message: &'static str| move |error: io::Error| failed(LaunchErrorKind::System, message, &error);

    let signals = Signals::install().map_err(system("cannot handle signals"))?;
    process::become_subreaper().map_err(system("cannot adopt orphans"))?;
    let exit_file = ExitFile::reserve(&run_dir).map_err(|error| journal_failed(&run_dir, &error))?;
    let socket_path = keepers_dir.join(format!("{}.sock", spec.run));
    let opened = open_journal(spec, &run_dir);
    let writer = opened.inspect_err(|_| exit_file.discard())?;
    let started = start_program(spec, umask.bits(), &socket_path);
    let (pty, listener, program) = started.inspect_err(|_| {
        exit_file.discard();
        let _ = std::fs::remove_dir_all(run_dir.join("journal"));
    })?;
    let own = std::process::id();
    let started = Started {
        keeper_pid: own,
        program_pid: program,
        keeper_start: process::start_time(own).unwrap_or(0),
        program_start: process::start_time(program).unwrap_or(0),
        version: VERSION,
    };
    let parts = Parts {
        session: spec.session,
        run: spec.run,
        leftovers: spec.leftovers,
        program,
        pty,
        writer,
        exit_file,
        signals,
        listener,
        socket_path,
    };
    Ok((Keeper::new(parts), started))
}

/// The terminal, the socket, and last of all the program.
fn start_program(
    spec: &LaunchSpec,
    umask: u32,
    socket_path: &Path,
) -> Result<(Pty, UnixListener, u32), LaunchError> {
    let pty = Pty::open(spec.cols, spec.rows)
        .map_err(|error| failed(LaunchErrorKind::Pty, "cannot open a terminal", &error))?;
    let listener = socket::bind(socket_path)
        .and_then(|listener| listener.set_nonblocking(true).map(|()| listener))
        .map_err(|error| failed(LaunchErrorKind::Socket, "cannot listen for the daemon", &error))?;
    let program = pty.spawn(spec, umask).inspect_err(|_| {
        let _ = socket::remove(socket_path);
    })?;
    Ok((pty, listener, program))
}

fn open_journal(spec: &LaunchSpec, run_dir: &Path) -> Result<Writer, LaunchError> {
    let dir = run_dir.join("journal");
    directory::create_private(&dir).map_err(|error| LaunchError {
        kind: LaunchErrorKind::Journal,
        errno: error.io().and_then(io::Error::raw_os_error),
        message: error.to_string(),
    })?;
    let stamp = Stamp { mono: clock::monotonic(), wall: clock::wall() };
    Writer::create(&dir, spec.journal_cap, (spec.cols, spec.rows), stamp).map_err(|error| LaunchError {
        kind: LaunchErrorKind::Journal,
        message: error.to_string(),
        errno: None,
    })
}

fn journal_failed(run_dir: &Path, error: &io::Error) -> LaunchError {
    failed(LaunchErrorKind::Journal, &format!("cannot write in {}", run_dir.display()), error)
}
