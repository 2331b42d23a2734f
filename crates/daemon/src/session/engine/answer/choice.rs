//! Which choice a client means, and whether it can be taken.

use belfry_protocol::ask::{Ask, Choice};
use belfry_protocol::{ErrorCode, WireError};

/// Longest text of an answer, in bytes.
const LONGEST: usize = 16 * 1024;

/// What is to be done.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Chosen {
    /// The choice's place.
    pub(super) at: Option<usize>,
    /// Its label, for the history.
    pub(super) label: Option<String>,
    /// A text for it, or for the dialog.
    pub(super) text: Option<String>,
    /// Where several are chosen at once, the places of those that are to be ticked, and no others.
    pub(super) ticked: Option<Vec<usize>>,
}

impl Chosen {
    /// Where the mark has to go, given what the dialog shows: first to whatever is ticked otherwise than it should be. What
    /// ticks all others is left alone: its box follows theirs.
    pub(super) fn target(&self, choices: &[Choice], ticks_all: Option<usize>) -> Option<usize> {
        let wrong = self.ticked.as_ref().and_then(|wanted| {
            let all = ticks_all.is_some_and(|all| wanted.contains(&all));
            let otherwise = |&at: &usize| {
                let choice = &choices[at];
                let is_wanted = wanted.contains(&at) || (all && !choice.takes_text);
                ticks_all != Some(at) && choice.ticked.is_some_and(|is| is != is_wanted)
            };
            (0..choices.len()).find(otherwise)
        });
        wrong.or(self.at)
    }
}

/// What is meant by a choice's key, else its exact label, and a text.
pub(super) fn chosen(ask: &Ask, choice: Option<&str>, text: Option<&str>) -> Result<Chosen, WireError> {
    let bad = |message: String| Err(WireError::new(ErrorCode::BadRequest, message));
    if let Some(text) = text {
        if text.len() > LONGEST {
            return Err(WireError::new(ErrorCode::TooMuch, "the text is longer than 16 KB"));
        }
        if text.chars().any(|c| c.is_control() && !matches!(c, '\n' | '\t')) {
            return bad("the text has control characters in it".to_owned());
        }
    }
    // What can only be gone on from has no choices; its key is Enter.
    let goes_on = ask.choices.is_empty() && !ask.takes_text && text.is_none();
    let choice = choice.filter(|wanted| !(goes_on && wanted.eq_ignore_ascii_case("enter")));
    if let Some(ticked) = choice.and_then(|wanted| several(ask, wanted)) {
        let ticked = ticked?;
        if text.is_some() {
            return bad("several choices at once take no text".to_owned());
        }
        let labels: Vec<_> = ticked.iter().map(|at| ask.choices[*at].label.as_str()).collect();
        let label = Some(labels.join(", "));
        return Ok(Chosen { at: Some(find(ask, Choice::SUBMIT)?), label, text: None, ticked: Some(ticked) });
    }
    let at = match choice {
        Some(wanted) => Some(find(ask, wanted)?),
        None if text.is_some() => takes_text(ask)?,
        None if goes_on => None,
        None => return bad(format!("which choice? There are {}", listed(ask))),
    };
    let taken = at.and_then(|at| ask.choices.get(at));
    match (taken, text) {
        (Some(choice), Some(_)) if !choice.takes_text => {
            return bad(format!("`{}` takes no text", choice.label));
        }
        (Some(choice), None) if choice.takes_text && !choice.refuses => {
            return bad(format!("`{}` wants a text", choice.label));
        }
        _ => {}
    }
    Ok(Chosen {
        at,
        label: taken.map(|choice| choice.label.clone()),
        text: text.map(str::to_owned),
        ticked: None,
    })
}

/// Several choices, with commas between them: to be ticked, all others not, and then submitted. None where that is no list, or
/// the question takes one choice only.
fn several(ask: &Ask, wanted: &str) -> Option<Result<Vec<usize>, WireError>> {
    let boxes = ask.choices.iter().any(|choice| choice.ticked.is_some());
    let whole = ask.choices.iter().any(|choice| choice.label == wanted.trim());
    if !boxes || whole || !wanted.contains(',') {
        return None;
    }
    let words = wanted.split(',').map(str::trim).filter(|word| !word.is_empty());
    Some(words.map(|word| ticks(ask, word)).collect())
}

fn ticks(ask: &Ask, wanted: &str) -> Result<usize, WireError> {
    let at = find(ask, wanted)?;
    let choice = &ask.choices[at];
    if choice.ticked.is_none() || choice.takes_text {
        let message = format!("`{}` cannot be chosen together with others", choice.label);
        return Err(WireError::new(ErrorCode::BadRequest, message));
    }
    Ok(at)
}

fn find(ask: &Ask, wanted: &str) -> Result<usize, WireError> {
    let by = |fits: &dyn Fn(&Choice) -> bool| -> Vec<usize> {
        (0..ask.choices.len()).filter(|at| fits(&ask.choices[*at])).collect()
    };
    let by_key = by(&|choice| choice.key == wanted);
    let found = if by_key.is_empty() { by(&|choice| choice.label == wanted.trim()) } else { by_key };
    match found.as_slice() {
        [one] => Ok(*one),
        [] => {
            let message =
                format!("there is no choice `{}`; there are {}", wanted.escape_debug(), listed(ask));
            Err(WireError::new(ErrorCode::BadRequest, message))
        }
        _ => {
            let message = format!("`{}` fits several choices", wanted.escape_debug());
            Err(WireError::new(ErrorCode::Ambiguous, message).next("name it by its key"))
        }
    }
}

/// The choice that a text alone is for; the inner none is the dialog itself.
fn takes_text(ask: &Ask) -> Result<Option<usize>, WireError> {
    let fields: Vec<usize> = (0..ask.choices.len()).filter(|at| ask.choices[*at].takes_text).collect();
    match fields.as_slice() {
        [one] => Ok(Some(*one)),
        [] if ask.takes_text => Ok(None),
        [] => {
            Err(WireError::new(ErrorCode::BadRequest, format!("it takes no text; there are {}", listed(ask))))
        }
        _ => Err(WireError::new(ErrorCode::BadRequest, "several choices take a text: name one of them")),
    }
}

fn listed(ask: &Ask) -> String {
    if ask.choices.is_empty() {
        return "none: it takes a text".to_owned();
    }
    let named = ask.choices.iter().map(|choice| format!("{} ({})", choice.key, choice.label));
    named.collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests {
    use belfry_protocol::AskId;
    use belfry_protocol::ask::{AskDetail, AskKind, Risk};

    use super::*;

    fn ask(choices: &[(&str, &str, bool, bool)]) -> Ask {
        let choice = |(key, label, takes_text, refuses): &(&str, &str, bool, bool)| Choice {
            key: (*key).to_owned(),
            label: (*label).to_owned(),
            description: None,
            risk: Risk::Low,
            refuses: *refuses,
            takes_text: *takes_text,
            ticked: None,
        };
        Ask {
            id: AskId::at(0),
            kind: AskKind::Question,
            approves: None,
            text: "Which?".to_owned(),
            choices: choices.iter().map(choice).collect(),
            takes_text: choices.is_empty() || choices.iter().any(|choice| choice.2),
            detail: AskDetail::default(),
            risk: Risk::Low,
            risk_reason: None,
            fingerprint: "f".to_owned(),
            answerable: true,
            obstacle: None,
            opened_at: jiff::Timestamp::UNIX_EPOCH,
        }
    }

    #[test]
    fn by_key_else_by_the_whole_label() {
        let ask = ask(&[
            ("1", "Yes", false, false),
            ("2", "Yes, and always", false, false),
            ("3", "1", false, true),
        ]);
        let at = |choice: &str| {
            chosen(&ask, Some(choice), None).map(|chosen| chosen.at).map_err(|error| error.code)
        };
        assert_eq!(at("1"), Ok(Some(0)), "a key goes before a label");
        assert_eq!(at("Yes, and always"), Ok(Some(1)));
        for no in ["yes", "Yes,", "Ye", "", "4", "YES"] {
            assert_eq!(at(no), Err(ErrorCode::BadRequest), "{no:?}");
        }
    }

    #[test]
    fn several_are_ticked_and_the_others_are_not() {
        let mut ask = ask(&[
            ("1", "Red", false, false),
            ("2", "Blue", false, false),
            ("3", "Type something", true, false),
            (Choice::SUBMIT, "Submit", false, false),
            ("4", "Chat about this", false, true),
        ]);
        for at in 0..3 {
            ask.choices[at].ticked = Some(at == 0);
        }
        let both = chosen(&ask, Some("1, Blue"), None).unwrap();
        assert_eq!((both.at, both.ticked.as_deref()), (Some(3), Some([0, 1].as_slice())));
        assert_eq!(both.target(&ask.choices, None), Some(1), "Red is ticked already");
        let blue = chosen(&ask, Some("2,"), None).unwrap();
        assert_eq!(blue.target(&ask.choices, None), Some(0), "Red must not be ticked");
        ask.choices[1].ticked = Some(true);
        assert_eq!(both.target(&ask.choices, None), Some(3), "it is submitted");
        let one = chosen(&ask, Some("2"), None).unwrap();
        assert_eq!((one.at, one.ticked), (Some(1), None));
        // Both, by the one that ticks all others, whose own box is not looked at.
        ask.choices
            .insert(2, Choice { key: "a".to_owned(), label: "All".to_owned(), ..ask.choices[0].clone() });
        let all = chosen(&ask, Some("a,"), None).unwrap();
        for (red, blue, target) in [(false, false, 0), (true, false, 1), (true, true, 4)] {
            (ask.choices[0].ticked, ask.choices[1].ticked) = (Some(red), Some(blue));
            ask.choices[2].ticked = Some(red && blue);
            assert_eq!(all.target(&ask.choices, Some(2)), Some(target), "{red} {blue}");
        }
        for no in ["1,9", "1,4", "1,3", "s,1"] {
            assert!(chosen(&ask, Some(no), None).is_err(), "{no}");
        }
    }

    #[test]
    fn a_text_goes_where_one_is_taken() {
        let menu =
            ask(&[("1", "Red", false, false), ("2", "Type something", true, false), ("3", "No", true, true)]);
        assert!(chosen(&menu, None, Some("x")).is_err(), "two take one");
        assert_eq!(chosen(&menu, Some("2"), Some("x")).unwrap().at, Some(1));
        assert!(chosen(&menu, Some("1"), Some("x")).is_err());
        assert!(chosen(&menu, Some("2"), None).is_err());
        assert!(chosen(&menu, Some("3"), None).is_ok(), "it refuses without one as well");
        assert!(chosen(&menu, Some("2"), Some("a\u{1b}b")).is_err());
        assert_eq!(chosen(&ask(&[]), None, Some("secret")).unwrap().at, None);
        assert!(chosen(&ask(&[]), None, None).is_err());
    }
}
