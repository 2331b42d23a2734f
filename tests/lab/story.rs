//! What the model does in the pictures of the window: work on a small shop, instead of words for tests.

use std::time::Duration;

use serde_json::{Value, json};

use super::script::{Step, call, say};
use super::turn::{Asker, Turn};

/// The prompts that the pictures' agents are started with.
pub const TOTALS: &str = "Totals are off by one cent on split tax";
/// Ends in a question about a command.
pub const TOKENS: &str = "Rotate refresh tokens and revoke the old family on reuse";
/// Ends in a question with choices.
pub const EXPORT: &str = "Export the orders for accounting";
/// Ends at once.
pub const IMAGES: &str = "Resize images once, when they are uploaded";

/// What follows the prompt, if it is one of these.
pub(crate) fn by_prompt(turn: &Turn, prompt: &str) -> Option<Vec<Step>> {
    let is = |told: &str| prompt.starts_with(&told.to_lowercase());
    if is(TOTALS) {
        return Some(totals(turn));
    }
    if is(TOKENS) {
        return Some(match turn.results {
            0 => vec![
                say("I'll look at the store first."),
                shell(turn, "sed -n 1,40p src/auth/store.rs", false),
            ],
            1 => vec![
                say(
                    "Reuse has to revoke the whole family. The store does that now; its slow tests are left.",
                ),
                shell(turn, "cargo test -p auth -- --ignored", true),
            ],
            _ => vec![say("All of them pass.")],
        });
    }
    if is(EXPORT) {
        let format = |label: &str, about: &str| json!({ "label": label, "description": about });
        let options = [
            format("CSV", "Opens everywhere; one file a month"),
            format("Parquet", "Smaller, and typed; for the warehouse"),
        ];
        let question = json!({
            "question": "Which file format should the export use?",
            "header": "Format",
            "multiSelect": false,
            "options": options,
        });
        return Some(match turn.results {
            0 => vec![call("AskUserQuestion", json!({ "questions": [question] }))],
            _ => vec![say("I'll use that.")],
        });
    }
    is(IMAGES).then(|| {
        vec![say(
            "Images are resized when they are uploaded, to the four widths that pages ask for; what was there before is \
             resized when it is first asked for. All tests pass.",
        )]
    })
}

fn totals(turn: &Turn) -> Vec<Step> {
    if turn.results == 0 {
        return vec![
            say("I'll start with where a total is rounded."),
            shell(turn, "grep -n rate src/cart/total.rs", false),
        ];
    }
    let found = "Tax is taken from the sum and rounded once, while each line of the invoice shows its own, rounded for \
        itself. With a split rate the two differ by a cent.\n\nThe parts have to add up to the whole, so the whole should be \
        made of the parts:\n\n- reckon the tax of each line in tenths of a cent,\n- give each line its whole cents,\n- and hand \
        what is left over to the lines with the largest rest, as accountants do.\n\nThe tests that pin totals today stay as \
        they are; the new ones take the orders that customers wrote about, line by line, in both currencies.";
    vec![Step::Say(found.to_owned(), Duration::from_millis(420))]
}

fn shell(turn: &Turn, command: &str, asks: bool) -> Step {
    if turn.asker != Asker::Codex {
        return call("Bash", json!({ "command": command, "description": "Look around" }));
    }
    let name = turn.tool(&["exec_command", "shell_command"]);
    let mut arguments =
        if name == "shell_command" { json!({ "command": command }) } else { json!({ "cmd": command }) };
    if asks {
        arguments["sandbox_permissions"] = Value::from("require_escalated");
        arguments["justification"] = Value::from("Run the slow tests, which start a database?");
    }
    call(name, arguments)
}
