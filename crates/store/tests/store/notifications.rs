//! What called the person is there again, with its marks, and the oldest go.

use belfry_protocol::notification::NotificationAsk;
use belfry_protocol::{AskId, Notification, NotificationId, NotificationKind};
use belfry_store::{NOTIFICATIONS_KEPT, StoredNotification};

use crate::{at, open, session, session_id};

fn id(n: u32) -> NotificationId {
    NotificationId(format!("0197e000-0000-7000-8000-{n:012x}").parse().unwrap())
}

pub(crate) fn stored(n: u32) -> StoredNotification {
    StoredNotification {
        notification: Notification {
            id: id(n),
            session: Some(session_id(1)),
            kind: NotificationKind::Waiting,
            title: "naïve \u{1f514} waits for you".to_owned(),
            text: "Do you want to proceed?\ntouch x".to_owned(),
            ask: Some(NotificationAsk {
                id: AskId(format!("0197f000-0000-7000-8000-{n:012x}").parse().unwrap()),
                fingerprint: "f".to_owned(),
                allow: Some("1".to_owned()),
                deny: None,
            }),
            at: at(i64::from(n)),
            read: false,
            over: false,
            quiet: true,
            many: false,
            sound: false,
        },
        about: format!("ask {n}"),
    }
}

#[test]
#[ntest::timeout(30000)]
fn marks_are_kept_and_the_newest_stay() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("b.db");
    let mut store = open(&path).store;
    store.save_session(&session(1)).unwrap();
    for n in 1..=NOTIFICATIONS_KEPT + 3 {
        store.add_notification(&stored(n)).unwrap();
    }
    store.read_notifications(id(5)).unwrap();
    store.end_notification(id(7)).unwrap();
    store.close().unwrap();

    let mut store = open(&path).store;
    let kept = store.notifications().unwrap();
    assert_eq!(kept.len(), NOTIFICATIONS_KEPT as usize);
    assert_eq!(kept[0].notification.id, id(4));
    let marks: Vec<_> =
        kept[..5].iter().map(|kept| (kept.notification.read, kept.notification.over)).collect();
    assert_eq!(marks, [(true, false), (true, false), (false, false), (true, true), (false, false)]);
    assert_eq!(kept[4], stored(8));
    store.remove_session(session_id(1)).unwrap();
    assert_eq!(store.notifications().unwrap(), [], "they go with their session");
}
