//! `belfry import` and `belfry search` over a home full of conversations, and what clients read of one.

use std::fs;
use std::path::Path;

use belfry_client::{ConnectOptions, connect};
use belfry_platform::home::Home;
use belfry_protocol::transcript::{ReadTranscript, Said};
use belfry_protocol::{ErrorCode, Reply, Request};
use belfry_tests::cli::Belfry;
use ntest::timeout;
use serde_json::Value;

/// A home with the made-up conversations in it.
fn home() -> Belfry {
    let belfry = Belfry::new();
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus/transcripts/home");
    copy(&corpus, &belfry.home());
    belfry
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

fn ids(list: &Value) -> Vec<&str> {
    list.as_array().expect("an array").iter().map(|one| one["id"].as_str().expect("an id")).collect()
}

const CLAUDE: &str = "11111111-aaaa-4bbb-8ccc-000000000001";
const GEMINI: &str = "33333333-aaaa-4bbb-8ccc-000000000003";

#[test]
#[timeout(60000)]
fn conversations_are_imported_found_and_hidden() {
    let belfry = home();
    let all = belfry.run(&["import", "--json"]).ok().json();
    let mut listed = ids(&all);
    listed.sort_unstable();
    let expected = [
        "01a11111-98b1-7213-860e-000000000004",
        "01a22a71-98b1-7213-860e-000000000002",
        CLAUDE,
        GEMINI,
        "55555555-aaaa-4bbb-8ccc-000000000005",
    ];
    assert_eq!(listed, expected);
    let claude = all.as_array().unwrap().iter().find(|one| one["id"] == CLAUDE).unwrap();
    assert_eq!((&claude["title"], &claude["prompts"]), (&Value::from("Fix a failing test"), &Value::from(5)));
    let table = belfry.run(&["import"]).ok().stdout;
    assert!(
        table.contains("Fix a failing test") && table.contains("/p/app") && table.contains(CLAUDE),
        "{table}"
    );
    let some = belfry.run(&["import", "note", "--agent", "gemini", "--dir", "/p", "--json"]).ok().json();
    assert_eq!(ids(&some), [GEMINI]);
    assert_eq!(ids(&belfry.run(&["import", "--limit", "2", "--json"]).ok().json()).len(), 2);

    let found = belfry.run(&["search", "making", "it", "fas"]).ok().stdout;
    assert_eq!(found, "Nothing was found.\n");
    let found = belfry.run(&["search", "make", "it", "fas"]).ok().stdout;
    assert!(
        found.contains("Speed  codex  /p/app")
            && found.contains("asked ")
            && found.contains("Make it faster"),
        "{found}"
    );
    let found = belfry.run(&["search", "alpha", "--only", "tool", "--json"]).ok().json();
    assert_eq!(found["hits"][0]["conversation"]["id"], GEMINI);
    let found = belfry.run(&["search", "look", "--file", "a.rs", "--json"]).ok().json();
    // A subagent's words are its conversation's.
    let hits: Vec<_> = found["hits"]
        .as_array()
        .unwrap()
        .iter()
        .map(|hit| (hit["conversation"]["id"].as_str().unwrap(), hit["subagent"].as_str()))
        .collect();
    assert!(hits.contains(&(CLAUDE, None)), "{hits:?}");

    belfry.run(&["import", "--hide", "3333"]).ok();
    assert!(!belfry.run(&["import"]).ok().stdout.contains(GEMINI));
    assert!(belfry.run(&["import", "--hidden"]).ok().stdout.contains("(hidden)"));
    belfry.run(&["import", "--show", "3333"]).ok();
    assert!(belfry.run(&["import"]).ok().stdout.contains(GEMINI));
    belfry.run(&["import", "--hide", "nobody"]).exits(1);

    // What is added is there with the next question.
    let file = belfry.home().join(".claude/projects/-p-app").join(format!("{CLAUDE}.jsonl"));
    let mut text = fs::read_to_string(&file)
        .unwrap_or_else(|_| String::from_utf8_lossy(&fs::read(&file).unwrap()).into_owned());
    text.push_str("{\"type\":\"user\",\"message\":{\"content\":\"a zebra now\"}}\n");
    fs::write(&file, text).unwrap();
    belfry_tests::cli::eventually("the new words", || {
        belfry.run(&["search", "zebra"]).ok().stdout.contains("a zebra now")
    });
}

#[test]
#[timeout(60000)]
fn a_transcript_is_read_page_by_page() {
    let belfry = home();
    belfry.run(&["daemon", "start"]).ok();
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    runtime.block_on(async {
        let connection = connect(&Home::at(belfry.belfry_home()), &ConnectOptions::new("test")).await.unwrap();
        let read = |id: &str, subagent: Option<&str>, from, before, limit| {
            Request::ReadTranscript(Box::new(ReadTranscript {
                agent: "claude".to_owned(),
                id: id.to_owned(),
                subagent: subagent.map(str::to_owned),
                from,
                before,
                limit,
            }))
        };
        let page = |request| async {
            match connection.request(request).await.unwrap() {
                Reply::Transcript { entries, earlier, later } => (entries, earlier, later),
                other => panic!("{other:?}"),
            }
        };
        let (last, earlier, later) = page(read(CLAUDE, None, None, None, 3)).await;
        assert!(last.len() == 3 && earlier && !later);
        let (before, _, later) = page(read(CLAUDE, None, None, Some(last[0].seq), 500)).await;
        assert!(later && matches!(&before[1].said, Said::Prompt(text) if text.text.starts_with("Fix the")));
        let (from, earlier, _) = page(read(CLAUDE, None, Some(0), None, 2)).await;
        assert!(from[..] == before[..2] && !earlier);
        let gone = connection.request(read("nobody", None, None, None, 3)).await.unwrap_err();
        assert!(matches!(&gone, belfry_client::ClientError::Failed(error) if error.code == ErrorCode::ConversationGone), "{gone:?}");
    });
}
