//! What would be lost, for a person to read.

use belfry_protocol::workspace::{Losses, LostFiles};

use crate::print::plain;

/// How many of each kind are named.
const NAMED: usize = 10;

/// The lines, the workspace's path first.
pub(super) fn lines(losses: &Losses) -> Vec<String> {
    let mut lines = vec![format!("With {} would be lost, if it were not saved:", plain(&losses.path))];
    files(&mut lines, "not committed", &losses.uncommitted);
    files(&mut lines, "not known to git", &losses.untracked);
    files(&mut lines, "ignored by git, and no copies", &losses.ignored);
    if losses.unpushed_count > 0 {
        lines.push(format!("  {} that nobody else has", counted(losses.unpushed_count, "commit")));
        names(&mut lines, &losses.unpushed, losses.unpushed_count);
    }
    if !losses.stashes.is_empty() {
        let count = u32::try_from(losses.stashes.len()).unwrap_or(u32::MAX);
        lines.push(format!(
            "  {}",
            if count == 1 { "1 stash".to_owned() } else { format!("{count} stashes") }
        ));
        names(&mut lines, &losses.stashes, count);
    }
    lines.extend(losses.operation.iter().map(|operation| format!("  {}", plain(operation))));
    if !losses.repositories.is_empty() {
        lines.push("  repositories in it".to_owned());
        names(&mut lines, &losses.repositories, u32::try_from(losses.repositories.len()).unwrap_or(u32::MAX));
    }
    lines
}

fn files(lines: &mut Vec<String>, what: &str, files: &LostFiles) {
    if files.count > 0 {
        lines.push(format!("  {} {what} ({})", counted(files.count, "file"), bytes(files.bytes)));
        names(lines, &files.first, u32::try_from(files.first.len()).unwrap_or(u32::MAX));
    }
}

fn counted(count: u32, what: &str) -> String {
    if count == 1 { format!("1 {what}") } else { format!("{count} {what}s") }
}

fn names(lines: &mut Vec<String>, names: &[String], count: u32) {
    lines.extend(names.iter().take(NAMED).map(|name| format!("      {}", plain(name))));
    let more = (count as usize).saturating_sub(names.len().min(NAMED));
    if more > 0 {
        lines.push(format!("      and {more} more"));
    }
}

/// A size in units of 1000.
pub(super) fn bytes(count: u64) -> String {
    let units = [(1_000_000_000, "GB"), (1_000_000, "MB"), (1000, "kB")];
    match units.iter().find(|(unit, _)| count >= *unit) {
        Some((unit, name)) => format!("{:.1} {name}", count as f64 / *unit as f64),
        None => format!("{count} bytes"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_person_reads_what_would_be_lost() {
        let losses = Losses {
            path: "/w".to_owned(),
            untracked: LostFiles { count: 12, bytes: 1_500_000, first: vec!["a\u{1b}[31m".to_owned(); 12] },
            unpushed: vec!["1234567 work".to_owned()],
            unpushed_count: 1,
            ..Losses::default()
        };
        let lines = lines(&losses);
        assert_eq!(lines[1], "  12 files not known to git (1.5 MB)");
        assert!(!lines[2].contains('\u{1b}'));
        assert_eq!(lines[12], "      and 2 more");
        assert_eq!(lines[13..], ["  1 commit that nobody else has", "      1234567 work"]);
        assert_eq!(bytes(999), "999 bytes");
    }
}
