//! An agent's conversation of any content: it is read to its end without a panic, its texts have their limits, and reading it in
//! pieces, or after more was added, gives what reading it at once does.
//!
//! The first byte says whose it is, the second how it is cut.
#![no_main]

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use belfry_protocol::transcript::{Entry, Said, Text};
use belfry_transcripts::{Budget, Found, Item, Place, Reader, Stamp, State, Which, page};
use libfuzzer_sys::fuzz_target;

/// A directory of this process, in memory where there is such a place.
static DIR: LazyLock<PathBuf> = LazyLock::new(|| {
    let shared = Path::new("/dev/shm");
    let base = if shared.is_dir() { shared.to_owned() } else { std::env::temp_dir() };
    let dir = base.join(format!("belfry-fuzz-{}", std::process::id()));
    std::fs::create_dir_all(&dir).expect("a directory to work in");
    dir
});

/// Agents, and what their files end in.
const KINDS: [(&str, &str); 5] =
    [("claude", "jsonl"), ("codex", "jsonl"), ("gemini", "jsonl"), ("gemini", "json"), ("aider", "md")];

/// Longest text of an entry, in bytes.
const LONGEST: usize = 64 * 1024;

fuzz_target!(|data: &[u8]| {
    let Some(([whose, cut], text)) = data.split_first_chunk() else { return };
    let (agent, end) = KINDS[usize::from(*whose) % KINDS.len()];
    let file = DIR.join(format!("conversation.{end}"));
    std::fs::write(&file, text).expect("room for it");
    let found = found(agent, &file);
    let whole = read(&found, None, Budget::ALL).0;
    for entry in whole.values() {
        bounded(entry);
    }
    let pieces = Budget { bytes: u64::from(*cut) * 16 + 1, entries: usize::from(*cut) % 7 + 1 };
    assert_eq!(read(&found, None, pieces).0, whole, "in pieces");
    for which in [Which::Last, Which::Before(u64::MAX), Which::From(u64::from(*cut) * 64)] {
        if let Ok(page) = page(&found, which, 5) {
            assert!(page.entries.len() <= 5);
        }
    }
});

fn found(agent: &str, file: &Path) -> Found {
    let meta = std::fs::metadata(file).expect("it is there");
    Found {
        agent: agent.to_owned(),
        id: "0190-aa".to_owned(),
        subagent: None,
        place: Place::File(file.to_owned()),
        stamp: Stamp::of(&meta),
        cwd: None,
        named: None,
        titled: None,
    }
}

/// All entries, and the state at the end; with a budget the reading is opened anew for each piece, as the index does.
fn read(found: &Found, mut state: Option<State>, budget: Budget) -> (BTreeMap<u64, Entry>, Option<State>) {
    let mut entries = BTreeMap::new();
    // Each turn reads something or ends, and there is less to read than this.
    for turn in 0.. {
        assert!(turn < 1_000_000, "it does not end");
        let Ok(mut reader) = Reader::open(found, state.take()) else { break };
        if reader.restarted() {
            entries.clear();
        }
        let progress = reader.read(budget, &mut |item| {
            if let Item::Entry(entry) = item {
                entries.insert(entry.seq, entry);
            }
        });
        state = Some(reader.state().clone());
        if !progress.is_ok_and(|progress| !progress.caught_up) {
            break;
        }
    }
    (entries, state)
}

fn bounded(entry: &Entry) {
    let short = |text: &Text| assert!(text.text.len() <= LONGEST, "{} bytes", text.text.len());
    match &entry.said {
        Said::Prompt(text) | Said::Answer(text) | Said::Thought(text) | Said::Note { text, .. } => {
            short(text)
        }
        Said::Tool(call) => {
            short(&call.arguments);
            call.diff.iter().for_each(short);
        }
        Said::Result { output, diff, .. } => {
            short(output);
            diff.iter().for_each(short);
        }
        Said::Todos { .. } | Said::Image { .. } => {}
    }
}
