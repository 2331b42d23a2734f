//! Ignored files that a new working tree is given: copies of those that are asked for, links to what is to be shared.
//!
//! Which files those are is asked of git, so that patterns mean what they mean in `.gitignore`. Only what git ignores is
//! brought, never what is tracked. A pattern without a slash, such as `.env`, does not reach into directories that are ignored
//! as a whole: nobody who writes it means the ones inside `node_modules`.

mod copy;

use std::collections::HashSet;
use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt as _;
use std::path::{Component, Path, PathBuf};

use crate::{Git, GitError, MakeError, MakeResult, Stop};

use copy::{Copier, Outcome};

/// The file with patterns, in the top of the working tree that is copied from.
pub const FILE: &str = ".worktreeinclude";

/// Longest file of patterns that is read, in bytes.
const LONGEST: u64 = 256 << 10;

/// What is brought.
#[derive(Clone, Copy, Debug)]
pub struct Bring<'a> {
    /// The top of the working tree that it comes from.
    pub from: &'a Path,
    /// The top of the new one.
    pub to: &'a Path,
    /// Patterns beside those in [`FILE`].
    pub copy: &'a [String],
    /// Directories that are shared by a link.
    pub link: &'a [String],
    /// Ends it.
    pub stop: &'a Stop,
}

/// Brings what is asked for. What could not be brought is told, in sentences, and is no failure.
pub fn bring(git: &Git, bring: Bring<'_>) -> MakeResult<Vec<String>> {
    let mut notices = Vec::new();
    let mut patterns = bring.copy.to_vec();
    match crate::read::text(&bring.from.join(FILE), LONGEST) {
        Ok(text) => patterns.extend(text.lines().map(str::to_owned)),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => {}
        Err(error) => notices.push(format!("`{FILE}` has no effect: {error}.")),
    }
    let copier =
        Copier::between(bring.from, bring.to).map_err(MakeError::io("ignored files cannot be copied"))?;
    for name in bring.link {
        match link(git, bring, &copier, name)? {
            Linked::Yes => {}
            // A link in its place would be committed.
            Linked::Instead => patterns.push(format!("/{}/", name.trim_matches('/'))),
            Linked::No(why) => notices.push(format!("`{}` is not linked: {why}.", name.escape_debug())),
        }
    }
    let mut failed = Vec::new();
    for file in wanted(git, bring, &patterns)? {
        if bring.stop.stopped() {
            return Err(MakeError::Stopped);
        }
        match copier.copy(&file) {
            Ok(Outcome::Copied | Outcome::There) => {}
            Err(error) if error.kind() == std::io::ErrorKind::StorageFull => {
                return Err(MakeError::io(format!("{} cannot be copied", file.display()))(error));
            }
            Err(error) => failed.push(format!("{} ({error})", file.display())),
        }
    }
    if !failed.is_empty() {
        let more = failed.len().saturating_sub(3);
        failed.truncate(3);
        let more = if more > 0 { format!(" and {more} more") } else { String::new() };
        notices.push(format!("These ignored files were not copied: {}{more}.", failed.join(", ")));
    }
    Ok(notices)
}

/// Ignored files that the patterns mean, relative to the top.
fn wanted(git: &Git, bring: Bring<'_>, patterns: &[String]) -> MakeResult<Vec<PathBuf>> {
    let plain = |line: &&String| !line.trim().is_empty() && !line.starts_with('#');
    let patterns: Vec<&str> = patterns.iter().filter(plain).map(String::as_str).collect();
    if patterns.iter().all(|line| line.starts_with('!')) {
        return Ok(Vec::new());
    }
    let ignored = Ignored::in_tree(git, bring)?;
    let (mut names, mut paths) = (Vec::new(), Vec::new());
    for line in &patterns {
        let inner = line.trim_end().trim_end_matches('/');
        if line.starts_with('!') {
            names.push(*line);
            paths.push(*line);
        } else if inner.contains('/') {
            paths.push(*line);
        } else {
            names.push(*line);
        }
    }
    let mut found = Vec::new();
    for file in matching(git, bring, &names)? {
        let named = |part: Component<'_>| {
            names.iter().any(|name| OsStr::new(name.trim_end().trim_end_matches('/')) == part.as_os_str())
        };
        let inside = file.ancestors().skip(1).any(|above| ignored.whole.contains(above));
        if !inside || file.parent().is_some_and(|above| above.components().any(named)) {
            found.push(file);
        }
    }
    found.extend(matching(git, bring, &paths)?);
    found.retain(|file| ignored.has(file));
    found.sort_unstable();
    found.dedup();
    Ok(found)
}

/// Files that git does not track and that the patterns match.
fn matching(git: &Git, bring: Bring<'_>, patterns: &[&str]) -> MakeResult<Vec<PathBuf>> {
    if patterns.iter().all(|line| line.starts_with('!')) {
        return Ok(Vec::new());
    }
    let failed = || MakeError::io("the patterns of files to copy cannot be told to git");
    let mut file = tempfile::NamedTempFile::new().map_err(failed())?;
    std::io::Write::write_all(&mut file, (patterns.join("\n") + "\n").as_bytes()).map_err(failed())?;
    let listed = git
        .read(bring.from)
        .args(["ls-files", "--others", "--ignored", "-z", "--exclude-from"])
        .arg(file.path())
        .stop(bring.stop)
        .output()?;
    Ok(paths(&listed).filter(|path| !path.ends_with(b"/")).filter_map(inside).collect())
}

/// What git ignores: files, and directories in which there is nothing else.
struct Ignored {
    files: HashSet<PathBuf>,
    directories: HashSet<PathBuf>,
    /// Those of the directories that are ignored themselves, whatever is in them.
    whole: HashSet<PathBuf>,
}

impl Ignored {
    fn in_tree(git: &Git, bring: Bring<'_>) -> MakeResult<Self> {
        let listed = git
            .read(bring.from)
            .args(["ls-files", "--others", "--ignored", "--exclude-standard", "--directory", "-z"])
            .stop(bring.stop)
            .output()?;
        let (mut files, mut directories) = (HashSet::new(), HashSet::new());
        for path in paths(&listed) {
            match path.strip_suffix(b"/") {
                Some(directory) => directories.extend(inside(directory)),
                None => files.extend(inside(path)),
            }
        }
        let whole = whole(git, bring, &directories)?;
        Ok(Self { files, directories, whole })
    }

    fn has(&self, file: &Path) -> bool {
        self.files.contains(file) || file.ancestors().skip(1).any(|above| self.directories.contains(above))
    }
}

/// Those of some directories that a pattern of the repository names.
fn whole(git: &Git, bring: Bring<'_>, of: &HashSet<PathBuf>) -> MakeResult<HashSet<PathBuf>> {
    if of.is_empty() {
        return Ok(HashSet::new());
    }
    let mut input = Vec::new();
    for directory in of {
        input.extend_from_slice(directory.as_os_str().as_bytes());
        input.extend_from_slice(b"/\0");
    }
    let asked =
        git.read(bring.from).args(["check-ignore", "-z", "--stdin"]).input(input).stop(bring.stop).output();
    let listed = match asked {
        Ok(listed) => listed,
        // None of them is.
        Err(GitError::Failed { code: Some(1), .. }) => return Ok(HashSet::new()),
        Err(error) => return Err(error.into()),
    };
    Ok(paths(&listed).filter_map(|path| inside(path.strip_suffix(b"/").unwrap_or(path))).collect())
}

fn paths(listed: &[u8]) -> impl Iterator<Item = &[u8]> {
    listed.split(|byte| *byte == 0).filter(|path| !path.is_empty())
}

/// A path that stays below where it counts from.
fn inside(path: &[u8]) -> Option<PathBuf> {
    let path = Path::new(OsStr::from_bytes(path));
    path.components().all(|part| matches!(part, Component::Normal(_))).then(|| path.to_owned())
}

enum Linked {
    Yes,
    /// It is to be copied instead.
    Instead,
    No(&'static str),
}

/// Links a directory of the new tree to that of the other one.
fn link(git: &Git, bring: Bring<'_>, copier: &Copier, name: &str) -> MakeResult<Linked> {
    let Some(path) = inside(name.trim_matches('/').as_bytes()).filter(|path| !path.as_os_str().is_empty())
    else {
        return Ok(Linked::No("it leads out of the repository"));
    };
    let there = bring.from.join(&path);
    match std::fs::symlink_metadata(&there) {
        Ok(meta) if meta.is_dir() => {}
        Ok(_) => return Ok(Linked::No("it is no directory")),
        // The next one may find it.
        Err(_) => return Ok(Linked::Yes),
    }
    let ignored = |at: &Path| {
        let asked = git.read(at).args(["check-ignore", "--quiet", "--"]).arg(&path).asks();
        asked.unwrap_or(false)
    };
    if !ignored(bring.from) {
        return Ok(Linked::No("git does not ignore it"));
    }
    // `node_modules/` in .gitignore means a directory, and no link. Asked before there is anything.
    if !ignored(bring.to) {
        return Ok(Linked::Instead);
    }
    match copier.link(&path, &there) {
        Ok(Outcome::Copied | Outcome::There) => Ok(Linked::Yes),
        Err(error) if error.kind() == std::io::ErrorKind::StorageFull => {
            Err(MakeError::io(format!("{name} cannot be linked"))(error))
        }
        Err(_) => Ok(Linked::No("its place cannot be had")),
    }
}
