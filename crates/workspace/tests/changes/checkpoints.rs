//! Checkpoints.

use belfry_protocol::changes::Between;
use ntest::timeout;

use crate::place::{Place, at, git_in, paths};

#[test]
#[timeout(60000)]
fn going_back_restores_byte_for_byte() {
    use std::os::unix::fs::PermissionsExt as _;
    let place = Place::with(&[("a", "1\r\n"), ("b", "1"), ("dir/c", "1\n"), ("was file", "x\n")]);
    place.commit(".gitignore", "ignored\n*.log\n");
    place.write("ignored", "precious\n");
    place.write("a", b"\xff\0two\r\n");
    place.write("new\nfile", "new");
    std::os::unix::fs::symlink("a", place.root.join("link")).unwrap();
    std::fs::set_permissions(place.root.join("b"), std::fs::Permissions::from_mode(0o755)).unwrap();
    place.git(&["add", "a"]);
    place.write("dir/c", "2\n");
    let before = place.everything();
    let staged = place.git(&["ls-files", "-s"]);
    let head = place.git(&["rev-parse", "HEAD"]);
    let checkout = place.checkout();
    let first = checkout.make_checkpoint("s1", "fix the\nparser", at(0)).unwrap();
    assert_eq!(first.label, "fix the");
    assert_eq!(place.git(&["ls-files", "-s"]), staged, "what is staged is as it was");

    // Everything is turned over.
    place.write("a", "other\n");
    std::fs::remove_file(place.root.join("new\nfile")).unwrap();
    std::fs::remove_file(place.root.join("link")).unwrap();
    place.write("link/is a directory", "x");
    std::fs::remove_dir_all(place.root.join("dir")).unwrap();
    place.write("dir", "is a file");
    std::fs::set_permissions(place.root.join("b"), std::fs::Permissions::from_mode(0o644)).unwrap();
    place.write("ignored", "precious, changed\n");
    place.write("build.log", "kept\n");
    let turned = place.everything();

    let kept = checkout.go_to("s1", &first.id, at(1)).unwrap();
    let mut expected = before.clone();
    for (path, bytes) in &mut expected {
        if path.ends_with("ignored") {
            *bytes = b"precious, changed\n\0".to_vec();
        }
    }
    expected.push((place.root.join("build.log"), b"kept\n\0".to_vec()));
    expected.sort();
    assert_eq!(place.everything(), expected);
    assert_eq!(place.git(&["rev-parse", "HEAD"]), head, "the branch stays");
    assert_eq!(place.git(&["ls-files", "-s"]), staged);
    checkout.go_to("s1", &kept.id, at(2)).unwrap();
    assert_eq!(place.everything(), turned, "and forth again");
    let labels: Vec<_> = checkout.checkpoints("s1").unwrap().into_iter().map(|one| one.label).collect();
    assert_eq!(
        labels,
        ["before going back to: before going back to: fix the", "before going back to: fix the", "fix the"]
    );
}

#[test]
#[timeout(60000)]
fn a_file_that_is_ignored_by_now_is_not_lost() {
    let place = Place::with(&[("a", "1\n")]);
    place.write("settings", "old\n");
    let checkout = place.checkout();
    let first = checkout.make_checkpoint("s1", "one", at(0)).unwrap();
    place.write(".gitignore", "settings\n");
    place.write("settings", "secret\n");
    let kept = checkout.go_to("s1", &first.id, at(1)).unwrap();
    assert_eq!(place.text("settings").as_deref(), Some("old\n"));
    assert_eq!(place.git(&["show", &format!("{}:settings", kept.id)]), "secret");
}

#[test]
#[timeout(60000)]
fn checkpoints_are_a_sessions_own_and_can_be_compared() {
    let place = Place::empty();
    let checkout = place.checkout();
    place.write("a", "1\n");
    let one = checkout.make_checkpoint("s1", "one", at(0)).unwrap();
    place.write("a", "2\n");
    place.write("b", "1\n");
    // At the same moment.
    let two = checkout.make_checkpoint("s1", "two", at(0)).unwrap();
    checkout.make_checkpoint("s2", "other", at(0)).unwrap();
    let listed = checkout.checkpoints("s1").unwrap();
    assert_eq!(listed.iter().map(|one| one.id.as_str()).collect::<Vec<_>>(), [&two.id, &one.id]);
    let between = Between::Points { from: one.id.clone(), to: Some(two.id.clone()) };
    assert_eq!(paths(&place.files(&between)), ["a", "b"]);
    assert!(checkout.go_to("s2", &one.id, at(1)).is_err(), "another's");
    assert!(checkout.make_checkpoint("../x", "x", at(1)).is_err());
    checkout.forget_checkpoints("s1").unwrap();
    assert!(checkout.checkpoints("s1").unwrap().is_empty());
    assert_eq!(checkout.checkpoints("s2").unwrap().len(), 1);
    assert_eq!(place.git(&["branch", "--all"]), "");
}

#[test]
#[timeout(60000)]
fn repositories_inside_are_left_alone() {
    let place = Place::with(&[("a", "1\n")]);
    let inner = place.root.join("inner");
    std::fs::create_dir(&inner).unwrap();
    git_in(&inner, &["init", "-q"]);
    std::fs::write(inner.join("theirs"), "1\n").unwrap();
    let checkout = place.checkout();
    let first = checkout.make_checkpoint("s1", "one", at(0)).unwrap();
    place.write("a", "2\n");
    std::fs::write(inner.join("theirs"), "2\n").unwrap();
    checkout.go_to("s1", &first.id, at(1)).unwrap();
    assert_eq!(place.text("a").as_deref(), Some("1\n"));
    assert_eq!(place.text("inner/theirs").as_deref(), Some("2\n"));
}

#[test]
#[timeout(60000)]
fn what_is_left_out_is_told() {
    let place = Place::with(&[("a", "1\n")]);
    let checkout = place.checkout();
    let whole = checkout.make_checkpoint("s1", "all of it", at(0)).unwrap();
    assert!(whole.left_out.is_empty());
    place.write("huge\n", "");
    let huge = std::fs::File::options().write(true).open(place.root.join("huge\n")).unwrap();
    huge.set_len(150_000_000).unwrap();
    for name in ["one", "two", "z3", "z4", "z5", "z6"] {
        let inner = place.root.join(name);
        std::fs::create_dir(&inner).unwrap();
        git_in(&inner, &["init", "-q"]);
        std::fs::write(inner.join("theirs"), "1\n").unwrap();
    }
    let made = checkout.make_checkpoint("s1", "fix", at(1)).unwrap();
    assert_eq!(made.left_out, ["huge (150 MB)", "one/", "two/", "z3/", "z4/", "2 more"]);
    assert_eq!(checkout.checkpoints("s1").unwrap(), [made, whole]);
}

#[test]
#[timeout(60000)]
fn only_so_many_are_kept() {
    let place = Place::with(&[("a", "1\n")]);
    let checkout = place.checkout();
    let tip = place.git(&["rev-parse", "HEAD"]);
    let refs: Vec<String> = (0..250)
        .map(|at| {
            format!(
                "create refs/belfry/checkpoints/s1/{at:015} {tip}
"
            )
        })
        .collect();
    std::fs::write(place.beside("refs"), refs.concat()).unwrap();
    place.git(&["-c", "alias.many=!git update-ref --stdin <../refs", "many"]);
    checkout.make_checkpoint("s1", "newest", at(0)).unwrap();
    let listed = checkout.checkpoints("s1").unwrap();
    assert_eq!((listed.len(), listed[0].label.as_str()), (200, "newest"));
    let all = place.git(&["for-each-ref", "refs/belfry"]);
    assert_eq!(all.lines().count(), 200);
}
