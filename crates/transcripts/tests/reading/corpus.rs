//! The made-up conversations, each with what is in it.

use belfry_protocol::transcript::Said;
use belfry_transcripts::{entry, find, found};

use crate::support::{Read, homes, one};

#[test]
fn claude() {
    let found = one("claude", "11111111");
    let read = Read::all(&found);
    assert_eq!(
        read.lines(),
        [
            "P /clear",
            "P Fix the tëst\\nplease",
            "T Let me see.",
            "A I look.",
            "> Bash cargo test []",
            "<! FAILED one",
            "> Edit /p/app/a.rs [/p/app/a.rs] | --- /p/app/a.rs\\n+++ /p/app/a.rs\\n@@\\n one\\n-two\\n+three",
            "< done | --- /p/app/a.rs\\n+++ /p/app/a.rs\\n@@ -4,2 +4,2 @@\\n one\\n-two\\n+three",
            "P and the docs",
            "> TodoWrite - []",
            "todo [~]Docs [x]Test",
            "> Agent Look around []",
            "< nothing there (abc)",
            "image image/png 9",
            "P What is this?",
            "Interrupted [Request interrupted by user for tool use]",
            "Failed API Error: limit",
            "unread",
            "P bytes \u{fffd}\u{fffd} here",
            "(old1) P a task of a subagent",
            "Compacted Conversation compacted",
            "Compacted This session is being continued: it was about a test.",
            "Other The server ended",
            "P !git status",
            "Other clean",
            "A All done.",
            "TurnOver",
        ]
    );
    let about = read.summary.conversation(&found);
    assert_eq!(about.title, "Fix a failing test");
    assert_eq!(about.first_prompt.as_deref(), Some("Fix the tëst please"));
    assert_eq!(about.last_prompt.as_deref(), Some("!git status"));
    assert_eq!(
        (about.prompts, about.cwd.as_deref(), about.branch.as_deref()),
        (5, Some("/p/app"), Some("main"))
    );
    assert_eq!(about.model.as_deref(), Some("claude-opus-4-8"));
    // Each answer is counted once, though it is several records that know more and more of it.
    assert_eq!((read.used.input, read.used.output), (40, 30 + 7 + 2 + 9));
    assert_eq!((read.used.cache_read, read.used.cache_write, read.used.cost), (400, 20, Some(0.25)));
    assert_eq!(about.usage.context, Some(10 + 9 + 100 + 5));
    assert_eq!((about.usage.input, about.usage.cost), (40, Some(0.25)));
    assert_eq!(about.unread.as_deref(), Some("one record could not be read"));
    assert!(about.usage.estimated, "a record is missing");
}

#[test]
fn a_subagent_is_read_apart() {
    let all = found(&homes());
    let sub = all.iter().find(|found| found.agent == "claude" && found.subagent.is_some()).unwrap();
    assert_eq!(
        (sub.id.as_str(), sub.subagent.as_deref()),
        ("11111111-aaaa-4bbb-8ccc-000000000001", Some("abc"))
    );
    let read = Read::all(sub);
    assert_eq!(read.lines(), ["(abc) P look", "(abc) A I see nothing."]);
    assert_eq!((read.summary.prompts, read.used.output), (0, 3));
}

#[test]
fn codex() {
    let found = one("codex", "01a22a71");
    let read = Read::all(&found);
    assert_eq!(
        read.lines(),
        [
            "P Make it faster",
            "T **Plan**",
            "> exec_command rg slow []",
            "<! Wall time: 0.1 seconds\\nProcess exited with code 2\\nOutput:\\nno such file",
            "> apply_patch a.rs [a.rs] | --- a.rs\\n+++ a.rs\\n@@\\n-slow\\n+fast",
            "< Success | --- /p/app/a.rs\\n+++ /p/app/a.rs\\n@@ -1 +1 @@\\n-slow\\n+fast",
            "> update_plan - []",
            "todo [x]One [ ]Two",
            "< Plan updated",
            "A It is faster.",
            "TurnOver",
            "P And smaller",
            "Interrupted interrupted",
            "Compacted So far: faster.",
            "Failed stream disconnected",
        ]
    );
    let about = read.summary.conversation(&found);
    assert_eq!((about.title.as_str(), about.prompts), ("Speed", 2));
    assert_eq!((about.branch.as_deref(), about.model.as_deref()), (Some("work"), Some("gpt-5.5-codex")));
    assert_eq!(about.forked_from.as_deref(), Some("01a22a71-0000-7000-8000-0000000000ff"));
    assert_eq!((read.used.input, read.used.output, read.used.cache_read), (1100, 80, 400));
    assert_eq!((about.usage.context, about.usage.context_size), (Some(900), Some(258_400)));
}

#[test]
fn codex_without_events() {
    let found = one("codex", "01a11111");
    let read = Read::all(&found);
    let expected = [
        "P an old prompt without events",
        "A an old answer",
        "> local_shell ls []",
        "image image/png 9",
        "P see",
    ];
    assert_eq!(read.lines(), expected);
    assert_eq!(read.summary.first_prompt.as_deref(), Some("an old prompt without events"));
}

#[test]
fn gemini() {
    let found = one("gemini", "33333333");
    let read = Read::all(&found);
    assert_eq!(
        read.lines(),
        [
            "P Write a note",
            "T Idea\\nwrite it",
            "A I write.",
            "> write_file /p/app/n.txt [/p/app/n.txt] | --- n.txt\\n+++ n.txt\\n@@ -0,0 +1 @@\\n+alpha",
            "< ok",
            "A Done.",
            "Failed [API Error: no]",
            "Compacted In short: a note was written.",
            "Other Went back to an earlier prompt.",
            "unread",
            "P And another",
        ]
    );
    let about = read.summary.conversation(&found);
    assert_eq!((about.title.as_str(), about.cwd.as_deref(), about.prompts), ("A note", Some("/p/app"), 2));
    // What is written down again is counted once.
    assert_eq!((read.used.input, read.used.output, read.used.cache_read), (60 + 120, 15 + 8, 40));
    assert_eq!(about.usage.context, Some(128));
}

#[test]
fn gemini_of_old() {
    let read = Read::all(&one("gemini", "55555555"));
    assert_eq!(read.lines(), ["P an old question", "A an old answer"]);
    assert_eq!((read.used.input, read.summary.prompts), (9, 1));
}

#[test]
fn aider() {
    let found = one("aider", "aider");
    let read = Read::all(&found);
    assert_eq!(
        read.lines(),
        [
            "Other aider chat started at 2026-11-30 10:00:00",
            "Other Aider v0.86.2\\nMain model: gpt-5.5 with diff edit format\\nAdded a.py to the chat",
            "P make it two\\nand say why",
            "A Because of that.\\n\\na.py\\n```python\\n<<<<<<< SEARCH\\nx = 1\\n=======\\nx = 2\\n>>>>>>> REPLACE\\n```",
            "> edit a.py [a.py] | --- a.py\\n+++ a.py\\n@@\\n-x = 1\\n+x = 2",
            "TurnOver Tokens: 2.4k sent, 1k cache hit, 23 received. Cost: $0.01 message, $0.03 session.",
            "< Applied edit to a.py",
            "Other Commit 1234567 Make it two",
            "Other aider chat started at 2026-11-30 11:00:00",
            "Other Aider v0.86.2",
            "P /run ls",
            "P a whole file please",
            "A b.txt\\n```\\nalpha\\n```",
            "TurnOver Tokens: 100 sent, 7 received.",
            "> edit b.txt [b.txt]",
            "< Applied edit to b.txt",
            "Interrupted ^C again to exit",
        ]
    );
    let about = read.summary.conversation(&found);
    assert_eq!((about.prompts, about.model.as_deref()), (3, Some("gpt-5.5")));
    assert_eq!(about.title, "make it two and say why");
    assert_eq!(
        (read.used.input, read.used.cache_read, read.used.output, read.used.cost),
        (1500, 1000, 30, Some(0.01))
    );
    assert!(about.usage.estimated, "it rounds");
}

#[test]
fn what_there_is_is_found_once() {
    let all = found(&homes());
    let mut ids: Vec<_> = all
        .iter()
        .map(|found| (found.agent.as_str(), found.id.as_str(), found.subagent.as_deref()))
        .collect();
    ids.sort_unstable();
    ids.dedup();
    // Of Gemini's two files of one conversation the one that has something in it.
    assert_eq!((ids.len(), all.len()), (8, 8), "{ids:#?}");
    let found = find("gemini", "33333333-aaaa-4bbb-8ccc-000000000003", &homes()).unwrap();
    assert!(found.stamp.bytes > 1000);
    assert_eq!(find("gemini", "33333333", &homes()), None);
    assert_eq!(find("nobody", "x", &homes()), None);
}

#[test]
fn each_entry_can_be_read_again_alone() {
    for found in found(&homes()) {
        // What was put in short is told from the rest by what was before; nobody looks for that.
        let looked_for =
            Read::all(&found).entries.into_values().filter(|entry| !matches!(entry.said, Said::Note { .. }));
        for wanted in looked_for {
            let mut again = entry(&found, wanted.seq).unwrap();
            // The date of a chat of Aider's stands at its beginning only.
            if let Some(again) = again.as_mut().filter(|_| found.agent == "aider") {
                again.at = wanted.at;
            }
            // Of which answer a change of Aider's is, the answer says.
            if let Some(Said::Result { call, .. }) =
                again.as_mut().map(|again| &mut again.said).filter(|_| found.agent == "aider")
                && let Said::Result { call: own, .. } = &wanted.said
            {
                call.clone_from(own);
            }
            // What a patch of Codex's changed stands in a record before its output.
            if let Some(Said::Result { diff, .. }) =
                again.as_mut().map(|again| &mut again.said).filter(|_| found.agent == "codex")
                && let Said::Result { diff: whole, .. } = &wanted.said
            {
                diff.clone_from(whole);
            }
            assert_eq!(again.map(|again| again.said), Some(wanted.said), "{found:?}");
        }
    }
}
