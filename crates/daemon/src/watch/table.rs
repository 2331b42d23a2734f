//! How far an agent's sources are trusted, from its rules.

use belfry_protocol::signal::Source;
use belfry_status::{Questions, Table, Trust};

use super::Known;

/// The arbiter's table for an agent; for a program without rules, that of any program.
pub fn table(known: Option<Known<'_>>) -> Table {
    let Some(Known { agent, version }) = known else { return Table::of_any_program() };
    let mut table = Table::default();
    for (source, given) in agent.trust(version) {
        let mut trust = Trust::of(source, given.rank);
        (trust.keeps_ms, trust.repeats_ms) = (given.keeps_ms, given.repeats_ms);
        // What tells a state is right as long as it stands, however late it was: only of events that is a hole.
        if !trust.level {
            trust.lag_ms = trust.lag_ms.max(given.lag_ms);
        }
        if let Some(questions) = given.questions {
            trust.questions = match questions {
                belfry_agents::Questions::None => Questions::None,
                belfry_agents::Questions::Most => Questions::Most,
                belfry_agents::Questions::All => Questions::All,
            };
        }
        trust.structured = given.structured.unwrap_or(trust.structured);
        table.set(source, trust);
    }
    table.screen_rules = agent.shows_what_it_holds();
    table.screen_shows_work = agent.screen_shows_work(version);
    table.work_moves = table.screen_rules;
    table.quiet_is_idle = table.get(Source::Screen).is_none() || !table.screen_rules;
    table
}
