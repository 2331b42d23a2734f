//! Questions: they open with the dialog, are answered only while it is the same, and close with it.

#![expect(clippy::unwrap_used, reason = "a test's own functions fail the test")]

use belfry_protocol::ask::{Approves, Ask, AskKind};
use belfry_protocol::{ErrorCode, Reply, Request, Session, Status};
use belfry_store::{AskOutcome, Store};
use belfry_tests::daemon::{TestDaemon, TestView, eventually, session};
use ntest::timeout;

async fn started(answer: &str) -> TestDaemon {
    let mut daemon = TestDaemon::stopped();
    daemon.add_asker(answer);
    daemon.run().await;
    daemon
}

async fn asking(daemon: &TestDaemon, started: &Session) -> Ask {
    let waits = |session: &Session| {
        session.status == Status::Waiting && session.ask.as_ref().is_some_and(|ask| ask.answerable)
    };
    *daemon.until(started.id, "it asks", waits).await.ask.expect("an ask")
}

fn answer(session: &Session, choice: Option<&str>, text: Option<&str>, fingerprint: Option<&str>) -> Request {
    Request::AnswerAsk {
        session: session.id.to_string(),
        choice: choice.map(str::to_owned),
        text: text.map(str::to_owned),
        fingerprint: fingerprint.map(str::to_owned),
    }
}

async fn refused(daemon: &TestDaemon, request: Request) -> ErrorCode {
    let error = daemon.connect().await.request(request).await.expect_err("it is refused");
    error.code().expect("the daemon's own error")
}

async fn answered(daemon: &TestDaemon, request: Request) -> Session {
    session(daemon.connect().await.request(request).await.expect("it is answered"))
}

/// How the question ended, as the next daemon would find it.
async fn outcome(daemon: &mut TestDaemon, ask: &Ask) -> belfry_store::ClosedAsk {
    daemon.stop().await;
    let store = Store::open(&daemon.home().database(), jiff::Timestamp::now()).unwrap().store;
    store.closed_ask(ask.id).unwrap().expect("it is closed")
}

#[tokio::test]
#[timeout(60000)]
async fn a_question_is_answered_by_its_key_and_by_nothing_like_it() {
    let mut daemon = started("key").await;
    let started = daemon.asker("key").await;
    let ask = asking(&daemon, &started).await;
    assert_eq!((ask.kind, ask.approves), (AskKind::Approval, Some(Approves::Command)));
    assert_eq!(ask.detail.command.as_deref(), Some("touch x"));
    let labels: Vec<_> = ask.choices.iter().map(|choice| choice.label.as_str()).collect();
    assert_eq!(labels, ["Yes", "Yes, and always", "No"]);
    let shown = daemon.show(started.id).await;
    assert_eq!(shown.reason.as_deref(), Some("approve `touch x`"));
    for choice in ["4", "yes", "Yes, and", ""] {
        let code = refused(&daemon, answer(&started, Some(choice), None, None)).await;
        assert_eq!(code, ErrorCode::BadRequest, "{choice:?}");
    }
    assert_eq!(
        refused(&daemon, answer(&started, Some("1"), Some("text"), None)).await,
        ErrorCode::BadRequest
    );
    assert_eq!(refused(&daemon, answer(&started, Some("1"), None, Some("other"))).await, ErrorCode::Changed);
    let after = answered(&daemon, answer(&started, Some("2"), None, Some(&ask.fingerprint))).await;
    assert_eq!(after.ask, None);
    eventually("the program has it", || daemon.lines_of("chosen") == ["2"]).await;
    assert_eq!(refused(&daemon, answer(&started, Some("2"), None, None)).await, ErrorCode::Changed);
    let closed = outcome(&mut daemon, &ask).await;
    assert_eq!(closed.outcome, AskOutcome::Answered);
    assert_eq!(closed.answer.as_deref(), Some("Yes, and always"));
    assert_eq!(closed.answered_by.as_deref(), Some("person (test)"));
}

#[tokio::test]
#[timeout(60000)]
async fn the_mark_is_moved_step_by_step_to_a_label() {
    let daemon = started("up_down").await;
    let started = daemon.asker("walk").await;
    asking(&daemon, &started).await;
    answered(&daemon, answer(&started, Some("No"), None, None)).await;
    eventually("the program has it", || daemon.lines_of("chosen") == ["3"]).await;
}

#[tokio::test]
#[timeout(60000)]
async fn a_text_goes_into_the_field_of_its_choice() {
    let daemon = started("key").await;
    let started = daemon.asker("text").await;
    asking(&daemon, &started).await;
    assert_eq!(refused(&daemon, answer(&started, Some("3"), None, None)).await, ErrorCode::BadRequest);
    answered(&daemon, answer(&started, None, Some("Green it is"), None)).await;
    eventually("the program has it", || daemon.lines_of("chosen") == ["3Green it is"]).await;
}

#[tokio::test]
#[timeout(60000)]
async fn a_dialog_that_stays_open_is_said_to_and_one_answer_is_given_at_a_time() {
    let daemon = started("key").await;
    let started = daemon.asker("deaf").await;
    let ask = asking(&daemon, &started).await;
    let first = daemon.connect().await;
    let (first, second) = tokio::join!(
        first.request(answer(&started, Some("1"), None, None)),
        refused(&daemon, answer(&started, Some("1"), None, None)),
    );
    let first = first.expect_err("it is deaf").code().unwrap();
    let mut codes = [first, second].map(|code| code == ErrorCode::StillOpen);
    codes.sort_unstable();
    assert_eq!(codes, [false, true], "{first:?} {second:?}");
    let still = daemon.show(started.id).await;
    assert_eq!((still.status, still.ask.map(|ask| ask.id)), (Status::Waiting, Some(ask.id)));
}

#[tokio::test]
#[timeout(60000)]
async fn a_person_who_types_meanwhile_wins() {
    let mut daemon = started("up_down").await;
    let started = daemon.asker("deaf").await;
    let ask = asking(&daemon, &started).await;
    let view = TestView::open(&daemon, started.id).await;
    let connection = daemon.connect().await;
    // The mark does not move, so that the answer waits until the person types.
    let types = async {
        loop {
            view.input(b"x").await;
            tokio::time::sleep(std::time::Duration::from_millis(20)).await;
        }
    };
    let given = tokio::select! {
        given = connection.request(answer(&started, Some("3"), None, None)) => given,
        () = types => unreachable!("it types for ever"),
    };
    assert_eq!(given.expect_err("the person was first").code(), Some(ErrorCode::Changed));
    assert!(daemon.show(started.id).await.ask.is_some(), "it is still open");
    let dead =
        session(connection.request(Request::KillSession { session: started.id.to_string() }).await.unwrap());
    assert_eq!((dead.status, dead.ask), (Status::Dead, None));
    assert_eq!(outcome(&mut daemon, &ask).await.outcome, AskOutcome::Ended);
}

#[tokio::test]
#[timeout(60000)]
async fn another_dialog_is_not_answered_for_the_one_that_was_seen() {
    let daemon = started("key").await;
    let started = daemon.asker("swaps").await;
    let ask = asking(&daemon, &started).await;
    daemon.let_go();
    let other = daemon
        .until(started.id, "another dialog", |session| {
            session.ask.as_ref().is_some_and(|now| now.id != ask.id && now.answerable)
        })
        .await;
    let other = other.ask.unwrap();
    assert_eq!(other.detail.command.as_deref(), Some("rm -rf /"));
    assert!(other.risk > ask.risk, "{:?}", other.risk);
    let stale = answer(&started, Some("1"), None, Some(&ask.fingerprint));
    assert_eq!(refused(&daemon, stale).await, ErrorCode::Changed);
    assert!(daemon.lines_of("chosen").is_empty());
    answered(&daemon, answer(&started, Some("3"), None, Some(&other.fingerprint))).await;
    eventually("the program has it", || daemon.lines_of("chosen") == ["3"]).await;
}

#[tokio::test]
#[timeout(60000)]
async fn nothing_is_typed_where_the_screen_never_stands_still() {
    let daemon = started("key").await;
    let started = daemon.asker("restless").await;
    asking(&daemon, &started).await;
    let before = daemon.screen(started.id, false, 0).await.offset;
    daemon.let_go();
    while daemon.screen(started.id, false, 0).await.offset < before + 10_000 {
        tokio::task::yield_now().await;
    }
    let code = refused(&daemon, answer(&started, Some("1"), None, None)).await;
    assert_eq!(code, ErrorCode::Changed);
}

#[tokio::test]
#[timeout(60000)]
async fn an_agent_that_dies_of_its_answer_leaves_no_question() {
    let mut daemon = started("key").await;
    let started = daemon.asker("dies").await;
    let ask = asking(&daemon, &started).await;
    // It was answered, and its end is the answer's effect.
    let given = daemon.connect().await.request(answer(&started, Some("1"), None, None)).await;
    assert!(
        given.as_ref().map_or_else(|error| error.code() == Some(ErrorCode::NotAlive), |_| true),
        "{given:?}"
    );
    let dead = daemon.until(started.id, "dead", |session| session.status == Status::Dead).await;
    assert_eq!(dead.ask, None);
    assert_eq!(refused(&daemon, answer(&started, Some("1"), None, None)).await, ErrorCode::NotAlive);
    assert_eq!(outcome(&mut daemon, &ask).await.outcome, AskOutcome::Answered);
}

#[tokio::test]
#[timeout(60000)]
async fn a_dialog_that_scrolls_away_is_over() {
    let mut daemon = started("key").await;
    let started = daemon.asker("scrolls").await;
    let ask = asking(&daemon, &started).await;
    daemon.let_go();
    daemon.until(started.id, "idle", |session| session.status == Status::Idle && session.ask.is_none()).await;
    assert_eq!(outcome(&mut daemon, &ask).await.outcome, AskOutcome::Gone);
}

#[tokio::test]
#[timeout(60000)]
async fn the_same_question_is_open_after_a_crash_and_can_be_answered() {
    let mut daemon = started("key").await;
    let started = daemon.asker("key").await;
    let ask = asking(&daemon, &started).await;
    // What is asked of the database now is answered after all that was written before.
    let written = Request::ListMessages { session: started.id.to_string() };
    daemon.connect().await.request(written).await.unwrap();
    daemon.kill();
    daemon.run().await;
    let again = asking(&daemon, &started).await;
    assert_eq!((again.id, &again.fingerprint), (ask.id, &ask.fingerprint));
    let view = TestView::open(&daemon, started.id).await;
    view.input(b"3").await;
    daemon.until(started.id, "over", |session| session.ask.is_none()).await;
    assert_eq!(outcome(&mut daemon, &ask).await.outcome, AskOutcome::InTerminal);
}

#[tokio::test]
#[timeout(60000)]
async fn nothing_of_a_private_session_s_question_is_on_the_disk() {
    let daemon = started("key").await;
    let private = belfry_protocol::launch::NewSession { private: true, ..daemon.asker_request("key") };
    let private = daemon.new_session(private).await;
    let ask = asking(&daemon, &private).await;
    answered(&daemon, answer(&private, Some("1"), None, None)).await;
    eventually("the program has it", || daemon.lines_of("chosen") == ["1"]).await;
    let explained = Request::ExplainSession { session: private.id.to_string() };
    let Ok(Reply::Explanation(explained)) = daemon.connect().await.request(explained).await else {
        panic!("no explanation")
    };
    assert!(explained.history.iter().any(|change| change.to == Status::Waiting), "{:?}", explained.history);
    for file in std::fs::read_dir(daemon.home().state_dir()).unwrap().flatten() {
        let bytes = std::fs::read(file.path()).unwrap_or_default();
        for text in ["Do you want to proceed", "touch x", &ask.id.to_string()] {
            let found = bytes.windows(text.len()).any(|window| window == text.as_bytes());
            assert!(!found, "{text:?} is in {:?}", file.path());
        }
    }
}

#[tokio::test]
#[timeout(60000)]
async fn a_report_alone_makes_no_question_that_can_be_answered() {
    let daemon = started("key").await;
    let started = daemon.asker("signal").await;
    let waits = daemon.until(started.id, "waiting", |session| session.ask.is_some()).await;
    assert_eq!(waits.status, Status::Waiting);
    let ask = waits.ask.unwrap();
    assert!(!ask.answerable && ask.choices.is_empty(), "{ask:?}");
    for request in [answer(&started, Some("1"), None, None), answer(&started, None, Some("1"), None)] {
        assert_eq!(refused(&daemon, request).await, ErrorCode::Unsupported);
    }
    daemon.let_go();
    daemon.until(started.id, "idle", |session| session.status == Status::Idle && session.ask.is_none()).await;
}

/// The question's own words for why it cannot be answered as it is.
fn obstacle(session: &Session) -> &str {
    session.ask.as_ref().and_then(|ask| ask.obstacle.as_deref()).unwrap_or_default()
}

#[tokio::test]
#[timeout(60000)]
async fn a_question_stays_the_same_while_the_rest_of_it_is_drawn() {
    let daemon = started("key").await;
    let started = daemon.asker("pieces").await;
    let half = daemon.until(started.id, "half of it", |session| session.ask.is_some()).await;
    let waits = half.ask.clone().unwrap();
    assert_eq!(
        (waits.detail.command.as_ref(), waits.answerable),
        (None, false),
        "nobody sees what it is about"
    );
    assert!(obstacle(&half).contains("drawn"), "{}", obstacle(&half));
    // Answered by somebody who looked a moment too early.
    let early = answer(&started, Some("1"), None, Some(&waits.fingerprint));
    let (answered, whole) = tokio::join!(answered(&daemon, early), async {
        daemon.let_go();
        daemon
            .until(started.id, "the rest", |session| {
                session.ask.as_ref().is_none_or(|ask| ask.detail.command.is_some())
            })
            .await
    });
    if let Some(whole) = whole.ask {
        assert_eq!(whole.id, waits.id, "it is one question");
        assert_ne!(whole.fingerprint, waits.fingerprint);
    }
    assert_eq!(answered.ask, None);
    eventually("the program has it", || daemon.lines_of("chosen") == ["1"]).await;
}

#[tokio::test]
#[timeout(60000)]
async fn what_turns_out_riskier_than_it_was_shown_is_not_answered() {
    let daemon = started("key").await;
    let connection = daemon.connect().await;
    let started = daemon.asker("risky").await;
    let half = daemon.until(started.id, "half of it", |session| session.ask.is_some()).await.ask.unwrap();
    let early = connection.request(answer(&started, Some("1"), None, Some(&half.fingerprint)));
    let (given, ()) = tokio::join!(early, async { daemon.let_go() });
    assert_eq!(given.expect_err("it is refused").code(), Some(ErrorCode::Changed));
    let whole = asking(&daemon, &started).await;
    assert_eq!((whole.id, whole.detail.command.as_deref()), (half.id, Some("rm -rf /")));
    assert!(daemon.lines_of("chosen").is_empty());
    answered(&daemon, answer(&started, Some("3"), None, Some(&whole.fingerprint))).await;
    eventually("the program has it", || daemon.lines_of("chosen") == ["3"]).await;
}

#[tokio::test]
#[timeout(60000)]
async fn what_is_never_named_can_be_answered_in_the_end() {
    let daemon = started("key").await;
    let started = daemon.asker("nameless").await;
    let ask = asking(&daemon, &started).await;
    assert_eq!(ask.detail.command, None);
    answered(&daemon, answer(&started, Some("3"), None, Some(&ask.fingerprint))).await;
    eventually("the program has it", || daemon.lines_of("chosen") == ["3"]).await;
}

#[tokio::test]
#[timeout(60000)]
async fn an_early_answer_is_for_one_question_and_for_nobody_who_types() {
    let daemon = started("key").await;
    let (requests, _incoming) = daemon.connect().await.split();
    let started = daemon.asker("pieces").await;
    let half = daemon.until(started.id, "half of it", |session| session.ask.is_some()).await.ask.unwrap();
    let early = || requests.request(answer(&started, Some("1"), None, Some(&half.fingerprint)));
    let (mut one, mut two) = (Box::pin(early()), Box::pin(early()));
    let (other, held) = tokio::select! {
        refused = &mut one => (refused, two),
        refused = &mut two => (refused, one),
    };
    let keys = Request::SendKeys { session: started.id.to_string(), keys: vec!["x".to_owned()] };
    requests.request(keys).await.expect("it is typed");
    let code =
        |answered: Result<Reply, belfry_client::ClientError>| answered.expect_err("it is refused").code();
    assert_eq!([code(other), code(held.await)], [Some(ErrorCode::Changed); 2]);
    daemon.let_go();
    eventually("the program has what was typed", || daemon.lines_of("chosen") == ["x"]).await;
}

/// Answers a question that is asked again, twice, and then refuses.
async fn asked_again(how: &str, answers: &str) {
    let mut daemon = started(answers).await;
    let started = daemon.asker(how).await;
    let first = asking(&daemon, &started).await;
    let mut before = first.clone();
    for given in 1..=2 {
        let after = answered(&daemon, answer(&started, Some("1"), None, Some(&before.fingerprint))).await;
        if let Some(ask) = after.ask {
            assert_ne!(ask.id, before.id, "it is another question");
        }
        let again = daemon
            .until(started.id, "it asks again", |session| {
                session.ask.as_ref().is_some_and(|ask| ask.id != before.id && ask.answerable)
            })
            .await;
        assert_eq!(daemon.lines_of("chosen").len(), given);
        let again = *again.ask.unwrap();
        assert_eq!((&again.text, &again.choices), (&before.text, &before.choices));
        // The old answer is not the new one's.
        let stale = answer(&started, Some("1"), None, Some(&before.fingerprint));
        assert_eq!(refused(&daemon, stale).await, ErrorCode::Changed);
        before = again;
    }
    answered(&daemon, answer(&started, Some("3"), None, Some(&before.fingerprint))).await;
    eventually("each once", || daemon.lines_of("chosen") == ["1", "1", "3"]).await;
    assert_eq!(outcome(&mut daemon, &first).await.outcome, AskOutcome::Answered);
}

#[tokio::test]
#[timeout(60000)]
async fn the_same_question_after_some_work_is_another_one() {
    asked_again("works", "key").await;
}

#[tokio::test]
#[timeout(60000)]
async fn the_same_question_at_once_is_another_one() {
    asked_again("again", "key").await;
}

/// A script whose questions a shell's `read` asks.
async fn script(text: &str) -> (TestDaemon, Session, TestView) {
    let daemon = TestDaemon::start().await;
    daemon.cli().write("ask.sh", text);
    let started = daemon.shell(&["bash", "ask.sh"]).await;
    let view = TestView::open(&daemon, started.id).await;
    (daemon, started, view)
}

#[tokio::test]
#[timeout(60000)]
async fn a_script_s_question_that_is_asked_again_is_another_one() {
    let asks = "while read -r -p 'Go on? [y/n] ' a; do echo \"$a\" >>got; [ \"$a\" = n ] && break; done";
    let (mut daemon, started, _view) = script(asks).await;
    let first = asking(&daemon, &started).await;
    let mut before = first.clone();
    for given in 1..=2 {
        answered(&daemon, answer(&started, Some("y"), None, Some(&before.fingerprint))).await;
        let again = daemon
            .until(started.id, "it asks again", |session| {
                session.ask.as_ref().is_some_and(|ask| ask.id != before.id && ask.answerable)
            })
            .await;
        assert_eq!(daemon.lines_of("got").len(), given);
        let stale = answer(&started, Some("y"), None, Some(&before.fingerprint));
        assert_eq!(refused(&daemon, stale).await, ErrorCode::Changed);
        before = *again.ask.unwrap();
    }
    answered(&daemon, answer(&started, Some("n"), None, Some(&before.fingerprint))).await;
    eventually("each once", || daemon.lines_of("got") == ["y", "y", "n"]).await;
    assert_eq!(outcome(&mut daemon, &first).await.outcome, AskOutcome::Answered);
}

#[tokio::test]
#[timeout(60000)]
async fn what_the_person_answers_again_and_again_is_not_answered_by_an_old_look() {
    let asks = "while read -r -p 'Go on? [y/n] ' a; do echo \"$a\" >>got; [ \"$a\" = n ] && break; done";
    let (daemon, started, view) = script(asks).await;
    let before = asking(&daemon, &started).await;
    view.input(b"y\r").await;
    let again = daemon
        .until(started.id, "it asks again", |session| {
            session.ask.as_ref().is_some_and(|ask| ask.id != before.id && ask.answerable)
        })
        .await;
    let stale = answer(&started, Some("n"), None, Some(&before.fingerprint));
    assert_eq!(refused(&daemon, stale).await, ErrorCode::Changed);
    let now = again.ask.unwrap().fingerprint;
    answered(&daemon, answer(&started, Some("n"), None, Some(&now))).await;
    eventually("each once", || daemon.lines_of("got") == ["y", "n"]).await;
}

/// Something is typed at a question and not submitted: it stays open, is not answered beside it, and can be once it is gone.
async fn half_typed(asks: &str, typed: &[u8], given: (Option<&str>, Option<&str>), got: &str) {
    let (daemon, started, view) = script(asks).await;
    let ask = asking(&daemon, &started).await;
    view.input(typed).await;
    let typed_at =
        daemon.until(started.id, "half typed", |session| obstacle(session).contains("half typed")).await;
    assert_eq!((typed_at.status, typed_at.ask.map(|ask| ask.id)), (Status::Waiting, Some(ask.id)));
    assert_eq!(refused(&daemon, answer(&started, given.0, given.1, None)).await, ErrorCode::Changed);
    assert!(daemon.lines_of("got").is_empty());
    view.input(b"\x15").await;
    let cleared = asking(&daemon, &started).await;
    assert_eq!((cleared.id, &cleared.fingerprint), (ask.id, &ask.fingerprint));
    answered(&daemon, answer(&started, given.0, given.1, Some(&ask.fingerprint))).await;
    eventually("that alone was typed", || daemon.lines_of("got") == [got]).await;
}

#[tokio::test]
#[timeout(60000)]
async fn an_answer_is_not_appended_to_a_half_typed_one() {
    let asks = "read -r -p 'Go on? [y/n] ' a; echo \"$a\" >>got; sleep 1000";
    half_typed(asks, b"y", (Some("n"), None), "n").await;
}

#[tokio::test]
#[timeout(60000)]
async fn nor_to_a_long_one() {
    let asks = "read -r -p 'Your name: ' a; echo \"$a\" >>got; sleep 1000";
    half_typed(asks, &[b'x'; 100], (None, Some("someone")), "someone").await;
}

#[tokio::test]
#[timeout(60000)]
async fn nor_to_one_that_is_not_shown() {
    let asks = "read -r -s -p 'Password: ' a; echo \"$a\" >>got; sleep 1000";
    half_typed(asks, b"secr", (None, Some("secret")), "secret").await;
}

#[tokio::test]
#[timeout(60000)]
async fn what_takes_the_place_of_a_dialog_gets_no_more_of_its_answer() {
    let daemon = started("up_down").await;
    let started = daemon.asker("turns").await;
    let ask = asking(&daemon, &started).await;
    let given = daemon.connect().await.request(answer(&started, Some("3"), None, None)).await;
    let error = given.expect_err("it is another dialog").to_string();
    assert!(error.contains("rm -rf /"), "{error}");
    let other = daemon
        .until(started.id, "the other one", |session| {
            session.ask.as_ref().is_some_and(|now| now.id != ask.id && now.answerable)
        })
        .await;
    assert!(daemon.lines_of("chosen").is_empty());
    let fingerprint = other.ask.unwrap().fingerprint;
    answered(&daemon, answer(&started, Some("3"), None, Some(&fingerprint))).await;
    eventually("the program has it", || daemon.lines_of("chosen") == ["3"]).await;
}

#[tokio::test]
#[timeout(60000)]
async fn a_text_is_not_typed_beside_a_draft_behind_the_dialog() {
    let daemon = started("key").await;
    let started = daemon.asker("drafted").await;
    asking(&daemon, &started).await;
    let code = refused(&daemon, answer(&started, Some("3"), Some("text"), None)).await;
    assert_eq!(code, ErrorCode::Changed);
    daemon.until(started.id, "its prompt", |session| session.ask.is_none()).await;
    assert_eq!(daemon.lines_of("chosen"), ["3"], "the choice alone was typed");
}
