//! Transcripts line by line, in the shapes that were measured.

#![allow(clippy::unwrap_used, reason = "helpers of tests, where a panic is a failed test")]

use belfry_agents::transcripts::{ClaudeTranscript, CodexRollout};
use belfry_agents::{Activity, Told};
use belfry_protocol::Says;
use serde_json::{Value, json};

fn claude(transcript: &mut ClaudeTranscript, kind: &str, rest: &Value) -> Option<Told> {
    let mut line = json!({ "type": kind, "sessionId": "S", "timestamp": "2026-11-29T10:00:00.250Z" });
    line.as_object_mut().unwrap().extend(rest.as_object().unwrap().clone());
    transcript.line(line.to_string().as_bytes())
}

fn assistant(id: &str, block: &Value) -> Value {
    json!({ "message": { "id": id, "role": "assistant", "content": [block] } })
}

fn result(of: &str) -> Value {
    json!({ "message": { "role": "user", "content": [{ "type": "tool_result", "tool_use_id": of, "content": "x" }] } })
}

#[test]
#[ntest::timeout(60000)]
fn a_turn_of_claude() {
    let mut transcript = ClaudeTranscript::default();
    let call = |id: &str, command: &str| json!({ "type": "tool_use", "id": id, "name": "Bash", "input": { "command": command } });
    let now = |text: &str| Activity::Tool(text.to_owned());
    let mut line = |kind: &str, rest: &Value| {
        claude(&mut transcript, kind, rest).map(|told| (told.says, told.activity, told.at_ms))
    };
    let at = Some(1_795_946_400_250);
    let working = Some(Says::Working);
    assert_eq!(
        line("user", &json!({ "message": { "content": "hello" } })),
        Some((working, Activity::Over, at))
    );
    assert_eq!(line("user", &json!({ "isMeta": true, "message": { "content": "x" } })), None);
    assert_eq!(line("attachment", &json!({})), None);
    assert_eq!(
        line("assistant", &assistant("m1", &call("t1", "ls"))),
        Some((working, now("Running ls"), at))
    );
    assert_eq!(
        line("assistant", &assistant("m1", &call("t2", "pwd"))),
        Some((working, now("Running pwd"), at))
    );
    assert_eq!(line("user", &result("t2")), Some((working, now("Running ls"), at)));
    assert_eq!(line("user", &result("t1")), Some((working, Activity::Over, at)));
    // A result that was too long to be read is not waited for.
    assert_eq!(line("assistant", &assistant("m2", &call("t3", "a"))), Some((working, now("Running a"), at)));
    let text = json!({ "type": "text", "text": "done" });
    assert_eq!(line("assistant", &assistant("m3", &text)), Some((working, Activity::Over, at)));
    let over = json!({ "subtype": "turn_duration", "durationMs": 381 });
    assert_eq!(line("system", &over), Some((Some(Says::Done), Activity::Over, at)));
    let esc = json!({ "message": { "content": [{ "type": "text", "text": "[Request interrupted by user for tool use]" }] } });
    assert_eq!(line("user", &esc), Some((Some(Says::Idle), Activity::Over, at)));
    let retry = json!({ "subtype": "api_error", "retryAttempt": 2, "maxRetries": 10 });
    assert_eq!(line("system", &retry), Some((working, Activity::Retrying("attempt 2 of 10".to_owned()), at)));
    let mut failed = assistant("m4", &json!({ "type": "text", "text": "API Error: Repeated 529" }));
    failed["isApiErrorMessage"] = json!(true);
    assert_eq!(line("assistant", &failed), Some((Some(Says::Failed), Activity::Over, at)));
    let mut inner = assistant("m5", &call("t9", "x"));
    inner["isSidechain"] = json!(true);
    assert_eq!(line("assistant", &inner), None, "a subagent's");
}

#[test]
#[ntest::timeout(60000)]
fn a_turn_of_codex() {
    let mut rollout = CodexRollout::default();
    let mut line = |kind: &str, payload: Value| {
        let line =
            json!({ "timestamp": "2026-11-29T10:00:00Z", "ordinal": 1, "type": kind, "payload": payload });
        rollout.line(line.to_string().as_bytes()).map(|told| (told.says, told.activity))
    };
    let now = |text: &str| Activity::Tool(text.to_owned());
    let working = Some(Says::Working);
    assert_eq!(line("session_meta", json!({ "id": "U" })), None);
    assert_eq!(
        line("event_msg", json!({ "type": "task_started", "turn_id": "T" })),
        Some((working, Activity::Over))
    );
    let call = json!({ "type": "function_call", "name": "exec_command", "arguments": "{\"cmd\":\"cargo test\"}", "call_id": "c" });
    assert_eq!(line("response_item", call), Some((working, now("Running cargo test"))));
    let patch = json!({ "type": "custom_tool_call", "name": "apply_patch", "call_id": "p",
        "input": "*** Begin Patch\n*** Add File: src/new.rs\n" });
    assert_eq!(line("response_item", patch), Some((working, now("Editing new.rs"))));
    let output = |id: &str| json!({ "type": "function_call_output", "call_id": id, "output": "x" });
    assert_eq!(line("response_item", output("p")), Some((working, now("Running cargo test"))));
    assert_eq!(line("response_item", output("c")), Some((working, Activity::Over)));
    assert_eq!(line("event_msg", json!({ "type": "task_complete", "turn_id": "older" })), None);
    assert_eq!(
        line("event_msg", json!({ "type": "task_complete", "turn_id": "T" })),
        Some((Some(Says::Done), Activity::Over))
    );
    let aborted = json!({ "type": "turn_aborted", "turn_id": "T", "reason": "interrupted" });
    assert_eq!(line("event_msg", aborted), Some((Some(Says::Idle), Activity::Over)));
    assert_eq!(line("token_usage_record", json!({})), None);

    let meta = |source: Value| {
        json!({ "type": "session_meta", "payload": { "id": "U", "source": source } }).to_string()
    };
    assert_eq!(CodexRollout::conversation(meta(json!("cli")).as_bytes()).as_deref(), Some("U"));
    assert_eq!(CodexRollout::conversation(meta(json!({ "subagent": "review" })).as_bytes()), None);
    assert_eq!(CodexRollout::conversation(b"{\"type\":\"session_meta\",\"payload\":{\"id\":"), None);
}

#[test]
#[ntest::timeout(60000)]
fn lines_that_are_none_are_passed_over() {
    let odd: [&[u8]; 8] = [
        b"",
        b"{",
        b"null",
        b"[[[[",
        b"\xff\xfe",
        b"{\"type\":\"assistant\"}",
        b"{\"type\":\"user\",\"message\":{\"content\":[1,{\"text\":3}]}}",
        b"{\"type\":\"event_msg\",\"payload\":[]}",
    ];
    for line in odd {
        assert_eq!(ClaudeTranscript::default().line(line), None, "{line:?}");
        assert_eq!(CodexRollout::default().line(line), None, "{line:?}");
    }
    let deep = [b"{\"type\":\"user\",\"message\":".as_slice(), &b"[".repeat(100_000)].concat();
    assert_eq!(ClaudeTranscript::default().line(&deep), None);
}
