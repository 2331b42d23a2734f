//! Whether the machine leaves times alone.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

/// How often it looks.
const TICK: Duration = Duration::from_millis(10);

/// Later than this, a wake was kept waiting for a processor: a tenth of what a change of status may take.
const LATE: Duration = Duration::from_millis(15);

/// More late wakes than this, in percent, and times say more about the machine than about what is measured.
const LOADED: f64 = 1.0;

/// Something that wakes at fixed times for as long as it lives, and counts how often it was late.
#[derive(Debug)]
pub struct Load {
    over: Arc<AtomicBool>,
    thread: Option<JoinHandle<(u64, u64)>>,
}

impl Load {
    /// Begins to look.
    #[expect(clippy::new_without_default, reason = "it starts a thread")]
    pub fn new() -> Self {
        let over = Arc::new(AtomicBool::new(false));
        let ends = Arc::clone(&over);
        let thread = std::thread::spawn(move || {
            let (mut all, mut late) = (0, 0);
            while !ends.load(Ordering::Relaxed) {
                let due = Instant::now() + TICK;
                std::thread::sleep(TICK);
                all += 1;
                late += u64::from(due.elapsed() > LATE);
            }
            (all, late)
        });
        Self { over, thread: Some(thread) }
    }

    /// Ends it. How many of a hundred wakes were late.
    pub fn late(mut self) -> f64 {
        self.over.store(true, Ordering::Relaxed);
        let (all, late) = self.thread.take().and_then(|thread| thread.join().ok()).unwrap_or((0, 0));
        if all == 0 { 0.0 } else { 100.0 * late as f64 / all as f64 }
    }

    /// Whether that is a loaded machine.
    pub fn is_heavy(late: f64) -> bool {
        late > LOADED
    }
}

impl Drop for Load {
    fn drop(&mut self) {
        self.over.store(true, Ordering::Relaxed);
    }
}
