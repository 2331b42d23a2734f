//! What Codex's answers have used.

use belfry_protocol::transcript::Usage;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::json::number;
use crate::out::Out;

/// The sum that was told last. It is told after every answer, sometimes twice, and begins anew where a conversation is gone on
/// with by an older version.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(transparent)]
pub(super) struct Counted([u64; 4]);

impl Counted {
    pub(super) fn count(&mut self, info: &Value, out: &mut Out<'_>) {
        let total = &info["total_token_usage"];
        if !total.is_object() {
            return;
        }
        let field = |usage: &Value, name: &str| number(&usage[name]);
        // What was sent has in it what came from the cache; what was written has the reasoning.
        let counts = |usage: &Value| {
            let (read, written) =
                (field(usage, "cached_input_tokens"), field(usage, "cache_write_input_tokens"));
            let input = field(usage, "input_tokens").saturating_sub(read).saturating_sub(written);
            [input, field(usage, "output_tokens"), read, written]
        };
        let now = counts(total);
        let anew = now.iter().zip(&self.0).any(|(now, before)| now < before);
        let before = if anew { [0; 4] } else { self.0 };
        let more: Vec<u64> = now.iter().zip(before).map(|(now, before)| now - before).collect();
        self.0 = now;
        if out.subagent.is_none() {
            let last = &info["last_token_usage"];
            out.summary.usage.context = Some(field(last, "total_tokens")).filter(|tokens| *tokens > 0);
            out.summary.usage.context_size =
                info["model_context_window"].as_u64().or(out.summary.usage.context_size);
        }
        if more.iter().any(|more| *more > 0) {
            out.used(Usage {
                input: more[0],
                output: more[1],
                cache_read: more[2],
                cache_write: more[3],
                ..Usage::default()
            });
        }
    }
}
