//! A made-up repository of many files and commits, kept from one measurement to the next.

use std::fmt::Write as _;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context as _, Result, ensure};

/// Files in one directory.
const IN_ONE: usize = 50;
/// Files that a commit after the first changes.
const CHANGED: usize = 5;

/// Runs git.
pub(super) fn git(at: &Path, args: &[&str]) -> Result<()> {
    let status = Command::new("git")
        .args(["-c", "init.defaultBranch=main", "-c", "gc.auto=0", "-c", "advice.detachedHead=false"])
        .args(args)
        .current_dir(at)
        .stdin(Stdio::null())
        .status()?;
    ensure!(status.success(), "git {args:?}: {status}");
    Ok(())
}

/// A bare repository with so many files and commits, made where it is not there yet.
pub(super) fn provide(kept: &Path, files: usize, commits: usize) -> Result<PathBuf> {
    let at = kept.join(format!("bench-repository-{files}-{commits}.git"));
    if at.join("packed-refs").is_file() {
        return Ok(at);
    }
    let _ = std::fs::remove_dir_all(&at);
    git(kept, &["init", "-q", "--bare", at.to_str().context("a path of ours")?])?;
    let mut import = Command::new("git")
        .args(["fast-import", "--quiet"])
        .current_dir(&at)
        .stdin(Stdio::piped())
        .spawn()?;
    let mut out = std::io::BufWriter::new(import.stdin.take().context("its input")?);
    for commit in 0..commits {
        let message = format!("Change {commit}\n");
        let when = 1_700_000_000 + commit * 600;
        write!(
            out,
            "commit refs/heads/main\ncommitter A <a@example.org> {when} +0000\ndata {}\n{message}",
            message.len()
        )?;
        let changed: Vec<usize> = if commit == 0 {
            (0..files).collect()
        } else {
            (0..CHANGED).map(|nth| (commit * 7919 + nth * 104_729) % files).collect()
        };
        for file in changed {
            let text = content(file, commit);
            let dir = file / IN_ONE;
            write!(
                out,
                "M 100644 inline src/{:02}/{dir:03}/file_{file:05}.rs\ndata {}\n{text}\n",
                dir % 20,
                text.len()
            )?;
        }
    }
    out.flush()?;
    drop(out);
    ensure!(import.wait()?.success(), "git fast-import failed");
    git(&at, &["pack-refs", "--all"])?;
    Ok(at)
}

/// About 3 KB that differ from file to file and little from commit to commit, as sources do.
fn content(file: usize, commit: usize) -> String {
    let mut text = String::new();
    for line in 0..60 {
        let changed = if line == commit % 60 { commit } else { 0 };
        let _ =
            writeln!(text, "    let value_{line} = compute({file}, {}, {changed});", file * 31 + line * 17);
    }
    text
}
