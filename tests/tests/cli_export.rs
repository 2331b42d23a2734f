//! `belfry export --markdown`: a conversation as a text.

use std::fs;
use std::path::Path;

use belfry_tests::cli::{Belfry, Ran, eventually};
use ntest::timeout;
use serde_json::json;

/// It does nothing but live; its conversation is what the test writes down.
const AGENT: &str = "#!/bin/sh\nwhile read -r line; do :; done\n";

struct World {
    belfry: Belfry,
    session: String,
    conversation: String,
}

impl World {
    fn new() -> Self {
        let belfry = Belfry::new();
        belfry.script("claude", AGENT);
        let path = format!("{}:{}", belfry.home().display(), std::env::var("PATH").expect("a path"));
        let mut new = belfry.command(&["new", "--agent", "claude", "--name", "the *work*"]);
        let made = new.env("PATH", path).output().expect("run belfry");
        assert!(made.status.success(), "{}", String::from_utf8_lossy(&made.stderr));
        let session = String::from_utf8_lossy(&made.stdout).trim().to_owned();
        eventually("its conversation is known", || belfry.show(&session)["conversation_id"].is_string());
        let conversation = belfry.show(&session)["conversation_id"].as_str().expect("an id").to_owned();
        Self { belfry, session, conversation }
    }

    /// What the agent keeps.
    fn keep(&self, records: &[serde_json::Value]) {
        let folder = self.belfry.home().join(".claude/projects/-p");
        fs::create_dir_all(&folder).expect("a folder");
        let lines: Vec<String> = records.iter().map(|record| format!("{record}\n")).collect();
        fs::write(folder.join(format!("{}.jsonl", self.conversation)), lines.concat()).expect("written");
    }

    fn export(&self, more: &[&str]) -> Ran {
        self.belfry.run(&[&["export", &self.session, "--markdown"], more].concat())
    }
}

fn records() -> Vec<serde_json::Value> {
    let user = |at: &str, content: serde_json::Value| json!({ "type": "user", "timestamp": at, "cwd": "/p", "message": { "role": "user", "content": content } });
    let answer = |at: &str, content: serde_json::Value| json!({ "type": "assistant", "timestamp": at, "message": { "id": at, "model": "m-1", "role": "assistant", "content": content, "usage": { "input_tokens": 1200, "output_tokens": 34 } } });
    let edit = json!({ "type": "tool_use", "id": "t1", "name": "Edit", "input": { "file_path": "/p/notes.md", "old_string": "```\nold\n```", "new_string": "````\nnew\n````" } });
    vec![
        user("2026-11-30T10:00:00Z", json!("Mend the notes\n<details>")),
        answer("2026-11-30T10:00:05Z", json!([{ "type": "text", "text": "# Plan\n\n```\nleft open" }, edit])),
        user(
            "2026-11-30T10:00:06Z",
            json!([{ "type": "tool_result", "tool_use_id": "t1", "content": "done" }]),
        ),
        answer("2026-11-30T10:00:09Z", json!([{ "type": "text", "text": "All is well." }])),
    ]
}

#[test]
#[timeout(60000)]
fn a_sessions_conversation_is_written_as_text() {
    let world = World::new();
    let refused = world.export(&["out.md", "--json"]).exits(1);
    assert_eq!(refused.error_code(), "conversation_gone");
    world.keep(&records());
    let told = world.export(&["out.md", "--json"]).ok().json();
    let text = fs::read_to_string(world.belfry.home().join("out.md")).expect("the file");
    assert_eq!(told["bytes"].as_u64(), Some(text.len() as u64));
    for expected in [
        "# the \\*work\\*\n",
        "## Mend the notes \\<details\\>\n",
        "* Agent: Claude Code\n",
        "* Model: m-1\n",
        "* Tokens: 2,400 in, 68 out, 0 read from the cache, 0 written to it\n",
        "### You · 2026-11-30 ",
        "> Mend the notes  \n> \\<details>  \n",
        // What is left open in an answer ends with it.
        "> ```\n> left open\n\n<details><summary>Edit <code>/p/notes.md</code></summary>\n\n`````diff\n",
        "-```\n-old\n",
        "+````\n+new\n",
        "\n`````\n",
        "<details><summary>It gave</summary>\n\n```\ndone\n```\n\n</details>\n",
        "\n\nAll is well.\n",
    ] {
        assert!(text.contains(expected), "{expected:?} in\n{text}");
    }
    // What is there is not replaced without a word, and nothing half written is left.
    let refused = world.export(&["out.md", "--json"]).exits(4);
    assert_eq!(refused.error_code(), "exists");
    assert_eq!(world.export(&["-"]).ok().stdout, text);
    world.export(&["out.md", "--force"]).ok();
    let left = fs::read_dir(world.belfry.home()).expect("the home").flatten();
    assert!(left.into_iter().all(|file| !file.file_name().to_string_lossy().contains("partial")));
}

#[test]
#[timeout(60000)]
fn any_conversation_of_the_machine_is_written_too() {
    let belfry = Belfry::new();
    copy(&Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus/transcripts/home"), &belfry.home());
    let export = |agent: &str, id: &str| belfry.run(&["export", "--agent", agent, id, "--markdown", "-"]);
    let text = export("codex", "01a22a71-98b1-7213-860e-000000000002").ok().stdout;
    assert!(text.starts_with("Times are those of ") && text.contains("\n# Speed\n"), "{text}");
    assert!(text.contains("> Make it faster"), "{text}");
    let text = export("claude", "11111111-aaaa-4bbb-8ccc-000000000001").ok().stdout;
    assert!(text.contains("# Fix a failing test\n"), "{text}");
    assert!(text.contains("**Not whole**"), "what could not be read is said: {text}");
    export("claude", "nobody").exits(1);
    belfry.run(&["export", "--agent", "claude", "x", "--asciicast", "-"]).exits(2);
}

#[test]
#[timeout(60000)]
fn a_program_without_conversations_has_none_to_write() {
    let belfry = Belfry::new();
    let id = belfry.shell(&["--name", "plain"], &["sh", "-c", "read -r line"]);
    let refused = belfry.run(&["export", &id, "--markdown", "out.md", "--json"]).exits(1);
    assert_eq!(refused.error_code(), "conversation_gone");
    assert!(refused.stderr.contains("--asciicast"), "{}", refused.stderr);
    assert!(!belfry.home().join("out.md").exists());
    belfry.run(&["export", "nobody", "--markdown", "out.md"]).exits(3);
}

fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).expect("make a directory");
    for entry in fs::read_dir(from).expect("the corpus").flatten() {
        let (path, target) = (entry.path(), to.join(entry.file_name()));
        if path.is_dir() {
            copy(&path, &target);
        } else {
            fs::copy(&path, &target).expect("copy a file");
        }
    }
}
