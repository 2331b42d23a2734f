//! Key combinations as they are written: `Ctrl+Shift+K`. The window compares them with what the web view says was pressed,
//! so a key has that name or none.

use super::names::nearest;

const HELD: &[&str] = &["Ctrl", "Cmd", "Alt", "Shift"];

/// What people call them, and what they are called here.
const OTHER_HELD: &[(&str, &str)] = &[
    ("control", "Ctrl"),
    ("strg", "Ctrl"),
    ("command", "Cmd"),
    ("meta", "Cmd"),
    ("super", "Cmd"),
    ("win", "Cmd"),
    ("option", "Alt"),
    ("altgr", "Alt"),
];

/// Keys that write nothing. F1 to F24 are keys too.
const KEYS: &[&str] = &[
    "Enter",
    "Escape",
    "Tab",
    "Space",
    "Backspace",
    "Delete",
    "Insert",
    "Home",
    "End",
    "PageUp",
    "PageDown",
    "ArrowLeft",
    "ArrowRight",
    "ArrowUp",
    "ArrowDown",
    "ContextMenu",
    "Pause",
    "PrintScreen",
    "ScrollLock",
];

/// What people call them, and what they are called here.
const OTHER_KEYS: &[(&str, &str)] = &[
    ("esc", "Escape"),
    ("return", "Enter"),
    ("del", "Delete"),
    ("ins", "Insert"),
    ("up", "ArrowUp"),
    ("down", "ArrowDown"),
    ("left", "ArrowLeft"),
    ("right", "ArrowRight"),
    ("pgup", "PageUp"),
    ("pgdn", "PageDown"),
    ("pgdown", "PageDown"),
    ("plus", "+"),
    ("minus", "-"),
    ("comma", ","),
    ("print", "PrintScreen"),
];

/// Longest combination that is looked at, in characters.
const LONGEST: usize = 60;

/// Why a combination of the window's is none.
pub(super) fn wrong(text: &str) -> Option<String> {
    read(text, false).err()
}

/// Why a combination cannot be the whole desktop's.
pub(super) fn wrong_everywhere(text: &str) -> Option<String> {
    match read(text, true) {
        Ok(held) if held.iter().all(|held| *held == "Shift") => Some(format!(
            "`{text}` would be gone from every program: Ctrl, Alt or Cmd has to be held with it"
        )),
        Ok(_) => None,
        Err(why) => Some(why),
    }
}

/// The keys that are held. The desktop takes other names of keys as well, the window does not.
fn read(text: &str, other_names: bool) -> Result<Vec<&'static str>, String> {
    if text.trim().is_empty() {
        return Err("keys are written as in \"Ctrl+Shift+K\"".to_owned());
    }
    if text.chars().count() > LONGEST {
        return Err(format!("a combination has at most {LONGEST} characters, as in \"Ctrl+Shift+K\""));
    }
    // A plus sign can be the key itself: `Ctrl++`.
    let (before, key) = match text.trim().strip_suffix('+') {
        Some("") => ("", "+"),
        Some(rest) => (rest.strip_suffix('+').ok_or_else(|| none(text))?, "+"),
        None => text.trim().rsplit_once('+').unwrap_or(("", text.trim())),
    };
    let mut held = Vec::new();
    for part in before.split('+').map(str::trim).filter(|_| !before.is_empty()) {
        let known = HELD.iter().copied().find(|known| known.eq_ignore_ascii_case(part));
        let known = known.or_else(|| named(OTHER_HELD, part).filter(|_| other_names));
        let known = known.ok_or_else(|| no_held(text, part))?;
        if held.contains(&known) {
            return Err(format!("`{text}` has {known} twice"));
        }
        held.push(known);
    }
    let key = key.trim();
    if HELD.iter().any(|known| known.eq_ignore_ascii_case(key)) || named(OTHER_HELD, key).is_some() {
        return Err(none(text));
    }
    let one = key.chars().count() == 1 && !key.contains(|c: char| c.is_control() || c.is_whitespace());
    let function = key.strip_prefix('F').and_then(|number| number.parse::<u8>().ok());
    if one || KEYS.contains(&key) || function.is_some_and(|number| (1..=24).contains(&number)) {
        return Ok(held);
    }
    if other_names && KEYS.iter().any(|known| known.eq_ignore_ascii_case(key)) {
        return Ok(held);
    }
    let meant = named(OTHER_KEYS, key)
        .or_else(|| KEYS.iter().copied().find(|known| known.eq_ignore_ascii_case(key)))
        .or_else(|| nearest(key, KEYS.iter().copied()));
    Err(match meant {
        Some(meant) => format!("`{key}` in `{text}` is no key; did you mean `{meant}`?"),
        None => {
            format!("`{key}` in `{text}` is no key: it is a letter, a sign, F1 to F24, {}", KEYS.join(", "))
        }
    })
}

fn named(names: &[(&str, &'static str)], name: &str) -> Option<&'static str> {
    names.iter().find(|(known, _)| known.eq_ignore_ascii_case(name)).map(|(_, meant)| *meant)
}

fn none(text: &str) -> String {
    format!("`{text}` names no key to be pressed, only keys to be held, as in \"Ctrl+Shift+K\"")
}

fn no_held(text: &str, part: &str) -> String {
    match named(OTHER_HELD, part).or_else(|| nearest(part, HELD.iter().copied())) {
        Some(meant) => format!("`{part}` in `{text}` is no key to be held; did you mean `{meant}`?"),
        None => format!("`{part}` in `{text}` is no key to be held: those are Ctrl, Cmd, Alt and Shift"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_the_window_binds_is_taken() {
        for keys in [
            "Ctrl+Shift+K",
            "shift + ctrl + k",
            "Ctrl++",
            "+",
            "?",
            "Ctrl+Shift+ArrowRight",
            "F5",
            "Shift+F12",
            "Ctrl+,",
            "Alt+Enter",
            "Ctrl+ü",
            "Ctrl+Cmd+ArrowUp",
            "Ctrl+Space",
        ] {
            assert_eq!(wrong(keys), None, "{keys}");
        }
    }

    #[test]
    fn what_can_never_be_pressed_is_refused_with_what_was_meant() {
        for (keys, said) in [
            ("", "written as in"),
            ("Ctrl+", "names no key"),
            ("Ctrl+Shift", "names no key"),
            ("Control+K", "did you mean `Ctrl`?"),
            ("Ctlr+K", "did you mean `Ctrl`?"),
            ("Hyper+K", "those are Ctrl, Cmd, Alt and Shift"),
            ("Ctrl+Ctrl+K", "has Ctrl twice"),
            ("Ctrl+K+J", "`K` in `Ctrl+K+J` is no key to be held"),
            ("Ctrl+Left", "did you mean `ArrowLeft`?"),
            ("Ctrl+enter", "did you mean `Enter`?"),
            ("Ctrl+F99", "is no key"),
            ("Ctrl+Nothing", "is no key"),
            ("banana", "is no key"),
            ("Ctrl + +K", "is no key to be held"),
        ] {
            let why = wrong(keys).unwrap_or_else(|| panic!("`{keys}` was taken"));
            assert!(why.contains(said), "{keys}: {why}");
        }
        assert!(wrong_everywhere("Shift+B").is_some() && wrong_everywhere("F5").is_some());
        for keys in ["Ctrl+Alt+B", "Super+F12", "control + ALT + b", "Ctrl+Shift+space"] {
            assert_eq!(wrong_everywhere(keys), None, "{keys}");
        }
    }
}
