use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;

use belfry_protocol::pull_request::{PullState, Review};

use super::*;

fn forge(address: &str) -> Option<Forge> {
    Forge::of(address, |host| (host == "git.corp.example").then_some(Kind::GitHub))
}

#[test]
fn remotes_are_told_by_their_hosts() {
    for (address, kind, page) in [
        (
            "https://github.com/ann/shop.git",
            Kind::GitHub,
            "https://github.com/ann/shop/compare/main...a/b?expand=1",
        ),
        ("git@github.com:ann/shop", Kind::GitHub, "https://github.com/ann/shop/compare/main...a/b?expand=1"),
        (
            "ssh://git@ssh.github.com:443/ann/shop.git",
            Kind::GitHub,
            "https://github.com/ann/shop/compare/main...a/b?expand=1",
        ),
        (
            "https://tok:en@Git.Corp.Example/a/b",
            Kind::GitHub,
            "https://git.corp.example/a/b/compare/main...a/b?expand=1",
        ),
        (
            "git@gitlab.com:group/sub/shop.git",
            Kind::GitLab,
            "https://gitlab.com/group/sub/shop/-/merge_requests/new?merge_request%5Bsource_branch%5D=a/b\
             &merge_request%5Btarget_branch%5D=main",
        ),
        (
            "ssh://git@gitlab.corp.example:2222/a/b.git",
            Kind::GitLab,
            "https://gitlab.corp.example/a/b/-/merge_requests/new?merge_request%5Bsource_branch%5D=a/b&merge_request%5Btarget_branch%5D=main",
        ),
        (
            "git@bitbucket.org:a/b.git",
            Kind::Bitbucket,
            "https://bitbucket.org/a/b/pull-requests/new?source=a/b&dest=main",
        ),
        ("https://codeberg.org/a/b", Kind::Gitea, "https://codeberg.org/a/b/compare/main...a/b"),
        (
            "https://gitea.corp.example:3000/a/b",
            Kind::Gitea,
            "https://gitea.corp.example:3000/a/b/compare/main...a/b",
        ),
    ] {
        let forge = forge(address).unwrap_or_else(|| panic!("{address}"));
        assert_eq!((forge.kind, forge.compare("main", "a/b").as_str()), (kind, page), "{address}");
    }
    for address in [
        "/srv/a/b",
        "file:///srv/a/b",
        "https://elsewhere.example/a/b",
        "https://github.com/a",
        "https://github.com/a/b/c",
        "https://github.com/a/../b",
        "git@github.com:a/b\nc",
        "git@-x:a/b",
        "https://github.com/a/$(id)",
        "ext::sh -c id",
    ] {
        assert_eq!(forge(address), None, "{address}");
    }
    let page = forge("https://github.com/a/b").map(|forge| forge.compare("main", "x?y#z&\"é"));
    assert_eq!(page.as_deref(), Some("https://github.com/a/b/compare/main...x%3Fy%23z%26%22%C3%A9?expand=1"));
}

/// A program that answers with a file, and keeps what it was called with.
fn tools(dir: &Path, name: &str, answer: &str, code: u8) -> Tools {
    let script = format!(
        "#!/bin/sh\nprintf '%s\\n' \"$@\" >> {0}/args\ncat > {0}/stdin < /dev/stdin\ncat {0}/answer\nexit {code}\n",
        dir.display()
    );
    std::fs::write(dir.join("answer"), answer).unwrap();
    std::fs::write(dir.join(name), script).unwrap();
    std::fs::set_permissions(dir.join(name), std::fs::Permissions::from_mode(0o755)).unwrap();
    let path = format!("{}:/usr/bin:/bin", dir.display());
    Tools::with_env(vec![("PATH".into(), path.into())], dir.to_owned())
}

fn now() -> Timestamp {
    Timestamp::UNIX_EPOCH
}

#[test]
#[ntest::timeout(30000)]
fn github_answers_of_many_branches_in_one_call() {
    let dir = tempfile::tempdir().unwrap();
    let answer = serde_json::json!({ "data": { "repository": {
        "nameWithOwner": "ann/shop", "defaultBranchRef": { "name": "main" }, "parent": null,
        "b0": { "nodes": [
            { "number": 1, "url": "https://github.com/ann/shop/pull/1", "title": "another's", "state": "OPEN", "isDraft": false,
              "baseRefName": "main", "headRepositoryOwner": { "login": "mallory" }, "isCrossRepository": true },
            { "number": 2, "url": "https://github.com/ann/shop/pull/2", "title": "Fix\u{1b}[31m it\u{202e}", "state": "OPEN",
              "isDraft": true, "baseRefName": "main", "reviewDecision": "CHANGES_REQUESTED", "mergeable": "CONFLICTING",
              "headRepositoryOwner": { "login": "Ann" }, "isCrossRepository": false,
              "commits": { "nodes": [ { "commit": { "statusCheckRollup": { "contexts": { "nodes": [
                { "__typename": "CheckRun", "name": "test", "status": "COMPLETED", "conclusion": "FAILURE",
                  "detailsUrl": "https://github.com/ann/shop/actions/runs/5/job/6" },
                { "__typename": "CheckRun", "name": "lint", "status": "COMPLETED", "conclusion": "SUCCESS" },
                { "__typename": "CheckRun", "name": "slow", "status": "IN_PROGRESS", "conclusion": null },
                { "__typename": "StatusContext", "context": "ci/x", "state": "ERROR", "targetUrl": "javascript:alert(1)" },
                { "__typename": "StatusContext", "context": "ci/y", "state": "PENDING" },
              ] } } } } ] },
              "reviewThreads": { "nodes": [
                { "isResolved": true, "path": "a", "line": 1, "comments": { "nodes": [ { "body": "settled" } ] } },
                { "isResolved": false, "path": "b.rs", "line": null, "originalLine": 9,
                  "comments": { "nodes": [ { "body": "Why?", "author": { "login": "bob" } }, { "body": "  ", "author": null } ] } },
              ] },
              "latestReviews": { "nodes": [ { "state": "CHANGES_REQUESTED", "body": "No.", "author": { "login": "eve" } },
                { "state": "APPROVED", "body": "nice", "author": { "login": "zoe" } } ] } },
        ] },
        "b1": { "nodes": [
            { "number": 3, "url": "https://evil.example/ann/shop/pull/3", "title": "x", "state": "OPEN",
              "headRepositoryOwner": { "login": "ann" } } ] },
        "b2": { "nodes": [] },
    } } });
    let tools = tools(dir.path(), "gh", &answer.to_string(), 0);
    let forge = forge("git@github.com:ann/shop.git").unwrap();
    let branches = ["fix", "evil\"}", "none"].map(str::to_owned);
    let looked = forge.look(&tools, &branches, Depth::Full, now()).unwrap();
    assert_eq!(looked.default_branch.as_deref(), Some("main"));
    let pull = &looked.found[0].as_ref().unwrap().pull;
    assert_eq!((pull.number, pull.title.as_str(), pull.state), (2, "Fix[31m it", PullState::Draft));
    assert_eq!((pull.checks_passed, pull.checks_pending), (1, 2));
    let failed: Vec<_> = pull.failed.iter().map(|it| (it.name.as_str(), it.url.is_some())).collect();
    assert_eq!(failed, [("test", true), ("ci/x", false)]);
    assert_eq!((pull.review, pull.mergeable), (Some(Review::ChangesRequested), Some(false)));
    let comments: Vec<_> = pull.comments.iter().map(|it| (it.text.as_str(), it.line)).collect();
    assert_eq!(comments, [("No.", None), ("Why?", Some(9))]);
    // An address that is not the forge's own is no pull request of it.
    assert_eq!(looked.found[1..], [None, None]);
    let args = std::fs::read_to_string(dir.path().join("args")).unwrap();
    assert_eq!(args, "api\ngraphql\n--hostname\ngithub.com\n--input\n-\n");
    let sent: serde_json::Value =
        serde_json::from_slice(&std::fs::read(dir.path().join("stdin")).unwrap()).unwrap();
    assert_eq!(sent["variables"]["h1"], "evil\"}");
    assert!(!sent["query"].as_str().unwrap().contains("evil"));
}

#[test]
#[ntest::timeout(30000)]
fn gitlab_answers_of_many_branches_in_one_call() {
    let dir = tempfile::tempdir().unwrap();
    let node = |iid: &str, state: &str, branch: &str| {
        serde_json::json!({ "iid": iid, "webUrl": format!("https://gitlab.com/g/s/shop/-/merge_requests/{iid}"), "title": "t",
            "state": state, "draft": false, "sourceBranch": branch, "targetBranch": "main", "conflicts": false,
            "detailedMergeStatus": "NOT_APPROVED", "approvedBy": { "nodes": [] },
            "headPipeline": { "status": "FAILED", "jobs": { "nodes": [
                { "name": "test", "status": "FAILED", "webPath": "/g/s/shop/-/jobs/8", "allowFailure": false },
                { "name": "flaky", "status": "FAILED", "webPath": "/g/s/shop/-/jobs/9", "allowFailure": true } ] } } })
    };
    let nodes = [node("5", "closed", "fix"), node("4", "opened", "fix"), node("3", "merged", "old")];
    let answer = serde_json::json!({ "data": { "project": { "repository": { "rootRef": "main" }, "mergeRequests": { "nodes": nodes } } } });
    let tools = tools(dir.path(), "glab", &answer.to_string(), 0);
    let forge = forge("git@gitlab.com:g/s/shop.git").unwrap();
    let branches = ["fix", "old", "none"].map(str::to_owned);
    let looked = forge.look(&tools, &branches, Depth::Row, now()).unwrap();
    let states: Vec<_> =
        looked.found.iter().map(|it| it.as_ref().map(|it| (it.pull.number, it.pull.state))).collect();
    assert_eq!(states, [Some((4, PullState::Open)), Some((3, PullState::Merged)), None]);
    let pull = &looked.found[0].as_ref().unwrap().pull;
    assert_eq!((pull.review, pull.checks_passed, pull.failed.len()), (Some(Review::Required), 1, 1));
    assert_eq!(pull.failed[0].url.as_deref(), Some("https://gitlab.com/g/s/shop/-/jobs/8"));
}

#[test]
#[ntest::timeout(30000)]
fn a_missing_or_broken_program_is_told() {
    let dir = tempfile::tempdir().unwrap();
    let forge = forge("git@github.com:ann/shop.git").unwrap();
    let none = Tools::with_env(vec![("PATH".into(), dir.path().into())], dir.path().to_owned());
    let look = |tools: &Tools| forge.look(tools, &["a".to_owned()], Depth::Row, now());
    assert_eq!(look(&none), Err(ForgeError::Missing(Tool::Gh)));
    let garbled = tools(dir.path(), "gh", "<html>", 0);
    assert!(matches!(look(&garbled), Err(ForgeError::Garbled { .. })));
    let logged_out = tools(dir.path(), "gh", "", 4);
    assert!(matches!(look(&logged_out), Err(ForgeError::LoggedOut { .. })));
    let hidden = tools(dir.path(), "gh", r#"{"data":{"repository":null}}"#, 0);
    assert_eq!(look(&hidden), Err(ForgeError::NotFound { host: "github.com".into() }));
}

/// The arguments of the last call, and what it read.
fn called(dir: &Path) -> (String, serde_json::Value) {
    let args = std::fs::read_to_string(dir.join("args")).unwrap().replace('\n', " ");
    std::fs::remove_file(dir.join("args")).unwrap();
    (args, serde_json::from_slice(&std::fs::read(dir.join("stdin")).unwrap()).unwrap_or_default())
}

#[test]
#[ntest::timeout(30000)]
fn a_fork_s_pull_request_goes_into_what_it_is_a_fork_of() {
    let dir = tempfile::tempdir().unwrap();
    let forge = forge("git@github.com:ann/shop.git").unwrap();
    let nodes = serde_json::json!({ "nodes": [{ "number": 9, "url": "https://github.com/corp/shop/pull/9", "title": "t",
        "state": "CLOSED", "closedAt": "2026-01-02T03:04:05Z", "headRepositoryOwner": { "login": "ann" } }] });
    let answer = serde_json::json!({ "data": { "repository": { "defaultBranchRef": { "name": "mine" }, "b0": { "nodes": [] },
        "parent": { "nameWithOwner": "corp/shop", "defaultBranchRef": { "name": "trunk" }, "b0": nodes } } } });
    let looking = tools(dir.path(), "gh", &answer.to_string(), 0);
    let looked = forge.look(&looking, &["fix".to_owned()], Depth::Row, now()).unwrap();
    assert_eq!(
        (looked.parent.as_deref(), looked.default_branch.as_deref()),
        (Some("corp/shop"), Some("trunk"))
    );
    let found = looked.found[0].as_ref().unwrap();
    assert_eq!((found.pull.number, found.ended_at.is_some()), (9, true));
    called(dir.path());
    let answer = r#"{"number":10,"html_url":"https://github.com/corp/shop/pull/10","title":"T","draft":true,"base":{"ref":"trunk"}}"#;
    let making = tools(dir.path(), "gh", answer, 0);
    let new = New { head: "fix", base: "trunk", title: "T", body: "B", draft: true };
    let pull = forge.create(&making, looked.parent.as_deref(), new, now()).unwrap();
    assert_eq!((pull.number, pull.state, pull.base.as_str()), (10, PullState::Draft, "trunk"));
    let (args, sent) = called(dir.path());
    assert_eq!(args, "api repos/corp/shop/pulls --hostname github.com --method POST --input - ");
    assert_eq!((&sent["head"], &sent["draft"]), (&"ann:fix".into(), &true.into()));
    forge.merge(&making, &pull, MergeHow::Rebase).unwrap();
    assert_eq!(called(dir.path()).0, "pr merge --rebase https://github.com/corp/shop/pull/10 ");
    let elsewhere = PullRequest { url: "https://evil.example/x".to_owned(), ..pull };
    assert!(forge.merge(&making, &elsewhere, MergeHow::Merge).is_err());
    // Logs of checks that ran elsewhere are not to be had by it.
    for check in [
        "https://ci.example/1",
        "https://github.com/corp/shop/actions/runs/1/job/--web",
        "https://github.com/x",
    ] {
        assert!(forge.log(&making, check).is_none(), "{check}");
    }
    assert!(!dir.path().join("args").exists());
}
