//! Real agents in real sessions of a real daemon, played by a script, and how right the daemon's status was.
//!
//! What was true is told by nothing of Belfry's: by the script itself (which keys were pressed when), by the mock model (when
//! it was asked, and when it had sent what) and by the end of the process. The moment at which the agent showed a change is
//! that of the bytes in the run's journal, seen with the eyes of [`super::record`], which know nothing of Belfry's rules. From
//! what the script knows until that moment both the old and the new are right, as in the labels of recordings; so that both
//! are counted by the same [`Score`](crate::status_score::Score).

mod beats;
mod eyes;
mod heard;
mod load;
mod player;
mod scenario;
mod stage;

use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result};
use belfry_protocol::launch::NewSession;

use super::World;
use crate::status_score::{Labels, Timeline};

use self::heard::Heard;
use self::player::Player;
use self::stage::Stage;

pub use load::Load;
pub use scenario::Scenario;

/// The agents that scenarios are played with.
pub const AGENTS: [&str; 5] = ["claude", "codex", "opencode", "gemini", "aider"];

/// A scenario that was played.
#[derive(Clone, Debug)]
pub struct Played {
    /// The agent and the scenario.
    pub name: String,
    /// What was true.
    pub labels: Labels,
    /// What the daemon said, by its events.
    pub timeline: Timeline,
    /// Why it ended early, where it did; what was played by then counts.
    pub broke_off: Option<String>,
}

/// Plays a scenario. `keep` is a directory that gets the run's journal.
pub async fn play(agents: PathBuf, agent: &str, scenario: Scenario, keep: Option<&Path>) -> Result<Played> {
    let player = Player::of(agent).with_context(|| format!("{agent} is not played"))?;
    let world = World::new(agents).await?;
    let heard = Heard::listen(&world).await?;
    let args = player.args.iter().map(|argument| (*argument).to_owned()).collect();
    let began = belfry_platform::clock::monotonic();
    let session = world.start(NewSession { args, ..world.new_session(agent) }).await?;
    let run = session.runs.first().context("a session that was started has a run")?.id;
    let journal = world.belfry_home().run(session.id, run).journal();
    let mut stage = Stage::open(&world, session.clone(), player, &journal, began)?;
    let played = scenario.play(&mut stage).await;
    let broke_off = played.err().map(|error| format!("{error:#}"));
    if broke_off.is_some() {
        // What is on the screen now is of no interest.
        stage.ends_here();
    }
    let name = format!("{agent} {}", scenario.name());
    if let Some(keep) = keep {
        copy(&journal, &keep.join(name.replace(' ', "-")))?;
    }
    let labels = stage.labels(&name);
    Ok(Played { name, labels, timeline: heard.timeline(session.id, began), broke_off })
}

fn copy(from: &Path, to: &Path) -> Result<()> {
    std::fs::create_dir_all(to)?;
    for entry in std::fs::read_dir(from)? {
        let entry = entry?;
        std::fs::copy(entry.path(), to.join(entry.file_name()))?;
    }
    Ok(())
}
