//! The terminal, and the start of the program on it.

use std::ffi::OsString;
use std::io;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use belfry_protocol::keeper::{LaunchError, LaunchErrorKind, LaunchSpec};
use rustix::fs::{Access, AtFlags, CWD, Mode, OFlags, accessat, open};
use rustix::pty::{OpenptFlags, grantpt, openpt, unlockpt};
use rustix::termios::{
    InputModes, LocalModes, OptionalActions, Winsize, tcgetattr, tcgetpgrp, tcgetwinsize, tcsetattr,
    tcsetwinsize,
};

/// How the terminal takes what is typed.
#[derive(Clone, Copy)]
pub(crate) struct Line {
    /// It is shown.
    pub(crate) echo: bool,
    /// The program gets whole lines.
    pub(crate) whole: bool,
}

/// Both ends of a terminal.
///
/// The program's end is kept open here as well. Otherwise a program that closes its own for a moment (to open `/dev/tty`
/// again) would look like a hang-up; the end is known from waiting for the process, never from end-of-file.
pub(crate) struct Pty {
    master: OwnedFd,
    slave: OwnedFd,
    size: (u16, u16),
}

impl Pty {
    /// A new terminal, in the kernel's default modes but for `IUTF8`: erasing takes a whole character.
    pub(crate) fn open(cols: u16, rows: u16) -> io::Result<Self> {
        let master = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY | cloexec())?;
        grantpt(&master)?;
        unlockpt(&master)?;
        rustix::io::fcntl_setfd(&master, rustix::io::FdFlags::CLOEXEC)?;
        let slave = open_slave(&master)?;
        let mut modes = tcgetattr(&slave)?;
        modes.input_modes |= InputModes::IUTF8;
        tcsetattr(&slave, OptionalActions::Now, &modes)?;
        rustix::fs::fcntl_setfl(&master, OFlags::NONBLOCK)?;
        let mut pty = Self { master, slave, size: (0, 0) };
        pty.resize(cols, rows)?;
        Ok(pty)
    }

    pub(crate) fn size(&self) -> (u16, u16) {
        self.size
    }

    /// The size that somebody else has given it, once.
    pub(crate) fn changed_size(&mut self) -> Option<(u16, u16)> {
        let size = tcgetwinsize(&self.master).ok()?;
        let size = (size.ws_col, size.ws_row);
        let sane = (1..=crate::keeper::SIZE_LIMIT).contains(&size.0)
            && (1..=crate::keeper::SIZE_LIMIT).contains(&size.1);
        if size == self.size || !sane {
            return None;
        }
        self.size = size;
        Some(size)
    }

    /// The kernel signals the foreground group only when the size really changes.
    pub(crate) fn resize(&mut self, cols: u16, rows: u16) -> io::Result<()> {
        tcsetwinsize(&self.master, Winsize { ws_col: cols, ws_row: rows, ws_xpixel: 0, ws_ypixel: 0 })?;
        self.size = (cols, rows);
        Ok(())
    }

    /// Bytes printed; 0 when there are none now.
    pub(crate) fn read(&self, buffer: &mut [u8]) -> io::Result<usize> {
        match rustix::io::retry_on_intr(|| rustix::io::read(&self.master, &mut *buffer)) {
            Ok(count) => Ok(count),
            Err(rustix::io::Errno::WOULDBLOCK) => Ok(0),
            Err(errno) => Err(errno.into()),
        }
    }

    /// Bytes taken; 0 when the program's side is full.
    pub(crate) fn write(&self, bytes: &[u8]) -> io::Result<usize> {
        match rustix::io::retry_on_intr(|| rustix::io::write(&self.master, bytes)) {
            Ok(count) => Ok(count),
            Err(rustix::io::Errno::WOULDBLOCK) => Ok(0),
            Err(errno) => Err(errno.into()),
        }
    }

    /// The process group that Ctrl-C would go to.
    pub(crate) fn foreground(&self) -> Option<rustix::process::Pid> {
        tcgetpgrp(&self.master).ok()
    }

    /// How it takes what is typed, as the program has set it.
    pub(crate) fn line(&self) -> Option<Line> {
        // Of the program's end: not every system gives the modes at the other one.
        let modes = tcgetattr(&self.slave).ok()?.local_modes;
        Some(Line { echo: modes.contains(LocalModes::ECHO), whole: modes.contains(LocalModes::ICANON) })
    }

    /// The device number of the program's end.
    pub(crate) fn device(&self) -> Option<u64> {
        // On some systems the number is of another width.
        #[allow(clippy::useless_conversion, clippy::unnecessary_fallible_conversions)]
        rustix::fs::fstat(&self.slave).ok().and_then(|stat| u64::try_from(stat.st_rdev).ok())
    }

    pub(crate) fn master(&self) -> BorrowedFd<'_> {
        self.master.as_fd()
    }

    /// Starts the program as the leader of a process session of its own, with this as its controlling terminal.
    pub(crate) fn spawn(&self, spec: &LaunchSpec, umask: u32) -> Result<u32, LaunchError> {
        let cwd = PathBuf::from(spec.cwd.clone());
        check_directory(&cwd)?;
        let mut argv = spec.argv.iter().cloned().map(OsString::from);
        let program = argv.next().filter(|program| !program.is_empty());
        let program = program.ok_or_else(|| LaunchError {
            kind: LaunchErrorKind::Spec,
            message: "no program was given".into(),
            errno: None,
        })?;
        let mut command = Command::new(&program);
        command.args(argv).current_dir(&cwd).env_clear();
        command.envs(
            spec.env.iter().cloned().map(|(name, value)| (OsString::from(name), OsString::from(value))),
        );
        let end = || {
            self.slave
                .try_clone()
                .map(Stdio::from)
                .map_err(|error| failed(LaunchErrorKind::Pty, "cannot share the terminal", &error))
        };
        command.stdin(end()?).stdout(end()?).stderr(end()?);
        let umask = spec.umask.unwrap_or(umask);
        // SAFETY: the closure runs between fork and exec and makes only calls that are safe there: no memory is
        // allocated and no lock is taken.
        unsafe {
            command.pre_exec(move || prepare_child(umask));
        }
        let child = command.spawn().map_err(|error| start_failed(&program, &error))?;
        // Nothing is lost with the handle: the process is waited for by its id.
        Ok(child.id())
    }
}

#[cfg(target_os = "linux")]
fn cloexec() -> OpenptFlags {
    OpenptFlags::CLOEXEC
}

#[cfg(not(target_os = "linux"))]
fn cloexec() -> OpenptFlags {
    OpenptFlags::empty()
}

/// The other end of this very terminal, without a look-up under `/dev/pts` that a mount could divert.
#[cfg(target_os = "linux")]
fn open_slave(master: &OwnedFd) -> io::Result<OwnedFd> {
    Ok(rustix::pty::ioctl_tiocgptpeer(
        master,
        OpenptFlags::RDWR | OpenptFlags::NOCTTY | OpenptFlags::CLOEXEC,
    )?)
}

#[cfg(not(target_os = "linux"))]
fn open_slave(master: &OwnedFd) -> io::Result<OwnedFd> {
    let name = rustix::pty::ptsname(master, Vec::new())?;
    Ok(open(name, OFlags::RDWR | OFlags::NOCTTY | OFlags::CLOEXEC, Mode::empty())?)
}

/// In the child: default signals, a process session, the terminal.
fn prepare_child(umask: u32) -> io::Result<()> {
    // What ignores a signal passes that on through exec: a daemon started by nohup would give every program a deaf ear
    // for SIGHUP. Numbers that cannot be set are skipped by the system.
    for signal in 1..=64 {
        // SAFETY: async-signal-safe, and SIG_DFL is no handler of ours.
        unsafe { libc::signal(signal, libc::SIG_DFL) };
    }
    rustix::process::setsid()?;
    // SAFETY: std has made the terminal our stdin by now.
    rustix::process::ioctl_tiocsctty(unsafe { BorrowedFd::borrow_raw(0) })?;
    rustix::process::umask(Mode::from_raw_mode(umask as rustix::fs::RawMode));
    Ok(())
}

/// std reports a directory that cannot be entered and a program that does not exist with the same error.
fn check_directory(cwd: &Path) -> Result<(), LaunchError> {
    let refuse = |error: &io::Error| {
        let message = format!("cannot start in {}", cwd.display());
        failed(LaunchErrorKind::Cwd, &message, error)
    };
    if !cwd.is_absolute() {
        return Err(refuse(&io::Error::new(io::ErrorKind::InvalidInput, "the path is not absolute")));
    }
    let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC;
    match open(cwd, flags, Mode::empty()) {
        // A directory may be entered and yet not be listed.
        Ok(_) | Err(rustix::io::Errno::ACCESS) => {}
        Err(errno) => return Err(refuse(&errno.into())),
    }
    accessat(CWD, cwd, Access::EXEC_OK, AtFlags::empty()).map_err(|errno| refuse(&errno.into()))
}

fn start_failed(program: &std::ffi::OsStr, error: &io::Error) -> LaunchError {
    let kind = match error.kind() {
        io::ErrorKind::NotFound => LaunchErrorKind::ProgramNotFound,
        io::ErrorKind::InvalidInput => LaunchErrorKind::Spec,
        io::ErrorKind::PermissionDenied | io::ErrorKind::IsADirectory | io::ErrorKind::NotADirectory => {
            LaunchErrorKind::ProgramNotExecutable
        }
        _ if error.raw_os_error() == Some(libc::ENOEXEC) => LaunchErrorKind::ProgramNotExecutable,
        _ => LaunchErrorKind::System,
    };
    failed(kind, &format!("cannot start {}", program.display()), error)
}

pub(crate) fn failed(kind: LaunchErrorKind, message: &str, error: &io::Error) -> LaunchError {
    LaunchError { kind, message: format!("{message}: {error}"), errno: error.raw_os_error() }
}
