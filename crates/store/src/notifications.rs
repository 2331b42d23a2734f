//! What called the person, for the list of the last ones and so that nothing calls twice.

use belfry_protocol::{Notification, NotificationId};
use rusqlite::params;

use crate::rows::{Id, json};
use crate::{Result, Store};

/// Notifications that are kept.
pub const KEPT: u32 = 200;

/// One of them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoredNotification {
    /// As it was sent, with its marks as they are now.
    pub notification: Notification,
    /// What of its session called, in words of the caller's own.
    pub about: String,
}

impl Store {
    /// Adds one. The newest [`KEPT`] stay.
    pub fn add_notification(&mut self, stored: &StoredNotification) -> Result<()> {
        let StoredNotification { notification, about } = stored;
        self.atomically(|connection| {
            let sql = "INSERT INTO notifications (id, session, about, notification, read, over)
                       VALUES (?1, ?2, ?3, ?4, ?5, ?6)";
            connection.prepare_cached(sql)?.execute(params![
                Id(notification.id),
                notification.session.map(Id),
                about,
                json(notification),
                notification.read,
                notification.over
            ])?;
            let sql = "DELETE FROM notifications WHERE id NOT IN
                       (SELECT id FROM notifications ORDER BY id DESC LIMIT ?1)";
            connection.prepare_cached(sql)?.execute([KEPT])?;
            Ok(())
        })
    }

    /// Marks one as over, and so as read.
    pub fn end_notification(&mut self, id: NotificationId) -> Result<()> {
        let sql = "UPDATE notifications SET over = 1, read = 1 WHERE id = ?1";
        self.connection.prepare_cached(sql)?.execute([Id(id)])?;
        Ok(())
    }

    /// Marks that one and all before it as read.
    pub fn read_notifications(&mut self, up_to: NotificationId) -> Result<()> {
        let sql = "UPDATE notifications SET read = 1 WHERE id <= ?1 AND read = 0";
        self.connection.prepare_cached(sql)?.execute([Id(up_to)])?;
        Ok(())
    }

    /// Those that are kept, oldest first. One that is not understood is left out.
    pub fn notifications(&self) -> Result<Vec<StoredNotification>> {
        let sql = "SELECT notification, about, read, over FROM notifications ORDER BY id";
        let mut statement = self.connection.prepare_cached(sql)?;
        let rows = statement.query_map([], |row| {
            let notification: Option<Notification> = serde_json::from_str(&row.get::<_, String>(0)?).ok();
            let (about, read, over) = (row.get(1)?, row.get(2)?, row.get(3)?);
            Ok(notification.map(|notification| StoredNotification {
                notification: Notification { read, over, ..notification },
                about,
            }))
        })?;
        Ok(rows.filter_map(Result::transpose).collect::<Result<_, _>>()?)
    }
}
