//! Every setting, what it is for, and what it usually is: the file that is made, and which keys are known in one.

use std::fmt::Write as _;

use super::kind::Kind;
use super::names::nearest;

/// A table of the file.
pub(super) struct Section {
    pub(super) name: &'static str,
    /// What is said above its keys.
    about: &'static str,
    pub(super) keys: &'static [Key],
}

/// A key of a table.
pub(super) struct Key {
    pub(super) name: &'static str,
    /// What is said above it.
    about: &'static str,
    /// Its value where the person sets none, as TOML; an example where there is none.
    pub(super) usual: &'static str,
    /// What it can be.
    kind: Kind,
}

const fn key(name: &'static str, usual: &'static str, kind: Kind, about: &'static str) -> Key {
    Key { name, about, usual, kind }
}

const fn switch(name: &'static str, usual: &'static str, about: &'static str) -> Key {
    key(name, usual, Kind::Switch, about)
}

const fn whole(
    name: &'static str,
    usual: &'static str,
    (least, most): (i64, i64),
    about: &'static str,
) -> Key {
    key(name, usual, Kind::Whole { least, most }, about)
}

/// A day, in seconds: a turn that takes longer is told of in any case.
const DAY: i64 = 86_400;

const SHORTCUT: &str = if cfg!(target_os = "macos") { "\"Cmd+Alt+B\"" } else { "\"Ctrl+Alt+B\"" };

/// In the file's order. `keys` and `agents` have names of the person's own in them; nothing follows on `agents`, so that a
/// table of an agent can be added at the end.
pub(super) const SECTIONS: &[Section] = &[
    Section {
        name: "appearance",
        about: "How the window looks.",
        keys: &[
            key(
                "theme",
                "\"system\"",
                Kind::OneOf(&["system", "dark", "light"]),
                "\"dark\", \"light\", or \"system\": as the desktop is.",
            ),
            key(
                "terminal_dark",
                "\"belfry-dark\"",
                Kind::Theme,
                "The terminals' theme while the window is dark.",
            ),
            key(
                "terminal_light",
                "\"belfry-light\"",
                Kind::Theme,
                "The terminals' theme while the window is light.",
            ),
            whole("scale", "100", (100, 200), "Size of everything but terminals, in percent: 100 to 200."),
        ],
    },
    Section {
        name: "fonts",
        about: "Letters in terminals.",
        keys: &[
            key(
                "family",
                "\"DejaVu Sans Mono\"",
                Kind::Font,
                "A monospaced font of this machine. Without it, the one that comes with Belfry.",
            ),
            whole("size", "13", (8, 32), "Pixels: 8 to 32."),
        ],
    },
    Section {
        name: "terminal",
        about: "How terminals behave.",
        keys: &[
            switch("copy_on_select", "false", "What is selected goes to the clipboard."),
            switch("screen_reader", "false", "Rows are offered to screen readers."),
            key(
                "renderer",
                "\"auto\"",
                Kind::OneOf(&["auto", "dom", "webgl"]),
                "\"dom\", \"webgl\", or \"auto\": whichever is measured to be better.",
            ),
            switch("message_box", "true", "A box for messages under agents' terminals."),
        ],
    },
    Section {
        name: "notifications",
        about: "What calls you, when and how loudly.",
        keys: &[
            switch("waiting", "true", "A session asks something."),
            switch("blocked", "true", "A session cannot go on."),
            switch("done", "true", "A turn is over."),
            switch("died", "true", "A program has ended that nobody ended."),
            whole(
                "done_after_seconds",
                "10",
                (0, DAY),
                "Only turns that took at least so long are told to be over.",
            ),
            switch("do_not_disturb", "false", "Nothing shows and nothing sounds; the list goes on."),
            key(
                "quiet_hours",
                "{ from = \"22:00\", to = \"07:00\" }",
                Kind::QuietHours,
                "The same every day at these hours. Without it, never.",
            ),
            switch("sounds", "true", "A sound goes with each."),
            whole("volume", "60", (0, 100), "How loud: 0 to 100."),
            switch("sound_waiting", "true", "For which of them."),
            switch("sound_blocked", "true", ""),
            switch("sound_done", "true", ""),
            switch("sound_died", "true", ""),
        ],
    },
    Section {
        name: "tray",
        about: "The icon in the desktop's tray.",
        keys: &[
            switch("show", "true", "There is one."),
            switch("close_to_tray", "false", "Closing the window leaves it in the tray."),
        ],
    },
    Section {
        name: "shortcut",
        about: "Keys that work in the whole desktop.",
        keys: &[key(
            "show",
            SHORTCUT,
            Kind::Shortcut,
            "Shows the window at the oldest question. Empty for none.",
        )],
    },
    Section {
        name: "workspaces",
        about: "Where new sessions work.",
        keys: &[
            key(
                "kind",
                "\"directory\"",
                Kind::OneOf(&["directory", "worktree", "clone", "scratch"]),
                "\"directory\": as it is. \"worktree\": on a branch of its own beside it. \"clone\": a copy of the repository with a\n\
                 branch of its own. \"scratch\": an empty repository.",
            ),
            whole("first_port", "3100", (1024, 65_535), "The first port that workspaces are given."),
            whole("last_port", "3999", (1024, 65_535), "The last one."),
            whole(
                "ports",
                "10",
                (1, 100),
                "How many each of them is given: `BELFRY_PORT` is the first of them.",
            ),
        ],
    },
    Section {
        name: "sessions",
        about: "What becomes of sessions that have ended, and of those that Belfry did not start.",
        keys: &[
            switch(
                "resume_after_reboot",
                "false",
                "Those that were alive when the machine went down are resumed once Belfry runs again.",
            ),
            switch("find", "true", "Agents that run elsewhere on this machine are listed."),
            switch("adopt", "false", "Those of them that are in tmux are adopted by themselves."),
        ],
    },
    Section {
        name: "hibernate",
        about: "When idle sessions are put to sleep: their programs end, and go on with their conversations when you want them.\n\
                Never one that is pinned, looked at, asks, or has anything unsent or in its background.",
        keys: &[
            whole("after_minutes", "0", (0, 10_080), "Once idle for so many minutes; 0 for never."),
            whole(
                "above_sessions",
                "0",
                (0, 10_000),
                "Where more sessions live than this; 0 for any number.",
            ),
            whole(
                "above_memory_mb",
                "0",
                (0, 16_777_216),
                "Where they take more megabytes of memory together than this; 0 for any amount.",
            ),
        ],
    },
    Section {
        name: "privacy",
        about: "What is kept, and for how long.",
        keys: &[
            whole(
                "journal_cap_mb",
                "64",
                (1, 4096),
                "Most megabytes of one session's recording, 1 to 4096, for runs that are started later.",
            ),
            whole("history_days", "90", (1, 3650), "Days for which what happened is kept: 1 to 3650."),
        ],
    },
    Section {
        name: "keys",
        about: "Keys of the window's commands that are not the usual ones. An empty list leaves a command without a key.\n\
                palette = [\"Ctrl+Alt+K\"]",
        keys: &[],
    },
    Section {
        name: "agents",
        about: "What agents are started with, each in a table of its own:\n\
                [agents.claude]\n\
                path = \"~/bin/claude\"           # instead of the one that is found\n\
                args = [\"--verbose\"]            # before those that a session is given\n\
                env = { EDITOR = \"vi\" }         # those that a session is given come after",
        keys: &[],
    },
];

/// Keys of an agent's table.
pub(super) const AGENT: &[&str] = &["path", "args", "env"];

/// Keys of `notifications.quiet_hours`.
const QUIET_HOURS: &[&str] = &["from", "to"];

/// What a path names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Names {
    /// Nothing that is known.
    Nothing,
    /// Things that have settings in them.
    Table,
    /// One setting, or a part of one.
    Setting,
}

/// What that path names.
pub(super) fn names(path: &[&str]) -> Names {
    let Some((section, rest)) = path.split_first() else { return Names::Table };
    if !SECTIONS.iter().any(|known| known.name == *section) {
        return Names::Nothing;
    }
    let setting = |is| if is { Names::Setting } else { Names::Nothing };
    match (*section, rest) {
        (_, []) | ("agents", [_]) => Names::Table,
        ("keys", [_]) | ("agents", [_, "env", _]) => Names::Setting,
        ("agents", [_, key]) => setting(AGENT.contains(key)),
        ("notifications", ["quiet_hours", key]) => setting(QUIET_HOURS.contains(key)),
        (_, [_]) => setting(usual(path).is_some()),
        _ => Names::Nothing,
    }
}

fn find(path: &[&str]) -> Option<&'static Key> {
    let [section, name] = path else { return None };
    let section = SECTIONS.iter().find(|known| known.name == *section)?;
    section.keys.iter().find(|key| key.name == *name)
}

/// What a key usually is, as TOML.
pub(super) fn usual(path: &[&str]) -> Option<&'static str> {
    find(path).map(|key| key.usual)
}

/// What a setting, or a part of one, can be; none where the path names no setting.
pub(super) fn kind(path: &[&str]) -> Option<Kind> {
    Some(match path {
        ["keys", _] => Kind::Keys,
        ["agents", _, "path"] => Kind::Program,
        ["agents", _, "args"] => Kind::Arguments,
        ["agents", _, "env"] => Kind::Variables,
        ["agents", _, "env", _] => Kind::Variable,
        ["notifications", "quiet_hours", key] if QUIET_HOURS.contains(key) => Kind::Time,
        path => find(path)?.kind,
    })
}

/// The setting that was most likely meant.
pub(super) fn meant(path: &[&str]) -> Option<String> {
    let sections = SECTIONS.iter().map(|section| section.name);
    let (first, rest) = path.split_first()?;
    let section = if names(&[first]) == Names::Nothing { nearest(first, sections) } else { Some(*first) };
    let ([name], Some(section)) = (rest, section) else {
        // A name without its table, or a table's.
        let alone =
            SECTIONS.iter().find(|known| rest.is_empty() && known.keys.iter().any(|key| key.name == *first));
        return match (path, alone) {
            (_, Some(known)) => Some(format!("{}.{first}", known.name)),
            (["agents", agent, key, ..], None) => {
                nearest(key, AGENT.iter().copied()).map(|key| format!("agents.{agent}.{key}"))
            }
            (["notifications", "quiet_hours", _], None) => Some("notifications.quiet_hours".to_owned()),
            (_, None) => section.filter(|_| rest.is_empty()).map(str::to_owned),
        };
    };
    let keys = SECTIONS.iter().find(|known| known.name == section)?.keys.iter().map(|key| key.name);
    nearest(name, keys).map(|name| format!("{section}.{name}"))
}

/// The file as it is made: each key as a comment, so that it says only what differs, and a later Belfry may know better.
pub(super) fn file() -> String {
    let mut file = "# Belfry's settings. What is commented out has the value that is shown, or none where it says so.\n\
                    # Changes count as soon as the file is saved. The window changes it too, and leaves the rest as it is.\n"
        .to_owned();
    for section in SECTIONS {
        file.push('\n');
        comment(&mut file, section.about);
        let _ = writeln!(file, "[{}]", section.name);
        for key in section.keys {
            comment(&mut file, key.about);
            let _ = writeln!(file, "#{} = {}", key.name, key.usual);
        }
    }
    file
}

fn comment(file: &mut String, text: &str) {
    for line in text.lines() {
        let _ = writeln!(file, "# {line}");
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use belfry_protocol::Settings;

    use super::*;

    #[test]
    fn the_file_that_is_made_changes_nothing_and_shows_what_is_usual() {
        let made: Settings = toml::from_str(&file()).expect("valid");
        assert_eq!(made, Settings::default());
        let shown: String = file()
            .lines()
            .map(|line| {
                line.strip_prefix('#').filter(|rest| !rest.starts_with(' ')).unwrap_or(line).to_owned() + "\n"
            })
            .collect();
        let mut shown: Settings = toml::from_str(&shown).expect("valid");
        assert!(shown.fonts.family.take().is_some(), "an example");
        assert!(shown.notifications.quiet_hours.take().is_some(), "an example");
        assert_eq!(shown, Settings::default());
    }

    #[test]
    fn every_setting_is_known() {
        let all = serde_json::to_value(Settings::default()).expect("settings");
        let sections = all.as_object().expect("an object");
        let known: BTreeSet<&str> = SECTIONS.iter().map(|section| section.name).collect();
        assert_eq!(sections.keys().map(String::as_str).collect::<BTreeSet<_>>(), known);
        for section in SECTIONS {
            let keys: BTreeSet<&str> = section.keys.iter().map(|key| key.name).collect();
            let fields = sections[section.name].as_object().expect("an object");
            assert_eq!(fields.keys().map(String::as_str).collect::<BTreeSet<_>>(), keys, "{}", section.name);
        }
        assert_eq!(names(&["agents", "claude", "env", "A"]), Names::Setting);
        assert_eq!(names(&["agents", "claude"]), Names::Table);
        assert_eq!(names(&["notifications", "quiet_hours", "at"]), Names::Nothing);
        assert_eq!(names(&["fonts", "sise"]), Names::Nothing);
    }

    #[test]
    fn what_was_meant_is_guessed() {
        for (typed, guess) in [
            (&["fonts", "sise"][..], Some("fonts.size")),
            (&["font", "size"], Some("fonts.size")),
            (&["volume"], Some("notifications.volume")),
            (&["notification"], Some("notifications")),
            (&["agents", "claude", "enviroment"], None),
            (&["agents", "claude", "arg"], Some("agents.claude.args")),
            (&["notifications", "quiet_hours", "until"], Some("notifications.quiet_hours")),
            (&["something", "else"], None),
        ] {
            assert_eq!(meant(typed).as_deref(), guess, "{typed:?}");
        }
    }
}
