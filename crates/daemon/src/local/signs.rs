//! Signs that an agent is being started somewhere on the machine: somebody opens its program, or a file appears where it
//! keeps its own. They say when to look and nothing else.

pub(super) use platform::Signs;

/// Folders below the home directory in which agents write when they start, and tmux's for its sockets beside them.
const FOLDERS: [&str; 11] = [
    ".claude",
    ".claude/sessions",
    ".codex",
    ".codex/sessions",
    ".codex/thread-writer-locks",
    ".gemini",
    ".gemini/tmp",
    ".local/share/opencode",
    ".local/share/opencode/log",
    ".aider",
    ".aider/caches",
];

#[cfg(target_os = "linux")]
mod platform {
    //! Linux: inotify, also of the opening of a program's file, which is how a program is started.
    //!
    //! Plan for macOS: an Endpoint Security client needs an entitlement, so FSEvents on the folders, and a look every few
    //! seconds while a window is open. Plan for Windows: `ReadDirectoryChangesW`, and WMI's `Win32_ProcessStartTrace` needs an
    //! administrator: the same.

    use std::collections::HashSet;
    use std::io;
    use std::os::fd::OwnedFd;
    use std::path::{Path, PathBuf};

    use rustix::fs::inotify::{self, CreateFlags, WatchFlags};
    use tokio::io::unix::AsyncFd;

    use super::FOLDERS;

    /// Programs that are watched, at most.
    const PROGRAMS: usize = 256;

    pub(in crate::local) struct Signs {
        queue: AsyncFd<OwnedFd>,
        programs: HashSet<PathBuf>,
    }

    impl Signs {
        pub(in crate::local) fn new() -> io::Result<Self> {
            let queue = inotify::init(CreateFlags::CLOEXEC | CreateFlags::NONBLOCK)?;
            // SAFETY: the descriptor is owned, and stays open and the same for as long as it is registered.
            let queue = unsafe { AsyncFd::register(queue) }?;
            Ok(Self { queue, programs: HashSet::new() })
        }

        /// The folders below a home directory. Those that have come since are watched from then on.
        pub(in crate::local) fn watch_home(&self, home: &Path) {
            for folder in FOLDERS {
                self.watch_folder(&home.join(folder));
            }
        }

        pub(in crate::local) fn watch_folder(&self, folder: &Path) {
            let what = WatchFlags::CLOSE_WRITE
                | WatchFlags::MOVED_TO
                | WatchFlags::CREATE
                | WatchFlags::DELETE
                | WatchFlags::ONLYDIR;
            let _ = inotify::add_watch(self.queue.get_ref(), folder, what);
        }

        /// A program, or the script that it is.
        pub(in crate::local) fn watch_program(&mut self, program: &Path) {
            let Ok(real) = program.canonicalize() else { return };
            if self.programs.len() < PROGRAMS && self.programs.insert(real.clone()) {
                let _ = inotify::add_watch(self.queue.get_ref(), &real, WatchFlags::OPEN);
            }
        }

        /// Completes at the next sign, of any number together.
        pub(in crate::local) async fn next(&self) -> io::Result<()> {
            let mut ready = self.queue.readable().await?;
            ready.clear_ready();
            let mut buffer = [0; 4096];
            while rustix::io::read(self.queue.get_ref(), &mut buffer).is_ok_and(|bytes| bytes > 0) {}
            Ok(())
        }
    }
}

#[cfg(not(target_os = "linux"))]
mod platform {
    use std::io;
    use std::path::Path;

    pub(in crate::local) struct Signs;

    impl Signs {
        pub(in crate::local) fn new() -> io::Result<Self> {
            Err(io::ErrorKind::Unsupported.into())
        }

        pub(in crate::local) fn watch_home(&self, _: &Path) {}

        pub(in crate::local) fn watch_folder(&self, _: &Path) {}

        pub(in crate::local) fn watch_program(&mut self, _: &Path) {}

        pub(in crate::local) async fn next(&self) -> io::Result<()> {
            std::future::pending().await
        }
    }
}
