//! What can be done with changes.

use belfry_protocol::changes::{Between, ChangesRequest as Wanted, Onto, Staged};
use belfry_protocol::launch::NewSession;
use belfry_protocol::{ErrorCode, Reply};
use belfry_tests::daemon::TestDaemon;
use ntest::timeout;

use crate::repo::{asked, changes, cloned, git};

#[tokio::test(flavor = "multi_thread")]
#[timeout(120000)]
async fn from_an_edit_to_a_push() {
    let dir = tempfile::tempdir().expect("a directory");
    let repo = cloned(dir.path());
    let daemon = TestDaemon::start().await;
    let cwd = repo.to_str().expect("a path").to_owned();
    let request = NewSession { cwd: Some(cwd), ..daemon.shell_request(&["cat"]) };
    let session = daemon.new_session(request).await.id.to_string();
    let of = || session.clone();
    std::fs::write(repo.join("a"), "1\nzwei\n3\n").expect("an edit");
    std::fs::write(repo.join("new"), "1\n").expect("a file");

    let shown = changes(&daemon, Wanted::Show { session: of() }).await;
    assert_eq!((shown.branch.as_deref(), shown.base.as_deref()), (Some("fix"), Some("origin/main")));
    assert_eq!((shown.upstream, shown.counts.files), (None, 2));
    assert!(shown.remote.is_some_and(|remote| remote.ends_with("remote.git")));
    let diff = Wanted::Diff {
        session: of(),
        path: "a".to_owned(),
        between: Between::Unstaged,
        context: None,
        whole: false,
    };
    let Ok(Reply::Diff(diff)) = asked(&daemon, diff).await else { panic!("no diff") };
    let start = diff.hunks[0].new_start;
    let stage = Wanted::Stage { session: of(), paths: vec!["a".to_owned()], hunk: Some(start) };
    let staged = changes(&daemon, stage).await;
    assert_eq!((staged.files[0].staged, staged.files[1].staged), (Staged::All, Staged::None));
    let commit = Wanted::Commit { session: of(), message: "Say two".to_owned(), all: false, amend: false };
    let committed = changes(&daemon, commit).await;
    assert_eq!((committed.commits[0].subject.as_str(), committed.commits[0].pushed), ("Say two", false));
    let pushed = changes(&daemon, Wanted::Push { session: of(), force: false }).await;
    assert_eq!((pushed.upstream.as_deref(), pushed.unpushed), (Some("origin/fix"), Some(0)));
    assert!(pushed.commits[0].pushed);

    // What is discarded can be had back.
    let discard = Wanted::Discard { session: of(), paths: vec!["new".to_owned()] };
    let discarded = changes(&daemon, discard).await;
    assert_eq!(discarded.checkpoints[0].label, "before discarding new");
    assert!(!repo.join("new").exists());
    let back = Wanted::GoTo { session: of(), checkpoint: discarded.checkpoints[0].id.clone() };
    changes(&daemon, back).await;
    assert!(repo.join("new").exists());

    // Somebody else has changed the same line.
    let seed = dir.path().join("seed");
    std::fs::write(seed.join("a"), "1\ntheirs\n3\n").expect("a file");
    git(&seed, &["commit", "-q", "-a", "-m", "theirs"]);
    git(&seed, &["push", "-q", "../remote.git", "main"]);
    let conflict =
        asked(&daemon, Wanted::Pull { session: of(), onto: Onto::Rebase }).await.expect_err("a conflict");
    assert_eq!(conflict.code, ErrorCode::Conflict);
    let shown = changes(&daemon, Wanted::Show { session: of() }).await;
    assert_eq!((shown.operation.as_deref(), shown.counts.conflicted), (Some("rebase"), 1));
    let aborted = changes(&daemon, Wanted::Abort { session: of() }).await;
    assert_eq!((aborted.operation, aborted.branch.as_deref()), (None, Some("fix")));
    assert!(repo.join("new").exists(), "what was not committed is there again");
}

#[tokio::test(flavor = "multi_thread")]
#[timeout(60000)]
async fn what_cannot_be_is_refused_in_words() {
    let daemon = TestDaemon::start().await;
    let plain = daemon.shell(&["cat"]).await.id.to_string();
    let none = asked(&daemon, Wanted::Show { session: plain.clone() }).await.expect_err("no repository");
    assert_eq!(none.code, ErrorCode::BadDirectory);
    let missing =
        asked(&daemon, Wanted::Show { session: "nobody".to_owned() }).await.expect_err("no session");
    assert_eq!(missing.code, ErrorCode::NoSuchSession);
    let dir = tempfile::tempdir().expect("a directory");
    let repo = cloned(dir.path());
    let cwd = repo.to_str().expect("a path").to_owned();
    let request = NewSession { cwd: Some(cwd), ..daemon.shell_request(&["cat"]) };
    let session = daemon.new_session(request).await.id.to_string();
    let of = || session.clone();
    for (wanted, code) in [
        (Wanted::Stage { session: of(), paths: vec!["../x".to_owned()], hunk: None }, ErrorCode::BadRequest),
        (
            Wanted::Files { session: of(), between: Between::Commit { id: "--x".to_owned() } },
            ErrorCode::BadRequest,
        ),
        (Wanted::GoTo { session: of(), checkpoint: "abcd".to_owned() }, ErrorCode::BadRequest),
        (Wanted::Commit { session: of(), message: "x".to_owned(), all: false, amend: false }, ErrorCode::Git),
        (Wanted::Commit { session: of(), message: "x".to_owned(), all: false, amend: true }, ErrorCode::Git),
        (Wanted::Abort { session: of() }, ErrorCode::Git),
    ] {
        let said = format!("{wanted:?}");
        assert_eq!(asked(&daemon, wanted).await.expect_err(&said).code, code, "{said}");
    }
}
