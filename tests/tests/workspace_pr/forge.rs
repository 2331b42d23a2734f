//! A remote on disk that looks as if it were a forge's, and the forge's program, which notes how it is called and answers from
//! files.

use std::path::{Path, PathBuf};
use std::process::Command;

use belfry_tests::cli::Belfry;
use serde_json::{Value, json};

/// Runs git; what it printed.
pub(crate) fn git(at: &Path, args: &[&str]) -> Result<String, String> {
    let ran = Command::new("git")
        .args(["-c", "user.name=A", "-c", "user.email=a@b.example", "-c", "init.defaultBranch=main"])
        .args(args)
        .current_dir(at)
        .output()
        .expect("run git");
    if ran.status.success() {
        Ok(String::from_utf8_lossy(&ran.stdout).trim().to_owned())
    } else {
        Err(format!("{args:?}: {}", String::from_utf8_lossy(&ran.stderr)))
    }
}

/// A pull request as GitHub's GraphQL tells of it.
pub(crate) fn pull(number: u64, state: &str) -> Value {
    let run = "https://github.com/ann/shop/actions/runs/5/job/6";
    json!({
        "number": number, "url": format!("https://github.com/ann/shop/pull/{number}"), "title": "Fix the login",
        "state": state, "isDraft": false, "baseRefName": "main", "reviewDecision": "CHANGES_REQUESTED",
        "mergeable": "MERGEABLE", "closedAt": null, "isCrossRepository": false, "headRepositoryOwner": { "login": "ann" },
        "commits": { "nodes": [{ "commit": { "statusCheckRollup": { "contexts": { "nodes": [
            { "__typename": "CheckRun", "name": "test", "status": "COMPLETED", "conclusion": "FAILURE", "detailsUrl": run },
            { "__typename": "CheckRun", "name": "lint", "status": "COMPLETED", "conclusion": "SUCCESS" },
            { "__typename": "CheckRun", "name": "slow", "status": "QUEUED", "conclusion": null },
        ] } } } }] },
        "latestReviews": { "nodes": [] },
        "reviewThreads": { "nodes": [{ "isResolved": false, "path": "login", "line": 3, "comments": { "nodes": [
            { "author": { "login": "bob" }, "body": "Why?" } ] } }] },
    })
}

/// The forge.
pub(crate) struct Fake {
    home: PathBuf,
    tool: String,
    path: String,
}

const SCRIPT: &str = r#"#!/bin/sh
cd "$HOME/forge" || exit 9
{ printf 'CALL'; for word; do printf ' [%s]' "$word"; done; echo; } >> calls
if [ -f code ]; then cat said >&2; exit "$(cat code)"; fi
case "$1 $2 $6 $7" in
"api graphql "*) cat > asked; cat answer ;;
"api "*trace*) echo 'assertion failed: left == right' ;;
"api "*" PUT "*) cat > /dev/null; cp after-merge answer; echo '{}' ;;
"api "*" POST "*) cat > created; cp after-create answer; cat create-answer ;;
"pr merge "*) cp after-merge answer ;;
"run view "*) printf 'test\tRun\t2026-01-01T00:00:00.0000000Z assertion failed: left == right\n' ;;
*) exit 1 ;;
esac
"#;

impl Fake {
    /// A home in which that program is the forge's, and no other is there. Before the daemon starts.
    pub(crate) fn new(belfry: &Belfry, tool: &str) -> Self {
        let home = belfry.home();
        for dir in ["bin", "forge", "remotes"] {
            std::fs::create_dir_all(home.join(dir)).expect("a directory");
        }
        // The machine's own `gh` must not be found, so only what is needed is.
        for program in [
            "git",
            "sh",
            "env",
            "cat",
            "cp",
            "printf",
            "sleep",
            "touch",
            "dirname",
            "head",
            "git-receive-pack",
        ] {
            let found = std::env::split_paths(&std::env::var_os("PATH").expect("a path"))
                .map(|dir| dir.join(program))
                .find(|file| file.is_file());
            if let Some(found) = found {
                std::os::unix::fs::symlink(found, home.join("bin").join(program)).expect("a link");
            }
        }
        belfry.script(&format!("bin/{tool}"), SCRIPT);
        belfry.script(
            "bin/claude",
            "#!/bin/sh\ncase \"$1\" in --version) echo '2.1.0 (Claude Code)' ;; *) exec sleep 1000 ;; esac\n",
        );
        // Whatever the host is, its repository is here.
        let remotes = home.join("remotes");
        belfry.script(
            "bin/fake-ssh",
            &format!(
                "#!/bin/sh\nfor command; do :; done\ncd '{}' || exit 9\neval \"$command\"\n",
                remotes.display()
            ),
        );
        let path = home.join("bin").to_str().expect("a path of ours").to_owned();
        belfry.write(".profile", &format!("export PATH='{path}' GIT_SSH_COMMAND='{path}/fake-ssh'\n"));
        let fake = Self { home, tool: tool.to_owned(), path };
        fake.answers(&json!([]));
        let number = if tool == "glab" { json!("5") } else { json!(7) };
        let created = json!({
            "number": number, "html_url": "https://github.com/ann/shop/pull/7", "title": "t", "draft": false,
            "base": { "ref": "main" }, "iid": 5, "web_url": "https://gitlab.com/group/sub/shop/-/merge_requests/5",
            "target_branch": "main",
        });
        fake.write("create-answer", &created.to_string());
        fake
    }

    /// The same, and its daemon runs.
    pub(crate) fn started(belfry: &Belfry, tool: &str) -> Self {
        let fake = Self::new(belfry, tool);
        let mut daemon = belfry.command(&["daemon", "start"]);
        fake.surround(&mut daemon);
        assert!(daemon.status().expect("start the daemon").success());
        fake
    }

    /// Gives a daemon the surroundings.
    pub(crate) fn surround(&self, command: &mut Command) {
        command.env("PATH", &self.path);
    }

    fn write(&self, name: &str, text: &str) {
        let _ = std::fs::remove_file(self.home.join("forge/code"));
        std::fs::write(self.home.join("forge").join(name), text).expect("a file");
    }

    fn read(&self, name: &str) -> String {
        std::fs::read_to_string(self.home.join("forge").join(name)).unwrap_or_default()
    }

    fn graphql(&self, of: &Value) -> String {
        if self.tool == "glab" {
            let nodes = json!({ "repository": { "rootRef": "main" }, "mergeRequests": { "nodes": of } });
            return json!({ "data": { "project": nodes } }).to_string();
        }
        let mut repository =
            json!({ "nameWithOwner": "ann/shop", "defaultBranchRef": { "name": "main" }, "parent": null });
        match of {
            Value::Object(each) => {
                for (name, nodes) in each {
                    repository[name] = json!({ "nodes": nodes });
                }
            }
            nodes => repository["b0"] = json!({ "nodes": nodes }),
        }
        json!({ "data": { "repository": repository } }).to_string()
    }

    /// What the branch has.
    pub(crate) fn answers(&self, nodes: &Value) {
        self.write("answer", &self.graphql(nodes));
    }

    /// What several branches have.
    pub(crate) fn answers_each(&self, nodes: &Value) {
        self.write("answer", &self.graphql(nodes));
    }

    /// What it has once one was made.
    pub(crate) fn answers_after_create(&self, nodes: &Value) {
        self.write("after-create", &self.graphql(nodes));
    }

    /// What it has once that was merged.
    pub(crate) fn answers_after_merge(&self, nodes: &Value) {
        self.write("after-merge", &self.graphql(nodes));
    }

    /// It fails from here on.
    pub(crate) fn fails(&self, code: u8, said: &str) {
        self.write("said", said);
        self.write("code", &code.to_string());
    }

    /// How it was called.
    pub(crate) fn calls(&self) -> String {
        self.read("calls")
    }

    /// What was made.
    pub(crate) fn created(&self) -> Value {
        serde_json::from_str(&self.read("created")).expect("something was made")
    }

    /// What was asked for last.
    pub(crate) fn asked(&self) -> Value {
        serde_json::from_str(&self.read("asked")).expect("something was asked for")
    }

    /// The remote's repository.
    pub(crate) fn remote(&self) -> PathBuf {
        let all = ["ann/shop.git", "group/sub/shop.git"].map(|path| self.home.join("remotes").join(path));
        all.into_iter().find(|path| path.is_dir()).expect("a remote")
    }

    /// A repository `shop` with that remote, on a branch with a commit of its own.
    pub(crate) fn repository(&self, address: &str, branch: &str) -> PathBuf {
        let shop = self.home.join("shop");
        let path = if address.contains("gitlab") { "group/sub/shop.git" } else { "ann/shop.git" };
        let remote = self.home.join("remotes").join(path);
        std::fs::create_dir_all(&remote).expect("a directory");
        std::fs::create_dir(&shop).expect("a directory");
        let run = |at: &Path, args: &[&str]| git(at, args).expect("git does it");
        run(&remote, &["init", "-q", "--bare"]);
        run(&shop, &["init", "-q"]);
        run(&shop, &["commit", "-q", "--allow-empty", "-m", "first"]);
        run(&shop, &["remote", "add", "origin", address]);
        run(&shop, &["push", "-q", remote.to_str().expect("a path of ours"), "main"]);
        run(&shop, &["update-ref", "refs/remotes/origin/main", "main"]);
        run(&shop, &["symbolic-ref", "refs/remotes/origin/HEAD", "refs/remotes/origin/main"]);
        run(&shop, &["checkout", "-q", "-b", branch]);
        std::fs::write(shop.join("login"), "works\n").expect("a file");
        run(&shop, &["add", "login"]);
        run(&shop, &["commit", "-qm", "Mend it"]);
        shop
    }

    /// As if these branches had been pushed.
    pub(crate) fn as_pushed(at: &Path, branches: &[&str]) {
        for branch in branches {
            git(at, &["update-ref", &format!("refs/remotes/origin/{branch}"), branch]).expect("a branch");
        }
    }
}
