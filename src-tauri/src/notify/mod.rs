//! Notifications on the desktop. The daemon decides what calls the person; this shows it and carries back what they choose.

mod board;
#[cfg(target_os = "linux")]
mod server;

use belfry_client::ClientError;
use belfry_platform::Home;
use belfry_protocol::{Notification, NotificationId, Request};
use tauri::{AppHandle, Manager};
use tokio::sync::mpsc;

use crate::live::Live;
use crate::page::{self, PageEvent};

/// Where notifications go. Nothing here waits for the desktop.
pub(crate) struct Notifier(mpsc::UnboundedSender<Order>);

enum Order {
    Show(Box<Notification>),
    Withdraw(NotificationId),
    WithdrawUpTo(NotificationId),
}

impl Notifier {
    /// Shows one, in the place of an older one of its session.
    pub(crate) fn show(&self, notification: Notification) {
        self.order(Order::Show(Box::new(notification)));
    }

    /// Takes one back: its reason is gone.
    pub(crate) fn withdraw(&self, id: NotificationId) {
        self.order(Order::Withdraw(id));
    }

    /// Takes that one and all before it back: the person has seen them.
    pub(crate) fn withdraw_up_to(&self, id: NotificationId) {
        self.order(Order::WithdrawUpTo(id));
    }

    fn order(&self, order: Order) {
        // The other end lives as long as the application.
        let _ = self.0.send(order);
    }
}

/// What the person did with a notification.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Answer {
    /// Wants to see it.
    Open,
    /// Allows what it asks.
    Allow,
    /// Refuses it.
    Deny,
}

/// Begins to show notifications.
pub(crate) fn start(app: &AppHandle, home: &Home) -> Notifier {
    let (orders, queued) = mpsc::unbounded_channel();
    platform::start(app.clone(), home, queued);
    Notifier(orders)
}

/// Does what the person chose. `token` is the desktop's leave to bring the window to the front.
fn act(app: &AppHandle, notification: Notification, others: bool, answer: Answer, token: Option<String>) {
    let choice = notification.ask.as_ref().and_then(|ask| match answer {
        Answer::Open => None,
        Answer::Allow => ask.allow.clone(),
        Answer::Deny => ask.deny.clone(),
    });
    if let (Some(choice), Some(_)) = (choice, notification.session) {
        let app = app.clone();
        tauri::async_runtime::spawn(async move { give(&app, notification, choice).await });
        return;
    }
    let event = match notification.session {
        _ if others => Some(PageEvent::OpenNeed),
        Some(session) => Some(PageEvent::Open { session }),
        None => None,
    };
    page::bring(app, event, token);
}

/// Answers a question, by the same way as the window: the dialog must still be the one that the notification showed.
async fn give(app: &AppHandle, notification: Notification, choice: String) {
    let (Some(session), Some(ask)) = (notification.session, &notification.ask) else { return };
    let request = Request::AnswerAsk {
        session: session.to_string(),
        choice: Some(choice),
        text: None,
        fingerprint: Some(ask.fingerprint.clone()),
    };
    let Err(error) = app.state::<Live>().request(request).await else { return };
    tracing::info!(%error, %session, "an answer from a notification did not arrive");
    let text = format!("Not answered: {}", why(&error));
    // The person is elsewhere, so it is told where they gave the answer; a click opens the session.
    let told = Notification { id: later_than_any(), ask: None, text, many: false, ..notification };
    app.state::<Notifier>().show(told);
}

/// The id of what the daemon knows nothing of, and so takes back neither by itself nor with all before another.
fn later_than_any() -> NotificationId {
    NotificationId::at((1 << 48) - 1)
}

fn why(error: &ClientError) -> String {
    let text = error.to_string();
    if text.ends_with('.') { text } else { format!("{text}.") }
}

#[cfg(target_os = "linux")]
use server as platform;

/// The plan: `UNUserNotificationCenter` on macOS and toasts on Windows, both by notify-rust.
#[cfg(not(target_os = "linux"))]
mod platform {
    use super::{AppHandle, Home, Order, mpsc};

    pub(super) fn start(_: AppHandle, _: &Home, _: mpsc::UnboundedReceiver<Order>) {}
}
