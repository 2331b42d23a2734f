//! The window under WebDriver.

use std::net::TcpListener;
use std::process::Command;

use anyhow::{Context, Result};
use fantoccini::elements::Element;
use fantoccini::{Client, ClientBuilder, Locator};
use hyper_util::client::legacy::connect::HttpConnector;
use serde_json::{Value, json};

use super::processes::Attendant;
use super::{Desk, until};

/// A window whose page a test can look into. WebKit's own driver starts it; nothing of ours helps.
#[derive(Debug)]
pub struct Driven {
    client: Client,
    _driver: Attendant,
}

impl Driven {
    pub(super) async fn open(desk: &Desk) -> Result<Self> {
        let window = Self::start(desk).await?;
        // The session is handed over before the page's program has run.
        until("ready page", async || {
            let ready = window.eval("return document.documentElement.dataset.ready === 'true'").await?;
            Ok((ready == Value::Bool(true)).then_some(()))
        })
        .await?;
        Ok(window)
    }

    /// Opens the window and takes its page to a file of the interface that runs nothing, so that a test can speak to
    /// the shell in the page's place.
    pub(super) async fn open_bare(desk: &Desk) -> Result<Self> {
        let window = Self::start(desk).await?;
        let script = "return document.querySelector('script[src]')?.src ?? null";
        let file =
            until("script of the page", async || Ok(window.eval(script).await?.as_str().map(str::to_owned)))
                .await?;
        window.client.goto(&file).await?;
        Ok(window)
    }

    async fn start(desk: &Desk) -> Result<Self> {
        // The driver serves one window at a time and cannot choose a port, so each gets its own, found this way. In
        // the moment between, another could take it; then the connection below fails and names the port.
        let port = TcpListener::bind(("127.0.0.1", 0))?.local_addr()?.port();
        let mut driver = Command::new("WebKitWebDriver");
        desk.furnish(&mut driver);
        driver
            .args(["--host=127.0.0.1", &format!("--port={port}")])
            // Tauri lets itself be driven only when this is set.
            .env("TAURI_WEBVIEW_AUTOMATION", "true");
        let driver = Attendant::start(&driver).context("is the package webkit2gtk-driver installed?")?;

        let program = desk.program("belfry-desktop")?;
        let binary = program.get_program().to_string_lossy().into_owned();
        let capabilities = json!({ "webkitgtk:browserOptions": { "binary": binary, "args": [] } });
        let Value::Object(capabilities) = capabilities else { unreachable!("made as an object above") };
        let address = format!("http://127.0.0.1:{port}");
        let client = until("WebDriver session", async || {
            let mut builder = ClientBuilder::new(HttpConnector::new());
            Ok(Some(builder.capabilities(capabilities.clone()).connect(&address).await?))
        })
        .await?;
        Ok(Self { client, _driver: driver })
    }

    /// Runs JavaScript in the page and returns its result.
    pub async fn eval(&self, script: &str) -> Result<Value> {
        self.eval_with(script, vec![]).await
    }

    /// The same with arguments.
    pub async fn eval_with(&self, script: &str, arguments: Vec<Value>) -> Result<Value> {
        Ok(self.client.execute(script, arguments).await?)
    }

    /// Runs JavaScript that calls its last argument with the result, and returns that.
    pub async fn eval_async(&self, script: &str, arguments: Vec<Value>) -> Result<Value> {
        Ok(self.client.execute_async(script, arguments).await?)
    }

    /// Where the page is.
    pub async fn address(&self) -> Result<String> {
        Ok(self.client.current_url().await?.to_string())
    }

    /// The element with that `data-testid`, once it is there.
    pub async fn element(&self, test_id: &str) -> Result<Element> {
        self.select(&format!("[data-testid=\"{test_id}\"]")).await
    }

    /// The element with that `data-testid` if it is there now.
    pub async fn maybe(&self, test_id: &str) -> Result<Option<Element>> {
        let selector = format!("[data-testid=\"{test_id}\"]");
        Ok(self.client.find_all(Locator::Css(&selector)).await?.into_iter().next())
    }

    /// The first element that matches a CSS selector, once it is there.
    pub async fn select(&self, selector: &str) -> Result<Element> {
        until(selector, async || Ok(self.client.find_all(Locator::Css(selector)).await?.into_iter().next()))
            .await
    }

    /// How many elements match a CSS selector now.
    pub async fn count(&self, selector: &str) -> Result<usize> {
        Ok(self.client.find_all(Locator::Css(selector)).await?.len())
    }

    /// Clicks what has that `data-testid`.
    pub async fn click(&self, test_id: &str) -> Result<()> {
        Ok(self.element(test_id).await?.click().await?)
    }

    /// Types into what has that `data-testid`.
    pub async fn fill(&self, test_id: &str, text: &str) -> Result<()> {
        let element = self.element(test_id).await?;
        element.clear().await?;
        Ok(element.send_keys(text).await?)
    }

    /// A picture of the page, kept. A missing picture fails no test.
    pub async fn screenshot(&self, desk: &Desk, name: &str) {
        if let Ok(picture) = self.client.screenshot().await {
            std::fs::write(desk.picture(name), picture).ok();
        }
    }

    /// Closes the window with the window manager's key, and waits for its end.
    pub async fn close(self, desk: &Desk) -> Result<()> {
        until("end of the window's process", async || {
            if desk.processes("belfry-desktop").is_empty() {
                return Ok(Some(()));
            }
            // A window manager that is just giving the window the keyboard can miss the key.
            desk.focus_window("Belfry")?;
            desk.close_focused_window()?;
            Ok(None)
        })
        .await
    }
}
