//! How a run ends.

use std::sync::Arc;

use belfry_protocol::keeper::{EndReason, ExitInfo};
use belfry_protocol::session::{Exit, HIBERNATED};
use belfry_protocol::{Reply, Status};
use belfry_status::Observation;
use belfry_store::AskOutcome;
use belfry_terminal::Scope;
use jiff::Timestamp;

use tokio::time::Duration;

use super::Engine;
use crate::clock;
use crate::launch::Meta;

/// The longest pause between two looks whether a keeper whose run is over has left.
const LEAVING: Duration = Duration::from_secs(40);

impl Engine {
    /// The keeper has said how the program ended: it is over once all of its output is here.
    pub(super) fn end_if_read(&mut self) {
        if let Some(exit) = self.following.exit.take() {
            self.ended(exit_of(&exit, false), clock::from_micros(exit.at));
        }
    }

    /// The keeper is gone. It leaves a note where it left by itself.
    pub(super) fn keeper_left(&mut self) {
        if self.entry.alive() {
            let (exit, at) = left(&self.following.dir, &self.daemon.boot_id);
            self.ended(exit, at);
        }
        self.compress_all();
        self.answer_killers();
    }

    /// Compresses the whole journal once nobody writes it any more: a keeper may stay a while after its connection's end. One
    /// that stays for longer leaves its newest segment to the next daemon.
    fn compress_all(&self) {
        let (daemon, dir) = (Arc::clone(&self.daemon), self.following.dir.clone());
        tokio::spawn(async move {
            let mut pause = Duration::from_millis(20);
            while Meta::read(&dir).is_some_and(|meta| meta.running_keeper().is_some()) {
                if pause > LEAVING {
                    return;
                }
                tokio::time::sleep(pause).await;
                pause *= 2;
            }
            daemon.compressor.over(&dir.journal());
        });
    }

    fn ended(&mut self, exit: Exit, at: Timestamp) {
        let now = self.now();
        self.watch.arbiter().observe(Observation::Ended, now);
        self.ask_over(Some(AskOutcome::Ended));
        let before = self.entry.record().status;
        let run = self.following.run;
        let focused = self.entry.focus.load(std::sync::atomic::Ordering::Relaxed) != 0;
        let title = self.terminal.title().to_owned();
        tracing::info!(session = %self.entry.logged(), exit = ?exit, "the run ended");
        let closed = matches!(exit, Exit::Code { code: 0 }) && self.bridge().is_some();
        let closed = closed.then(|| "its tmux pane was closed".to_owned());
        let asleep = self.fell_asleep(at);
        let why = if asleep { Some(HIBERNATED.to_owned()) } else { closed.or_else(|| self.refusal(&exit)) };
        let why = why.unwrap_or_else(|| reason(&exit));
        let after = if asleep { Status::Idle } else { Status::Dead };
        self.daemon.change(&self.entry, |session| {
            session.status = after;
            session.ask = None;
            session.since = at;
            "process".clone_into(&mut session.source);
            session.reason = Some(why);
            session.activity = None;
            session.activity_since = None;
            session.guest = None;
            session.pid = None;
            session.exit = (!asleep).then(|| exit.clone());
            // Nothing happens in one that sleeps.
            session.unseen = if asleep { session.unseen } else { !focused };
            if title.is_empty() {
                session.title = None;
            }
            if let Some(newest) = session.runs.iter_mut().find(|known| known.id == run) {
                newest.ended_at = Some(at);
                newest.exit = Some(exit);
            }
        });
        self.answer_ended("the session has ended");
        let what = "the program has ended";
        self.note_status(before, after, "process", self.entry.record().reason.clone().as_deref(), what);
        self.watching = None;
        self.entry.hibernating.store(false, std::sync::atomic::Ordering::SeqCst);
        self.daemon.save_soon(&self.entry);
        if let Some(meta) = Meta::read(&self.following.dir) {
            meta.remove_links();
        }
        self.due = super::Due { snapshot: self.due.snapshot, ..super::Due::default() };
        self.fail_outgoing("the session has ended");
        self.checkpoint(now);
        self.answer_killers();
    }

    /// Why the agent refused to start, where that is what it said last.
    fn refusal(&self, exit: &Exit) -> Option<String> {
        if !matches!(exit, Exit::Code { code } if *code != 0) {
            return None;
        }
        let agent = self.agents.get(&self.entry.record().agent)?;
        agent.refusal(&self.terminal.text(Scope::Screen)).map(str::to_owned)
    }

    fn answer_killers(&mut self) {
        for answer in self.killers.drain(..) {
            answer.give(Ok(Reply::Session(Box::new(self.entry.session()))));
        }
    }
}

/// How a run ended whose keeper is gone, and when.
pub(crate) fn left(dir: &belfry_platform::home::RunDir, boot_id: &str) -> (Exit, Timestamp) {
    let restarted = Meta::read(dir).is_some_and(|meta| meta.boot_id != boot_id);
    if let Ok(bytes) = std::fs::read(dir.exit())
        && let Ok(info) = serde_json::from_slice::<ExitInfo>(&bytes)
    {
        return (exit_of(&info, restarted), clock::from_micros(info.at));
    }
    // Nobody saw when; the last thing it printed is the best guess.
    let at = last_written(dir).unwrap_or_else(clock::wall);
    (if restarted { Exit::MachineRestarted } else { Exit::KeeperLost }, at)
}

fn last_written(dir: &belfry_platform::home::RunDir) -> Option<Timestamp> {
    let newest = std::fs::read_dir(dir.journal()).ok()?.flatten();
    let times = newest.filter_map(|file| file.metadata().ok()?.modified().ok());
    let time = times.max()?.duration_since(std::time::UNIX_EPOCH).ok()?;
    Timestamp::from_millisecond(i64::try_from(time.as_millis()).ok()?).ok()
}

/// How the run ended whose record this is. One that was ended by the machine's shutdown says so once the machine has
/// started again; before, it may as well have been the person's log-out.
fn exit_of(info: &ExitInfo, restarted: bool) -> Exit {
    match (info.code, info.signal) {
        _ if restarted && info.reason == EndReason::Shutdown => Exit::MachineRestarted,
        (_, Some(signal)) => Exit::Signal { signal, name: signal_name(signal) },
        (Some(code), None) => Exit::Code { code },
        (None, None) => Exit::KeeperLost,
    }
}

/// The short sentence beside `dead`.
pub(crate) fn reason(exit: &Exit) -> String {
    match exit {
        Exit::Code { code } => format!("exit {code}"),
        Exit::Signal { name, .. } => name.clone(),
        Exit::MachineRestarted => "machine restarted".to_owned(),
        Exit::KeeperLost => "keeper lost".to_owned(),
        Exit::LaunchFailed { reason } => format!("not started: {reason}"),
    }
}

fn signal_name(signal: i32) -> String {
    use rustix::process::Signal as S;
    // The standard ones; the numbers differ between systems, the names do not.
    let known = [
        (S::HUP, "SIGHUP"),
        (S::INT, "SIGINT"),
        (S::QUIT, "SIGQUIT"),
        (S::ILL, "SIGILL"),
        (S::TRAP, "SIGTRAP"),
        (S::ABORT, "SIGABRT"),
        (S::BUS, "SIGBUS"),
        (S::FPE, "SIGFPE"),
        (S::KILL, "SIGKILL"),
        (S::USR1, "SIGUSR1"),
        (S::SEGV, "SIGSEGV"),
        (S::USR2, "SIGUSR2"),
        (S::PIPE, "SIGPIPE"),
        (S::ALARM, "SIGALRM"),
        (S::TERM, "SIGTERM"),
        (S::XCPU, "SIGXCPU"),
        (S::XFSZ, "SIGXFSZ"),
        (S::SYS, "SIGSYS"),
    ];
    let name = known.iter().find(|(known, _)| known.as_raw() == signal).map(|(_, name)| *name);
    name.map_or_else(|| format!("signal {signal}"), str::to_owned)
}
