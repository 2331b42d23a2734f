//! The cases.

use belfry_protocol::session::WorkspaceKind::{self, Clone, Scratch, Worktree};
use belfry_protocol::workspace::Losses;

use super::fixture::Fixture;

struct Case {
    kind: WorkspaceKind,
    /// Does the work.
    work: &'static str,
    /// Whether it can be had: in the workspace, or in the repository where that is gone.
    there: &'static str,
    /// Whether the person is told.
    told: fn(&Losses) -> bool,
}

macro_rules! cases {
    ($($name:ident: $kind:expr, $work:expr, $there:expr, $told:expr;)*) => {
        $(#[test]
        #[ntest::timeout(240_000)]
        fn $name() {
            check(&Case { kind: $kind, work: $work, there: $there, told: $told });
        })*

        #[test]
        fn there_are_at_least_forty() {
            assert!([$(stringify!($name)),*].len() >= 40);
        }
    };
}

fn check(case: &Case) {
    let careless = Fixture::new(case.kind);
    careless.sh(case.work);
    assert!(careless.says(case.there), "the work is not there to begin with");
    careless.careless();
    assert!(!careless.says(case.there), "nothing is lost, whatever is done");
    drop(careless);

    let fixture = Fixture::new(case.kind);
    fixture.sh(case.work);
    let found = fixture.look();
    assert!((case.told)(&found.losses), "not told: {:#?}", found.losses);
    assert!(!found.losses.nothing());
    assert_eq!(found.losses.refused, None);
    assert!(fixture.try_remove(None).is_err(), "removed, and nobody had seen what would be lost");
    assert_eq!(fixture.look().losses.fingerprint, found.losses.fingerprint, "looking changes nothing");

    let before = fixture.picture();
    fixture.remove();
    fixture.tidy();
    fixture.sweep(23);
    fixture.restore(23);
    pretty(&before, &fixture.picture());
    assert!(fixture.says(case.there), "lost on the same day");

    fixture.remove();
    fixture.sweep(25);
    fixture.tidy();
    fixture.sweep(24 * 29);
    fixture.restore(24 * 29);
    assert!(fixture.says(case.there), "lost after the day");
    let mut after = fixture.picture();
    let mut before = before;
    // What tools make anew is not kept so long.
    for picture in [&mut before, &mut after] {
        picture.files.retain(|path, _| !path.starts_with("node_modules"));
    }
    pretty(&before, &after);
}

#[track_caller]
fn pretty(before: &super::fixture::Picture, after: &super::fixture::Picture) {
    for (path, what) in &before.files {
        assert_eq!(after.files.get(path), Some(what), "{}", path.display());
    }
    assert_eq!(before, after);
}

fn uncommitted(losses: &Losses) -> bool {
    losses.uncommitted.count > 0
}

fn untracked(losses: &Losses) -> bool {
    losses.untracked.count > 0 && losses.uncommitted.count == 0
}

fn ignored(losses: &Losses) -> bool {
    losses.ignored.count > 0 && losses.untracked.count == 0
}

fn unpushed(losses: &Losses) -> bool {
    losses.unpushed_count == 1 && losses.unpushed.len() == 1
}

fn operation(losses: &Losses) -> bool {
    losses.operation.is_some()
}

fn repositories(losses: &Losses) -> bool {
    losses.repositories.len() == 1
}

cases! {
    a_changed_file: Worktree, "echo work > src/a.txt", "grep -q work src/a.txt", uncommitted;
    a_staged_file: Worktree, "echo work > src/a.txt; git add .", "git diff --cached | grep -q +work", uncommitted;
    a_file_staged_and_changed_again: Worktree, "echo staged > src/a.txt; git add .; echo later > src/a.txt",
        "git show :src/a.txt | grep -q staged && grep -q later src/a.txt", uncommitted;
    a_new_file_that_only_the_index_has: Worktree, "echo work > new.txt; git add .; rm new.txt",
        "git show :new.txt | grep -q work", uncommitted;
    a_deletion: Worktree, "rm src/a.txt", "git status --porcelain | grep -q '^ D src/a.txt'", uncommitted;
    a_renamed_file: Worktree, "git mv src/a.txt src/z.txt", "git status --porcelain | grep -q '^R'", uncommitted;
    a_change_of_mode: Worktree, "chmod 755 src/a.txt", "test -x src/a.txt", uncommitted;
    an_intent_to_add: Worktree, "echo work > new.txt; git add -N new.txt", "grep -q work new.txt", uncommitted;
    an_untracked_file: Worktree, "echo work > new.txt", "grep -q work new.txt", untracked;
    an_untracked_file_of_an_odd_name: Worktree,
        "mkdir 'ü \"q\"'; echo work > \"ü \\\"q\\\"/$(printf 'a\\nb\\tc\\\\d')\"", "grep -qr work ü*", untracked;
    an_untracked_file_of_bytes_that_are_no_text: Worktree, "echo work > \"$(printf 'x\\377y')\"",
        "grep -qr work x*", untracked;
    an_untracked_link: Worktree, "ln -s /nowhere/at/all link", "test -L link", untracked;
    a_large_untracked_file: Worktree, "head -c 34000000 /dev/zero > large; echo work >> large",
        "tail -c 5 large | grep -q work", untracked;
    a_private_file_with_an_attribute: Worktree, "echo work > key; chmod 600 key",
        "test \"$(stat -c %a key)\" = 600", untracked;
    a_file_in_the_place_of_a_directory: Worktree, "rm -r docs; echo work > docs", "grep -q work docs",
        uncommitted;
    a_directory_in_the_place_of_a_file: Worktree, "rm src/a.txt; mkdir src/a.txt; echo work > src/a.txt/x",
        "grep -q work src/a.txt/x", uncommitted;
    a_directory_that_is_a_link_now: Worktree,
        "cp -r src \"$OUT/src\"; rm -r src; ln -s \"$OUT/src\" src", "test -L src && grep -q one src/a.txt", uncommitted;
    an_ignored_file: Worktree, "echo MINE=1 > dist.env; echo dist.env >> \"$MAIN/.git/info/exclude\"",
        "grep -q MINE dist.env", ignored;
    an_ignored_copy_that_was_changed: Worktree, "echo SECRET=2 > .env", "grep -q SECRET=2 .env", ignored;
    an_ignored_directory: Worktree, "mkdir dist; echo work > dist/notes", "grep -q work dist/notes", ignored;
    an_ignored_file_that_is_tracked_and_changed: Worktree,
        "mkdir dist; echo old > dist/x; git add -f dist/x; git commit -q -m x; echo work > dist/x",
        "grep -q work dist/x", uncommitted;
    a_file_that_the_person_ignores_everywhere: Worktree,
        "git config --global core.excludesFile \"$OUT/ignore\"; echo mine > \"$OUT/ignore\"; echo work > mine",
        "grep -q work mine", ignored;
    a_change_git_was_told_to_assume_away: Worktree,
        "git update-index --assume-unchanged src/a.txt; echo work > src/a.txt", "grep -q work src/a.txt", uncommitted;
    a_change_git_was_told_to_skip: Worktree,
        "git update-index --skip-worktree src/a.txt; echo work > src/a.txt", "grep -q work src/a.txt", uncommitted;
    what_a_sparse_checkout_left: Worktree,
        "git sparse-checkout set --no-cone /src; mkdir -p docs; echo work > docs/c.txt", "grep -q work docs/c.txt",
        uncommitted;
    an_untracked_file_of_a_sparse_checkout: Worktree,
        "git sparse-checkout set src; mkdir -p docs; echo work > docs/new", "grep -q work docs/new", untracked;
    bytes_that_an_attribute_would_change: Worktree,
        "echo '*.txt text eol=lf' > .gitattributes; printf 'a\\r\\nwork\\r\\n' > src/a.txt",
        "printf 'a\\r\\nwork\\r\\n' | cmp -s - src/a.txt", |losses| losses.uncommitted.count > 0;
    bytes_that_a_filter_would_change: Worktree,
        "git config --global filter.up.clean 'tr a-z A-Z'; echo '*.up filter=up' > .gitattributes; echo work > x.up",
        "grep -q work x.up", untracked;
    a_commit_of_no_branch: Worktree,
        "git checkout -q --detach; echo work > new; git add .; git commit -q -m work; git rev-parse HEAD > \"$OUT/it\"",
        "git cat-file -e $(cat \"$OUT/it\")", unpushed;
    a_commit_of_no_branch_that_was_left: Worktree,
        "git checkout -q --detach; echo work > new; git add .; git commit -q -m work; git rev-parse HEAD > \"$OUT/it\"
         git checkout -q work",
        "git cat-file -e $(cat \"$OUT/it\")", unpushed;
    a_ref_of_this_worktree_alone: Worktree,
        "git checkout -q --detach; echo work > new; git add .; git commit -q -m work; git rev-parse HEAD > \"$OUT/it\"
         git update-ref refs/worktree/mine HEAD; git checkout -q work; git reflog expire --expire=now --all",
        "git cat-file -e $(cat \"$OUT/it\")", unpushed;
    a_branch_that_was_made_and_deleted: Worktree,
        "git checkout -q -b side; echo work > new; git add .; git commit -q -m work; git rev-parse HEAD > \"$OUT/it\"
         git checkout -q work; git branch -q -D side",
        "git cat-file -e $(cat \"$OUT/it\")", unpushed;
    a_merge_in_the_middle: Worktree, CONFLICT_MERGE, "test \"$(git ls-files -u | wc -l)\" = 3", operation;
    a_rebase_in_the_middle: Worktree, CONFLICT_REBASE, "git status | grep -q 'rebase in progress'", operation;
    a_rebase_with_changes_set_aside: Worktree, CONFLICT_AUTOSTASH,
        "git show \"$(cat \"$(git rev-parse --git-path rebase-merge/autostash)\")\" | grep -q aside", operation;
    a_cherry_pick_in_the_middle: Worktree, CONFLICT_PICK, "git status | grep -q 'cherry-picking'", operation;
    a_bisect_in_the_middle: Worktree, "git bisect start HEAD HEAD~1 >/dev/null",
        "git status | grep -q bisecting", operation;
    a_repository_inside: Worktree,
        "git init -q other; cd other; echo work > x; git add .; git commit -q -m work",
        "git -C other log | grep -q work", repositories;
    a_repository_inside_what_is_ignored: Worktree,
        "mkdir node_modules; cd node_modules; git init -q lib; cd lib; echo work > x; git add .; git commit -q -m work",
        "git -C node_modules/lib log | grep -q work", repositories;
    a_bare_repository_inside: Worktree,
        "git init -q --bare backup.git; git push -q \"$PWD/backup.git\" HEAD:refs/heads/kept",
        "git --git-dir=backup.git rev-parse -q --verify kept", repositories;
    files_of_a_submodule: Worktree, SUBMODULE_FILES, "grep -q work sub/x", repositories;
    a_commit_of_a_submodule: Worktree, SUBMODULE_COMMIT, "git -C sub log | grep -q mine", |losses| {
        losses.repositories.len() == 1 && losses.uncommitted.count == 0
    };
    files_behind_an_index_that_cannot_be_read: Worktree,
        "echo work > new.txt; echo broken > \"$(git rev-parse --git-path index)\"", "grep -q work new.txt",
        |losses| losses.untracked.count > 0;
    files_of_a_worktree_whose_repository_is_gone: Worktree, "echo work > new.txt; rm -rf \"$MAIN/.git\"",
        "grep -q work new.txt", |losses| losses.untracked.count > 0;
    a_commit_of_a_clone: Clone, "echo work > new; git add .; git commit -q -m work",
        "git log | grep -q ' work$'", unpushed;
    a_commit_on_another_branch_of_a_clone: Clone,
        "git switch -q -c side; echo work > new; git add .; git commit -q -m work; git switch -q work",
        "git log side | grep -q ' work$'", unpushed;
    a_commit_of_a_clone_that_was_reset_away: Clone,
        "echo work > new; git add .; git commit -q -m work; git rev-parse HEAD > \"$OUT/it\"; git reset -q --hard HEAD~1",
        "git cat-file -e $(cat \"$OUT/it\")", unpushed;
    a_stash_of_a_clone: Clone, "echo work > src/a.txt; git stash -q", "git stash show -p | grep -q +work",
        |losses| losses.stashes.len() == 1;
    a_tag_of_a_clone: Clone, "git tag -a -m work v1", "git tag -n | grep -q work", unpushed;
    a_note_of_a_clone: Clone, "git notes add -m work", "git notes show | grep -q work", unpushed;
    a_hook_of_a_clone: Clone, "echo 'echo work' > .git/hooks/pre-commit", "grep -q work .git/hooks/pre-commit", ignored;
    a_large_file_of_a_clone: Clone, "mkdir -p .git/lfs/objects/ab; echo work > .git/lfs/objects/ab/cd",
        "grep -q work .git/lfs/objects/ab/cd", ignored;
    a_clone_whose_remote_was_removed: Clone, "git remote remove origin; git commit -q --allow-empty -m work",
        "git log | grep -q ' work$'", |losses| losses.unpushed_count == 3;
    files_of_a_clone_whose_repository_is_gone: Clone, "echo work > new; rm -rf .git", "grep -q work new",
        |losses| losses.untracked.count > 0;
    a_commit_of_a_scratch_repository: Scratch, "echo work > x; git add .; git commit -q -m work",
        "git log | grep -q ' work$'", unpushed;
    files_before_the_first_commit: Scratch, "echo work > x; git add .; echo more > y",
        "git show :x | grep -q work && grep -q more y", uncommitted;
}

const CONFLICT_MERGE: &str = "echo theirs > src/a.txt; git commit -q -a -m theirs; git branch theirs
    git reset -q --hard HEAD~1; echo ours > src/a.txt; git commit -q -a -m ours; git merge -q theirs && exit 1; true";
const CONFLICT_REBASE: &str = "echo theirs > src/a.txt; git commit -q -a -m theirs; git branch theirs
    git reset -q --hard HEAD~1; echo ours > src/a.txt; git commit -q -a -m ours; git rebase -q theirs && exit 1; true";
const CONFLICT_AUTOSTASH: &str = "echo theirs > src/a.txt; git commit -q -a -m theirs; git branch theirs
    git reset -q --hard HEAD~1; echo ours > src/a.txt; git commit -q -a -m ours; echo aside > docs/c.txt
    git rebase -q --autostash theirs && exit 1; true";
const CONFLICT_PICK: &str = "echo theirs > src/a.txt; git commit -q -a -m theirs; git branch theirs
    git reset -q --hard HEAD~1; echo ours > src/a.txt; git commit -q -a -m ours; git cherry-pick theirs && exit 1; true";

const SUBMODULE_FILES: &str =
    "git init -q \"$TOP/lib\"; (cd \"$TOP/lib\"; echo x > x; git add .; git commit -q -m x)
    git submodule -q add \"$TOP/lib\" sub; git commit -q -m sub; git branch -q there
    echo work > sub/x";
const SUBMODULE_COMMIT: &str =
    "git init -q \"$TOP/lib\"; (cd \"$TOP/lib\"; echo x > x; git add .; git commit -q -m x)
    git submodule -q add \"$TOP/lib\" sub; cd sub; echo work > x; git commit -q -a -m mine; cd ..
    git add sub; git commit -q -m sub; git branch -q there";
