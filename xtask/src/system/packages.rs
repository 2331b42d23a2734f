//! What each purpose needs, by the names that each system gives it.

use super::distribution::Distribution;
use crate::exec::{command, on_path, output};

/// What is about to be done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Purpose {
    /// Compile everything and open the window.
    Build,
    /// Run every test, the window's under a display of its own.
    Test,
    /// Install the real agents.
    Agents,
    /// Get an npm at all, to install a current Node with.
    BootstrapNode,
}

impl Purpose {
    /// As a part of a sentence.
    pub(crate) fn shown(self) -> &'static str {
        match self {
            Self::Build => "to build Belfry",
            Self::Test => "to test Belfry",
            Self::Agents => "for the real agents",
            Self::BootstrapNode => "to get a current Node",
        }
    }
}

/// The packages for it.
#[allow(clippy::match_same_arms, reason = "a table: one row a system and purpose")]
pub(crate) fn needed(distribution: Distribution, purpose: Purpose) -> &'static [&'static str] {
    match (distribution, purpose) {
        (Distribution::Debian | Distribution::Other, Purpose::Build) => &[
            "g++",
            "pkg-config",
            "libwebkit2gtk-4.1-dev",
            // WebKit needs one font to start at all, and opening a link needs this.
            "fonts-dejavu-core",
            "xdg-utils",
        ],
        (Distribution::Debian | Distribution::Other, Purpose::Test) => &[
            // The window under a display and a bus of its own.
            "xvfb",
            "webkit2gtk-driver",
            "dbus",
            "dbus-x11",
            "openbox",
            "xdotool",
            "scrot",
            // A notification server, and what a panel's tray is played with.
            "dunst",
            "python3-dbus",
            "python3-gi",
            "libgl1-mesa-dri",
            "libegl1",
            // The interface in another browser.
            "chromium",
            "chromium-driver",
            // What runs in terminals, and what shows it.
            "fonts-noto-color-emoji",
            "git",
            "htop",
            "less",
            "procps",
            "tmux",
            "vim-tiny",
        ],
        (Distribution::Debian | Distribution::Other, Purpose::Agents) => &["git", "python3-venv"],
        (Distribution::Debian | Distribution::Other, Purpose::BootstrapNode) => &["nodejs", "npm"],
        (Distribution::Fedora, Purpose::Build) => {
            &["gcc-c++", "pkgconf-pkg-config", "webkit2gtk4.1-devel", "xdg-utils"]
        }
        (Distribution::Fedora, Purpose::Test) => &[
            "xorg-x11-server-Xvfb",
            "webkit2gtk-driver",
            "dbus-daemon",
            "dbus-x11",
            "openbox",
            "xdotool",
            "scrot",
            "dunst",
            "python3-dbus",
            "python3-gobject",
            "chromium",
            "chromedriver",
            "google-noto-color-emoji-fonts",
            "git",
            "htop",
            "less",
            "procps-ng",
            "tmux",
            "vim-minimal",
        ],
        (Distribution::Fedora, Purpose::Agents) => &["git", "python3"],
        (Distribution::Fedora, Purpose::BootstrapNode) => &["nodejs", "nodejs-npm"],
        (Distribution::Arch, Purpose::Build) => &["base-devel", "webkit2gtk-4.1", "xdg-utils"],
        (Distribution::Arch, Purpose::Test) => &[
            "xorg-server-xvfb",
            "dbus",
            "openbox",
            "xdotool",
            "scrot",
            "dunst",
            "python-dbus",
            "python-gobject",
            "chromium",
            "noto-fonts-emoji",
            "git",
            "htop",
            "less",
            "procps-ng",
            "tmux",
            "vim",
        ],
        (Distribution::Arch, Purpose::Agents) => &["git", "python"],
        (Distribution::Arch, Purpose::BootstrapNode) => &["nodejs", "npm"],
        (Distribution::Mac, Purpose::Agents) => &["git", "python@3.12"],
        (Distribution::Mac, Purpose::Build | Purpose::BootstrapNode) => &["node"],
        (Distribution::Mac, Purpose::Test) => &["node", "tmux", "htop"],
    }
}

/// Where packages cannot be asked for: what shows that some are missing.
pub(crate) fn sign_of_absence(purpose: Purpose) -> Option<&'static str> {
    let linux = cfg!(target_os = "linux");
    match purpose {
        Purpose::Build if linux && !has_library("webkit2gtk-4.1") => {
            Some("WebKitGTK 4.1's development files are missing.")
        }
        Purpose::Build if !on_path("c++") => Some("A C++ compiler is missing."),
        Purpose::Test if linux && !on_path("Xvfb") => Some("Xvfb is missing."),
        Purpose::Test if linux && !on_path("WebKitWebDriver") => Some("WebKitWebDriver is missing."),
        Purpose::Test if !on_path("tmux") => Some("tmux is missing."),
        Purpose::BootstrapNode if !on_path("npm") => Some("npm is missing."),
        Purpose::Build | Purpose::Test | Purpose::Agents | Purpose::BootstrapNode => None,
    }
}

fn has_library(name: &str) -> bool {
    output(command("pkg-config").args(["--exists", name])).is_some()
}
