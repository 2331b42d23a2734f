//! Signs that an agent is being started somewhere on the machine: somebody opens its program, or a file appears where it
//! keeps its own; and that terminals are printed on. They say when to look and nothing else, and while nothing happens there
//! are none.

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

/// What was noticed.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Heard {
    /// An agent may have been started.
    pub(super) agent: bool,
    /// Something was printed on one of the machine's terminals.
    pub(super) anywhere: bool,
    /// These terminals, as in `pts/4`, were printed on. Each is watched no more.
    pub(super) printed: Vec<String>,
}

#[cfg(target_os = "linux")]
mod platform {
    //! Linux: inotify, also of the opening of a program's file, which is how a program is started, and of terminals, which
    //! are files that programs write to. A terminal tells once and is then watched anew, so that one that is flooded costs
    //! no more than one that has a line. The folder of all terminals does not tell of what is printed on one: Linux 6.16, and
    //! older ones that were given the same mend, keep from a folder's watcher what happens to devices in it.
    //!
    //! Plan for macOS: an Endpoint Security client needs an entitlement, so FSEvents on the folders, and a look every few
    //! seconds while a window is open. Plan for Windows: `ReadDirectoryChangesW`, and WMI's `Win32_ProcessStartTrace` needs an
    //! administrator: the same.

    use std::collections::{HashMap, HashSet};
    use std::io;
    use std::mem::MaybeUninit;
    use std::os::fd::OwnedFd;
    use std::path::{Path, PathBuf};

    use rustix::fs::inotify::{self, CreateFlags, ReadFlags, WatchFlags};
    use tokio::io::unix::AsyncFd;

    use super::{FOLDERS, Heard};

    /// Programs that are watched, at most.
    const PROGRAMS: usize = 256;

    /// Where the terminals are.
    const TERMINALS: &str = "/dev/pts";

    pub(in crate::local) struct Signs {
        queue: AsyncFd<OwnedFd>,
        programs: HashSet<PathBuf>,
        /// The home directory's watch: of all that appears there, only what agents have in it counts.
        home: Option<i32>,
        /// A queue of all terminals alone, until something is printed on one: it is closed then, and all its watches with it.
        all: Option<AsyncFd<OwnedFd>>,
        /// Terminals by their watches, each until it is printed on.
        terminals: HashMap<i32, String>,
    }

    impl Signs {
        pub(in crate::local) fn new() -> io::Result<Self> {
            let (programs, terminals) = (HashSet::new(), HashMap::new());
            Ok(Self { queue: queue()?, programs, home: None, all: None, terminals })
        }

        fn watch(&self, path: &Path, what: WatchFlags) -> Option<i32> {
            inotify::add_watch(self.queue.get_ref(), path, what).ok()
        }

        /// The folders below a home directory. Those that have come since are watched from then on.
        pub(in crate::local) fn watch_home(&mut self, home: &Path) {
            self.home = self.watch(home, WatchFlags::MOVED_TO | WatchFlags::CREATE | WatchFlags::ONLYDIR);
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
            let _ = self.watch(folder, what);
        }

        /// A program, or the script that it is.
        pub(in crate::local) fn watch_program(&mut self, program: &Path) {
            let Ok(real) = program.canonicalize() else { return };
            if self.programs.len() < PROGRAMS && self.programs.insert(real.clone()) {
                let _ = self.watch(&real, WatchFlags::OPEN);
            }
        }

        /// Tells once more when something is printed on any terminal. False where that will not be told.
        pub(in crate::local) fn watch_terminals(&mut self) -> bool {
            self.all = all_terminals().ok();
            self.all.is_some()
        }

        /// Whether that terminal, as in `pts/4`, is watched still: nothing was printed on it.
        pub(in crate::local) fn is_watched(&self, tty: &str) -> bool {
            self.terminals.values().any(|watched| watched == tty)
        }

        /// Tells once when something is printed on that terminal. False where that will not be told.
        pub(in crate::local) fn watch_terminal(&mut self, tty: &str) -> bool {
            let what = WatchFlags::MODIFY | WatchFlags::ONESHOT;
            let watch =
                tty.starts_with("pts/").then(|| self.watch(&Path::new("/dev").join(tty), what)).flatten();
            self.terminals.extend(watch.map(|watch| (watch, tty.to_owned())));
            watch.is_some()
        }

        /// Completes at the next sign, of any number together.
        pub(in crate::local) async fn next(&mut self) -> io::Result<Heard> {
            loop {
                let all = async {
                    match &self.all {
                        Some(all) => all.readable().await.map(drop),
                        None => std::future::pending().await,
                    }
                };
                let heard = tokio::select! {
                    ready = self.queue.readable() => {
                        ready?.clear_ready();
                        self.read()
                    }
                    ready = all => {
                        ready?;
                        self.all = None;
                        Heard { anywhere: true, ..Heard::default() }
                    }
                };
                if heard != Heard::default() {
                    return Ok(heard);
                }
            }
        }

        fn read(&mut self) -> Heard {
            let mut heard = Heard::default();
            let mut buffer = [MaybeUninit::uninit(); 4096];
            let mut reader = inotify::Reader::new(self.queue.get_ref(), &mut buffer);
            while let Ok(event) = reader.next() {
                let watch = event.wd();
                if event.events().contains(ReadFlags::QUEUE_OVERFLOW) {
                    heard.agent = true;
                } else if let Some(tty) = self.terminals.remove(&watch) {
                    heard.printed.push(tty);
                } else if self.home == Some(watch) {
                    let name = event.file_name().map(std::ffi::CStr::to_bytes).unwrap_or_default();
                    heard.agent |= FOLDERS.iter().any(|folder| folder.as_bytes() == name);
                } else {
                    // That a watch has ended is told after what ended it.
                    heard.agent |= !event.events().contains(ReadFlags::IGNORED);
                }
            }
            heard
        }
    }

    fn queue() -> io::Result<AsyncFd<OwnedFd>> {
        let queue = inotify::init(CreateFlags::CLOEXEC | CreateFlags::NONBLOCK)?;
        // SAFETY: the descriptor is owned, and stays open and the same for as long as it is registered.
        Ok(unsafe { AsyncFd::register(queue) }?)
    }

    /// Tells when something is printed on any terminal that may be read, or a new one is opened.
    fn all_terminals() -> io::Result<AsyncFd<OwnedFd>> {
        let all = queue()?;
        // First the folder: a terminal that comes meanwhile is told as a new one.
        let new = WatchFlags::CREATE | WatchFlags::ONLYDIR;
        inotify::add_watch(all.get_ref(), TERMINALS, new)?;
        for terminal in std::fs::read_dir(TERMINALS)?.flatten() {
            // Those of other people cannot be watched.
            let _ = inotify::add_watch(all.get_ref(), terminal.path(), WatchFlags::MODIFY);
        }
        Ok(all)
    }

    #[cfg(test)]
    mod tests {
        use std::io::Write as _;

        use super::*;

        #[tokio::test]
        #[ntest::timeout(20000)]
        async fn a_terminal_tells_once_and_the_home_directory_only_of_agents() {
            let mut signs = Signs::new().unwrap();
            let home = tempfile::tempdir().unwrap();
            signs.watch_home(home.path());
            std::fs::write(home.path().join(".history"), "x").unwrap();
            let (_controller, terminal) = terminal();
            let tty = rustix::termios::ttyname(&terminal, Vec::new()).unwrap();
            let tty = tty.to_str().unwrap().strip_prefix("/dev/").unwrap().to_owned();
            assert!(signs.watch_terminal(&tty) && signs.is_watched(&tty));
            let mut terminal = std::fs::File::from(terminal);
            for _ in 0..3 {
                terminal.write_all(b"printed").unwrap();
            }
            let printed = Heard { printed: vec![tty.clone()], ..Heard::default() };
            assert_eq!(signs.next().await.unwrap(), printed);
            assert!(!signs.is_watched(&tty));
            std::fs::create_dir(home.path().join(".claude")).unwrap();
            assert_eq!(signs.next().await.unwrap(), Heard { agent: true, ..Heard::default() });
            assert!(signs.watch_terminals());
            terminal.write_all(b"more").unwrap();
            assert_eq!(signs.next().await.unwrap(), Heard { anywhere: true, ..Heard::default() });
            // One that is new has nothing on it that could have been missed.
            assert!(signs.watch_terminals());
            let _new = self::terminal();
            assert_eq!(signs.next().await.unwrap(), Heard { anywhere: true, ..Heard::default() });
        }

        fn terminal() -> (OwnedFd, OwnedFd) {
            use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};
            let controller = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY).unwrap();
            grantpt(&controller).unwrap();
            unlockpt(&controller).unwrap();
            let name = ptsname(&controller, Vec::new()).unwrap();
            let flags = rustix::fs::OFlags::RDWR | rustix::fs::OFlags::NOCTTY;
            let terminal = rustix::fs::open(name, flags, rustix::fs::Mode::empty()).unwrap();
            (controller, terminal)
        }
    }
}

#[cfg(not(target_os = "linux"))]
mod platform {
    use std::io;
    use std::path::Path;

    use super::Heard;

    pub(in crate::local) struct Signs;

    impl Signs {
        pub(in crate::local) fn new() -> io::Result<Self> {
            Err(io::ErrorKind::Unsupported.into())
        }

        pub(in crate::local) fn watch_home(&mut self, _: &Path) {}

        pub(in crate::local) fn watch_folder(&self, _: &Path) {}

        pub(in crate::local) fn watch_program(&mut self, _: &Path) {}

        pub(in crate::local) fn watch_terminals(&mut self) -> bool {
            false
        }

        pub(in crate::local) fn is_watched(&self, _: &str) -> bool {
            false
        }

        pub(in crate::local) fn watch_terminal(&mut self, _: &str) -> bool {
            false
        }

        pub(in crate::local) async fn next(&mut self) -> io::Result<Heard> {
            std::future::pending().await
        }
    }
}
