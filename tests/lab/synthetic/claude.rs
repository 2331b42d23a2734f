//! Conversations in Claude Code's format.

use std::io::Write as _;
use std::path::Path;

use anyhow::Result;
use serde_json::{Value, json};

use super::{Amount, Plan, folder_of, make};

pub(super) fn write(home: &Path, amount: Amount) -> Result<()> {
    for mut plan in Plan::all(amount) {
        let (id, directory) = (plan.id(), plan.directory());
        let file = home.join(".claude/projects").join(folder_of(&directory)).join(format!("{id}.jsonl"));
        let mut out = make(&file)?;
        let mut written = 0;
        let mut last = Value::Null;
        let mut put = |plan: &mut Plan, mut record: Value| -> Result<u64> {
            let uuid = plan.id();
            let more = json!({
                "uuid": uuid, "parentUuid": last, "isSidechain": false, "sessionId": id, "cwd": directory,
                "version": "2.1.332", "gitBranch": "main", "timestamp": plan.stamp(), "userType": "external",
            });
            if let (Some(record), Some(more)) = (record.as_object_mut(), more.as_object()) {
                record.extend(more.clone());
            }
            last = uuid.into();
            let line = record.to_string();
            writeln!(out, "{line}")?;
            Ok(line.len() as u64)
        };
        while written == 0 || written < plan.bytes {
            let asked = 8 + plan.words.below(40);
            let asked = plan.words.text(asked);
            written +=
                put(&mut plan, json!({ "type": "user", "message": { "role": "user", "content": asked } }))?;
            for _ in 0..plan.words.below(4) {
                written += tool(&mut plan, &mut put)?;
            }
            let said = plan.words.text(60);
            written += answer(&mut plan, &mut put, &json!({ "type": "text", "text": said }))?;
            written +=
                put(&mut plan, json!({ "type": "system", "subtype": "turn_duration", "durationMs": 381 }))?;
        }
        out.flush()?;
    }
    Ok(())
}

type Put<'a> = dyn FnMut(&mut Plan, Value) -> Result<u64> + 'a;

fn answer(plan: &mut Plan, put: &mut Put<'_>, block: &Value) -> Result<u64> {
    let usage = json!({
        "input_tokens": 3 + plan.words.below(500), "output_tokens": plan.words.below(900),
        "cache_read_input_tokens": plan.words.below(90_000), "cache_creation_input_tokens": plan.words.below(4000),
    });
    let id = format!("msg_{}", plan.words.number());
    let message = json!({
        "id": id, "type": "message", "role": "assistant", "model": "claude-opus-4-8", "content": [block], "usage": usage,
    });
    put(plan, json!({ "type": "assistant", "message": message }))
}

fn tool(plan: &mut Plan, put: &mut Put<'_>) -> Result<u64> {
    let id = format!("toolu_{}", plan.words.number());
    let file = format!("/home/someone/{}", plan.words.file());
    let (name, input) = match plan.words.below(3) {
        0 => (
            "Bash",
            json!({ "command": format!("cargo test {}", plan.words.word()), "description": plan.words.text(4) }),
        ),
        1 => ("Read", json!({ "file_path": file })),
        _ => {
            let (old, new) = (plan.words.output(200), plan.words.output(200));
            ("Edit", json!({ "file_path": file, "old_string": old, "new_string": new }))
        }
    };
    let mut written =
        answer(plan, put, &json!({ "type": "tool_use", "id": id, "name": name, "input": input }))?;
    let bytes = 1 << plan.words.below(15);
    let output = plan.words.output(bytes);
    let content = json!([{ "type": "tool_result", "tool_use_id": id, "content": output, "is_error": false }]);
    let told = json!({ "stdout": output, "stderr": "", "interrupted": false });
    let record =
        json!({ "type": "user", "message": { "role": "user", "content": content }, "toolUseResult": told });
    written += put(plan, record)?;
    Ok(written)
}
