//! The directories that are made for sessions, what runs in them, and how they go away again.

mod branches;
pub(crate) mod clone_project;
mod known;
mod list;
mod listening;
mod make;
mod ports;
mod remove;
mod run;
mod scripts;
pub(crate) mod setup;
mod warm;

use std::sync::Arc;

use belfry_protocol::workspace::WorkspaceRequest as Wanted;
use belfry_protocol::{Reply, WireError};

use crate::Daemon;

pub(crate) use known::Known;
pub(crate) use listening::follow as follow_listening;
pub(crate) use make::{
    Begun, Done, Wanted as WantedWorkspace, begin, directory_in, discard, discard_half_made, finish,
};
pub(crate) use remove::{Removals, follow as follow_removed};
pub(crate) use run::{Runs, beside};
pub(crate) use warm::{Warmth, claim, follow as follow_warm, graduate};

type Outcome = Result<Reply, WireError>;

/// What a request comes to.
pub(crate) async fn answered(daemon: &Arc<Daemon>, wanted: Wanted) -> Outcome {
    match wanted {
        Wanted::List { disk } => list::list(daemon, disk).await,
        Wanted::Losses { workspace } => remove::losses(daemon, &workspace).await,
        Wanted::Remove { workspace, seen } => remove::remove(daemon, &workspace, seen).await,
        Wanted::Restore { workspace } => remove::restore(daemon, &workspace).await,
        Wanted::Clean => remove::clean(daemon).await,
        Wanted::SkipSetup { session } => setup::skip(daemon, &session),
        Wanted::RunSetup { session } => setup::again(daemon, &session).await,
        Wanted::Scripts { directory } => scripts::show(daemon, &directory).await,
        Wanted::Trust { directory, hash } => scripts::trust(daemon, &directory, &hash).await,
        Wanted::Run { session, name } => run::run(daemon, &session, &name).await,
        Wanted::Branches { directory } => branches::show(daemon, &directory).await,
        Wanted::Leave { session } => warm::leave(daemon, session).await,
        Wanted::CloneProject { url, path, name, base_env } => {
            clone_project::begin(daemon, url, (path, name), base_env).await
        }
        Wanted::CancelClone { id } => clone_project::cancel(daemon, id),
    }
}
