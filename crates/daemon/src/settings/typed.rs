//! A setting as it is typed on the command line.

use serde_json::{Value, json};

use super::edit;
use super::kind::Kind;
use super::known::{self, Names};

/// The parts of a setting's name; none where it is no dotted key.
pub fn setting_path(name: &str) -> Option<Vec<String>> {
    edit::parts(name).ok()
}

/// Whether this Belfry knows a setting, or a table of settings, of that path.
pub fn knows_setting(path: &[String]) -> bool {
    known::names(&parts(path)) != Names::Nothing
}

/// The setting that was most likely meant by a path that is not known.
pub fn setting_meant(path: &[String]) -> Option<String> {
    known::meant(&parts(path))
}

/// The value that a person typed for a setting: JSON, a value of TOML, or a text, whichever the setting is. A list may be
/// typed as its only item, and quiet hours as `22:00-07:00`. What fits nothing is a text, and refused by the daemon in words.
pub fn typed_setting(path: &[String], typed: &str) -> Value {
    let text = || Value::String(typed.to_owned());
    match known::kind(&parts(path)) {
        // `8080` for a variable is a text too. Quotes may be typed.
        Some(kind) if kind.is_text() => written(typed).filter(Value::is_string).unwrap_or_else(text),
        Some(Kind::Keys | Kind::Arguments) => {
            let list = written(typed).filter(Value::is_array);
            list.unwrap_or_else(|| if typed.is_empty() { json!([]) } else { json!([typed]) })
        }
        Some(Kind::QuietHours) => hours(typed).or_else(|| written(typed)).unwrap_or_else(text),
        _ => written(typed).unwrap_or_else(text),
    }
}

fn parts(path: &[String]) -> Vec<&str> {
    path.iter().map(String::as_str).collect()
}

/// A value of JSON, else of TOML.
fn written(typed: &str) -> Option<Value> {
    serde_json::from_str(typed).ok().or_else(|| {
        let mut table: toml::Table = toml::from_str(&format!("value = {typed}")).ok()?;
        // A second line could be another key.
        let alone = table.len() == 1;
        let value = table.remove("value").filter(|value| alone && !has_date(value))?;
        serde_json::to_value(value).ok()
    })
}

/// JSON has no dates and times, and no setting is one.
fn has_date(value: &toml::Value) -> bool {
    match value {
        toml::Value::Datetime(_) => true,
        toml::Value::Array(items) => items.iter().any(has_date),
        toml::Value::Table(fields) => fields.values().any(has_date),
        _ => false,
    }
}

fn hours(typed: &str) -> Option<Value> {
    let (from, to) = typed.split_once('-')?;
    let (from, to) = (from.trim(), to.trim());
    (super::minute(from).is_some() && super::minute(to).is_some()).then(|| json!({ "from": from, "to": to }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_typed_is_what_the_setting_is() {
        let value = |name: &str, typed: &str| typed_setting(&setting_path(name).expect("a name"), typed);
        for (name, typed, expected) in [
            ("fonts.size", "20", json!(20)),
            ("fonts.size", "big", json!("big")),
            ("tray.show", "true", json!(true)),
            ("appearance.theme", "dark", json!("dark")),
            ("appearance.theme", "\"dark\"", json!("dark")),
            ("fonts.family", "12", json!("12")),
            ("keys.palette", "[\"Ctrl+K\"]", json!(["Ctrl+K"])),
            ("keys.palette", "['Ctrl+K']", json!(["Ctrl+K"])),
            ("keys.palette", "Ctrl+K", json!(["Ctrl+K"])),
            ("keys.palette", "", json!([])),
            ("keys.palette", "[]", json!([])),
            ("agents.claude.args", "--verbose", json!(["--verbose"])),
            ("agents.claude.env", "{ A = \"b\", C = 'd' }", json!({ "A": "b", "C": "d" })),
            ("agents.claude.env", "{\"A\":\"b\"}", json!({ "A": "b" })),
            ("agents.claude.env.PORT", "8080", json!("8080")),
            ("agents.claude.env.PORT", "1e3", json!("1e3")),
            ("notifications.quiet_hours", "22:00-07:00", json!({ "from": "22:00", "to": "07:00" })),
            (
                "notifications.quiet_hours",
                "{ from = \"22:00\", to = \"07:00\" }",
                json!({ "from": "22:00", "to": "07:00" }),
            ),
            ("notifications.quiet_hours", "22:00", json!("22:00")),
            ("agents.claude.env", "{ A = 22:00 }", json!("{ A = 22:00 }")),
            ("notifications.quiet_hours", "1\nother = 2", json!("1\nother = 2")),
            ("of.a.newer.one", "[1]", json!([1])),
        ] {
            assert_eq!(value(name, typed), expected, "{name} {typed}");
        }
    }
}
