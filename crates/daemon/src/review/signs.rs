//! Files whose changes are waited for: those that git keeps of a working tree, and where there is room for it, the directories of
//! the files themselves. Ignored directories have no file that git knows, and are not among them.

use std::ffi::OsString;

pub(super) use platform::Signs;

/// What a sign is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum About {
    /// The files, or what is staged.
    Files,
    /// Some branch moved.
    Branches,
}

/// What a watched directory is.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) enum Kind {
    /// Files of the working tree.
    Files,
    /// Git's own of this working tree.
    Git,
    /// The one that all working trees of the repository share, with branches in one file.
    Packed,
    /// One that has this branch as a file.
    Branch(OsString),
}

/// What has come of watching a directory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Put {
    /// It is watched from now on.
    New,
    /// It was before.
    Known,
    /// It is not there.
    Missing,
    /// There are too many.
    NoRoom,
}

impl Kind {
    /// What a name that changed in it says.
    #[cfg_attr(not(target_os = "linux"), expect(dead_code, reason = "nothing is watched there yet"))]
    fn tells(&self, name: &[u8]) -> Option<About> {
        match self {
            // Git's own directory beside the files.
            Self::Files if name == b".git" => None,
            Self::Files => Some(About::Files),
            Self::Git => match name {
                b"index" | b"HEAD" | b"ORIG_HEAD" | b"MERGE_HEAD" | b"CHERRY_PICK_HEAD" | b"REVERT_HEAD"
                | b"rebase-merge" | b"rebase-apply" | b"BISECT_LOG" => Some(About::Files),
                _ => None,
            },
            Self::Packed => (name == b"packed-refs").then_some(About::Branches),
            Self::Branch(branch) => (name == branch.as_encoded_bytes()).then_some(About::Branches),
        }
    }
}

#[cfg(target_os = "linux")]
mod platform {
    //! Linux: one inotify queue for all. macOS: FSEvents, one stream for all working trees. Windows: `ReadDirectoryChangesW`.

    use std::collections::{HashMap, HashSet};
    use std::io;
    use std::mem::MaybeUninit;
    use std::os::fd::OwnedFd;
    use std::path::{Path, PathBuf};

    use rustix::fs::inotify::{self, CreateFlags, ReadFlags, WatchFlags};
    use tokio::io::unix::AsyncFd;

    use super::{About, Kind, Put};

    /// Directories of one working tree that are watched, and of all; each takes about a kilobyte of the kernel's memory.
    const MOST_OF_ONE: usize = 20_000;
    const MOST: usize = 100_000;

    /// A directory that is watched.
    struct Watched {
        path: PathBuf,
        users: HashSet<(PathBuf, Kind)>,
    }

    pub(in super::super) struct Signs {
        queue: AsyncFd<OwnedFd>,
        of: HashMap<i32, Watched>,
        by_root: HashMap<PathBuf, HashSet<i32>>,
        /// Directories that went away; they may come again.
        lost: HashMap<PathBuf, HashSet<PathBuf>>,
        room: usize,
    }

    impl Signs {
        pub(in super::super) fn new() -> io::Result<Self> {
            let queue = inotify::init(CreateFlags::CLOEXEC | CreateFlags::NONBLOCK)?;
            // SAFETY: the descriptor is owned, and stays open and the same for as long as it is registered.
            let queue = unsafe { AsyncFd::register(queue) }?;
            // The person's other programs, editors above all, want some of the same.
            let all = std::fs::read_to_string("/proc/sys/fs/inotify/max_user_watches");
            let all = all.ok().and_then(|text| text.trim().parse::<usize>().ok()).unwrap_or(8192);
            let room = MOST.min(all / 4);
            Ok(Self { queue, of: HashMap::new(), by_root: HashMap::new(), lost: HashMap::new(), room })
        }

        /// Watches a directory for a working tree.
        pub(in super::super) fn watch(&mut self, root: &Path, directory: &Path, kind: Kind) -> Put {
            let own = self.by_root.get(root).map_or(0, HashSet::len);
            if kind == Kind::Files && (own >= MOST_OF_ONE || self.of.len() >= self.room) {
                return Put::NoRoom;
            }
            let what = WatchFlags::CLOSE_WRITE
                | WatchFlags::MOVED_TO
                | WatchFlags::MOVED_FROM
                | WatchFlags::CREATE
                | WatchFlags::DELETE
                | WatchFlags::ATTRIB
                | WatchFlags::ONLYDIR
                | WatchFlags::DONT_FOLLOW;
            let number = match inotify::add_watch(self.queue.get_ref(), directory, what) {
                Ok(number) => number,
                Err(rustix::io::Errno::NOSPC | rustix::io::Errno::NOMEM) => return Put::NoRoom,
                Err(_) => return Put::Missing,
            };
            let watched = self
                .of
                .entry(number)
                .or_insert_with(|| Watched { path: directory.to_owned(), users: HashSet::new() });
            watched.users.insert((root.to_owned(), kind));
            let new = self.by_root.entry(root.to_owned()).or_default().insert(number);
            if new { Put::New } else { Put::Known }
        }

        /// Watches those again that went away and are there once more; whether there was one.
        pub(in super::super) fn watch_lost(&mut self, root: &Path) -> bool {
            let lost = self.lost.remove(root).unwrap_or_default();
            let (back, gone): (Vec<PathBuf>, Vec<PathBuf>) = lost.into_iter().partition(|path| path.is_dir());
            if !gone.is_empty() {
                self.lost.insert(root.to_owned(), gone.into_iter().collect());
            }
            for path in &back {
                self.watch(root, path, Kind::Files);
            }
            !back.is_empty()
        }

        /// Waits for nothing of a working tree any more.
        pub(in super::super) fn leave(&mut self, root: &Path) {
            self.lost.remove(root);
            for number in self.by_root.remove(root).unwrap_or_default() {
                let Some(watched) = self.of.get_mut(&number) else { continue };
                watched.users.retain(|(of, _)| of != root);
                if watched.users.is_empty() {
                    self.of.remove(&number);
                    let _ = inotify::remove_watch(self.queue.get_ref(), number);
                }
            }
        }

        /// Completes when something has changed: what, by working tree.
        pub(in super::super) async fn next(&mut self) -> io::Result<HashMap<PathBuf, About>> {
            loop {
                let mut ready = self.queue.readable().await?;
                ready.clear_ready();
                drop(ready);
                let changed = self.read();
                if !changed.is_empty() {
                    return Ok(changed);
                }
            }
        }

        fn read(&mut self) -> HashMap<PathBuf, About> {
            let mut changed: HashMap<PathBuf, About> = HashMap::new();
            let mut note = |root: &PathBuf, about: About| {
                let known = changed.entry(root.clone()).or_insert(about);
                if about == About::Files {
                    *known = about;
                }
            };
            let mut buffer = [const { MaybeUninit::uninit() }; 16 << 10];
            let mut reader = inotify::Reader::new(self.queue.get_ref(), &mut buffer);
            let mut gone = Vec::new();
            while let Ok(event) = reader.next() {
                if event.events().contains(ReadFlags::QUEUE_OVERFLOW) {
                    // What was missed can be anything.
                    for root in self.by_root.keys() {
                        note(root, About::Files);
                    }
                    continue;
                }
                if event.events().contains(ReadFlags::IGNORED) {
                    gone.push(event.wd());
                    continue;
                }
                let name = event.file_name().map(std::ffi::CStr::to_bytes).unwrap_or_default();
                let users = self.of.get(&event.wd()).map(|watched| &watched.users);
                for (root, kind) in users.into_iter().flatten() {
                    if let Some(about) = kind.tells(name) {
                        note(root, about);
                    }
                }
            }
            for number in gone {
                let Some(watched) = self.of.remove(&number) else { continue };
                for (root, kind) in watched.users {
                    if let Some(own) = self.by_root.get_mut(&root) {
                        own.remove(&number);
                    }
                    if kind == Kind::Files {
                        self.lost.entry(root).or_default().insert(watched.path.clone());
                    }
                }
            }
            changed
        }
    }
}

#[cfg(not(target_os = "linux"))]
mod platform {
    use std::collections::HashMap;
    use std::io;
    use std::path::{Path, PathBuf};

    use super::{About, Kind, Put};

    pub(in super::super) struct Signs;

    impl Signs {
        pub(in super::super) fn new() -> io::Result<Self> {
            Ok(Self)
        }

        pub(in super::super) fn watch(&mut self, _root: &Path, _directory: &Path, _kind: Kind) -> Put {
            Put::NoRoom
        }

        pub(in super::super) fn watch_lost(&mut self, _root: &Path) -> bool {
            false
        }

        pub(in super::super) fn leave(&mut self, _root: &Path) {}

        pub(in super::super) async fn next(&mut self) -> io::Result<HashMap<PathBuf, About>> {
            std::future::pending().await
        }
    }
}
