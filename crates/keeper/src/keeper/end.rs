//! The program's end, what it leaves behind, and ours.

use belfry_journal::Exit;
use belfry_platform::{clock, process};
use belfry_protocol::keeper::{EndReason, ExitInfo, FromKeeper, Kill, LadderReport, Leftovers};
use rustix::process::{Pid, WaitId, WaitIdOptions, WaitOptions, wait, waitid, waitpid};

use super::{Keeper, TURN};
use crate::ladder::Ladder;

/// How much is read after the program's end: the kernel's own buffers hold less, and what a background process prints
/// from then on is not awaited.
const LAST_WORDS: usize = 4 * TURN;

/// Time between two attempts to record the end on a full disk, and how long a daemon that has been told may take to
/// read that, in microseconds.
const RETRY: u64 = 1_000_000;
const FAREWELL: u64 = 5_000_000;

/// How long a keeper tries to record an end that it has told a daemon, in microseconds. Untold, it tries for ever.
const TOLD_PATIENCE: u64 = 30_000_000;

/// Where a keeper stands between its program's end and its own.
#[derive(Default)]
pub(super) struct End {
    reason: Option<EndReason>,
    info: Option<ExitInfo>,
    ended_at: u64,
    /// The leader's zombie is kept until the ladder is done: as long as it is there, its process id, which names the
    /// process session, cannot be given to anybody else.
    unreaped: bool,
    /// The exit is in the journal and in `exit.json`.
    recorded: (bool, bool),
    retry_at: Option<u64>,
    /// The ladder is over, since then.
    ladder_done: Option<u64>,
}

impl End {
    pub(super) fn info(&self) -> Option<&ExitInfo> {
        self.info.as_ref()
    }

    /// A client asked for the end that will come.
    pub(super) fn asked_for(&mut self) {
        self.reason.get_or_insert(EndReason::Killed);
    }

    pub(super) fn deadline(&self) -> Option<u64> {
        match self.ladder_done {
            Some(since) => Some(self.retry_at.unwrap_or(since + FAREWELL)),
            None => self.retry_at,
        }
    }
}

/// How a process ended, as waiting for it told.
struct Status {
    code: Option<i32>,
    signal: Option<i32>,
    core: bool,
}

impl Keeper {
    /// SIGTERM to the keeper itself: log-out or shutdown.
    pub(super) fn shut_down(&mut self) {
        if self.end.info.is_some() {
            return;
        }
        self.end.reason = Some(EndReason::Shutdown);
        let kill = Kill { hup_ms: 1000, term_ms: 2000, everything: false };
        self.ladder.get_or_insert_with(|| Ladder::new(kill, clock::monotonic()));
    }

    /// Looks whether the program has ended, and reaps what it left to us.
    pub(super) fn children_ended(&mut self) {
        if let Some(ladder) = &mut self.ladder {
            ladder.look_soon();
        }
        if self.end.info.is_none()
            && let Some(status) = self.program_status()
        {
            self.end.unreaped = true;
            self.program_ended(&status);
        }
        if self.end.unreaped {
            let own = std::process::id();
            let zombies = process::children(own).into_iter().filter(|child| child.zombie);
            for pid in zombies.map(|child| child.identity.pid).filter(|pid| *pid != self.program) {
                let _ = waitpid(to_pid(pid), WaitOptions::NOHANG);
            }
            return;
        }
        while let Ok(Some((pid, status))) = wait(WaitOptions::NOHANG) {
            // It can have ended between the look above and here.
            if pid.as_raw_pid().cast_unsigned() == self.program && self.end.info.is_none() {
                let core = libc::WCOREDUMP(status.as_raw());
                let (code, signal) = (status.exit_status(), status.terminating_signal());
                self.program_ended(&Status { code, signal, core });
            }
        }
    }

    /// How the program ended, if it has. It stays a zombie.
    fn program_status(&self) -> Option<Status> {
        let options = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
        let status = waitid(WaitId::Pid(to_pid(self.program)?), options).ok()??;
        Some(Status {
            code: status.exit_status(),
            signal: status.terminating_signal(),
            core: status.dumped(),
        })
    }

    /// Reads its last words, records the end, hangs up, and sees to what it left behind.
    fn program_ended(&mut self, status: &Status) {
        let before = self.recorder.offset();
        while self.recorder.offset() - before < LAST_WORDS as u64 && self.read_terminal() {}
        self.input.clear();
        self.repaint = None;
        // Hangs up whoever still has the terminal.
        self.pty = None;
        let info = ExitInfo {
            run: self.run,
            code: status.code,
            signal: status.signal,
            core: status.core,
            reason: self.end.reason.unwrap_or(EndReason::Program),
            offset: self.recorder.offset(),
            at: clock::wall(),
            steps: Vec::new(),
            left: Vec::new(),
        };
        let now = clock::monotonic();
        self.end.info = Some(info.clone());
        self.end.ended_at = now;
        self.record_end(now);
        if let Some(daemon) = &mut self.daemon {
            daemon.send(&FromKeeper::Exit(Box::new(info)));
        }
        if self.ladder.is_none() {
            self.ladder = Some(match self.leftovers {
                Leftovers::Hangup => Ladder::hangup(now),
                Leftovers::Kill => Ladder::new(Kill::default(), now),
            });
        }
    }

    /// Puts the end into the journal and `exit.json`, as far as it is not there yet.
    fn record_end(&mut self, now: u64) {
        let Some(info) = &self.end.info else { return };
        let (mut journal, mut file) = self.end.recorded;
        if !journal {
            let exit = Exit { code: info.code, signal: info.signal, core: info.core };
            journal = self.recorder.exit(exit);
        }
        if !file {
            file = self.exit_file.write(info).is_ok();
        }
        if !(journal && file) && self.exit_file.has_no_place() {
            (journal, file) = (true, true);
        }
        self.end.recorded = (journal, file);
        self.end.retry_at = (!journal || !file).then_some(now + RETRY);
    }

    pub(super) fn try_to_record(&mut self, now: u64) {
        if self.end.retry_at.is_some_and(|at| now >= at) {
            self.record_end(now);
        }
    }

    pub(super) fn climb(&mut self, now: u64) {
        let Some(ladder) = &mut self.ladder else { return };
        if !ladder.climb(self.program, now) {
            return;
        }
        // Nobody of the session is alive, yet the program's end has not been seen: it comes with the next SIGCHLD.
        if self.end.info.is_none() {
            self.children_ended();
        }
        let Some(ladder) = self.ladder.take() else { return };
        let report = ladder.report(self.program);
        if self.end.info.is_none() {
            // Even SIGKILL did not help, for now; the next request climbs again.
            self.tell_report(report);
            return;
        }
        self.end.unreaped = false;
        // The program, and every orphan that ended since the last look: init may be slow to see to them.
        while let Ok(Some(_)) = wait(WaitOptions::NOHANG) {}
        self.end.ladder_done = Some(now);
        if (!report.steps.is_empty() || !report.left.is_empty())
            && let Some(info) = &mut self.end.info
        {
            info.steps.clone_from(&report.steps);
            info.left.clone_from(&report.left);
            // The first version is on the disk; this one only says more.
            if self.end.recorded.1 {
                let _ = self.exit_file.write(info);
            }
        }
        self.tell_report(report);
    }

    fn tell_report(&mut self, report: LadderReport) {
        if let Some(daemon) = &mut self.daemon {
            daemon.send(&FromKeeper::Ladder(report));
        }
    }

    /// Whether nothing is left to do.
    pub(super) fn is_done(&self) -> bool {
        let Some(since) = self.end.ladder_done else { return false };
        let now = clock::monotonic();
        let told = self.daemon.as_ref().is_none_or(|daemon| daemon.unsent_len() == 0);
        if self.end.recorded == (true, true) {
            return told || now >= since + FAREWELL;
        }
        self.daemon.is_some() && told && now >= self.end.ended_at + TOLD_PATIENCE
    }
}

fn to_pid(pid: u32) -> Option<Pid> {
    i32::try_from(pid).ok().and_then(Pid::from_raw)
}
