//! Which process has the terminal, and whether it sleeps until something is typed. Looked at when the daemon asks.

use belfry_platform::process::{self, Member};
use belfry_protocol::keeper::{Front, Waits};

/// Processes of a group that are looked at: a pipeline is short, and what a build starts asks nothing.
const MOST: usize = 32;

/// The process of that group that waits for the terminal with that device number; else the group's first. `program` is what the
/// session runs: a shell, most of the time, whose children the parts of a pipeline are.
pub(crate) fn front(group: u32, program: u32, terminal: u64) -> Option<Front> {
    let first = look(group, terminal);
    if first.as_ref().is_some_and(|front| front.waits == Waits::Reads) {
        return first;
    }
    // The first may wait for a child, which asks: git for its helper, a script for what it runs. Or it feeds the one that asks,
    // and may be gone.
    let members = members(group, program).into_iter().take(MOST);
    let others = members.filter_map(|member| look(member.identity.pid, terminal));
    others.fold(first, |best, other| match best {
        Some(best) if weight(best.waits) >= weight(other.waits) => Some(best),
        _ => Some(other),
    })
}

fn weight(waits: Waits) -> u8 {
    match waits {
        Waits::Reads => 2,
        Waits::Polls => 1,
        Waits::No | Waits::Unknown => 0,
    }
}

/// What a group's first process, or the session's program, has started in that group.
fn members(group: u32, program: u32) -> Vec<Member> {
    let mut found: Vec<Member> = Vec::new();
    let mut parents = vec![group];
    if program != group {
        parents.push(program);
    }
    while let Some(parent) = parents.pop() {
        for child in process::children(parent) {
            let known =
                child.identity.pid == group || found.iter().any(|known| known.identity == child.identity);
            if found.len() < MOST && !known && child.group == group && !child.zombie {
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
