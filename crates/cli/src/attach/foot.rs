//! A line at the foot of the outer terminal, for what has to be said while a view is open.

use std::future::Future;
use std::pin::pin;
use std::time::Duration;

use belfry_protocol::launch::Size;
use tokio::time::{Instant, timeout};

use super::key::DetachKey;
use super::picture;
use super::writer::Writer;

/// A daemon answers within milliseconds; after this it is said that it does not.
pub(super) const PATIENCE: Duration = Duration::from_secs(2);

/// For how long a line stays.
const SHOWN: Duration = Duration::from_secs(5);

/// What is said there.
#[derive(Debug, Default)]
pub(super) struct Foot {
    /// To be shown with the next picture of the screen.
    text: Option<String>,
    until: Option<Instant>,
    /// It is said that the daemon does not answer.
    hung: bool,
    /// The line was drawn over the screen, which is to be drawn again.
    drawn: bool,
    /// How to leave, where there is a key for it.
    leave: String,
}

impl Foot {
    pub(super) fn new(key: DetachKey) -> Self {
        let leave = key.name().map(|name| format!(" {name} leaves.")).unwrap_or_default();
        Self { leave, ..Self::default() }
    }

    /// Says something for a while. It is drawn when the screen is whole.
    pub(super) fn say(&mut self, text: String) {
        self.text = Some(text);
        self.until = None;
    }

    /// What is said now.
    pub(super) fn text(&self) -> Option<&str> {
        self.text.as_deref()
    }

    /// The screen was drawn whole: then the line, which no sequence of the program's is cut by.
    pub(super) fn over(&mut self, writer: &mut Writer, here: Size) {
        if let Some(text) = &self.text {
            writer.write(picture::foot(text, here), 0);
            self.until.get_or_insert_with(|| Instant::now() + SHOWN);
        }
    }

    /// It was drawn as a part of a picture.
    pub(super) fn pictured(&mut self) {
        if self.text.is_some() {
            self.until.get_or_insert_with(|| Instant::now() + SHOWN);
        }
    }

    /// When what is said has been seen.
    pub(super) fn until(&self) -> Option<Instant> {
        self.until
    }

    /// It has been seen.
    pub(super) fn clear(&mut self) {
        self.text = None;
        self.until = None;
    }

    /// Says that the daemon does not answer. Until it does, nothing of the program's is drawn, so that the line can be put
    /// over the screen at once.
    pub(super) fn hangs(&mut self, writer: &mut Writer, here: Size) {
        if !self.hung {
            self.hung = true;
            self.drawn = true;
            let text = format!("The daemon does not answer; the session goes on.{}", self.leave);
            writer.write(picture::foot(&text, here), 0);
        }
    }

    /// It has answered.
    pub(super) fn answers(&mut self) {
        self.hung = false;
    }

    /// Whether the screen is to be drawn again, now that it can be.
    pub(super) fn take_over(&mut self) -> bool {
        !self.hung && std::mem::take(&mut self.drawn)
    }

    /// Waits for the daemon, and says so when that takes long.
    pub(super) async fn patiently<T>(
        &mut self,
        writer: &mut Writer,
        here: Size,
        work: impl Future<Output = T>,
    ) -> T {
        let mut work = pin!(work);
        if let Ok(done) = timeout(PATIENCE, &mut work).await {
            return done;
        }
        self.hangs(writer, here);
        let done = work.await;
        self.answers();
        done
    }
}
