//! Sessions as a test meets them in the window and at the command line.

use std::path::PathBuf;

use anyhow::{Context, Result};
use fantoccini::key::Key;
use serde_json::Value;

use super::{Desk, Driven, until};
use crate::daemon::asker;

impl Desk {
    /// Starts a shell session at the command line and returns its id.
    pub fn start_shell(&self, name: &str) -> Result<String> {
        let home = self.home();
        let cwd = home.to_string_lossy();
        let id = self.belfry(&["new", "--agent", "shell", "--cwd", &cwd, "--name", name, "--", "sh"])?;
        Ok(id.trim().to_owned())
    }

    /// Makes the program that asks as agents do an agent of this home. Before anything is started.
    pub fn add_asker(&self) -> Result<()> {
        self.replace_program("asker", asker::PROGRAM)?;
        Ok(asker::install(&self.bin().join("asker"), &self.belfry_home().join("config"), "key")?)
    }

    /// Starts it in a directory of its own, and returns its id and that directory, where `chosen` has what it was
    /// answered.
    pub fn start_asker(&self, name: &str) -> Result<(String, PathBuf)> {
        let cwd = self.home().join(name);
        std::fs::create_dir(&cwd)?;
        let path = cwd.to_string_lossy();
        let id = self.belfry(&["new", "--agent", "asker", "--cwd", &path, "--name", name, "--", "key"])?;
        Ok((id.trim().to_owned(), cwd))
    }

    /// Waits until a session has a status.
    pub async fn status(&self, id: &str, status: &str) -> Result<()> {
        until(
            &format!("{status} session"),
            async || Ok((self.session(id)?["status"] == status).then_some(())),
        )
        .await
    }

    /// A session as `belfry show --json` tells it.
    pub fn session(&self, id: &str) -> Result<Value> {
        Ok(serde_json::from_str(&self.belfry(&["show", id, "--json"])?)?)
    }

    /// The id of the one session of that name, once it is there.
    pub async fn session_named(&self, name: &str) -> Result<String> {
        until(&format!("session {name}"), async || {
            let sessions = self.sessions()?;
            let found = sessions.iter().find(|session| session["name"] == name);
            Ok(found.and_then(|session| session["id"].as_str()).map(str::to_owned))
        })
        .await
    }

    /// Waits until a session's screen contains the text, and returns the screen.
    pub async fn screen_shows(&self, id: &str, text: &str) -> Result<String> {
        until(&format!("{text:?} on the screen of {id}"), async || {
            let screen = self.belfry(&["screen", id])?;
            Ok(screen.contains(text).then_some(screen))
        })
        .await
    }
}

impl Driven {
    /// Starts a shell session in the new-session dialog and returns its id once its prompt is to be seen.
    pub async fn start_shell(&self, desk: &Desk, name: &str) -> Result<String> {
        self.click("new-session").await?;
        self.click("agent-shell").await?;
        self.fill("directory", &desk.home().to_string_lossy()).await?;
        self.fill("args", "sh").await?;
        self.fill("name", name).await?;
        self.click("start").await?;
        let id = desk.session_named(name).await?;
        until("prompt", async || Ok(self.session_text(&id).await?.contains(['$', '#']).then_some(())))
            .await?;
        Ok(id)
    }

    /// Shows a session by a click on its row.
    pub async fn show(&self, id: &str) -> Result<()> {
        self.select(&row(id)).await?.click().await?;
        self.select(&terminal(id)).await.map(drop)
    }

    /// The text of a session's terminal, or nothing where it is not shown.
    pub async fn session_text(&self, id: &str) -> Result<String> {
        let script = "return [...document.querySelectorAll(arguments[0] + ' .xterm-rows > *')]
            .map((row) => row.textContent.replaceAll('\\u00a0', ' ').trimEnd()).join('\\n')";
        let text = self.eval_with(script, vec![terminal(id).into()]).await?;
        Ok(text.as_str().context("the page told no text")?.to_owned())
    }

    /// Waits until a session's terminal contains the text, and returns it all.
    pub async fn session_shows(&self, id: &str, text: &str) -> Result<String> {
        until(&format!("{text:?} in the terminal of {id}"), async || {
            let shown = self.session_text(id).await?;
            Ok(shown.contains(text).then_some(shown))
        })
        .await
    }

    /// Types a line and Enter into a session's terminal.
    pub async fn enter(&self, id: &str, line: &str) -> Result<()> {
        self.keys(id, &format!("{line}{}", char::from(Key::Enter))).await
    }

    /// Types a letter with Control into a session's terminal.
    pub async fn control(&self, id: &str, letter: char) -> Result<()> {
        self.keys(id, &format!("{}{letter}{}", char::from(Key::Control), char::from(Key::Null))).await
    }

    /// Types WebDriver's keys into a session's terminal.
    pub async fn keys(&self, id: &str, keys: &str) -> Result<()> {
        let input = self.select(&format!("{} .xterm-helper-textarea", terminal(id))).await?;
        Ok(input.send_keys(keys).await?)
    }
}

/// The selector of a session's row in the list.
pub fn row(id: &str) -> String {
    format!("[data-testid=\"session-row\"][data-session=\"{id}\"]")
}

/// The selector of a session's terminal.
pub fn terminal(id: &str) -> String {
    format!("[data-testid=\"terminal\"][data-session=\"{id}\"]")
}
