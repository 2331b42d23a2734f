//! Each message is typed at most once.

use belfry_protocol::MessageId;
use belfry_protocol::reply::Delivery;
use belfry_store::{Store, StoreError};

use crate::{at, open, session, session_id};

fn id(n: u8) -> MessageId {
    MessageId(format!("0197e000-0000-7000-8000-0000000000{n:02x}").parse().unwrap())
}

fn delivery(store: &Store, n: u8) -> Delivery {
    store.message(id(n)).unwrap().unwrap().message.delivery
}

#[test]
#[ntest::timeout(30000)]
fn a_message_is_taken_once_and_in_order() {
    let folder = tempfile::tempdir().unwrap();
    let mut store = open(&folder.path().join("b.db")).store;
    let one = session(1);
    store.save_session(&one).unwrap();
    let nobody = store.queue_message(id(9), session_id(9), "x", None, at(1));
    assert!(matches!(nobody, Err(StoreError::NoSuchSession)), "{nobody:?}");
    // Ids do not decide the order, the queue does.
    store.queue_message(id(3), one.id, "first", None, at(1)).unwrap();
    store.queue_message(id(1), one.id, "second", Some(session_id(5)), at(1)).unwrap();
    assert_eq!(store.sessions().unwrap()[0].queued, 2);
    let next = store.next_message(one.id).unwrap().unwrap();
    assert_eq!((next.message.id, next.text.as_str(), next.session), (id(3), "first", one.id));

    assert!(store.start_message(id(3)).unwrap());
    assert!(!store.start_message(id(3)).unwrap(), "taken twice");
    assert_eq!(store.next_message(one.id).unwrap().unwrap().text, "second");
    assert!(store.end_message(id(3), Delivery::Delivered, None, at(2)).unwrap());
    assert!(!store.end_message(id(3), Delivery::Failed, Some("late"), at(3)).unwrap(), "ended twice");
    assert!(
        !store.end_message(id(1), Delivery::Delivered, None, at(3)).unwrap(),
        "delivered without being typed"
    );
    assert!(store.end_message(id(1), Delivery::Failed, Some("the session ended"), at(3)).unwrap());
    assert!(!store.start_message(id(1)).unwrap(), "typed after it failed");
    let all: Vec<_> = store.messages(one.id).unwrap().into_iter().map(|m| m.message.delivery).collect();
    assert_eq!(all, [Delivery::Delivered, Delivery::Failed]);
    assert_eq!(store.sessions().unwrap()[0].queued, 0);
}

#[test]
#[ntest::timeout(30000)]
fn one_that_was_cut_off_is_unsure_and_stays_so() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("b.db");
    let mut store = open(&path).store;
    let one = session(1);
    store.save_session(&one).unwrap();
    for n in 1..=3 {
        store.queue_message(id(n), one.id, "x", None, at(1)).unwrap();
    }
    store.start_message(id(1)).unwrap();
    store.start_message(id(2)).unwrap();
    store.end_message(id(2), Delivery::Delivered, None, at(2)).unwrap();
    drop(store);

    let mut store = open(&path).store;
    let cut = store.messages_cut_off(at(9)).unwrap();
    assert_eq!(
        cut.iter().map(|m| (m.message.id, m.message.delivery)).collect::<Vec<_>>(),
        [(id(1), Delivery::Unsure)]
    );
    assert_eq!(
        [delivery(&store, 1), delivery(&store, 2), delivery(&store, 3)],
        [Delivery::Unsure, Delivery::Delivered, Delivery::Queued]
    );
    assert!(!store.start_message(id(1)).unwrap());
    assert_eq!(store.messages_cut_off(at(9)).unwrap(), []);
}
