//! Which process has the terminal, and whether it sleeps until something is typed. Looked at when the daemon asks.

use belfry_platform::process::{self, Member};
use belfry_protocol::keeper::{Front, Waits};

/// Processes of a group that are looked at: a pipeline is short, and what a build starts asks nothing.
const MOST: usize = 32;

/// The process of that group, and of what it has started in it, that waits for the terminal with that device number; else
/// the group's first.
pub(crate) fn front(group: u32, terminal: u64) -> Option<Front> {
    let first = look(group, terminal);
    if first.as_ref().is_some_and(|front| front.waits == Waits::Reads) {
        return first;
    }
    // The first may wait for a child, which asks: git for its helper, a script for what it runs.
    let below = below(group).into_iter().take(MOST).filter_map(|member| look(member.identity.pid, terminal));
    let asking = below.max_by_key(|front| weight(front.waits));
    match (first, asking) {
        (Some(first), Some(asking)) if weight(asking.waits) > weight(first.waits) => Some(asking),
        (first, asking) => first.or(asking),
    }
}

fn weight(waits: Waits) -> u8 {
    match waits {
        Waits::Reads => 2,
        Waits::Polls => 1,
        Waits::No | Waits::Unknown => 0,
    }
}

/// What a group's first process has started in the same group.
fn below(group: u32) -> Vec<Member> {
    let mut found: Vec<Member> = Vec::new();
    let mut parents = vec![group];
    while let Some(parent) = parents.pop() {
        for child in process::children(parent) {
            let new = !found.iter().any(|known| known.identity == child.identity);
            if found.len() < MOST && new && child.group == group && !child.zombie {
                parents.push(child.identity.pid);
                found.push(child);
            }
        }
    }
    found
}

fn look(pid: u32, terminal: u64) -> Option<Front> {
    let name = process::name(pid)?;
    let command = process::command_line(pid).unwrap_or_else(|| name.clone());
    let waits = match process::waits(pid, terminal) {
        process::Waits::No => Waits::No,
        process::Waits::Reads => Waits::Reads,
        process::Waits::Polls => Waits::Polls,
        process::Waits::Unknown => Waits::Unknown,
    };
    Some(Front { pid, name, command: command.chars().take(Front::COMMAND).collect(), waits })
}
