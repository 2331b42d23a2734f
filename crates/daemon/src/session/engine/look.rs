//! Views: opening and closing, sizes and focus, and what each is sent.

use std::sync::Arc;
use std::sync::atomic::Ordering;

use belfry_protocol::keeper::ToKeeper;
use belfry_protocol::launch::Size as WireSize;
use belfry_protocol::{DaemonMessage, ErrorCode, Event, Reply, frame};
use belfry_terminal::{Scope, Size};

use super::Engine;
use crate::client::{Answer, View, ViewKey, encode};
use crate::session::flow::{Flow, Send};

/// Lines of scrollback in a first snapshot; the rest is fetched when it is scrolled to.
const RECENT: usize = 500;

/// How long the first snapshot of a view that changes the size waits for the program's terminal to have it, in
/// milliseconds. It takes one.
const RESIZE: u64 = 30;

/// A view that the engine feeds.
pub(super) struct OpenView {
    pub(super) view: Arc<View>,
    pub(super) flow: Flow,
    size: Size,
}

pub(super) fn wire(size: Size) -> WireSize {
    WireSize { cols: size.cols, rows: size.rows }
}

impl Engine {
    pub(super) fn open(&mut self, view: &Arc<View>, size: Size, focus: bool, credit: u32, answer: Answer) {
        let now = self.terminal.size();
        let flow = Flow::new(credit.into(), now);
        self.views.push(OpenView { view: Arc::clone(view), flow, size });
        self.count_views();
        let session = Box::new(self.entry.session());
        answer.give(Ok(Reply::View { session, size: wire(now) }));
        if self.kitty != 0 {
            view.client.tell(Event::ViewKeyboard { view: view.id, kitty: self.kitty });
        }
        if focus {
            self.focus(view.key(), true);
        } else if self.views.len() == 1 && self.entry.focus.load(Ordering::Relaxed) == 0 {
            // Nobody else looks: better its size than that of nobody.
            self.resize_to(size);
        }
    }

    pub(super) fn close(&mut self, key: ViewKey) {
        let Some(index) = self.views.iter().position(|open| open.view.key() == key) else { return };
        let closed = self.views.swap_remove(index);
        closed.view.client.forget_view(&closed.view);
        if self.entry.focus.load(Ordering::Relaxed) == key.number() {
            self.focus(key, false);
        }
        self.count_views();
    }

    pub(super) fn close_all(&mut self, why: &str) {
        for open in std::mem::take(&mut self.views) {
            open.view.client.forget_view(&open.view);
            open.view.client.tell(Event::ViewClosed { view: open.view.id, why: why.to_owned() });
        }
        self.count_views();
    }

    fn count_views(&self) {
        let views = self.views.len() as u32;
        self.daemon.change(&self.entry, |session| session.views = views);
    }

    pub(super) fn resize_view(&mut self, key: ViewKey, size: Size) {
        let focus = self.entry.focus.load(Ordering::Relaxed);
        let alone = self.views.len() == 1;
        let Some(open) = self.views.iter_mut().find(|open| open.view.key() == key) else { return };
        open.size = size;
        if focus == key.number() || alone {
            self.resize_to(size);
        }
    }

    /// The view has the keyboard now, or no longer.
    pub(super) fn focus(&mut self, key: ViewKey, focused: bool) {
        let before = self.entry.focus.load(Ordering::Relaxed);
        if !focused {
            if before == key.number() {
                self.entry.focus.store(0, Ordering::Relaxed);
                self.daemon.notifier.changed(self.entry.id);
                self.report_focus(false);
            }
            return;
        }
        let Some(size) = self.views.iter().find(|open| open.view.key() == key).map(|open| open.size) else {
            return;
        };
        self.entry.focus.store(key.number(), Ordering::Relaxed);
        self.daemon.notifier.changed(self.entry.id);
        self.report_focus(true);
        self.resize_to(size);
        self.seen();
    }

    /// Tells a program that asked for it (mode 1004), once for each change.
    pub(super) fn report_focus(&mut self, focused: bool) {
        if !self.terminal.modes().focus_events {
            self.told_focus = None;
            return;
        }
        if self.told_focus != Some(focused) {
            self.told_focus = Some(focused);
            self.type_raw(if focused { b"\x1b[I" } else { b"\x1b[O" });
        }
    }

    /// The keeper resizes, writes that to the journal, and there we see it in its place among the output.
    fn resize_to(&mut self, size: Size) {
        let Some(link) = &self.following.link else { return };
        if size != self.terminal.size() {
            link.send(&ToKeeper::Resize { cols: size.cols, rows: size.rows });
            let now = self.now();
            self.touched(now);
            self.views.iter_mut().for_each(|open| open.flow.resizing(now + RESIZE));
        }
    }

    /// The keyboard's encoding is the window's work, so it has to know.
    pub(super) fn keyboard(&mut self, kitty: u8) {
        if self.kitty != kitty {
            self.kitty = kitty;
            for open in &self.views {
                open.view.client.tell(Event::ViewKeyboard { view: open.view.id, kitty });
            }
        }
    }

    /// Copies for the person only where they just typed: a program in the background must not touch the clipboard.
    pub(super) fn clipboard(&self, text: String, now: u64) {
        const RECENT_INPUT: u64 = 2000;
        let focus = self.entry.focus.load(Ordering::Relaxed);
        let Some(open) = self.views.iter().find(|open| open.view.key().number() == focus) else { return };
        if now.saturating_sub(open.view.typed_at.load(Ordering::Relaxed)) <= RECENT_INPUT {
            open.view.client.tell(Event::ClipboardWrite { view: open.view.id, text });
        }
    }

    /// Gives every view what its credit allows, snapshots where they are due.
    pub(super) fn tend_views(&mut self, now: u64) {
        self.due.snapshot = None;
        for open in &mut self.views {
            open.flow.grant(open.view.take_granted());
            // Nothing is to be seen of a screen that is not up to date yet.
            if let Some(full) = open.flow.wants_snapshot(now) {
                let snapshot = self.terminal.snapshot(if full { Scope::All } else { Scope::Recent(RECENT) });
                open.flow.snapshot(&snapshot.bytes.into(), snapshot.offset, snapshot.size, full, now);
            }
            open.send();
            self.due.snapshot = match (self.due.snapshot, open.flow.again_at(now)) {
                (Some(one), Some(other)) => Some(one.min(other)),
                (one, other) => one.or(other),
            };
        }
    }

    pub(super) fn read_screen(&self, ansi: bool, scrollback: u32) -> Reply {
        let scope = if scrollback == 0 { Scope::Screen } else { Scope::Recent(scrollback as usize) };
        let text = if ansi {
            String::from_utf8_lossy(&self.terminal.ansi(scope)).replace("\r\n", "\n")
        } else {
            self.terminal.text(scope).join("\n")
        };
        let cursor = self.terminal.cursor();
        let title = self.terminal.title();
        Reply::Screen(Box::new(belfry_protocol::reply::Screen {
            text: bounded(text),
            size: wire(self.terminal.size()),
            cursor_col: cursor.col,
            cursor_row: cursor.row,
            cursor_visible: cursor.visible,
            alternate: self.terminal.modes().alternate_screen,
            title: (!title.is_empty()).then(|| title.to_owned()),
            offset: self.terminal.offset(),
        }))
    }

    pub(super) fn with_view(&mut self, key: ViewKey, answer: Answer, act: impl FnOnce(&mut OpenView)) {
        match self.views.iter_mut().find(|open| open.view.key() == key) {
            Some(open) => {
                act(open);
                answer.done();
            }
            None => answer.fail(ErrorCode::NotFound, "there is no such view"),
        }
    }
}

impl OpenView {
    fn send(&mut self) {
        let client = &self.view.client;
        while let Some(send) = self.flow.next() {
            match send {
                Send::Output { offset, flags, bytes } => {
                    let mut out = Vec::with_capacity(bytes.len() + 18);
                    frame::encode_output(&mut out, self.view.id, offset, flags, &bytes);
                    client.outbox.push(out.into(), true);
                }
                Send::Size(size) => {
                    let event = Event::ViewSize { view: self.view.id, size: wire(size) };
                    if let Some(bytes) = encode(&DaemonMessage::Event { event: Box::new(event) }) {
                        client.outbox.push(bytes, false);
                    }
                }
            }
        }
    }
}

/// What fits in an answer; of more, the end, which is the newest.
fn bounded(text: String) -> String {
    // JSON may need six bytes for one.
    const MOST: usize = frame::MAX_FRAME / 6 - 4096;
    if text.len() <= MOST {
        return text;
    }
    let mut from = text.len() - MOST;
    while !text.is_char_boundary(from) {
        from += 1;
    }
    let line = text[from..].find('\n').map_or(0, |line| line + 1);
    text[from + line..].to_owned()
}
