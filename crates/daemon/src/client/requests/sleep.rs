//! Requests about sleep.

use std::sync::Arc;

use belfry_protocol::Reply;

use super::Outcome;
use crate::Daemon;
use crate::hibernate::{self, By};

pub(super) async fn hibernate(daemon: &Arc<Daemon>, wanted: &str) -> Outcome {
    let entry = daemon.find(wanted)?;
    hibernate::hibernate(daemon, &entry, By::Person).await?;
    Ok(Reply::Session(Box::new(entry.session())))
}
