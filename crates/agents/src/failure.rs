//! Why a turn failed: whether the agent can go on at its prompt, or not before something outside it has changed.

use belfry_protocol::Says;

use crate::told::{Told, cut};

/// Longest reason that is shown, in characters.
const LONGEST: usize = 160;

/// An error that ended a turn. `kind` is the agent's own word for it (`rate_limit`, `authentication_failed`), `text` what it
/// shows. Texts of Claude Code 2.1; those of usage limits and logins are read from its package and were not seen in a run.
pub(crate) fn told(kind: &str, text: &str, what: impl Into<String>) -> Told {
    let lower = text.to_lowercase();
    let has = |words: &[&str]| words.iter().any(|word| lower.contains(word));
    let limit = has(&["usage limit", "limit reached", "hit your limit", "out of extra usage"])
        || (lower.contains("you've hit your") && lower.contains("limit"));
    let reason = if limit {
        Some("usage limit")
    } else if kind == "authentication_failed"
        || kind == "ProviderAuthError"
        || has(&["run /login", "oauth token", "invalid api key", "invalid x-api-key", "not logged in"])
    {
        Some("login")
    } else if kind == "billing_error" || has(&["credit balance", "billing"]) {
        Some("billing")
    } else if has(&["prompt is too long", "context window", "context length"]) {
        Some("context full")
    } else {
        None
    };
    let shown = cut(text, LONGEST);
    match reason {
        Some(reason) => {
            let until = limit.then(|| resets(text)).flatten();
            let mut told = Told::new(Some(Says::Blocked), what).over().because(reason);
            told.until = until;
            told
        }
        None if shown.is_empty() => {
            let kind = if kind.is_empty() { "an error" } else { kind };
            Told::new(Some(Says::Failed), what).over().because(cut(kind, LONGEST))
        }
        None => Told::new(Some(Says::Failed), what).over().because(shown),
    }
}

/// What stands behind `resets`: `3pm (Europe/Berlin)` without the place. Older versions give seconds since the epoch behind
/// a bar; that is for whoever shows it.
fn resets(text: &str) -> Option<String> {
    let until = match text.split_once("resets ") {
        Some((_, until)) => until,
        None => text
            .rsplit_once('|')
            .map(|(_, until)| until)
            .filter(|until| !until.is_empty() && until.trim().bytes().all(|byte| byte.is_ascii_digit()))?,
    };
    let until =
        until.trim_start_matches("at ").split(['(', '.', '\n', '·']).next().unwrap_or_default().trim();
    (!until.is_empty()).then(|| cut(until, 40))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors_are_told_apart() {
        for (kind, text, says, reason, until) in [
            (
                "server_error",
                "API Error: Repeated 529 Overloaded",
                Says::Failed,
                "API Error: Repeated 529 Overloaded",
                None,
            ),
            ("unknown", "", Says::Failed, "unknown", None),
            ("", "", Says::Failed, "an error", None),
            (
                "rate_limit",
                "You've hit your session limit · resets 3pm (Europe/Berlin)",
                Says::Blocked,
                "usage limit",
                Some("3pm"),
            ),
            (
                "",
                "Claude AI usage limit reached|1795960800",
                Says::Blocked,
                "usage limit",
                Some("1795960800"),
            ),
            ("", "5-hour limit reached ∙ resets at 15:30", Says::Blocked, "usage limit", Some("15:30")),
            ("authentication_failed", "x", Says::Blocked, "login", None),
            ("", "Invalid API key · Please run /login", Says::Blocked, "login", None),
            ("", "Credit balance is too low", Says::Blocked, "billing", None),
            ("", "Prompt is too long", Says::Blocked, "context full", None),
            ("rate_limit", "API Error: 429 rate limited", Says::Failed, "API Error: 429 rate limited", None),
        ] {
            let told = told(kind, text, "x");
            assert_eq!(
                (told.says, told.reason.as_deref(), told.until.as_deref()),
                (Some(says), Some(reason), until),
                "{text}"
            );
        }
    }
}
