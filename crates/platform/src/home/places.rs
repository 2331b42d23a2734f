//! The system's usual places.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use super::Home;

/// A variable's value, if it is an absolute path: the XDG base directory specification says to ignore any other.
fn absolute(var: &impl Fn(&str) -> Option<OsString>, name: &str) -> Option<PathBuf> {
    var(name).map(PathBuf::from).filter(|path| path.is_absolute())
}

/// The user's id; where there is none, the name of the fallback directory needs none either.
#[cfg(unix)]
fn user() -> u32 {
    rustix::process::geteuid().as_raw()
}
#[cfg(not(unix))]
fn user() -> u32 {
    0
}

#[cfg(not(target_os = "macos"))]
pub(super) fn usual(var: &impl Fn(&str) -> Option<OsString>) -> Option<Home> {
    let home = absolute(var, "HOME");
    let under_home = |rest: &str| home.as_ref().map(|home| home.join(rest));
    let config = absolute(var, "XDG_CONFIG_HOME").or_else(|| under_home(".config"))?;
    let state = absolute(var, "XDG_STATE_HOME").or_else(|| under_home(".local/state"))?;
    let runtime = match absolute(var, "XDG_RUNTIME_DIR") {
        Some(dir) => dir.join("belfry"),
        // Another user could have made it first: `directory::open_private` then refuses it.
        None => PathBuf::from(format!("/tmp/belfry-{}", user())),
    };
    Some(Home { config: config.join("belfry"), state: state.join("belfry"), runtime, root: None })
}

#[cfg(target_os = "macos")]
pub(super) fn usual(var: &impl Fn(&str) -> Option<OsString>) -> Option<Home> {
    let support = absolute(var, "HOME")?.join("Library/Application Support/Belfry");
    let temporary = absolute(var, "TMPDIR").unwrap_or_else(|| PathBuf::from("/tmp"));
    let runtime = temporary.join(format!("belfry-{}", user()));
    Some(Home { config: support.join("config"), state: support.join("state"), runtime, root: None })
}

/// See [`Home::private_dir`].
#[cfg(unix)]
pub(super) fn memory_backed(runtime: &Path, state: &Path) -> Result<PathBuf, super::HomeError> {
    use crate::directory::{create_private, is_memory_backed};
    let runtime_fd = create_private(runtime)?;
    let dir = if is_memory_backed(&runtime_fd) {
        runtime.join("private")
    } else {
        let shared = Path::new("/dev/shm");
        if !rustix::fs::open(shared, rustix::fs::OFlags::RDONLY, rustix::fs::Mode::empty())
            .is_ok_and(|fd| is_memory_backed(&fd))
        {
            return Err(super::HomeError::NoMemoryStorage);
        }
        // Two levels, each checked: what we own is the first one, one home among several is the second.
        let ours = shared.join(format!("belfry-{}", user()));
        create_private(&ours)?;
        ours.join(format!("{:016x}", fnv1a(state.as_os_str().as_encoded_bytes())))
    };
    create_private(&dir)?;
    Ok(dir)
}

/// FNV-1a, 64 bits: the directory's name must be the same in every build, which std's hasher does not promise.
#[cfg(unix)]
fn fnv1a(bytes: &[u8]) -> u64 {
    bytes
        .iter()
        .fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3))
}
