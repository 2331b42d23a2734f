//! Submodules of a new working tree: those that the person uses, from what is on this machine where it has them.

use std::path::{Component, Path, PathBuf};

use crate::{Git, GitError, MakeError, MakeResult, Stop};

/// How deep submodules of submodules are followed.
const DEEPEST: u32 = 4;

/// One that a `.gitmodules` file tells of.
#[derive(Debug, PartialEq, Eq)]
struct Submodule {
    name: String,
    path: String,
}

/// Checks out the submodules of a working tree that the repository of `modules` has: those that nobody uses stay empty, as they
/// are there. Nothing of the shared configuration changes. What could not be had is told, and is no failure.
pub(crate) fn check_out(git: &Git, top: &Path, modules: &Path, stop: &Stop) -> MakeResult<Vec<String>> {
    let mut missing = Vec::new();
    below(git, top, modules, stop, DEEPEST, &mut missing)?;
    if missing.is_empty() {
        return Ok(Vec::new());
    }
    missing.truncate(5);
    let text = format!(
        "These submodules could not be checked out: {}. Run `git submodule update --init`.",
        missing.join(", ")
    );
    Ok(vec![text])
}

fn below(
    git: &Git,
    top: &Path,
    modules: &Path,
    stop: &Stop,
    depth: u32,
    missing: &mut Vec<String>,
) -> MakeResult<()> {
    for submodule in listed(git, top) {
        let from = modules.join(&submodule.name);
        if !from.join("HEAD").is_file() {
            continue;
        }
        match one(git, top, &submodule, &from, stop) {
            Ok(()) if depth > 0 => {
                let inside = top.join(&submodule.path);
                if inside.join(".gitmodules").exists() {
                    below(git, &inside, &from.join("modules"), stop, depth - 1, missing)?;
                }
            }
            Ok(()) => {}
            Err(GitError::Stopped) => return Err(MakeError::Stopped),
            Err(error) => {
                tracing::warn!(%error, "a submodule could not be checked out");
                missing.push(format!("{} ({})", submodule.path, crate::source::last_words(&error)));
            }
        }
    }
    Ok(())
}

/// Checks one out: cloned from the copy on this machine, by links, and with the true address written into its own
/// configuration afterwards. Where a commit is not in that copy, it is fetched from there.
fn one(git: &Git, top: &Path, submodule: &Submodule, from: &Path, stop: &Stop) -> Result<(), GitError> {
    let address = git.read(from).args(["config", "--get", "remote.origin.url"]).text()?;
    let update = |url: &str| {
        git.write(top)
            // The copy is a directory of this machine, which git else takes no submodule from.
            .args(["-c", "protocol.file.allow=always"])
            .arg("-c")
            .arg(format!("submodule.{}.url={url}", submodule.name))
            .arg("-c")
            .arg(format!("submodule.{}.active=true", submodule.name))
            .args(["submodule", "--quiet", "update", "--", &submodule.path])
            .stop(stop)
            .run()
    };
    let here = update(&from.display().to_string());
    let inside = top.join(&submodule.path);
    if inside.join(".git").exists() {
        git.write(&inside).args(["remote", "set-url", "origin", "--end-of-options", &address]).run()?;
    }
    match here {
        Err(GitError::Failed { .. }) => update(&address),
        other => other,
    }
}

/// The submodules that a working tree has; those with a name or path that leads out of it are none.
fn listed(git: &Git, top: &Path) -> Vec<Submodule> {
    let asked =
        git.read(top).args(["config", "-z", "-f", ".gitmodules", "--get-regexp", r"^submodule\..*\.path$"]);
    let Ok(said) = asked.text() else { return Vec::new() };
    said.split('\0')
        .filter_map(|entry| {
            let (key, path) = entry.split_once('\n')?;
            let name = key.strip_prefix("submodule.")?.strip_suffix(".path")?;
            let plain = |text: &str| {
                !text.is_empty()
                    && !text.starts_with('-')
                    && !text.contains('=')
                    && PathBuf::from(text).components().all(|part| matches!(part, Component::Normal(_)))
            };
            (plain(name) && plain(path)).then(|| Submodule { name: name.to_owned(), path: path.to_owned() })
        })
        .collect()
}
