//! The last notifications, as the window's list shows them.

use std::collections::VecDeque;

use belfry_protocol::{Notification, NotificationId, SessionId};
use belfry_store::{NOTIFICATIONS_KEPT, StoredNotification};
use jiff::Timestamp;

/// Oldest first.
#[derive(Debug, Default)]
pub(super) struct List {
    kept: VecDeque<StoredNotification>,
    /// The last id's time, in milliseconds since the Unix epoch.
    last: u64,
}

impl List {
    pub(super) fn new(stored: Vec<StoredNotification>) -> Self {
        let last = stored.last().and_then(|stored| stored.notification.id.0.get_timestamp());
        let last = last.map_or(0, |time| {
            let (seconds, nanos) = time.to_unix();
            seconds * 1000 + u64::from(nanos / 1_000_000)
        });
        Self { kept: stored.into(), last }
    }

    /// A new id, greater than all before it also where the wall's clock was put back.
    pub(super) fn next_id(&mut self, wall: Timestamp) -> NotificationId {
        self.last = u64::try_from(wall.as_millisecond()).unwrap_or(0).max(self.last + 1);
        NotificationId::at(self.last)
    }

    pub(super) fn add(&mut self, stored: StoredNotification) {
        self.kept.push_back(stored);
        while self.kept.len() > NOTIFICATIONS_KEPT as usize {
            self.kept.pop_front();
        }
    }

    pub(super) fn all(&self) -> Vec<Notification> {
        self.kept.iter().map(|kept| kept.notification.clone()).collect()
    }

    /// Those whose reason is not known to be gone, and what they are about.
    pub(super) fn open(&self) -> Vec<(NotificationId, String)> {
        let open = self.kept.iter().filter(|kept| !kept.notification.over);
        open.map(|kept| (kept.notification.id, kept.about.clone())).collect()
    }

    /// Its reason is gone. False where that was known, or it is not kept.
    pub(super) fn end(&mut self, id: NotificationId) -> bool {
        let Some(kept) = self.kept.iter_mut().find(|kept| kept.notification.id == id) else { return false };
        kept.notification.read = true;
        !std::mem::replace(&mut kept.notification.over, true)
    }

    /// Marks that one and all before it as read, or all. Gives the last that was marked; none where all were read.
    pub(super) fn read(&mut self, up_to: Option<NotificationId>) -> Option<NotificationId> {
        let mut last = None;
        for kept in
            self.kept.iter_mut().filter(|kept| up_to.is_none_or(|up_to| kept.notification.id <= up_to))
        {
            if !std::mem::replace(&mut kept.notification.read, true) {
                last = Some(kept.notification.id);
            }
        }
        last
    }

    /// Those of a session that is gone.
    pub(super) fn forget(&mut self, session: SessionId) {
        self.kept.retain(|kept| kept.notification.session != Some(session));
    }
}
