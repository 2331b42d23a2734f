//! Where things are in the checkout.

use std::path::{Path, PathBuf};

/// The checkout's root.
pub(crate) fn root() -> &'static Path {
    // The tool is built where it is used, so the path from compile time holds.
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap_or(Path::new("."))
}

/// Cargo's target directory.
pub(crate) fn target() -> PathBuf {
    std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| root().join("target"), |set| root().join(set))
}

/// Tools that the project installs for itself. `cargo clean` removes them; the next command brings them back.
pub(crate) fn tools() -> PathBuf {
    target().join("tools")
}
