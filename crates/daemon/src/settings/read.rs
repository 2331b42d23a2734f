//! From the file's text to settings, and what is wrong with it.

use belfry_protocol::Settings;
use belfry_protocol::settings::{QuietHours, SettingsFault};
use toml_edit::{Document, Item, TableLike};

use super::known::{Names, names};
use crate::session::clean;

/// Longest file, in bytes.
pub(super) const LONGEST: usize = 256 * 1024;

/// Longest sentence about a fault, in characters.
const SENTENCE: usize = 300;

/// Most warnings that are told.
const WARNINGS: usize = 50;

/// Longest key combination, name of a theme or of a font, in characters.
const WORD: usize = 100;

/// Most key combinations of a command.
const COMBINATIONS: usize = 8;

/// The settings, with what has no effect.
pub(super) fn read(text: &str) -> Result<(Settings, Vec<SettingsFault>), SettingsFault> {
    if text.len() > LONGEST {
        return Err(whole(format!("the file is longer than {} KB", LONGEST / 1024)));
    }
    let settings: Settings = toml::from_str(text)
        .map_err(|error| fault(text, error.span().map(|span| span.start), error.message()))?;
    // Where each value stands.
    let document = Document::parse(text)
        .map_err(|error| fault(text, error.span().map(|span| span.start), error.message()))?;
    if let Some((path, what)) = wrong(&settings) {
        let path: Vec<&str> = path.iter().map(String::as_str).collect();
        let at = place(document.as_table(), &path);
        return Err(fault(text, at, &format!("{}: {what}", path.join("."))));
    }
    let mut unknown = Vec::new();
    strangers(document.as_table(), &mut Vec::new(), &mut unknown);
    let warning = |(path, at): (String, Option<usize>)| {
        fault(text, at, &format!("`{path}` is not known to this Belfry; it has no effect"))
    };
    Ok((settings, unknown.into_iter().take(WARNINGS).map(warning).collect()))
}

/// A fault of the whole file.
pub(super) fn whole(text: String) -> SettingsFault {
    SettingsFault { line: 0, column: 0, text }
}

fn fault(text: &str, at: Option<usize>, what: &str) -> SettingsFault {
    // A parser's sentence may have several lines and repeat what the file holds.
    let what = clean::line(what, SENTENCE);
    let Some(before) = at.and_then(|at| text.get(..at)) else { return whole(what) };
    let line = before.matches('\n').count() as u32 + 1;
    let column = before.rsplit('\n').next().map_or(0, |start| start.chars().count()) as u32 + 1;
    SettingsFault { line, column, text: what }
}

/// Where a value begins, or the innermost thing around it that is written somewhere.
fn place(table: &dyn TableLike, path: &[&str]) -> Option<usize> {
    let (first, rest) = path.split_first()?;
    let (key, item) = table.get_key_value(first)?;
    let inner = item.as_table_like().filter(|_| !rest.is_empty()).and_then(|table| place(table, rest));
    let own = item.as_value().and_then(toml_edit::Value::span).or_else(|| key.span());
    inner.or(own.map(|span| span.start))
}

/// Keys that are not known, and where they stand.
fn strangers<'a>(
    table: &'a dyn TableLike,
    path: &mut Vec<&'a str>,
    found: &mut Vec<(String, Option<usize>)>,
) {
    for (name, item) in table.iter() {
        path.push(name);
        match (names(path), item) {
            (Names::Nothing, _) => {
                let at = table.get_key_value(name).and_then(|(key, _)| key.span());
                found.push((path.join("."), at.map(|span| span.start)));
            }
            (_, Item::None) => {}
            (_, item) => {
                if let Some(inner) = item.as_table_like() {
                    strangers(inner, path, found);
                }
            }
        }
        path.pop();
    }
}

/// The first value that is of the right kind and yet not allowed.
fn wrong(settings: &Settings) -> Option<(Vec<String>, String)> {
    let mut found = None;
    let mut check = |path: &[&str], fits: bool, what: &str| {
        if !fits && found.is_none() {
            found = Some((path.iter().map(|part| (*part).to_owned()).collect(), what.to_owned()));
        }
    };
    let Settings { appearance, fonts, notifications, shortcut, agents, privacy, keys, .. } = settings;
    check(&["appearance", "scale"], (100..=200).contains(&appearance.scale), "it is 100 to 200");
    for (name, theme) in
        [("terminal_dark", &appearance.terminal_dark), ("terminal_light", &appearance.terminal_light)]
    {
        check(&["appearance", name], word(theme), "it is a theme's name");
    }
    check(&["fonts", "family"], fonts.family.as_deref().is_none_or(word), "it is a font's name");
    check(&["fonts", "size"], (8..=32).contains(&fonts.size), "it is 8 to 32");
    let day = notifications.done_after_seconds <= 86_400;
    check(&["notifications", "done_after_seconds"], day, "it is at most a day, 86400");
    check(&["notifications", "volume"], notifications.volume <= 100, "it is 0 to 100");
    if let Some(QuietHours { from, to }) = &notifications.quiet_hours {
        for (name, time) in [("from", from), ("to", to)] {
            let fits = super::minute(time).is_some();
            check(&["notifications", "quiet_hours", name], fits, "it is a time of day as in \"22:30\"");
        }
    }
    check(
        &["shortcut", "show"],
        shortcut.show.is_empty() || word(&shortcut.show),
        "it is keys as in \"Ctrl+Alt+B\"",
    );
    for (command, combinations) in keys {
        let few = combinations.len() <= COMBINATIONS;
        check(&["keys", command], few, "it is at most eight key combinations");
        let fits = combinations.iter().all(|keys| word(keys));
        check(&["keys", command], fits, "it is keys as in \"Ctrl+Shift+K\"");
    }
    for (agent, own) in agents {
        let path = own.path.as_deref().is_none_or(|path| {
            (std::path::Path::new(path).is_absolute() || path.starts_with("~/")) && !path.contains('\0')
        });
        check(&["agents", agent, "path"], path, "it is an absolute path, or one that starts with ~/");
        let args = own.args.iter().all(|arg| !arg.contains('\0'));
        check(&["agents", agent, "args"], args, "there is a zero byte in it");
        for (name, value) in &own.env {
            let fits = !name.is_empty() && !name.contains(['=', '\0']) && !value.contains('\0');
            check(&["agents", agent, "env", name], fits, "no program can be given such a variable");
        }
    }
    let cap = (1..=4096).contains(&privacy.journal_cap_mb);
    check(&["privacy", "journal_cap_mb"], cap, "it is 1 to 4096");
    check(&["privacy", "history_days"], (1..=3650).contains(&privacy.history_days), "it is 1 to 3650");
    found
}

fn word(text: &str) -> bool {
    !text.trim().is_empty() && text.chars().count() <= WORD && !text.contains(char::is_control)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(text: &str) -> (u32, u32) {
        let fault = read(text).expect_err("it is refused");
        (fault.line, fault.column)
    }

    #[test]
    fn what_is_wrong_is_told_with_its_place() {
        assert_eq!(at("[fonts]\nsize = \n"), (2, 8), "no value");
        assert_eq!(at("[fonts]\n  size = \"big\"\n"), (2, 10), "of another kind");
        assert_eq!(at("[fonts]\nsize = 99\n"), (2, 8), "out of bounds");
        assert_eq!(at("fonts = { size = 99 }\n"), (1, 18));
        assert_eq!(at("[appearance]\ntheme = \"blue\"\n"), (2, 9));
        assert_eq!(at("# ü\n[notifications]\nquiet_hours = { from = \"22:00\", to = \"24:00\" }\n"), (3, 38));
        assert_eq!(at("[agents.x]\npath = \"bin/x\"\n"), (2, 8));
        assert_eq!(at("[keys]\n\"a\" = [\"\"]\n"), (2, 7));
        assert_eq!(at(&"#".repeat(LONGEST + 1)), (0, 0));
        let fault = read("[fonts]\nsize = 99\n").expect_err("it is refused");
        assert_eq!(fault.to_string(), "line 2, column 8: fonts.size: it is 8 to 32");
    }

    #[test]
    fn unknown_keys_are_warned_of_and_known_ones_count() {
        let text = "new = 1\n[fonts]\nsise = 3\nsize = 20\n[agents.x]\nenv = { A = \"b\" }\nbath = \"\"\n[odd]\na = 1\n";
        let (settings, warnings) = read(text).expect("it is read");
        assert_eq!(settings.fonts.size, 20);
        assert_eq!(settings.agents["x"].env["A"], "b");
        let places: Vec<_> = warnings.iter().map(|fault| (fault.line, fault.column)).collect();
        assert_eq!(places, [(1, 1), (3, 1), (7, 1), (8, 2)]);
        assert!(warnings[1].text.contains("`fonts.sise`"), "{}", warnings[1].text);
    }
}
