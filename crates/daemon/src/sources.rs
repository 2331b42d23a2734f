//! What tells of a session beside its terminal: the agent's own files, and its hooks.
//!
//! None of it is trusted alone, and none of it decides: everything becomes a dated [`SourceSignal`], and the arbiter weighs
//! it. [`Sources::watch`] follows the files of one run (Claude Code's list of live sessions and its transcript, Codex's
//! rollout); one thread waits for changes of all of them and never looks by itself. [`Sources::hear`] takes what `belfry
//! hook` tells. OpenCode's plugin, Gemini CLI and Aider tell by hooks alone: their files say nothing in time.

#[cfg(target_os = "linux")]
mod files;
mod hook;
mod observe;
mod secret;

use belfry_agents::Told;
use belfry_platform::process::Identity;
use belfry_protocol::Source;

use crate::clock::{self, Clock};
#[cfg(target_os = "linux")]
pub(crate) use files::environ::of as environ;
use hook::Hooks;
pub(crate) use hook::{Call, Callee, Refused};
pub(crate) use observe::{Alive, observations, silent};
pub(crate) use secret::{fresh as fresh_secret, has as has_secret};

/// One observation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct SourceSignal {
    /// Where it comes from.
    pub(crate) source: Source,
    /// What is told.
    pub(crate) told: Told,
    /// When it was so, by the daemon's clock; never later than now.
    pub(crate) at: u64,
}

/// What is followed: one run of a session.
#[derive(Clone, Debug)]
pub(crate) struct Subject {
    /// The agent's id.
    pub(crate) agent: String,
    /// The run's program; the agent is it or below it.
    pub(crate) program: Identity,
    /// The session's directory.
    pub(crate) cwd: String,
    /// The conversation, as far as it is known.
    pub(crate) conversation: Option<String>,
}

/// Takes what is observed. It is called on a thread of its own and must not block.
pub(crate) type Tell = Box<dyn Fn(SourceSignal) + Send>;

/// The sources of all sessions.
#[derive(Debug)]
pub(crate) struct Sources {
    #[cfg(target_os = "linux")]
    files: Option<files::Files>,
    hooks: Hooks,
    clock: Clock,
}

impl Sources {
    /// Starts to wait for changes, of nothing yet.
    pub(crate) fn start(clock: Clock) -> Self {
        Self {
            #[cfg(target_os = "linux")]
            files: files::Files::start(clock)
                .inspect_err(|error| tracing::warn!(%error, "agents' files cannot be followed"))
                .ok(),
            hooks: Hooks::default(),
            clock,
        }
    }

    /// Follows the files of a run for as long as the answer is kept. What they say already comes at once. None for an agent
    /// whose files say nothing.
    ///
    /// Plan for macOS: FSEvents on the same directories, and `proc_pidinfo` for descriptors and environment. Plan for Windows:
    /// `ReadDirectoryChangesW`.
    #[cfg(target_os = "linux")]
    pub(crate) fn watch(&self, subject: Subject, tell: Tell) -> Option<Watching> {
        self.files.as_ref()?.watch(subject, tell).map(Watching)
    }

    /// See above: nothing here yet.
    #[cfg(not(target_os = "linux"))]
    pub(crate) fn watch(&self, _: Subject, _: Tell) -> Option<Watching> {
        None
    }

    /// Hears a call of a hook. None where it says nothing, or speaks of another conversation.
    pub(crate) fn hear(&self, callee: &Callee<'_>, call: &Call<'_>) -> Result<Option<SourceSignal>, Refused> {
        self.hooks.hear(callee, call, self.clock)
    }
}

/// Files of a run that are followed. Dropping it ends that.
#[derive(Debug)]
#[cfg(target_os = "linux")]
pub(crate) struct Watching(#[expect(dead_code, reason = "it is kept to be dropped")] files::Followed);

/// Nothing is followed.
#[derive(Debug)]
#[cfg(not(target_os = "linux"))]
pub(crate) struct Watching(());

/// Milliseconds within which a word that has just come was said. A clock that was set in between shows as more.
const FRESH: u64 = 2000;

/// The moment, by the daemon's clock, of something that an agent dates by the wall's. What has just come was so just now,
/// whatever the wall's clock did meanwhile; what was there already may be old, and what lies ahead is now.
fn dated(clock: Clock, at_ms: Option<u64>, fresh: bool) -> u64 {
    let now = clock.now();
    let wall = u64::try_from(clock::wall().as_millisecond()).unwrap_or(0);
    match at_ms.map(|at| wall.saturating_sub(at)) {
        Some(age) if !fresh || age <= FRESH => now.saturating_sub(age),
        _ => now,
    }
}

#[cfg(all(test, target_os = "linux"))]
mod tests;
