//! Folders whose changes are waited for.

pub(crate) use platform::Changes;

#[cfg(target_os = "linux")]
mod platform {
    //! Linux: inotify. macOS: `kqueue(EVFILT_VNODE)` on the folders; Windows: `ReadDirectoryChangesW`.

    use std::io;
    use std::os::fd::OwnedFd;
    use std::path::Path;

    use rustix::fs::inotify::{self, CreateFlags, WatchFlags};
    use tokio::io::unix::AsyncFd;

    pub(crate) struct Changes {
        queue: AsyncFd<OwnedFd>,
    }

    impl Changes {
        /// Those that are there are watched.
        pub(crate) fn of(folders: &[&Path]) -> io::Result<Self> {
            let queue = inotify::init(CreateFlags::CLOEXEC | CreateFlags::NONBLOCK)?;
            // SAFETY: the descriptor is owned, and stays open and the same for as long as it is registered.
            let queue = unsafe { AsyncFd::register(queue) }?;
            let changes = Self { queue };
            for folder in folders {
                changes.watch(folder);
            }
            Ok(changes)
        }

        /// Watches a folder; one that is watched already is watched once.
        pub(crate) fn watch(&self, folder: &Path) {
            let what = WatchFlags::CLOSE_WRITE
                | WatchFlags::MOVED_TO
                | WatchFlags::MOVED_FROM
                | WatchFlags::CREATE
                | WatchFlags::DELETE
                | WatchFlags::ONLYDIR;
            let _ = inotify::add_watch(self.queue.get_ref(), folder, what);
        }

        /// Completes when something has changed.
        pub(crate) async fn next(&mut self) -> io::Result<()> {
            let mut ready = self.queue.readable().await?;
            ready.clear_ready();
            drop(ready);
            self.drain();
            Ok(())
        }

        /// Forgets what has changed so far.
        pub(crate) fn drain(&mut self) {
            let mut buffer = [0; 4096];
            while rustix::io::read(self.queue.get_ref(), &mut buffer).is_ok_and(|bytes| bytes > 0) {}
        }
    }
}

#[cfg(not(target_os = "linux"))]
mod platform {
    use std::io;
    use std::path::Path;

    pub(crate) struct Changes;

    impl Changes {
        pub(crate) fn of(_folders: &[&Path]) -> io::Result<Self> {
            Err(io::ErrorKind::Unsupported.into())
        }

        pub(crate) fn watch(&self, _folder: &Path) {}

        pub(crate) async fn next(&mut self) -> io::Result<()> {
            std::future::pending().await
        }

        pub(crate) fn drain(&mut self) {}
    }
}
