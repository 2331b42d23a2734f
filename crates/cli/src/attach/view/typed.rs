//! What the person does in a view, on its way to the session.

use belfry_protocol::Request;
use tokio::time::Instant;

use super::{Confirmed, LAST_INPUT, View};
use crate::attach::outer;
use crate::attach::person::Done;
use crate::attach::typing;
use crate::failure::Failure;

impl View<'_> {
    /// Takes up what the person did.
    pub(super) async fn done(&mut self, done: Done) -> Result<(), Failure> {
        match done {
            Done::Bytes(bytes) => {
                self.typing.push(bytes);
                self.send_typed().await;
            }
            Done::Dropped(bytes) => self.typing.dropped(bytes),
            Done::Focus(focused) => self.tell(Request::FocusView { view: self.id, focused }),
            Done::Resized => {
                let Some(here) = outer::size().filter(|here| *here != self.here) else { return Ok(()) };
                let was_elsewhere = self.is_elsewhere();
                self.here = here;
                self.tell(Request::ResizeView { view: self.id, size: here });
                if was_elsewhere {
                    self.picture_at = Some(Instant::now());
                }
            }
            Done::Back => {
                self.here = outer::size().unwrap_or(self.here);
                self.open(true).await?;
            }
        }
        Ok(())
    }

    /// Sends what was typed; what the connection does not take waits for the next one.
    pub(super) async fn send_typed(&mut self) {
        if self.typing.front().is_some() && self.is_elsewhere() {
            self.tell(Request::FocusView { view: self.id, focused: true });
        }
        while let Some(bytes) = self.typing.front().map(<[u8]>::to_vec) {
            let (requests, view) = (self.requests.clone(), self.id);
            // No longer than a piece, so that it is taken whole or not at all.
            if self.patiently(async move { requests.input(view, &bytes).await }).await.is_err() {
                return;
            }
            let sent = self.typing.sent();
            self.deeds.left(sent);
        }
        self.confirm();
    }

    /// Asks whether the daemon has read what was typed: it reads in order, so that any answer tells. One question at a time.
    fn confirm(&mut self) {
        if self.confirming.is_some() || self.typing.unsure() == 0 {
            return;
        }
        self.confirming = Some(Instant::now());
        let (requests, confirms) = (self.requests.clone(), self.confirms.clone());
        let confirmed = Confirmed { connection: self.connection, mark: self.typing.mark() };
        tokio::spawn(async move {
            if requests.request(Request::Ping).await.is_ok() {
                let _ = confirms.send(confirmed);
            }
        });
    }

    pub(super) fn was_read(&mut self, confirmed: Confirmed) {
        if confirmed.connection != self.connection {
            return;
        }
        self.typing.read(confirmed.mark);
        self.confirming = None;
        self.foot.answers();
        let dropped = self.typing.take_dropped();
        if dropped > 0 {
            let bytes = typing::bytes(dropped as u64);
            self.foot.say(format!("{bytes} typed while the daemon did not answer were thrown away."));
        }
        self.confirm();
    }

    /// The person leaves: what was typed before is not left behind. How many bytes may be, all the same.
    pub(super) async fn type_the_rest(&mut self) -> u64 {
        while let Some(done) = self.deeds.at_hand() {
            if let Done::Bytes(bytes) = done {
                self.typing.push(bytes);
            }
        }
        let rest = async {
            self.send_typed().await;
            while self.typing.unsure() > 0 {
                let Some(confirmed) = self.confirmed.recv().await else { return };
                self.was_read(confirmed);
            }
        };
        let _ = tokio::time::timeout(LAST_INPUT, rest).await;
        self.typing.not_arrived()
    }
}
