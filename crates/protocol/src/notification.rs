//! What calls the person. The daemon decides; the desktop, the window and the command line show.

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use crate::ids::{AskId, NotificationId, SessionId};

/// Why a session calls.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum NotificationKind {
    /// It asks something.
    Waiting,
    /// It cannot go on.
    Blocked,
    /// Its turn is over.
    Done,
    /// Its program has ended, and nobody ended it.
    Died,
}

/// Something that called the person. It comes once; how it is later is told by [`crate::Event::NotificationGone`] and
/// [`crate::Event::NotificationsRead`].
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct Notification {
    /// Its id; later ones are greater, as text too.
    pub id: NotificationId,
    /// Which session calls; none where the person tries what notifications look like.
    pub session: Option<SessionId>,
    /// Why.
    pub kind: NotificationKind,
    /// One line, at most 120 characters, without control characters.
    pub title: String,
    /// The question, the command, the reason: plain text and no markup, at most 500 characters in at most 6 lines, without
    /// other control characters.
    pub text: String,
    /// The question, where it can be answered from the notification.
    #[serde(default)]
    pub ask: Option<NotificationAsk>,
    /// When.
    #[cfg_attr(feature = "ts", ts(type = "string"))]
    pub at: Timestamp,
    /// The person has seen it, or its reason is gone.
    pub read: bool,
    /// Its reason is gone: answered, looked at, going on.
    #[serde(default)]
    pub over: bool,
    /// Only for the list: it came in quiet hours, or while nothing was to disturb.
    #[serde(default)]
    pub quiet: bool,
    /// One of many that came at once: the desktop may show their number instead.
    #[serde(default)]
    pub many: bool,
    /// A sound goes with it, by the settings.
    #[serde(default)]
    pub sound: bool,
}

/// How a question is answered from a notification, with [`crate::Request::AnswerAsk`] and this fingerprint.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct NotificationAsk {
    /// Which.
    pub id: AskId,
    /// Of the dialog that the text is about.
    pub fingerprint: String,
    /// Key of the choice that allows it this once. Only where all that is asked for is in the text, and does not look
    /// dangerous.
    pub allow: Option<String>,
    /// Key of the choice that refuses.
    pub deny: Option<String>,
}
