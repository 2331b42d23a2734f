//! How an engine begins, and how it takes up a new run.

use std::sync::Arc;

use belfry_journal::{Follower, Position};
use belfry_platform::home::RunDir;
use belfry_protocol::RunId;
use belfry_protocol::keeper::{Decoder, ToKeeper, VERSION};
use belfry_status::{Arbiter, Table};
use belfry_terminal::{Size, Terminal};
use tokio::time::{Duration, timeout};

use super::answer::Answering;
use super::deliver::LOOK_AGAIN;
use super::{Due, Engine, Following, Keeping, Start};
use crate::Daemon;
use crate::launch::FirstPrompt;
use crate::session::checkpoint;
use crate::session::command::Live;
use crate::session::{Command, Entry, Link};
use crate::watch::Watch;

/// What a session's notice says of a first prompt that may have been typed or not.
const PROMPT_UNSURE: &str =
    "the first prompt was being typed when Belfry ended: look whether it has arrived, it is not typed again";

/// Turns for what was printed before the keeper is found: as many as the largest journal takes.
const MOST_TURNS: u32 = 1024;

/// How long the beginning waits for a keeper's answer, before anybody is shown anything. It takes a millisecond; one that
/// takes longer is waited for beside.
const AT_ONCE: Duration = Duration::from_millis(500);

/// How long a program counts as starting, in milliseconds, as far as it is about what its screen shows: the slowest agent takes
/// ten seconds to its first question.
pub(super) const STARTS: u64 = 20_000;

impl Engine {
    pub(super) async fn begin(daemon: Arc<Daemon>, entry: Arc<Entry>, start: Start) -> Self {
        match start {
            Start::Live(live) => {
                let mut engine = Self::around(daemon, entry, live.run, live.dir.clone(), Restored::default());
                engine.follow(*live);
                engine
            }
            Start::Find => Self::find(daemon, entry).await,
            Start::Show => {
                let run = entry.newest_run();
                let mut engine = Self::restored(daemon, entry, run).await;
                engine.following.rung = true;
                while engine.turn() {
                    tokio::task::yield_now().await;
                }
                engine
            }
        }
    }

    /// Takes up the newest run where the last daemon left it, or finds out how it ended.
    async fn find(daemon: Arc<Daemon>, entry: Arc<Entry>) -> Self {
        let run = entry.newest_run();
        let found = match run {
            Some(run) => timeout(AT_ONCE, Link::connect(&daemon.home.keeper_socket(run)))
                .await
                .ok()
                .and_then(Result::ok),
            None => None,
        };
        let mut engine = Self::restored(daemon, entry, run).await;
        engine.following.rung = true;
        if let Some((link, hello, decoder)) = found {
            let printed = hello.journal_offset;
            engine.reached((Arc::new(link), hello, decoder));
            // Where the last daemon was, before anybody is shown anything. A flood goes on meanwhile and is left for later.
            while engine.turn() && engine.terminal.offset() < printed {
                tokio::task::yield_now().await;
            }
            engine.following.rung = true;
            engine.resume_outgoing();
        } else if engine.keeper_may_live() {
            engine.resumes = true;
            engine.seek();
            // Its last screen meanwhile. A flood may have no end.
            for _ in 0..MOST_TURNS {
                if !engine.turn() {
                    break;
                }
                tokio::task::yield_now().await;
            }
        } else {
            tracing::info!(session = %engine.entry.logged(), "the run is over");
            while engine.turn() {
                tokio::task::yield_now().await;
            }
            engine.keeper_left();
        }
        engine
    }

    /// An engine with the terminal as it was saved, at its place in the journal.
    async fn restored(daemon: Arc<Daemon>, entry: Arc<Entry>, run: Option<RunId>) -> Self {
        let run = run.unwrap_or_else(|| RunId::at(0));
        let dir = entry.run_dir(&daemon, run).unwrap_or_else(|| RunDir::new(std::path::PathBuf::new()));
        let options = daemon.terminal_options();
        let reading = dir.clone();
        let restored = tokio::task::spawn_blocking(move || Restored::read(&reading, &options)).await;
        Self::around(daemon, entry, run, dir, restored.unwrap_or_default())
    }

    fn around(daemon: Arc<Daemon>, entry: Arc<Entry>, run: RunId, dir: RunDir, restored: Restored) -> Self {
        let size = {
            let session = entry.record();
            Size::new(session.cols, session.rows).clamped()
        };
        let (agent_id, version) = {
            let session = entry.record().clone();
            (session.agent.clone(), daemon.version_of(&session))
        };
        let (now, agents) = (daemon.clock.now(), daemon.agents());
        let terminal = restored.terminal.unwrap_or_else(|| Terminal::new(size, daemon.terminal_options()));
        Self {
            kitty: terminal.kitty_flags(),
            following: Following {
                run,
                dir,
                journal: restored.journal,
                link: None,
                decoder: Decoder::new(),
                speaks: VERSION,
                program: 0,
                rung: false,
                unanswered: 0,
                acked: 0,
                flooding: false,
                skip_size: restored.skip_size,
                exit: None,
            },
            keeping: Keeping { offset: restored.offset, blocks: restored.blocks, ..Keeping::default() },
            terminal,
            daemon,
            entry,
            views: Vec::new(),
            watch: Box::new(Watch::new(Arbiter::new(Table::of_any_program(), now))),
            shell_said: super::ShellSaid::default(),
            agent_id,
            left: Vec::new(),
            version,
            agents,
            last_sight: None,
            front: super::Front::default(),
            watched_front: false,
            awaits_front: false,
            guest: None,
            asking: super::Asking::default(),
            answering: None::<Answering>,
            ending: None,
            young_until: 0,
            early_answer: None,
            inputs: 0,
            printed_at: now,
            activity_told: 0,
            due: Due::default(),
            pack_by: None,
            typed_known: 0,
            early: Vec::new(),
            messages: super::Messages::default(),
            draft_before: false,
            look_again: LOOK_AGAIN,
            killers: Vec::new(),
            last_bell: 0,
            last_title: 0,
            told_focus: None,
            seeking: false,
            resumes: false,
            watching: None,
            subagents: crate::sources::Alive::new(),
            removed: false,
        }
    }

    /// Takes up a run that has just been started. Views stay and see the new run's screen.
    pub(super) fn follow(&mut self, live: Live) {
        let now = self.now();
        let size = match &live.connected {
            Some((_, hello, _)) => Size::new(hello.cols, hello.rows).clamped(),
            None => self.terminal.size(),
        };
        self.terminal = Terminal::new(size, self.daemon.terminal_options());
        self.following = Following {
            run: live.run,
            journal: open_journal(&live.dir, Position::offset(0)),
            dir: live.dir,
            link: None,
            decoder: Decoder::new(),
            speaks: VERSION,
            program: 0,
            rung: true,
            unanswered: 0,
            acked: 0,
            flooding: false,
            skip_size: false,
            exit: None,
        };
        self.seeking = false;
        self.resumes = false;
        self.ending = None;
        self.keeping = Keeping::default();
        self.own_rules();
        self.resume_meant();
        *self.watch = Watch::new(Arbiter::new(self.table(), now));
        self.watched_front = self.watches_front();
        (self.last_sight, self.front) = (None, super::Front::default());
        self.shell_said = super::ShellSaid::default();
        self.printed_at = now;
        self.young_until = now + STARTS;
        self.stir_front(now);
        self.due.verdict = Some(now);
        self.told_focus = None;
        self.keyboard(0);
        self.views.iter_mut().for_each(|open| open.flow.miss());
        let Some((link, hello, decoder)) = live.connected else {
            while self.turn() {}
            self.keeper_left();
            return;
        };
        self.following.exit = hello.exit;
        self.connected(link, decoder, (hello.program_pid, hello.version));
        if let Some(prompt) = live.prompt {
            self.queue_prompt(prompt);
        }
        // Somebody who looks already has a size.
        let focus = self.entry.focus.load(std::sync::atomic::Ordering::Relaxed);
        if let Some(key) = self.views.iter().map(|open| open.view.key()).find(|key| key.number() == focus) {
            self.focus(key, true);
        }
    }

    /// `of` is the program's process id, and the version that the keeper speaks.
    pub(super) fn connected(&mut self, link: Arc<Link>, decoder: Decoder, of: (u32, u32)) {
        let offset = self.terminal.offset();
        link.send(&ToKeeper::Ack { offset });
        if !self.early.is_empty() {
            link.input(&std::mem::take(&mut self.early));
        }
        self.entry.set_link(Some(Arc::clone(&link)));
        self.following.link = Some(link);
        self.following.decoder = decoder;
        (self.following.program, self.following.speaks) = of;
        self.take_pane_for_program();
        self.following.acked = offset;
        self.following.unanswered = 0;
        self.following.rung = true;
        self.watch_files();
    }

    /// Messages that were queued when the last daemon ended, and the first prompt if it was not typed.
    pub(super) fn resume_outgoing(&mut self) {
        match self.daemon.first_prompt(&self.entry) {
            Some((prompt, FirstPrompt::Waiting)) => self.queue_prompt(prompt),
            Some(_) => {
                self.notice(Some(PROMPT_UNSURE.to_owned()));
                self.daemon.note_prompt(&self.entry, FirstPrompt::Done);
            }
            None => {}
        }
        if self.entry.record().queued == 0 {
            return;
        }
        let (store, entry) = (self.daemon.store.clone(), Arc::clone(&self.entry));
        tokio::spawn(async move {
            let id = entry.id;
            match store.call(move |store| store.messages(id)).await {
                Ok(messages) => {
                    let waiting = messages
                        .into_iter()
                        .filter(|stored| stored.message.delivery == belfry_protocol::reply::Delivery::Queued);
                    for stored in waiting {
                        let (id, text) = (stored.message.id, stored.text);
                        entry.tell_if_running(Command::Message { id, text, now: false, answer: None });
                    }
                }
                Err(error) => {
                    tracing::warn!(session = %entry.logged(), %error, "queued messages cannot be read");
                }
            }
        });
    }
}

/// What is left of a run's terminal.
#[derive(Default)]
struct Restored {
    terminal: Option<Terminal>,
    journal: Option<Follower>,
    offset: u64,
    blocks: std::collections::HashSet<belfry_terminal::BlockId>,
    skip_size: bool,
}

impl Restored {
    /// From the checkpoint, and from there on by the journal; without one by the journal alone, from its oldest entry. Blocks.
    fn read(dir: &RunDir, options: &belfry_terminal::Options) -> Self {
        let Some(saved) = checkpoint::read(dir, options) else {
            return Self { journal: open_oldest(dir), ..Self::default() };
        };
        let journal = open_journal(dir, saved.position);
        Self {
            skip_size: journal.as_ref().is_some_and(|journal| journal.position().at == 0),
            journal,
            terminal: Some(saved.terminal),
            offset: saved.position.offset,
            blocks: saved.blocks,
        }
    }
}

fn open_journal(dir: &RunDir, position: Position) -> Option<Follower> {
    Follower::open(&dir.journal(), position)
        .inspect_err(|error| tracing::warn!(%error, "the journal cannot be opened"))
        .ok()
}

fn open_oldest(dir: &RunDir) -> Option<Follower> {
    Follower::open_oldest(&dir.journal())
        .inspect_err(|error| tracing::debug!(%error, "the journal cannot be opened"))
        .ok()
}
