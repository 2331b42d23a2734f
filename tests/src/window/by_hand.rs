//! The window as a person opens it: no automation, the real keyboard.

use std::process::{Child, Stdio};

use anyhow::Result;

use super::{Desk, Process, until};

/// The title of Belfry's window.
const TITLE: &str = "Belfry";

/// A window that was opened like any program. It ends with its desk.
#[derive(Debug)]
pub struct ByHand(Child);

impl ByHand {
    pub(super) async fn open(desk: &Desk) -> Result<Self> {
        let child = desk
            .program("belfry-desktop")?
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()?;
        let opened = Self(child);
        until("window on the screen", async || Ok(desk.window(TITLE).ok())).await?;
        until("focused window", async || Ok(desk.active_window().ok().filter(|title| title == TITLE)))
            .await?;
        Ok(opened)
    }

    /// Its main process.
    pub fn process(&self) -> Process {
        Process { pid: self.0.id().cast_signed(), program: "belfry-desktop".to_owned() }
    }

    /// Waits for its end and returns the exit code; `None` after a signal.
    pub async fn ended(&mut self) -> Result<Option<i32>> {
        until("end of the window's process", async || Ok(self.0.try_wait()?))
            .await
            .map(|status| status.code())
    }

    /// Kills it as the system would, and reaps it.
    pub fn kill(&mut self) {
        self.0.kill().ok();
        self.0.wait().ok();
    }
}
