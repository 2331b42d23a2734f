//! Subagents and background shells.

use std::collections::BTreeMap;

use belfry_protocol::signal::Source;

use crate::observation::{Task, TaskKind};

/// So many are remembered; of more, the oldest are forgotten.
const MOST: usize = 256;

/// What is known of one.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Known {
    pub(crate) kind: TaskKind,
    pub(crate) source: Source,
    pub(crate) lives: bool,
    /// When that was last said.
    pub(crate) at: u64,
}

/// All that go on beside the turn.
#[derive(Clone, Debug, Default)]
pub(crate) struct Tasks(BTreeMap<String, Known>);

impl Tasks {
    /// Takes in that one begins or ends, unless something newer is known of it.
    pub(crate) fn hear(&mut self, task: Task, at: u64) {
        let known = self.0.get(&task.id);
        // An end is final, also where the word of its beginning comes later.
        if known.is_some_and(|known| known.at > at || (known.at == at && !known.lives)) {
            return;
        }
        // One source calls a task what another only counts.
        let kind = match (task.kind, known) {
            (TaskKind::Unknown, Some(known)) => known.kind,
            (kind, _) => kind,
        };
        self.0.insert(task.id, Known { kind, source: task.source, lives: task.lives, at });
        while self.0.len() > MOST {
            let oldest = self.0.iter().min_by_key(|(_, known)| (known.lives, known.at));
            let Some(oldest) = oldest.map(|(id, _)| id.clone()) else { break };
            self.0.remove(&oldest);
        }
    }

    /// Those of a kind that have not ended.
    pub(crate) fn alive(&self, kind: TaskKind) -> impl Iterator<Item = &Known> {
        self.0.values().filter(move |known| known.lives && known.kind == kind)
    }
}
