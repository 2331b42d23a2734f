//! The keyboard and the window manager, through xdotool: what no page can tell from a person.

use std::process::Command;

use anyhow::{Context, Result, bail};

use super::Desk;

impl Desk {
    /// Types text into whatever has the keyboard.
    pub fn type_text(&self, text: &str) -> Result<()> {
        self.xdotool(&["type", "--delay", "8", "--", text]).map(drop)
    }

    /// Types a line and Return. Not one string: what xdotool types for a line's end is another key.
    pub fn type_line(&self, line: &str) -> Result<()> {
        self.type_text(line)?;
        self.press(&["Return"])
    }

    /// Presses keys, by X's names: `Return`, `ctrl+shift+n`.
    pub fn press(&self, keys: &[&str]) -> Result<()> {
        self.xdotool(&[&["key", "--delay", "8", "--"], keys].concat()).map(drop)
    }

    /// The title of the window that has the keyboard.
    pub fn active_window(&self) -> Result<String> {
        self.xdotool(&["getactivewindow", "getwindowname"])
    }

    /// Gives the window of that title a new size, as dragging its corner does.
    pub fn resize_window(&self, title: &str, width: u32, height: u32) -> Result<()> {
        let window = self.window(title)?;
        self.xdotool(&["windowsize", "--sync", &window, &width.to_string(), &height.to_string()]).map(drop)
    }

    /// Asks the focused window to close, as its close button does.
    pub fn close_focused_window(&self) -> Result<()> {
        // The window manager's key; xdotool's own `windowclose` destroys the window without asking it.
        self.press(&["alt+F4"])
    }

    /// Gives the keyboard to the window of that title.
    pub fn focus_window(&self, title: &str) -> Result<()> {
        let window = self.window(title)?;
        self.xdotool(&["windowactivate", "--sync", &window]).map(drop)
    }

    /// Minimises the window of that title.
    pub fn minimise_window(&self, title: &str) -> Result<()> {
        let window = self.window(title)?;
        self.xdotool(&["windowminimize", "--sync", &window]).map(drop)
    }

    /// Width and height of the window of that title.
    pub fn window_size(&self, title: &str) -> Result<(u32, u32)> {
        let told = self.geometry(title)?;
        Ok((number(&told, "WIDTH=")?, number(&told, "HEIGHT=")?))
    }

    /// Where on the screen the inside of the window of that title begins. The mouse is there afterwards.
    pub fn window_place(&self, title: &str) -> Result<(i64, i64)> {
        // What xdotool tells of a window that has a frame is off by the frame.
        let window = self.window(title)?;
        self.xdotool(&["mousemove", "--sync", "--window", &window, "0", "0"])?;
        let told = self.xdotool(&["getmouselocation", "--shell"])?;
        Ok((number(&told, "X=")?, number(&told, "Y=")?))
    }

    fn geometry(&self, title: &str) -> Result<String> {
        let window = self.window(title)?;
        self.xdotool(&["getwindowgeometry", "--shell", &window])
    }

    /// X's number of the visible window with exactly that title.
    pub(super) fn window(&self, title: &str) -> Result<String> {
        // The search fails when any window at all vanishes while it goes through them.
        let title = format!("^{title}$");
        let search = || self.xdotool(&["search", "--onlyvisible", "--name", &title]);
        let found = search().or_else(|_| search()).or_else(|_| search())?;
        found.lines().next().map(str::to_owned).with_context(|| format!("no window {title}"))
    }

    pub(super) fn xdotool(&self, arguments: &[&str]) -> Result<String> {
        let mut xdotool = Command::new("xdotool");
        self.furnish(&mut xdotool);
        let output = xdotool.args(arguments).output().context("is the package xdotool installed?")?;
        if !output.status.success() {
            bail!("xdotool {arguments:?}: {}", String::from_utf8_lossy(&output.stderr).trim());
        }
        Ok(String::from_utf8_lossy(&output.stdout).trim().to_owned())
    }
}

fn number<T: std::str::FromStr<Err = std::num::ParseIntError>>(told: &str, name: &str) -> Result<T> {
    let line = told.lines().find_map(|line| line.strip_prefix(name));
    Ok(line.with_context(|| format!("no {name} in {told}"))?.parse()?)
}
