//! What a desktop offers on its session bus beside the window: a panel's tray, and notifications.

use std::fs;
use std::process::Command;

use anyhow::{Context, Result, bail};
use serde_json::Value;

use super::processes::Attendant;
use super::{Desk, until};

/// The system's own: it has the bindings to the bus, which another Python need not have.
const PYTHON: &str = "/usr/bin/python3";

/// A panel that shows the tray. Dropped, it is gone, as when a desktop restarts it.
#[derive(Debug)]
pub struct Panel(#[expect(dead_code, reason = "kept alive")] Attendant);

/// A notification server. Dropped, it is gone.
#[derive(Debug)]
pub struct Notices(#[expect(dead_code, reason = "kept alive")] Attendant);

impl Desk {
    /// Puts a panel on the desk.
    pub fn panel(&self) -> Result<Panel> {
        let mut command = self.script("panel.py", include_str!("bus/panel.py"))?;
        let mut panel = Attendant::start(command.arg("watch"))?;
        panel.first_line().context("are python3-dbus and python3-gi installed?")?;
        Ok(Panel(panel))
    }

    /// The tray's item: its properties.
    pub fn tray_item(&self) -> Result<Value> {
        Ok(serde_json::from_str(&self.ask_panel(&["item"])?)?)
    }

    /// The labels of the tray's menu, in order; empty ones are lines.
    pub fn tray_menu(&self) -> Result<Vec<String>> {
        let entries: Vec<Value> = serde_json::from_str(&self.ask_panel(&["menu"])?)?;
        Ok(entries.iter().map(|entry| entry["label"].as_str().unwrap_or_default().to_owned()).collect())
    }

    /// Chooses an entry of the tray's menu.
    pub fn click_tray(&self, label: &str) -> Result<()> {
        self.ask_panel(&["click", label]).map(drop)
    }

    /// Clicks on the tray's icon itself.
    pub fn activate_tray(&self) -> Result<()> {
        self.ask_panel(&["activate"]).map(drop)
    }

    /// Puts a notification server on the desk that shows nothing and lets any action be pressed.
    pub fn notices(&self) -> Result<Notices> {
        let mut command = self.script("notices.py", include_str!("bus/notices.py"))?;
        let mut notices = Attendant::start(command.arg("serve"))?;
        notices.first_line().context("are python3-dbus and python3-gi installed?")?;
        Ok(Notices(notices))
    }

    /// What that server shows.
    pub fn noticed(&self) -> Result<Vec<Value>> {
        let mut command = self.script("notices.py", include_str!("bus/notices.py"))?;
        Ok(serde_json::from_str(&told(command.arg("list"))?)?)
    }

    /// Waits until the server shows one whose title contains a text, and returns it.
    pub async fn notice(&self, text: &str) -> Result<Value> {
        until(&format!("notification about {text}"), async || {
            let fits = |notice: &Value| notice["summary"].as_str().is_some_and(|title| title.contains(text));
            Ok(self.noticed()?.into_iter().find(fits))
        })
        .await
    }

    /// Presses an action of what that server shows.
    pub fn press_notice(&self, notice: &Value, action: &str) -> Result<()> {
        let mut command = self.script("notices.py", include_str!("bus/notices.py"))?;
        told(command.args(["press", &notice["id"].to_string(), action])).map(drop)
    }

    /// Puts dunst on the desk: a notification server that people have.
    pub async fn dunst(&self) -> Result<Notices> {
        let rules = self.home().join("dunstrc");
        fs::write(&rules, "[global]\nfont = DejaVu Sans 10\nwidth = 420\norigin = top-right\n")?;
        let mut dunst = Command::new("dunst");
        self.furnish(&mut dunst);
        let dunst = Attendant::start(dunst.arg("-config").arg(rules)).context("is dunst installed?")?;
        until("notification server", async || Ok(self.dunstctl(&["count", "displayed"]).ok())).await?;
        Ok(Notices(dunst))
    }

    /// Asks or tells dunst.
    pub fn dunstctl(&self, arguments: &[&str]) -> Result<String> {
        let mut command = Command::new("dunstctl");
        self.furnish(&mut command);
        told(command.args(arguments))
    }

    fn ask_panel(&self, arguments: &[&str]) -> Result<String> {
        let mut command = self.script("panel.py", include_str!("bus/panel.py"))?;
        told(command.args(arguments))
    }

    pub(super) fn script(&self, name: &str, text: &str) -> Result<Command> {
        let path = self.home().join(name);
        if !path.is_file() {
            fs::write(&path, text)?;
        }
        let mut command = Command::new(PYTHON);
        self.furnish(&mut command);
        command.arg(path);
        Ok(command)
    }
}

fn told(command: &mut Command) -> Result<String> {
    let output = command.output()?;
    if !output.status.success() {
        bail!("{command:?}: {}", String::from_utf8_lossy(&output.stderr).trim());
    }
    Ok(String::from_utf8_lossy(&output.stdout).trim().to_owned())
}
