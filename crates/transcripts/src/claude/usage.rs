//! What Claude Code's answers have used.

use std::collections::VecDeque;

use belfry_protocol::transcript::Usage;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::clean;
use crate::json::number;
use crate::out::Out;

/// Answers that are remembered. One answer is several records, between which there may be those of a few subagents.
const REMEMBERED: usize = 24;

/// What was counted of the last answers. Each of an answer's records has the usage of the whole, as far as it was known then:
/// the first ones know little of what is written.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(transparent)]
pub(crate) struct Counted(VecDeque<(String, [u64; 4])>);

impl Counted {
    pub(crate) fn count(&mut self, message: &Value, out: &mut Out<'_>) {
        let usage = &message["usage"];
        let (Some(id), true) = (message["id"].as_str(), usage.is_object()) else { return };
        let fields =
            ["input_tokens", "output_tokens", "cache_read_input_tokens", "cache_creation_input_tokens"];
        let told = fields.map(|field| number(&usage[field]));
        let id = clean::name(id);
        let at = self.0.iter().position(|(other, _)| *other == id).unwrap_or_else(|| {
            if self.0.len() >= REMEMBERED {
                self.0.pop_front();
            }
            self.0.push_back((id, [0; 4]));
            self.0.len() - 1
        });
        let Some((_, before)) = self.0.get_mut(at) else { return };
        let more: Vec<u64> =
            told.iter().zip(&*before).map(|(told, before)| told.saturating_sub(*before)).collect();
        for (before, told) in before.iter_mut().zip(told) {
            *before = told.max(*before);
        }
        let [input, output, read, write] = *before;
        if out.subagent.is_none() {
            out.summary.usage.context =
                Some(input.saturating_add(output).saturating_add(read).saturating_add(write));
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
