//! The way to the daemon.

use belfry_client::{ClientError, ConnectOptions, RawStream, connect_raw};
use belfry_platform::Home;

use crate::refusal::{Code, Refusal};

/// A byte stream to this home's daemon, which is started when none runs.
pub(super) async fn open(home: &Home) -> Result<RawStream, Refusal> {
    connect_raw(home, &ConnectOptions::new("desktop")).await.map_err(|error| {
        tracing::warn!(%error, "no link to the daemon");
        let code = match error {
            ClientError::Refused { .. } => Code::Refused,
            _ => Code::NoDaemon,
        };
        Refusal::new(code, sentence(&error.to_string()))
    })
}

/// An error's text as the person reads it.
fn sentence(error: &str) -> String {
    let mut letters = error.chars();
    let first = letters.next().map(|first| first.to_uppercase().to_string()).unwrap_or_default();
    format!("{first}{}.", letters.as_str().trim_end_matches('.'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn makes_sentences() {
        assert_eq!(sentence("no daemon is running"), "No daemon is running.");
        assert_eq!(sentence("It ended."), "It ended.");
        assert_eq!(sentence(""), ".");
    }
}
