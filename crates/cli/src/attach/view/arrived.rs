//! What the daemon sends to a view.

use base64::Engine;
use belfry_client::Incoming;
use belfry_protocol::frame::{OUTPUT_SNAPSHOT_BEGIN, OUTPUT_SNAPSHOT_END};
use belfry_protocol::{Event, Reply, Request};
use tokio::time::Instant;

use super::{LAST_OUTPUT, PICTURE_EVERY, View};
use crate::attach::end::End;
use crate::attach::output::{After, RESET};
use crate::attach::picture;
use crate::context::unexpected;
use crate::failure::Failure;

impl View<'_> {
    pub(super) async fn arrived(&mut self, arrival: Incoming) -> Result<Option<End>, Failure> {
        match arrival {
            Incoming::Output { view, offset, flags, bytes } if view == self.id => {
                self.offset = offset;
                self.output(flags, &bytes).await?;
            }
            Incoming::Event(event) => return self.event(*event).await,
            Incoming::Output { .. } | Incoming::Blob { .. } => {}
        }
        Ok(None)
    }

    async fn output(&mut self, flags: u8, bytes: &[u8]) -> Result<(), Failure> {
        let mut out = Vec::with_capacity(bytes.len());
        if flags & OUTPUT_SNAPSHOT_BEGIN != 0 {
            self.in_snapshot = true;
            self.filter.reset();
            out.extend_from_slice(RESET.as_bytes());
        }
        let after = self.filter.feed(bytes, self.in_snapshot, &mut out);
        let whole = flags & OUTPUT_SNAPSHOT_END != 0;
        if whole {
            self.in_snapshot = false;
        }
        if self.is_elsewhere() {
            out.clear();
            self.picture_at.get_or_insert_with(|| Instant::now() + PICTURE_EVERY);
        }
        self.writer.write(out, bytes.len() as u32);
        if whole && !self.is_elsewhere() {
            self.foot.over(&mut self.writer, self.here);
        }
        if after == After::Redraw && !self.is_elsewhere() { self.open(false).await } else { Ok(()) }
    }

    async fn event(&mut self, event: Event) -> Result<Option<End>, Failure> {
        match event {
            Event::ViewSize { view, size } if view == self.id && size != self.size => {
                self.size = size;
                if self.is_elsewhere() {
                    self.picture_at = Some(Instant::now());
                } else {
                    self.open(false).await?;
                }
            }
            Event::ViewKeyboard { view, kitty } if view == self.id => {
                self.writer.write(format!("\x1b[={kitty}u").into_bytes(), 0);
            }
            Event::ClipboardWrite { view, text } if view == self.id => {
                let text = base64::engine::general_purpose::STANDARD.encode(text);
                self.writer.write(format!("\x1b]52;c;{text}\x1b\\").into_bytes(), 0);
            }
            Event::ViewClosed { view, .. } if view == self.id => {
                if let Some(end) = self.ended().await? {
                    return Ok(Some(end));
                }
                self.open(false).await?;
            }
            Event::Session { session } if session.id == self.session && !session.alive() => {
                let _ = tokio::time::timeout(LAST_OUTPUT, self.last_output()).await;
                return Ok(Some(End::Session(session)));
            }
            Event::SessionRemoved { id } if id == self.session => return Ok(Some(End::Removed)),
            _ => {}
        }
        Ok(None)
    }

    /// The program has ended; what it printed last is on its way.
    async fn last_output(&mut self) -> Result<(), Failure> {
        let request = Request::ReadScreen { session: self.session.to_string(), ansi: false, scrollback: 0 };
        let Reply::Screen(screen) = self.ask(request).await? else { return Ok(()) };
        while self.offset < screen.offset || self.in_snapshot {
            tokio::select! {
                arrived = self.incoming.next() => match arrived {
                    Some(Incoming::Output { view, offset, flags, bytes }) if view == self.id => {
                        self.offset = offset;
                        self.output(flags, &bytes).await?;
                    }
                    Some(_) => {}
                    None => return Ok(()),
                },
                written = self.writer.written() => self.requests.credit(self.id, written).await?,
            }
        }
        self.writer.drain().await;
        Ok(())
    }

    pub(super) async fn draw_picture(&mut self) -> Result<(), Failure> {
        self.picture_at = None;
        if !self.is_elsewhere() {
            return Ok(());
        }
        let request = Request::ReadScreen { session: self.session.to_string(), ansi: true, scrollback: 0 };
        match self.ask(request).await {
            // Then the session has just got our size, and a snapshot follows.
            Ok(Reply::Screen(screen)) if screen.size == self.here => {}
            Ok(Reply::Screen(screen)) => {
                self.writer.write(picture::draw(&screen, self.here, self.foot.text()), 0);
                self.foot.pictured();
            }
            Ok(other) => return Err(unexpected(&other)),
            // It was removed or the daemon ended; events say so.
            Err(error) => tracing::debug!(%error, "no picture"),
        }
        Ok(())
    }
}
