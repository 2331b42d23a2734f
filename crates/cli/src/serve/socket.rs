//! `/socket`: the daemon's byte stream in binary messages, carried without being understood.

use std::sync::Arc;

use axum::body::Bytes;
use axum::extract::State;
use axum::extract::ws::{CloseFrame, Message, WebSocket, WebSocketUpgrade, close_code};
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use belfry_client::{ConnectOptions, RawStream};
use futures_util::stream::{SplitSink, SplitStream};
use futures_util::{SinkExt, StreamExt};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::unix::{OwnedReadHalf, OwnedWriteHalf};

use super::Server;

/// A browser sends whole frames, so a little more than the longest one.
const LONGEST_MESSAGE: usize = belfry_protocol::frame::MAX_FRAME + 4096;

/// Bytes read from the daemon at once.
const PIECE: usize = 64 * 1024;

pub(super) async fn upgrade(State(server): State<Arc<Server>>, upgrade: WebSocketUpgrade) -> Response {
    if server.sockets.available_permits() == 0 {
        return (StatusCode::SERVICE_UNAVAILABLE, "Too many tabs are open.").into_response();
    }
    let stream = match belfry_client::connect_raw(&server.home, &ConnectOptions::new("browser")).await {
        Ok(stream) => stream,
        Err(error) => {
            tracing::warn!(%error, "no daemon for a browser");
            return (StatusCode::SERVICE_UNAVAILABLE, "No daemon could be reached.").into_response();
        }
    };
    upgrade.max_message_size(LONGEST_MESSAGE).max_frame_size(LONGEST_MESSAGE).on_upgrade(
        |socket| async move {
            if let Ok(_held) = server.sockets.try_acquire() {
                carry(socket, stream).await;
            }
        },
    )
}

/// Both ways until either ends. Each way waits for its receiver before it reads on, so a slow browser holds up its own
/// stream, which its credits bound, and nothing else.
async fn carry(socket: WebSocket, stream: RawStream) {
    let (to_browser, from_browser) = socket.split();
    let (from_daemon, to_daemon) = stream.into_split();
    tokio::select! {
        () = to_browser_loop(from_daemon, to_browser) => {}
        () = to_daemon_loop(from_browser, to_daemon) => {}
    }
}

async fn to_browser_loop(mut daemon: OwnedReadHalf, mut browser: SplitSink<WebSocket, Message>) {
    let mut piece = vec![0; PIECE];
    loop {
        match daemon.read(&mut piece).await {
            Ok(0) | Err(_) => break,
            Ok(count) => {
                let message = Message::Binary(Bytes::copy_from_slice(&piece[..count]));
                if browser.send(message).await.is_err() {
                    return;
                }
            }
        }
    }
    let bye = CloseFrame { code: close_code::RESTART, reason: "the daemon ended".into() };
    let _ = browser.send(Message::Close(Some(bye))).await;
}

async fn to_daemon_loop(mut browser: SplitStream<WebSocket>, mut daemon: OwnedWriteHalf) {
    while let Some(Ok(message)) = browser.next().await {
        match message {
            Message::Binary(bytes) => {
                if daemon.write_all(&bytes).await.is_err() {
                    // The other way says why, if there is something to say.
                    std::future::pending::<()>().await;
                }
            }
            Message::Ping(_) | Message::Pong(_) => {}
            Message::Text(_) | Message::Close(_) => return,
        }
    }
}
