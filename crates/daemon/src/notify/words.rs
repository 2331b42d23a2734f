//! What a notification says. Everything in it may have been on a hostile screen: it is cleaned and cut here once more, and
//! nothing is offered to be allowed of which the person is not shown all.

use belfry_agents::risk;
use belfry_protocol::ask::{Ask, AskKind, Choice, Risk};
use belfry_protocol::notification::NotificationAsk;
use belfry_protocol::{NotificationKind, Session};
use jiff::SignedDuration;

use crate::session::clean;

/// Longest title, in characters, and of it the session's name.
const TITLE: usize = 120;

/// See [`TITLE`].
const NAME: usize = 80;

/// Longest text, in characters and in lines: desktops show less, the list all of it.
const TEXT: usize = 500;

/// See [`TEXT`].
const LINES: usize = 6;

/// Title, text, and how it can be answered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Words {
    pub(super) title: String,
    pub(super) text: String,
    pub(super) ask: Option<NotificationAsk>,
}

/// What is said of a session that calls. `turn` is how long its turn took.
pub(super) fn words(session: &Session, kind: NotificationKind, turn: Option<SignedDuration>) -> Words {
    if session.private {
        // What a desktop is given lies about in logs and on lock screens.
        let says = match kind {
            NotificationKind::Waiting => "It waits for you.",
            NotificationKind::Blocked => "It cannot go on.",
            NotificationKind::Done => "Its turn is over.",
            NotificationKind::Died => "It has ended.",
        };
        return Words { title: "A private session".to_owned(), text: says.to_owned(), ask: None };
    }
    let name = clean::line(&session.name, NAME);
    let says = match kind {
        NotificationKind::Waiting => "waits for you",
        NotificationKind::Blocked => "is blocked",
        NotificationKind::Done => "is done",
        NotificationKind::Died => "has ended",
    };
    let mut ask = None;
    let text = match kind {
        NotificationKind::Waiting => match session.ask.as_deref() {
            Some(open) => {
                let (text, whole) = question(open);
                ask = answers(open, whole);
                text
            }
            None => String::new(),
        },
        NotificationKind::Done => {
            turn.map(|turn| format!("Its turn took {}.", length(turn))).unwrap_or_default()
        }
        NotificationKind::Blocked | NotificationKind::Died => session.reason.clone().unwrap_or_default(),
    };
    Words { title: clean::line(&format!("{name} {says}"), TITLE), text: cut(&text).0, ask }
}

/// The question and all that it is about, and whether that is whole.
fn question(ask: &Ask) -> (String, bool) {
    let detail = &ask.detail;
    let mut lines = vec![clean::line(&ask.text, usize::MAX)];
    if let (Risk::High, Some(reason)) = (ask.risk, &ask.risk_reason) {
        lines.push(format!("Careful: {}", clean::line(reason, TEXT)));
    }
    let mut elided = false;
    for part in [&detail.command, &detail.path, &detail.url, &detail.tool, &detail.body].into_iter().flatten()
    {
        // An agent that shows a part of something says so with these.
        elided |= part.contains('…') || part.lines().any(|line| line.trim_end().ends_with("..."));
        // The question may name it already.
        if !lines.contains(&clean::line(part, usize::MAX)) {
            let cleaned = part.lines().map(|line| clean::line(line, usize::MAX));
            lines.extend(cleaned.filter(|line| !line.is_empty()));
        }
    }
    let (text, cut) = cut(&lines.join("\n"));
    (text, !cut && !elided)
}

/// What fits, and whether anything was left out.
fn cut(text: &str) -> (String, bool) {
    let text = clean::text(text, usize::MAX).replace('\t', " ");
    let text = text.trim();
    let mut kept: String = text.lines().take(LINES).collect::<Vec<_>>().join("\n");
    let short = kept.len() < text.len() || kept.chars().count() > TEXT;
    if short {
        kept = kept.chars().take(TEXT - 2).collect();
        kept.truncate(kept.trim_end().len());
        kept.push_str(" …");
    }
    (kept, short)
}

/// How the question is answered from the notification.
fn answers(ask: &Ask, whole: bool) -> Option<NotificationAsk> {
    if !ask.answerable || !matches!(ask.kind, AskKind::Approval | AskKind::Plan) {
        return None;
    }
    let once = |choice: &&Choice| {
        !choice.refuses
            && !choice.takes_text
            && choice.risk < Risk::High
            && !risk::allows_more(&choice.label, choice.description.as_deref())
    };
    let detail = &ask.detail;
    let told = [&detail.command, &detail.path, &detail.url, &detail.tool].into_iter().any(Option::is_some);
    let safe = ask.kind == AskKind::Approval && whole && told && ask.risk < Risk::High;
    let allow = ask.choices.iter().find(once).filter(|_| safe);
    let refuses =
        |text: bool| ask.choices.iter().find(move |choice| choice.refuses && choice.takes_text == text);
    // One that takes a text can be taken without.
    let deny = refuses(false).or_else(|| refuses(true));
    let key = |choice: &Choice| choice.key.clone();
    Some(NotificationAsk {
        id: ask.id,
        fingerprint: ask.fingerprint.clone(),
        allow: allow.map(key),
        deny: deny.map(key),
    })
}

/// As people say it, to the second below a minute.
fn length(time: SignedDuration) -> String {
    let seconds = time.as_secs().max(0);
    match (seconds / 3600, seconds / 60 % 60) {
        (0, 0) => format!("{seconds} s"),
        (0, minutes) => format!("{minutes} min"),
        (hours, 0) => format!("{hours} h"),
        (hours, minutes) => format!("{hours} h {minutes} min"),
    }
}

#[cfg(test)]
mod tests;
