//! Programs that work in a directory.

use std::fmt;
use std::path::Path;

/// A program whose directory is in the workspace, or that has a file of it open.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Working {
    /// Its process id.
    pub pid: u32,
    /// The process that started it.
    pub parent: u32,
    /// Its name, as the system cuts it.
    pub name: String,
}

impl fmt::Display for Working {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} ({})", self.name, self.pid)
    }
}

/// The programs, as far as they may be looked at: other users' cannot be, and they have no business in it.
#[cfg(target_os = "linux")]
pub fn working(at: &Path) -> Vec<Working> {
    let real = at.canonicalize().unwrap_or_else(|_| at.to_owned());
    let own = std::process::id();
    let Ok(entries) = std::fs::read_dir("/proc") else { return Vec::new() };
    let mut found: Vec<Working> = entries
        .flatten()
        .filter_map(|entry| entry.file_name().to_str()?.parse::<u32>().ok())
        .filter(|pid| *pid != own && works(*pid, &real))
        .filter_map(named)
        .collect();
    found.sort_by_key(|working| working.pid);
    found
}

#[cfg(target_os = "linux")]
fn works(pid: u32, at: &Path) -> bool {
    let proc = std::path::PathBuf::from(format!("/proc/{pid}"));
    let leads_in = |link: &Path| std::fs::read_link(link).is_ok_and(|to| to.starts_with(at));
    if ["cwd", "root", "exe"].iter().any(|link| leads_in(&proc.join(link))) {
        return true;
    }
    let files = std::fs::read_dir(proc.join("fd"));
    files.into_iter().flatten().flatten().any(|file| leads_in(&file.path()))
}

#[cfg(target_os = "linux")]
fn named(pid: u32) -> Option<Working> {
    // The name is in parentheses and may have some itself.
    let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
    let (before, after) = stat.rsplit_once(')')?;
    let name = before.split_once('(')?.1.chars().filter(|letter| !letter.is_control()).collect();
    let mut fields = after.split_whitespace();
    let state = fields.next()?;
    let parent = fields.next()?.parse().unwrap_or(0);
    // What has ended works no more.
    (state != "Z" && state != "X").then_some(Working { pid, parent, name })
}

/// Plan for macOS: `proc_listpids` with `PROC_UID_ONLY`, then `proc_pidinfo` with `PROC_PIDVNODEPATHINFO` for the directory and
/// `PROC_PIDLISTFDS` with `PROC_PIDFDVNODEPATHINFO` for open files. For Windows: a rename of a directory in use fails by itself.
#[cfg(not(target_os = "linux"))]
pub fn working(_at: &Path) -> Vec<Working> {
    Vec::new()
}
