//! Which hit is shown before which.

use crate::words::Role;

/// Time after which a hit counts half as much as one of now, in milliseconds: a month.
const HALF: f64 = 30.0 * 86_400_000.0;

/// What a role's hit counts: what was asked before what was answered, and that before what tools print; last what a terminal showed,
/// which of an agent's is what the conversation says as well.
pub(crate) fn weight(role: i64) -> f64 {
    match role {
        role if role == Role::Title as i64 => 3.0,
        role if role == Role::Prompt as i64 => 2.0,
        role if role == Role::Answer as i64 => 1.2,
        role if role == Role::Thought as i64 => 0.8,
        role if role == Role::Tool as i64 => 0.8,
        role if role == Role::Scrollback as i64 => 0.4,
        _ => 0.5,
    }
}

/// How good a hit is; more is better. `fit` is the negative of the database's `bm25`, or 1 where there were too many hits to ask for
/// it. Age never takes more than four fifths: a hit of last year that fits far better comes first.
pub(crate) fn rank(fit: f64, role: i64, age_ms: i64) -> f64 {
    let age = age_ms.max(0) as f64;
    fit.max(0.000_001) * weight(role) * (0.2 + 0.8 * HALF / (HALF + age))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn newer_and_asked_come_first() {
        let prompt = Role::Prompt as i64;
        let result = Role::Result as i64;
        assert!(rank(1.0, prompt, 0) > rank(1.0, prompt, 1 << 32));
        assert!(rank(1.0, prompt, 0) > rank(1.0, result, 0));
        assert!(rank(8.0, prompt, i64::MAX) > rank(1.0, prompt, 0));
    }
}
