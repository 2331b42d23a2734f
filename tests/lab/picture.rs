//! `belfry-lab picture`: pictures of the real window with real agents at work, for the README.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use anyhow::{Context as _, Result, bail, ensure};
use belfry_tests::lab::{Home, Lab, installed, story};
use belfry_tests::window::{Desk, Driven, row, until};
use clap::Parser;
use serde_json::json;

/// Takes pictures of the window with real agents in it.
#[derive(Debug, Parser)]
#[command(name = "belfry-lab picture")]
struct Arguments {
    /// Where the dark one goes.
    dark: PathBuf,
    /// Where the light one goes.
    light: PathBuf,
}

/// Width and height of the window.
const SIZE: (u32, u32) = (1430, 870);

/// The files of the shop that the agents work on.
const FILES: [(&str, &str); 3] = [
    ("README.md", "# storefront\n"),
    (
        "src/cart/total.rs",
        "//! The total of a cart: lines, discounts, tax.\n\nimpl Total {\n    /// Tax of the whole, rounded once.\n    pub fn of(lines: &[Line], rate: Rate) -> Self {\n        let net = lines.iter().map(Line::price).sum();\n        Self { net, tax: rate.of(net) }\n    }\n}\n",
    ),
    (
        "src/auth/store.rs",
        "//! Where refresh tokens are kept.\n\nimpl Store {\n    pub fn rotate(&mut self, id: TokenId) -> Result<Token> {\n        self.tokens.remove(&id);\n        self.issue()\n    }\n}\n",
    ),
];

/// A test run that takes its time.
const TESTS: &str = r#"#!/bin/sh
t=0
printf '\033[2mstorefront, 50 times\033[0m\n\n'
for name in refund capture webhook; do
  printf ' \033[32mPASS\033[0m payment/%s.test.ts \033[2m(%s s)\033[0m\n' "$name" "1.$t"; t=$((t+3))
done
while :; do
  printf '\r \033[33mRUNS\033[0m payment/dispute.test.ts %s of 50 ' "$t"; t=$(((t+1)%50)); sleep 1
done
"#;

pub(super) async fn run() -> Result<()> {
    let arguments = Arguments::parse_from(std::env::args().skip(1));
    let agents = installed("claude").map_err(anyhow::Error::msg)?;
    // Each from the start: agents ask for the colours once.
    take("dark", &agents, &arguments.dark).await?;
    take("light", &agents, &arguments.light).await
}

async fn take(theme: &str, agents: &Path, file: &Path) -> Result<()> {
    let target = agents.parent().context("the agents are nowhere")?;
    // Not under `/tmp`, where Codex runs nothing.
    let folder = tempfile::Builder::new().prefix("lab-").tempdir_in(target)?;
    let home = folder.path().join("home");
    let project = home.join("storefront");
    shop(&project)?;
    let lab = Lab::start(0, false).await?;
    let home = Home::lay_out(&home, lab.port(), &[&project])?;

    let desk = Desk::new("picture").await?;
    let belfry = |arguments: &[&str]| -> Result<String> {
        let mut command = desk.program("belfry")?;
        with_agents(&mut command, &home, agents)?;
        let output = command.args(arguments).output()?;
        ensure!(output.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
        Ok(String::from_utf8(output.stdout)?.trim().to_owned())
    };
    desk.configure(&format!("[appearance]\ntheme = \"{theme}\"\n[sessions]\nfind = false\n"))?;
    belfry(&["daemon", "start"])?;
    let path = project.to_string_lossy().into_owned();
    belfry(&["project", "add", &path])?;
    belfry(&["group", "add", "storefront", "Checkout"])?;
    // Before the agents: it is the window that tells them the colours.
    let window = desk.open_driven().await?;
    desk.resize_window("Belfry", SIZE.0, SIZE.1)?;

    let start = |name: &str, agent: &str, group: Option<&str>, more: &[&str]| {
        let mut all =
            vec!["new", "--agent", agent, "--name", name, "--cwd", &path, "--project", "storefront"];
        all.extend(group.into_iter().flat_map(|group| ["--group", group]));
        all.extend(more);
        belfry(&all)
    };
    let group = Some("Checkout");
    let tests = start("Payment tests", "shell", group, &["--", "./run-tests"])?;
    start("Tax by line", "shell", None, &["--", "vi", "src/cart/total.rs"])?;
    let images = start("Image resizing", "gemini", None, &["--prompt", story::IMAGES])?;
    until_status(&desk, &images, "idle").await?;
    start("Upgrade axum", "claude", None, &["--prompt", "Upgrade axum to the next release; ratelimit"])?;
    let export = start("Orders export", "claude", group, &["--prompt", story::EXPORT])?;
    until_status(&desk, &export, "waiting").await?;
    let tokens = start("Token refresh", "codex", group, &["--prompt", story::TOKENS])?;
    until_status(&desk, &tokens, "waiting").await?;
    let totals = start("Cart totals", "claude", group, &["--prompt", story::TOTALS])?;
    until_status(&desk, &totals, "running").await?;
    for (id, beside) in [(&tokens, false), (&totals, true), (&tests, true), (&tokens, false)] {
        show(&window, id, beside).await?;
    }
    window.session_shows(&totals, "Tax is taken").await?;
    // What answers to the size comes over the agents, which tell nobody when they are done.
    window.eval_async("setTimeout(arguments[0], 2000)", vec![]).await?;
    desk.picture_of_window("Belfry", file)
}

/// Waits until a session has that status: agents take their time to start.
async fn until_status(desk: &Desk, id: &str, status: &str) -> Result<()> {
    let deadline = tokio::time::Instant::now() + Duration::from_mins(2);
    loop {
        let now = desk.session(id)?["status"].as_str().unwrap_or_default().to_owned();
        if now == status {
            return Ok(());
        }
        if tokio::time::Instant::now() > deadline {
            bail!("{now}, not {status}: {}", desk.belfry(&["screen", id])?);
        }
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
}

/// Shows a session by its row, in a pane of its own where that is wanted.
async fn show(window: &Driven, id: &str, beside: bool) -> Result<()> {
    let click = "document.querySelector(arguments[0]).dispatchEvent(new MouseEvent('click', { bubbles: true, ctrlKey: arguments[1] }))";
    window.select(&row(id)).await?;
    window.eval_with(click, vec![json!(row(id)), json!(beside)]).await?;
    until("terminal", async || Ok((!window.session_text(id).await?.trim().is_empty()).then_some(()))).await
}

fn with_agents(command: &mut Command, home: &Home, agents: &Path) -> Result<()> {
    let own = [agents.join("node_modules/.bin"), agents.join("aider/bin")];
    let path = std::env::var_os("PATH").unwrap_or_default();
    let path = std::env::join_paths(own.into_iter().chain(std::env::split_paths(&path)))?;
    command
        .envs(home.env.iter().map(|(name, value)| (name, value)))
        .env("PATH", path)
        .env("COLORTERM", "truecolor");
    Ok(())
}

fn shop(project: &Path) -> Result<()> {
    for (name, text) in FILES {
        let file = project.join(name);
        std::fs::create_dir_all(file.parent().unwrap_or(project))?;
        std::fs::write(file, text)?;
    }
    let tests = project.join("run-tests");
    std::fs::write(&tests, TESTS)?;
    std::fs::set_permissions(&tests, std::os::unix::fs::PermissionsExt::from_mode(0o755))?;
    for arguments in [
        ["init", "--quiet", "--initial-branch=main"].as_slice(),
        &["config", "user.name", "Someone"],
        &["config", "user.email", "someone@example.org"],
        &["add", "."],
        &["commit", "--quiet", "--message", "Begin"],
    ] {
        let mut git = Command::new("git");
        git.env("GIT_CONFIG_GLOBAL", "/dev/null").env("GIT_CONFIG_NOSYSTEM", "1");
        ensure!(git.args(arguments).current_dir(project).status()?.success(), "git {arguments:?}");
    }
    Ok(())
}
