//! Calling the person: what becomes of sessions' changes as notifications.
//!
//! [`decide`] says which session calls and when, [`words`] what is said, [`list`] keeps the last ones. Here they are tied to
//! the clocks, the settings, the database and the clients. Sessions that changed are noted and looked at together; there is
//! a timer only while a reason is being checked or a snooze runs.

mod burst;
mod decide;
mod list;
mod quiet;
mod words;

use std::collections::HashSet;
use std::sync::Arc;
use std::sync::atomic::Ordering;

use belfry_protocol::settings::Notifications;
use belfry_protocol::{Event, Notification, NotificationId, NotificationKind, Session, SessionId};
use belfry_store::StoredNotification;
use jiff::Timestamp;
use jiff::tz::TimeZone;
use parking_lot::Mutex;
use tokio::sync::Notify;

use crate::session::Entry;
use crate::{Daemon, clock};
use burst::Burst;
use decide::{Act, Call, Decider, Moment, Seen};
use list::List;

/// What the rest of the daemon has of it.
pub(crate) struct Notifier {
    noted: Mutex<Noted>,
    wake: Notify,
    list: Mutex<List>,
}

/// What has happened since it was looked last.
#[derive(Default)]
struct Noted {
    /// Sessions that are there now, as they were then.
    added: Vec<Session>,
    changed: HashSet<SessionId>,
}

impl Notifier {
    /// With those of before, oldest first.
    pub(crate) fn new(stored: Vec<StoredNotification>) -> Self {
        Self { noted: Mutex::default(), wake: Notify::new(), list: Mutex::new(List::new(stored)) }
    }

    /// A session is there.
    pub(crate) fn added(&self, session: Session) {
        self.noted.lock().added.push(session);
        self.wake.notify_one();
    }

    /// A session has changed, is looked at, or is gone.
    pub(crate) fn changed(&self, session: SessionId) {
        if self.noted.lock().changed.insert(session) {
            self.wake.notify_one();
        }
    }
}

impl Daemon {
    /// The last notifications, oldest first.
    pub(crate) fn notifications(&self) -> Vec<Notification> {
        self.notifier.list.lock().all()
    }

    /// The person has seen that one and all before it; all where none is named.
    pub(crate) fn notifications_read(&self, up_to: Option<NotificationId>) {
        let Some(up_to) = self.notifier.list.lock().read(up_to) else { return };
        self.post(move |store| store.read_notifications(up_to));
        self.tell_all(&Event::NotificationsRead { up_to });
    }

    /// What one looks and sounds like.
    pub(crate) fn test_notification(&self, kind: NotificationKind) {
        let wall = clock::wall();
        let text = match kind {
            NotificationKind::Waiting => "This is how a question looks and sounds.",
            NotificationKind::Blocked => "This is how it looks and sounds when a session cannot go on.",
            NotificationKind::Done => "This is how it looks and sounds when a turn is over.",
            NotificationKind::Died => "This is how it looks and sounds when a program has ended.",
        };
        let notification = Notification {
            id: self.notifier.list.lock().next_id(wall),
            session: None,
            kind,
            title: "A notification from Belfry".to_owned(),
            text: text.to_owned(),
            ask: None,
            at: wall,
            read: true,
            over: false,
            quiet: false,
            many: false,
            sound: true,
        };
        self.tell_all(&Event::Notification { notification: Box::new(notification) });
    }
}

/// Calls the person for as long as the daemon runs. Sessions must be there already.
pub(crate) async fn follow(daemon: Arc<Daemon>) {
    let mut caller = Caller { daemon, decider: Decider::default(), burst: Burst::default() };
    caller.begin();
    loop {
        let moment = caller.moment();
        let next = caller.decider.next(moment);
        let daemon = Arc::clone(&caller.daemon);
        let timer = async {
            match next {
                Some(at) => tokio::time::sleep_until(daemon.clock.instant(at)).await,
                None => std::future::pending().await,
            }
        };
        tokio::select! {
            () = daemon.notifier.wake.notified() => {}
            () = timer => {}
        }
        caller.look();
    }
}

struct Caller {
    daemon: Arc<Daemon>,
    decider: Decider,
    burst: Burst,
}

impl Caller {
    fn moment(&self) -> Moment {
        Moment { now: self.daemon.clock.now(), wall: clock::wall() }
    }

    /// What the last daemon has told, and what of it is over.
    fn begin(&mut self) {
        let told = self.daemon.notifier.list.lock().open();
        let added = std::mem::take(&mut self.daemon.notifier.noted.lock().added);
        let mut still = HashSet::new();
        for session in &added {
            still.extend(self.decider.begin(session, &told));
        }
        for (id, _) in told.iter().filter(|(id, _)| !still.contains(id)) {
            self.gone(*id);
        }
        self.daemon.notifier.noted.lock().changed.extend(added.iter().map(|session| session.id));
        self.look();
    }

    fn look(&mut self) {
        let noted = std::mem::take(&mut *self.daemon.notifier.noted.lock());
        for session in &noted.added {
            self.decider.begin(session, &[]);
        }
        let moment = self.moment();
        let mut ids = noted.changed;
        ids.extend(self.decider.due(moment));
        let settings = self.daemon.settings();
        let set = &settings.settings.notifications;
        let mut calls = Vec::new();
        for id in ids {
            let acts = if let Some(entry) = self.daemon.get(id) {
                self.look_at(&entry, set, moment)
            } else if let Some(session) = self.daemon.locals.get(id) {
                self.look_at_local(&session, set, moment)
            } else {
                self.daemon.notifier.list.lock().forget(id);
                self.decider.forget(id).into_iter().collect()
            };
            for act in acts {
                match act {
                    Act::Gone(id) => self.gone(id),
                    Act::Call(call) => calls.push(*call),
                }
            }
        }
        self.call(calls, set, moment);
    }

    fn look_at(&mut self, entry: &Entry, set: &Notifications, moment: Moment) -> Vec<Act> {
        let session = entry.session();
        let seen = Seen {
            session: &session,
            looked_at: entry.focus.load(Ordering::Relaxed) != 0,
            killed: entry.killed.load(Ordering::Relaxed),
            vanished: entry.ask_vanished.load(Ordering::Relaxed),
        };
        self.decider.look(&seen, set, moment)
    }

    /// One that Belfry did not start. The person ends those where they are.
    fn look_at_local(&mut self, session: &Session, set: &Notifications, moment: Moment) -> Vec<Act> {
        let seen = Seen { session, looked_at: false, killed: true, vanished: false };
        self.decider.look(&seen, set, moment)
    }

    fn gone(&self, id: NotificationId) {
        if self.daemon.notifier.list.lock().end(id) {
            self.daemon.post(move |store| store.end_notification(id));
        }
        self.daemon.tell_all(&Event::NotificationGone { id });
    }

    fn call(&mut self, mut calls: Vec<Call>, set: &Notifications, moment: Moment) {
        if calls.is_empty() {
            return;
        }
        // In the order in which sessions were made, whatever order they were looked at in.
        calls.sort_by_key(|call| call.session);
        let quiet = is_quiet(set, moment.wall);
        let many = self.burst.send(calls.len(), moment.now);
        for call in calls {
            let sound = !quiet && set.sounds && sounds(call.kind, set) && self.burst.sounds(moment.now);
            let Call { session, private, kind, about, words } = call;
            let id = {
                let mut list = self.daemon.notifier.list.lock();
                let notification = Notification {
                    id: list.next_id(moment.wall),
                    session: Some(session),
                    kind,
                    title: words.title,
                    text: words.text,
                    ask: words.ask,
                    at: moment.wall,
                    read: false,
                    over: false,
                    quiet,
                    many,
                    sound,
                };
                let id = notification.id;
                let stored = StoredNotification { notification: notification.clone(), about };
                if !private {
                    let stored = stored.clone();
                    self.daemon.post(move |store| store.add_notification(&stored));
                }
                list.add(stored);
                drop(list);
                self.daemon.tell_all(&Event::Notification { notification: Box::new(notification) });
                id
            };
            self.decider.called(session, id);
        }
    }
}

fn sounds(kind: NotificationKind, set: &Notifications) -> bool {
    match kind {
        NotificationKind::Waiting => set.sound_waiting,
        NotificationKind::Blocked => set.sound_blocked,
        NotificationKind::Done => set.sound_done,
        NotificationKind::Died => set.sound_died,
    }
}

fn is_quiet(set: &Notifications, wall: Timestamp) -> bool {
    set.do_not_disturb
        || set.quiet_hours.as_ref().is_some_and(|hours| quiet::at(hours, wall, &TimeZone::system()))
}
