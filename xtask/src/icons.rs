//! `cargo xtask icons`: makes the tray's pictures from their drawings.

use anyhow::{Context, Result, bail};

use crate::exec::{command, on_path, run as execute};
use crate::root::root;

/// The heights of panels, at one and at two pixels to the point.
const SIZES: &[u32] = &[22, 44];

/// Draws each of `icons/tray/*.svg` in each size beside it.
pub(crate) fn run() -> Result<()> {
    if !on_path("rsvg-convert") {
        bail!("rsvg-convert is missing; the package librsvg2-bin, librsvg2-tools or librsvg has it");
    }
    let directory = root().join("icons/tray");
    for entry in directory.read_dir().with_context(|| directory.display().to_string())? {
        let drawing = entry?.path();
        if drawing.extension().is_none_or(|extension| extension != "svg") {
            continue;
        }
        let name = drawing.file_stem().unwrap_or_default().to_string_lossy();
        for size in SIZES {
            let picture = directory.join(format!("{name}-{size}.png"));
            let size = size.to_string();
            execute(
                command("rsvg-convert").args(["-w", &size, "-h", &size]).arg(&drawing).arg("-o").arg(picture),
            )?;
        }
    }
    Ok(())
}
