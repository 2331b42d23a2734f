//! What every command starts from: its output, its home, and the way to the daemon.

use belfry_client::{ClientError, ConnectOptions, Connection};
use belfry_platform::{Home, HomeError};
use belfry_protocol::{Reply, Request, Session};

use crate::failure::{Exit, Failure};
use crate::print::Printer;

/// The command's surroundings.
#[derive(Clone, Debug)]
pub(crate) struct Context {
    pub printer: Printer,
    pub home: Home,
}

impl Context {
    pub(crate) fn new(json: bool) -> Result<Self, Failure> {
        let home = Home::from_env().map_err(|error| match error {
            HomeError::Relative(_) => Failure::usage(sentence(&error))
                .next("Write the whole path, such as BELFRY_HOME=\"$PWD/dir\"."),
            _ => {
                Failure::failed(sentence(&error)).next("Set BELFRY_HOME to a directory of your own, or HOME.")
            }
        })?;
        Ok(Self { printer: Printer::new(json), home })
    }

    /// A connection; the daemon is started where none runs.
    pub(crate) async fn connect(&self) -> Result<Connection, Failure> {
        Ok(belfry_client::connect_or_start(&self.home, &options()).await?)
    }

    /// A connection to the daemon that runs.
    pub(crate) async fn connect_existing(&self) -> Result<Connection, Failure> {
        Ok(belfry_client::connect(&self.home, &options()).await?)
    }

    /// Asks one thing on a connection of its own.
    pub(crate) async fn ask(&self, request: Request) -> Result<Reply, Failure> {
        Ok(self.connect().await?.request(request).await?)
    }

    /// Asks for something that is answered with a session.
    pub(crate) async fn ask_session(&self, request: Request) -> Result<Session, Failure> {
        session(self.ask(request).await?)
    }
}

/// As the command line introduces itself.
pub(crate) fn options() -> ConnectOptions {
    ConnectOptions::new("cli")
}

/// The session in a reply.
pub(crate) fn session(reply: Reply) -> Result<Session, Failure> {
    match reply {
        Reply::Session(session) => Ok(*session),
        other => Err(unexpected(&other)),
    }
}

/// A daemon that answers something else than the protocol says.
pub(crate) fn unexpected(reply: &Reply) -> Failure {
    let kind = serde_json::to_value(reply).ok();
    let kind =
        kind.as_ref().and_then(|value| value.get("kind")).and_then(|kind| kind.as_str()).unwrap_or("?");
    Failure::new(Exit::Failed, "internal", format!("The daemon gave an answer that does not fit ({kind})."))
        .next("Is it of another version? `belfry daemon stop` ends it, sessions go on, and the next command starts it again.")
}

impl From<ClientError> for Failure {
    fn from(error: ClientError) -> Self {
        let no_daemon = |message: String| Failure::new(Exit::NoDaemon, "no_daemon", message);
        match error {
            ClientError::Failed(error) | ClientError::Refused { error, .. } => error.into(),
            ClientError::NoDaemon => {
                no_daemon("No daemon is running.".to_owned()).next("`belfry daemon start` starts one.")
            }
            // Its own last words are a sentence of ours already.
            ClientError::Start(why) => no_daemon(match why.split_once("belfry: ") {
                Some((_, said)) => format!("The daemon could not be started. {}", sentence(&said.trim())),
                None => format!("The daemon could not be started: {}", why.trim_end_matches('.')) + ".",
            })
            .kept("Sessions that run go on without it.")
            .next("`belfry daemon run` shows what it says; `belfry doctor` checks what it needs."),
            ClientError::Timeout => no_daemon("The daemon does not answer.".to_owned())
                .kept("Sessions go on.")
                .next("`belfry doctor` says which process it is; ending that process loses nothing."),
            ClientError::Lost => no_daemon("The daemon ended before it answered.".to_owned())
                .kept("Sessions go on. Whether this was still carried out, `belfry ls` shows.")
                .next("The next command starts it again."),
            ClientError::Io(_) => no_daemon(sentence(&error)).next("`belfry doctor` checks the socket."),
            ClientError::Frame(_) | ClientError::Message(_) => {
                Failure::new(Exit::Failed, "internal", sentence(&error))
            }
        }
    }
}

/// An error as a sentence: capital letter, full stop. A name that it begins with (of a file, a setting) stays as it is.
pub(crate) fn sentence(error: &dyn std::fmt::Display) -> String {
    let text = error.to_string();
    let first = text.split_whitespace().next().unwrap_or_default().trim_end_matches(':');
    let name = first.contains(['.', '/', '_', '`']);
    let mut chars = text.chars();
    let mut sentence = String::new();
    match chars.next() {
        Some(letter) if !name => sentence.extend(letter.to_uppercase()),
        Some(letter) => sentence.push(letter),
        None => {}
    }
    sentence.push_str(chars.as_str());
    if !sentence.ends_with(['.', '!', '?']) {
        sentence.push('.');
    }
    sentence
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors_become_sentences() {
        assert_eq!(sentence(&"no such file"), "No such file.");
        assert_eq!(sentence(&"Really?"), "Really?");
        assert_eq!(sentence(&"settings.toml has an error"), "settings.toml has an error.");
    }
}
