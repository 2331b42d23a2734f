//! One session, which goes on where it was.

use belfry_protocol::launch::{EnvVar, NewSession};
use belfry_protocol::session::{Exit, LearntConversation};
use belfry_protocol::{ErrorCode, Request, Session, Status};
use belfry_tests::daemon::TestDaemon;
use ntest::timeout;

use crate::claude::{
    List, arguments, ask, claude, clear, end, ended, env, ledger, restart, resume, spoken, to_resume,
    transcript, turn,
};

#[tokio::test]
#[timeout(90000)]
async fn a_session_goes_on_in_the_conversation_that_it_was_in_last() {
    let daemon = TestDaemon::start().await;
    let (started, first) = spoken(&daemon).await;
    clear(&daemon, &started, "0190-second").await;
    let how = |ledger: Vec<LearntConversation>| -> Vec<(String, String)> {
        ledger.into_iter().map(|line| (line.id, line.how)).collect()
    };
    let of = |id: &str, how: &str| (id.to_owned(), how.to_owned());
    let wanted = [of("0190-second", "hook"), of(&first, "launch")];
    assert_eq!(how(ledger(&daemon, started.id).await), wanted);
    turn(&daemon, &started).await;
    transcript(&daemon, "0190-second");
    transcript(&daemon, &first);

    assert_eq!(resume(&daemon, started.id).await.unwrap_err().code, ErrorCode::StillAlive);
    end(&daemon, &started).await;
    let resumed = resume(&daemon, started.id).await.unwrap();
    assert_eq!((resumed.id, resumed.runs.len()), (started.id, 2));
    assert_eq!(resumed.conversation_id.as_deref(), Some("0190-second"));
    arguments(&daemon, "one", "--resume 0190-second --settings").await;
    assert_eq!(how(ledger(&daemon, started.id).await), wanted, "it is in the same one as before");

    // A restart goes on as well, unless it is to be a new one.
    end(&daemon, &started).await;
    ask(&daemon, restart(&daemon, started.id, false)).await.unwrap();
    arguments(&daemon, "one", "--resume 0190-second").await;
    end(&daemon, &started).await;
    let anew = ask(&daemon, restart(&daemon, started.id, true)).await.unwrap();
    let third = anew.conversation_id.unwrap();
    arguments(&daemon, "one", &format!("--session-id {third}")).await;
    assert_eq!(how(ledger(&daemon, started.id).await)[0], of(&third, "launch"));

    // By the command line, which says what it did.
    end(&daemon, &started).await;
    let shown = daemon.cli().run(&["show", "one", "--json"]).ok().json();
    assert_eq!(shown["conversations"].as_array().map(Vec::len), Some(3));
    assert!(daemon.cli().run(&["show", "one"]).ok().stdout.contains("0190-second since"));
}

#[tokio::test]
#[timeout(90000)]
async fn nothing_is_lost_where_nothing_was_said() {
    let daemon = TestDaemon::start().await;
    let started = claude(&daemon, "one").await;
    end(&daemon, &started).await;
    let resumed = resume(&daemon, started.id).await.unwrap();
    assert_ne!(resumed.conversation_id, started.conversation_id);
    assert_eq!(resumed.notice, None);
    arguments(&daemon, "one", "--session-id").await;
    // Cleared, and nothing said since.
    turn(&daemon, &started).await;
    clear(&daemon, &started, "0190-cleared").await;
    end(&daemon, &started).await;
    resume(&daemon, started.id).await.unwrap();
    arguments(&daemon, "one", "--session-id").await;
    // A shell has no conversation.
    let shell = daemon.shell(&["cat"]).await;
    end(&daemon, &shell).await;
    assert!(resume(&daemon, shell.id).await.unwrap().alive());
}

#[tokio::test]
#[timeout(90000)]
async fn what_is_in_the_way_is_said_before_anything_is_started() {
    let daemon = TestDaemon::start().await;
    let (started, conversation) = spoken(&daemon).await;
    end(&daemon, &started).await;

    // The transcript is gone.
    let error = resume(&daemon, started.id).await.unwrap_err();
    assert_eq!(error.code, ErrorCode::ConversationGone, "{error:?}");
    assert!(error.message.contains("no transcript of it in"), "{error:?}");
    assert!(error.next.unwrap().contains("belfry restart"));
    assert_eq!(daemon.show(started.id).await.runs.len(), 1, "nothing was started");
    let ran = daemon.cli().run(&["resume", "one", "--json"]).exits(1);
    assert_eq!(ran.error_code(), "conversation_gone");
    // The way out that was named.
    let anew = ask(&daemon, restart(&daemon, started.id, false)).await.unwrap();
    assert!(anew.notice.clone().unwrap().contains("a new conversation"), "{:?}", anew.notice);
    assert_ne!(anew.conversation_id.as_deref(), Some(conversation.as_str()));
    arguments(&daemon, "one", "--session-id").await;

    // Another directory than the one that the transcript is filed under.
    turn(&daemon, &started).await;
    let conversation = anew.conversation_id.unwrap();
    transcript(&daemon, &conversation);
    let moved = daemon.person().join("moved");
    std::fs::create_dir(&moved).unwrap();
    end(&daemon, &started).await;
    let missing = daemon.person().join("missing");
    let error = ask(&daemon, to_resume(&daemon, started.id, missing.to_str())).await.unwrap_err();
    assert_eq!(error.code, ErrorCode::BadDirectory);
    // And no program.
    std::fs::remove_file(daemon.person().join("claude")).unwrap();
    let nowhere = Request::ResumeSession {
        session: started.id.to_string(),
        cwd: None,
        base_env: Some(
            env(&daemon)
                .into_iter()
                .map(|one| {
                    if one.name == "PATH" { EnvVar { value: "/nonexistent".to_owned(), ..one } } else { one }
                })
                .collect(),
        ),
    };
    let error = ask(&daemon, nowhere).await.unwrap_err();
    assert_eq!(error.code, ErrorCode::MissingProgram);
    assert_eq!(daemon.show(started.id).await.conversation_id, Some(conversation), "it is as it was");
}

#[tokio::test]
#[timeout(90000)]
async fn a_directory_that_was_moved_can_be_named() {
    let daemon = TestDaemon::start().await;
    let (old, new) = (daemon.person().join("old"), daemon.person().join("new"));
    std::fs::create_dir(&old).unwrap();
    let request = NewSession { cwd: Some(old.display().to_string()), ..daemon.shell_request(&["cat"]) };
    let started = daemon.new_session(request).await;
    end(&daemon, &started).await;
    std::fs::rename(&old, &new).unwrap();
    let error = resume(&daemon, started.id).await.unwrap_err();
    assert_eq!(error.code, ErrorCode::BadDirectory);
    assert!(error.next.unwrap().contains("--cwd"));
    let resumed = ask(&daemon, to_resume(&daemon, started.id, new.to_str())).await.unwrap();
    assert_eq!(resumed.cwd, new.display().to_string());
    end(&daemon, &started).await;
    resume(&daemon, started.id).await.unwrap();
}

#[tokio::test]
#[timeout(90000)]
async fn a_late_word_of_a_file_does_not_bring_a_conversation_back() {
    let daemon = TestDaemon::start().await;
    let started = claude(&daemon, "one").await;
    let first = started.conversation_id.clone().unwrap();
    let list = List::of(&daemon, started.pid.unwrap());
    list.put(&first, "idle");
    clear(&daemon, &started, "0190-second").await;
    list.put(&first, "busy");
    daemon.until(started.id, "the list is heard", |now| now.status == Status::Running).await;
    assert_eq!(daemon.show(started.id).await.conversation_id.as_deref(), Some("0190-second"));
    // One that no hook has told of is news.
    list.put("0190-third", "idle");
    let is = |now: &Session| now.conversation_id.as_deref() == Some("0190-third");
    daemon.until(started.id, "another one", is).await;
    assert_eq!(ledger(&daemon, started.id).await[0].how, "registry");
}

#[tokio::test]
#[timeout(90000)]
async fn an_agent_that_refuses_to_start_says_why() {
    let daemon = TestDaemon::start().await;
    let (started, _) = ended(&daemon).await;
    daemon.cli().script("claude", "#!/bin/sh\necho \"No conversation found with session ID: $2\"\nexit 1\n");
    resume(&daemon, started.id).await.unwrap();
    let dead = daemon.until(started.id, "dead", |now| now.status == Status::Dead).await;
    assert_eq!(dead.exit, Some(Exit::Code { code: 1 }));
    assert!(dead.reason.unwrap().contains("no conversation"));
}
