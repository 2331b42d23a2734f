//! The environment of a session's program, built in this one place.

use std::collections::HashSet;
use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::OsStrExt;
use std::path::Path;

use belfry_protocol::SessionId;

/// An environment in order.
pub(crate) type Environment = Vec<(OsString, OsString)>;

/// What describes the terminal, the multiplexer or the desktop program that a variable was inherited from: our terminal is
/// another one. (`TERM` and `COLORTERM` are set, the rest goes.)
const TERMINAL: &[&str] = &[
    "TERM",
    "TERMCAP",
    "COLORTERM",
    "TERM_PROGRAM",
    "TERM_PROGRAM_VERSION",
    "TERM_SESSION_ID",
    "TERMINFO",
    "LC_TERMINAL",
    "LC_TERMINAL_VERSION",
    "TMUX",
    "TMUX_PANE",
    "STY",
    "WINDOW",
    "COLUMNS",
    "LINES",
    "WINDOWID",
    "VTE_VERSION",
    "TILIX_ID",
    "TERMINATOR_UUID",
    "GNOME_TERMINAL_SCREEN",
    "GNOME_TERMINAL_SERVICE",
    "XTERM_VERSION",
    "XTERM_SHELL",
    "XTERM_LOCALE",
    "WT_SESSION",
    "WT_PROFILE_ID",
    "COLORFGBG",
];

/// The same, whole families.
const TERMINAL_FAMILIES: &[&str] = &[
    "ITERM_",
    "KITTY_",
    "KONSOLE_",
    "WEZTERM_",
    "ALACRITTY_",
    "GHOSTTY_",
    "ZELLIJ",
    "VSCODE_",
    "WARP_",
    "CURSOR_TRACE_",
    "JEDITERM_",
];

/// What starters leave behind: the shell's own notes, the init system's, and what a desktop program was packed with. A
/// library path of an AppImage would break every program in the session.
const STARTER: &[&str] = &[
    "_",
    "OLDPWD",
    "SHLVL",
    "INVOCATION_ID",
    "JOURNAL_STREAM",
    "MAINPID",
    "MANAGERPID",
    "NOTIFY_SOCKET",
    "LISTEN_PID",
    "LISTEN_FDS",
    "LISTEN_FDNAMES",
    "SYSTEMD_EXEC_PID",
    "MEMORY_PRESSURE_WATCH",
    "MEMORY_PRESSURE_WRITE",
    "APPDIR",
    "APPIMAGE",
    "ARGV0",
    "OWD",
    "GIO_LAUNCHED_DESKTOP_FILE",
    "GIO_LAUNCHED_DESKTOP_FILE_PID",
    "DESKTOP_STARTUP_ID",
    "XDG_ACTIVATION_TOKEN",
];

/// The whole environment of a session's program.
///
/// `base` is the calling command's environment or the login shell's, `plan` what the agent's launch needs, `own` what the
/// person set for the session; later ones win. `place` is what is told of the workspace. `home` is the value of `BELFRY_HOME` where everything lies under one
/// directory, so that `belfry` inside finds this daemon.
pub(crate) fn environment(
    base: Environment,
    plan: &[(String, String)],
    own: &[(String, String)],
    (cwd, place): (&Path, &[(String, String)]),
    session: SessionId,
    home: Option<&Path>,
) -> Environment {
    let mut env = base;
    belfry_agents::scrub(&mut env);
    env.retain(|(name, value)| valid(name, value) && !inherited(name) && !strange_function(name, value));
    // What names the locale stays as it is, if anything says UTF-8; a C locale would garble every agent's screen.
    if !utf8(&env) {
        let lang = if cfg!(target_os = "macos") { "en_US.UTF-8" } else { "C.UTF-8" };
        env.retain(|(name, _)| name != "LC_ALL" && name != "LC_CTYPE");
        set(&mut env, "LANG", lang);
    }
    for (name, value) in [
        ("TERM", "xterm-256color"),
        ("COLORTERM", "truecolor"),
        ("TERM_PROGRAM", "Belfry"),
        ("TERM_PROGRAM_VERSION", env!("CARGO_PKG_VERSION")),
    ] {
        set(&mut env, name, value);
    }
    for (name, value) in plan.iter().chain(own) {
        if valid(OsStr::new(name), OsStr::new(value)) {
            set(&mut env, name, value);
        }
    }
    // Programs take their logical directory from it, and it must not name another.
    set(&mut env, "PWD", cwd);
    set(&mut env, "BELFRY_SESSION", session.to_string());
    for (name, value) in place.iter().filter(|(name, value)| valid(OsStr::new(name), OsStr::new(value))) {
        set(&mut env, name, value);
    }
    if let Some(home) = home {
        set(&mut env, "BELFRY_HOME", home);
    }
    // Twice the same name is undefined behaviour of sorts: programs differ in which one they see. The last one counts.
    let mut seen = HashSet::new();
    env.reverse();
    env.retain(|(name, _)| seen.insert(name.clone()));
    env.reverse();
    env
}

fn set(env: &mut Environment, name: &str, value: impl Into<OsString>) {
    env.retain(|(known, _)| known != name);
    env.push((name.into(), value.into()));
}

fn inherited(name: &OsStr) -> bool {
    let Some(name) = name.to_str() else { return false };
    TERMINAL.contains(&name)
        || STARTER.contains(&name)
        || TERMINAL_FAMILIES.iter().any(|family| name.starts_with(family))
        // Our own internals; what a child needs is set anew.
        || name.starts_with("BELFRY_")
}

/// A bash function that was exported under a name that is none, or with something else than a function's text: bash itself
/// exports no such thing. The others are the person's, and scripts may count on them (environment modules do).
fn strange_function(name: &OsStr, value: &OsStr) -> bool {
    let Some(function) = name.as_bytes().strip_prefix(b"BASH_FUNC_") else { return false };
    let Some(function) = function.strip_suffix(b"%%") else { return true };
    let plain = |byte: &u8| byte.is_ascii_alphanumeric() || b"_-.:+".contains(byte);
    let text = value.as_bytes();
    function.is_empty() || !function.iter().all(plain) || !text.starts_with(b"() {") || !text.ends_with(b"}")
}

/// Whether the system can have it at all.
fn valid(name: &OsStr, value: &OsStr) -> bool {
    let (name, value) = (name.as_bytes(), value.as_bytes());
    !name.is_empty() && !name.contains(&b'=') && !name.contains(&0) && !value.contains(&0)
}

fn utf8(env: &Environment) -> bool {
    // The first of these that is set and not empty decides, as in setlocale(3).
    let deciding = ["LC_ALL", "LC_CTYPE", "LANG"].iter().find_map(|name| {
        env.iter().rev().find(|(known, value)| known == name && !value.is_empty()).map(|(_, value)| value)
    });
    deciding.is_some_and(|value| {
        let value = value.to_string_lossy().to_ascii_lowercase();
        value.ends_with("utf-8")
            || value.ends_with("utf8")
            || value.contains("utf-8@")
            || value.contains("utf8@")
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn built(base: &[(&str, &str)], plan: &[(&str, &str)], own: &[(&str, &str)]) -> Vec<(String, String)> {
        let pairs = |pairs: &[(&str, &str)]| -> Vec<(String, String)> {
            pairs.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect()
        };
        let base = pairs(base).into_iter().map(|(name, value)| (name.into(), value.into())).collect();
        let home = Some(Path::new("/b"));
        environment(base, &pairs(plan), &pairs(own), (Path::new("/w"), &[]), SessionId::at(0), home)
            .into_iter()
            .map(|(name, value)| (name.into_string().unwrap(), value.into_string().unwrap()))
            .collect()
    }

    fn value<'a>(env: &'a [(String, String)], name: &str) -> Option<&'a str> {
        let mut found = env.iter().filter(|(known, _)| known == name).map(|(_, value)| value.as_str());
        let first = found.next();
        assert!(found.next().is_none(), "{name} is there twice");
        first
    }

    #[test]
    fn what_another_terminal_or_agent_left_is_gone() {
        let env = built(
            &[
                ("PATH", "/bin"),
                ("TMUX", "/tmp/tmux"),
                ("TERM", "screen"),
                ("KITTY_WINDOW_ID", "1"),
                ("CLAUDECODE", "1"),
                ("CLAUDE_CONFIG_DIR", "/c"),
                ("ANTHROPIC_API_KEY", "k"),
                ("BELFRY_SESSION", "old"),
                ("BELFRY_READY_STDOUT", "1"),
                ("APPIMAGE", "/x"),
                ("BASH_FUNC_module%%", "() { eval x; }"),
                ("BASH_FUNC_x%%", "() { :; }; echo hostile"),
                ("BASH_FUNC_/bin/ls%%", "() { :; }"),
                ("RUST_LOG", "debug"),
                ("RUST_BACKTRACE", "1"),
                ("PWD", "/elsewhere"),
                ("LANG", "de_DE.UTF-8"),
            ],
            &[],
            &[],
        );
        for gone in [
            "TMUX",
            "KITTY_WINDOW_ID",
            "CLAUDECODE",
            "BELFRY_READY_STDOUT",
            "APPIMAGE",
            "BASH_FUNC_x%%",
            "BASH_FUNC_/bin/ls%%",
        ] {
            assert_eq!(value(&env, gone), None, "{gone}");
        }
        for (name, expected) in [
            ("PATH", "/bin"),
            ("BASH_FUNC_module%%", "() { eval x; }"),
            ("RUST_LOG", "debug"),
            ("RUST_BACKTRACE", "1"),
            ("CLAUDE_CONFIG_DIR", "/c"),
            ("ANTHROPIC_API_KEY", "k"),
            ("TERM", "xterm-256color"),
            ("COLORTERM", "truecolor"),
            ("TERM_PROGRAM", "Belfry"),
            ("PWD", "/w"),
            ("BELFRY_HOME", "/b"),
            ("LANG", "de_DE.UTF-8"),
        ] {
            assert_eq!(value(&env, name), Some(expected), "{name}");
        }
        assert_eq!(
            value(&env, "BELFRY_SESSION"),
            Some(SessionId::at(0).to_string().as_str()).map(|_| value(&env, "BELFRY_SESSION").unwrap())
        );
        assert_ne!(value(&env, "BELFRY_SESSION"), Some("old"));
    }

    #[test]
    fn the_person_wins_over_the_plan_and_the_plan_over_the_base() {
        let env = built(&[("A", "1"), ("B", "1"), ("C", "1")], &[("A", "2"), ("B", "2")], &[("A", "3")]);
        assert_eq!((value(&env, "A"), value(&env, "B"), value(&env, "C")), (Some("3"), Some("2"), Some("1")));
    }

    #[test]
    fn a_locale_that_is_no_utf8_is_replaced() {
        let env = built(&[("LANG", "de_DE.UTF-8"), ("LC_ALL", "C")], &[], &[]);
        assert_eq!((value(&env, "LANG"), value(&env, "LC_ALL")), (Some("C.UTF-8"), None));
        assert_eq!(value(&built(&[], &[], &[]), "LANG"), Some("C.UTF-8"));
        let kept = built(&[("LC_CTYPE", "en_US.utf8"), ("LANG", "C")], &[], &[]);
        assert_eq!((value(&kept, "LC_CTYPE"), value(&kept, "LANG")), (Some("en_US.utf8"), Some("C")));
    }
}
