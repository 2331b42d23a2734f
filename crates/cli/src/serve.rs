//! `belfry serve`: the window for a browser on this machine.
//!
//! Loopback only, a port of the system's choosing, and a secret on every route. The printed link works once: it gives the
//! browser a cookie that scripts cannot read, and the secret stays out of the address, the history and any log. Programs can
//! send the secret as `Authorization: Bearer` instead. `/socket` carries the daemon's own byte stream in binary
//! messages, untouched.

mod assets;
mod door;
mod headers;
mod listener;
mod secret;
mod socket;

use std::io::IsTerminal;
use std::net::Ipv4Addr;
use std::sync::Arc;

use axum::Router;
use axum::extract::connect_info::IntoMakeServiceWithConnectInfo;
use axum::middleware::{from_fn, from_fn_with_state};
use axum::routing::get;
use tokio::io::{AsyncBufReadExt, BufReader};
use tokio::net::TcpListener;

use crate::args::ServeArgs;
use crate::context::Context;
use crate::failure::Failure;

use door::Door;
use listener::{Admission, Patient};

/// What the routes share.
#[derive(Debug)]
pub(crate) struct Server {
    home: belfry_platform::Home,
    door: Door,
    /// Bounds how many browser tabs hold a connection to the daemon.
    sockets: tokio::sync::Semaphore,
}

/// Open tabs; more than anybody has, and few enough not to exhaust the daemon.
const MOST_SOCKETS: usize = 32;

pub(crate) async fn run(context: &Context, args: ServeArgs) -> Result<(), Failure> {
    let failed = |error: std::io::Error| {
        Failure::failed(format!("127.0.0.1:{} cannot be listened on: {error}.", args.port))
            .next("Leave --port out to get a free one.")
    };
    // Only this address: `localhost` can mean ::1 as well, and then another program could have the same port there.
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, args.port)).await.map_err(failed)?;
    let port = listener.local_addr().map_err(failed)?.port();
    let door = Door::new(port, std::io::stdin().is_terminal())
        .map_err(|error| Failure::failed(format!("No secret can be made: {error}.")))?;
    let server = Arc::new(Server {
        home: context.home.clone(),
        door,
        sockets: tokio::sync::Semaphore::new(MOST_SOCKETS),
    });
    // The daemon is there before the link is printed, so that the page never waits for it.
    drop(context.connect().await?);
    announce(context, &server)?;
    tokio::spawn(fresh_links(Arc::clone(&server)));
    let served = axum::serve(Patient::new(listener), routes(server));
    tokio::select! {
        served = served => served.map_err(|error| Failure::failed(format!("Serving failed: {error}."))),
        _ = tokio::signal::ctrl_c() => Ok(()),
    }
}

fn routes(server: Arc<Server>) -> IntoMakeServiceWithConnectInfo<Router, Admission> {
    Router::new()
        .route("/open/{once}", get(door::open))
        .route("/socket", get(socket::upgrade))
        .fallback(assets::serve)
        .layer(from_fn_with_state(Arc::clone(&server), door::guard))
        .layer(from_fn(headers::add))
        .with_state(server)
        .into_make_service_with_connect_info::<Admission>()
}

fn announce(context: &Context, server: &Server) -> Result<(), Failure> {
    let link = server.door.link();
    if context.printer.json {
        let door = &server.door;
        return Ok(crate::print::value(&serde_json::json!({
            "url": link, "port": door.port(), "cookie": door.cookie_name(), "token": door.token(),
        }))?);
    }
    crate::print::line(&link)?;
    let hint = if std::io::stdin().is_terminal() { " Enter prints a new one." } else { "" };
    Ok(crate::print::line(&format!(
        "The link works once, on this machine.{hint} C-c ends it; sessions go on."
    ))?)
}

/// A new link for each line typed.
async fn fresh_links(server: Arc<Server>) {
    if !std::io::stdin().is_terminal() {
        return;
    }
    let mut lines = BufReader::new(tokio::io::stdin()).lines();
    while let Ok(Some(_)) = lines.next_line().await {
        if crate::print::line(&server.door.link()).is_err() {
            return;
        }
    }
}
