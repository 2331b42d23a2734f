//! Conversations in OpenCode's database.

use std::path::Path;

use anyhow::Result;
use rusqlite::{Connection, params};
use serde_json::{Value, json};

use super::{Amount, Plan};

/// As far as it is read.
const TABLES: &str = "
CREATE TABLE session (id TEXT PRIMARY KEY, project_id TEXT, parent_id TEXT, directory TEXT, title TEXT, version TEXT,
    time_created INTEGER, time_updated INTEGER, time_archived INTEGER);
CREATE TABLE message (id TEXT PRIMARY KEY, session_id TEXT, time_created INTEGER, time_updated INTEGER, data TEXT);
CREATE TABLE part (id TEXT PRIMARY KEY, message_id TEXT, session_id TEXT, time_created INTEGER, time_updated INTEGER, data TEXT);
CREATE INDEX message_session_idx ON message (session_id);
CREATE INDEX part_session_idx ON part (session_id);
CREATE INDEX part_message_idx ON part (message_id);
";

pub(super) fn write(home: &Path, amount: Amount) -> Result<()> {
    let folder = home.join(".local/share/opencode");
    std::fs::create_dir_all(&folder)?;
    let mut database = Connection::open(folder.join("opencode.db"))?;
    database.execute_batch("PRAGMA synchronous = OFF;")?;
    database.execute_batch(TABLES)?;
    let transaction = database.transaction()?;
    for mut plan in Plan::all(amount) {
        let session = format!("ses_{}", plan.id().replace('-', ""));
        let (directory, title, began) = (plan.directory(), plan.words.text(5), plan.now);
        let mut written = 0;
        while written == 0 || written < plan.bytes {
            written += turn(&transaction, &session, &mut plan)?;
        }
        transaction.execute(
            "INSERT INTO session VALUES (?1, 'p', NULL, ?2, ?3, '1.18.33', ?4, ?5, NULL)",
            params![session, directory, title, began, plan.now],
        )?;
    }
    transaction.commit()?;
    Ok(())
}

fn turn(database: &Connection, session: &str, plan: &mut Plan) -> Result<u64> {
    let asked = 8 + plan.words.below(40);
    let asked = plan.words.text(asked);
    let mut written = 0;
    let message = message(database, session, plan, &json!({ "role": "user" }))?;
    written += part(database, session, &message, plan, &json!({ "type": "text", "text": asked }))?;
    let tokens = json!({
        "input": plan.words.below(9000), "output": plan.words.below(900), "reasoning": 0,
        "cache": { "read": plan.words.below(90_000), "write": 0 },
    });
    let now = plan.now;
    let about = json!({
        "role": "assistant", "modelID": "mock-model", "providerID": "mock", "cost": 0.01, "tokens": tokens,
        "time": { "created": now, "completed": now + 1000 },
    });
    let answer = self::message(database, session, plan, &about)?;
    for _ in 0..plan.words.below(4) {
        let bytes = 1 << plan.words.below(15);
        let state = json!({
            "status": "completed", "input": { "command": format!("ls {}", plan.words.file()) },
            "output": plan.words.output(bytes), "title": "ls", "metadata": {}, "time": { "start": now, "end": now + 10 },
        });
        let data = json!({ "type": "tool", "tool": "bash", "callID": format!("call_{}", plan.words.number()), "state": state });
        written += part(database, session, &answer, plan, &data)?;
    }
    let said = plan.words.text(60);
    let data = json!({ "type": "text", "text": said, "time": { "start": now, "end": now + 1 } });
    written += part(database, session, &answer, plan, &data)?;
    Ok(written)
}

fn message(database: &Connection, session: &str, plan: &mut Plan, data: &Value) -> Result<String> {
    let id = format!("msg_{:016x}", plan.words.number());
    plan.now += 1000;
    let mut insert = database.prepare_cached("INSERT INTO message VALUES (?1, ?2, ?3, ?3, ?4)")?;
    insert.execute(params![id, session, plan.now, data.to_string()])?;
    Ok(id)
}

fn part(database: &Connection, session: &str, message: &str, plan: &mut Plan, data: &Value) -> Result<u64> {
    let id = format!("prt_{:016x}", plan.words.number());
    plan.now += 1000;
    let text = data.to_string();
    let mut insert = database.prepare_cached("INSERT INTO part VALUES (?1, ?2, ?3, ?4, ?4, ?5)")?;
    insert.execute(params![id, message, session, plan.now, text])?;
    Ok(text.len() as u64)
}
