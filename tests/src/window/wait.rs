//! Waiting for a state.

use std::time::{Duration, Instant};

use anyhow::{Result, bail};

/// How long a state may take to come before the test gives up. Generous: the machine may be busy with other tests.
const PATIENCE: Duration = Duration::from_secs(30);

/// Between two looks. Short against what a person notices, long against the cost of a look.
const BETWEEN: Duration = Duration::from_millis(25);

/// Looks until there is something to see, and returns it. `what` completes "still no …".
pub async fn until<T>(what: &str, mut look: impl AsyncFnMut() -> Result<Option<T>>) -> Result<T> {
    let deadline = Instant::now() + PATIENCE;
    let mut trouble = None;
    while Instant::now() < deadline {
        match look().await {
            Ok(Some(seen)) => return Ok(seen),
            Ok(None) => trouble = None,
            // A page in the middle of a change, a daemon in the middle of a start.
            Err(error) => trouble = Some(error),
        }
        tokio::time::sleep(BETWEEN).await;
    }
    match trouble {
        Some(error) => Err(error.context(format!("still no {what} after {PATIENCE:?}"))),
        None => bail!("still no {what} after {PATIENCE:?}"),
    }
}
