//! Claude Code: a folder for each directory, a file in it for each conversation. Measured with 2.1.197 to 2.1.332.

use std::path::Path;

use super::{Found, entries, first_line, id_before, regular};

pub(super) fn find(home: &Path, all: &mut Vec<Found>) {
    for folder in entries(&home.join("projects")) {
        for entry in entries(&folder.path()) {
            let name = entry.file_name();
            let Some(name) = name.to_str() else { continue };
            let path = entry.path();
            let Some(id) = id_before(name, ".jsonl") else {
                // Beside a conversation, what belongs to it.
                subagents(&path.join("subagents"), name, all);
                continue;
            };
            let Some(meta) = regular(&path) else { continue };
            // Before 2.1 subagents lay beside the conversations, and only their content says whose they are.
            if let Some(agent) = id.strip_prefix("agent-") {
                let line = first_line(&path).unwrap_or_default();
                if let Some(parent) = line["sessionId"].as_str() {
                    let agent = agent.to_owned();
                    let mut found = Found::file_of("claude", crate::clean::name(parent), path, &meta);
                    found.subagent = Some(agent);
                    all.push(found);
                }
                continue;
            }
            all.push(Found::file_of("claude", id.to_owned(), path, &meta));
        }
    }
}

fn subagents(folder: &Path, conversation: &str, all: &mut Vec<Found>) {
    for entry in entries(folder) {
        let name = entry.file_name();
        let Some(id) = name.to_str().and_then(|name| id_before(name, ".jsonl")) else { continue };
        let path = entry.path();
        let Some(meta) = regular(&path) else { continue };
        let mut found = Found::file_of("claude", conversation.to_owned(), path, &meta);
        found.subagent = Some(id.strip_prefix("agent-").unwrap_or(id).to_owned());
        all.push(found);
    }
}
