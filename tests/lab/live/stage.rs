//! Where a scenario is played: the session, the keys, the model's log, and what is taken down of them.

use std::path::Path;
use std::time::Duration;

use anyhow::{Context as _, Result, bail};
use belfry_platform::clock;
use belfry_protocol::{Request, Session};
use rustix::process::{Pid, Signal, kill_process};

use super::super::record::truth::Place;
use super::super::{Ends, Seen, World};
use super::beats::{self, Beat, Shown};
use super::eyes::Eyes;
use super::player::Player;
use crate::status_score::{Labels, TrueStatus};

/// How long anything may take. A busy machine has taken ten times what a quiet one needs, and OpenCode 90 s to its first screen.
const PATIENCE: Duration = Duration::from_mins(4);

/// Between two looks at the log and the screen.
const LOOK: Duration = Duration::from_millis(20);

/// What stood so long stays, in microseconds.
const STANDS: u64 = 400_000;

/// A person's pace between a line and Enter: agents take a faster Enter for a part of what was pasted.
const PACE: Duration = Duration::from_millis(400);

/// How long things are left as they are, so that there is something to count: a dialog, a prompt, work.
const LEFT_ALONE: Duration = Duration::from_millis(1500);

/// After this, a key that had no effect is pressed again: agents lose some that come in their first moments.
const AGAIN: Duration = Duration::from_secs(4);

/// A signal this soon before its screen belongs to it, in microseconds.
const AHEAD: u64 = 1_000_000;

const REST: &[Place] = &[Place::Prompt, Place::Failed];

/// The stage.
pub(super) struct Stage<'w> {
    world: &'w World,
    session: Session,
    player: Player,
    eyes: Eyes,
    began: u64,
    ends: Option<u64>,
    beats: Vec<Beat>,
    /// The first request that belongs to what was said last.
    first: u64,
    said: String,
}

impl<'w> Stage<'w> {
    pub(super) fn open(
        world: &'w World,
        session: Session,
        player: Player,
        journal: &Path,
        began: u64,
    ) -> Result<Self> {
        let eyes = Eyes::open(player.agent, journal, began)?;
        let beats = Vec::new();
        let mut stage =
            Self { world, session, player, eyes, began, ends: None, beats, first: 0, said: String::new() };
        stage.beat(TrueStatus::Starting, began, Shown::At(began), "starts");
        Ok(stage)
    }

    pub(super) fn player(&self) -> &Player {
        &self.player
    }

    pub(super) fn project(&self) -> String {
        self.world.project.to_string_lossy().into_owned()
    }

    /// What was true.
    pub(super) fn labels(&self, done: &str) -> Labels {
        let ends = self.ends.unwrap_or_else(clock::monotonic);
        let truth = beats::truth(&self.beats, &self.eyes.changes(), self.began, ends);
        let ends_s = ends.saturating_sub(self.began) as f64 / 1e6;
        beats::labels(self.player.agent, done, truth, ends_s)
    }

    /// Nothing that comes from now on counts; what was last brought about has not been looked at to its end.
    pub(super) fn ends_here(&mut self) {
        let last = self.beats.last().map_or(self.began, |beat| beat.after);
        self.ends = Some(last);
    }

    fn beat(&mut self, status: TrueStatus, after: u64, shown: Shown, note: &'static str) -> &mut Beat {
        let or = Vec::new();
        self.beats.push(Beat { status, or, after, ahead: u64::MAX, shown, anyhow: after, note });
        let last = self.beats.len() - 1;
        &mut self.beats[last]
    }

    /// The person's requests that belong to what was said last.
    fn requests(&self) -> Vec<Seen> {
        let all = self.world.lab.seen().into_iter();
        all.filter(|seen| !seen.side && seen.number >= self.first).collect()
    }

    async fn until(&self, what: &str, mut there: impl FnMut() -> Result<bool>) -> Result<()> {
        if self.within(PATIENCE, &mut there).await? {
            return Ok(());
        }
        let asked: Vec<_> = self.requests().into_iter().map(|seen| (seen.prompt, seen.sent)).collect();
        bail!(
            "{} never {what}; it shows {:?}; the model saw {asked:?}\n{}",
            self.player.agent,
            self.eyes.last()?.place,
            self.eyes.screen()
        )
    }

    async fn within(&self, time: Duration, there: &mut impl FnMut() -> Result<bool>) -> Result<bool> {
        let patience = tokio::time::Instant::now() + time;
        let mut tick = tokio::time::interval(LOOK);
        while tokio::time::Instant::now() < patience {
            tick.tick().await;
            if there()? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Whether it shows one of these, and stays.
    fn stands(&self, places: &[Place]) -> Result<bool> {
        let last = self.eyes.last()?;
        Ok(places.contains(&last.place) && clock::monotonic().saturating_sub(last.at) >= STANDS)
    }

    /// Whether it is at its prompt, and stayed there after the model's last answer: before that is drawn, and before it is asked
    /// again, the prompt may be the last turn's.
    fn stands_since_answered(&self) -> Result<bool> {
        let answered = self.sent().map_or(0, |(at, _)| at);
        Ok(clock::monotonic() >= answered + STANDS && self.stands(REST)?)
    }

    async fn left_alone(&self) {
        tokio::time::sleep(LEFT_ALONE).await;
    }

    async fn press(&self, keys: &[&str]) -> Result<()> {
        self.eyes.types();
        for key in keys {
            self.world.keys(&self.session, &[key]).await?;
        }
        Ok(())
    }

    /// Presses keys, and again where they have no effect. When they were pressed first.
    async fn press_until(
        &self,
        keys: &[&str],
        what: &str,
        mut there: impl FnMut() -> Result<bool>,
    ) -> Result<u64> {
        let at = clock::monotonic();
        for _ in 0..5 {
            self.press(keys).await?;
            if self.within(AGAIN, &mut there).await? {
                return Ok(at);
            }
        }
        self.until(what, there).await?;
        Ok(at)
    }

    /// It starts, until it stands at its prompt.
    pub(super) async fn starts(&mut self) -> Result<()> {
        self.until("started", || self.stands(&[Place::Prompt])).await?;
        let began = self.began;
        self.beat(TrueStatus::Idle, began, Shown::Last(REST), "at its prompt").ahead = AHEAD;
        self.left_alone().await;
        Ok(())
    }

    /// Types a line, until the model is asked.
    pub(super) async fn says(&mut self, text: &str) -> Result<()> {
        self.first = self.world.lab.seen().last().map_or(0, |seen| seen.number + 1);
        text.clone_into(&mut self.said);
        self.press(&[text]).await?;
        tokio::time::sleep(PACE).await;
        let asked = || self.requests().into_iter().find(|seen| seen.prompt.contains(text));
        let pressed = self.press_until(&["Enter"], "asked the model", || Ok(asked().is_some())).await?;
        let at = asked().context("it was asked")?.at;
        self.beat(TrueStatus::Running, pressed, Shown::First(Place::Working), "works").anyhow = at;
        Ok(())
    }

    /// Lets it work for a while.
    pub(super) async fn works(&self) -> Result<()> {
        self.left_alone().await;
        self.left_alone().await;
        Ok(())
    }

    /// Whether the model has said its last to what was said, or has refused, and is asked no more.
    fn answered(&self) -> bool {
        let requests = self.requests();
        let last =
            |seen: &Seen| seen.sent.is_some_and(|sent| matches!(sent.ends, Ends::Text | Ends::Refusal));
        requests.iter().all(|seen| seen.sent.is_some())
            && requests.iter().any(|seen| seen.prompt.contains(&self.said) && last(seen))
    }

    /// The end of the model's last answer.
    fn sent(&self) -> Option<(u64, Ends)> {
        let sent = self.requests().into_iter().filter_map(|seen| seen.sent);
        sent.max_by_key(|sent| sent.at).map(|sent| (sent.at, sent.ends))
    }

    /// The model has answered, and the agent is at its prompt.
    pub(super) async fn rests(&mut self) -> Result<()> {
        self.until("rested", || Ok(self.answered() && self.stands_since_answered()?)).await?;
        let (at, ends) = self.sent().context("it was answered")?;
        if ends == Ends::Refusal {
            self.beat(TrueStatus::Blocked, at, Shown::Last(REST), "was refused").or = vec![TrueStatus::Idle];
        } else {
            self.beat(TrueStatus::Idle, at, Shown::Last(REST), "turn over");
        }
        self.left_alone().await;
        Ok(())
    }

    /// The model has called a tool, and a dialog is on the screen.
    pub(super) async fn asks(&mut self) -> Result<()> {
        self.until("asked", || Ok(self.sent().is_some() && self.stands(&[Place::Asking])?)).await?;
        let (at, _) = self.sent().context("it was answered")?;
        self.beat(TrueStatus::Waiting, at, Shown::First(Place::Asking), "asks");
        self.left_alone().await;
        Ok(())
    }

    /// The same, where it may not ask; whether it does.
    pub(super) async fn asks_or_works(&mut self) -> Result<bool> {
        let called = || self.sent().is_some();
        self.until("called", || Ok(called())).await?;
        let asks = self.within(AGAIN, &mut || self.stands(&[Place::Asking])).await?;
        if asks {
            self.asks().await?;
        }
        Ok(asks)
    }

    pub(super) async fn approves(&mut self) -> Result<()> {
        self.presses_on(self.player.approve).await
    }

    /// Answers, and it goes on.
    pub(super) async fn presses_on(&mut self, keys: &[&str]) -> Result<()> {
        let off = || Ok(self.eyes.last()?.place != Place::Asking);
        let pressed = self.press_until(keys, "went on", off).await?;
        self.beat(TrueStatus::Running, pressed, Shown::Gone(Place::Asking), "goes on");
        Ok(())
    }

    /// Refuses, and it ends its turn, or tells the model and goes on to the turn's end.
    pub(super) async fn refuses(&mut self) -> Result<()> {
        let before = self.requests().len();
        let off = || Ok(self.eyes.last()?.place != Place::Asking);
        let pressed = self.press_until(self.player.refuse, "went on", off).await?;
        let over = || self.requests().iter().all(|seen| seen.sent.is_some());
        self.until("rested", || Ok(over() && self.stands_since_answered()?)).await?;
        let more = self.requests().len() > before;
        let or = if more { Vec::new() } else { vec![TrueStatus::Idle] };
        self.beat(TrueStatus::Running, pressed, Shown::Gone(Place::Asking), "is refused").or = or;
        let after = self.sent().filter(|_| more).map_or(pressed, |(at, _)| at);
        self.beat(TrueStatus::Idle, after, Shown::Last(REST), "turn over");
        self.left_alone().await;
        Ok(())
    }

    pub(super) async fn is_interrupted(&mut self) -> Result<()> {
        let pressed = self.interrupt().await?;
        self.beat(TrueStatus::Idle, pressed, Shown::Last(REST), "was interrupted");
        self.left_alone().await;
        Ok(())
    }

    async fn interrupt(&self) -> Result<u64> {
        let at = clock::monotonic();
        for _ in 0..12 {
            for key in self.player.interrupt {
                self.press(&[key]).await?;
                tokio::time::sleep(PACE).await;
            }
            if self.within(AGAIN, &mut || self.stands(REST)).await? {
                return Ok(at);
            }
        }
        bail!("it cannot be interrupted:\n{}", self.eyes.screen())
    }

    /// The model refuses again and again: it gives up, or is interrupted while it tries.
    pub(super) async fn is_refused_and_interrupted(&mut self) -> Result<()> {
        let refused = || {
            self.requests().iter().filter(|seen| seen.sent.is_some_and(|s| s.ends == Ends::Refusal)).count()
        };
        self.until("was refused", || Ok(refused() > 0)).await?;
        let gives_up = self.within(AGAIN, &mut || Ok(refused() > 1 || self.stands(REST)?)).await?;
        self.left_alone().await;
        if gives_up && self.stands(REST)? {
            let (at, _) = self.sent().context("it was refused")?;
            self.beat(TrueStatus::Blocked, at, Shown::Last(REST), "gave up").or = vec![TrueStatus::Idle];
        } else {
            let at = self.interrupt().await?;
            let or = vec![TrueStatus::Blocked];
            self.beat(TrueStatus::Idle, at, Shown::Last(REST), "was interrupted").or = or;
        }
        self.left_alone().await;
        Ok(())
    }

    /// It is told to leave, and ends.
    pub(super) async fn leaves(&mut self) -> Result<()> {
        let typed = clock::monotonic();
        self.press(&[self.player.leave]).await?;
        tokio::time::sleep(PACE).await;
        self.press_until(&["Enter"], "left", || Ok(self.eyes.exit().is_some())).await?;
        // How it gets there is its own affair.
        let any = vec![TrueStatus::Idle, TrueStatus::Blocked];
        self.beat(TrueStatus::Running, typed, Shown::At(typed), "leaves").or = any;
        self.is_dead(typed).await
    }

    /// Ended by Belfry.
    pub(super) async fn is_killed(&mut self) -> Result<()> {
        let at = clock::monotonic();
        self.world.ask(Request::KillSession { session: self.session.id.to_string() }).await?;
        self.is_dead(at).await
    }

    /// Its process is killed behind Belfry's back.
    pub(super) async fn falls(&mut self) -> Result<()> {
        let at = clock::monotonic();
        let pid = self.world.session(&self.session).await?.pid.context("it lives")?;
        let pid = Pid::from_raw(i32::try_from(pid)?).context("a process id")?;
        kill_process(pid, Signal::KILL)?;
        self.is_dead(at).await
    }

    async fn is_dead(&mut self, after: u64) -> Result<()> {
        self.until("ended", || Ok(self.eyes.exit().is_some())).await?;
        let exit = self.eyes.exit().context("it ended")?;
        self.beat(TrueStatus::Dead, after, Shown::At(exit), "ended");
        self.left_alone().await;
        self.ends = Some(clock::monotonic());
        Ok(())
    }
}
