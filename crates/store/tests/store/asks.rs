//! Questions and their ends, and the history's bounds.

use belfry_protocol::ask::{Approves, Ask, AskDetail, AskKind, Choice, Risk};
use belfry_protocol::{AskId, MessageId};
use belfry_store::{AskOutcome, ClosedAsk, HISTORY_KEPT, Happening, StoreError};

use crate::{at, open, session, session_id};

fn ask(n: u8, opened: i64) -> Ask {
    Ask {
        id: AskId(format!("0197f000-0000-7000-8000-0000000000{n:02x}").parse().unwrap()),
        kind: AskKind::Approval,
        approves: Some(Approves::Command),
        text: "Do you want to proceed?".to_owned(),
        choices: vec![Choice {
            key: "1".to_owned(),
            label: "Yes".to_owned(),
            description: None,
            risk: Risk::Medium,
            refuses: false,
            takes_text: false,
            ticked: None,
        }],
        takes_text: true,
        detail: AskDetail { command: Some("touch x".to_owned()), ..AskDetail::default() },
        risk: Risk::High,
        risk_reason: Some("it deletes".to_owned()),
        fingerprint: format!("{n:016x}"),
        answerable: true,
        obstacle: None,
        opened_at: at(opened),
    }
}

#[test]
#[ntest::timeout(30000)]
fn an_open_question_outlives_the_daemon_and_a_closed_one_stays_closed() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("b.db");
    let mut store = open(&path).store;
    store.save_session(&session(1)).unwrap();
    let nobody = store.save_ask(session_id(9), &ask(9, 1));
    assert!(matches!(nobody, Err(StoreError::NoSuchSession)), "{nobody:?}");
    let first = ask(1, 1);
    store.save_ask(session_id(1), &first).unwrap();
    store.close().unwrap();
    let mut store = open(&path).store;
    assert_eq!(store.open_asks(at(2)).unwrap().remove(&session_id(1)), Some(first.clone()));
    // Of two, which a crash can leave, the newest is the one.
    let second = ask(2, 5);
    store.save_ask(session_id(1), &second).unwrap();
    assert_eq!(store.open_asks(at(6)).unwrap().remove(&session_id(1)), Some(second.clone()));
    let gone = ClosedAsk { outcome: AskOutcome::Gone, answer: None, answered_by: None };
    assert_eq!(store.closed_ask(first.id).unwrap(), Some(gone.clone()));
    let answered = ClosedAsk {
        outcome: AskOutcome::Answered,
        answer: Some("Yes".to_owned()),
        answered_by: Some("person (cli)".to_owned()),
    };
    store.close_ask(second.id, &answered, at(7)).unwrap();
    store.close_ask(second.id, &gone, at(8)).unwrap();
    store.save_ask(session_id(1), &second).unwrap();
    assert_eq!(store.closed_ask(second.id).unwrap(), Some(answered));
    assert!(store.open_asks(at(9)).unwrap().is_empty());
    let third = ask(3, 8);
    store.save_ask(session_id(1), &third).unwrap();
    let past = store.past_asks(session_id(1), 2).unwrap();
    let told: Vec<_> = past.iter().map(|ask| (ask.ask, ask.outcome, ask.answer.as_deref())).collect();
    assert_eq!(told, [(third.id, None, None), (second.id, Some(AskOutcome::Answered), Some("Yes"))]);
    assert_eq!((past[1].at, past[1].ended_at), (at(5), Some(at(7))));
    assert_eq!(past[1].about.as_deref(), Some("touch x"));
    store.remove_session(session_id(1)).unwrap();
    assert_eq!(store.closed_ask(second.id).unwrap(), None);
}

#[test]
#[ntest::timeout(60000)]
fn a_session_s_history_is_bounded_and_another_s_is_left_alone() {
    let folder = tempfile::tempdir().unwrap();
    let mut store = open(&folder.path().join("b.db")).store;
    store.save_session(&session(1)).unwrap();
    store.save_session(&session(2)).unwrap();
    let happening = |n: u64, second: i64| Happening {
        at: at(second),
        session: Some(session_id(n)),
        kind: "status".to_owned(),
        detail: serde_json::json!({ "n": second }),
    };
    store.record(&happening(2, 0)).unwrap();
    for second in 1..=600 {
        store.record(&happening(1, second)).unwrap();
    }
    let kept = store.history(session_id(1), 1000).unwrap();
    assert_eq!(kept.len(), HISTORY_KEPT as usize);
    assert_eq!(kept[0].detail["n"], 600);
    assert_eq!(store.history_of(session_id(2), "status", 10).unwrap().len(), 1);
    assert!(store.history_of(session_id(2), "other", 10).unwrap().is_empty());
}

#[test]
#[ntest::timeout(30000)]
fn a_message_can_be_taken_back_while_it_waits_and_put_back_before_a_byte_was_typed() {
    let folder = tempfile::tempdir().unwrap();
    let mut store = open(&folder.path().join("b.db")).store;
    store.save_session(&session(1)).unwrap();
    let id = |n: u8| MessageId(format!("0197e000-0000-7000-8000-0000000000{n:02x}").parse().unwrap());
    for n in 1..=3 {
        store.queue_message(id(n), session_id(1), "text", None, at(1)).unwrap();
    }
    assert!(store.take_back_message(id(1), "taken back", at(2)).unwrap());
    assert!(!store.take_back_message(id(1), "taken back", at(2)).unwrap());
    assert!(store.start_message(id(2)).unwrap());
    assert!(!store.take_back_message(id(2), "taken back", at(2)).unwrap(), "it is being typed");
    assert!(store.requeue_message(id(2)).unwrap());
    assert!(!store.requeue_message(id(2)).unwrap());
    assert_eq!(store.next_message(session_id(1)).unwrap().unwrap().message.id, id(2));
    let ids = |ended| -> Vec<_> {
        store
            .recent_messages(session_id(1), ended)
            .unwrap()
            .into_iter()
            .map(|stored| stored.message.id)
            .collect()
    };
    assert_eq!(ids(5), [id(1), id(2), id(3)]);
    assert_eq!(ids(0), [id(2), id(3)]);
}
