//! The person's own rules for agents, read again when their files change.
//!
//! A file that is no good is told of with its line and column, and the agent it would change stays as it was built in. The
//! folder need not be there yet: the one that it would be in is watched as well.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use belfry_agents::Agents;

use crate::Daemon;
use crate::changes::Changes;
use crate::session::clean;

/// Time in which the events of one save gather: editors write, rename and set modes.
const GATHER: Duration = Duration::from_millis(100);

/// Longest notice, in characters.
const LONGEST: usize = 500;

/// What is known of each agent, and what the person should know of their own files.
pub(crate) fn load(folder: &Path) -> (Agents, Vec<String>) {
    let (agents, bad) = Agents::with_files(folder);
    let notices = bad.iter().map(|bad| clean::line(&format!("{bad}; it is not used"), LONGEST));
    (agents, notices.collect())
}

/// Follows the folder for as long as the daemon runs. `told` are the notices of the first reading.
pub(crate) async fn follow(daemon: Arc<Daemon>, mut told: Vec<String>) {
    let config = daemon.home.config_dir().to_owned();
    let folder = config.join("agents");
    let mut changes = match Changes::of(&[&config, &folder]) {
        Ok(changes) => changes,
        Err(error) => {
            tracing::warn!(%error, "changes of agents' rules are not noticed until the next start");
            return;
        }
    };
    loop {
        if let Err(error) = changes.next().await {
            tracing::warn!(%error, "changes of agents' rules are not noticed any more");
            return;
        }
        tokio::time::sleep(GATHER).await;
        changes.drain();
        // The folder may be a new one.
        changes.watch(&folder);
        let read = folder.clone();
        let Ok((agents, notices)) = tokio::task::spawn_blocking(move || load(&read)).await else { continue };
        for text in told.iter().filter(|text| !notices.contains(text)) {
            daemon.withdraw(text);
        }
        for text in &notices {
            daemon.notice(text.clone());
        }
        told = notices;
        tracing::info!("agents' rules were read again");
        daemon.set_agents(agents);
        // Settings for an agent have an effect from when there is one.
        crate::settings::reload(&daemon).await;
    }
}
