//! What was typed, as the words' table wants it; and the conditions that it is looked for with.

use rusqlite::types::Value;

/// Words that are looked for at once.
const MOST: usize = 16;

/// The expression for what was typed: every word, and the last one as a beginning while it is typed, from its second letter on. What stands in quotation
/// marks is looked for as it is. None where there is no word in it.
pub(crate) fn expression(typed: &str) -> Option<String> {
    let mut parts = Vec::new();
    for (number, piece) in typed.split('"').enumerate() {
        if number % 2 == 1 {
            parts.extend(quoted(piece));
        } else {
            parts.extend(piece.split_whitespace().filter_map(quoted));
        }
    }
    parts.truncate(MOST);
    let still_typed = typed.ends_with(|last: char| last.is_alphanumeric() || last == '_');
    if let Some(last) = parts.last_mut().filter(|_| still_typed) {
        // One letter is the beginning of too much; in scripts that others write with it is a word.
        if last.len() == 3 {
            parts.pop();
        } else {
            last.push('*');
        }
    }
    (!parts.is_empty()).then(|| parts.join(" "))
}

fn quoted(word: &str) -> Option<String> {
    let plain: String = word.chars().filter(|c| *c != '"' && *c != '\0').collect();
    plain.chars().any(char::is_alphanumeric).then(|| format!("\"{plain}\""))
}

/// The words of what was typed, to be marked where they are found.
pub(crate) fn words(typed: &str) -> Vec<String> {
    let words = typed.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
    words.take(MOST).map(crate::snippet::folded).collect()
}

/// Conditions, and what they are given.
#[derive(Debug, Default)]
pub(crate) struct Conditions {
    text: String,
    pub(crate) values: Vec<Value>,
}

impl Conditions {
    /// One more, with a `?` for each of its values.
    pub(crate) fn add(&mut self, condition: &str, values: impl IntoIterator<Item = Value>) {
        self.text.push_str(" AND ");
        self.text.push_str(condition);
        self.values.extend(values);
    }

    /// One of several.
    pub(crate) fn any_of(&mut self, column: &str, values: Vec<Value>) {
        if !values.is_empty() {
            let marks = vec!["?"; values.len()].join(", ");
            self.add(&format!("{column} IN ({marks})"), values);
        }
    }

    /// In a directory, or in one below it.
    pub(crate) fn beneath(&mut self, directory: Option<&str>) {
        let Some(directory) = directory.map(|directory| directory.trim_end_matches('/')) else { return };
        if !directory.is_empty() {
            let below = format!("{directory}/");
            // What begins so lies between it and the same with the next character, whatever `%` may be in it.
            let after = format!("{directory}0");
            self.add(
                "(c.cwd = ? OR (c.cwd >= ? AND c.cwd < ?))",
                [directory.to_owned().into(), below.into(), after.into()],
            );
        }
    }

    pub(crate) fn text(&self) -> &str {
        &self.text
    }
}

/// For `LIKE`, with `\` as what goes before a sign that is meant.
pub(crate) fn containing(text: &str) -> Value {
    let mut pattern = String::from("%");
    for c in text.chars() {
        if matches!(c, '%' | '_' | '\\') {
            pattern.push('\\');
        }
        pattern.push(c);
    }
    pattern.push('%');
    pattern.into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn anything_can_be_typed() {
        for (typed, expected) in [
            ("hello wor", Some(r#""hello" "wor"*"#)),
            ("hello ", Some(r#""hello""#)),
            (r#""two words" x"#, Some(r#""two words""#)),
            (r#"open "quo"#, Some(r#""open" "quo"*"#)),
            ("src/main.rs", Some(r#""src/main.rs"*"#)),
            ("AND OR NEAR(", Some(r#""AND" "OR" "NEAR(""#)),
            ("a* ^b -c", Some(r#""a*" "^b" "-c"*"#)),
            ("a", None),
            ("a ", Some(r#""a""#)),
            ("本", Some(r#""本"*"#)),
            ("-- \"\" ()", None),
            ("", None),
        ] {
            assert_eq!(expression(typed).as_deref(), expected, "{typed}");
        }
    }
}
