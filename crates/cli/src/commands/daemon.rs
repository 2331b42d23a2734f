//! `belfry daemon`.

use std::time::Duration;

use belfry_client::ClientError;
use belfry_daemon::RunError;
use belfry_protocol::reply::DaemonInfo;
use belfry_protocol::{Reply, Request};

use crate::args::DaemonAction;
use crate::context::{Context, options, sentence, unexpected};
use crate::failure::{Exit, Failure};
use crate::print::{at, plain};

pub(crate) async fn run(context: &Context, action: DaemonAction) -> Result<(), Failure> {
    match action {
        DaemonAction::Start => {
            let connection = context.connect().await?;
            print(context, connection.request(Request::DaemonStatus).await?)
        }
        DaemonAction::Status => {
            let connection = context.connect_existing().await?;
            print(context, connection.request(Request::DaemonStatus).await?)
        }
        DaemonAction::Stop => stop(context).await,
        // Handled before any runtime is made; see `main`.
        DaemonAction::Run => Err(Failure::failed("The daemon cannot be run from within a command.")),
    }
}

/// Being the daemon, until it is told to end.
pub(crate) fn foreground(context: Context) -> Result<(), Failure> {
    let log = crate::logging::start(&context.home);
    if let Err(error) = &log {
        // A disk that is full must not keep sessions from being reached.
        eprintln!("belfry: {}", sentence(error));
    }
    // What tests set, on a machine where others work.
    let alone = std::env::var_os("BELFRY_ALONE").is_some();
    let options = belfry_daemon::Options { alone, ..belfry_daemon::Options::default() };
    belfry_daemon::run(context.home, options).map_err(|error| {
        tracing::error!(%error, "the daemon ends");
        match error {
            RunError::AlreadyRunning { .. } => {
                Failure::new(Exit::Failed, "already_running", sentence(&error))
                    .next("`belfry daemon stop` ends it; sessions go on.")
            }
            RunError::Other(error) => Failure::new(Exit::Failed, "daemon", sentence(&format!("{error:#}"))),
        }
    })
}

async fn stop(context: &Context) -> Result<(), Failure> {
    let mut connection = match belfry_client::connect(&context.home, &options()).await {
        Ok(connection) => connection,
        Err(ClientError::NoDaemon) => return done(context, "No daemon was running."),
        Err(error) => return Err(error.into()),
    };
    connection.request(Request::StopDaemon).await?;
    // It is gone when the connection ends.
    let gone = async { while connection.next().await.is_some() {} };
    if tokio::time::timeout(Duration::from_secs(10), gone).await.is_err() {
        return Err(Failure::failed("The daemon was told to end and is still there after 10 s."));
    }
    done(context, "The daemon has ended; sessions go on.")
}

fn done(context: &Context, text: &str) -> Result<(), Failure> {
    if context.printer.json {
        return Ok(crate::print::value(&serde_json::json!({ "running": false }))?);
    }
    Ok(crate::print::line(text)?)
}

fn print(context: &Context, reply: Reply) -> Result<(), Failure> {
    let info = match reply {
        Reply::Daemon(info) => *info,
        other => return Err(unexpected(&other)),
    };
    if context.printer.json {
        return Ok(crate::print::value(&info)?);
    }
    Ok(crate::print::line(&text(&info))?)
}

fn text(info: &DaemonInfo) -> String {
    let mut text = format!(
        "Running, version {}, process {}, since {}.\n{} of {} {} alive, {} {}.\nsocket {}\nstate  {}",
        plain(&info.version),
        info.pid,
        at(info.started_at),
        info.alive,
        info.sessions,
        if info.sessions == 1 { "session" } else { "sessions" },
        info.clients,
        if info.clients == 1 { "client" } else { "clients" },
        plain(&info.socket),
        plain(&info.state),
    );
    for notice in &info.notices {
        text.push_str("\n! ");
        text.push_str(&plain(notice));
    }
    text
}
