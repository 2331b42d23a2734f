//! What stands where a checkpoint has something else, and is in no checkpoint.

use std::fs::{create_dir, remove_dir_all, remove_file};
use std::os::unix::fs::symlink;

use belfry_workspace::{ChangeError, Checkout};
use ntest::timeout;

use crate::place::{Place, at, git_in};

/// More than what is kept of a new file.
const HUGE: u64 = 65 << 20;

fn place() -> Place {
    let place = Place::with(&[("a", "1\n")]);
    place.commit(".gitignore", "node_modules/\n.env*\nbuild/\nsecret\n");
    place
}

fn repository(place: &Place, path: &str) {
    let inner = place.root.join(path);
    std::fs::create_dir_all(&inner).unwrap();
    git_in(&inner, &["init", "-q"]);
    std::fs::write(inner.join("theirs"), "1\n").unwrap();
    git_in(&inner, &["add", "-A"]);
    git_in(&inner, &["commit", "-q", "-m", "theirs"]);
    std::fs::write(inner.join("theirs"), "not committed\n").unwrap();
}

fn huge(place: &Place, path: &str) {
    place.write(path, "");
    std::fs::File::options().write(true).open(place.root.join(path)).unwrap().set_len(HUGE).unwrap();
}

/// Goes back, which is refused by these words, and changes nothing.
#[track_caller]
fn refused(place: &Place, checkout: &Checkout, id: &str, names: &[&str]) {
    place.write("a", "of now\n");
    let before = (place.everything(), place.git(&["ls-files", "-s"]));
    let known = checkout.checkpoints("s1").unwrap();
    match checkout.go_to("s1", id, at(9)) {
        Err(ChangeError::WouldLose(lost)) => assert_eq!(lost, names),
        other => panic!("{other:?}"),
    }
    assert!(before == (place.everything(), place.git(&["ls-files", "-s"])), "something was changed");
    assert_eq!(checkout.checkpoints("s1").unwrap(), known);
}

#[test]
#[timeout(60000)]
fn ignored_files_in_a_directory_where_a_file_was() {
    let place = place();
    place.write("config", "cfg\n");
    place.write("build", "a script\n");
    let checkout = place.checkout();
    let id = checkout.make_checkpoint("s1", "x", at(0)).unwrap().id;
    remove_file(place.root.join("config")).unwrap();
    place.write("config/.env.local", "KEY\n");
    place.write("config/deep/node_modules/x", "1\n");
    place.write("config/a.yml", "y\n");
    remove_file(place.root.join("build")).unwrap();
    place.write("build/out", "1\n");
    refused(&place, &checkout, &id, &["build/out", "config/.env.local", "config/deep/node_modules/x"]);

    // What a checkpoint holds is in nobody's way, nor is an empty directory.
    remove_dir_all(place.root.join("build")).unwrap();
    create_dir(place.root.join("build")).unwrap();
    remove_file(place.root.join("config/.env.local")).unwrap();
    remove_file(place.root.join("config/deep/node_modules/x")).unwrap();
    let kept = checkout.go_to("s1", &id, at(10)).unwrap();
    assert_eq!(place.text("config").as_deref(), Some("cfg\n"));
    assert_eq!(place.text("build").as_deref(), Some("a script\n"));
    assert_eq!(place.git(&["show", &format!("{}:config/a.yml", kept.id)]), "y");
}

#[test]
#[timeout(60000)]
fn repositories_where_a_file_or_a_link_was() {
    let place = place();
    place.write("nest", "f\n");
    place.write("outer", "f\n");
    symlink("a", place.root.join("link")).unwrap();
    let checkout = place.checkout();
    let id = checkout.make_checkpoint("s1", "x", at(0)).unwrap().id;
    for name in ["nest", "outer", "link"] {
        remove_file(place.root.join(name)).unwrap();
    }
    repository(&place, "nest");
    repository(&place, "link");
    repository(&place, "outer/b/node_modules/c");
    let names = ["link/ (a repository)", "nest/ (a repository)", "outer/b/node_modules/c/ (a repository)"];
    refused(&place, &checkout, &id, &names);
    assert_eq!(git_in(&place.root.join("nest"), &["log", "--format=%s"]), "theirs");
}

#[test]
#[timeout(60000)]
fn a_submodule_where_a_file_was_and_files_where_it_would_be_written_into() {
    let place = place();
    place.write("file", "f\n");
    place.write("dir/inside", "f\n");
    let checkout = place.checkout();
    let id = checkout.make_checkpoint("s1", "x", at(0)).unwrap().id;
    remove_file(place.root.join("file")).unwrap();
    remove_dir_all(place.root.join("dir")).unwrap();
    repository(&place, "file");
    place.git(&["-c", "advice.addEmbeddedRepo=false", "add", "file"]);
    repository(&place, "dir");
    place.write("dir/inside", "theirs\n");
    refused(&place, &checkout, &id, &["dir/ (a repository)", "file/ (a repository)"]);
}

#[test]
#[timeout(60000)]
fn what_is_too_large_to_be_kept() {
    let place = place();
    place.write("data", "small\n");
    place.write("big", "small\n");
    place.write("above/file", "small\n");
    place.write("secret", "then it was known\n");
    place.git(&["add", "-f", "secret"]);
    let checkout = place.checkout();
    let id = checkout.make_checkpoint("s1", "x", at(0)).unwrap().id;
    place.git(&["rm", "-q", "--cached", "secret"]);
    remove_file(place.root.join("data")).unwrap();
    remove_dir_all(place.root.join("above")).unwrap();
    huge(&place, "data/dump");
    huge(&place, "above");
    huge(&place, "secret");
    refused(&place, &checkout, &id, &["above (69 MB)", "data/dump", "secret (69 MB)"]);
}

#[test]
#[timeout(60000)]
fn a_file_above_is_kept_and_gives_way() {
    let place = place();
    place.write("tool/config", "1\n");
    place.write("other/config", "1\n");
    let checkout = place.checkout();
    let id = checkout.make_checkpoint("s1", "x", at(0)).unwrap().id;
    remove_dir_all(place.root.join("tool")).unwrap();
    remove_dir_all(place.root.join("other")).unwrap();
    place.write(".gitignore", "tool\nother\n");
    place.write("tool", "precious\n");
    symlink("/precious", place.root.join("other")).unwrap();
    let kept = checkout.go_to("s1", &id, at(1)).unwrap();
    assert_eq!(place.text("tool/config").as_deref(), Some("1\n"));
    assert_eq!(place.git(&["show", &format!("{}:tool", kept.id)]), "precious");
    assert_eq!(place.git(&["show", &format!("{}:other", kept.id)]), "/precious");
    checkout.go_to("s1", &kept.id, at(2)).unwrap();
    assert_eq!(place.text("tool").as_deref(), Some("precious\n"));
}

#[test]
#[timeout(60000)]
fn discarding_deletes_only_what_a_checkpoint_holds() {
    let place = place();
    for path in ["config", "nest", "dir/file"] {
        place.write(path, "x\n");
    }
    place.git(&["add", "-A", "--force"]);
    place.git(&["commit", "-q", "-m", "more"]);
    remove_file(place.root.join("config")).unwrap();
    place.write("config/.env.local", "KEY\n");
    place.write("config/new", "1\n");
    remove_file(place.root.join("nest")).unwrap();
    repository(&place, "nest");
    remove_dir_all(place.root.join("dir")).unwrap();
    place.write("dir", "precious\n");
    std::fs::write(place.root.join(".git/info/exclude"), "dir\n").unwrap();
    repository(&place, "inner");
    huge(&place, "dump");
    place.write("a", "2\n");
    let before = (place.everything(), place.git(&["ls-files", "-s"]));
    let checkout = place.checkout();
    let cases = [
        ("config", "config/.env.local"),
        ("nest", "nest/ (a repository)"),
        ("dir/file", "dir"),
        ("dump", "dump (69 MB)"),
    ];
    for (path, lost) in cases {
        match checkout.discard(&[path.to_owned(), "a".to_owned()]) {
            Err(ChangeError::WouldLose(names)) => assert_eq!(names, [lost], "{path}"),
            other => panic!("{path}: {other:?}"),
        }
        assert!(before == (place.everything(), place.git(&["ls-files", "-s"])), "{path} was changed");
    }
    remove_file(place.root.join("config/.env.local")).unwrap();
    checkout.discard(&["inner".to_owned()]).unwrap();
    assert_eq!(place.text("inner/theirs").as_deref(), Some("not committed\n"));
    checkout.discard(&["config".to_owned(), "a".to_owned()]).unwrap();
    assert_eq!(place.text("config").as_deref(), Some("x\n"));
    assert_eq!(place.text("a").as_deref(), Some("1\n"));
}
