//! What a reading of the screen says, in the arbiter's words.

use belfry_agents::{Dialog, Place, Reading};
use belfry_protocol::ask::{Approves, AskKind};
use belfry_status::{DialogSeen, ScreenSays, Trouble};

/// Longest text of a reason, in characters.
const LONGEST: usize = 200;

pub(super) fn screen(reading: &Reading, settled: bool) -> ScreenSays {
    ScreenSays {
        settled,
        place: match reading.place {
            Place::Unknown => belfry_status::Place::Unknown,
            Place::Prompt => belfry_status::Place::Prompt,
            Place::Working => belfry_status::Place::Working,
            Place::Dialog => belfry_status::Place::Dialog,
        },
        over: reading.over,
        guessed: reading.inferred,
        dialog: reading.dialog.as_ref().map(|dialog| DialogSeen {
            fingerprint: dialog.fingerprint(),
            kind: dialog.kind,
            summary: summary(dialog),
        }),
        activity: reading.activity.clone(),
        retrying: reading.retrying.clone(),
        subagents: reading.subagents,
        background: reading.background,
        blocked: reading
            .blocked
            .as_ref()
            .map(|blocked| Trouble { reason: blocked.reason.clone(), until: blocked.until.clone() }),
        failed: reading.failed.clone(),
        rules: rules(reading),
    }
}

fn rules(reading: &Reading) -> String {
    let said: Vec<_> = reading
        .matched
        .iter()
        .map(|(rule, text)| if text.is_empty() { rule.clone() } else { format!("{rule}: {text}") })
        .collect();
    short(&said.join("; "))
}

/// A question in a few words, as the reason for which a session waits.
fn summary(dialog: &Dialog) -> String {
    let detail = &dialog.detail;
    let about = |part: &Option<String>| part.as_deref().map(|text| format!("`{}`", text.trim()));
    let approved = match dialog.approves {
        Some(Approves::Command) => about(&detail.command),
        Some(Approves::Edit) => about(&detail.path).map(|path| format!("the edit of {path}")),
        Some(Approves::Fetch) => about(&detail.url).map(|url| format!("the fetch of {url}")),
        Some(Approves::Mcp) => about(&detail.tool).map(|tool| format!("the tool {tool}")),
        Some(Approves::Other) | None => None,
    };
    let text = match (dialog.kind, approved) {
        (AskKind::Approval, Some(approved)) => format!("approve {approved}"),
        (AskKind::Plan, _) => "approve the plan".to_owned(),
        _ => dialog.text.clone(),
    };
    short(&text)
}

fn short(text: &str) -> String {
    text.chars().map(|c| if c.is_control() { ' ' } else { c }).take(LONGEST).collect()
}
