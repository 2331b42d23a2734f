//! `meta.json` in a run's directory: enough to rebuild the session's record, and to tell how a run ended that nobody saw.

use std::fs;
use std::io;
use std::path::PathBuf;

use belfry_platform::home::RunDir;
use belfry_platform::process::{self, Identity};
use belfry_protocol::keeper::Started;
use belfry_protocol::{RunId, Session};
use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use crate::session::replace_file;

/// What is written.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Meta {
    /// 1.
    pub(crate) format: u32,
    /// The session as it was when the run started.
    pub(crate) session: Session,
    /// The run.
    pub(crate) run: RunId,
    /// The machine's boot that it was started in.
    pub(crate) boot_id: String,
    /// When this was written.
    pub(crate) written_at: Timestamp,
    /// The keeper, once it runs.
    pub(crate) keeper: Option<Started>,
    /// Links that the launch made in an agent's own folder, to be removed at the run's end.
    #[serde(default)]
    pub(crate) links: Vec<PathBuf>,
}

/// A start that takes longer than this has failed, in seconds.
const FRESH: i64 = 10;

impl Meta {
    pub(crate) fn new(session: Session, run: RunId, boot_id: &str) -> Self {
        let boot_id = boot_id.to_owned();
        Self {
            format: 1,
            session,
            run,
            boot_id,
            written_at: crate::clock::wall(),
            keeper: None,
            links: Vec::new(),
        }
    }

    /// Reads it; none where it is missing or not understood.
    pub(crate) fn read(dir: &RunDir) -> Option<Self> {
        let meta: Self = serde_json::from_slice(&fs::read(dir.meta()).ok()?).ok()?;
        (meta.format == 1).then_some(meta)
    }

    /// Writes it, 0600, in one step.
    pub(crate) fn write(&self, dir: &RunDir) -> io::Result<()> {
        replace_file(&dir.meta(), &[&serde_json::to_vec_pretty(self)?])
    }

    /// The keeper, if it still runs: that very process, and no zombie.
    pub(crate) fn running_keeper(&self) -> Option<Identity> {
        let keeper = self.keeper.as_ref()?;
        let identity = Identity { pid: keeper.keeper_pid, start: keeper.keeper_start };
        process::runs(identity).then_some(identity)
    }

    /// Removes the run's links. Only links: a file that took the place of one is somebody else's.
    pub(crate) fn remove_links(&self) {
        for link in &self.links {
            if fs::symlink_metadata(link).is_ok_and(|meta| meta.is_symlink()) {
                let _ = fs::remove_file(link);
            }
        }
    }

    /// Whether its keeper may be starting just now.
    pub(crate) fn is_fresh(&self, boot_id: &str) -> bool {
        let age = crate::clock::wall().duration_since(self.written_at).as_secs();
        self.keeper.is_none() && self.boot_id == boot_id && age < FRESH
    }
}
