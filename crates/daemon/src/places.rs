//! Directories: what is being typed, what was used, and which branch is there. git itself is never run for this.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use belfry_protocol::launch::DirectoryEntry;
use belfry_workspace::Repository;

/// Entries that are offered at once.
const OFFERED: usize = 100;

/// Entries of one directory that are looked at: a directory with a million files must not take the daemon along.
const LOOKED_AT: usize = 20_000;

/// The directory that was typed: absolute, with `~` spelled out. None where it is neither.
pub(crate) fn absolute(typed: &str, home: &Path) -> Option<PathBuf> {
    let typed = typed.trim_end_matches('\n');
    if typed == "~" || typed.is_empty() {
        return Some(home.to_owned());
    }
    if let Some(rest) = typed.strip_prefix("~/") {
        return Some(home.join(rest));
    }
    let path = Path::new(typed);
    path.is_absolute().then(|| path.to_owned())
}

/// The same with the home directory written `~`.
pub(crate) fn shown(path: &Path, home: &Path) -> String {
    match path.strip_prefix(home) {
        Ok(rest) if rest.as_os_str().is_empty() => "~".to_owned(),
        Ok(rest) => format!("~/{}", rest.display()),
        Err(_) => path.display().to_string(),
    }
}

/// Directories whose paths begin as typed, sorted; hidden ones only where the dot was typed. Blocks.
pub(crate) fn complete(typed: &str, home: &Path) -> Vec<DirectoryEntry> {
    let Some(path) = absolute(typed, home) else { return Vec::new() };
    // "/a/b" completes names in /a that begin with b; "/a/b/" lists /a/b.
    let whole = typed.is_empty() || typed == "~" || typed.ends_with('/');
    let (dir, start) = if whole {
        (path.as_path(), String::new())
    } else {
        let name = path.file_name().map(|name| name.to_string_lossy().into_owned());
        (path.parent().unwrap_or(&path), name.unwrap_or_default())
    };
    let wanted = start.to_lowercase();
    let mut names: Vec<String> = fs::read_dir(dir)
        .into_iter()
        .flatten()
        .take(LOOKED_AT)
        .flatten()
        .filter_map(|entry| {
            let name = entry.file_name().into_string().ok()?;
            let fits = name.to_lowercase().starts_with(&wanted)
                && (start.starts_with('.') || !name.starts_with('.'));
            // A link to a directory is one as well.
            (fits && !name.contains(char::is_control) && entry.path().is_dir()).then_some(name)
        })
        .collect();
    names.sort_unstable_by_key(|name| name.to_lowercase());
    names.truncate(OFFERED);
    names.into_iter().map(|name| entry(&dir.join(name), home)).collect()
}

/// A directory as it is offered.
pub(crate) fn entry(path: &Path, home: &Path) -> DirectoryEntry {
    DirectoryEntry {
        path: path.display().to_string(),
        shown: shown(path, home),
        repository: path.join(".git").exists(),
        branch: branch_now(path),
    }
}

/// The branch that a directory is on, where it is in a repository. Blocks, for ever where the file system does not answer.
fn branch_now(dir: &Path) -> Option<String> {
    Repository::containing(dir)?.branch()
}

/// How long a directory may take to answer what is asked of it.
const PATIENCE: Duration = Duration::from_secs(5);

/// The same without blocking; none as well where the file system does not answer.
pub(crate) async fn branch(dir: PathBuf) -> Option<String> {
    looked_at(move || branch_now(&dir)).await?
}

/// What was found by looking at files that may lie anywhere; none where they do not answer in time.
pub(crate) async fn looked_at<T: Send + 'static>(look: impl FnOnce() -> T + Send + 'static) -> Option<T> {
    tokio::time::timeout(PATIENCE, tokio::task::spawn_blocking(look)).await.ok()?.ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn scratch(name: &str) -> PathBuf {
        let dir = std::env::temp_dir().join(format!("belfry-places-{}-{name}", std::process::id()));
        let _ = fs::remove_dir_all(&dir);
        fs::create_dir_all(&dir).unwrap();
        dir
    }

    #[test]
    fn directories_are_completed() {
        let home = scratch("complete");
        for name in ["src", "Srv", ".ssh", "doc"] {
            fs::create_dir(home.join(name)).unwrap();
        }
        fs::write(home.join("srcfile"), "").unwrap();
        let shown = |typed: &str| -> Vec<String> {
            complete(typed, &home).into_iter().map(|entry| entry.shown).collect()
        };
        assert_eq!(shown("~/s"), ["~/src", "~/Srv"]);
        assert_eq!(shown("~/.s"), ["~/.ssh"]);
        assert_eq!(shown("~"), ["~/doc", "~/src", "~/Srv"]);
        assert!(shown("relative").is_empty());
        fs::remove_dir_all(home).unwrap();
    }
}
