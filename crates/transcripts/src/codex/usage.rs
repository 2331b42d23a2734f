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
pub(super) struct Counted([u64; 3]);

impl Counted {
    pub(super) fn count(&mut self, info: &Value, out: &mut Out<'_>) {
        let total = &info["total_token_usage"];
        if !total.is_object() {
            return;
        }
        let field = |usage: &Value, name: &str| number(&usage[name]);
        // What was sent has in it what came from the cache; what was written has the reasoning.
        let counts = |usage: &Value| {
            let cached = field(usage, "cached_input_tokens");
            [field(usage, "input_tokens").saturating_sub(cached), field(usage, "output_tokens"), cached]
        };
        let now = counts(total);
        let anew = now.iter().zip(&self.0).any(|(now, before)| now < before);
        let before = if anew { [0; 3] } else { self.0 };
        let [input, output, cache_read] = [now[0] - before[0], now[1] - before[1], now[2] - before[2]];
        self.0 = now;
        if out.subagent.is_none() {
            let last = &info["last_token_usage"];
            out.summary.usage.context = Some(field(last, "total_tokens")).filter(|tokens| *tokens > 0);
            out.summary.usage.context_size =
                info["model_context_window"].as_u64().or(out.summary.usage.context_size);
        }
        if input + output + cache_read > 0 {
            out.used(Usage { input, output, cache_read, ..Usage::default() });
        }
    }
}
