//! The engine of one session: one task that owns its terminal, follows its journal, talks to its keeper and feeds its views.
//!
//! It works in turns of bounded size and yields between them, so that a session that floods takes its share of the machine
//! and no more. With nothing to do it waits without any timer. It lives while the run lives or somebody looks; a dead
//! session that nobody looks at costs nothing but its record.

mod act;
mod adopted;
mod answer;
mod ask;
mod deliver;
mod end;
mod events;
mod explain;
mod front;
mod guest;
mod hear;
mod hibernate;
mod history;
mod judge;
mod keep;
mod look;
mod seek;
mod sight;
mod source;
mod start;
mod turn;
mod watching;

use std::collections::HashSet;
use std::sync::Arc;

use belfry_agents::Agents;
use belfry_journal::Follower;
use belfry_platform::home::RunDir;
use belfry_protocol::RunId;
use belfry_protocol::keeper::{Decoder, ExitInfo};
use belfry_terminal::{BlockId, Terminal};
use tokio::sync::mpsc;
use tokio::time::sleep_until;

use super::command::Live;
use super::{Command, Entry, Link};
use crate::Daemon;
use crate::client::Answer;
use crate::sources::{Alive, Watching};
use crate::watch::Watch;

pub(crate) use self::ask::close_of_dead;
pub(crate) use self::end::{left, reason};
pub(crate) use self::history::STATUS;
pub(crate) use self::seek::Reached;

use self::answer::{Answering, EarlyAnswer};
use self::ask::Asking;
use self::deliver::Messages;
use self::front::Front;
use self::guest::Guest;
use self::hibernate::Ending;
use self::look::OpenView;
use self::sight::Sight;
use self::watching::ShellSaid;

/// Effort of commands in one turn, as [`Command::effort`] counts it.
const BATCH: u32 = 32;

/// How an engine begins.
pub(crate) enum Start {
    /// With a run that was just started.
    Live(Box<Live>),
    /// With what can be found of the newest run: it may live or not.
    Find,
    /// With the last screen of a run that is over.
    Show,
}

/// The run that the engine is about.
struct Following {
    run: RunId,
    dir: RunDir,
    /// None where there is no journal (any more).
    journal: Option<Follower>,
    link: Option<Arc<Link>>,
    decoder: Decoder,
    /// The version of the keeper's frames.
    speaks: u32,
    /// The program's process id, while it lives.
    program: u32,
    /// The journal may have grown.
    rung: bool,
    /// Doorbells since the last acknowledgement.
    unanswered: u32,
    acked: u64,
    /// The last turn did not come to the end.
    flooding: bool,
    /// The journal was entered by offset alone, in the middle of a segment.
    skip_size: bool,
    exit: Option<ExitInfo>,
}

/// Checkpoints of the run.
#[derive(Default)]
struct Keeping {
    /// Offset of the newest one.
    offset: u64,
    /// When it was begun, by the daemon's clock.
    at: u64,
    busy: bool,
    /// Archive blocks on the disk.
    blocks: HashSet<BlockId>,
    /// First offset of the segment that the newest one lies in: those before it are closed.
    segment: u64,
}

/// What the engine has to come back to, by the daemon's clock.
#[derive(Default)]
struct Due {
    verdict: Option<u64>,
    look: Option<u64>,
    pack: Option<u64>,
    title: Option<u64>,
    checkpoint: Option<u64>,
    delivery: Option<u64>,
    snapshot: Option<u64>,
    /// The screen stands still then, for whoever waits for that.
    sight: Option<u64>,
    /// What has the terminal is asked again.
    front: Option<u64>,
    answer: Option<u64>,
    /// The next step towards the end of a program that is put to sleep.
    ending: Option<u64>,
    /// The end of patience with a keeper that is not reached and is to end its run.
    unreached: Option<u64>,
}

struct Engine {
    daemon: Arc<Daemon>,
    entry: Arc<Entry>,
    terminal: Terminal,
    following: Following,
    keeping: Keeping,
    views: Vec<OpenView>,
    /// The agent whose rules apply: the session's own, or its guest. And the rules of all.
    agent_id: String,
    agents: Arc<Agents>,
    /// The version of its program, where that is known.
    version: Option<String>,
    /// Conversations that its hooks say it has left.
    left: Vec<String>,
    /// An agent that was started by hand in a shell and has its terminal.
    guest: Option<Guest>,
    /// What is known of the session, and what follows its terminal.
    watch: Box<Watch>,
    shell_said: ShellSaid,
    last_sight: Option<Sight>,
    front: Front,
    /// What has the terminal tells of the session's own program.
    watched_front: bool,
    /// A daemon that has just come does not know yet what has the terminal: the last status stands until then.
    awaits_front: bool,
    asking: Asking,
    answering: Option<Answering>,
    /// Its program is being put to sleep.
    ending: Option<Ending>,
    /// Until then the program may still be starting up, whatever its screen shows.
    young_until: u64,
    /// An answer that came before its dialog was drawn.
    early_answer: Option<EarlyAnswer>,
    /// Ids of inputs whose fate the keeper tells.
    inputs: u32,
    /// When something was last printed.
    printed_at: u64,
    /// When clients were last told of another activity.
    activity_told: u64,
    due: Due,
    /// When what was printed is to be packed at the latest.
    pack_by: Option<u64>,
    /// When something was last typed, as far as the arbiter knows.
    typed_known: u64,
    /// Typed before the keeper was connected.
    early: Vec<u8>,
    messages: Messages,
    /// Whether a message was half typed when the open question came.
    draft_before: bool,
    /// Time until a pending first prompt is considered again in quiet, in milliseconds.
    look_again: u64,
    killers: Vec<Answer>,
    last_bell: u64,
    last_title: u64,
    /// What the program was told of the keyboard last (mode 1004).
    told_focus: Option<bool>,
    kitty: u8,
    /// The keeper is being looked for.
    seeking: bool,
    /// What was to be typed when the last daemon ended is taken up once the keeper is found.
    resumes: bool,
    /// The agent's files of the run, while it lives.
    watching: Option<Watching>,
    /// Subagents that hooks have told of.
    subagents: Alive,
    removed: bool,
}

/// Starts an engine; its mailbox takes commands at once.
pub(super) fn spawn(daemon: Arc<Daemon>, entry: Arc<Entry>, start: Start) -> mpsc::UnboundedSender<Command> {
    let (sender, mailbox) = mpsc::unbounded_channel();
    tokio::spawn(async move {
        let engine = Engine::begin(daemon, entry, start).await;
        engine.run(mailbox).await;
    });
    sender
}

/// Milliseconds. What is due is done at the next multiple of this, so that a hundred sessions that draw all the time wake the
/// daemon together: each wake costs more than the look that it is for. A twentieth of the time that a status may take.
const TICK: u64 = 8;

/// What ended a wait.
enum Woken {
    Command(Option<Command>),
    Keeper,
    Writable,
    Poke,
}

impl Engine {
    async fn run(mut self, mut mailbox: mpsc::UnboundedReceiver<Command>) {
        loop {
            // Whatever has arrived, without waiting: a flood must not keep a keystroke's echo or a view's credit waiting. Nor
            // may a flood of commands keep the output waiting, or any other session.
            let mut effort = 0;
            while effort < BATCH
                && let Ok(command) = mailbox.try_recv()
            {
                effort += command.effort();
                self.act(command);
            }
            self.hear();
            let more = self.turn() || effort >= BATCH;
            self.tend();
            if more {
                tokio::task::yield_now().await;
                continue;
            }
            if self.unneeded() && self.entry.leave(&mailbox) {
                return;
            }
            match self.wait(&mut mailbox).await {
                Woken::Command(Some(command)) => self.act(command),
                // The entry is gone, and so is the session.
                Woken::Command(None) => return,
                Woken::Writable => {
                    if let Some(link) = &self.following.link {
                        link.flush();
                    }
                }
                Woken::Keeper | Woken::Poke => {}
            }
        }
    }

    /// Waits for anything at all. With nothing due there is no timer.
    async fn wait(&self, mailbox: &mut mpsc::UnboundedReceiver<Command>) -> Woken {
        let clock = self.daemon.clock;
        let due = self.due.earliest();
        let timer = async {
            match due {
                Some(at) => sleep_until(clock.instant(at)).await,
                None => std::future::pending().await,
            }
        };
        let keeper = async {
            let Some(link) = &self.following.link else { return std::future::pending().await };
            loop {
                if link.idle() {
                    tokio::select! {
                        _ = link.readable() => return Woken::Keeper,
                        () = link.waiting.notified() => {}
                    }
                } else {
                    tokio::select! {
                        _ = link.readable() => return Woken::Keeper,
                        _ = link.writable() => return Woken::Writable,
                    }
                }
            }
        };
        tokio::select! {
            command = mailbox.recv() => Woken::Command(command),
            woken = keeper => woken,
            () = self.entry.wake.notified() => Woken::Poke,
            () = timer => Woken::Poke,
        }
    }

    fn now(&self) -> u64 {
        self.daemon.clock.now()
    }

    fn alive(&self) -> bool {
        self.following.link.is_some()
    }

    /// Nothing lives and nobody looks.
    fn unneeded(&self) -> bool {
        let idle = self.views.is_empty() && self.killers.is_empty();
        let waits = self.entry.is_being_made();
        self.removed || (idle && !waits && !self.alive() && !self.seeking && !self.keeping.busy)
    }

    /// What is due by the clock, and what follows from the turn.
    fn tend(&mut self) {
        let now = self.now();
        self.observe_typing(now);
        self.tend_look(now);
        self.tend_verdict(now);
        self.tend_title(now);
        self.tend_front(now);
        take_due(&mut self.due.sight, now);
        self.tend_answer(now);
        self.tend_delivery(now);
        self.tend_views(now);
        self.tend_checkpoint(now);
        self.tend_unreached(now);
        self.tend_ending(now);
    }
}

impl Due {
    fn earliest(&self) -> Option<u64> {
        let due = [self.verdict, self.look, self.title, self.checkpoint, self.delivery, self.unreached];
        let more = [self.sight, self.front, self.answer, self.pack, self.ending];
        let due = due.into_iter().chain(more).flatten().min().map(|at| at.next_multiple_of(TICK));
        // A view is waited for by eyes.
        [due, self.snapshot].into_iter().flatten().min()
    }
}

/// Whether it is time; forgets it then.
fn take_due(due: &mut Option<u64>, now: u64) -> bool {
    if due.is_some_and(|at| at <= now) {
        *due = None;
        return true;
    }
    false
}
