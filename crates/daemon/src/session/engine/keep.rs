//! Checkpoints: when, and what.

use std::sync::Arc;

use belfry_journal::Position;
use belfry_protocol::RunId;
use tokio::sync::oneshot;

use super::{Engine, take_due};
use crate::session::Command;
use crate::session::checkpoint::{self, Draft};
use crate::session::command::Written;

/// Output bytes after which a new checkpoint is due: what a new daemon has to replay at most.
const EVERY_BYTES: u64 = 256 * 1024;

/// Least time between two checkpoints, in milliseconds: in a flood, replaying is much cheaper than writing them.
const EVERY_MILLIS: u64 = 2000;

/// Time after a checkpoint that could not be written, in milliseconds.
const AFTER_FAILURE: u64 = 30_000;

impl Engine {
    pub(super) fn tend_checkpoint(&mut self, now: u64) {
        take_due(&mut self.due.checkpoint, now);
        if self.keeping.busy || self.terminal.offset() < self.keeping.offset + EVERY_BYTES {
            return;
        }
        let earliest = self.keeping.at + EVERY_MILLIS;
        if now < earliest {
            self.due.checkpoint = Some(earliest);
            return;
        }
        self.checkpoint(now);
    }

    /// Begins to write a checkpoint, unless one is being written.
    pub(super) fn checkpoint(&mut self, now: u64) {
        if self.keeping.busy || self.terminal.offset() == self.keeping.offset {
            return;
        }
        self.keeping.busy = true;
        self.keeping.at = now;
        let draft = self.draft();
        let written = Written {
            offset: draft.position.offset,
            segment: draft.position.segment,
            blocks: draft.blocks.clone(),
        };
        let (run, dir, entry) = (self.following.run, self.following.dir.clone(), Arc::clone(&self.entry));
        tokio::task::spawn_blocking(move || {
            let outcome = checkpoint::write(&dir, &draft);
            if let Err(error) = &outcome {
                tracing::debug!(session = %entry.logged(), %error, "a checkpoint cannot be written");
            }
            entry.tell_if_running(Command::Checkpointed { run, written: outcome.is_ok().then_some(written) });
        });
    }

    fn draft(&mut self) -> Draft {
        let saved = self.terminal.checkpoint();
        let position = match &self.following.journal {
            Some(journal) if journal.offset() == saved.offset => journal.position(),
            _ => Position::offset(saved.offset),
        };
        let fresh = saved
            .blocks
            .iter()
            .filter(|block| !self.keeping.blocks.contains(block))
            .filter_map(|block| Some((*block, self.terminal.archive_block(*block)?.to_vec())))
            .collect();
        let gone =
            self.keeping.blocks.iter().filter(|block| !saved.blocks.contains(block)).copied().collect();
        Draft { live: saved.live, position, blocks: saved.blocks, fresh, gone }
    }

    pub(super) fn checkpointed(&mut self, run: RunId, written: Option<Written>) {
        if run != self.following.run {
            return;
        }
        self.keeping.busy = false;
        let Some(written) = written else {
            self.keeping.at = self.now() + AFTER_FAILURE;
            return;
        };
        self.keeping.offset = written.offset;
        self.keeping.blocks = written.blocks.into_iter().collect();
        if written.segment > self.keeping.segment {
            self.keeping.segment = written.segment;
            self.daemon.compressor.closed(&self.following.dir.journal());
        }
    }

    /// The daemon ends. Written at once, on this thread: there is nothing else left to do.
    pub(super) fn save(&mut self, done: oneshot::Sender<()>) {
        while self.turn() {}
        // One that is being written is about to be replaced by a newer one: the file is put in place in one step.
        if self.terminal.offset() != self.keeping.offset {
            let draft = self.draft();
            if let Err(error) = checkpoint::write(&self.following.dir, &draft) {
                tracing::debug!(session = %self.entry.logged(), %error, "the last checkpoint cannot be written");
            }
        }
        let _ = done.send(());
    }
}
