//! The person's own files about agents.

use std::path::Path;

use belfry_protocol::reply::DaemonInfo;

use super::Check;

/// What the daemon says of them: it reads them when they change, and names file, line and column of what is wrong.
pub(super) fn check(folder: &Path, info: &DaemonInfo) -> Check {
    let (id, title) = ("rules", "your agents' files");
    let wrong: Vec<&str> = told(folder, info).collect();
    if !wrong.is_empty() {
        let next = "Mend the file; the daemon reads it again by itself. Until then the built-in rules stay.";
        return Check::warning(id, title, wrong.join(" · "), next);
    }
    let files = files(folder);
    let shown = folder.display();
    Check::ok(
        id,
        title,
        match files {
            0 => format!("none in {shown}"),
            1 => format!("1 in {shown}, in use"),
            more => format!("{more} in {shown}, in use"),
        },
    )
}

/// Notices about a file of that folder.
pub(super) fn told<'a>(folder: &Path, info: &'a DaemonInfo) -> impl Iterator<Item = &'a str> {
    let folder = folder.join("").display().to_string();
    info.notices.iter().map(String::as_str).filter(move |notice| notice.starts_with(&folder))
}

fn files(folder: &Path) -> usize {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    entries.filter(|entry| entry.path().extension().is_some_and(|end| end == "toml")).count()
}
