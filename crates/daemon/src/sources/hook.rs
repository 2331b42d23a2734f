//! What `belfry hook` tells, checked and read.

use std::collections::HashMap;

use belfry_agents::{Heard, HookReader};
use belfry_platform::home::RunDir;
use belfry_protocol::{RunId, SessionId, Source};
use parking_lot::Mutex;
use serde_json::Value;

use super::{SourceSignal, dated, secret};
use crate::clock::Clock;

/// Sessions whose state is kept. What is forgotten is made anew from the run's files.
const MOST: usize = 1024;

/// Largest payload, in bytes of JSON.
const LARGEST: usize = 64 * 1024;

/// Longest name, in bytes.
const LONGEST_NAME: usize = 64;

/// The hooks of all sessions.
#[derive(Debug, Default)]
pub(super) struct Hooks {
    runs: Mutex<HashMap<SessionId, Hooked>>,
}

/// Hooks of one run.
#[derive(Debug)]
struct Hooked {
    run: RunId,
    secret: Vec<u8>,
    reader: HookReader,
}

/// One call of a hook.
pub(crate) struct Call<'a> {
    pub(crate) secret: &'a str,
    pub(crate) name: &'a str,
    pub(crate) at_ms: u64,
    pub(crate) payload: &'a Value,
}

/// Whom a call is about.
pub(crate) struct Callee<'a> {
    pub(crate) session: SessionId,
    pub(crate) agent: &'a str,
    pub(crate) run: RunId,
    pub(crate) dir: &'a RunDir,
    /// The conversation, as far as it is known.
    pub(crate) conversation: Option<&'a str>,
}

/// Why a call is not heard.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Refused {
    /// The run has another secret, or none.
    Secret,
    /// The name or the payload is longer than any.
    TooMuch,
}

impl Hooks {
    /// Hears a call. None where it says nothing, or speaks of another conversation.
    pub(super) fn hear(
        &self,
        callee: &Callee<'_>,
        call: &Call<'_>,
        clock: Clock,
    ) -> Result<Option<SourceSignal>, Refused> {
        let mut runs = self.runs.lock();
        if runs.get(&callee.session).is_none_or(|hooked| hooked.run != callee.run) {
            // Read once a run, so that a flood of wrong ones costs no more than the comparison.
            let secret = secret::of_run(callee.dir).unwrap_or_default();
            let reader = HookReader::new(callee.conversation.map(str::to_owned));
            if runs.len() >= MOST {
                runs.clear();
            }
            runs.insert(callee.session, Hooked { run: callee.run, secret, reader });
        }
        let hooked = runs.get_mut(&callee.session).ok_or(Refused::Secret)?;
        if hooked.secret.is_empty() || !secret::is(call.secret, &hooked.secret) {
            return Err(Refused::Secret);
        }
        let length = serde_json::to_vec(call.payload).map_or(usize::MAX, |json| json.len());
        if length > LARGEST || call.name.len() > LONGEST_NAME {
            return Err(Refused::TooMuch);
        }
        let mut heard = hooked.reader.read(callee.agent, call.name, call.payload);
        // Another source may know better by now which conversation is the session's.
        if heard == Heard::Foreign
            && let Some(known) =
                callee.conversation.filter(|known| hooked.reader.conversation() != Some(known))
        {
            hooked.reader.learn(known);
            heard = hooked.reader.read(callee.agent, call.name, call.payload);
        }
        Ok(match heard {
            Heard::Told(told) => {
                let at = dated(clock, Some(call.at_ms), true);
                Some(SourceSignal { source: Source::Hook, told: *told, at })
            }
            Heard::Foreign | Heard::Unknown => None,
        })
    }
}
