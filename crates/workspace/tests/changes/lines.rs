//! One file's diff.

use belfry_protocol::changes::{Between, ChangeKind, LineKind};
use ntest::timeout;

use crate::place::Place;

fn text(diff: &belfry_protocol::changes::FileDiff) -> Vec<String> {
    let lines = diff.hunks.iter().flat_map(|hunk| &hunk.lines);
    let sign = |kind| match kind {
        LineKind::Context => ' ',
        LineKind::Added => '+',
        LineKind::Removed => '-',
    };
    lines.map(|line| format!("{}{}", sign(line.kind), line.text)).collect()
}

#[test]
#[timeout(60000)]
fn every_two_states_have_their_own_diff() {
    let place = Place::with(&[("a", "base\n")]);
    place.commit("a", "committed\n");
    place.write("a", "staged\n");
    place.git(&["add", "a"]);
    place.write("a", "now\n");
    let of = |between| text(&place.diff("a", between));
    assert_eq!(of(Between::Base), ["-base", "+now"]);
    assert_eq!(of(Between::Uncommitted), ["-committed", "+now"]);
    assert_eq!(of(Between::Staged), ["-committed", "+staged"]);
    assert_eq!(of(Between::Unstaged), ["-staged", "+now"]);
    let id = place.git(&["rev-parse", "HEAD"]);
    assert_eq!(of(Between::Commit { id: id.clone() }), ["-base", "+committed"]);
    assert_eq!(of(Between::Points { from: id[..8].to_owned(), to: None }), ["-committed", "+now"]);
    let root = place.git(&["rev-parse", "main"]);
    assert_eq!(of(Between::Commit { id: root.clone() }), ["+base"]);
    assert_eq!(of(Between::Points { from: root, to: Some(id) }), ["-base", "+committed"]);
}

#[test]
#[timeout(60000)]
fn a_new_file_is_all_new() {
    let place = Place::with(&[("a", "base\n")]);
    place.write("new", "one\ntwo");
    let diff = place.diff("new", Between::Base);
    assert_eq!((diff.file.kind, diff.new_bytes, diff.old_bytes), (ChangeKind::Untracked, Some(7), None));
    assert_eq!(text(&diff), ["+one", "+two"]);
    assert!(diff.hunks[0].lines[1].no_newline);
    assert_eq!(place.git(&["status", "--porcelain"]), "?? new", "the index is as it was");
    // Empty, and not text.
    place.write("empty", "");
    assert!(place.diff("empty", Between::Unstaged).hunks.is_empty());
    place.write("bin", b"a\0b");
    let diff = place.diff("bin", Between::Uncommitted);
    assert!(diff.binary && diff.hunks.is_empty());
    assert_eq!(diff.new_bytes, Some(3));
}

#[test]
#[timeout(60000)]
fn binary_modes_and_links_say_what_happened() {
    use std::os::unix::fs::PermissionsExt as _;
    let place = Place::with(&[("run", "#!/bin/sh\n"), ("file", "text\n"), ("pic", "a\0b")]);
    std::fs::set_permissions(place.root.join("run"), std::fs::Permissions::from_mode(0o755)).unwrap();
    std::fs::remove_file(place.root.join("file")).unwrap();
    std::os::unix::fs::symlink("run", place.root.join("file")).unwrap();
    place.write("pic", b"a\0bcd");
    let run = place.diff("run", Between::Base);
    assert!(run.hunks.is_empty() && run.note.unwrap().contains("executed now"));
    let file = place.diff("file", Between::Base);
    assert_eq!(file.file.kind, ChangeKind::Retyped);
    assert_eq!(text(&file), ["-text", "+run"]);
    let pic = place.diff("pic", Between::Base);
    assert_eq!((pic.binary, pic.old_bytes, pic.new_bytes), (true, Some(3), Some(5)));
}

#[test]
#[timeout(60000)]
fn long_files_are_cut_and_can_be_had_whole() {
    let place = Place::with(&[("a", "base\n")]);
    let lines: String =
        (0..5000).flat_map(|line| ["line ".to_owned(), line.to_string(), "\n".to_owned()]).collect();
    place.write("a", lines);
    let diff = place.diff("a", Between::Base);
    assert_eq!((text(&diff).len(), diff.left_out), (2000, 3001));
    let whole = place.checkout().diff("a", &Between::Base, (Some("main"), None), (Some(0), true)).unwrap();
    assert_eq!((text(&whole).len(), whole.left_out), (5001, 0));
    place.write("a", "x".repeat(1 << 20));
    let diff = place.diff("a", Between::Base);
    assert!(serde_size(&diff) < 100_000, "a minified file fits in an answer");
}

fn serde_size(diff: &belfry_protocol::changes::FileDiff) -> usize {
    diff.hunks.iter().flat_map(|hunk| &hunk.lines).map(|line| line.text.len()).sum()
}

#[test]
#[timeout(60000)]
fn what_is_no_utf_8_is_shown_and_moved_files_are_found() {
    let place = Place::with(&[("latin", "caf\n"), ("old", "1\n2\n3\n4\n5\n6\n")]);
    place.write("latin", b"caf\xe9\n");
    assert_eq!(text(&place.diff("latin", Between::Base)), ["-caf", "+caf\u{fffd}"]);
    place.git(&["mv", "old", "moved"]);
    place.write("moved", "1\n2\n3\n4\n5\n6\n7\n");
    let diff = place.diff("moved", Between::Base);
    assert_eq!((diff.file.kind, diff.file.old_path.as_deref()), (ChangeKind::Renamed, Some("old")));
    assert_eq!(text(&diff), [" 4", " 5", " 6", "+7"]);
}

#[test]
#[timeout(60000)]
fn the_persons_own_settings_of_diffs_change_nothing() {
    let place = Place::with(&[("a", "one\n\ntwo\n")]);
    for (name, value) in [
        ("diff.noprefix", "true"),
        ("diff.mnemonicPrefix", "true"),
        ("diff.external", "/bin/false"),
        ("diff.suppressBlankEmpty", "true"),
        ("diff.interHunkContext", "50"),
        ("color.ui", "always"),
        ("diff.renames", "false"),
        ("log.showSignature", "true"),
    ] {
        place.git(&["config", name, value]);
    }
    place.write("a", "one\n\nthree\n");
    assert_eq!(text(&place.diff("a", Between::Base)), [" one", " ", "-two", "+three"]);
}
