//! Why the status is what it is.

use belfry_protocol::Reply;
use belfry_protocol::explain::{Evidence, Explanation, Missing, StatusChange};

use super::Engine;
use crate::session::clean;

/// Longest sentence of an observation, in characters.
const LONGEST: usize = 300;

impl Engine {
    pub(super) fn explain(&mut self, history: Vec<StatusChange>) -> Reply {
        let now = self.now();
        self.judge(now);
        let verdict = self.watch.verdict(now);
        let session = self.entry.session();
        let clean = |text: &str| clean::line(text, LONGEST);
        let guest = self.guest_evidence(now);
        let evidence = self.watch.arbiter().evidence(now).into_iter().chain(guest).map(|evidence| Evidence {
            what: clean(&evidence.what),
            why: evidence.why.as_deref().map(clean),
            ..evidence
        });
        let evidence = evidence.collect();
        let missing = self.watch.arbiter().missing().iter().map(|missing| Missing {
            why: clean(&missing.why),
            costs: clean(&missing.costs),
            ..missing.clone()
        });
        let missing = missing.collect();
        Reply::Explanation(Box::new(Explanation {
            version: self.version_words(),
            name: session.name,
            agent: session.agent,
            status: session.status,
            reason: session.reason.or(session.activity),
            // As the list has it: the arbiter knows no more than this daemon has seen.
            for_ms: crate::clock::since(session.since),
            activity_since: session.activity_since,
            rule: verdict.rule.sentence().to_owned(),
            evidence,
            missing,
            history,
        }))
    }

    /// The version, and whether the rules were made for it.
    fn version_words(&self) -> Option<String> {
        let version = self.version.as_deref()?;
        let known = self.agent().and_then(|agent| agent.measured(version));
        let note = match known {
            Some(true) | None => "",
            Some(false) => " (the rules were made for other versions)",
        };
        Some(clean::line(&format!("{version}{note}"), LONGEST))
    }
}
