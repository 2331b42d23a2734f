//! Whom a text is meant for, where a shell's terminal changes hands: what was queued for an agent must never be run by the
//! shell that is there once the agent has gone, nor the other way round.

use std::collections::HashMap;
use std::sync::atomic::Ordering;

use belfry_platform::process::Identity;
use belfry_protocol::MessageId;
use belfry_protocol::reply::Delivery;

use super::{Delivering, held};
use crate::session::checkpoint;
use crate::session::engine::Engine;

/// The file in a run's directory that keeps it for the next daemon.
const FILE: &str = "meant.json";

/// Whom a text is meant for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Meant {
    /// Whoever has the terminal, once what was typed last has begun and that is told.
    Undecided,
    /// The session's own program.
    Own,
    /// An agent that was started by hand in it.
    Guest(Identity),
}

/// The processes, and none for the session's own program, by message.
pub(super) type Kept = HashMap<MessageId, Option<(u32, u64)>>;

impl Engine {
    /// Whom a text is meant for that is queued now. One that the last daemon knew keeps its own.
    pub(super) fn meant(&mut self, id: MessageId) -> Meant {
        match self.messages.kept.get(&id) {
            Some(Some((pid, start))) => Meant::Guest(Identity { pid: *pid, start: *start }),
            Some(None) => Meant::Own,
            None => self.meant_now(),
        }
    }

    fn meant_now(&self) -> Meant {
        match &self.guest {
            _ if !self.watched_front => Meant::Own,
            Some(guest) => Meant::Guest(guest.process),
            None if self.front_known_from() <= self.front.told_at => Meant::Own,
            None => Meant::Undecided,
        }
    }

    /// When what was typed last has begun, so that what has the terminal tells something.
    fn front_known_from(&self) -> u64 {
        let typed = self.entry.typed_at.load(Ordering::Relaxed);
        if typed == 0 { 1 } else { typed + held::BEGINS }
    }

    /// What has the terminal was told: it decides for the texts that wait for that.
    pub(in crate::session::engine) fn settle_meant(&mut self, now: u64) {
        let undecided = |outgoing: &super::Outgoing| outgoing.meant == Meant::Undecided;
        if !self.messages.waiting.iter().any(undecided) {
            return;
        }
        let meant = self.meant_now();
        if meant == Meant::Undecided {
            self.ask_front_at(self.front_known_from());
            return;
        }
        for outgoing in self.messages.waiting.iter_mut().filter(|outgoing| outgoing.meant == Meant::Undecided)
        {
            outgoing.meant = meant;
        }
        self.keep_meant();
        self.due.delivery.get_or_insert(now);
    }

    /// A text that is not for what has the terminal keeps none waiting that is.
    pub(super) fn prefer_fitting(&mut self) {
        let fits = |outgoing: &super::Outgoing| self.not_for_front(outgoing.meant).is_none();
        if let Some(at @ 1..) = self.messages.waiting.iter().position(fits)
            && let Some(fitting) = self.messages.waiting.remove(at)
        {
            self.messages.waiting.push_front(fitting);
            self.messages.held = None;
        }
    }

    /// Why a text has to wait for something else than what is known to have the terminal, or for that to be known.
    pub(super) fn held_by_front(&mut self, meant: Meant, now: u64) -> Option<String> {
        if meant == Meant::Undecided {
            self.ask_front_at(self.front_known_from().max(now));
            return Some(held::DRAWN.to_owned());
        }
        self.not_for_front(meant)
    }

    /// Why a text is not for what has the terminal.
    pub(super) fn not_for_front(&self, meant: Meant) -> Option<String> {
        let name = self.guest_name();
        let guest = self.guest.as_ref().map(|guest| guest.process);
        match (meant, guest) {
            (Meant::Undecided, _) | (Meant::Own, None) => None,
            (Meant::Own, Some(_)) => Some(format!(
                "{} has the terminal, and this is meant for the shell",
                name.unwrap_or_default()
            )),
            (Meant::Guest(wanted), Some(there)) if wanted == there => (!self.guest_acts())
                .then(|| format!("{} has not reached its prompt", name.unwrap_or_default())),
            (Meant::Guest(_), _) => {
                Some("the agent that it is meant for does not have the terminal".to_owned())
            }
        }
    }

    /// A guest is gone, or somebody else has the terminal: what of its texts is on the way has come to that, and what it cannot
    /// get any more has failed.
    pub(in crate::session::engine) fn messages_of_guest(&mut self, guest: Identity, name: &str) {
        let first = self.messages.waiting.front();
        if first.is_some_and(|first| first.meant == Meant::Guest(guest)) {
            match self.messages.delivering {
                Delivering::Waiting | Delivering::Claiming => {}
                // It was typed and submitted: this is what came of it.
                Delivering::Entered { .. } | Delivering::Taken { .. } => {
                    self.end_first(Delivery::Delivered, None);
                }
                Delivering::Offered { .. }
                | Delivering::Typed { .. }
                | Delivering::Entering { .. }
                | Delivering::Retrying { .. } => {
                    // What the agent did not read may lie on the shell's line.
                    self.entry.draft.store(true, Ordering::Relaxed);
                    let why = format!("{name} left the terminal while it was being typed");
                    self.end_first(Delivery::Unsure, Some(&why));
                }
            }
        }
        self.fail_orphans();
    }

    /// Texts for agents that have ended will never be typed.
    pub(super) fn fail_orphans(&mut self) {
        let orphan = |outgoing: &super::Outgoing| match outgoing.meant {
            Meant::Guest(process) => !process.is_alive(),
            Meant::Own | Meant::Undecided => false,
        };
        while let Some(at) = self.messages.waiting.iter().position(orphan) {
            if at == 0 {
                if !matches!(self.messages.delivering, Delivering::Waiting | Delivering::Claiming) {
                    // What has become of it is told as soon as the terminal's front is.
                    return;
                }
                self.messages.delivering = Delivering::Waiting;
            }
            if let Some(mut outgoing) = self.messages.waiting.remove(at) {
                let why = "the agent that it was meant for has ended";
                self.end_outgoing(&mut outgoing, Delivery::Failed, Some(why));
            }
            self.count_queued();
        }
    }

    /// Takes up what the last daemon knew of it.
    pub(in crate::session::engine) fn resume_meant(&mut self) {
        let kept = std::fs::read(self.following.dir.path().join(FILE)).ok();
        self.messages.kept = kept.and_then(|kept| serde_json::from_slice(&kept).ok()).unwrap_or_default();
    }

    /// Keeps it for the next daemon, where there is more than one that a text can be meant for.
    pub(super) fn keep_meant(&mut self) {
        if !self.watched_front {
            return;
        }
        let known = self.messages.waiting.iter().filter_map(|outgoing| match outgoing.meant {
            Meant::Undecided => None,
            Meant::Own => Some((outgoing.id?, None)),
            Meant::Guest(process) => Some((outgoing.id?, Some((process.pid, process.start)))),
        });
        let known: Kept = known.collect();
        if known == self.messages.kept {
            return;
        }
        let file = self.following.dir.path().join(FILE);
        let written = serde_json::to_vec(&known).map_err(std::io::Error::from);
        if let Err(error) = written.and_then(|json| checkpoint::replace(&file, &[&json])) {
            tracing::warn!(session = %self.entry.logged(), %error, "whom messages are meant for cannot be kept");
        }
        self.messages.kept = known;
    }
}
