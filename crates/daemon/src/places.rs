//! Directories: what is being typed, what was used, and which branch is there. git itself is never run for this.

use std::fs;
use std::path::{Path, PathBuf};

use belfry_protocol::launch::DirectoryEntry;

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
        branch: branch(path),
    }
}

/// The branch that a directory is on: read from the repository's `HEAD`, in the directory itself or the nearest one above.
/// A detached head gives its short commit.
pub(crate) fn branch(dir: &Path) -> Option<String> {
    let git = dir.ancestors().map(|dir| dir.join(".git")).find(|git| git.exists())?;
    let git = if git.is_file() {
        // A worktree or submodule: `gitdir: PATH`, relative to the file.
        let text = read_short(&git)?;
        let target = text.strip_prefix("gitdir:")?.trim().to_owned();
        git.parent()?.join(target)
    } else {
        git
    };
    let head = read_short(&git.join("HEAD"))?;
    let head = head.trim();
    let name = match head.strip_prefix("ref: refs/heads/") {
        Some(branch) => branch.to_owned(),
        None => head.get(..8).filter(|id| id.bytes().all(|b| b.is_ascii_hexdigit()))?.to_owned(),
    };
    (!name.contains(char::is_control) && name.len() <= 250).then_some(name)
}

/// A small file's text; what a repository holds there is not ours to trust.
fn read_short(path: &Path) -> Option<String> {
    use std::io::Read;
    let mut text = String::new();
    fs::File::open(path).ok()?.take(4096).read_to_string(&mut text).ok()?;
    Some(text)
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

    #[test]
    fn branches_are_read_without_git() {
        let dir = scratch("branch");
        fs::create_dir_all(dir.join("repo/.git")).unwrap();
        fs::create_dir_all(dir.join("repo/deep/er")).unwrap();
        fs::write(dir.join("repo/.git/HEAD"), "ref: refs/heads/feature/x\n").unwrap();
        assert_eq!(branch(&dir.join("repo/deep/er")).as_deref(), Some("feature/x"));
        fs::create_dir_all(dir.join("tree")).unwrap();
        fs::create_dir_all(dir.join("repo/.git/worktrees/tree")).unwrap();
        fs::write(dir.join("tree/.git"), "gitdir: ../repo/.git/worktrees/tree\n").unwrap();
        fs::write(dir.join("repo/.git/worktrees/tree/HEAD"), "0123456789abcdef0123\n").unwrap();
        assert_eq!(branch(&dir.join("tree")).as_deref(), Some("01234567"));
        fs::write(dir.join("repo/.git/HEAD"), "ref: refs/heads/\u{1b}[31m").unwrap();
        assert_eq!(branch(&dir.join("repo")), None);
        fs::remove_dir_all(dir).unwrap();
    }
}
