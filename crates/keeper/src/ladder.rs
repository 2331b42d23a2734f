//! Ending what a program started: SIGHUP, SIGTERM, SIGKILL over its whole process session.

use std::collections::HashSet;

use belfry_platform::process::{self, Identity, Member};
use belfry_protocol::keeper::{Kill, LadderReport, LadderStep, Left};
use rustix::process::Signal;

/// Between two looks at who is left, in microseconds: at first short, since most programs end at once; then longer, since
/// a look walks all of `/proc`.
const FIRST_LOOK: u64 = 5_000;
const LAST_LOOK: u64 = 200_000;

/// How long SIGKILL may take, in microseconds, before what is left (a process in uninterruptible sleep) is reported.
const KILL_WAIT: u64 = 2_000_000;

/// How long a program that only gets SIGHUP, because its session's leader has ended, may take to go.
const HANGUP_WAIT: u64 = 1_000_000;

/// One climb. Who appears late (a fork between two looks) gets the present step's signal when seen.
pub(crate) struct Ladder {
    /// The steps still to come, first one last, each with how long it lasts.
    coming: Vec<(Signal, u64)>,
    current: Signal,
    ends_at: u64,
    look_at: u64,
    pause: u64,
    started: u64,
    signalled: HashSet<Identity>,
    steps: Vec<LadderStep>,
    everything: bool,
}

impl Ladder {
    /// The whole ladder.
    pub(crate) fn new(kill: Kill, now: u64) -> Self {
        let (hup, term) = (u64::from(kill.hup_ms) * 1000, u64::from(kill.term_ms) * 1000);
        let coming = vec![(Signal::KILL, KILL_WAIT), (Signal::TERM, term)];
        Self::start(Signal::HUP, hup, coming, kill.everything, now)
    }

    /// SIGHUP alone.
    pub(crate) fn hangup(now: u64) -> Self {
        Self::start(Signal::HUP, HANGUP_WAIT, Vec::new(), false, now)
    }

    fn start(first: Signal, lasts: u64, coming: Vec<(Signal, u64)>, everything: bool, now: u64) -> Self {
        Self {
            coming,
            current: first,
            ends_at: now + lasts,
            look_at: now,
            pause: FIRST_LOOK,
            started: now,
            signalled: HashSet::new(),
            steps: vec![step(first, 0)],
            everything,
        }
    }

    /// When to call [`Ladder::climb`] at the latest.
    pub(crate) fn deadline(&self) -> u64 {
        self.look_at
    }

    /// A child has ended: look at once.
    pub(crate) fn look_soon(&mut self) {
        self.look_at = 0;
    }

    /// Makes it harsher if it is already under way: a second request to end is from somebody who cannot wait.
    pub(crate) fn widen(&mut self, everything: bool) {
        self.everything |= everything;
    }

    /// Looks who is left of process session `session` and does what is due; true when the climb is over.
    pub(crate) fn climb(&mut self, session: u32, now: u64) -> bool {
        if now < self.look_at {
            return false;
        }
        let left = alive(session, self.everything);
        if left.is_empty() {
            self.steps.retain(|step| step.processes > 0);
            return true;
        }
        if now >= self.ends_at {
            let Some((signal, lasts)) = self.coming.pop() else { return true };
            self.current = signal;
            self.ends_at = now + lasts;
            self.pause = FIRST_LOOK;
            self.signalled.clear();
            self.steps.push(step(signal, (now - self.started) / 1000));
        }
        for member in left {
            if self.signalled.insert(member.identity) && process::signal(member.identity, self.current) {
                // A stopped process acts on a signal only once it goes on.
                process::signal(member.identity, Signal::CONT);
                if let Some(step) = self.steps.last_mut() {
                    step.processes += 1;
                }
            }
        }
        self.look_at = (now + self.pause).min(self.ends_at);
        self.pause = (self.pause * 2).min(LAST_LOOK);
        false
    }

    /// The steps, and who lives on.
    pub(crate) fn report(self, session: u32) -> LadderReport {
        LadderReport { steps: self.steps, left: left(session) }
    }
}

fn step(signal: Signal, at_ms: u64) -> LadderStep {
    LadderStep { signal: signal.as_raw(), at_ms, processes: 0 }
}

/// Processes of the session that have not ended; with `everything`, all that descends from us.
fn alive(session: u32, everything: bool) -> Vec<Member> {
    let mut found = process::session_members(session);
    if everything {
        found.extend(process::descendants(std::process::id()));
    }
    found.retain(|member| !member.zombie);
    found
}

/// Who lives on, for the report: of the session, and what made a session of its own.
fn left(session: u32) -> Vec<Left> {
    let mut left: Vec<Left> = alive(session, true)
        .into_iter()
        .map(|member| Left {
            pid: member.identity.pid,
            start: member.identity.start,
            name: member.name,
            own_session: member.session != session,
        })
        .collect();
    left.sort_unstable_by_key(|process| process.pid);
    left.dedup_by_key(|process| process.pid);
    left
}
