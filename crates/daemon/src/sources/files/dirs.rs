//! Directories that are watched, each once, for all who want to know.

use std::collections::HashMap;
use std::ffi::{OsStr, OsString};
use std::io;
use std::mem::MaybeUninit;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::os::unix::ffi::OsStrExt as _;
use std::path::{Path, PathBuf};

use rustix::fs::inotify::{self, CreateFlags, ReadFlags, WatchFlags};

use super::Key;

/// Directories that are missing one above another, at most, until the first that is there.
const MISSING: usize = 16;

/// What somebody wants to know of a directory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Want {
    /// The directory. It need not be there yet.
    pub(super) dir: PathBuf,
    /// Of which file in it; none: of all.
    pub(super) name: Option<OsString>,
    /// What has to happen to it.
    pub(super) on: On,
    /// What it is wanted for.
    pub(super) tag: u8,
}

/// What has to happen to a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum On {
    /// It comes, goes or is written to.
    Change,
    /// That, or it is opened.
    Open,
    /// It comes.
    Create,
}

/// What has happened.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Happened {
    /// A file in a directory that somebody wants to know of.
    Touched { key: Key, tag: u8, name: OsString, created: bool },
    /// A directory came or went.
    Look(Key),
    /// Anything.
    Lost,
}

/// The directories.
pub(super) struct Dirs {
    inotify: OwnedFd,
    watched: HashMap<i32, Vec<Interest>>,
}

#[derive(Clone)]
struct Interest {
    key: Key,
    name: Option<OsString>,
    /// None: the directory is only watched for one that is to appear in it.
    tag: Option<u8>,
    on: On,
    /// Was not wanted again, so far.
    stale: bool,
}

impl On {
    fn flags(self) -> WatchFlags {
        let comes = WatchFlags::CREATE | WatchFlags::MOVED_TO;
        let goes = WatchFlags::DELETE | WatchFlags::MOVED_FROM;
        let written = WatchFlags::MODIFY | WatchFlags::CLOSE_WRITE;
        match self {
            Self::Create => comes,
            Self::Change => comes | goes | written,
            Self::Open => comes | goes | written | WatchFlags::OPEN,
        }
    }
}

impl AsFd for Dirs {
    fn as_fd(&self) -> BorrowedFd<'_> {
        self.inotify.as_fd()
    }
}

impl Dirs {
    pub(super) fn new() -> io::Result<Self> {
        let inotify = inotify::init(CreateFlags::CLOEXEC | CreateFlags::NONBLOCK)?;
        Ok(Self { inotify, watched: HashMap::new() })
    }

    /// From now on this is all that somebody wants to know.
    pub(super) fn set(&mut self, key: Key, wants: Vec<Want>) {
        for interest in self.interests(key) {
            interest.stale = true;
        }
        for want in wants {
            self.want(key, &want);
        }
        self.watched.retain(|wd, interests| {
            interests.retain(|interest| !(interest.key == key && interest.stale));
            if interests.is_empty() {
                let _ = inotify::remove_watch(&self.inotify, *wd);
            }
            !interests.is_empty()
        });
    }

    fn interests(&mut self, key: Key) -> impl Iterator<Item = &mut Interest> {
        self.watched.values_mut().flatten().filter(move |interest| interest.key == key)
    }

    /// Watches the directory, or else the nearest one above it that is there, for the next one below.
    fn want(&mut self, key: Key, want: &Want) {
        let interest =
            Interest { key, name: want.name.clone(), tag: Some(want.tag), on: want.on, stale: false };
        // While one is watched, the next one may have appeared: then it is tried again from there.
        for _ in 0..MISSING {
            if self.add(&want.dir, interest.clone()) {
                return;
            }
            let Some((above, next)) = nearest(&want.dir) else { return };
            let appears = Interest { name: Some(next.to_owned()), tag: None, on: On::Create, ..interest };
            if self.add(above, appears) && !above.join(next).exists() {
                return;
            }
        }
    }

    fn add(&mut self, dir: &Path, interest: Interest) -> bool {
        let own = WatchFlags::ONLYDIR | WatchFlags::EXCL_UNLINK | WatchFlags::MASK_ADD;
        let gone = WatchFlags::DELETE_SELF | WatchFlags::MOVE_SELF;
        let wd = match inotify::add_watch(&self.inotify, dir, interest.on.flags() | own | gone) {
            Ok(wd) => wd,
            Err(rustix::io::Errno::NOSPC) => {
                tracing::warn!(
                    "the system allows no more directories to be watched (fs.inotify.max_user_watches)"
                );
                return false;
            }
            Err(_) => return false,
        };
        let interests = self.watched.entry(wd).or_default();
        let same = |known: &Interest| {
            known.key == interest.key && known.tag == interest.tag && known.name == interest.name
        };
        interests.retain(|known| !same(known));
        interests.push(interest);
        true
    }

    /// What has happened since the last time, each thing once.
    pub(super) fn happened(&mut self) -> Vec<Happened> {
        let mut all = Vec::new();
        let mut buffer = [MaybeUninit::uninit(); 16 * 1024];
        let mut events = Vec::new();
        let mut reader = inotify::Reader::new(&self.inotify, &mut buffer);
        while let Ok(event) = reader.next() {
            let name = event.file_name().map(|name| OsStr::from_bytes(name.to_bytes()).to_owned());
            events.push((event.wd(), event.events(), name));
        }
        let mut add = |happened: Happened| {
            if !all.contains(&happened) {
                all.push(happened);
            }
        };
        for (wd, flags, name) in events {
            if flags.contains(ReadFlags::QUEUE_OVERFLOW) {
                return vec![Happened::Lost];
            }
            let Some(interests) = self.watched.get(&wd) else { continue };
            if flags.intersects(ReadFlags::IGNORED | ReadFlags::MOVE_SELF | ReadFlags::DELETE_SELF) {
                for interest in interests {
                    add(Happened::Look(interest.key));
                }
                if flags.contains(ReadFlags::IGNORED) {
                    self.watched.remove(&wd);
                }
                continue;
            }
            let Some(name) = name else { continue };
            let created = flags.intersects(ReadFlags::CREATE | ReadFlags::MOVED_TO);
            for interest in
                interests.iter().filter(|interest| interest.name.as_ref().is_none_or(|own| *own == name))
            {
                match interest.tag {
                    Some(tag) => {
                        add(Happened::Touched { key: interest.key, tag, name: name.clone(), created });
                    }
                    None if created => add(Happened::Look(interest.key)),
                    None => {}
                }
            }
        }
        all
    }
}

/// The nearest directory above that is there, and the name of the next one below it.
fn nearest(dir: &Path) -> Option<(&Path, &OsStr)> {
    let mut below = dir;
    for above in dir.ancestors().skip(1).take(MISSING) {
        if above.is_dir() {
            return Some((above, below.file_name()?));
        }
        below = above;
    }
    None
}
