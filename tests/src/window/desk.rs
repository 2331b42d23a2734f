//! A desktop for one test.

use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context, Result, bail};
use serde_json::Value;
use tempfile::TempDir;

use super::processes::{self, Attendant, Process};
use super::{ByHand, Driven, until};

/// A virtual screen, a window manager, a session bus and a home, all for one test.
#[derive(Debug)]
pub struct Desk {
    name: String,
    as_for_a_person: bool,
    display: String,
    bus_address: String,
    // Ended in this order.
    _manager: Attendant,
    _bus: Attendant,
    _screen: Attendant,
    directory: TempDir,
}

impl Desk {
    /// Sets one up. The name, usually the test's, leads those of its pictures.
    pub async fn new(name: &str) -> Result<Self> {
        let directory = tempfile::Builder::new().prefix("belfry-window-").tempdir()?;
        for part in ["home", "runtime", "belfry", "bin"] {
            fs::create_dir(directory.path().join(part))?;
        }
        fs::set_permissions(directory.path().join("runtime"), private())?;

        let mut screen = Command::new("Xvfb");
        // It chooses a free display by itself and says which.
        screen.args(["-displayfd", "1", "-screen", "0", "1440x900x24", "-nolisten", "tcp", "-noreset"]);
        let mut screen = Attendant::start(&screen).context("is the package xvfb installed?")?;
        let display = format!(":{}", screen.first_line().context("Xvfb")?);

        let mut bus = Command::new("dbus-daemon");
        bus.args(["--session", "--nofork", "--nopidfile", "--print-address=1"]);
        let mut bus = Attendant::start(&bus).context("is the package dbus installed?")?;
        let bus_address = bus.first_line().context("dbus-daemon")?;

        let mut manager = Command::new("openbox");
        manager.env("DISPLAY", &display).env("HOME", directory.path().join("home"));
        let manager = Attendant::start(&manager).context("is the package openbox installed?")?;

        let desk = Self {
            name: name.to_owned(),
            as_for_a_person: false,
            display,
            bus_address,
            _manager: manager,
            _bus: bus,
            _screen: screen,
            directory,
        };
        until("window manager", async || Ok(desk.xdotool(&["get_num_desktops"]).ok())).await?;
        Ok(desk)
    }

    /// Opens the window under WebDriver and waits until the page is ready.
    pub async fn open_driven(&self) -> Result<Driven> {
        Driven::open(self).await
    }

    /// Opens the window under WebDriver on a page that runs nothing of ours but can call the shell.
    pub async fn open_bare(&self) -> Result<Driven> {
        Driven::open_bare(self).await
    }

    /// Opens the window as a person does, and waits until it is on the screen.
    pub async fn open_by_hand(&self) -> Result<ByHand> {
        ByHand::open(self).await
    }

    /// The window's or another program of ours, with the desk's environment.
    pub fn program(&self, name: &str) -> Result<Command> {
        let path = programs()?.join(name);
        if !path.is_file() {
            bail!("{} is not built; `cargo xtask test` builds it", path.display());
        }
        let mut command = Command::new(path);
        self.furnish(&mut command);
        Ok(command)
    }

    /// Gives a command the desk's environment and nothing of ours.
    pub(super) fn furnish(&self, command: &mut Command) {
        let home = self.directory.path().join("home");
        command
            .env_clear()
            .env("PATH", self.path())
            .env("LANG", "C.UTF-8")
            .env("USER", "someone")
            .env("SHELL", "/bin/sh")
            .env("PS1", "$ ")
            .env("HOME", &home)
            .env("XDG_RUNTIME_DIR", self.directory.path().join("runtime"))
            .env("BELFRY_HOME", self.belfry_home())
            .env("DISPLAY", &self.display)
            .env("DBUS_SESSION_BUS_ADDRESS", &self.bus_address)
            .env("GDK_BACKEND", "x11")
            .env("GTK_A11Y", "none")
            .env("NO_AT_BRIDGE", "1")
            .env("LIBGL_ALWAYS_SOFTWARE", "1")
            .current_dir(home);
        if self.as_for_a_person {
            command.env("BELFRY_COMPOSITING", "never");
        }
    }

    /// Windows here are drawn as they are where no driver asks for pictures of them: for measuring.
    #[must_use]
    pub fn drawn_as_for_a_person(mut self) -> Self {
        self.as_for_a_person = true;
        self
    }

    /// Puts a shell script in the way of a program of the system.
    pub fn replace_program(&self, name: &str, script: &str) -> Result<()> {
        let path = self.bin().join(name);
        let script = if script.starts_with("#!") { script } else { &format!("#!/bin/sh\n{script}\n") };
        fs::write(&path, script)?;
        Ok(fs::set_permissions(path, private())?)
    }

    /// Where those are.
    pub(super) fn bin(&self) -> PathBuf {
        self.directory.path().join("bin")
    }

    fn path(&self) -> OsString {
        let path = std::env::var_os("PATH").unwrap_or_default();
        let all = [self.bin()].into_iter().chain(std::env::split_paths(&path));
        std::env::join_paths(all).unwrap_or(path.clone())
    }

    /// Runs `belfry` and returns what it printed.
    pub fn belfry(&self, arguments: &[&str]) -> Result<String> {
        let output = self.program("belfry")?.args(arguments).output()?;
        if !output.status.success() {
            bail!(
                "belfry {arguments:?}: {}: {}",
                output.status,
                String::from_utf8_lossy(&output.stderr).trim()
            );
        }
        Ok(String::from_utf8(output.stdout)?)
    }

    /// The sessions, as `belfry ls --json` tells them.
    pub fn sessions(&self) -> Result<Vec<Value>> {
        Ok(serde_json::from_str(&self.belfry(&["ls", "--json"])?)?)
    }

    /// The processes on this desk of that program: `belfry`, `belfry-keeper`, `WebKitWebProcess` and so on.
    pub fn processes(&self, program: &str) -> Vec<Process> {
        let of_home = processes::of_home(&self.belfry_home());
        of_home.into_iter().filter(|process| process.program == program).collect()
    }

    /// Every process on this desk that is ours or the web view's, and none that runs in a session.
    pub fn own_processes(&self) -> Vec<Process> {
        let counts = |process: &Process| {
            let names =
                ["belfry", "belfry-keeper", "belfry-desktop", "WebKitWebProcess", "WebKitNetworkProcess"];
            names.contains(&process.program.as_str())
        };
        processes::of_home(&self.belfry_home()).into_iter().filter(counts).collect()
    }

    /// Writes the person's settings.
    pub fn configure(&self, toml: &str) -> Result<()> {
        let directory = self.belfry_home().join("config");
        fs::create_dir_all(&directory)?;
        Ok(fs::write(directory.join("settings.toml"), toml)?)
    }

    /// Waits until the window's log has a text.
    pub async fn window_log(&self, text: &str) -> Result<()> {
        let log = self.belfry_home().join("state/log/belfry-desktop.log");
        until(&format!("{text:?} in the window's log"), async || {
            Ok(fs::read_to_string(&log)?.contains(text).then_some(()))
        })
        .await
    }

    /// Waits until the window's shell follows the daemon: the key of the whole desktop is set when it does.
    pub async fn window_follows(&self) -> Result<()> {
        self.window_log("the key for the whole desktop").await
    }

    /// A picture of the whole screen. A missing picture fails no test.
    pub fn screenshot(&self, name: &str) {
        let mut scrot = Command::new("scrot");
        self.furnish(&mut scrot);
        scrot.args(["--overwrite", "--silent"]).arg(self.picture(name)).stderr(Stdio::null()).status().ok();
    }

    /// A picture of the inside of one window, which must be in front.
    pub fn picture_of_window(&self, title: &str, file: &Path) -> Result<()> {
        let ((x, y), (width, height)) = (self.window_place(title)?, self.window_size(title)?);
        let mut scrot = Command::new("scrot");
        self.furnish(&mut scrot);
        scrot
            .args(["--overwrite", "--silent", "--autoselect", &format!("{x},{y},{width},{height}")])
            .arg(file);
        let done = scrot.status().context("is the package scrot installed?")?;
        if done.success() { Ok(()) } else { bail!("{scrot:?}: {done}") }
    }

    /// Where a picture of that name goes.
    pub(super) fn picture(&self, name: &str) -> PathBuf {
        let directory = output_directory();
        fs::create_dir_all(&directory).ok();
        directory.join(format!("{}-{name}.png", self.name))
    }

    /// The home of this desk's Belfry.
    pub fn belfry_home(&self) -> PathBuf {
        self.directory.path().join("belfry")
    }

    /// A directory for what a test makes.
    pub fn home(&self) -> PathBuf {
        self.directory.path().join("home")
    }
}

impl Drop for Desk {
    fn drop(&mut self) {
        // What a failed test left on the screen tells most.
        self.screenshot("end");
        keep_logs(&self.belfry_home(), &self.name);
        // What dies may start something on its way out; a second look finds that.
        for _ in 0..3 {
            let left = processes::of_home(&self.belfry_home());
            if left.is_empty() {
                break;
            }
            left.iter().for_each(Process::kill);
        }
    }
}

/// Copies the logs beside the pictures, so that a failure in continuous integration can be understood.
fn keep_logs(home: &Path, name: &str) {
    let Ok(logs) = fs::read_dir(home.join("state/log")) else { return };
    let directory = output_directory();
    fs::create_dir_all(&directory).ok();
    for log in logs.flatten() {
        fs::copy(log.path(), directory.join(format!("{name}-{}", log.file_name().display()))).ok();
    }
}

/// Beside the programs: `target/ci-output/window`.
fn output_directory() -> PathBuf {
    programs().map_or_else(|_| std::env::temp_dir(), |programs| programs.join("../ci-output/window"))
}

/// Where cargo puts our programs: two levels above a test's own, or beside a program that measures.
fn programs() -> Result<PathBuf> {
    let own = std::env::current_exe()?;
    let mut above = own.ancestors().skip(1).take(2);
    let found = above.find(|directory| directory.join("belfry").is_file()).or(own.ancestors().nth(2));
    Ok(found.context("the test is not in cargo's target directory")?.to_owned())
}

fn private() -> fs::Permissions {
    std::os::unix::fs::PermissionsExt::from_mode(0o700)
}
