//! What becomes of a workspace that was removed.

use std::fs;
use std::os::unix::fs::symlink;

use belfry_protocol::session::WorkspaceKind::{Clone, Worktree};
use belfry_workspace::listed::{strays, worktrees};
use belfry_workspace::remove::{self, RemoveError, Step, Swept};

use super::fixture::Fixture;

#[test]
#[ntest::timeout(120_000)]
fn nothing_to_lose_is_gone_after_the_day_with_all_that_was_made_for_it() {
    let fixture = Fixture::new(Worktree);
    assert!(fixture.look().losses.nothing(), "{:#?}", fixture.look().losses);
    let record = fixture.try_remove(None).unwrap();
    assert_eq!(record.step, Step::Aside);
    assert!(fixture.says("git rev-parse -q --verify refs/belfry/removed/$(ls \"$ROOT/.removed\")"));
    assert!(matches!(fixture.sweep(23), Swept::Kept(_)));
    assert_eq!(fixture.sweep(24), Swept::Gone);
    assert_eq!(fixture.sweep(24), Swept::Gone, "again");
    assert_eq!(worktrees(&fixture.git, &fixture.main()).unwrap().len(), 1);
    assert!(
        !fixture.says("git for-each-ref | grep -q -e belfry -e refs/heads/work"),
        "ref and branch are gone"
    );
    assert_eq!(fs::read_dir(fixture.subject.root.join(".removed")).unwrap().count(), 0);
    assert!(matches!(fixture.try_restore(25), Err(RemoveError::NotThere(_))));
}

#[test]
#[ntest::timeout(120_000)]
fn a_branch_with_commits_of_its_own_stays() {
    let fixture = Fixture::new(Worktree);
    fixture.sh("echo work > new; git add .; git commit -q -m work");
    fixture.remove();
    assert!(matches!(fixture.sweep(25), Swept::Kept(_)));
    assert_eq!(fixture.sweep(24 * 31), Swept::Gone);
    assert!(fixture.says("git log work | grep -q ' work$'"));
    assert!(!fixture.says("git for-each-ref | grep -q belfry"));
}

#[test]
#[ntest::timeout(120_000)]
fn its_branch_is_free_at_once() {
    let fixture = Fixture::new(Worktree);
    fixture.sh("echo work > new; git add .; git commit -q -m work; echo more > more");
    fixture.remove();
    fixture.sh_at(&fixture.main(), "git checkout -q work; git worktree prune; grep -q work new");
    let restored = fixture.restore(1);
    assert!(restored.notice.unwrap().contains("is checked out at"));
    assert!(fixture.says("grep -q more more && test -z \"$(git status --porcelain --untracked-files=no)\""));
    assert!(fixture.says("! git symbolic-ref -q HEAD"));
}

#[test]
#[ntest::timeout(120_000)]
fn a_branch_that_moved_on_is_left_alone() {
    let fixture = Fixture::new(Worktree);
    fixture.sh("echo work > src/a.txt");
    fixture.remove();
    fixture.sh_at(&fixture.main(), "git branch -q -f work HEAD~1");
    let restored = fixture.restore(1);
    assert!(restored.notice.unwrap().contains("has moved on"));
    assert!(fixture.says("test \"$(git status --porcelain)\" = ' M src/a.txt'"));
}

#[test]
#[ntest::timeout(120_000)]
fn a_branch_that_was_deleted_comes_back() {
    let fixture = Fixture::new(Worktree);
    fixture.sh("echo work > new; git add .; git commit -q -m work");
    let before = fixture.picture();
    fixture.remove();
    fixture.sh_at(&fixture.main(), "git branch -q -D work");
    fixture.tidy();
    assert_eq!(fixture.restore(1).notice, None);
    assert_eq!(fixture.picture(), before);
}

#[test]
#[ntest::timeout(120_000)]
fn links_that_lead_out_are_not_followed() {
    for hours in [25, 24 * 31] {
        let fixture = Fixture::new(Worktree);
        fixture.sh(
            "mkdir -p \"$OUT/node_modules/lib\" \"$OUT/src\"; echo theirs > \"$OUT/node_modules/lib/x\"
             ln -s \"$OUT/node_modules\" node_modules; cp src/* \"$OUT/src\"; rm -r src; ln -s \"$OUT/src\" src
             mkdir target; echo 'Signature: 8a477f597d28d172789f06886806bc55' > target/CACHEDIR.TAG
             ln -s \"$OUT\" target/out; ln -s / dist; ln -s \"$MAIN\" inner",
        );
        fixture.remove();
        fixture.sweep(25);
        fixture.sweep(hours);
        for file in ["out/node_modules/lib/x", "out/src/a.txt", "out/src/b.txt", "main/src/a.txt"] {
            assert!(fixture.top().join(file).is_file(), "{file} was deleted through a link");
        }
    }
}

#[test]
#[ntest::timeout(120_000)]
fn what_tools_make_anew_goes_after_the_day_and_is_told() {
    let fixture = Fixture::new(Worktree);
    fixture.sh("mkdir -p node_modules/lib; echo x > node_modules/lib/x; echo MINE=1 > .env");
    let found = fixture.look();
    assert_eq!(found.losses.ignored.first, [".env", "node_modules/"]);
    fixture.remove();
    fixture.sweep(25);
    let restored = fixture.restore(26);
    assert_eq!(restored.notice.as_deref(), Some("node_modules/ is to be made anew"));
    assert!(
        fixture.says("grep -q MINE .env && ! test -e node_modules && test -z \"$(git status --porcelain)\"")
    );

    let fixture = Fixture::new(Worktree);
    fixture.sh("mkdir -p node_modules/lib; echo x > node_modules/lib/x");
    assert!(fixture.look().nothing_but_caches());
    fixture.remove();
    assert_eq!(fixture.sweep(25), Swept::Gone);
}

#[test]
#[ntest::timeout(120_000)]
fn copies_of_the_projects_own_files_and_links_to_them_are_no_loss() {
    let fixture = Fixture::new(Worktree);
    fixture.sh(
        "cp \"$MAIN/.env\" .env; mkdir \"$MAIN/dist\" dist; echo x > \"$MAIN/dist/x\"; echo x > dist/x
         mkdir \"$MAIN/node_modules\"; ln -s \"$MAIN/node_modules\" node_modules
         printf 'node_modules\\n' >> .git/info/exclude 2>/dev/null || echo node_modules >> \"$MAIN/.git/info/exclude\"",
    );
    assert!(fixture.look().losses.nothing(), "{:#?}", fixture.look().losses);
    fixture.sh("echo y > dist/y");
    assert_eq!(fixture.look().losses.ignored.first, ["dist/y"]);
}

#[test]
#[ntest::timeout(120_000)]
fn what_is_pushed_or_merged_is_no_loss() {
    let fixture = Fixture::new(Clone);
    fixture.sh("echo work > new; git add .; git commit -q -m work; git push -q origin work");
    assert!(fixture.look().losses.nothing(), "{:#?}", fixture.look().losses);
    let fixture = Fixture::new(Worktree);
    fixture.sh("echo work > new; git add .; git commit -q -m work");
    assert_eq!(fixture.look().losses.unpushed_count, 1);
    fixture.sh_at(&fixture.main(), "git merge -q work");
    assert!(fixture.look().losses.nothing(), "{:#?}", fixture.look().losses);
    // An amended commit has another in its place.
    fixture.sh("git commit -q --amend -m better");
    assert_eq!(fixture.look().losses.unpushed.len(), 1);
    fixture.sh_at(&fixture.main(), "git reset -q --hard origin/main; git merge -q work");
    assert!(fixture.look().losses.nothing(), "{:#?}", fixture.look().losses);
}

#[test]
#[ntest::timeout(120_000)]
fn a_place_that_was_taken_meanwhile_is_not_taken_back() {
    let fixture = Fixture::new(Worktree);
    fixture.sh("echo work > new");
    fixture.remove();
    fs::create_dir(&fixture.subject.path).unwrap();
    match fixture.try_restore(1) {
        Err(RemoveError::Refused(why)) => assert!(why.contains("something else"), "{why}"),
        other => panic!("{other:?}"),
    }
    fs::remove_dir(&fixture.subject.path).unwrap();
    symlink("/nowhere", &fixture.subject.path).unwrap();
    assert!(fixture.try_restore(1).is_err());
    fs::remove_file(&fixture.subject.path).unwrap();
    fixture.restore(1);
    assert!(fixture.says("grep -q work new"));
}

#[test]
#[ntest::timeout(120_000)]
fn removing_and_bringing_back_twice_is_once() {
    let fixture = Fixture::new(Worktree);
    fixture.sh("echo work > new");
    let record = fixture.remove();
    assert_eq!(fixture.try_remove(None).unwrap(), record, "it is removed already");
    fixture.restore(1);
    assert!(matches!(fixture.try_restore(1), Err(RemoveError::NotThere(_))));
    assert!(fixture.says("grep -q work new"));
    assert!(!fixture.says("git for-each-ref | grep -q belfry"));
    assert!(!fixture.says("git worktree list --porcelain | grep -q locked"));
}

#[test]
#[ntest::timeout(120_000)]
fn the_saved_commit_has_the_files_as_they_were() {
    let fixture = Fixture::new(Worktree);
    fixture.sh("echo staged > src/a.txt; git add .; echo later > src/a.txt; echo new > new; rm docs/c.txt");
    fixture.remove();
    let asked = "ref=$(git for-each-ref --format='%(refname)' refs/belfry)
        test \"$(git show $ref:src/a.txt)\" = later && test \"$(git show $ref:new)\" = new &&
        test \"$(git show $ref^2:src/a.txt)\" = staged && ! git cat-file -e $ref:docs/c.txt 2>/dev/null &&
        test \"$(git rev-parse $ref^1)\" = \"$(git rev-parse work)\"";
    assert!(fixture.says(asked));
}

#[test]
#[ntest::timeout(120_000)]
fn the_shared_configuration_and_the_index_are_not_touched() {
    let fixture = Fixture::new(Worktree);
    fixture.sh("echo staged > src/a.txt; git add .; echo new > new");
    let config = || fs::read(fixture.main().join(".git/config")).unwrap();
    let index = || fs::read(fixture.main().join(".git/worktrees").join("work").join("index")).unwrap();
    let (was, before) = (config(), index());
    fixture.remove();
    assert_eq!((config(), index()), (was.clone(), before.clone()));
    fixture.restore(1);
    assert_eq!((config(), index()), (was, before));
}

#[test]
#[ntest::timeout(120_000)]
fn what_lies_about_is_listed() {
    let fixture = Fixture::new(Worktree);
    let root = &fixture.subject.root;
    fs::create_dir_all(root.join("shop/stray")).unwrap();
    symlink(fixture.main(), root.join("shop/link")).unwrap();
    assert_eq!(strays(root, std::slice::from_ref(&fixture.subject.path)), [root.join("shop/stray")]);
    let listed = worktrees(&fixture.git, &fixture.subject.path).unwrap();
    assert_eq!(listed[0].path, fixture.main());
    assert_eq!(listed[1].branch.as_deref(), Some("work"));
    fixture.remove();
    let (records, broken) = remove::records(root);
    assert_eq!((records.len(), broken.len()), (1, 0));
    fs::write(root.join(".removed").join(&records[0].id).join("record.json"), "{").unwrap();
    let (records, broken) = remove::records(root);
    assert_eq!((records.len(), broken.len()), (0, 1), "one that cannot be read is left alone");
    assert!(root.join(".removed").join(&broken[0]).join("tree/src/a.txt").exists());
}
