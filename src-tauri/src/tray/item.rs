//! The tray on Linux: a StatusNotifierItem, spoken over the session bus by ourselves.
//!
//! `libayatana-appindicator` would be one more library to be missing; it knows no tooltip and no click on the icon, and takes
//! its pictures from files. Where no panel keeps such items nothing is shown, and where one comes later the item appears.

use ksni::menu::{CheckmarkItem, MenuItem, StandardItem};
use ksni::{Handle, OfflineReason, ToolTip, TrayMethods};
use tauri::AppHandle;
use tokio::sync::watch;

use super::{Entry, Look, Mood, icon};
use crate::page::{self, PageEvent};
use crate::{disturb, quit};

/// Keeps the item as it is wanted, for as long as the application runs.
pub(super) fn start(app: AppHandle, mut wanted: watch::Receiver<Option<Look>>, visible: watch::Sender<bool>) {
    tauri::async_runtime::spawn(async move {
        let mut shown: Option<Handle<Item>> = None;
        while wanted.changed().await.is_ok() {
            let look = wanted.borrow_and_update().clone();
            match (look, shown.take().filter(|handle| !handle.is_closed())) {
                (Some(look), Some(handle)) => {
                    handle.update(|item| item.look = look).await;
                    shown = Some(handle);
                }
                (Some(look), None) => {
                    visible.send_replace(true);
                    let item = Item { app: app.clone(), look, visible: visible.clone() };
                    match item.assume_sni_available(true).spawn().await {
                        Ok(handle) => shown = Some(handle),
                        Err(error) => {
                            visible.send_replace(false);
                            tracing::info!(%error, "no tray");
                        }
                    }
                }
                (None, Some(handle)) => {
                    visible.send_replace(false);
                    handle.shutdown().await;
                }
                (None, None) => {}
            }
        }
    });
}

struct Item {
    app: AppHandle,
    look: Look,
    visible: watch::Sender<bool>,
}

impl Item {
    fn bring(&self, event: Option<PageEvent>) {
        page::bring(&self.app, event, ksni::current_xdg_activation_token());
    }

    fn needs(&self) -> Vec<MenuItem<Self>> {
        if self.look.needs.is_empty() {
            let label =
                if self.look.mood == Mood::Away { self.look.counts.as_str() } else { "Nothing needs you" };
            return vec![StandardItem { label: plain(label), enabled: false, ..Default::default() }.into()];
        }
        let mut items: Vec<MenuItem<Self>> = self.look.needs.iter().map(need).collect();
        if self.look.more > 0 {
            let label = format!("{} more…", self.look.more);
            items.push(action(&label, |item| item.bring(Some(PageEvent::OpenNeed))));
        }
        items
    }
}

impl ksni::Tray for Item {
    fn id(&self) -> String {
        "belfry".to_owned()
    }

    fn title(&self) -> String {
        "Belfry".to_owned()
    }

    fn status(&self) -> ksni::Status {
        // Panels that fold quiet items away bring this one out.
        if self.look.mood == Mood::Waiting && !self.look.do_not_disturb {
            ksni::Status::NeedsAttention
        } else {
            ksni::Status::Active
        }
    }

    fn icon_pixmap(&self) -> Vec<ksni::Icon> {
        icon::of(self.look.mood)
    }

    fn attention_icon_pixmap(&self) -> Vec<ksni::Icon> {
        self.icon_pixmap()
    }

    fn tool_tip(&self) -> ToolTip {
        let quiet = if self.look.do_not_disturb { " · do not disturb" } else { "" };
        let description = format!("{}{quiet}", self.look.counts);
        ToolTip { title: "Belfry".to_owned(), description, ..Default::default() }
    }

    /// A click on the icon itself.
    fn activate(&mut self, _x: i32, _y: i32) {
        self.bring(None);
    }

    fn menu(&self) -> Vec<MenuItem<Self>> {
        let mut items = self.needs();
        let away = self.look.mood == Mood::Away;
        items.extend([
            MenuItem::Separator,
            action("New session…", |item| item.bring(Some(PageEvent::NewSession))),
            action("Show window", |item| item.bring(None)),
            CheckmarkItem {
                label: "Do not disturb".to_owned(),
                enabled: !away,
                checked: self.look.do_not_disturb,
                activate: Box::new(|item: &mut Self| disturb::set(&item.app, !item.look.do_not_disturb)),
                ..Default::default()
            }
            .into(),
            MenuItem::Separator,
            action("Quit", |item| quit::ask(&item.app)),
        ]);
        items
    }

    fn watcher_online(&self) {
        self.visible.send_replace(true);
    }

    fn watcher_offline(&self, reason: OfflineReason) -> bool {
        tracing::info!(?reason, "no panel shows the tray");
        self.visible.send_replace(false);
        // One may come.
        true
    }
}

fn need(entry: &Entry) -> MenuItem<Item> {
    let session = entry.session;
    action(&entry.label, move |item| item.bring(Some(PageEvent::Open { session })))
}

fn action(label: &str, run: impl Fn(&mut Item) + Send + 'static) -> MenuItem<Item> {
    StandardItem { label: plain(label), activate: Box::new(run), ..Default::default() }.into()
}

/// A label as it is: one underscore would mark the key of the letter behind it.
fn plain(label: &str) -> String {
    label.replace('_', "__")
}
