//! A conversation that Claude Code made from another one, as 2.1.332 writes it down: copies of what was said before, with their own ids and
//! times, under the new conversation's id; of the answers it says where they were given.

use belfry_transcripts::{Homes, found};
use serde_json::{Value, json};

use crate::support::Read;

const FIRST: &str = "aaaaaaaa-1111-4111-8111-000000000001";
const SECOND: &str = "bbbbbbbb-1111-4111-8111-000000000002";
const THIRD: &str = "cccccccc-1111-4111-8111-000000000003";

fn asked(id: &str, text: &str) -> Value {
    json!({ "type": "user", "sessionId": id, "cwd": "/p", "message": { "role": "user", "content": text } })
}

fn answered(id: &str, number: u32, given_in: Option<&str>) -> Value {
    let usage = json!({ "input_tokens": 100, "output_tokens": 11 });
    let content = json!([{ "type": "text", "text": format!("answer {number}") }]);
    let message = json!({ "id": format!("msg_{number}"), "role": "assistant", "model": "m", "content": content, "usage": usage });
    let mut record = json!({ "type": "assistant", "sessionId": id, "message": message });
    if let Some(given_in) = given_in {
        record["requestSessionId"] = given_in.into();
    }
    record
}

fn cost(id: &str, total: f64) -> Value {
    json!({ "type": "cost-state", "sessionId": id, "totalCostUSD": total })
}

fn read(id: &str, records: &[Value]) -> Read {
    let home = tempfile::tempdir().unwrap();
    let folder = home.path().join(".claude/projects/-p");
    std::fs::create_dir_all(&folder).unwrap();
    let lines: Vec<String> = records.iter().map(|record| format!("{record}\n")).collect();
    std::fs::write(folder.join(format!("{id}.jsonl")), lines.concat()).unwrap();
    let at = home.path().to_string_lossy().into_owned();
    let all = found(&Homes::of(|name| (name == "HOME").then(|| at.clone())));
    Read::all(&all[0])
}

#[test]
fn what_a_fork_has_from_before_was_used_there() {
    let first = read(FIRST, &[asked(FIRST, "one"), answered(FIRST, 1, None), cost(FIRST, 0.25)]);
    assert_eq!((first.summary.forked_from.as_deref(), first.used.cost), (None, Some(0.25)));
    // Its cost has the other one's in it.
    let second = read(
        SECOND,
        &[
            asked(SECOND, "one"),
            answered(SECOND, 1, Some(FIRST)),
            answered(SECOND, 1, Some(FIRST)),
            asked(SECOND, "two"),
            answered(SECOND, 2, None),
            cost(SECOND, 0.5),
        ],
    );
    assert_eq!(second.lines().len(), 5, "all of it is there to be read");
    assert_eq!(second.summary.forked_from.as_deref(), Some(FIRST));
    assert_eq!((second.used.input, second.used.output, second.used.cost), (100, 11, Some(0.25)));
    assert!(second.summary.usage.estimated);
    // A fork of the fork was made from that.
    let third = read(
        THIRD,
        &[
            answered(THIRD, 1, Some(FIRST)),
            answered(THIRD, 2, Some(SECOND)),
            asked(THIRD, "three"),
            answered(THIRD, 3, None),
            answered(THIRD, 3, None),
        ],
    );
    assert_eq!(third.summary.forked_from.as_deref(), Some(SECOND));
    assert_eq!((third.used.input, third.used.output), (100, 11));
    // One that only goes on in itself is no fork.
    let same = read(FIRST, &[answered(FIRST, 1, Some(FIRST))]);
    assert_eq!((same.summary.forked_from, same.used.input), (None, 100));
}
