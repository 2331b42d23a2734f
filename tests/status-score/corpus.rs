//! The recordings that there are.

use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result};

use super::{Labels, Recording};

/// A recording and what was true in it.
#[derive(Clone, Debug)]
pub struct Case {
    /// Directory and name: `codex-0.171.0/whole`.
    pub name: String,
    /// What was true.
    pub labels: Labels,
    recording: PathBuf,
}

impl Case {
    /// Reads the recording.
    pub fn recording(&self) -> Result<Recording> {
        Recording::open(&self.recording)
    }
}

/// All recordings, or those of one agent, by name.
pub fn corpus(agent: Option<&str>) -> Result<Vec<Case>> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus/status");
    let mut cases = Vec::new();
    for directory in entries(&root)?.into_iter().filter(|path| path.is_dir()) {
        for file in entries(&directory)? {
            let Some(name) = file.to_str().and_then(|path| path.strip_suffix(".labels.toml")) else {
                continue;
            };
            let labels = Labels::open(&file)?;
            if agent.is_some_and(|agent| agent != labels.agent) {
                continue;
            }
            let short = Path::new(name).strip_prefix(&root)?.to_string_lossy().into_owned();
            let packed = PathBuf::from(format!("{name}.cast.lz4"));
            cases.push(Case { name: short, labels, recording: packed });
        }
    }
    cases.sort_by(|one, other| one.name.cmp(&other.name));
    Ok(cases)
}

fn entries(directory: &Path) -> Result<Vec<PathBuf>> {
    let entries = std::fs::read_dir(directory).with_context(|| format!("{}", directory.display()))?;
    Ok(entries.map(|entry| Ok(entry?.path())).collect::<std::io::Result<_>>()?)
}
