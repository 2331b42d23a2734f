//! Names that a value can have: the window's commands and themes, agents, this machine's fonts.
//!
//! A name that is not known is no error in the file: a newer Belfry may have written it. It has no effect, which is said,
//! and it is refused where it is set just now.

use std::process::Stdio;
use std::time::Duration;

/// What a theme's name begins with that the person has imported; the window has them.
const OWN_THEME: &str = "own-";

/// Fonts that come with Belfry.
const FONTS: &[&str] = &["JetBrains Mono", "Belfry Symbols"];

/// Names that are told where none is near.
const TOLD: usize = 20;

/// A cold cache of fonts takes a second or two to be built.
const PATIENCE: Duration = Duration::from_secs(4);

/// Names that differ from one place to the next; none where they are not known.
#[derive(Clone, Debug, Default)]
pub(super) struct KnownNames {
    /// Ids of agents.
    pub(super) agents: Option<Vec<String>>,
    /// Families of fonts.
    pub(super) fonts: Option<Vec<String>>,
}

impl KnownNames {
    /// Why an agent is none.
    pub(super) fn agent(&self, id: &str) -> Option<String> {
        let agents = self.agents.as_ref()?;
        unknown("agent", id, agents.iter().map(String::as_str))
    }

    /// Why a font is none.
    pub(super) fn font(&self, family: &str) -> Option<String> {
        let fonts = self.fonts.as_ref()?;
        let mut all = FONTS.iter().copied().chain(fonts.iter().map(String::as_str));
        if all.any(|known| known.eq_ignore_ascii_case(family.trim())) {
            return None;
        }
        let near = nearest(family, FONTS.iter().copied().chain(fonts.iter().map(String::as_str)));
        let hint = near.map(|near| format!("; did you mean `{near}`?"));
        let hint = hint.unwrap_or_else(|| "; `fc-list : family` lists those that there are".to_owned());
        Some(format!("this machine has no font `{family}`{hint}"))
    }
}

/// Why a command of the window's is none.
pub(super) fn command(name: &str) -> Option<String> {
    unknown("command of the window", name, lines(include_str!("commands.txt")))
}

/// Why a theme is none.
pub(super) fn theme(name: &str) -> Option<String> {
    if name.starts_with(OWN_THEME) {
        return None;
    }
    unknown("theme", name, lines(include_str!("themes.txt")))
}

fn lines(text: &'static str) -> impl Iterator<Item = &'static str> + Clone {
    text.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#'))
}

/// Why that is none of the known ones.
pub(crate) fn unknown<'a>(what: &str, name: &str, known: impl Iterator<Item = &'a str>) -> Option<String> {
    let all: Vec<&str> = known.collect();
    if all.contains(&name) {
        return None;
    }
    let hint = if let Some(near) = nearest(name, all.iter().copied()) {
        format!("did you mean `{near}`?")
    } else {
        let more = all.len().saturating_sub(TOLD);
        let told = all.iter().take(TOLD).copied().collect::<Vec<_>>().join(", ");
        if more > 0 { format!("there are {told} and {more} more") } else { format!("there are {told}") }
    };
    Some(format!("there is no {what} `{name}`; {hint}"))
}

/// The known name that was most likely meant.
pub(super) fn nearest<'a>(name: &str, known: impl Iterator<Item = &'a str> + Clone) -> Option<&'a str> {
    let mut all = known.clone();
    let wanted: Vec<char> = name.to_lowercase().chars().take(LONGEST).collect();
    // As many slips as people make in a word of that length.
    let most = (wanted.len() / 3).clamp(1, 3);
    let apart = known.map(|known| (distance(&wanted, &known.to_lowercase()), known));
    let near = apart.filter(|(apart, _)| *apart <= most).min_by_key(|(apart, _)| *apart);
    let begins = |known: &&str| {
        wanted.len() >= 3 && known.to_lowercase().starts_with(&wanted.iter().collect::<String>())
    };
    near.map(|(_, known)| known).or_else(|| all.find(begins))
}

/// Longer names are compared by their beginnings.
const LONGEST: usize = 64;

/// Letters that have to be changed, added, left out or swapped to get from one word to the other.
fn distance(one: &[char], other: &str) -> usize {
    let other: Vec<char> = other.chars().take(LONGEST).collect();
    let mut before: Vec<usize> = Vec::new();
    let mut row: Vec<usize> = (0..=other.len()).collect();
    for (at, letter) in one.iter().enumerate() {
        let mut next = vec![at + 1];
        for (to, same) in other.iter().enumerate() {
            let mut least = (row[to] + usize::from(letter != same)).min(row[to + 1] + 1).min(next[to] + 1);
            if at > 0 && to > 0 && *letter == other[to - 1] && one[at - 1] == *same {
                least = least.min(before[to - 1] + 1);
            }
            next.push(least);
        }
        before = std::mem::replace(&mut row, next);
    }
    row.last().copied().unwrap_or(0)
}

/// The families of this machine's fonts, where fontconfig can say. macOS and Windows keep theirs elsewhere: there, only the
/// window can tell that a font is missing.
pub(super) async fn fonts() -> Option<Vec<String>> {
    let mut list = tokio::process::Command::new("fc-list");
    list.args([":", "family"]).stdin(Stdio::null()).stderr(Stdio::null()).kill_on_drop(true);
    let output = tokio::time::timeout(PATIENCE, list.output()).await.ok()?.ok()?;
    let text = String::from_utf8_lossy(&output.stdout);
    // One font a line, with its names in several languages.
    let names = text.lines().flat_map(|line| line.split(',')).map(|name| name.trim().replace('\\', ""));
    let mut names: Vec<String> = names.filter(|name| !name.is_empty()).collect();
    names.sort_unstable();
    names.dedup();
    (output.status.success() && !names.is_empty()).then_some(names)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nearest_name_is_found_and_no_far_one() {
        for (typed, meant) in [
            ("pallete", Some("palette")),
            ("PALETTE", Some("palette")),
            ("spilt-right", Some("split-right")),
            ("new", Some("new-session")),
            ("nonsense", None),
            ("", None),
        ] {
            assert_eq!(nearest(typed, lines(include_str!("commands.txt"))), meant, "{typed}");
        }
        assert_eq!(theme("dracula"), None);
        assert_eq!(theme("own-mine"), None, "an imported one");
        assert_eq!(
            theme("dracolla").as_deref(),
            Some("there is no theme `dracolla`; did you mean `dracula`?")
        );
        let none = theme("x").expect("there is none");
        assert!(none.contains("there are belfry-dark, ") && none.contains("solarized-light"), "{none}");
    }

    #[test]
    fn what_cannot_be_known_is_not_judged() {
        assert_eq!(KnownNames::default().agent("nobody"), None);
        assert_eq!(KnownNames::default().font("Nothing Sans"), None);
        let names = KnownNames {
            agents: Some(vec!["claude".to_owned(), "shell".to_owned()]),
            fonts: Some(vec!["DejaVu Sans Mono".to_owned()]),
        };
        assert_eq!(
            names.agent("cluade").as_deref(),
            Some("there is no agent `cluade`; did you mean `claude`?")
        );
        assert_eq!(names.agent("x").as_deref(), Some("there is no agent `x`; there are claude, shell"));
        assert_eq!(names.font("dejavu sans mono"), None);
        assert_eq!(names.font("JetBrains Mono"), None);
        let near = names.font("Dejavu Sans Mon").expect("there is none");
        assert!(near.ends_with("did you mean `DejaVu Sans Mono`?"), "{near}");
    }
}
