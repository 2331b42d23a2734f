//! What the keeper says.

use std::sync::Arc;

use belfry_protocol::keeper::{Decoder, FromKeeper, Notice, Why};

use super::Engine;

impl Engine {
    /// Takes in what the keeper has sent.
    pub(super) fn hear(&mut self) {
        let Some(link) = self.following.link.clone() else { return };
        let open = match link.read(&mut self.following.decoder) {
            Ok(open) => open,
            Err(error) => {
                tracing::debug!(session = %self.entry.logged(), %error, "the keeper's socket failed");
                false
            }
        };
        link.flush();
        loop {
            let frame = match self.following.decoder.next_frame() {
                Ok(Some(frame)) => FromKeeper::decode(frame),
                Ok(None) => break,
                Err(error) => {
                    tracing::warn!(session = %self.entry.logged(), %error, "the keeper's stream is broken");
                    self.lost(&link);
                    return;
                }
            };
            match frame {
                Ok(message) => self.heard(message),
                // A newer keeper's; what matters is in frames of every version.
                Err(error) => {
                    tracing::debug!(session = %self.entry.logged(), %error, "a frame is not understood");
                }
            }
        }
        if !open {
            self.lost(&link);
        }
    }

    fn heard(&mut self, message: FromKeeper) {
        match message {
            FromKeeper::Doorbell { .. } => {
                self.following.rung = true;
                self.following.unanswered += 1;
            }
            FromKeeper::Exit(exit) => {
                self.following.exit = Some(*exit);
                // Read the journal to its end, and then it is over.
                self.following.rung = true;
            }
            FromKeeper::Ladder(report) => {
                if !report.left.is_empty() {
                    let names: Vec<_> = report.left.iter().map(|left| sanitised(&left.name)).collect();
                    self.notice(Some(format!("still running: {}", names.join(", "))));
                }
            }
            FromKeeper::Tail { offset, bytes } => {
                // The journal first, so that nothing is fed out of order, rung or not: a doorbell that is still
                // unanswered for the keeper keeps it from ringing again.
                self.following.rung = true;
                while self.turn() {}
                self.tail(offset, &bytes);
            }
            FromKeeper::Notice(Notice::DiskFull { .. }) => {
                self.notice(Some("the disk is full: only the newest output is kept, in memory".to_owned()));
            }
            FromKeeper::Notice(Notice::DiskRecovered { from, to }) => {
                let lost = to.saturating_sub(from);
                self.notice((lost > 0).then(|| {
                    format!("the disk was full, and {lost} bytes of output are missing from the recording")
                }));
            }
            FromKeeper::Stat(stats) => {
                let now = self.now();
                self.front_told(&stats, now);
            }
            FromKeeper::Refused(refused) => {
                // Replies are refused by design after a replay; what was typed is another matter.
                if refused.why == Why::QueueFull {
                    self.notice(Some("the program does not read, and some input was dropped".to_owned()));
                }
                tracing::debug!(session = %self.entry.logged(), what = ?refused.what, why = ?refused.why, "refused");
                if refused.id != 0 {
                    self.answer_refused(refused.id, refused.why);
                    self.message_refused(refused.id, refused.why);
                }
            }
            FromKeeper::Taken { id } => {
                self.answer_taken(id);
                self.message_taken(id);
            }
            FromKeeper::Hello(_) | FromKeeper::Notice(_) => {}
        }
    }

    /// The connection is over: the keeper has left, was killed, or lost us.
    fn lost(&mut self, link: &Arc<super::Link>) {
        if !self.following.link.as_ref().is_some_and(|current| Arc::ptr_eq(current, link)) {
            return;
        }
        self.following.link = None;
        self.entry.set_link(None);
        // What it wrote last is in the journal.
        self.following.rung = true;
        if self.entry.alive() && self.keeper_may_live() {
            tracing::warn!(session = %self.entry.logged(), "the keeper's connection was lost");
            self.unanswered();
            self.following.decoder = Decoder::new();
            self.seek();
            return;
        }
        while self.turn() {}
        self.keeper_left();
    }
}

/// A process says what it is called; people read it.
fn sanitised(name: &str) -> String {
    name.chars().filter(|c| !c.is_control()).take(32).collect()
}
