//! Agents that are a file and no code: how they are started, and that their questions are seen. Their screens are made after
//! their documentation; nobody has run them here.

#![allow(clippy::unwrap_used, reason = "helpers of tests, where a panic is a failed test")]

use std::path::Path;

use belfry_agents::{Agents, AnswerBy, Conversation, LaunchInput, Place, ScreenView};
use belfry_protocol::ask::AskKind;
use belfry_protocol::launch::NewSession;

fn argv(agent: &str, new: &NewSession, conversation: Conversation<'_>) -> Vec<String> {
    let folder = tempfile::tempdir().unwrap();
    let agents = Agents::built_in();
    let plan = agents.get(agent).unwrap().launch(&LaunchInput {
        program: Path::new("/bin/x"),
        version: None,
        new,
        cwd: Path::new("/"),
        texts: folder.path(),
        keep: Path::new("/keep"),
        handover: None,
        env: &[],
        conversation,
        hooks: None,
    });
    plan.unwrap().argv
}

#[test]
#[ntest::timeout(30000)]
fn they_are_started_by_their_files() {
    let plain = NewSession::default();
    let model = NewSession { model: Some("m".to_owned()), ..NewSession::default() };
    let resume = || Conversation::Resume { id: "c" };
    let fresh = || Conversation::New { id: uuid::Uuid::from_u128(7) };
    for (agent, begins, picked, resumed) in [
        ("copilot", &["/bin/x"][..], Some("--model m"), "--resume c"),
        ("cursor", &["/bin/x"], Some("--model m"), "--resume c"),
        ("amp", &["/bin/x"], None, "threads continue c"),
        ("goose", &["/bin/x", "session"], None, "--resume --name c"),
        ("pi", &["/bin/x"], Some("--model m"), "--session c"),
    ] {
        assert_eq!(argv(agent, &plain, fresh()), begins, "{agent}");
        if let Some(picked) = picked {
            assert!(argv(agent, &model, fresh()).join(" ").ends_with(picked), "{agent}");
        }
        assert!(argv(agent, &plain, resume()).join(" ").ends_with(resumed), "{agent}");
    }
}

#[test]
#[ntest::timeout(30000)]
fn their_questions_are_seen() {
    for (agent, screen, kind, choices) in [
        (
            "copilot",
            "Do you want to run this command?\n\n❯ 1. Yes\n  2. Yes, and approve `pytest` for the rest of this session\n  \
             3. No, and tell Copilot what to do differently (Esc)\n",
            AskKind::Approval,
            3,
        ),
        (
            "cursor",
            "$ npm test\n\nRun this command?\nNot in allowlist: npm test\n\n❯ Run (once) (y)\n  Add Shell(npm) to allowlist\n  \
             Skip (esc or n)\n",
            AskKind::Approval,
            3,
        ),
        (
            "amp",
            "Run this command?\n\n❯ Approve\n  Allow All for This Session\n  Deny\n",
            AskKind::Approval,
            3,
        ),
        ("pi", "Pick one\n\n❯ 1. Red\n  2. Blue\n", AskKind::Choice, 2),
    ] {
        let rows: Vec<String> = screen.lines().map(str::to_owned).collect();
        let view = ScreenView {
            rows: &rows,
            cursor: (0, 40),
            title: "t",
            bracketed_paste: true,
            ..ScreenView::default()
        };
        let reading = Agents::built_in().get(agent).unwrap().read(None, &view);
        assert_eq!(reading.place, Place::Dialog, "{agent}");
        let dialog = reading.dialog.unwrap();
        assert_eq!((dialog.kind, dialog.choices.len(), dialog.selected), (kind, choices, Some(0)), "{agent}");
        assert!(matches!(dialog.answer, AnswerBy::Walk { .. }), "{agent}");
        assert!(!dialog.choices[0].refuses, "{agent}");
    }
}
