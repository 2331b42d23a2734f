//! One connection: who it is, its handshake, and its frames as they come.

use std::io;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use belfry_platform::peer;
use belfry_protocol::frame::{Frame, FrameDecoder, MAX_PIECE};
use belfry_protocol::{ClientMessage, DaemonMessage, ErrorCode, PROTOCOL, WireError};
use tokio::net::UnixStream;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use super::requests::{Asked, ask};
use super::{Answer, Authority, Client, Outbox, judge};
use crate::Daemon;
use crate::session::Command;

/// How long a client may take for its hello. It sends it at once.
const HELLO: Duration = Duration::from_secs(10);

/// How long a client that is being let go may take to read why.
const FAREWELL: Duration = Duration::from_secs(2);

/// Requests of one client that are worked on at once; further ones wait unread, and with them the client.
const AT_ONCE: usize = 64;

/// Serves a connection until it ends.
pub(crate) async fn serve(daemon: Arc<Daemon>, stream: UnixStream) {
    let stream = Arc::new(stream);
    match peer::is_ours(&stream) {
        Ok(true) => {}
        Ok(false) => {
            tracing::warn!("a peer of another user was turned away");
            return;
        }
        Err(error) => {
            tracing::warn!(%error, "a peer was turned away");
            return;
        }
    }
    let Some(authority) = authority(&daemon, &stream).await else {
        tracing::warn!("a peer was turned away: it cannot be told whose it is");
        turn_away(stream).await;
        return;
    };
    let outbox = Outbox::new(Arc::clone(&stream));
    let client = Arc::new(Client::new(daemon.next_client(), outbox, authority));
    let writer = tokio::spawn({
        let client = Arc::clone(&client);
        async move { client.outbox.run().await }
    });
    let mut inbox = Inbox { stream, decoder: FrameDecoder::default(), piece: vec![0; MAX_PIECE].into() };
    if greet(&daemon, &client, &mut inbox).await {
        daemon.connected(&client);
        tokio::select! {
            () = read(&daemon, &client, &mut inbox) => {}
            () = client.outbox.closed() => {}
        }
        daemon.disconnected(&client);
    }
    client.subscribed.store(false, Ordering::Relaxed);
    for view in client.take_views() {
        view.entry.tell_if_running(Command::Close { view: view.key(), answer: None });
    }
    daemon.warmth.client_left();
    client.outbox.close();
    if tokio::time::timeout(FAREWELL, client.outbox.closed()).await.is_err() {
        client.outbox.fail();
    }
    let _ = writer.await;
}

/// Whose the peer is, by the kernel's word; none where that cannot be told.
async fn authority(daemon: &Daemon, stream: &UnixStream) -> Option<Authority> {
    if peer::pid(stream).ok()?.is_none() {
        // A system that does not say which process it is.
        return Some(Authority::Person);
    }
    // The peer waits for its welcome, so that its process is there, and cannot have gone on yet to anything that would
    // change its ancestors.
    let judged = || {
        let chain = peer::ancestry(stream)?;
        let judged = judge(&chain, &daemon.keepers(&chain), &daemon.agents())?;
        // An agent that Belfry did not start is not the person either, once it is known.
        Some(match daemon.outside(&chain) {
            Some(session) if judged == Authority::Person => Authority::Session(session),
            _ => judged,
        })
    };
    if let Some(authority) = judged() {
        return Some(authority);
    }
    // It may descend from a keeper whose session is being started just now, and whose program was quick.
    let _none_starts = daemon.starting.write().await;
    judged()
}

/// Tells a peer that nothing is done for it.
async fn turn_away(stream: Arc<UnixStream>) {
    let outbox = Outbox::new(stream);
    let error = WireError::new(ErrorCode::Forbidden, "it cannot be told which session this command runs in")
        .next("run it from a terminal outside of Belfry's sessions");
    outbox.refuse(error);
    let _ = tokio::time::timeout(FAREWELL, outbox.run()).await;
}

struct Inbox {
    stream: Arc<UnixStream>,
    decoder: FrameDecoder,
    piece: Box<[u8]>,
}

impl Inbox {
    /// The next frame; none at the end of the stream.
    async fn next(&mut self) -> Result<Option<Frame>, String> {
        loop {
            if let Some(frame) = self.decoder.next_frame().map_err(|error| error.to_string())? {
                return Ok(Some(frame));
            }
            self.stream.readable().await.map_err(|error| error.to_string())?;
            match self.stream.try_read(&mut self.piece) {
                Ok(0) => return Ok(None),
                Ok(n) => self.decoder.push(&self.piece[..n]),
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => {}
                Err(error) => return Err(error.to_string()),
            }
        }
    }
}

/// The handshake; false when there is nothing to go on with.
async fn greet(daemon: &Daemon, client: &Client, inbox: &mut Inbox) -> bool {
    let hello = match tokio::time::timeout(HELLO, inbox.next()).await {
        Ok(Ok(Some(Frame::Control(json)))) => serde_json::from_slice::<ClientMessage>(&json).ok(),
        Ok(Ok(None)) => return false,
        _ => None,
    };
    let Some(ClientMessage::Hello { protocol, client: kind, version }) = hello else {
        client
            .outbox
            .refuse(WireError::new(ErrorCode::BadRequest, "the connection did not begin with a hello"));
        return false;
    };
    if !PROTOCOL.understands(protocol) {
        let daemon = env!("CARGO_PKG_VERSION");
        let error = WireError::new(
            ErrorCode::Version,
            format!(
                "the daemon ({daemon}) speaks protocol {PROTOCOL}, and this client ({version}) {protocol}"
            ),
        )
        .kept("sessions go on")
        .next("stop the daemon with the belfry program that it belongs to, or use that program");
        client.outbox.refuse(error);
        return false;
    }
    tracing::debug!(client = client.id, kind, version, authority = ?client.authority, "connected");
    client.is_a(&kind);
    client.outbox.message(&DaemonMessage::Welcome {
        protocol: PROTOCOL,
        version: env!("CARGO_PKG_VERSION").to_owned(),
        pid: std::process::id(),
        home: daemon.person_home.display().to_string(),
    });
    true
}

async fn read(daemon: &Arc<Daemon>, client: &Arc<Client>, inbox: &mut Inbox) {
    let room = Arc::new(Semaphore::new(AT_ONCE));
    loop {
        let frame = match inbox.next().await {
            Ok(Some(frame)) => frame,
            Ok(None) => return,
            Err(error) => {
                tracing::debug!(client = client.id, error, "the stream of a client is broken");
                client.outbox.refuse(WireError::new(ErrorCode::BadRequest, error));
                return;
            }
        };
        match frame {
            Frame::Input { view, bytes } => {
                if let Some(view) = client.view(view) {
                    view.entry.input(daemon, &view, bytes, daemon.clock.now());
                }
            }
            Frame::Credit { view, bytes } => {
                if let Some(view) = client.view(view) {
                    view.grant(bytes);
                }
            }
            Frame::Control(json) => {
                let Ok(place) = Arc::clone(&room).acquire_owned().await else { return };
                if let Asked::Later(work) = message(daemon, client, &json, place) {
                    tokio::spawn(work);
                }
            }
            Frame::Output { .. } | Frame::Blob { .. } => {
                let error = "output and blobs go from the daemon to the client only";
                client.outbox.refuse(WireError::new(ErrorCode::BadRequest, error));
                return;
            }
        }
    }
}

/// A message. One that is not understood is answered, and the connection goes on: a newer client may know more.
fn message(daemon: &Arc<Daemon>, client: &Arc<Client>, json: &[u8], place: OwnedSemaphorePermit) -> Asked {
    match serde_json::from_slice(json) {
        Ok(ClientMessage::Request { id, request }) => {
            ask(daemon, client, Answer::new(Arc::clone(client), id, place), request)
        }
        Ok(ClientMessage::Hello { .. }) => Asked::Answered,
        // What the parser says of it may repeat what is in it.
        Err(_) => {
            #[derive(serde::Deserialize)]
            struct Id {
                id: u64,
            }
            let Ok(Id { id }) = serde_json::from_slice(json) else { return Asked::Answered };
            let text = "the daemon does not understand this request; is it of another version than the program that asks?";
            let next = "`belfry daemon stop` ends it, sessions go on, and the next command starts it again";
            client.answer(id, Err(WireError::new(ErrorCode::BadRequest, text).next(next)));
            Asked::Answered
        }
    }
}
