//! The desktop's notification server, over the session bus.
//!
//! One connection shows, withdraws and hears of clicks: some desktops tell of a click only the connection that showed, a
//! notification must be withdrawn while its click is waited for, and on Wayland a click comes with the leave to bring the
//! window forward, which is told on the same connection just before.

use std::collections::HashMap;
use std::path::Path;
use std::time::Duration;

use belfry_platform::Home;
use belfry_protocol::NotificationKind;
use futures_util::StreamExt;
use tauri::AppHandle;
use tokio::sync::mpsc;
use zbus::zvariant::Value;

use super::board::{Board, Card, Change};
use super::{Answer, Order, act};

/// How long a server may take to answer. The bus may have to start it first, for which it has 25 s.
const PATIENCE: Duration = Duration::from_secs(30);

/// The icon beside each notification, as a file: an icon's name is known only where Belfry is installed.
const ICON: &[u8] = include_bytes!("../../../icons/128x128.png");

#[zbus::proxy(
    interface = "org.freedesktop.Notifications",
    default_service = "org.freedesktop.Notifications",
    default_path = "/org/freedesktop/Notifications",
    gen_blocking = false
)]
trait Notifications {
    #[expect(clippy::too_many_arguments, reason = "the specification's own")]
    fn notify(
        &self,
        app_name: &str,
        replaces_id: u32,
        app_icon: &str,
        summary: &str,
        body: &str,
        actions: &[&str],
        hints: HashMap<&str, Value<'_>>,
        expire_timeout: i32,
    ) -> zbus::Result<u32>;
    fn close_notification(&self, id: u32) -> zbus::Result<()>;
    fn get_capabilities(&self) -> zbus::Result<Vec<String>>;
    #[zbus(signal)]
    fn action_invoked(&self, id: u32, action_key: String) -> zbus::Result<()>;
    #[zbus(signal)]
    fn notification_closed(&self, id: u32, reason: u32) -> zbus::Result<()>;
    #[zbus(signal)]
    fn activation_token(&self, id: u32, activation_token: String) -> zbus::Result<()>;
}

/// Shows what is ordered for as long as the application runs, on a thread of its own: a server that hangs delays
/// notifications and nothing else.
pub(super) fn start(app: AppHandle, home: &Home, mut orders: mpsc::UnboundedReceiver<Order>) {
    let icon = home.state_dir().join("notification.png");
    let run = async move {
        let icon = write_icon(&icon);
        while let Some(first) = orders.recv().await {
            // A bus that is gone may come back, so each order tries; those that come without a bus are lost.
            match connect().await {
                Ok(server) => {
                    if let Err(error) = (Screen { app: &app, server, icon: &icon, board: Board::default() })
                        .run(first, &mut orders)
                        .await
                    {
                        tracing::warn!(%error, "notifications are broken off");
                    }
                }
                Err(error) => tracing::info!(%error, "no notifications: there is no session bus"),
            }
        }
    };
    let thread = std::thread::Builder::new().name("notifications".to_owned());
    if let Err(error) = thread.spawn(move || tauri::async_runtime::block_on(run)) {
        tracing::warn!(%error, "no notifications");
    }
}

async fn connect() -> zbus::Result<NotificationsProxy<'static>> {
    let connection = zbus::Connection::session().await?;
    NotificationsProxy::builder(&connection).cache_properties(zbus::proxy::CacheProperties::No).build().await
}

fn write_icon(path: &Path) -> String {
    if std::fs::read(path).is_ok_and(|there| there == ICON) {
        return path.to_string_lossy().into_owned();
    }
    match std::fs::write(path, ICON) {
        Ok(()) => path.to_string_lossy().into_owned(),
        Err(error) => {
            tracing::warn!(%error, "notifications have no icon");
            String::new()
        }
    }
}

/// What shows by one connection.
struct Screen<'a> {
    app: &'a AppHandle,
    server: NotificationsProxy<'static>,
    icon: &'a str,
    board: Board,
}

impl Screen<'_> {
    /// Until the bus is gone or the application ends.
    async fn run(mut self, first: Order, orders: &mut mpsc::UnboundedReceiver<Order>) -> zbus::Result<()> {
        // Heard before anything shows, so that no click is missed.
        let mut clicks = self.server.receive_action_invoked().await?;
        let mut closings = self.server.receive_notification_closed().await?;
        let mut tokens = self.server.receive_activation_token().await?;
        let mut token = None;
        self.carry_out(first).await;
        loop {
            tokio::select! {
                // A token comes before the click that it is for.
                biased;
                given = tokens.next() => {
                    let Some(given) = given else { return Ok(()) };
                    let given = given.args()?;
                    token = Some((given.id, given.activation_token.clone()));
                }
                click = clicks.next() => {
                    let Some(click) = click else { return Ok(()) };
                    let click = click.args()?;
                    let leave = token.take().filter(|(id, _)| *id == click.id).map(|(_, token)| token);
                    self.clicked(click.id, &click.action_key, leave).await;
                }
                closed = closings.next() => {
                    let Some(closed) = closed else { return Ok(()) };
                    self.board.take(closed.args()?.id);
                }
                order = orders.recv() => match order {
                    Some(order) => self.carry_out(order).await,
                    None => return Ok(()),
                }
            }
        }
    }

    async fn carry_out(&mut self, order: Order) {
        match order {
            Order::Show(notification) => {
                let change = self.board.put(*notification);
                self.change(change).await;
            }
            Order::Withdraw(gone) => self.withdraw(|id| id == gone).await,
            Order::WithdrawUpTo(last) => self.withdraw(|id| id <= last).await,
        }
    }

    async fn withdraw(&mut self, gone: impl Fn(belfry_protocol::NotificationId) -> bool) {
        for change in self.board.withdraw(gone) {
            self.change(change).await;
        }
    }

    async fn change(&mut self, change: Change) {
        match change {
            Change::Show(card) => match bounded(self.show(&card)).await {
                Ok(number) => {
                    if !self.board.numbered(card.slot, number) {
                        self.close(number).await;
                    }
                }
                // No server, or one that does not answer: the window's own list has it all the same.
                Err(error) => tracing::info!(%error, "a notification is not shown"),
            },
            Change::Close(number) => self.close(number).await,
        }
    }

    async fn close(&self, number: u32) {
        // The server may have taken it away by itself in between.
        let _ = bounded(self.server.close_notification(number)).await;
    }

    async fn show(&self, card: &Card) -> zbus::Result<u32> {
        let can = self.server.get_capabilities().await?;
        let can = |what: &str| can.iter().any(|one| one == what);
        let body = if can("body-markup") { escaped(&card.body) } else { card.body.clone() };
        let mut actions = vec![];
        if can("actions") {
            actions.extend(["default", "Open"]);
            if card.answers.allow {
                actions.extend(["allow", "Allow"]);
            }
            if card.answers.deny {
                actions.extend(["deny", "Deny"]);
            }
        }
        let hints = HashMap::from([
            ("urgency", Value::U8(urgency(card.kind))),
            ("desktop-entry", Value::from("Belfry")),
            // We have our own.
            ("suppress-sound", Value::Bool(true)),
        ]);
        let replaces = card.replaces.unwrap_or(0);
        self.server
            .notify("Belfry", replaces, self.icon, &card.title, &body, &actions, hints, stays(card.kind))
            .await
    }

    async fn clicked(&mut self, number: u32, action: &str, token: Option<String>) {
        let answer = match action {
            "allow" => Answer::Allow,
            "deny" => Answer::Deny,
            _ => Answer::Open,
        };
        let Some((notification, others)) = self.board.take(number) else { return };
        // Not every server takes it away after a click.
        self.close(number).await;
        act(self.app, notification, others, answer, token);
    }
}

async fn bounded<T>(call: impl Future<Output = zbus::Result<T>>) -> zbus::Result<T> {
    match tokio::time::timeout(PATIENCE, call).await {
        Ok(result) => result,
        Err(_) => Err(zbus::Error::Failure("the notification server does not answer".to_owned())),
    }
}

/// The specification's numbers. None is critical: that would lie over a film.
fn urgency(kind: NotificationKind) -> u8 {
    match kind {
        NotificationKind::Waiting | NotificationKind::Blocked | NotificationKind::Died => 1,
        NotificationKind::Done => 0,
    }
}

/// Milliseconds; 0 is until it is withdrawn, and -1 is what the desktop thinks right. A question stays as long as it is
/// open.
fn stays(kind: NotificationKind) -> i32 {
    match kind {
        NotificationKind::Waiting => 0,
        NotificationKind::Blocked | NotificationKind::Died | NotificationKind::Done => -1,
    }
}

/// Plain text in the markup that bodies are in.
fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 16);
    for one in text.chars() {
        match one {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            other => out.push(other),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_in_a_text_is_markup() {
        assert_eq!(
            escaped("<img src='file:///etc/passwd'> a && b"),
            "&lt;img src='file:///etc/passwd'&gt; a &amp;&amp; b"
        );
    }
}
