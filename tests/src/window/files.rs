//! Files that a person drags and copies, as out of a file manager.

use std::path::Path;

use anyhow::{Context, Result};

use super::processes::Attendant;
use super::{Desk, Driven, until};

/// Files that can be dragged, or that are on the clipboard. Dropped, they are not any more.
#[derive(Debug)]
pub struct Files(#[expect(dead_code, reason = "kept alive")] Attendant);

impl Desk {
    /// Shows a small window in the upper left corner that is dragged as these files.
    pub fn files_to_drag(&self, paths: &[&Path]) -> Result<Files> {
        self.file_manager("drag", paths)
    }

    /// Puts files on the clipboard, and no text.
    pub fn copy_files(&self, paths: &[&Path]) -> Result<Files> {
        self.file_manager("copy", paths)
    }

    /// Puts the picture in a file on the clipboard.
    pub fn copy_picture(&self, path: &Path) -> Result<Files> {
        self.file_manager("picture", &[path])
    }

    fn file_manager(&self, what: &str, paths: &[&Path]) -> Result<Files> {
        let mut command = self.script("files.py", include_str!("bus/files.py"))?;
        let mut files = Attendant::start(command.arg(what).args(paths))?;
        files.first_line().context("are python3-gi and gir1.2-gtk-3.0 installed?")?;
        Ok(Files(files))
    }

    /// Drags from the small window to an element of the page, and lets go once the page says by `taken`, a selector, that
    /// it would take what is dragged.
    pub async fn drag_files_to(&self, window: &Driven, element: &str, taken: &str) -> Result<()> {
        let (x, y) = window.middle_of(self, element).await?;
        self.point((20, 20))?;
        self.hold_button(true)?;
        // A drag begins after some pixels.
        for step in 1..8 {
            self.point((20 + step * 6, 20 + step * 6))?;
        }
        let mut turn = 0;
        let over = until(taken, async || {
            turn += 1;
            self.point((x + turn % 3, y))?;
            Ok((window.count(taken).await? > 0).then_some(()))
        })
        .await;
        self.hold_button(false)?;
        over
    }
}
