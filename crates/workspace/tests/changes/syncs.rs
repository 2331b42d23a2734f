//! Push and pull, with a remote on this disk.

use belfry_protocol::changes::Onto;
use belfry_workspace::{ChangeError, Stop};
use ntest::timeout;

use crate::place::{Place, at, git_in};

fn config(place: &Place) -> String {
    std::fs::read_to_string(place.root.join(".git/config")).unwrap()
}

/// Somebody else commits to a branch of the remote.
fn elsewhere(place: &Place, branch: &str, file: &str, text: &str) {
    let other = place.beside("other");
    if !other.exists() {
        let remote = place.beside("remote.git");
        git_in(&place.beside("."), &["clone", "-q", remote.to_str().unwrap(), "other"]);
    }
    git_in(&other, &["fetch", "-q"]);
    git_in(&other, &["checkout", "-q", "-B", branch, &format!("origin/{branch}")]);
    std::fs::write(other.join(file), text).unwrap();
    git_in(&other, &["add", "-A"]);
    git_in(&other, &["commit", "-q", "-m", "elsewhere"]);
    git_in(&other, &["push", "-q", "origin", branch]);
}

#[test]
#[timeout(60000)]
fn a_push_sets_no_configuration() {
    let place = Place::with_remote(&[("a", "1\n")]);
    place.git(&["config", "push.autoSetupRemote", "true"]);
    // As `git checkout -b fix origin/main` leaves it: a push must never go to main for that.
    place.git(&["config", "branch.fix.remote", "origin"]);
    place.git(&["config", "branch.fix.merge", "refs/heads/main"]);
    place.commit("a", "2\n");
    let before = config(&place);
    let main = place.git(&["rev-parse", "main"]);
    let checkout = place.checkout();
    assert_eq!(checkout.upstream(Some("fix")).unwrap().branch, None);
    checkout.push(false, &Stop::default()).unwrap();
    let upstream = checkout.upstream(Some("fix")).unwrap();
    assert_eq!((upstream.branch.as_deref(), upstream.unpushed), (Some("origin/fix"), Some(0)));
    assert_eq!(config(&place), before);
    assert_eq!(git_in(&place.beside("remote.git"), &["rev-parse", "main"]), main);
}

#[test]
#[timeout(60000)]
fn force_gives_way_to_what_nobody_has_seen() {
    let place = Place::with_remote(&[("a", "1\n")]);
    place.commit("a", "2\n");
    let checkout = place.checkout();
    checkout.push(true, &Stop::default()).unwrap();
    place.git(&["commit", "-q", "--amend", "-m", "another"]);
    assert!(checkout.push(false, &Stop::default()).is_err(), "it would lose a commit");
    checkout.push(true, &Stop::default()).unwrap();
    elsewhere(&place, "fix", "b", "theirs\n");
    place.git(&["commit", "-q", "--amend", "-m", "yet another"]);
    let stale = checkout.push(true, &Stop::default()).unwrap_err();
    assert!(stale.to_string().contains("stale"), "{stale}");
}

#[test]
#[timeout(60000)]
fn there_must_be_a_remote_and_a_branch() {
    let place = Place::with(&[("a", "1\n")]);
    assert!(matches!(place.checkout().push(false, &Stop::default()), Err(ChangeError::Refused(_))));
    assert!(matches!(Place::empty().checkout().push(false, &Stop::default()), Err(ChangeError::Refused(_))));
    let place = Place::with_remote(&[("a", "1\n")]);
    place.git(&["checkout", "-q", "--detach"]);
    assert!(matches!(place.checkout().push(false, &Stop::default()), Err(ChangeError::Refused(_))));
}

#[test]
#[timeout(60000)]
fn the_base_comes_in_either_way_and_uncommitted_work_stays() {
    for onto in [Onto::Rebase, Onto::Merge] {
        let place = Place::with_remote(&[("a", "1\n"), ("b", "1\n")]);
        place.commit("mine", "1\n");
        elsewhere(&place, "main", "theirs", "1\n");
        place.write("a", "not committed\n");
        place.write("new", "untracked\n");
        let before = config(&place);
        let checkout = place.checkout();
        checkout.pull(Some("origin/main"), onto, ("s1", at(0)), &Stop::default()).unwrap();
        assert!(place.text("theirs").is_some() && place.text("mine").is_some());
        assert_eq!(place.text("a").as_deref(), Some("not committed\n"));
        assert!(place.text("new").is_some());
        let look = place.look("origin/main");
        assert_eq!((look.counts.behind, look.counts.ahead), (0, if onto == Onto::Rebase { 1 } else { 2 }));
        assert_eq!(checkout.checkpoints("s1").unwrap().len(), 1);
        assert_eq!(config(&place), before);
    }
}

#[test]
#[timeout(60000)]
fn a_conflict_stands_in_the_middle_and_can_be_taken_back() {
    for onto in [Onto::Rebase, Onto::Merge] {
        let place = Place::with_remote(&[("a", "1\n")]);
        place.commit("a", "mine\n");
        let head = place.git(&["rev-parse", "HEAD"]);
        elsewhere(&place, "main", "a", "theirs\n");
        let checkout = place.checkout();
        let conflict = checkout.pull(Some("origin/main"), onto, ("s1", at(0)), &Stop::default()).unwrap_err();
        assert!(matches!(&conflict, ChangeError::Conflict(_)), "{conflict:?}");
        assert_eq!(checkout.operation(), Some(if onto == Onto::Rebase { "rebase" } else { "merge" }));
        assert_eq!(place.look("origin/main").counts.conflicted, 1);
        place.write("a", "half settled\n");
        checkout.abort("s1", at(1)).unwrap();
        assert_eq!((checkout.operation(), place.git(&["rev-parse", "HEAD"])), (None, head));
        let kept = &checkout.checkpoints("s1").unwrap()[0];
        assert_eq!(place.git(&["show", &format!("{}:a", kept.id)]), "half settled");
        assert!(checkout.abort("s1", at(2)).is_err());
    }
}

#[test]
#[timeout(60000)]
fn a_remote_that_is_gone_changes_nothing() {
    let place = Place::with_remote(&[("a", "1\n")]);
    place.commit("a", "2\n");
    let head = place.git(&["rev-parse", "HEAD"]);
    std::fs::rename(place.beside("remote.git"), place.beside("elsewhere.git")).unwrap();
    let gone = place.checkout().pull(Some("origin/main"), Onto::Rebase, ("s1", at(0)), &Stop::default());
    assert!(matches!(gone, Err(ChangeError::Git(_))));
    assert_eq!(place.git(&["rev-parse", "HEAD"]), head);
}
