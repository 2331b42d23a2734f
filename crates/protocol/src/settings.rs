//! What the person sets: one TOML file, which they and the window edit.
//!
//! Every field has a default, so that a file says only what differs, and what a newer or an older Belfry wrote is read as
//! far as it is known.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::session::WorkspaceKind;

/// All settings.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[serde(default)]
pub struct Settings {
    /// How the window looks.
    pub appearance: Appearance,
    /// Letters in terminals.
    pub fonts: Fonts,
    /// How terminals behave.
    pub terminal: TerminalSettings,
    /// Keys of the window's commands that are not the usual ones: a command's name to its key combinations, such as
    /// `Ctrl+Shift+K`. An empty list leaves the command without a key.
    pub keys: BTreeMap<String, Vec<String>>,
    /// What calls the person, when and how loudly.
    pub notifications: Notifications,
    /// The icon in the desktop's tray.
    pub tray: Tray,
    /// Keys that work in the whole desktop.
    pub shortcut: Shortcut,
    /// What an agent is started with, by its id.
    pub agents: BTreeMap<String, AgentSettings>,
    /// Where new sessions work.
    pub workspaces: Workspaces,
    /// What becomes of sessions that have ended.
    pub sessions: Sessions,
    /// When idle sessions are put to sleep by themselves.
    pub hibernate: Hibernate,
    /// What is kept, and for how long.
    pub privacy: Privacy,
}

/// How the window looks.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[serde(default)]
pub struct Appearance {
    /// Dark, light, or as the desktop is.
    pub theme: ThemeChoice,
    /// Name of the terminals' theme while the window is dark; the window takes its own where it knows none of that name.
    pub terminal_dark: String,
    /// The same while the window is light.
    pub terminal_light: String,
    /// Size of everything but terminals, in percent, 100 to 200.
    pub scale: u16,
}

impl Default for Appearance {
    fn default() -> Self {
        Self {
            theme: ThemeChoice::System,
            terminal_dark: "belfry-dark".to_owned(),
            terminal_light: "belfry-light".to_owned(),
            scale: 100,
        }
    }
}

/// Dark or light.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum ThemeChoice {
    /// As the desktop is.
    #[default]
    System,
    /// Always dark.
    Dark,
    /// Always light.
    Light,
}

/// Letters in terminals.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[serde(default)]
pub struct Fonts {
    /// A monospaced font of this machine; none takes the one that comes with Belfry.
    pub family: Option<String>,
    /// Pixels, 8 to 32.
    pub size: u16,
}

impl Default for Fonts {
    fn default() -> Self {
        Self { family: None, size: 13 }
    }
}

/// How terminals behave.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[serde(default)]
pub struct TerminalSettings {
    /// What is selected goes to the clipboard.
    pub copy_on_select: bool,
    /// Rows are offered to screen readers. It costs time where much is printed.
    pub screen_reader: bool,
    /// How cells are drawn.
    pub renderer: Renderer,
    /// Agents' terminals have a box for messages under them.
    pub message_box: bool,
}

impl Default for TerminalSettings {
    fn default() -> Self {
        Self { copy_on_select: false, screen_reader: false, renderer: Renderer::Auto, message_box: true }
    }
}

/// How cells are drawn.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum Renderer {
    /// By whichever way is measured to be the better one here.
    #[default]
    Auto,
    /// By the web view's own text.
    Dom,
    /// By the graphics card.
    Webgl,
}

/// What becomes of sessions that have ended, and of those that Belfry did not start.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[serde(default)]
pub struct Sessions {
    /// Those that were alive when the machine went down are resumed once Belfry runs again.
    pub resume_after_reboot: bool,
    /// Sessions that Belfry did not start are looked for on this machine.
    pub find: bool,
    /// Agents that are found in tmux are adopted by themselves.
    pub adopt: bool,
}

impl Default for Sessions {
    fn default() -> Self {
        Self { resume_after_reboot: false, find: true, adopt: false }
    }
}

/// When idle sessions are put to sleep by themselves: their programs end, and are resumed when they are wanted. What is 0 puts
/// none to sleep, and 0 is what all of them usually are.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[serde(default)]
pub struct Hibernate {
    /// One that has been idle for so many minutes, at most a week.
    pub after_minutes: u32,
    /// The ones that have been idle longest, where more than so many sessions live.
    pub above_sessions: u32,
    /// The same where all sessions together take more than so many megabytes of memory.
    pub above_memory_mb: u32,
}

/// What calls the person, when and how loudly.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[serde(default)]
pub struct Notifications {
    /// A session asks something.
    pub waiting: bool,
    /// A session cannot go on.
    pub blocked: bool,
    /// A turn is over.
    pub done: bool,
    /// A program has ended that nobody ended.
    pub died: bool,
    /// Only turns that took at least so many seconds are told to be over, at most a day.
    pub done_after_seconds: u32,
    /// Nothing shows and nothing sounds; the list goes on.
    pub do_not_disturb: bool,
    /// The same every day at these hours.
    pub quiet_hours: Option<QuietHours>,
    /// A sound goes with each.
    pub sounds: bool,
    /// How loud, 0 to 100.
    pub volume: u8,
    /// One goes with a question.
    pub sound_waiting: bool,
    /// One goes with a session that cannot go on.
    pub sound_blocked: bool,
    /// One goes with a turn that is over.
    pub sound_done: bool,
    /// One goes with a program that has ended.
    pub sound_died: bool,
}

impl Default for Notifications {
    fn default() -> Self {
        Self {
            waiting: true,
            blocked: true,
            done: true,
            died: true,
            done_after_seconds: 10,
            do_not_disturb: false,
            quiet_hours: None,
            sounds: true,
            volume: 60,
            sound_waiting: true,
            sound_blocked: true,
            sound_done: true,
            sound_died: true,
        }
    }
}

/// From when to when, by the clock on the wall here. Past midnight where `to` is the earlier one; where both are the same,
/// never.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct QuietHours {
    /// `HH:MM`.
    pub from: String,
    /// `HH:MM`; from this minute on it is over.
    pub to: String,
}

/// The icon in the desktop's tray.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[serde(default)]
pub struct Tray {
    /// There is one.
    pub show: bool,
    /// Closing the window leaves it in the tray.
    pub close_to_tray: bool,
}

impl Default for Tray {
    fn default() -> Self {
        Self { show: true, close_to_tray: false }
    }
}

/// Keys that work in the whole desktop.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[serde(default)]
pub struct Shortcut {
    /// Shows the window at the oldest question, and hides it again: such as `Ctrl+Alt+B`; empty for none.
    pub show: String,
}

impl Default for Shortcut {
    fn default() -> Self {
        let show = if cfg!(target_os = "macos") { "Cmd+Alt+B" } else { "Ctrl+Alt+B" };
        Self { show: show.to_owned() }
    }
}

/// What an agent is started with.
#[derive(Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[serde(default)]
pub struct AgentSettings {
    /// Its program, absolute or starting with `~`; none looks where it usually is.
    pub path: Option<String>,
    /// Arguments of every session, before those that a session is given.
    pub args: Vec<String>,
    /// Variables of every session; those that a session is given come after.
    pub env: BTreeMap<String, String>,
}

impl std::fmt::Debug for AgentSettings {
    // Values can be secrets, and Debug output can reach a log.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let env: Vec<&String> = self.env.keys().collect();
        f.debug_struct("AgentSettings").field("path", &self.path).field("env", &env).finish_non_exhaustive()
    }
}

/// Where new sessions work.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[serde(default)]
pub struct Workspaces {
    /// How a new session's directory is made where neither the person nor its project says otherwise.
    pub kind: WorkspaceKind,
    /// The first port that workspaces are given, 1024 to 65535.
    pub first_port: u16,
    /// The last one.
    pub last_port: u16,
    /// How many each of them is given, 1 to 100.
    pub ports: u16,
}

impl Default for Workspaces {
    fn default() -> Self {
        // Above the ports of most dev servers' own defaults (3000, 3001), and below those that systems give out by themselves.
        Self { kind: WorkspaceKind::Directory, first_port: 3100, last_port: 3999, ports: 10 }
    }
}

/// What is kept, and for how long. What is in the trash stays a day.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[serde(default)]
pub struct Privacy {
    /// Most megabytes of one session's recording, 1 to 4096; the oldest part is dropped. For runs that are started later.
    pub journal_cap_mb: u32,
    /// Days for which the history of what happened is kept, 1 to 3650.
    pub history_days: u32,
}

impl Default for Privacy {
    fn default() -> Self {
        Self { journal_cap_mb: 64, history_days: 90 }
    }
}

/// The settings in force, and what is wrong with their file.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct SettingsState {
    /// In force; where there is an error, those of before it.
    pub settings: Settings,
    /// Absolute path of the file, which need not be there.
    pub file: String,
    /// Why the file is not in force.
    #[serde(default)]
    pub error: Option<SettingsFault>,
    /// What in it has no effect.
    #[serde(default)]
    pub warnings: Vec<SettingsFault>,
    /// With an error: no file without one is known, and the defaults are in force.
    #[serde(default)]
    pub defaults: bool,
}

impl SettingsState {
    /// What is in force while the file has an error.
    pub fn in_force(&self) -> &'static str {
        if self.defaults {
            "the default settings are in force"
        } else {
            "the last settings without an error are in force"
        }
    }
}

/// Something wrong in the file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct SettingsFault {
    /// Line, from 1; 0 where it is about the whole file.
    pub line: u32,
    /// Column in characters, from 1; 0 where it is about the whole file.
    pub column: u32,
    /// What is wrong, in one sentence.
    pub text: String,
}

impl std::fmt::Display for SettingsFault {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.line {
            0 => f.write_str(&self.text),
            line => write!(f, "line {line}, column {}: {}", self.column, self.text),
        }
    }
}
