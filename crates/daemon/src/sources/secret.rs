//! The secret that binds hooks to a run.
//!
//! It proves little, by intent: whatever the agent runs is the same user and can read it. It keeps what one session's agent
//! says apart from another's, and what is bound by it is telemetry.

use std::io::Read as _;
use std::path::Path;

use belfry_agents::HOOK_FILE;
use belfry_platform::home::RunDir;
use subtle::ConstantTimeEq as _;

/// Longest secret, in bytes.
const LONGEST: usize = 128;

/// A new one: 122 random bits in hexadecimal.
pub(crate) fn fresh() -> String {
    uuid::Uuid::new_v4().simple().to_string()
}

/// Whether a run has one: then its launch has set hooks up.
pub(crate) fn has(dir: &RunDir) -> bool {
    dir.path().join("texts").join(HOOK_FILE).exists()
}

/// The secret of a run, where it has one.
pub(super) fn of_run(dir: &RunDir) -> Option<Vec<u8>> {
    read(&dir.path().join("texts").join(HOOK_FILE))
}

fn read(file: &Path) -> Option<Vec<u8>> {
    let file = std::fs::File::open(file).ok()?;
    let mut secret = Vec::new();
    file.take(LONGEST as u64 + 1).read_to_end(&mut secret).ok()?;
    (!secret.is_empty() && secret.len() <= LONGEST).then_some(secret)
}

/// Whether that is the secret, in a time that does not depend on where they differ.
pub(super) fn is(given: &str, secret: &[u8]) -> bool {
    given.as_bytes().ct_eq(secret).into()
}
