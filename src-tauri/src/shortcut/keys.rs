//! Key combinations as they are written in the settings.

/// A key with modifiers.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Combination {
    pub(super) control: bool,
    pub(super) alt: bool,
    pub(super) shift: bool,
    /// The Super, Windows or Command key.
    pub(super) meta: bool,
    /// The key's name as X and GTK have it: `b`, `F5`, `space`.
    pub(super) key: String,
}

/// Reads `Ctrl+Alt+B`. The error is a sentence.
pub(super) fn parse(text: &str) -> Result<Combination, String> {
    let mut combination = Combination::default();
    // A plus sign can be the key itself: `Ctrl++`.
    let (modifiers, key) = match text.strip_suffix('+').and_then(|rest| rest.strip_suffix('+')) {
        Some(modifiers) => (modifiers, "+"),
        None => text.rsplit_once('+').unwrap_or(("", text)),
    };
    for modifier in modifiers.split('+').filter(|modifier| !modifier.is_empty()) {
        match modifier.trim().to_ascii_lowercase().as_str() {
            "ctrl" | "control" => combination.control = true,
            "alt" | "option" => combination.alt = true,
            "shift" => combination.shift = true,
            "cmd" | "command" | "meta" | "super" | "win" => combination.meta = true,
            other => return Err(format!("`{other}` is no modifier: Ctrl, Alt, Shift or Super.")),
        }
    }
    if !(combination.control || combination.alt || combination.meta) {
        return Err(
            "A key of the whole desktop needs Ctrl, Alt or Super: without, it could not be typed any \
                    more."
                .to_owned(),
        );
    }
    combination.key = name(key.trim()).ok_or_else(|| format!("`{key}` is no key."))?;
    Ok(combination)
}

/// The name that X has for a key as people write it.
fn name(key: &str) -> Option<String> {
    let mut letters = key.chars();
    if let (Some(one), None) = (letters.next(), letters.next()) {
        let named = match one {
            'a'..='z' | '0'..='9' => return Some(one.to_string()),
            'A'..='Z' => return Some(one.to_ascii_lowercase().to_string()),
            '+' => "plus",
            '-' => "minus",
            '=' => "equal",
            ',' => "comma",
            '.' => "period",
            '/' => "slash",
            ';' => "semicolon",
            '\'' => "apostrophe",
            '[' => "bracketleft",
            ']' => "bracketright",
            '\\' => "backslash",
            '`' => "grave",
            _ => return None,
        };
        return Some(named.to_owned());
    }
    let lower = key.to_ascii_lowercase();
    if let Some(number) = lower.strip_prefix('f').and_then(|number| number.parse::<u8>().ok()) {
        return (1..=24).contains(&number).then(|| format!("F{number}"));
    }
    let named = match lower.as_str() {
        "space" => "space",
        "enter" | "return" => "Return",
        "tab" => "Tab",
        "esc" | "escape" => "Escape",
        "backspace" => "BackSpace",
        "insert" => "Insert",
        "delete" | "del" => "Delete",
        "home" => "Home",
        "end" => "End",
        "pageup" => "Page_Up",
        "pagedown" => "Page_Down",
        "up" | "arrowup" => "Up",
        "down" | "arrowdown" => "Down",
        "left" | "arrowleft" => "Left",
        "right" | "arrowright" => "Right",
        "pause" => "Pause",
        "printscreen" | "print" => "Print",
        _ => return None,
    };
    Some(named.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_what_people_write() {
        let usual = parse("Ctrl+Alt+B").expect("a combination");
        assert_eq!(
            usual,
            Combination { control: true, alt: true, key: "b".to_owned(), ..Default::default() }
        );
        assert_eq!(parse("control + ALT + b"), Ok(usual));
        assert_eq!(parse("Super+F12").map(|read| (read.meta, read.key)), Ok((true, "F12".to_owned())));
        assert_eq!(parse("Ctrl++").map(|read| read.key), Ok("plus".to_owned()));
        assert_eq!(
            parse("Ctrl+Shift+Space").map(|read| (read.shift, read.key)),
            Ok((true, "space".to_owned()))
        );
    }

    #[test]
    fn refuses_what_is_no_key_of_the_desktop() {
        for wrong in ["", "B", "Shift+B", "Ctrl", "Ctrl+", "Hyper+B", "Ctrl+Nothing", "Ctrl+F99", "Ctrl+ü"] {
            let refused = parse(wrong).expect_err(wrong);
            assert!(refused.ends_with('.'), "{wrong}: {refused}");
        }
    }
}
