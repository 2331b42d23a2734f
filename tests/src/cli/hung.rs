//! A daemon that hangs.

use rustix::process::{Pid, Signal, kill_process};

use super::{Belfry, eventually};

/// A home's daemon, stopped where it is; it goes on when this is dropped.
#[derive(Debug)]
pub struct Hung(Pid);

impl Hung {
    /// Stops it, and waits until each of its threads stands still: the signal alone is only a wish.
    pub fn new(belfry: &Belfry) -> Self {
        let pid = Pid::from_raw(belfry.daemon_pid()).expect("a pid");
        let hung = Self(pid);
        kill_process(pid, Signal::STOP).expect("stop the daemon");
        let tasks = format!("/proc/{}/task", pid.as_raw_nonzero());
        eventually("the daemon stands still", || {
            std::fs::read_dir(&tasks).expect("its threads").flatten().all(|task| {
                let stat = std::fs::read_to_string(task.path().join("stat")).unwrap_or_default();
                // After the name in brackets, which may have brackets itself.
                stat.rsplit(')').next().is_some_and(|rest| rest.trim_start().starts_with('T'))
            })
        });
        hung
    }

    /// Kills it as it is.
    pub fn kill(self) {
        kill_process(self.0, Signal::KILL).expect("kill the daemon");
    }
}

impl Drop for Hung {
    fn drop(&mut self) {
        // It may have been killed.
        let _ = kill_process(self.0, Signal::CONT);
    }
}
