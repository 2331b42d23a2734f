//! From the file's text to settings, and what is wrong with it.
//!
//! Each value is looked at where it stands, before it is read as a whole: so a sentence can say what is allowed in our own
//! words, and where.

use belfry_protocol::Settings;
use belfry_protocol::settings::SettingsFault;
use toml_edit::{Document, Item, TableLike};

use super::kind::{Wrong, wrong_variable};
use super::known::{Names, kind, meant, names};
use super::names::{KnownNames, command};
use crate::session::clean;

/// Longest file, in bytes.
pub(super) const LONGEST: usize = 256 * 1024;

/// Longest sentence about a fault, in characters.
const SENTENCE: usize = 400;

/// Most warnings that are told.
const WARNINGS: usize = 50;

/// Something that has no effect.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Warning {
    /// What it is about.
    pub(super) path: Vec<String>,
    /// Why it has none.
    pub(super) why: String,
    /// What is told of it in the file.
    pub(super) fault: SettingsFault,
}

/// The settings, with what has no effect.
pub(super) fn read(text: &str, known: &KnownNames) -> Result<(Settings, Vec<Warning>), SettingsFault> {
    if text.len() > LONGEST {
        return Err(whole(format!("the file is longer than {} KB", LONGEST / 1024)));
    }
    let document = Document::parse(text).map_err(|error| {
        fault(
            text,
            error.span().map(|span| span.start),
            &format!("this is no TOML: {}", belfry_agents::in_words(error.message())),
        )
    })?;
    let mut look = Look { known, error: None, warnings: Vec::new() };
    look.at(document.as_table(), &mut Vec::new());
    if let Some(Found { path, at, what }) = look.error {
        return Err(fault(text, at, &format!("{}: {what}", path.join("."))));
    }
    // Nothing is left that would not fit; if there is, at least its place is told.
    let settings: Result<Settings, _> = toml::from_str(text);
    let settings = settings.map_err(|error| {
        fault(text, error.span().map(|span| span.start), "this is no value that a setting can have")
    })?;
    let warning = |Found { path, at, what }| {
        let told = fault(text, at, &format!("{what}; it has no effect"));
        Warning { path, why: clean::line(&what, SENTENCE), fault: told }
    };
    Ok((settings, look.warnings.into_iter().take(WARNINGS).map(warning).collect()))
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

struct Found {
    path: Vec<String>,
    at: Option<usize>,
    what: String,
}

/// A look at all values, up to the first that cannot be.
struct Look<'k> {
    known: &'k KnownNames,
    error: Option<Found>,
    warnings: Vec<Found>,
}

impl Look<'_> {
    fn at<'t>(&mut self, table: &'t dyn TableLike, path: &mut Vec<&'t str>) {
        for (name, item) in table.iter() {
            if self.error.is_some() {
                return;
            }
            path.push(name);
            let key = table.get_key_value(name).and_then(|(key, _)| key.span()).map(|span| span.start);
            match (names(path), item) {
                (_, Item::None) => {}
                (Names::Nothing, _) => self.stranger(path, key),
                (Names::Table, item) => self.table(path, key, item),
                (Names::Setting, item) => self.setting(path, key, item),
            }
            path.pop();
        }
    }

    fn stranger(&mut self, path: &[&str], key: Option<usize>) {
        let meant = meant(path).map(|meant| format!(" (did you mean `{meant}`?)")).unwrap_or_default();
        let what = format!("`{}` is not known to this Belfry{meant}", path.join("."));
        self.warn(path, key, what);
    }

    fn table<'t>(&mut self, path: &mut Vec<&'t str>, key: Option<usize>, item: &'t Item) {
        if let ["agents", id] = path[..]
            && let Some(what) = self.known.agent(id)
        {
            self.warn(path, key, what);
        }
        if let Some(inner) = item.as_table_like() {
            self.at(inner, path);
        } else {
            let what = format!("it is a table, which begins with [{}]", path.join("."));
            self.fail(path, place(item).or(key), what);
        }
    }

    fn setting<'t>(&mut self, path: &mut Vec<&'t str>, key: Option<usize>, item: &'t Item) {
        let Some(kind) = kind(path) else { return };
        match path[..] {
            ["keys", name] => {
                if let Some(what) = command(name) {
                    self.warn(path, key, what);
                }
            }
            ["agents", _, "env", name] => {
                if let Some(what) = wrong_variable(name) {
                    return self.fail(path, key, what);
                }
            }
            _ => {}
        }
        let at = place(item).or(key);
        match kind.wrong(item, self.known) {
            Some(Wrong::Value(what)) => self.fail(path, at, what),
            Some(Wrong::Name(what)) => {
                self.warn(path, at, format!("{}: {what}", path.join(".")));
            }
            None => {
                if let Some(inner) = item.as_table_like() {
                    self.at(inner, path);
                }
            }
        }
    }

    fn fail(&mut self, path: &[&str], at: Option<usize>, what: String) {
        self.error.get_or_insert(found(path, at, what));
    }

    fn warn(&mut self, path: &[&str], at: Option<usize>, what: String) {
        self.warnings.push(found(path, at, what));
    }
}

fn found(path: &[&str], at: Option<usize>, what: String) -> Found {
    Found { path: path.iter().map(|part| (*part).to_owned()).collect(), at, what }
}

/// Where a value begins.
fn place(item: &Item) -> Option<usize> {
    item.span().map(|span| span.start)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refused(text: &str) -> SettingsFault {
        read(text, &KnownNames::default()).expect_err("it is refused")
    }

    fn at(text: &str) -> (u32, u32) {
        let fault = refused(text);
        (fault.line, fault.column)
    }

    #[test]
    fn what_is_wrong_is_told_with_its_place() {
        assert_eq!(at("[fonts]\nsize = \n"), (2, 8), "no value");
        assert_eq!(at("[fonts]\n  size = \"big\"\n"), (2, 10), "of another kind");
        assert_eq!(at("[fonts]\nsize = 99\n"), (2, 8), "out of bounds");
        assert_eq!(at("[fonts]\nsize = -1\n"), (2, 8), "no such number");
        assert_eq!(at("fonts = { size = 99 }\n"), (1, 18));
        assert_eq!(at("fonts = 3\n"), (1, 9), "no table");
        assert_eq!(at("[[fonts]]\nsize = 9\n").0, 1, "a list of tables");
        assert_eq!(at("[appearance]\ntheme = \"blue\"\n"), (2, 9));
        assert_eq!(at("# ü\n[notifications]\nquiet_hours = { from = \"22:00\", to = \"24:00\" }\n"), (3, 38));
        assert_eq!(at("[notifications]\nquiet_hours = { from = \"22:00\" }\n"), (2, 15));
        assert_eq!(at("[agents.x]\npath = \"bin/x\"\n"), (2, 8));
        assert_eq!(at("[agents.x.env]\n\"A=B\" = \"x\"\n"), (2, 1));
        assert_eq!(at("[keys]\n\"a\" = [\"\"]\n"), (2, 7));
        assert_eq!(at(&"#".repeat(LONGEST + 1)), (0, 0));
        let fault = refused("[fonts]\nsize = 99\n");
        let said = "line 2, column 8: fonts.size: it is a whole number from 8 to 32, not `99`";
        assert_eq!(fault.to_string(), said);
        let fault = refused("[fonts]\nsize = twenty\n");
        assert!(fault.text.starts_with("this is no TOML: "), "{fault}");
    }

    #[test]
    fn unknown_keys_are_warned_of_and_known_ones_count() {
        let text = "new = 1\n[fonts]\nsise = 3\nsize = 20\n[agents.x]\nenv = { A = \"b\" }\nbath = \"\"\n[odd]\na = 1\n";
        let (settings, warnings) = read(text, &KnownNames::default()).expect("it is read");
        assert_eq!(settings.fonts.size, 20);
        assert_eq!(settings.agents["x"].env["A"], "b");
        let places: Vec<_> = warnings.iter().map(|one| (one.fault.line, one.fault.column)).collect();
        assert_eq!(places, [(1, 1), (3, 1), (7, 1), (8, 2)]);
        let said = &warnings[1].fault.text;
        assert!(said.contains("`fonts.sise`") && said.contains("did you mean `fonts.size`?"), "{said}");
    }

    #[test]
    fn names_that_are_not_known_have_no_effect_and_the_rest_counts() {
        let text = "[appearance]\nterminal_dark = \"drakula\"\n[fonts]\nfamily = \"No Such\"\nsize = 20\n\
                    [workspaces]\nkind = \"worktree\"\n[keys]\npallete = [\"Ctrl+K\"]\n[agents.cluade]\nargs = [\"-v\"]\n";
        let known = KnownNames {
            agents: Some(vec!["claude".to_owned()]),
            fonts: Some(vec!["DejaVu Sans Mono".to_owned()]),
        };
        let (settings, warnings) = read(text, &known).expect("it is read");
        assert_eq!(
            (settings.fonts.size, settings.workspaces.kind),
            (20, belfry_protocol::session::WorkspaceKind::Worktree)
        );
        let told: Vec<(u32, String)> =
            warnings.into_iter().map(|one| (one.fault.line, one.path.join("."))).collect();
        let expected = [
            (2, "appearance.terminal_dark"),
            (4, "fonts.family"),
            (9, "keys.pallete"),
            (10, "agents.cluade"),
        ];
        assert_eq!(told, expected.map(|(line, path)| (line, path.to_owned())));
        assert_eq!(
            read(text, &KnownNames::default()).expect("it is read").1.len(),
            2,
            "what is not known is not judged"
        );
    }
}
