//! The README's table of what can be done with each agent's conversations is what the agents' own modules say.

use std::fmt::Write as _;
use std::path::Path;

use belfry_agents::{Agent, Agents};

const BEGIN: &str = "<!-- agents: made by a test from crates/agents; see crates/agents/tests/table.rs -->\n";
const END: &str = "<!-- agents: end -->";

fn row(agent: &Agent) -> String {
    let can = agent.can();
    let mark = |is: bool| if is { "yes" } else { "–" };
    let fork = match can.fork {
        true => "yes",
        false if agent.takes().prompt => "handover",
        false => "–",
    };
    format!(
        "| {} | {} | {fork} | {} | {} | {} |\n",
        agent.name(),
        mark(can.resume),
        mark(can.fork_earlier),
        mark(can.history),
        mark(can.find)
    )
}

#[test]
fn the_readme_says_what_the_agents_can() {
    let head = "| agent | resume | fork | fork at an earlier turn | past conversations | which one a process is in |\n";
    let mut table = format!("{head}|---|---|---|---|---|---|\n");
    for agent in Agents::built_in().iter().filter(|agent| agent.id() != "shell") {
        let _ = write!(table, "{}", row(agent));
    }
    let readme = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../README.md");
    let text = std::fs::read_to_string(readme).expect("the README");
    let (_, rest) = text.split_once(BEGIN).expect("the beginning of the table");
    let (found, _) = rest.split_once(END).expect("the end of the table");
    assert_eq!(found, table, "the README's table is to be:\n{table}");
}
