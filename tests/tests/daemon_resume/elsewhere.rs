//! A conversation that somebody else is in, or wants.

use std::process::{Child, Command, Stdio};

use belfry_protocol::conversation::ResumeConversation;
use belfry_protocol::launch::EnvVar;
use belfry_protocol::{ErrorCode, Request};
use belfry_tests::daemon::{TestDaemon, eventually};
use ntest::timeout;

use crate::claude::{List, SCRIPT, arguments, ask, claude, clear, end, ended, env, resume, transcript, turn};

/// An agent of the same name that Belfry did not start.
struct Elsewhere(Child);

impl Elsewhere {
    fn start(daemon: &TestDaemon, program: &str, args: &[&str]) -> Self {
        daemon.cli().script(program, "#!/bin/sh\nexec 3<&0\nwhile read -r line <&3; do :; done\n");
        let child = Command::new(daemon.person().join(program))
            .args(args)
            .env("HOME", daemon.person())
            .stdin(Stdio::piped())
            .spawn()
            .unwrap();
        Self(child)
    }
}

impl Drop for Elsewhere {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

#[tokio::test]
#[timeout(90000)]
async fn a_conversation_that_goes_on_elsewhere_is_not_resumed() {
    let daemon = TestDaemon::start().await;
    let (started, conversation) = ended(&daemon).await;

    let elsewhere = Elsewhere::start(&daemon, "claude", &["--resume", &conversation]);
    let pid = elsewhere.0.id();
    let named = || std::fs::read_to_string(format!("/proc/{pid}/comm")).unwrap_or_default();
    eventually("it has its name", || named().trim() == "claude").await;
    let error = resume(&daemon, started.id).await.unwrap_err();
    assert_eq!(error.code, ErrorCode::ConversationLive, "{error:?}");
    assert!(error.message.contains(&format!("process {pid}")), "{error:?}");
    assert_eq!(daemon.cli().run(&["resume", "one", "--json"]).exits(4).error_code(), "conversation_live");

    // Its list says that it is in another one by now.
    let list = List::of(&daemon, pid);
    list.put("0190-other", "idle");
    daemon.cli().script("claude", SCRIPT);
    resume(&daemon, started.id).await.unwrap();
    end(&daemon, &started).await;
    list.put(&conversation, "idle");
    assert_eq!(resume(&daemon, started.id).await.unwrap_err().code, ErrorCode::ConversationLive);
    drop(elsewhere);
    resume(&daemon, started.id).await.unwrap();
}

#[tokio::test]
#[timeout(90000)]
async fn a_conversation_that_goes_on_elsewhere_is_forked_into_a_new_session() {
    let daemon = TestDaemon::start().await;
    let (started, conversation) = ended(&daemon).await;
    let live = resume(&daemon, started.id).await.unwrap();
    let named = EnvVar { name: "NAME".to_owned(), value: format!("{}/copy", daemon.person().display()) };
    let fork = |agent: &str| {
        Request::ResumeConversation(Box::new(ResumeConversation {
            agent: agent.to_owned(),
            id: conversation.clone(),
            cwd: Some(daemon.person().display().to_string()),
            name: Some("copy".to_owned()),
            fork: true,
            handover: false,
            base_env: Some(env(&daemon).into_iter().chain([named.clone()]).collect()),
        }))
    };
    let copy = ask(&daemon, fork("claude")).await.unwrap();
    assert!(copy.id != live.id && copy.name == "copy", "{copy:?}");
    assert_ne!(copy.conversation_id.as_deref(), Some(conversation.as_str()));
    let argv = arguments(&daemon, "copy", "--").await;
    assert!(argv.contains("--fork-session") && argv.contains(&conversation), "{argv}");
    assert_eq!(daemon.show(live.id).await.conversation_id, Some(conversation.clone()));
    assert_eq!(ask(&daemon, fork("gemini")).await.unwrap_err().code, ErrorCode::Unsupported);
}

#[tokio::test]
#[timeout(90000)]
async fn of_two_that_resume_a_conversation_at_once_one_does() {
    let daemon = TestDaemon::start().await;
    let (one, two) = (claude(&daemon, "one").await, claude(&daemon, "two").await);
    for started in [&one, &two] {
        clear(&daemon, started, "0190-shared").await;
        turn(&daemon, started).await;
        end(&daemon, started).await;
    }
    transcript(&daemon, "0190-shared");
    let any = |daemon: &TestDaemon| {
        Request::ResumeConversation(Box::new(ResumeConversation {
            agent: "claude".to_owned(),
            id: "0190-shared".to_owned(),
            cwd: Some(daemon.person().display().to_string()),
            name: None,
            fork: false,
            handover: false,
            base_env: Some(env(daemon)),
        }))
    };
    for _ in 0..4 {
        let outcomes = tokio::join!(
            resume(&daemon, one.id),
            resume(&daemon, two.id),
            ask(&daemon, any(&daemon)),
            resume(&daemon, one.id),
        );
        let outcomes = [outcomes.0, outcomes.1, outcomes.2, outcomes.3];
        let won: Vec<_> = outcomes.iter().filter_map(|outcome| outcome.as_ref().ok()).collect();
        assert_eq!(won.len(), 1, "{outcomes:?}");
        let lost = outcomes.iter().filter_map(|outcome| outcome.as_ref().err());
        assert!(
            lost.clone()
                .all(|error| { matches!(error.code, ErrorCode::ConversationLive | ErrorCode::StillAlive) })
        );
        end(&daemon, won[0]).await;
    }
    let live = ask(&daemon, any(&daemon)).await.unwrap();
    let error = ask(&daemon, any(&daemon)).await.unwrap_err();
    assert_eq!(error.code, ErrorCode::ConversationLive);
    assert!(error.message.contains(&live.name), "{error:?}");
}

/// Claude Code looks for a conversation only below its own directory. Where that is gone, a new one reads what was said.
#[tokio::test]
#[timeout(90000)]
async fn a_conversation_whose_directory_is_gone_is_handed_over() {
    let daemon = TestDaemon::start().await;
    daemon.cli().script("claude", SCRIPT);
    let id = "01900000-0000-7000-8000-000000000042";
    let folder = daemon.person().join(".claude/projects/-srv-gone");
    std::fs::create_dir_all(&folder).unwrap();
    let said = serde_json::json!({
        "type": "user", "uuid": "u1", "parentUuid": null, "sessionId": id, "cwd": "/srv/gone", "version": "2.1.332",
        "timestamp": "2026-11-01T10:00:00.000Z", "isSidechain": false, "userType": "external",
        "message": { "role": "user", "content": "count the zebras" },
    });
    std::fs::write(folder.join(format!("{id}.jsonl")), format!("{said}\n")).unwrap();
    let begin = |cwd: Option<String>, handover: bool| {
        let named = EnvVar { name: "NAME".to_owned(), value: format!("{}/new", daemon.person().display()) };
        Request::ResumeConversation(Box::new(ResumeConversation {
            agent: "claude".to_owned(),
            id: id.to_owned(),
            cwd,
            name: Some("new".to_owned()),
            fork: false,
            handover,
            base_env: Some(env(&daemon).into_iter().chain([named]).collect()),
        }))
    };
    let person = daemon.person().display().to_string();
    assert_eq!(ask(&daemon, begin(None, false)).await.unwrap_err().code, ErrorCode::BadDirectory);
    let error = ask(&daemon, begin(Some(person.clone()), false)).await.unwrap_err();
    assert_eq!(error.code, ErrorCode::ConversationGone, "{error:?}");
    assert!(error.next.as_deref().is_some_and(|next| next.contains("--handover")), "{error:?}");
    assert_eq!(ask(&daemon, begin(None, true)).await.unwrap_err().code, ErrorCode::BadDirectory);

    let new = ask(&daemon, begin(Some(person.clone()), true)).await.unwrap();
    assert_eq!((new.cwd.as_str(), new.name.as_str()), (person.as_str(), "new"));
    assert_ne!(new.conversation_id.as_deref(), Some(id));
    let file = daemon.home().session_dir(new.id).join("handover/conversation.md");
    let text = std::fs::read_to_string(&file).unwrap();
    assert!(text.contains("count the zebras") && text.contains("/srv/gone"), "{text}");
}
