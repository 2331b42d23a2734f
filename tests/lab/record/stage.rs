//! Where a scenario is played: the agent in its terminal, what is seen of it, and what is written down.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::mpsc::RecvTimeoutError;
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result, bail};
use belfry_terminal::{Colors, EventKind, Options, Rgb, Scope, Size, Terminal};
use portable_pty::CommandBuilder;

use super::super::Home;
use super::Wanted;
use super::cast::Cast;
use super::pty::Pty;
use super::scenario::{Ask, Scenario};
use super::truth::{Place, Sight, place};

/// How long anything may take. A busy machine has taken ten times what a quiet one needs.
const PATIENCE: Duration = Duration::from_mins(2);

/// A place that stood so long is believed.
const STANDS: Duration = Duration::from_millis(250);

/// Places that held for less than this are no truth: between the answer to a question and the work that it allows some
/// screens show a prompt. Milliseconds.
const BLINK: u64 = 100;

/// A signal this soon before its screen belongs to it, in milliseconds.
const AHEAD: u64 = 1000;

/// From when on the agent was somewhere.
#[derive(Clone, Copy, Debug)]
struct Change {
    at: u64,
    place: Place,
    /// Since when that may be said already.
    unclear: u64,
}

/// The stage.
pub(super) struct Stage {
    agent: String,
    began: Instant,
    pty: Pty,
    terminal: Terminal,
    size: (u16, u16),
    project: PathBuf,
    cast: Cast,
    report: Option<String>,
    /// What kind of sign the title begins with.
    titled: char,
    /// When the report and the title last changed.
    reported: u64,
    retitled: u64,
    typed: u64,
    typed_at_all: bool,
    changes: Vec<Change>,
    asks: BTreeMap<u64, Ask>,
    left: Option<u64>,
    gone: bool,
}

impl Stage {
    pub(super) fn open(wanted: &Wanted, scenario: &Scenario, home: &Home, project: &Path) -> Result<Self> {
        let arguments = wanted.args.iter().chain(&scenario.args);
        let mut command =
            CommandBuilder::new(if scenario.nested { Path::new("tmux") } else { &wanted.program });
        if scenario.nested {
            // Its socket is in a directory of ours.
            let socket = wanted.folder.join("tmux");
            command.args(["-S", &socket.to_string_lossy(), "-f", "/dev/null", "new-session"]);
            command.arg(&wanted.program);
        }
        command.args(arguments);
        command.cwd(project);
        command.env_clear();
        let own = wanted.program.parent().map(Path::to_path_buf);
        let paths = std::env::var_os("PATH").unwrap_or_default();
        let path = std::env::join_paths(own.into_iter().chain(std::env::split_paths(&paths)))?;
        command.env("PATH", path);
        for (name, value) in &home.env {
            command.env(name, value);
        }
        let more = [
            ("TERM", "xterm-256color"),
            ("LANG", "C.UTF-8"),
            ("SHELL", "/bin/sh"),
            ("USER", "someone"),
            ("COLORTERM", "truecolor"),
        ];
        for (name, value) in more {
            command.env(name, value);
        }
        command.env("PWD", project);
        let colors = if wanted.light { light() } else { Colors::default() };
        let options = Options { colors, ..Options::default() };
        let (cols, rows) = wanted.size;
        Ok(Self {
            agent: wanted.agent.clone(),
            began: Instant::now(),
            pty: Pty::start(command, wanted.size)?,
            terminal: Terminal::new(Size::new(cols, rows), options),
            size: wanted.size,
            project: project.to_owned(),
            cast: Cast::default(),
            report: None,
            titled: ' ',
            reported: 0,
            retitled: 0,
            typed: 0,
            typed_at_all: false,
            changes: vec![Change { at: 0, place: Place::Starting, unclear: 0 }],
            asks: BTreeMap::new(),
            left: None,
            gone: false,
        })
    }

    fn now(&self) -> u64 {
        u64::try_from(self.began.elapsed().as_millis()).unwrap_or(u64::MAX)
    }

    /// Takes in what is printed for so long.
    pub(super) fn pause(&mut self, time: Duration) -> Result<()> {
        let until = Instant::now() + time;
        while let Some(left) = until.checked_duration_since(Instant::now()).filter(|_| !self.gone) {
            match self.pty.output.recv_timeout(left) {
                Ok(bytes) => self.printed(&bytes)?,
                Err(RecvTimeoutError::Timeout) => return Ok(()),
                Err(RecvTimeoutError::Disconnected) => self.gone = true,
            }
        }
        Ok(())
    }

    fn printed(&mut self, bytes: &[u8]) -> Result<()> {
        let now = self.now();
        self.cast.output(now, bytes);
        let offset = self.terminal.offset();
        let fed = self.terminal.feed(bytes, offset);
        let replies: Vec<_> = fed.replies.iter().flat_map(|reply| reply.bytes.clone()).collect();
        for event in fed.events {
            match event.kind {
                EventKind::ProgramStatus(status) if status.get("id").is_none() => {
                    self.report = status.get("state").map(str::to_owned);
                    self.reported = now;
                }
                EventKind::Title(title) => {
                    let kind = kind(&title);
                    if kind != self.titled {
                        (self.titled, self.retitled) = (kind, now);
                    }
                }
                _ => {}
            }
        }
        if !replies.is_empty() {
            self.pty.write(&replies)?;
        }
        if !self.terminal.modes().synchronized {
            self.see(now);
        }
        Ok(())
    }

    fn see(&mut self, now: u64) {
        let rows = self.terminal.text(Scope::Screen);
        let sight = Sight {
            rows: &rows,
            title: self.terminal.title(),
            report: self.report.as_deref(),
            bracketed_paste: self.terminal.modes().bracketed_paste,
        };
        let mut place = place(&self.agent, &sight);
        let last = self.changes[self.changes.len() - 1];
        // Nothing that was not given anything to do works.
        if !self.typed_at_all && place == Place::Working {
            place = Place::Starting;
        }
        // A screen that is being drawn anew tells nothing.
        if place == Place::Starting && last.place != Place::Starting {
            return;
        }
        if place != last.place {
            let ahead = |at: u64| Some(at).filter(|at| at + AHEAD >= now);
            let typed = Some(self.typed).filter(|at| *at > last.at);
            let unclear = [ahead(self.reported), ahead(self.retitled), typed, Some(now)]
                .into_iter()
                .flatten()
                .filter(|at| *at >= last.at)
                .min();
            self.changes.push(Change { at: now, place, unclear: unclear.unwrap_or(now) });
        }
    }

    /// Waits until the agent is there, and stays.
    pub(super) fn until(&mut self, places: &[Place]) -> Result<()> {
        let patience = Instant::now() + PATIENCE;
        let mut since = Instant::now();
        let mut seen = self.changes.len();
        loop {
            self.pause(Duration::from_millis(30))?;
            if self.changes.len() != seen {
                (seen, since) = (self.changes.len(), Instant::now());
            }
            let there = places.contains(&self.changes[seen - 1].place);
            if there && since.elapsed() >= STANDS {
                return Ok(());
            }
            if Instant::now() > patience || self.gone {
                let now = self.changes[seen - 1];
                bail!("never {places:?}, but {now:?}:\n{}", self.terminal.text(Scope::Screen).join("\n"));
            }
        }
    }

    /// Presses keys.
    pub(super) fn keys(&mut self, bytes: &str) -> Result<()> {
        let now = self.now();
        self.typed = now;
        self.typed_at_all = true;
        self.cast.event(now, "i", bytes);
        self.pty.write(bytes.as_bytes())
    }

    /// Types a line, with a pause before Enter: agents take a faster one for part of a paste.
    pub(super) fn line(&mut self, text: &str) -> Result<()> {
        self.keys(text)?;
        self.pause(Duration::from_millis(400))?;
        self.keys("\r")
    }

    /// Types a line and waits until what follows is over. A turn may be shorter than a look.
    pub(super) fn turn(&mut self, text: &str) -> Result<()> {
        let before = self.changes.len();
        self.line(text)?;
        let patience = Instant::now() + PATIENCE;
        while self.changes.len() == before && Instant::now() < patience {
            self.pause(Duration::from_millis(30))?;
        }
        self.until(&[Place::Prompt, Place::Failed])
    }

    /// Gives the terminal another size.
    pub(super) fn resize(&mut self, size: (u16, u16)) -> Result<()> {
        self.cast.event(self.now(), "r", &format!("{}x{}", size.0, size.1));
        self.terminal.resize(Size::new(size.0, size.1));
        self.pty.resize(size)
    }

    /// Whether the agent is there now.
    pub(super) fn is(&self, place: Place) -> bool {
        self.changes[self.changes.len() - 1].place == place
    }

    /// The project's directory.
    pub(super) fn project(&self) -> String {
        self.project.to_string_lossy().into_owned()
    }

    /// The size at the start.
    pub(super) fn size(&self) -> (u16, u16) {
        self.size
    }

    /// What the open question is.
    pub(super) fn asks(&mut self, ask: Ask) {
        if let Some(change) = self.changes.last() {
            self.asks.insert(change.at, ask);
        }
    }

    /// From here on nothing counts.
    pub(super) fn leaves(&mut self) {
        self.left = Some(self.now());
    }

    /// Writes down what was recorded.
    pub(super) fn close(mut self, wanted: &Wanted, scenario: &Scenario) -> Result<PathBuf> {
        let ends = self.now();
        // A tmux outlives its terminal.
        let socket = wanted.folder.join("tmux");
        if socket.exists() {
            let _ = Command::new("tmux").arg("-S").arg(&socket).arg("kill-server").status();
        }
        let directory = wanted.out.join(format!("{}-{}", wanted.agent, wanted.version));
        std::fs::create_dir_all(&directory).with_context(|| format!("{}", directory.display()))?;
        let (cols, rows) = wanted.size;
        let theme = if wanted.light { "light" } else { "dark" };
        let light = if wanted.light { "_light" } else { "" };
        let path = directory.join(format!("{}_{cols}x{rows}{light}", wanted.scenario));
        let file = |end: &str| PathBuf::from(format!("{}.{end}", path.display()));
        self.cast.write(&file("cast.lz4"), wanted.size, &format!("{} {}", wanted.agent, wanted.scenario))?;
        let seconds = |ms: u64| ms as f64 / 1000.0;
        let mut labels = format!(
            "agent = \"{}\"\nversion = \"{}\"\nsize = \"{cols}x{rows}\"\ntheme = \"{theme}\"\ndone = \"{}\"\nends_s = {:?}\n",
            wanted.agent,
            wanted.version,
            scenario.done,
            seconds(ends)
        );
        let asks = std::mem::take(&mut self.asks);
        for change in self.truth() {
            let _ = write!(labels, "\n[[truth]]\nfrom_s = {:?}\n", seconds(change.at));
            if change.unclear < change.at {
                let _ = writeln!(labels, "unclear_from_s = {:?}", seconds(change.unclear));
            }
            let _ = writeln!(labels, "status = \"{}\"", change.place.status());
            if change.place == Place::Failed {
                labels += "or = [\"idle\"]\n";
            }
            if let Some((_, ask)) = asks.range(change.at..).next().filter(|_| change.place == Place::Asking) {
                labels += &ask.toml();
            }
        }
        if let Some(left) = self.left {
            let _ = write!(
                labels,
                "\n[[truth]]\nfrom_s = {:?}\nstatus = \"unscored\"\nnote = \"leaves\"\n",
                seconds(left)
            );
        }
        std::fs::write(file("labels.toml"), labels)?;
        Ok(path)
    }

    /// The changes, without blinks: what held for a moment only makes the next one unclear for so long.
    fn truth(&self) -> Vec<Change> {
        let left = self.left.unwrap_or(u64::MAX);
        let mut truth: Vec<Change> = Vec::new();
        let ends = self.changes.iter().skip(1).map(|change| change.at).chain([u64::MAX]);
        let mut unclear = None;
        for (change, end) in self.changes.iter().zip(ends).filter(|(change, _)| change.at < left) {
            if end - change.at < BLINK {
                unclear = unclear.or(Some(change.unclear));
                continue;
            }
            let unclear = unclear.take().map_or(change.unclear, |other: u64| other.min(change.unclear));
            match truth.last_mut() {
                Some(last) if last.place == change.place => {}
                // At the start it counts from when it stays.
                Some(_) | None => truth.push(Change { unclear, ..*change }),
            }
        }
        truth
    }
}

/// The sign that a title begins with; spinners turn.
fn kind(title: &str) -> char {
    match title.chars().next() {
        Some('\u{2800}'..='\u{28ff}' | '◐' | '◑' | '◒' | '◓') => '~',
        Some(c) if c.is_alphanumeric() => 'a',
        Some(c) => c,
        None => ' ',
    }
}

fn light() -> Colors {
    let dark = Colors::default();
    Colors { foreground: dark.background, background: Rgb::hex(0x00ff_ffff), dark: false, ..dark }
}
