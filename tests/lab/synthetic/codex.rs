//! Conversations in Codex's format.

use std::io::Write as _;
use std::path::Path;

use anyhow::Result;
use serde_json::{Value, json};

use super::{Amount, Plan, make};

pub(super) fn write(home: &Path, amount: Amount) -> Result<()> {
    for mut plan in Plan::all(amount) {
        let (id, directory) = (plan.id(), plan.directory());
        let began = plan.stamp();
        let (day, time) = (began[..10].replace('-', "/"), began[..19].replace(':', "-"));
        let file = home.join(".codex/sessions").join(day).join(format!("rollout-{time}-{id}.jsonl"));
        let mut out = make(&file)?;
        let mut put = |plan: &mut Plan, kind: &str, payload: Value| -> Result<u64> {
            let line = json!({ "timestamp": plan.stamp(), "type": kind, "payload": payload }).to_string();
            writeln!(out, "{line}")?;
            Ok(line.len() as u64)
        };
        let meta = json!({
            "id": id, "timestamp": began, "cwd": directory, "originator": "codex-tui", "cli_version": "0.171.0", "source": "cli",
            "git": { "branch": "main" },
        });
        let mut written = put(&mut plan, "session_meta", meta)?;
        let (mut input, mut output) = (0, 0);
        let mut turn = 0;
        while turn == 0 || written < plan.bytes {
            turn += 1;
            let turn_id = plan.id();
            let context = json!({ "cwd": directory, "model": "gpt-5.5-codex", "turn_id": turn_id });
            put(&mut plan, "event_msg", json!({ "type": "task_started", "turn_id": turn_id }))?;
            put(&mut plan, "turn_context", context)?;
            let asked = 8 + plan.words.below(40);
            let asked = plan.words.text(asked);
            let content = json!([{ "type": "input_text", "text": asked }]);
            let message = json!({ "type": "message", "role": "user", "content": content });
            written += put(&mut plan, "response_item", message)?;
            written += put(&mut plan, "event_msg", json!({ "type": "user_message", "message": asked }))?;
            for _ in 0..plan.words.below(4) {
                let call = format!("call_{}", plan.words.number());
                let arguments =
                    json!({ "cmd": format!("rg {} {}", plan.words.word(), plan.words.file()) }).to_string();
                let item = json!({ "type": "function_call", "name": "exec_command", "arguments": arguments, "call_id": call });
                written += put(&mut plan, "response_item", item)?;
                let bytes = 1 << plan.words.below(15);
                let printed = format!("Process exited with code 0\nOutput:\n{}", plan.words.output(bytes));
                let item = json!({ "type": "function_call_output", "call_id": call, "output": printed });
                written += put(&mut plan, "response_item", item)?;
            }
            let said = plan.words.text(60);
            let content = json!([{ "type": "output_text", "text": said }]);
            written += put(
                &mut plan,
                "response_item",
                json!({ "type": "message", "role": "assistant", "content": content }),
            )?;
            input += plan.words.below(50_000);
            output += plan.words.below(900);
            let total =
                json!({ "input_tokens": input, "cached_input_tokens": input / 2, "output_tokens": output });
            let last = json!({ "total_tokens": plan.words.below(100_000) });
            let info = json!({ "total_token_usage": total, "last_token_usage": last, "model_context_window": 272_000 });
            written += put(&mut plan, "event_msg", json!({ "type": "token_count", "info": info }))?;
            put(&mut plan, "event_msg", json!({ "type": "task_complete", "turn_id": turn_id }))?;
        }
        out.flush()?;
    }
    Ok(())
}
