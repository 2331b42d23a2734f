//! Gemini CLI: the conversation that follows on one that was cleared.
//!
//! Its hooks tell that as well, and more. They are set up only where its settings may lie, which on most machines is nowhere;
//! without this a session would be resumed with the conversation that the person has left.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use belfry_agents::Told;
use belfry_agents::transcripts::{GeminiHead, gemini_cleared, gemini_next, gemini_project, places};
use belfry_platform::process;
use belfry_protocol::Source;

use super::beneath::read_head;
use super::dirs::{On, Want};
use super::{Finding, Findings, Follow, Then, environ};
use crate::sources::Subject;

const PROJECTS: u8 = 1;
const TYPED: u8 = 2;
const CHATS: u8 = 3;

/// Largest list of projects, and of what was typed, that is read, in bytes.
const LARGEST: u64 = 8 * 1024 * 1024;

/// Longest first line of a conversation that is read, in bytes. One has about 200.
const FIRST: u64 = 8 * 1024;

/// Conversations that one run is followed through at a look.
const MOST: usize = 64;

/// The files of one run.
pub(super) struct GeminiFiles {
    home: PathBuf,
    cwd: String,
    conversation: String,
    /// When the program was started, in milliseconds since the Unix epoch: what was cleared before is another run's business.
    since: u64,
}

/// By so much the system may date a program's start too late, in milliseconds.
const ROUNDED: u64 = 1500;

impl GeminiFiles {
    pub(super) fn new(subject: Subject) -> Option<Self> {
        let environ = environ::of(subject.program.pid)?;
        let home = places::gemini_home(|name| environ.var(name))?;
        // It files a directory under its real path.
        let cwd = Path::new(&subject.cwd).canonicalize().ok()?.into_os_string().into_string().ok()?;
        let since = process::started_at(subject.program)?.saturating_sub(ROUNDED);
        Some(Self { home, cwd, conversation: subject.conversation?, since })
    }

    fn project(&self) -> Option<PathBuf> {
        let projects = read_head(&self.home, Path::new("projects.json"), LARGEST).ok()?;
        Some(Path::new("tmp").join(gemini_project(&projects, &self.cwd)?))
    }

    /// The conversation that the run is in by now.
    fn go_on(&mut self, project: &Path, found: &mut Findings) {
        let Ok(typed) = read_head(&self.home, &project.join("logs.json"), LARGEST) else { return };
        let cleared = gemini_cleared(&typed);
        for _ in 0..MOST {
            let last = cleared.iter().rfind(|(of, at)| *of == self.conversation && *at >= self.since);
            let Some((_, at)) = last else { return };
            let heads = self.heads(&project.join("chats"), *at);
            let Some(next) = gemini_next(*at, &heads).filter(|next| *next != self.conversation) else {
                return;
            };
            next.clone_into(&mut self.conversation);
            let told = Told {
                conversation: Some(next.to_owned()),
                at_ms: Some(*at),
                what: "the conversation was cleared".to_owned(),
                ..Told::default()
            };
            found.push(Finding { source: Source::Transcript, told, fresh: true });
        }
    }

    /// The beginnings of all conversations that were written to since.
    fn heads(&self, chats: &Path, since: u64) -> Vec<GeminiHead> {
        let since = SystemTime::UNIX_EPOCH + Duration::from_millis(since);
        let files = std::fs::read_dir(self.home.join(chats)).into_iter().flatten().flatten();
        let recent = files.filter(|file| {
            let written = file.metadata().and_then(|data| data.modified());
            written.is_ok_and(|written| written >= since)
        });
        let head = |file: std::fs::DirEntry| {
            let head = read_head(&self.home, &chats.join(file.file_name()), FIRST).ok()?;
            GeminiHead::of(head.split(|byte| *byte == b'\n').next()?)
        };
        recent.filter_map(head).collect()
    }
}

impl Follow for GeminiFiles {
    fn look(&mut self, found: &mut Findings) -> Vec<Want> {
        let Some(project) = self.project() else {
            // It is listed when the agent is first started there.
            let name = Some("projects.json".into());
            return vec![Want { dir: self.home.clone(), name, on: On::Change, tag: PROJECTS }];
        };
        self.go_on(&project, found);
        let typed = Some("logs.json".into());
        let dir = self.home.join(&project);
        vec![
            Want { dir: dir.join("chats"), name: None, on: On::Create, tag: CHATS },
            Want { dir, name: typed, on: On::Change, tag: TYPED },
        ]
    }

    fn touched(&mut self, tag: u8, _: &OsStr, _: bool, _: &mut Findings) -> Then {
        // A file that was just made is empty still, and the list is written after it or before it.
        if tag == CHATS { Then::Expect } else { Then::Look }
    }
}
