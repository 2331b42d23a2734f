//! Clones from the cache.

use std::os::unix::fs::MetadataExt as _;
use std::path::Path;

use belfry_workspace::MakeError;
use belfry_workspace::branch::Wanted;

use crate::place::Place;

fn packs(git_dir: &Path) -> Vec<std::fs::Metadata> {
    let files = std::fs::read_dir(git_dir.join("objects/pack")).unwrap().flatten();
    files
        .filter(|file| file.path().extension().is_some_and(|end| end == "pack"))
        .map(|file| file.metadata().unwrap())
        .collect()
}

#[test]
#[ntest::timeout(120000)]
fn a_clone_shares_the_cache_s_objects_and_pushes_to_the_remote() {
    let place = Place::new();
    let (top, remote) = place.cloned("a");
    place.git(&top, &["config", "user.email", "work@example.org"]);
    let named = |name| Wanted { name: Some(name), ..Wanted::default() };
    let (one, made) = place.clone(&top, &named("one")).unwrap();
    assert_eq!(made.base.unwrap().name, "origin/main");
    assert_eq!(place.git(&one, &["branch", "--show-current"]), "one");
    assert_eq!(place.git(&one, &["remote", "get-url", "origin"]), remote.to_str().unwrap());
    assert_eq!(place.git(&one, &["config", "user.email"]), "work@example.org");
    assert!(packs(&one.join(".git")).iter().all(|pack| pack.nlink() > 1), "hard links");

    let newest = place.push("a", "main", "new");
    let (two, made) = place.clone(&top, &named("two")).unwrap();
    assert_eq!(made.head, newest, "fetched fresh");
    place.commit(&two, "mine", "x");
    place.git(&two, &["push", "-q", "origin", "two"]);
    assert_eq!(place.git(&remote, &["rev-parse", "two"]), place.git(&two, &["rev-parse", "HEAD"]));
    // A branch that the remote has is followed.
    place.git(&top, &["fetch", "-q"]);
    let other = place.path("trees/other");
    std::fs::rename(&two, &other).unwrap();
    let (again, _) = place.clone(&top, &named("two")).unwrap();
    assert_eq!(place.git(&again, &["rev-parse", "--abbrev-ref", "two@{u}"]), "origin/two");
}

#[test]
#[ntest::timeout(120000)]
fn a_remote_that_is_gone_is_told_and_what_is_known_counts() {
    let place = Place::new();
    let (top, remote) = place.cloned("a");
    let text = |text| Wanted { text: Some(text), ..Wanted::default() };
    std::fs::rename(&remote, place.path("aside")).unwrap();
    // The cache is made from what the repository has fetched.
    let (path, made) = place.clone(&top, &text("Look at it")).unwrap();
    assert!(path.ends_with("look-at-it") && path.join("read.me").exists());
    assert!(made.notices[0].contains("could not be asked"), "{:?}", made.notices);
    let alone = place.repository("alone");
    assert!(matches!(place.clone(&alone, &text("x")), Err(MakeError::NoRemote(_))));
    place.git(&alone, &["remote", "add", "origin", "/no/such"]);
    assert!(matches!(place.clone(&alone, &text("x")), Err(MakeError::Unreachable { .. })));
    assert!(!place.path("trees/x").exists());
}

#[test]
#[ntest::timeout(120000)]
fn two_at_once_take_turns_at_the_cache() {
    let place = Place::new();
    let (top, _) = place.cloned("a");
    let made: Vec<_> = std::thread::scope(|scope| {
        let running: Vec<_> = ["one", "two", "three"]
            .into_iter()
            .map(|name| {
                let (place, top) = (&place, &top);
                scope.spawn(move || place.clone(top, &Wanted { name: Some(name), ..Wanted::default() }))
            })
            .collect();
        running.into_iter().map(|one| one.join().unwrap()).collect()
    });
    assert!(made.iter().all(Result::is_ok), "{made:?}");
}
