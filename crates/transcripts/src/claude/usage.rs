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
    /// Counts an answer, and gives how much more that is than before, in units of price.
    pub(crate) fn count(&mut self, message: &Value, out: &mut Out<'_>) -> f64 {
        let Some(Step { more, all }) = self.step(message) else { return 0.0 };
        if out.subagent.is_none() {
            out.summary.usage.context = Some(all.iter().fold(0, |sum, one| sum.saturating_add(*one)));
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
        price(more)
    }

    /// The same of an answer that was paid elsewhere.
    pub(crate) fn pass_over(&mut self, message: &Value) -> f64 {
        self.step(message).map_or(0.0, |step| price(step.more))
    }

    fn step(&mut self, message: &Value) -> Option<Step> {
        let usage = &message["usage"];
        let id = message["id"].as_str().filter(|_| usage.is_object())?;
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
        let (_, all) = self.0.get_mut(at)?;
        let mut more = [0; 4];
        for ((all, told), more) in all.iter_mut().zip(told).zip(&mut more) {
            *more = told.saturating_sub(*all);
            *all = told.max(*all);
        }
        Some(Step { more, all: *all })
    }
}

/// What a record adds to what is known of its answer: in, out, read from the cache, written to it.
struct Step {
    more: [u64; 4],
    all: [u64; 4],
}

/// In units of what a token that is sent costs, by the ratios of the price list, which are the same for all models.
fn price([input, output, read, write]: [u64; 4]) -> f64 {
    input as f64 + 5.0 * output as f64 + 0.1 * read as f64 + 1.25 * write as f64
}
