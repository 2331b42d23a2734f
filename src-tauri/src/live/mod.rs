//! The shell's own connection to the daemon, for what it shows outside the page: tray, notifications, shortcut.
//!
//! The page has a connection of its own through the bridge. This one goes on while the page is reloaded or hidden. Nothing
//! is asked for again and again: the daemon tells of every change.

mod model;
pub(crate) mod words;

use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use belfry_client::{ClientError, ConnectOptions, Incoming, Requests, connect_or_start};
use belfry_platform::Home;
use belfry_protocol::settings::{Settings, SettingsState};
use belfry_protocol::{Event, NotificationId, Reply, Request, SessionId};
use tauri::{AppHandle, Manager};

#[cfg(test)]
pub(crate) use self::model::tests::session;
pub(crate) use self::model::{Counts, Model, Need};
use crate::notify::Notifier;
use crate::page::{Page, PageEvent};
use crate::{shortcut, sound, tray, window};

/// Pause before the second try to reach a daemon that is gone; doubled up to [`LONGEST_PAUSE`].
const FIRST_PAUSE: Duration = Duration::from_millis(250);
/// See [`FIRST_PAUSE`].
const LONGEST_PAUSE: Duration = Duration::from_secs(15);

/// What the daemon has told, as far as the shell needs it.
#[derive(Default)]
pub(crate) struct Live {
    known: Mutex<Known>,
}

#[derive(Default)]
struct Known {
    /// None while the daemon is not reached.
    requests: Option<Requests>,
    model: Model,
    settings: Settings,
    /// The newest notification that was looked at: what came while nothing was connected is shown late, and once.
    newest: Option<NotificationId>,
}

impl Live {
    fn known(&self) -> MutexGuard<'_, Known> {
        // Each change under this lock is whole by itself.
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Asks the daemon; [`ClientError::NoDaemon`] while it is not reached.
    pub(crate) async fn request(&self, request: Request) -> Result<Reply, ClientError> {
        let requests = self.known().requests.clone().ok_or(ClientError::NoDaemon)?;
        requests.request(request).await
    }

    /// The settings, as they were last told.
    pub(crate) fn settings(&self) -> Settings {
        self.known().settings.clone()
    }

    /// Sessions whose programs run. None while the daemon is not reached: then nothing can be done about them either.
    pub(crate) fn alive(&self) -> Vec<SessionId> {
        let known = self.known();
        if known.requests.is_some() { known.model.alive() } else { Vec::new() }
    }

    /// What the tray is to show.
    pub(crate) fn look(&self) -> tray::Look {
        let known = self.known();
        let model = known.requests.is_some().then_some(&known.model);
        tray::Look::of(model, known.settings.notifications.do_not_disturb)
    }
}

/// Follows the daemon for as long as the application runs.
pub(crate) fn start(app: &AppHandle, home: Home) {
    let app = app.clone();
    tauri::async_runtime::spawn(async move {
        let mut pause = FIRST_PAUSE;
        loop {
            match follow(&app, &home).await {
                Ok(()) => pause = FIRST_PAUSE,
                Err(error) => tracing::warn!(%error, "the tray and notifications have no daemon"),
            }
            app.state::<Live>().known().requests = None;
            tray::refresh(&app);
            tokio::time::sleep(pause).await;
            pause = (pause * 2).min(LONGEST_PAUSE);
        }
    });
}

/// Connects and goes on until the connection ends.
async fn follow(app: &AppHandle, home: &Home) -> Result<(), ClientError> {
    let connection = connect_or_start(home, &ConnectOptions::new("desktop")).await?;
    let (requests, mut incoming) = connection.split();
    let overview = incoming.subscribe(&requests).await?;
    let live = app.state::<Live>();
    {
        let mut known = live.known();
        known.model.reset(&overview.sessions);
        known.requests = Some(requests.clone());
    }
    tray::refresh(app);
    if let Reply::Settings(state) = requests.request(Request::GetSettings).await? {
        settings(app, *state);
    }
    missed(app, &requests).await?;
    // The last handle closes the connection, and `Live` holds another.
    drop(requests);
    while let Some(arrival) = incoming.next().await {
        if let Incoming::Event(event) = arrival {
            take(app, &live, *event);
        }
    }
    Ok(())
}

/// Notifications of the time without a connection. At the first one there is nothing to catch up with: the window's own
/// list has what came before it was opened.
async fn missed(app: &AppHandle, requests: &Requests) -> Result<(), ClientError> {
    let Reply::Notifications(list) = requests.request(Request::ListNotifications).await? else {
        return Ok(());
    };
    let newest = app.state::<Live>().known().newest;
    for notification in list.iter().filter(|one| !one.read && newest.is_some_and(|newest| newest < one.id)) {
        show(app, notification);
    }
    if let Some(last) = list.last() {
        seen(app, last.id);
    }
    Ok(())
}

fn take(app: &AppHandle, live: &Live, event: Event) {
    match event {
        Event::Session { session } if live.known().model.put(&session) => tray::refresh(app),
        Event::SessionRemoved { id } if live.known().model.remove(id) => tray::refresh(app),
        Event::Settings { state } => settings(app, *state),
        Event::Notification { notification } => {
            show(app, &notification);
            seen(app, notification.id);
        }
        Event::NotificationGone { id } => app.state::<Notifier>().withdraw(id),
        Event::NotificationsRead { up_to } => app.state::<Notifier>().withdraw_up_to(up_to),
        Event::FocusWindow { session } => {
            window::come_forward(app, None);
            if let Some(session) = session {
                app.state::<Page>().tell(PageEvent::Open { session });
            }
        }
        _ => {}
    }
}

fn show(app: &AppHandle, notification: &belfry_protocol::Notification) {
    // What came since is told anew by its own event, so each is shown once.
    let known = app.state::<Live>().known().newest.is_some_and(|newest| notification.id <= newest);
    if known || notification.quiet || notification.over {
        return;
    }
    app.state::<Notifier>().show(notification.clone());
    if notification.sound {
        sound::play(app, notification.kind);
    }
}

fn seen(app: &AppHandle, id: NotificationId) {
    let live = app.state::<Live>();
    let mut known = live.known();
    known.newest = known.newest.max(Some(id));
}

fn settings(app: &AppHandle, state: SettingsState) {
    let settings = state.settings;
    let live = app.state::<Live>();
    live.known().settings = settings.clone();
    tray::show(app, settings.tray.show);
    tray::refresh(app);
    shortcut::set(app, &settings.shortcut.show);
}
