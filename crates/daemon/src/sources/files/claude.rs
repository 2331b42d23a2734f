//! Claude Code: its list of live sessions, and the transcript of the conversation that the list names.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use belfry_agents::Told;
use belfry_agents::transcripts::{ClaudeTranscript, RegistryEntry, places, registry};
use belfry_platform::process::{self, Identity};
use belfry_protocol::Source;

use super::beneath::read_head;
use super::dirs::{On, Want};
use super::tail::Tail;
use super::{Finding, Findings, Follow, Then, environ, newest};
use crate::sources::Subject;

const REGISTRY: u8 = 1;
const TRANSCRIPT: u8 = 2;

/// Largest entry that is read, in bytes. One has about 600.
const LARGEST: u64 = 64 * 1024;

/// The files of one run.
pub(super) struct ClaudeFiles {
    home: PathBuf,
    program: Identity,
    /// The directory and the conversation that its transcript is filed under, as far as they are known.
    filed: Option<(String, String)>,
    claimed: Option<Claimed>,
    transcript: Option<Transcript>,
}

/// The entry of the run's own process.
struct Claimed {
    process: Identity,
    told: Option<Told>,
}

struct Transcript {
    tail: Tail,
    lines: ClaudeTranscript,
    conversation: String,
}

impl ClaudeFiles {
    pub(super) fn new(subject: Subject) -> Option<Self> {
        let environ = environ::of(subject.program.pid)?;
        Some(Self {
            home: places::claude_home(|name| environ.var(name))?,
            program: subject.program,
            filed: subject.conversation.map(|conversation| (subject.cwd, conversation)),
            claimed: None,
            transcript: None,
        })
    }

    /// The entry of a process, if it is really that process's, and has a terminal.
    fn entry(&self, process: Identity) -> Option<RegistryEntry> {
        let file = Path::new("sessions").join(format!("{}.json", process.pid));
        let entry = registry(&read_head(&self.home, &file, LARGEST).ok()?)?;
        // A process that was killed leaves its entry behind, and another may have its id by now.
        let same = entry.pid == process.pid && entry.proc_start.parse() == Ok(process.start);
        (same && entry.interactive()).then_some(entry)
    }

    /// The run's own process: the program, or what is nearest below it. Agents that the agent starts are further down.
    fn find(&self) -> Option<(Identity, RegistryEntry)> {
        let below = process::descendants(self.program.pid);
        let depth = |mut pid: u32| {
            let mut depth = 0;
            while let Some(member) = below.iter().find(|member| member.identity.pid == pid) {
                (pid, depth) = (member.parent, depth + 1);
                if depth > below.len() {
                    break;
                }
            }
            depth
        };
        let mut processes: Vec<_> =
            below.iter().map(|member| (depth(member.identity.pid), member.identity)).collect();
        processes.push((0, self.program));
        processes.sort_by_key(|(depth, identity)| (*depth, identity.start));
        processes.into_iter().find_map(|(_, process)| Some((process, self.entry(process)?)))
    }

    fn claim(&mut self, found: &mut Findings) {
        if self.claimed.as_ref().is_some_and(|claimed| !claimed.process.is_alive()) {
            self.claimed = None;
        }
        let entry = match &self.claimed {
            Some(claimed) => self.entry(claimed.process).map(|entry| (claimed.process, entry)),
            None => self.find(),
        };
        let Some((process, entry)) = entry else { return };
        let told = entry.told();
        self.filed = Some((entry.cwd, entry.session_id));
        if self.claimed.as_ref().is_none_or(|claimed| claimed.told.as_ref() != Some(&told)) {
            let fresh = self.claimed.is_some();
            found.push(Finding { source: Source::Registry, told: told.clone(), fresh });
        }
        self.claimed = Some(Claimed { process, told: Some(told) });
    }

    /// The transcript that the conversation has, which may be another one by now. True where it is.
    fn turn_to_transcript(&mut self) -> bool {
        let Some((cwd, conversation)) = &self.filed else { return false };
        let Some(relative) = places::claude_transcript(cwd, conversation) else { return false };
        if self.transcript.as_ref().is_some_and(|known| known.tail.relative() == relative) {
            return false;
        }
        self.transcript = Some(Transcript {
            tail: Tail::new(&self.home, relative),
            lines: ClaudeTranscript::default(),
            conversation: conversation.clone(),
        });
        true
    }

    fn read_transcript(&mut self, found: &mut Findings) {
        let Some(transcript) = &mut self.transcript else { return };
        let mut told = Vec::new();
        // It is made with the first prompt; what is no file, or somewhere else, is left alone.
        let fresh = match transcript.tail.read(|line| told.extend(transcript.lines.line(line))) {
            Ok(fresh) => fresh,
            Err(error) => {
                if error.kind() != std::io::ErrorKind::NotFound {
                    tracing::debug!(%error, "a transcript is not read");
                }
                true
            }
        };
        if let Some(mut told) = newest(told) {
            told.conversation = Some(transcript.conversation.clone());
            found.push(Finding { source: Source::Transcript, told, fresh });
        }
    }

    /// Whether a process is the run's.
    fn is_ours(&self, pid: u32) -> bool {
        pid == self.program.pid || process::ancestry(pid).is_some_and(|chain| chain.contains(&self.program))
    }
}

impl Follow for ClaudeFiles {
    fn look(&mut self, found: &mut Findings) -> Vec<Want> {
        self.claim(found);
        self.turn_to_transcript();
        self.read_transcript(found);
        let list = Want { dir: self.home.join("sessions"), name: None, on: On::Change, tag: REGISTRY };
        let transcript = self.transcript.as_ref().and_then(|transcript| {
            let path = self.home.join(transcript.tail.relative());
            let name = path.file_name()?.to_owned();
            Some(Want { dir: path.parent()?.to_owned(), name: Some(name), on: On::Change, tag: TRANSCRIPT })
        });
        std::iter::once(list).chain(transcript).collect()
    }

    fn touched(&mut self, tag: u8, name: &OsStr, created: bool, found: &mut Findings) -> Then {
        if tag == TRANSCRIPT {
            self.read_transcript(found);
            return Then::Nothing;
        }
        let pid = name.to_str().and_then(|name| name.strip_suffix(".json")?.parse::<u32>().ok());
        let Some(pid) = pid else { return Then::Nothing };
        match &self.claimed {
            Some(claimed) if claimed.process.pid == pid => self.claim(found),
            // Somebody else's, of whom there may be many.
            Some(_) if !created => return Then::Nothing,
            Some(claimed) if claimed.process.is_alive() => return Then::Nothing,
            _ if !self.is_ours(pid) => return Then::Nothing,
            _ => self.claim(found),
        }
        // Another directory is to be watched then.
        if self.turn_to_transcript() { Then::Look } else { Then::Nothing }
    }
}
