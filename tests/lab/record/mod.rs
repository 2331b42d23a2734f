//! Recording real agents: a scenario is played in a terminal of its own against the mock model, and what the terminal showed
//! is written down with what was true when, for the corpus of status rules.
//!
//! What was true is told by [`truth`], a reader of screens that is no part of Belfry and knows only what a scenario needs. It
//! is a proposal: a person looks at it before it goes into the corpus.

mod cast;
mod pty;
mod scenario;
mod stage;
pub(super) mod truth;

use std::path::PathBuf;

use anyhow::{Context as _, Result, bail};

use super::{Home, Lab};

use self::scenario::Scenario;
use self::stage::Stage;

/// What is recorded.
#[derive(Clone, Debug)]
pub struct Wanted {
    /// The agent's id.
    pub agent: String,
    /// Its version, as the recording's directory says it.
    pub version: String,
    /// Its program.
    pub program: PathBuf,
    /// Arguments before those of the scenario.
    pub args: Vec<String>,
    /// Which scenario.
    pub scenario: String,
    /// Columns and rows.
    pub size: (u16, u16),
    /// The terminal has a light ground.
    pub light: bool,
    /// Where the home and the project are made; its path is in the recording.
    pub folder: PathBuf,
    /// The directory of the recordings; the files' names follow from the rest.
    pub out: PathBuf,
}

/// Records it. The path of the recording, without the ends of its files' names.
pub async fn record(wanted: &Wanted) -> Result<PathBuf> {
    let Some(scenario) = Scenario::named(&wanted.scenario, &wanted.agent) else {
        bail!("{} is not played by {}", wanted.scenario, wanted.agent);
    };
    let _ = std::fs::remove_dir_all(&wanted.folder);
    std::fs::create_dir_all(&wanted.folder).with_context(|| format!("{}", wanted.folder.display()))?;
    let project = super::world::repository(&wanted.folder, "project")?;
    let lab = Lab::start(0, false).await?;
    let trusted = if scenario.stranger { vec![] } else { vec![project.as_path()] };
    let home = Home::lay_out(&wanted.folder.join("home"), lab.port(), &trusted)?;
    let wanted = wanted.clone();
    // The stage waits and polls; the model must not wait for it.
    tokio::task::spawn_blocking(move || {
        let mut stage = Stage::open(&wanted, &scenario, &home, &project)?;
        let played = scenario.play(&mut stage);
        let path = stage.close(&wanted, &scenario)?;
        played.with_context(|| format!("{} broke off", path.display()))?;
        Ok(path)
    })
    .await?
}
