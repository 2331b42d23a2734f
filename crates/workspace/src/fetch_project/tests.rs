use std::process::Command;

use super::*;

fn scratch() -> tempfile::TempDir {
    tempfile::tempdir().unwrap()
}

/// A repository with one commit.
fn repository(at: &Path) {
    let git = |args: &[&str]| {
        let ran = Command::new("git")
            .args(["-c", "user.name=A", "-c", "user.email=a@b.example", "-c", "init.defaultBranch=main"])
            .args(args)
            .current_dir(at)
            .output()
            .unwrap();
        assert!(ran.status.success(), "{args:?}: {}", String::from_utf8_lossy(&ran.stderr));
    };
    std::fs::create_dir_all(at).unwrap();
    git(&["init", "-q"]);
    std::fs::write(at.join("a"), "a").unwrap();
    git(&["add", "a"]);
    git(&["commit", "-qm", "a"]);
}

fn fetch(address: &str, into: &Path, stop: &Stop) -> Result<PathBuf, FetchError> {
    let address = Address::read(address, Path::new("/")).unwrap();
    Fetch::begin(into, "1")?.run(&Git::default(), &address, stop, &mut |_| {})
}

fn names(dir: &Path) -> Vec<String> {
    let entries = std::fs::read_dir(dir).unwrap();
    let mut names: Vec<String> =
        entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

#[test]
#[ntest::timeout(60000)]
fn a_repository_is_there_whole_or_not_at_all() {
    let dir = scratch();
    let source = dir.path().join("source");
    repository(&source);
    let into = dir.path().join("new/deep/shop");
    fetch(&format!("file://{}", source.display()), &into, &Stop::default()).unwrap();
    assert!(into.join("a").is_file() && into.join(".git").is_dir());
    assert_eq!(names(into.parent().unwrap()), ["shop"]);
    // Not over what is there, but into an empty directory, by a link too.
    let error = fetch(source.to_str().unwrap(), &into, &Stop::default()).unwrap_err();
    assert!(matches!(error, FetchError::Directory { .. }), "{error}");
    std::fs::create_dir(dir.path().join("empty")).unwrap();
    std::os::unix::fs::symlink(dir.path().join("empty"), dir.path().join("link")).unwrap();
    fetch(source.to_str().unwrap(), &dir.path().join("link"), &Stop::default()).unwrap();
    assert!(dir.path().join("empty/a").is_file());
}

#[test]
#[ntest::timeout(60000)]
fn nothing_is_left_of_what_failed_or_was_stopped() {
    let dir = scratch();
    let into = dir.path().join("made/for/it");
    let error = fetch("/nowhere/at/all", &into, &Stop::default()).unwrap_err();
    assert!(matches!(error, FetchError::Git { trouble: Trouble::NotFound, .. }), "{error:?}");
    assert!(names(dir.path()).is_empty());
    let source = dir.path().join("source");
    repository(&source);
    let stop = Stop::default();
    stop.now();
    let error = fetch(source.to_str().unwrap(), &into, &stop).unwrap_err();
    assert!(matches!(error, FetchError::Stopped), "{error:?}");
    assert_eq!(names(dir.path()), ["source"]);
    for bad in [source.join("a"), source.join("a/b")] {
        assert!(matches!(fetch("/x", &bad, &Stop::default()), Err(FetchError::Directory { .. })), "{bad:?}");
    }
}

#[test]
#[ntest::timeout(60000)]
fn only_its_own_leftovers_are_swept() {
    let dir = scratch();
    let (ours, other) = (dir.path().join(".belfry-fetch-1-shop"), dir.path().join("work"));
    std::fs::create_dir(&ours).unwrap();
    std::fs::create_dir(&other).unwrap();
    let link = dir.path().join(".belfry-fetch-2-link");
    std::os::unix::fs::symlink(&other, &link).unwrap();
    for path in [&ours, &other, &link] {
        Fetch::sweep(path);
    }
    assert_eq!(names(dir.path()), [".belfry-fetch-2-link", "work"]);
}
