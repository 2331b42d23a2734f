//! Compressing journal segments that nobody writes any more: one thread, at the lowest priority, in the order asked.

use std::path::{Path, PathBuf};
use std::sync::mpsc;

use belfry_journal::{Which, compress};

/// The way to the thread, which ends with the last of these.
#[derive(Clone)]
pub(crate) struct Compressor {
    work: mpsc::SyncSender<(PathBuf, Which)>,
}

/// Journals that may wait. One that finds no room is done with the next one of its session, or at the next start.
const WAITING: usize = 1024;

impl Compressor {
    pub(crate) fn start() -> std::io::Result<Self> {
        let (work, waiting) = mpsc::sync_channel(WAITING);
        std::thread::Builder::new().name("compress".to_owned()).spawn(move || run(&waiting))?;
        Ok(Self { work })
    }

    /// All but the newest segment of a journal are complete.
    pub(crate) fn closed(&self, journal: &Path) {
        let _ = self.work.try_send((journal.to_owned(), Which::Closed));
    }

    /// The run is over, and its keeper gone.
    pub(crate) fn over(&self, journal: &Path) {
        let _ = self.work.try_send((journal.to_owned(), Which::All));
    }
}

fn run(waiting: &mpsc::Receiver<(PathBuf, Which)>) {
    // On Linux this is the thread's own niceness. macOS: `pthread_set_qos_class_self_np(QOS_CLASS_BACKGROUND)`.
    #[cfg(target_os = "linux")]
    let _ = rustix::process::setpriority_process(None, 19);
    while let Ok((journal, which)) = waiting.recv() {
        match compress(&journal, which) {
            Ok(done) if done.segments > 0 => {
                tracing::debug!(
                    segments = done.segments,
                    before = done.before,
                    after = done.after,
                    "compressed"
                );
            }
            Ok(_) => {}
            // The session may have been removed in the meantime.
            Err(error) => tracing::debug!(%error, "a journal cannot be compressed"),
        }
    }
}
