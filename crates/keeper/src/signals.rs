//! Signals to the keeper itself, turned into bytes on a pipe that the loop polls.

use std::io;
use std::os::fd::{AsFd, AsRawFd, BorrowedFd, IntoRawFd, OwnedFd};
use std::sync::atomic::{AtomicI32, Ordering};

use rustix::pipe::{PipeFlags, pipe_with};

/// Where the handler writes. A number, since a handler may touch nothing else.
static PIPE: AtomicI32 = AtomicI32::new(-1);

/// What arrived since the last look.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Arrived {
    /// A child has ended.
    pub(crate) child: bool,
    /// We are asked to end.
    pub(crate) end: bool,
    /// Somebody does not find our socket (SIGUSR1).
    pub(crate) look_at_name: bool,
}

pub(crate) struct Signals {
    pipe: OwnedFd,
}

impl Signals {
    /// Sets the handlers. SIGHUP, SIGINT and their like mean nothing to a process without a terminal, a peer that is
    /// gone is seen from the write, and a file-size limit from the error.
    pub(crate) fn install() -> io::Result<Self> {
        let (read, write) = pipe_with(PipeFlags::CLOEXEC | PipeFlags::NONBLOCK)?;
        PIPE.store(write.into_raw_fd(), Ordering::Relaxed);
        for signal in [libc::SIGCHLD, libc::SIGTERM, libc::SIGUSR1] {
            set(signal, on_signal as *const () as libc::sighandler_t)?;
        }
        let ignored = [
            libc::SIGHUP,
            libc::SIGINT,
            libc::SIGPIPE,
            libc::SIGXFSZ,
            libc::SIGTSTP,
            libc::SIGTTIN,
            libc::SIGTTOU,
            libc::SIGUSR2,
        ];
        for signal in ignored {
            set(signal, libc::SIG_IGN)?;
        }
        Ok(Self { pipe: read })
    }

    pub(crate) fn fd(&self) -> BorrowedFd<'_> {
        self.pipe.as_fd()
    }

    /// Takes all that arrived.
    pub(crate) fn take(&self) -> Arrived {
        let mut arrived = Arrived::default();
        let mut buffer = [0; 64];
        while let Ok(count) = rustix::io::read(&self.pipe, &mut buffer) {
            arrived.child |= buffer[..count].contains(&(libc::SIGCHLD as u8));
            arrived.end |= buffer[..count].contains(&(libc::SIGTERM as u8));
            arrived.look_at_name |= buffer[..count].contains(&(libc::SIGUSR1 as u8));
            if count < buffer.len() {
                break;
            }
        }
        arrived
    }
}

fn set(signal: libc::c_int, handler: libc::sighandler_t) -> io::Result<()> {
    // SAFETY: all-zero is a valid sigaction; the handler does nothing but an async-signal-safe write.
    let result = unsafe {
        let mut action: libc::sigaction = std::mem::zeroed();
        action.sa_sigaction = handler;
        action.sa_flags = libc::SA_RESTART;
        libc::sigaction(signal, &raw const action, std::ptr::null_mut())
    };
    if result == 0 { Ok(()) } else { Err(io::Error::last_os_error()) }
}

extern "C" fn on_signal(signal: libc::c_int) {
    let byte = signal as u8;
    // SAFETY: write is async-signal-safe, the byte lives, and errno is put back for the code that was interrupted. A full
    // pipe already holds what the loop needs to know.
    unsafe {
        let errno = errno_place();
        let before = *errno;
        libc::write(PIPE.load(Ordering::Relaxed), (&raw const byte).cast(), 1);
        *errno = before;
    }
}

#[cfg(target_os = "linux")]
unsafe fn errno_place() -> *mut libc::c_int {
    // SAFETY: always valid for the calling thread.
    unsafe { libc::__errno_location() }
}

#[cfg(not(target_os = "linux"))]
unsafe fn errno_place() -> *mut libc::c_int {
    // SAFETY: always valid for the calling thread.
    unsafe { libc::__error() }
}

/// Points stdin, stdout and stderr at nothing: whoever started us must not be held up by our life.
pub(crate) fn close_stdio() -> io::Result<()> {
    let null = rustix::fs::open("/dev/null", rustix::fs::OFlags::RDWR, rustix::fs::Mode::empty())?;
    rustix::stdio::dup2_stdin(&null)?;
    rustix::stdio::dup2_stdout(&null)?;
    rustix::stdio::dup2_stderr(&null)?;
    if null.as_raw_fd() <= 2 {
        std::mem::forget(null);
    }
    Ok(())
}
