//! Screens as real programs drew them.

use std::fs;
use std::path::{Path, PathBuf};

use belfry_agents::Agents;

use super::given::{Screen, written};

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/screens")
}

fn sorted(folder: &Path) -> Vec<PathBuf> {
    let mut paths: Vec<PathBuf> = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    paths
}

#[test]
#[ntest::timeout(120000)]
fn every_recorded_screen_is_read_as_it_was_checked() {
    let agents = Agents::built_in();
    let bless = std::env::var_os("BELFRY_BLESS").is_some();
    let mut wrong = Vec::new();
    let mut read = 0;
    for folder in sorted(&folder()).into_iter().filter(|path| path.is_dir()) {
        let name = folder.file_name().unwrap().to_str().unwrap();
        let agent = agents.get(name).unwrap();
        for file in
            sorted(&folder).into_iter().filter(|path| path.extension().is_some_and(|end| end == "txt"))
        {
            let screen = Screen::of(&fs::read_to_string(&file).unwrap());
            let now = written(&agent.read(None, &screen.view()));
            let checked = file.with_extension("reading");
            if bless {
                fs::write(&checked, &now).unwrap();
            } else {
                let then = fs::read_to_string(&checked).unwrap_or_default();
                if then != now {
                    wrong.push(format!("{}\n--- checked\n{then}--- now\n{now}", file.display()));
                }
            }
            read += 1;
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(read > 60, "only {read} screens");
}
