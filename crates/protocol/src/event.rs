//! What the daemon tells a subscribed client.

use serde::{Deserialize, Serialize};

use crate::ids::{GroupId, NotificationId, ProjectId, SessionId, StreamId, ViewId};
use crate::launch::Size;
use crate::notification::Notification;
use crate::reply::QueuedMessage;
use crate::session::{Group, Project, Session};
use crate::settings::SettingsState;
use crate::workspace::Cloning;

/// Something happened. A client ignores what it does not know.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[serde(tag = "event", rename_all = "snake_case")]
pub enum Event {
    /// A session was made or changed; this is all of it.
    Session {
        /// The session as it is now.
        session: Box<Session>,
    },
    /// A session was removed for good.
    SessionRemoved {
        /// Which.
        id: SessionId,
    },
    /// All sessions of an overview with `more` have been sent.
    OverviewEnd,
    /// A project was made or changed.
    Project {
        /// The project as it is now.
        project: Project,
    },
    /// A repository that is being fetched for a new project is so far.
    Cloning {
        /// As it is now.
        cloning: Box<Cloning>,
    },
    /// A project was removed.
    ProjectRemoved {
        /// Which.
        id: ProjectId,
    },
    /// A group was made or changed.
    Group {
        /// The group as it is now.
        group: Group,
    },
    /// A group was removed.
    GroupRemoved {
        /// Which.
        id: GroupId,
    },
    /// To the view's own client, in order with its output: the session has another size from here on.
    ViewSize {
        /// Which view.
        view: ViewId,
        /// The session's size.
        size: Size,
    },
    /// To the view's own client: keyboard modes that the terminal in the window cannot know by itself.
    ViewKeyboard {
        /// Which view.
        view: ViewId,
        /// The kitty keyboard protocol's flags, 0 when off.
        kitty: u8,
    },
    /// To the view's own client: the view is gone; open it again to see more.
    ViewClosed {
        /// Which view.
        view: ViewId,
        /// Why, in one sentence.
        why: String,
    },
    /// To the view's own client, only to the focused one: the program wants text on the clipboard.
    ClipboardWrite {
        /// Which view.
        view: ViewId,
        /// The text, without control characters, at most 100 KB.
        text: String,
    },
    /// A message that was queued for a session is so far: queued (also when it waits for something else than before), being typed,
    /// delivered, failed (also where it was taken back, which its reason says), or unsure.
    Message {
        /// For which session.
        session: SessionId,
        /// The message as it is now.
        message: Box<QueuedMessage>,
    },
    /// The terminal rang its bell.
    Bell {
        /// Where.
        session: SessionId,
    },
    /// The window is to come to the front. Where several are open, the one that was used last does.
    FocusWindow {
        /// The session that it is to show; none leaves what it shows.
        session: Option<SessionId>,
    },
    /// A blob stream failed; no more pieces come.
    StreamFailed {
        /// Which stream.
        stream: StreamId,
        /// Why.
        error: crate::WireError,
    },
    /// The settings were changed, or their file was.
    Settings {
        /// As they are now.
        state: Box<SettingsState>,
    },
    /// Something calls the person.
    Notification {
        /// What.
        notification: Box<Notification>,
    },
    /// A notification's reason is gone: it is to be taken back where it shows, and counts as read.
    NotificationGone {
        /// Which.
        id: NotificationId,
    },
    /// The person has seen notifications.
    NotificationsRead {
        /// That one and all before it.
        up_to: NotificationId,
    },
    /// The daemon has something to say to the person.
    Notice {
        /// In one sentence.
        text: String,
    },
    /// The daemon ends; sessions go on.
    Stopping,
}
