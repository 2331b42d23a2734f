//! A real keeper on a real terminal, driven over its socket as the daemon does it.
#![allow(dead_code, reason = "each test file uses its own part")]
#![allow(clippy::unwrap_used, clippy::struct_field_names, clippy::unused_self, missing_docs, unreachable_pub)]

use std::collections::VecDeque;
use std::io::{Read, Write};
use std::ops::ControlFlow;
use std::os::unix::net::UnixStream;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use belfry_journal::{Exit, Gap, Reader, What};
use belfry_platform::process::Identity;
use belfry_platform::{Home, socket};
use belfry_protocol::keeper::{
    Decoder, ExitInfo, FromKeeper, KeeperHello, LaunchReply, LaunchSpec, Leftovers, OsText, Started,
    ToKeeper, VERSION,
};
use tempfile::TempDir;
use uuid::Uuid;

/// How long a test waits for a state before it says that it did not come.
pub const PATIENCE: Duration = Duration::from_secs(20);

/// A home of its own for each test.
pub struct Rig {
    pub home: Home,
    pub dir: TempDir,
}

impl Rig {
    pub fn new() -> Self {
        Self::under("belfry keeper é ")
    }

    pub fn under(prefix: &str) -> Self {
        let dir = tempfile::Builder::new().prefix(prefix).tempdir().unwrap();
        let home = Home::at(dir.path());
        home.prepare().unwrap();
        Self { home, dir }
    }

    /// A specification for a shell command.
    pub fn spec(&self, script: &str) -> LaunchSpec {
        let run = Uuid::from_u128(rand_id());
        let run_dir = self.home.create_run("session", run, false).unwrap();
        LaunchSpec {
            session: Uuid::nil(),
            run,
            argv: ["/bin/sh", "-c", script].map(OsText::from).to_vec(),
            cwd: self.dir.path().to_path_buf().into(),
            env: vec![("PATH".into(), "/usr/bin:/bin".into()), ("TERM".into(), "xterm".into())],
            cols: 80,
            rows: 24,
            run_dir: run_dir.path().to_path_buf().into(),
            keepers_dir: self.home.keepers_dir().into(),
            journal_cap: 64 * 1024 * 1024,
            private: false,
            umask: None,
            leftovers: Leftovers::Hangup,
        }
    }

    pub fn start(&self, script: &str) -> Run {
        self.start_spec(&self.spec(script))
    }

    pub fn start_spec(&self, spec: &LaunchSpec) -> Run {
        match launch(spec) {
            LaunchReply::Started(started) => Run {
                keeper: Identity { pid: started.keeper_pid, start: started.keeper_start },
                program: Identity { pid: started.program_pid, start: started.program_start },
                started,
                run_dir: spec.run_dir.clone().into(),
                socket: PathBuf::from(spec.keepers_dir.clone()).join(format!("{}.sock", spec.run)),
            },
            LaunchReply::Failed(error) => panic!("the keeper did not start: {error:?}"),
        }
    }
}

fn rand_id() -> u128 {
    let mut bytes = [0; 16];
    std::fs::File::open("/dev/urandom").unwrap().read_exact(&mut bytes).unwrap();
    u128::from_le_bytes(bytes)
}

/// Gives a keeper its specification and reads its answer.
pub fn launch(spec: &LaunchSpec) -> LaunchReply {
    launch_text(&serde_json::to_string(spec).unwrap())
}

pub fn launch_text(spec: &str) -> LaunchReply {
    let mut keeper = Command::new(env!("CARGO_BIN_EXE_belfry-keeper"))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    keeper.stdin.take().unwrap().write_all(spec.as_bytes()).unwrap();
    let mut line = String::new();
    // End-of-file, since the keeper lets go of its output once it has answered.
    keeper.stdout.take().unwrap().read_to_string(&mut line).unwrap();
    keeper.wait().unwrap();
    serde_json::from_str(&line).unwrap()
}

/// A started run.
pub struct Run {
    pub started: Started,
    pub keeper: Identity,
    pub program: Identity,
    pub run_dir: PathBuf,
    pub socket: PathBuf,
}

impl Run {
    pub fn connect(&self) -> Daemon {
        Daemon::connect(&self.socket).0
    }

    pub fn journal(&self) -> PathBuf {
        self.run_dir.join("journal")
    }

    /// What is in the journal now.
    pub fn recorded(&self) -> Recorded {
        recorded(&self.journal())
    }

    pub fn output(&self) -> String {
        String::from_utf8_lossy(&self.recorded().output).into_owned()
    }

    pub fn wait_for_output(&self, text: &str) {
        let seen = std::cell::RefCell::new(String::new());
        let what = || format!("{text:?} in the output, which is {:?}", seen.borrow());
        wait_until_told(what, || {
            seen.replace(self.output());
            seen.borrow().contains(text)
        });
    }

    /// The last record of the run, once its keeper has left.
    pub fn exit(&self) -> ExitInfo {
        self.wait_gone();
        let text = std::fs::read_to_string(self.run_dir.join("exit.json")).unwrap();
        serde_json::from_str(&text).unwrap()
    }

    pub fn wait_gone(&self) {
        wait_until("the keeper's end", || !self.keeper.is_alive());
        assert!(!self.socket.exists(), "the socket's name is gone");
    }
}

/// Nothing of a test may live on.
impl Drop for Run {
    fn drop(&mut self) {
        for identity in [self.keeper, self.program] {
            belfry_platform::process::signal(identity, rustix::process::Signal::KILL);
        }
        for member in belfry_platform::process::session_members(self.program.pid) {
            belfry_platform::process::signal(member.identity, rustix::process::Signal::KILL);
        }
    }
}

#[derive(Debug, Default, PartialEq)]
pub struct Recorded {
    pub output: Vec<u8>,
    pub gaps: Vec<Gap>,
    pub sizes: Vec<(u64, (u16, u16))>,
    pub input: u64,
    pub exit: Option<Exit>,
}

pub fn recorded(journal: &Path) -> Recorded {
    let mut all = Recorded::default();
    let mut reader = Reader::open(journal).unwrap();
    reader
        .for_each(|entry| {
            match entry.what {
                What::Output(bytes) => all.output.extend_from_slice(bytes),
                What::Resize { cols, rows } => all.sizes.push((entry.offset, (cols, rows))),
                What::Input { bytes } => all.input += u64::from(bytes),
                What::Exit(exit) => all.exit = Some(exit),
                What::Gap(gap) => all.gaps.push(gap),
            }
            ControlFlow::Continue(())
        })
        .unwrap();
    all
}

/// The daemon's end of the socket.
pub struct Daemon {
    pub stream: UnixStream,
    decoder: Decoder,
    /// Frames that came while others were waited for.
    pub seen: VecDeque<FromKeeper>,
}

impl Daemon {
    pub fn connect(path: &Path) -> (Self, KeeperHello) {
        let stream = socket::connect(path).unwrap();
        let mut daemon = Self::over(stream);
        daemon.send(&ToKeeper::Hello { version: VERSION });
        let hello = daemon.wait_for("a hello", |frame| match frame {
            FromKeeper::Hello(hello) => Some(*hello.clone()),
            _ => None,
        });
        (daemon, hello)
    }

    /// As `connect`; `None` when the keeper is just leaving, which may be at any moment of it.
    pub fn try_connect(path: &Path) -> Option<Self> {
        let mut daemon = Self::over(socket::connect(path).ok()?);
        daemon.stream.write_all(&ToKeeper::Hello { version: VERSION }.to_bytes()).ok()?;
        match daemon.next()? {
            FromKeeper::Hello(_) => Some(daemon),
            other => panic!("no hello: {other:?}"),
        }
    }

    pub fn over(stream: UnixStream) -> Self {
        stream.set_read_timeout(Some(PATIENCE)).unwrap();
        stream.set_write_timeout(Some(PATIENCE)).unwrap();
        Self { stream, decoder: Decoder::new(), seen: VecDeque::new() }
    }

    pub fn send(&mut self, message: &ToKeeper) {
        self.stream.write_all(&message.to_bytes()).unwrap();
    }

    pub fn input(&mut self, bytes: &[u8]) {
        self.send(&ToKeeper::Input { id: 0, only_if_offset: None, bytes: bytes.to_vec() });
    }

    /// The next frame; `None` when the keeper has closed.
    pub fn next(&mut self) -> Option<FromKeeper> {
        loop {
            if let Some(frame) = self.decoder.next_frame().unwrap() {
                return Some(FromKeeper::decode(frame).unwrap());
            }
            let mut buffer = vec![0; 64 * 1024];
            match self.stream.read(&mut buffer) {
                Ok(0) => return None,
                Ok(count) => self.decoder.push(&buffer[..count]),
                Err(error) if error.kind() == std::io::ErrorKind::ConnectionReset => return None,
                Err(error) => panic!("nothing came from the keeper: {error}"),
            }
        }
    }

    /// Reads until a frame is wanted; the others are kept in `seen`.
    pub fn wait_for<T>(&mut self, what: &str, mut wanted: impl FnMut(&FromKeeper) -> Option<T>) -> T {
        loop {
            let Some(frame) = self.next() else {
                panic!("the keeper closed while waiting for {what}; seen: {:?}", self.seen)
            };
            if let Some(found) = wanted(&frame) {
                return found;
            }
            self.seen.push_back(frame);
        }
    }

    pub fn wait_for_exit(&mut self) -> ExitInfo {
        self.wait_for("the exit", |frame| match frame {
            FromKeeper::Exit(info) => Some(*info.clone()),
            _ => None,
        })
    }

    pub fn wait_for_refusal(&mut self) -> belfry_protocol::keeper::Refused {
        self.wait_for("a refusal", |frame| match frame {
            FromKeeper::Refused(refused) => Some(refused.clone()),
            _ => None,
        })
    }

    pub fn stat(&mut self) -> belfry_protocol::keeper::Stats {
        self.send(&ToKeeper::Stat);
        self.wait_for("figures", |frame| match frame {
            FromKeeper::Stat(stats) => Some(*stats.clone()),
            _ => None,
        })
    }

    /// Whether the keeper has closed this connection; waits for it.
    pub fn is_closed(&mut self) -> bool {
        while self.next().is_some() {}
        true
    }
}

/// Waits for a state, looking at it again and again, each time giving way to others.
pub fn wait_until(what: &str, state: impl FnMut() -> bool) {
    wait_until_told(|| what.to_owned(), state);
}

/// The same, when what to say is known only in the end.
pub fn wait_until_told(what: impl Fn() -> String, mut state: impl FnMut() -> bool) {
    let deadline = Instant::now() + PATIENCE;
    let mut pause = Duration::from_millis(1);
    while !state() {
        assert!(Instant::now() < deadline, "did not come: {}", what());
        std::thread::park_timeout(pause);
        pause = (pause * 2).min(Duration::from_millis(50));
    }
}

/// The process id that a file holds, once it does.
pub fn pid_in(path: &Path) -> Identity {
    let mut found = None;
    wait_until(&format!("a process id in {}", path.display()), || {
        found = std::fs::read_to_string(path)
            .ok()
            .filter(|text| text.ends_with('\n'))
            .and_then(|text| text.trim().parse().ok())
            .and_then(Identity::of);
        found.is_some()
    });
    found.unwrap()
}
