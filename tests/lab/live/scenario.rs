//! What is played.

use anyhow::Result;

use super::stage::Stage;

/// A scenario, as each agent can play it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scenario {
    /// A turn, an approval, an interrupted turn, the exit.
    Short,
    /// The start, a turn, approvals and refusals, a question, an interrupted turn, a refused request, the exit.
    Tour,
    /// Turns in which little is seen: reasoning, a silent model, a long command, retries, a limit, a subagent; and an answer that
    /// looks like dialogs. Killed in a turn.
    Quiet,
    /// Its process is killed from outside while it asks.
    Fall,
}

impl Scenario {
    /// All of them but the short one, whose parts are in the others.
    pub const ALL: [Self; 3] = [Self::Tour, Self::Quiet, Self::Fall];

    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Short => "short",
            Self::Tour => "tour",
            Self::Quiet => "quiet",
            Self::Fall => "fall",
        }
    }

    pub(super) async fn play(self, stage: &mut Stage<'_>) -> Result<()> {
        stage.starts().await?;
        match self {
            Self::Short => short(stage).await,
            Self::Tour => tour(stage).await,
            Self::Quiet => quiet(stage).await,
            Self::Fall => fall(stage).await,
        }
    }
}

async fn short(stage: &mut Stage<'_>) -> Result<()> {
    turn(stage, "say hello").await?;
    asks(stage).await?;
    stage.approves().await?;
    stage.rests().await?;
    interrupted(stage).await?;
    stage.leaves().await
}

async fn tour(stage: &mut Stage<'_>) -> Result<()> {
    turn(stage, "say hello").await?;
    asks(stage).await?;
    stage.approves().await?;
    stage.rests().await?;
    if stage.player().asks_edit {
        stage.says(&edit(stage)).await?;
        stage.asks().await?;
        stage.refuses().await?;
    }
    if stage.player().asks_questions {
        stage.says("ask me").await?;
        stage.asks().await?;
        stage.presses_on(&["Enter"]).await?;
        stage.rests().await?;
    }
    interrupted(stage).await?;
    if stage.player().asks_command {
        stage.says("run touch").await?;
        stage.asks().await?;
        stage.refuses().await?;
    }
    turn(stage, "badreq please").await?;
    turn(stage, "say hello again").await?;
    stage.leaves().await
}

async fn quiet(stage: &mut Stage<'_>) -> Result<()> {
    turn(stage, "think please").await?;
    turn(stage, "quote dialog").await?;
    if stage.player().asks_command {
        stage.says("run sleep").await?;
        // Some have a sandbox that lets it run.
        if stage.asks_or_works().await? {
            stage.approves().await?;
        }
        stage.rests().await?;
    }
    turn(stage, "long please").await?;
    turn(stage, "stall please").await?;
    turn(stage, "flaky please").await?;
    if stage.player().subagents {
        turn(stage, "subagent").await?;
    }
    if stage.player().tells_limits {
        stage.says("ratelimit please").await?;
        stage.is_refused_and_interrupted().await?;
    }
    stage.says("slow please").await?;
    stage.works().await?;
    stage.is_killed().await
}

async fn fall(stage: &mut Stage<'_>) -> Result<()> {
    asks(stage).await?;
    stage.falls().await
}

async fn turn(stage: &mut Stage<'_>, text: &str) -> Result<()> {
    stage.says(text).await?;
    stage.rests().await
}

/// Brings it to a question for leave.
async fn asks(stage: &mut Stage<'_>) -> Result<()> {
    let text = if stage.player().asks_command { "run touch".to_owned() } else { edit(stage) };
    stage.says(&text).await?;
    stage.asks().await
}

fn edit(stage: &Stage<'_>) -> String {
    format!("edit file cwd={}", stage.project())
}

async fn interrupted(stage: &mut Stage<'_>) -> Result<()> {
    stage.says("slow please").await?;
    stage.works().await?;
    stage.is_interrupted().await
}
