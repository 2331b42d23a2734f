//! What the sessions' terminals showed, brought into the index: each run's journal is read on from where the last reading ended, in a
//! terminal of our own. The sessions themselves, their engines and keepers, notice nothing of it.
//!
//! Where a reading has come to is kept with the lines in one step, so that what a crash cuts off is read again. Of runs that go on the
//! terminals are kept for a while as well, as somebody who searches does so for a while.

use std::collections::{HashMap, HashSet};
use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use belfry_index::{Index, Line, Run, Shown};
use belfry_journal::{Follower, JournalError, Position};
use belfry_protocol::{RunId, SessionId};
use belfry_terminal::Options;
use serde::{Deserialize, Serialize};

use super::sight::{Kept, Sight};
use crate::Daemon;

/// Output that is read at once: some tens of milliseconds.
const STEP: u64 = 1024 * 1024;

/// Output after which the place is kept although no line has left the screen.
const KEPT_AFTER: u64 = 256 * 1024;

/// Terminals that are kept, of about half a megabyte each.
const MOST_OPEN: usize = 64;

/// A run, as the sessions' records have it.
pub(super) struct Known {
    session: SessionId,
    run: RunId,
    agent: String,
    cwd: String,
    journal: PathBuf,
    /// More may come.
    alive: bool,
}

/// All runs but those of private sessions, which are written nowhere; the newest sessions first.
pub(super) fn known(daemon: &Daemon) -> Vec<Known> {
    let mut all = Vec::new();
    for entry in daemon.entries().iter().rev().filter(|entry| !entry.private) {
        let session = entry.record();
        for (age, run) in session.runs.iter().enumerate() {
            all.push(Known {
                session: session.id,
                run: run.id,
                agent: session.agent.clone(),
                cwd: session.cwd.clone(),
                journal: daemon.home.run(session.id, run.id).journal(),
                alive: age == 0 && session.alive(),
            });
        }
    }
    all
}

/// The readings of runs that go on.
#[derive(Default)]
pub(super) struct Runs(HashMap<RunId, Reading>);

/// How far it is, and whether to go on.
pub(super) struct Course<'a> {
    /// So many runs of so many are read.
    pub(super) told: &'a dyn Fn(usize, usize),
    /// The daemon ends.
    pub(super) ends: &'a dyn Fn() -> bool,
}

impl Runs {
    /// Nothing is kept any more.
    pub(super) fn clear(&mut self) {
        self.0.clear();
    }

    /// Brings the index up to date with them.
    pub(super) fn update(
        &mut self,
        index: &mut Index,
        all: &[Known],
        options: &Options,
        course: &Course<'_>,
    ) -> belfry_index::Result<()> {
        let mut indexed = index.runs()?;
        let there: HashSet<RunId> = all.iter().map(|known| known.run).collect();
        for run in indexed.keys().filter(|run| !there.contains(run)) {
            index.forget_run(*run)?;
        }
        self.0.retain(|run, _| there.contains(run) && indexed.contains_key(run));
        let whole = |known: &&Known| known.alive || indexed.get(&known.run) != Some(&true);
        let left: Vec<&Known> = all.iter().filter(whole).collect();
        // One that was taken for over goes on after all.
        for known in left.iter().filter(|known| known.alive) {
            if indexed.get(&known.run) == Some(&true) {
                index.forget_run(known.run)?;
                indexed.remove(&known.run);
            }
        }
        for (number, known) in left.iter().enumerate() {
            (course.told)(number, left.len());
            let reading = match self.0.remove(&known.run) {
                Some(reading) => Ok(reading),
                None => Reading::open(known, index, options)?,
            };
            let mut reading = match reading {
                Ok(reading) => reading,
                Err(JournalError::Missing { .. }) if !known.alive => {
                    index.show(&known.of(), &Shown { done: true, ..Shown::default() })?;
                    continue;
                }
                Err(error) => {
                    tracing::debug!(session = %known.session, %error, "what a session showed cannot be read");
                    continue;
                }
            };
            if !reading.read_on(course.ends) {
                return Ok(());
            }
            reading.tell(known, index)?;
            if known.alive && self.0.len() < MOST_OPEN {
                self.0.insert(known.run, reading);
            }
        }
        Ok(())
    }
}

impl Known {
    fn of(&self) -> Run<'_> {
        Run { session: self.session, run: self.run, agent: &self.agent, cwd: &self.cwd }
    }
}

/// A run's journal, and the terminal that it is fed to.
struct Reading {
    follower: Follower,
    scratch: Vec<u8>,
    sight: Sight,
    /// What the screen showed when it was told last.
    screen: Option<u64>,
    /// Up to where it was kept.
    kept: u64,
}

/// What is kept of a reading, in front of the terminal's state.
#[derive(Serialize, Deserialize)]
struct Head {
    offset: u64,
    segment: u64,
    at: u64,
    kept: Kept,
}

impl Reading {
    /// Opens it where it was left. The inner error is the journal's.
    fn open(
        known: &Known,
        index: &Index,
        options: &Options,
    ) -> belfry_index::Result<Result<Self, JournalError>> {
        let state = index.state_of(known.run)?;
        let restored = state.as_deref().and_then(|state| Self::restored(known, state, options));
        if let Some(mut reading) = restored {
            index.lines_of(known.run, |line| reading.sight.knows(line))?;
            return Ok(Ok(reading));
        }
        let reading = Follower::open_oldest(&known.journal).map(|follower| Self {
            follower,
            scratch: Vec::new(),
            sight: Sight::new(options),
            screen: None,
            kept: 0,
        });
        // Lines that are there already are not added once more.
        Ok(match reading {
            Ok(mut reading) => {
                index.lines_of(known.run, |line| reading.sight.knows(line))?;
                Ok(reading)
            }
            error => error,
        })
    }

    fn restored(known: &Known, state: &[u8], options: &Options) -> Option<Self> {
        let end = state.iter().position(|byte| *byte == b'\n')?;
        let head: Head = serde_json::from_slice(&state[..end]).ok()?;
        let position = Position { offset: head.offset, segment: head.segment, at: head.at };
        let sight = Sight::restored(options, head.kept, &state[end + 1..])?;
        let follower = Follower::open(&known.journal, position).ok()?;
        Some(Self { follower, scratch: Vec::new(), sight, screen: None, kept: head.offset })
    }

    /// Reads on, as long again for everybody else. False where the daemon ends.
    fn read_on(&mut self, ends: &dyn Fn() -> bool) -> bool {
        loop {
            let began = Instant::now();
            let Self { follower, scratch, sight, .. } = self;
            let read = follower.poll_until(scratch, STEP, |entry| {
                sight.entry(&entry);
                ControlFlow::Continue(())
            });
            match read {
                Ok(progress) if !progress.caught_up => {
                    if ends() {
                        return false;
                    }
                    std::thread::sleep(began.elapsed().min(Duration::from_millis(200)));
                }
                Ok(_) => break,
                Err(error) => {
                    tracing::debug!(%error, "a journal cannot be read on");
                    break;
                }
            }
        }
        // The buffer is larger than all the rest.
        self.scratch = Vec::new();
        true
    }

    /// Tells the index what is new.
    fn tell(&mut self, known: &Known, index: &mut Index) -> belfry_index::Result<()> {
        let lines = self.sight.take_fresh();
        let screen = self.sight.screen();
        let shows = hash(&screen);
        let changed = self.screen != Some(shows);
        let place = self.follower.offset();
        let keep = !known.alive || !lines.is_empty() || place >= self.kept + KEPT_AFTER;
        if !changed && !keep {
            return Ok(());
        }
        let state = (keep && known.alive).then(|| self.state());
        let shown = Shown {
            lines: &lines,
            screen: changed.then_some(&screen),
            state: state.as_deref(),
            done: !known.alive,
        };
        index.show(&known.of(), &shown)?;
        self.screen = Some(shows);
        if keep {
            self.kept = place;
        }
        Ok(())
    }

    fn state(&mut self) -> Vec<u8> {
        let (kept, live, offset) = self.sight.keep();
        let position = match self.follower.position() {
            position if position.offset == offset => position,
            // A sequence is not whole yet: it is fed again from its beginning.
            _ => Position::offset(offset),
        };
        let head = Head { offset, segment: position.segment, at: position.at, kept };
        let mut state = serde_json::to_vec(&head).unwrap_or_default();
        state.push(b'\n');
        state.extend_from_slice(&live);
        state
    }
}

fn hash(lines: &[Line]) -> u64 {
    let mut hasher = DefaultHasher::new();
    for line in lines {
        line.text.hash(&mut hasher);
    }
    hasher.finish()
}
