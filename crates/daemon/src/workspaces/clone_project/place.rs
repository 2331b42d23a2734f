//! Where a new project goes when nobody says so.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use crate::{Daemon, places};

/// A directory of that name: where most projects are, else in `~/src` where that is there, else in the person's home.
pub(super) async fn new(daemon: &Daemon, name: &str) -> PathBuf {
    let paths: Vec<String> = daemon.tree.lock().await.projects.iter().map(|it| it.path.clone()).collect();
    let home = daemon.person_home.clone();
    let usual = usual(&paths, &home).map(Path::to_owned);
    let looked = places::looked_at(move || {
        let src = home.join("src");
        usual.filter(|dir| dir.is_dir()).unwrap_or_else(|| if src.is_dir() { src } else { home })
    });
    let parent = looked.await.unwrap_or_else(|| daemon.person_home.clone());
    // A name that would be hidden, or lead elsewhere, is none for a directory.
    let name: String = name.chars().filter(|c| !c.is_control() && *c != '/').collect();
    let name = name.trim_start_matches('.');
    parent.join(if name.is_empty() { "project" } else { name })
}

/// The directory that most projects are in, of two that have as many the one that had them first. One project is no habit where
/// it lies in the home itself, or at the top.
fn usual<'a>(paths: &'a [String], home: &Path) -> Option<&'a Path> {
    let parents = paths.iter().filter_map(|path| Path::new(path).parent());
    let parents: Vec<&Path> = parents.filter(|dir| *dir != home && dir.parent().is_some()).collect();
    let mut counts: HashMap<&Path, usize> = HashMap::new();
    for dir in &parents {
        *counts.entry(dir).or_default() += 1;
    }
    let most = counts.values().copied().max()?;
    parents.into_iter().find(|dir| counts[dir] == most)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn projects_lie_beside_each_other() {
        let home = Path::new("/home/ann");
        let usual = |paths: &[&str]| {
            let paths: Vec<String> = paths.iter().map(|path| (*path).to_owned()).collect();
            super::usual(&paths, home).map(Path::to_owned)
        };
        assert_eq!(usual(&["/w/a", "/home/ann/code/b", "/home/ann/code/c"]), Some("/home/ann/code".into()));
        assert_eq!(usual(&["/w/a", "/v/b"]), Some("/w".into()));
        assert_eq!(usual(&["/home/ann/a", "/srv", "/"]), None);
    }
}
