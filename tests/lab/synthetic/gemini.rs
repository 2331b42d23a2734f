//! Conversations in Gemini CLI's format.

use std::collections::BTreeMap;
use std::io::Write as _;
use std::path::Path;

use anyhow::Result;
use serde_json::{Value, json};

use super::{Amount, Plan, make};

pub(super) fn write(home: &Path, amount: Amount) -> Result<()> {
    let mut projects = BTreeMap::new();
    for mut plan in Plan::all(amount) {
        let (id, directory) = (plan.id(), plan.directory());
        let slug = directory.rsplit('/').next().unwrap_or_default().to_owned();
        let began = plan.stamp();
        let name = format!("session-{}-{}.jsonl", began[..16].replace(':', "-"), &id[..8]);
        projects.insert(directory, slug.clone());
        let mut out = make(&home.join(".gemini/tmp").join(slug).join("chats").join(name))?;
        let mut put = |record: Value| -> Result<u64> {
            let line = record.to_string();
            writeln!(out, "{line}")?;
            Ok(line.len() as u64)
        };
        let first = json!({ "sessionId": id, "projectHash": "0", "startTime": began, "lastUpdated": began, "kind": "main" });
        let mut written = put(first)?;
        let mut turns = 0;
        while turns == 0 || written < plan.bytes {
            turns += 1;
            let asked = 8 + plan.words.below(40);
            let content = json!([{ "text": plan.words.text(asked) }]);
            let (own, now) = (plan.id(), plan.stamp());
            written += put(json!({ "id": own, "timestamp": now, "type": "user", "content": content }))?;
            let (own, now, said) = (plan.id(), plan.stamp(), plan.words.text(60));
            let tokens = json!({
                "input": plan.words.below(90_000), "output": plan.words.below(900), "cached": 0, "thoughts": 5, "tool": 0, "total": 0,
            });
            let mut answer = json!({
                "id": own, "timestamp": now, "type": "gemini", "content": said, "thoughts": [], "tokens": tokens,
                "model": "gemini-3-pro",
            });
            written += put(answer.clone())?;
            // Written down again with its tools.
            if plan.words.below(2) == 0 {
                let bytes = 1 << plan.words.below(15);
                let response =
                    json!({ "functionResponse": { "response": { "output": plan.words.output(bytes) } } });
                answer["toolCalls"] = json!([{
                    "id": format!("call-{}", plan.words.number()), "name": "run_shell_command", "status": "success",
                    "args": { "command": format!("ls {}", plan.words.file()) }, "result": [response],
                }]);
                written += put(answer)?;
            }
            put(json!({ "$set": { "lastUpdated": plan.stamp() } }))?;
        }
        out.flush()?;
    }
    std::fs::create_dir_all(home.join(".gemini"))?;
    std::fs::write(home.join(".gemini/projects.json"), json!({ "projects": projects }).to_string())?;
    Ok(())
}
