//! Whether two readings of a screen show the same dialog.

use belfry_agents::Dialog;
use belfry_protocol::ask::{AskDetail, Choice};

/// What a dialog is to the one that was there before.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kin {
    /// The same one.
    Same,
    /// The same one, and more of it has been drawn.
    Grown,
    Other,
}

/// `untouched`: nobody has answered it or typed since. `young`: it may still be being drawn.
pub(super) fn kin(before: &Dialog, now: &Dialog, untouched: bool, young: bool) -> Kin {
    if before.fingerprint() == now.fingerprint() || alike(before, now) {
        Kin::Same
    } else if (now.scrolls && now.joined(before).is_some())
        || (untouched && (young || before.unnamed) && grows(before, now, young))
    {
        Kin::Grown
    } else {
        Kin::Other
    }
}

/// Whether that is the same dialog, with a choice drawn otherwise than before: ticked, or become the field for a text.
pub(in crate::session::engine) fn alike(one: &Dialog, other: &Dialog) -> bool {
    let about = |dialog: &Dialog| {
        let AskDetail { command, path, url, tool, body } = dialog.detail.clone();
        (dialog.kind, dialog.text.clone(), [command, path, url, tool, body], dialog.choices.len())
    };
    let pairs = || one.choices.iter().zip(&other.choices);
    let differ = pairs().filter(|(one, other)| one.label != other.label).count();
    about(one) == about(other) && pairs().all(|(one, other)| one.key == other.key) && differ <= 1
}

/// Whether a dialog is what another one becomes when more of it is drawn: nothing that was there has changed. While it is
/// young, its parts may be drawn in pieces, and a diff or a plan anew as it is coloured.
fn grows(before: &Dialog, now: &Dialog, young: bool) -> bool {
    let part = |before: &Option<String>, now: &Option<String>| match (before, now) {
        (None, _) => true,
        (Some(before), Some(now)) => before == now || (young && now.starts_with(before.as_str())),
        (Some(_), None) => false,
    };
    let (one, other) = (&before.detail, &now.detail);
    let parts = [
        (&one.command, &other.command),
        (&one.path, &other.path),
        (&one.url, &other.url),
        (&one.tool, &other.tool),
    ];
    let choices = before.choices.iter().all(|before| {
        let now = now.choices.iter().find(|now| now.key == before.key);
        now.is_some_and(|now| now.label == before.label || (young && now.label.starts_with(&before.label)))
    });
    // What has no answers yet is not known by them.
    before.kind == now.kind
        && (before.approves == now.approves || before.cut)
        && now.text.starts_with(before.text.as_str())
        && choices
        && parts.into_iter().all(|(before, now)| part(before, now))
        && (young || part(&one.body, &other.body))
}

/// Whether somebody who was shown the one dialog knows what they answer with the other: it is the same with more of it
/// drawn, nothing that they read has changed, and it looks no riskier.
pub(in crate::session::engine) fn is_known_from(seen: &Dialog, now: &Dialog) -> bool {
    let no_riskier = |seen: &Choice| {
        let now = now.choices.iter().find(|now| now.key == seen.key);
        now.is_some_and(|now| now.risk <= seen.risk && (&now.label, now.ticked) == (&seen.label, seen.ticked))
    };
    let named = |dialog: &Dialog| {
        let AskDetail { command, path, url, tool, .. } = dialog.detail.clone();
        [command, path, url, tool]
    };
    let mut named = named(seen).into_iter().zip(named(now));
    grows(seen, now, true)
        && seen.text == now.text
        && named.all(|(seen, now)| seen.is_none() || seen == now)
        && now.risk <= seen.risk
        && seen.choices.iter().all(no_riskier)
}

#[cfg(test)]
mod tests {
    use belfry_agents::AnswerBy;
    use belfry_protocol::ask::{Approves, AskKind, Risk};

    use super::*;

    fn dialog(command: Option<&str>, labels: &[&str]) -> Dialog {
        let choice = |(at, label): (usize, &&str)| Choice {
            key: (at + 1).to_string(),
            label: (*label).to_owned(),
            description: None,
            risk: Risk::Medium,
            refuses: false,
            takes_text: false,
            ticked: None,
        };
        Dialog {
            approves: Some(Approves::Command),
            choices: labels.iter().enumerate().map(choice).collect(),
            detail: AskDetail { command: command.map(str::to_owned), ..AskDetail::default() },
            risk: Risk::Medium,
            unnamed: command.is_none(),
            ..Dialog::new(AskKind::Approval, "Go on?".to_owned(), AnswerBy::Key)
        }
    }

    #[test]
    fn a_dialog_that_grows_is_the_same() {
        let (bare, whole) = (dialog(None, &["Yes"]), dialog(Some("touch x"), &["Yes", "No"]));
        assert_eq!(kin(&bare, &whole, true, true), Kin::Grown);
        assert_eq!(kin(&bare, &whole, false, true), Kin::Other, "somebody may have answered the first");
        assert_eq!(kin(&whole, &bare, true, true), Kin::Other, "nothing goes away");
        let bare = dialog(None, &["Yes", "No"]);
        assert_eq!(kin(&bare, &whole, true, false), Kin::Grown, "its command was not to be seen");
        let (begun, other) = (dialog(Some("touch"), &["Yes", "No"]), dialog(Some("rm x"), &["Yes", "No"]));
        assert_eq!(kin(&begun, &whole, true, true), Kin::Grown);
        assert_eq!(kin(&begun, &whole, true, false), Kin::Other, "it has long been drawn");
        assert_eq!(kin(&whole, &other, true, true), Kin::Other);
        assert_eq!(kin(&whole, &whole, false, false), Kin::Same);
    }

    #[test]
    fn an_answer_is_for_what_was_seen() {
        let (bare, whole) = (dialog(None, &["Yes", "No"]), dialog(Some("touch x"), &["Yes", "No"]));
        assert!(is_known_from(&bare, &whole));
        assert!(!is_known_from(&bare, &Dialog { risk: Risk::High, ..whole.clone() }), "it looked harmless");
        assert!(!is_known_from(&dialog(Some("touch"), &["Yes", "No"]), &whole), "another command was read");
        let mut other = whole.clone();
        other.choices[0].label = "Yes, always".to_owned();
        assert!(!is_known_from(&bare, &other), "another choice was read");
    }
}
