//! The environment of a session's program, as it was started with: it says where the agent keeps its files.

use std::io::Read as _;

use belfry_protocol::launch::EnvVar;

/// Most that is read, in bytes. The system allows programs about 2 MB.
const MOST: u64 = 4 * 1024 * 1024;

/// Reads it; none where it cannot be read.
pub(crate) fn of(pid: u32) -> Option<Environ> {
    let mut bytes = Vec::new();
    std::fs::File::open(format!("/proc/{pid}/environ")).ok()?.take(MOST).read_to_end(&mut bytes).ok()?;
    (!bytes.is_empty()).then_some(Environ(bytes))
}

/// An environment.
pub(crate) struct Environ(Vec<u8>);

impl Environ {
    /// All variables that are UTF-8.
    pub(crate) fn all(&self) -> Vec<EnvVar> {
        let pairs = self.0.split(|byte| *byte == 0).filter_map(|pair| std::str::from_utf8(pair).ok());
        let pairs = pairs.filter_map(|pair| pair.split_once('='));
        pairs.map(|(name, value)| EnvVar { name: name.to_owned(), value: value.to_owned() }).collect()
    }

    /// A variable's value, where it is UTF-8.
    pub(crate) fn var(&self, name: &str) -> Option<String> {
        self.0.split(|byte| *byte == 0).find_map(|pair| {
            let value = pair.strip_prefix(name.as_bytes())?.strip_prefix(b"=")?;
            String::from_utf8(value.to_vec()).ok()
        })
    }
}
