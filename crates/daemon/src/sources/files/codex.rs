//! Codex: the rollout of the thread that its process writes.
//!
//! Which one that is, only the process's open files tell: a thread has no name before its first turn, and a rollout is made
//! then. That one appears tells when to look, and so does that one of the threads' locks is opened, which all lie in one
//! directory.

use std::collections::HashMap;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use belfry_agents::transcripts::{CodexRollout, places};
use belfry_platform::process::{self, Identity};
use belfry_protocol::Source;

use super::beneath::read_head;
use super::dirs::{On, Want};
use super::tail::Tail;
use super::{Finding, Findings, Follow, Then, environ, newest};
use crate::sources::Subject;

const LOCKS: u8 = 1;
const ROLLOUT: u8 = 2;
const DAYS: u8 = 3;
const BEGUN: u8 = 4;

/// Longest first line that is read, in bytes: it holds the agent's whole instructions.
const FIRST: u64 = 512 * 1024;

/// Descriptors of one process that are looked at.
const DESCRIPTORS: usize = 1024;

/// Rollouts that are remembered.
const MOST: usize = 256;

/// The files of one run.
pub(super) struct CodexFiles {
    home: PathBuf,
    program: Identity,
    /// Rollouts that were seen, below the home, with the conversation where it is the person's.
    known: HashMap<PathBuf, Option<String>>,
    /// Rollouts that are open and have no whole first line yet.
    begun: Vec<PathBuf>,
    rollout: Option<Rollout>,
}

struct Rollout {
    tail: Tail,
    lines: CodexRollout,
    conversation: String,
}

impl CodexFiles {
    pub(super) fn new(subject: &Subject) -> Option<Self> {
        let environ = environ::of(subject.program.pid)?;
        Some(Self {
            home: places::codex_home(|name| environ.var(name))?,
            program: subject.program,
            known: HashMap::new(),
            begun: Vec::new(),
            rollout: None,
        })
    }

    /// The rollouts that the run's processes have open, below the home.
    fn open(&self) -> Vec<PathBuf> {
        // Descriptors name real paths.
        let Ok(home) = self.home.canonicalize() else { return Vec::new() };
        let below = process::descendants(self.program.pid).into_iter().map(|member| member.identity.pid);
        let mut found = Vec::new();
        for pid in std::iter::once(self.program.pid).chain(below) {
            let descriptors = std::fs::read_dir(format!("/proc/{pid}/fd")).into_iter().flatten().flatten();
            let files =
                descriptors.take(DESCRIPTORS).filter_map(|entry| std::fs::read_link(entry.path()).ok());
            found.extend(files.filter_map(|file| {
                let relative = file.strip_prefix(&home).ok()?;
                let name = relative.file_name()?.to_str()?;
                let rollout =
                    name.starts_with("rollout-") && relative.extension().is_some_and(|end| end == "jsonl");
                (rollout && relative.starts_with("sessions")).then(|| relative.to_owned())
            }));
        }
        found.sort();
        found.dedup();
        found
    }

    /// The newest of them that is the person's own. Subagents have threads of their own.
    fn find(&mut self) -> Option<(PathBuf, String)> {
        let open = self.open();
        if self.known.len() > MOST {
            self.known.clear();
        }
        let mut own = Vec::new();
        self.begun.clear();
        for file in open {
            let conversation = if let Some(known) = self.known.get(&file) {
                known.clone()
            } else {
                let Some(first) = first_line(&self.home, &file) else {
                    self.begun.push(file);
                    continue;
                };
                let conversation = CodexRollout::conversation(&first);
                self.known.insert(file.clone(), conversation.clone());
                conversation
            };
            own.extend(conversation.map(|conversation| (file, conversation)));
        }
        // Their ids grow with time.
        own.into_iter().max_by(|(_, one), (_, other)| one.cmp(other))
    }

    /// The folders in which the next rollout can appear: of the newest year, month and day.
    fn days(&self) -> Vec<Want> {
        let mut dir = self.home.join("sessions");
        let mut wants = Vec::new();
        for _ in 0..=3 {
            wants.push(Want { dir: dir.clone(), name: None, on: On::Create, tag: DAYS });
            let numbered = |entry: std::fs::DirEntry| {
                let name = entry.file_name().into_string().ok()?;
                name.bytes().all(|byte| byte.is_ascii_digit()).then_some(name)
            };
            let names = std::fs::read_dir(&dir).into_iter().flatten().flatten().filter_map(numbered);
            match names.max() {
                Some(newest) => dir.push(newest),
                None => break,
            }
        }
        wants
    }

    fn read(&mut self, found: &mut Findings) {
        let Some(rollout) = &mut self.rollout else { return };
        let mut told = Vec::new();
        let fresh = match rollout.tail.read(|line| told.extend(rollout.lines.line(line))) {
            Ok(fresh) => fresh,
            Err(error) => {
                tracing::debug!(%error, "a rollout is not read");
                true
            }
        };
        if let Some(mut told) = newest(told) {
            told.conversation = Some(rollout.conversation.clone());
            found.push(Finding { source: Source::Transcript, told, fresh });
        }
    }
}

/// The first line, if it is whole.
fn first_line(home: &Path, file: &Path) -> Option<Vec<u8>> {
    let mut head = read_head(home, file, FIRST).ok()?;
    let end = head.iter().position(|byte| *byte == b'\n')?;
    head.truncate(end);
    Some(head)
}

impl Follow for CodexFiles {
    fn look(&mut self, found: &mut Findings) -> Vec<Want> {
        if let Some((file, conversation)) = self.find()
            && self.rollout.as_ref().is_none_or(|known| known.tail.relative() != file)
        {
            let tail = Tail::new(&self.home, file);
            self.rollout = Some(Rollout { tail, lines: CodexRollout::default(), conversation });
        }
        self.read(found);
        let dir = self.home.join("thread-writer-locks");
        let locks = Want { dir, name: None, on: On::Open, tag: LOCKS };
        let file = |relative: &Path, tag| {
            let path = self.home.join(relative);
            let name = path.file_name()?.to_owned();
            Some(Want { dir: path.parent()?.to_owned(), name: Some(name), on: On::Change, tag })
        };
        let rollout = self.rollout.as_ref().and_then(|rollout| file(rollout.tail.relative(), ROLLOUT));
        let begun = self.begun.iter().filter_map(|begun| file(begun, BEGUN));
        std::iter::once(locks).chain(self.days()).chain(rollout).chain(begun).collect()
    }

    fn touched(&mut self, tag: u8, _: &OsStr, _: bool, found: &mut Findings) -> Then {
        match tag {
            ROLLOUT => {
                self.read(found);
                Then::Nothing
            }
            BEGUN => Then::Look,
            _ => Then::Expect,
        }
    }
}
