//! What was moved aside was deleted there by somebody else.

use std::fs;

use belfry_protocol::session::WorkspaceKind::{Clone, Worktree};
use belfry_workspace::remove::{RemoveError, Step, Swept};

use super::fixture::Fixture;

const WORK: &str = "echo work > own; git add .; git commit -q -m work; echo staged > src/a.txt; git add .
    echo later > src/a.txt; printf 'a\\r\\nb' > new; echo '* text=auto' > .gitattributes; rm docs/c.txt
    ln -s nowhere link; echo run > run; chmod +x run; echo SECRET=2 > .env";
const SAVED_REF: &str = "git rev-parse -q --verify refs/belfry/removed/0198c0de-0000-7000-8000-000000000001";

fn delete_aside(fixture: &Fixture) {
    fixture.sh_at(&fixture.top(), "rm -r root/.removed/*/tree");
}

#[test]
#[ntest::timeout(120_000)]
fn a_worktree_is_written_anew_from_the_saved_commit() {
    for hours in [1, 25] {
        let fixture = Fixture::new(Worktree);
        fixture.sh(WORK);
        let mut before = fixture.picture();
        fixture.remove();
        delete_aside(&fixture);
        fixture.tidy();
        assert!(matches!(fixture.sweep(hours), Swept::Kept(_)), "{hours}");
        let notice = fixture.restore(hours).notice.unwrap();
        assert!(notice.contains("ignores"), "{notice}");
        let mut after = fixture.picture();
        // Git's own way of telling where it is may be another one; git keeps neither ignored files nor empty directories.
        for picture in [&mut before, &mut after] {
            for path in [".git", ".env", "docs"] {
                picture.files.remove(std::path::Path::new(path));
            }
        }
        assert_eq!(before, after, "{hours}");
        assert!(!fixture.says(SAVED_REF), "it is back, and nothing of it is left behind");
        assert!(!fixture.says("git worktree list --porcelain | grep -q locked"));
    }
}

#[test]
#[ntest::timeout(120_000)]
fn a_worktree_in_a_merge_is_still_in_it() {
    let fixture = Fixture::new(Worktree);
    fixture.sh("git switch -q -c theirs; echo theirs > src/a.txt; git commit -q -a -m theirs; git switch -q work
        echo ours > src/a.txt; git commit -q -a -m ours; git merge -q theirs && exit 1; echo half > src/a.txt");
    let before = fixture.asked(&["ls-files", "-s"]);
    fixture.remove();
    delete_aside(&fixture);
    fixture.restore(1);
    assert_eq!(fixture.asked(&["ls-files", "-s"]), before);
    assert!(fixture.says("git rev-parse -q --verify MERGE_HEAD && grep -q half src/a.txt"));
}

#[test]
#[ntest::timeout(120_000)]
fn what_cannot_be_brought_back_keeps_and_names_its_ref() {
    let fixture = Fixture::new(Worktree);
    fixture.sh(WORK);
    fixture.remove();
    delete_aside(&fixture);
    fixture.sh_at(&fixture.main(), "rm -r .git/worktrees");
    let mut command = String::new();
    for _ in 0..2 {
        match fixture.try_restore(1) {
            Err(RemoveError::Lost { saved: Some(saved), .. }) => {
                assert!(saved.name.starts_with("refs/belfry/removed/0198c0de"), "{saved:?}");
                command = saved.command;
            }
            other => panic!("{other:?}"),
        }
    }
    assert!(fixture.says(SAVED_REF));
    assert!(!fixture.subject.path.exists());
    fixture.sh_at(&fixture.top(), &command);
    assert!(fixture.says("grep -q later src/a.txt && test -e new"), "what was said to get at it does not");

    let fixture = Fixture::new(Clone);
    fixture.sh("echo work > own");
    fixture.remove();
    delete_aside(&fixture);
    assert!(matches!(fixture.try_restore(1), Err(RemoveError::Lost { .. })));
    assert!(matches!(fixture.try_restore(25), Err(RemoveError::Lost { .. })), "again");
}

#[test]
#[ntest::timeout(120_000)]
fn one_that_is_nowhere_is_not_taken_for_one_that_was_never_moved() {
    let fixture = Fixture::new(Worktree);
    fixture.sh(WORK);
    fixture.remove();
    delete_aside(&fixture);
    let record = fixture.subject.root.join(".removed").join(&fixture.subject.id).join("record.json");
    // As if it had been cut off before it was noted that it is aside, or on the way back.
    for step in ["moving", "restoring"] {
        let text = fs::read_to_string(&record).unwrap();
        let mut text: serde_json::Value = serde_json::from_str(&text).unwrap();
        text["step"] = step.into();
        fs::write(&record, text.to_string()).unwrap();
        if step == "moving" {
            match fixture.sweep(1) {
                Swept::Kept(kept) => assert_eq!(kept.step, Step::Aside),
                other => panic!("{other:?}"),
            }
            assert!(fixture.says(SAVED_REF));
        }
    }
    fixture.sweep(1);
    assert!(fixture.says("grep -q work own && grep -q later src/a.txt"));
}

#[test]
#[ntest::timeout(120_000)]
fn the_ref_stays_where_the_directory_came_back_without_what_was_in_it() {
    let fixture = Fixture::new(Worktree);
    fixture.sh(WORK);
    fixture.remove();
    let aside = fixture.subject.root.join(".removed").join(&fixture.subject.id).join("tree");
    fs::remove_file(aside.join("new")).unwrap();
    let notice = fixture.restore(1).notice.unwrap();
    assert!(
        notice.contains("1 file that was saved is not in it") && notice.contains("refs/belfry"),
        "{notice}"
    );
    assert!(fixture.says(SAVED_REF));
}

#[test]
#[ntest::timeout(120_000)]
fn with_its_record_gone_it_comes_back_all_the_same() {
    for what in ["record.json", "tree record.json"] {
        let fixture = Fixture::new(Worktree);
        fixture.sh(WORK);
        fixture.remove();
        fixture.sh_at(&fixture.subject.root, &format!("cd .removed/*; rm -r {what}"));
        let restored = fixture.restore(1);
        assert_eq!(restored.notice.is_some(), what.contains("tree"), "{restored:?}");
        assert!(fixture.says(
            "grep -q work own && grep -q later src/a.txt && test \"$(git branch --show-current)\" = work"
        ));
        assert!(!fixture.says(SAVED_REF));
        assert!(matches!(fixture.try_restore(1), Err(RemoveError::NotThere(_))), "it is back");
    }
    let fixture = Fixture::new(Clone);
    fixture.sh("echo work > own");
    fixture.remove();
    fixture.sh_at(&fixture.subject.root, "rm .removed/*/record.json");
    fixture.restore(1);
    assert!(fixture.says("grep -q work own && git log -1 work"));
}
