//! The one task that finds sessions, follows them, and forgets them.
//!
//! It looks when there is a sign that an agent was started, when a client comes, and, only while one is there, soon after
//! anything was printed on a terminal of the machine. In between it sleeps until an agent's own file tells something, its
//! pane is printed on, or a process ends.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::path::PathBuf;
use std::sync::Arc;

use belfry_agents::SearchIn;
use belfry_platform::process::Identity;
use belfry_protocol::explain::Explanation;
use belfry_protocol::local::TmuxPane;
use belfry_protocol::{Event, SessionId};
use tokio::sync::{mpsc, oneshot};

use super::ends::Ends;
use super::known::Known;
use super::picture::Picture;
use super::scan::{Found, Machine, Scanner};
use super::signs::{Heard, Signs};
use super::tmux::{self, Reached};
use crate::Daemon;
use crate::sources::{SourceSignal, Subject};

/// After a sign it is looked at once and after each of these, in milliseconds: a program is another one a moment after its
/// file was opened, and agents take a while to draw.
const LOOKS: [u64; 4] = [40, 250, 800, 2000];

/// The least time between two looks, in milliseconds: files of an agent at work change all the time.
const APART: u64 = 400;

/// While somebody is subscribed and something is printed on any terminal, it is looked this often, in milliseconds, in case
/// there was no sign: nobody starts an agent in a terminal without a word on it.
const SWEEP: u64 = 4000;

/// The same where nothing is printed: what an editor starts, and terminals of another world, are found as late as this.
const NET: u64 = 30_000;

/// While somebody is subscribed, tmux is asked at most this often what panes with agents show, in milliseconds, and only
/// after something was printed on one.
const PANES: u64 = 1500;

/// So long after that, in milliseconds: what is printed comes in pieces.
const SETTLE: u64 = 150;

/// How long a session is shown whose process has ended, in milliseconds.
const ENDED: u64 = 8000;

/// Sessions that are followed.
const MOST: usize = 200;

/// One thing to do.
pub(crate) enum Order {
    /// Look now.
    Look,
    /// Look now, and say when that is done.
    Fresh(oneshot::Sender<()>),
    /// A file of an agent tells something.
    Told(SessionId, Box<SourceSignal>),
    /// Why a session's status is what it is.
    Explain(SessionId, oneshot::Sender<Option<Explanation>>),
}

pub(super) struct Finder {
    daemon: Arc<Daemon>,
    scanner: Scanner,
    known: BTreeMap<SessionId, Known>,
    /// Processes in panes that were adopted: they are in sessions of ours.
    adopted: HashMap<Identity, TmuxPane>,
    ends: Ends,
    panes: Vec<Reached>,
    signs: Option<Signs>,
    /// When it is looked next, the soonest last; and when it was looked last.
    looks: Vec<u64>,
    looked: u64,
    /// When tmux was asked last.
    asked: u64,
    /// Something was printed on a terminal since it was looked, or that cannot be told.
    printed: bool,
    /// Terminals of panes with agents that were printed on since tmux was asked, and when that was first seen.
    stirred: HashSet<String>,
    stirred_at: u64,
    /// There is a pane of which that cannot be told.
    blind: bool,
    /// When something may follow from time alone.
    judge: Option<u64>,
    fresh: Vec<oneshot::Sender<()>>,
}

/// Finds sessions for as long as the daemon runs.
pub(crate) async fn follow(daemon: Arc<Daemon>, mut orders: mpsc::UnboundedReceiver<Order>) {
    let signs = Signs::new()
        .inspect_err(|error| tracing::warn!(%error, "agents that are started elsewhere are noticed late"))
        .ok();
    let mut finder = Finder {
        daemon,
        scanner: Scanner::default(),
        known: BTreeMap::new(),
        adopted: HashMap::new(),
        ends: Ends::default(),
        panes: Vec::new(),
        signs,
        looks: vec![0],
        looked: 0,
        asked: 0,
        printed: true,
        stirred: HashSet::new(),
        stirred_at: 0,
        blind: false,
        judge: None,
        fresh: Vec::new(),
    };
    finder.watch_programs().await;
    loop {
        finder.turn().await;
        let due = finder.due();
        let clock = finder.daemon.clock;
        let timer = async {
            match due {
                Some(at) => tokio::time::sleep_until(clock.instant(at)).await,
                None => std::future::pending().await,
            }
        };
        let signs = finder.signs.as_mut();
        let sign = async {
            match signs {
                Some(signs) => signs.next().await,
                None => std::future::pending().await,
            }
        };
        let ended = finder.ends.next();
        tokio::select! {
            order = orders.recv() => match order {
                Some(order) => finder.obey(order),
                None => return,
            },
            sign = sign => match sign {
                Ok(heard) => finder.hear(heard),
                Err(_) => finder.signs = None,
            },
            id = ended => finder.ended(id),
            () = timer => {}
        }
        while let Ok(order) = orders.try_recv() {
            finder.obey(order);
        }
    }
}

impl Finder {
    fn now(&self) -> u64 {
        self.daemon.clock.now()
    }

    fn watched(&self) -> bool {
        self.daemon.has_subscribers()
    }

    fn in_tmux(&self) -> bool {
        self.known.values().any(|known| known.pane.is_some() && known.ended.is_none())
    }

    /// When there is something to do by the clock.
    fn due(&self) -> Option<u64> {
        let look = self.looks.last().map(|at| (*at).max(self.looked + APART));
        let sweep = self.watched().then(|| self.sweep_at());
        let panes = self.panes_at();
        let gone = self.known.values().filter_map(|known| Some(known.ended? + ENDED)).min();
        [look, sweep, panes, gone, self.judge].into_iter().flatten().min()
    }

    /// When it is looked again although there was no sign.
    fn sweep_at(&self) -> u64 {
        self.looked + if self.printed || self.signs.is_none() { SWEEP } else { NET }
    }

    /// When tmux is asked again what panes show.
    fn panes_at(&self) -> Option<u64> {
        if !self.watched() || !self.in_tmux() {
            return None;
        }
        let stirred = (!self.stirred.is_empty()).then_some(self.stirred_at + SETTLE);
        stirred.or(self.blind.then_some(0)).map(|at| at.max(self.asked + PANES))
    }

    fn hear(&mut self, heard: Heard) {
        self.printed |= heard.anywhere;
        if self.stirred.is_empty() {
            self.stirred_at = self.now();
        }
        self.stirred.extend(heard.printed);
        if heard.agent {
            self.look_soon();
        }
    }

    fn obey(&mut self, order: Order) {
        match order {
            Order::Look => self.looks = vec![0],
            Order::Fresh(done) => {
                self.fresh.push(done);
                self.looks.push(0);
                self.looked = 0;
            }
            Order::Told(id, signal) => {
                let now = self.now();
                if let Some(known) = self.known.get_mut(&id) {
                    known.told(&signal, now);
                    self.judge = Some(now);
                }
            }
            Order::Explain(id, answer) => {
                let now = self.now();
                let _ = answer.send(self.known.get_mut(&id).map(|known| known.explain(now)));
            }
        }
    }

    /// Something is about to be there.
    fn look_soon(&mut self) {
        let now = self.now();
        self.looks = LOOKS.iter().rev().map(|after| now + after).collect();
    }

    async fn turn(&mut self) {
        let now = self.now();
        let due = self.looks.last().is_some_and(|at| *at <= now);
        let sweep = self.watched() && now >= self.sweep_at();
        if (due && now >= self.looked + APART) || sweep {
            self.looks.retain(|at| *at > now);
            self.looked = now;
            self.look().await;
        } else if self.panes_at().is_some_and(|at| at <= now) {
            self.look_at_panes(Vec::new()).await;
        }
        let now = self.now();
        let gone: Vec<_> = self
            .known
            .iter()
            .filter(|(_, known)| known.ended.is_some_and(|at| now >= at + ENDED))
            .map(|(id, _)| *id)
            .collect();
        for id in gone {
            self.forget(id);
        }
        if self.judge.is_some_and(|at| at <= now) {
            self.judge_all();
        }
        for done in self.fresh.drain(..) {
            let _ = done.send(());
        }
    }

    /// Looks at the machine.
    async fn look(&mut self) {
        if !self.daemon.settings().settings.sessions.find {
            let all: Vec<_> = self.known.keys().copied().collect();
            for id in all {
                self.forget(id);
            }
            return;
        }
        self.printed = !self.signs.as_mut().is_some_and(Signs::watch_terminals);
        let (mut scanner, agents) = (std::mem::take(&mut self.scanner), self.daemon.agents());
        let looked = tokio::task::spawn_blocking(move || {
            let machine = scanner.look(&agents);
            (scanner, machine)
        });
        let Ok((scanner, Machine { agents: found, servers })) = looked.await else { return };
        self.scanner = scanner;
        if let Some(signs) = &mut self.signs {
            signs.watch_home(&self.daemon.person_home);
            signs.watch_folder(&tmux::folder());
        }
        self.take(found);
        self.daemon.locals.set_servers(servers);
        self.look_at_panes(self.sockets()).await;
    }

    /// Sockets that agents' environments name.
    fn sockets(&self) -> Vec<String> {
        self.known.values().filter_map(|known| known.found.socket.clone()).collect()
    }

    /// These are there; others are not, or no longer.
    fn take(&mut self, found: Vec<Found>) {
        let now = self.now();
        let gone: Vec<_> = self
            .known
            .iter()
            .filter(|(_, known)| {
                known.ended.is_none() && !found.iter().any(|one| one.process == known.found.process)
            })
            .map(|(id, known)| (*id, known.found.process.is_alive()))
            .collect();
        for (id, alive) in gone {
            // One that lives on has become something else: a part of a session of ours, for one.
            if alive { self.forget(id) } else { self.ended(id) }
        }
        let daemon = &self.daemon;
        self.adopted
            .retain(|process, at| found.iter().any(|one| one.process == *process) && daemon.has_adopted(at));
        for one in found {
            let known = self.known.values().any(|known| known.found.process == one.process);
            if self.known.len() < MOST && !known && !self.adopted.contains_key(&one.process) {
                self.add(one, now);
            }
        }
    }

    fn add(&mut self, found: Found, now: u64) {
        let agents = self.daemon.agents();
        let mut known = Known::new(found, &self.daemon.boot_id, &agents, now);
        let id = known.session.id;
        let locals = self.daemon.locals.orders();
        let tell = move |signal: SourceSignal| {
            let _ = locals.send(Order::Told(id, Box::new(signal)));
        };
        let subject = Subject {
            agent: known.found.agent.clone(),
            program: known.found.process,
            cwd: known.found.cwd.clone(),
            conversation: known.session.conversation_id.clone(),
        };
        known.watching = self.daemon.sources.watch(subject, Box::new(tell));
        self.ends.watch(id, known.found.process);
        if let Some(signs) = &mut self.signs {
            // The next one of the same is noticed by its program.
            let pid = known.found.process.pid;
            let script = known
                .found
                .argv
                .iter()
                .take(3)
                .filter(|argument| argument.starts_with('/'))
                .map(PathBuf::from);
            let programs = script.chain(std::fs::read_link(format!("/proc/{pid}/exe")));
            programs
                .filter(|program| !is_interpreter(program))
                .for_each(|program| signs.watch_program(&program));
        }
        tracing::info!(
            agent = known.found.agent,
            pid = known.found.process.pid,
            "an agent was found that is not ours"
        );
        self.known.insert(id, known);
        self.judge = Some(now);
    }

    fn ended(&mut self, id: SessionId) {
        self.ends.forget(id);
        let now = self.now();
        if let Some(known) = self.known.get_mut(&id).filter(|known| known.ended.is_none()) {
            known.end(now);
            self.daemon.publish_local(&known.session);
            // It may have become another program's.
            self.look_soon();
        }
    }

    fn forget(&mut self, id: SessionId) {
        self.ends.forget(id);
        self.known.remove(&id);
        self.daemon.forget_local(id);
    }

    /// Which panes sessions are in, and what those panes show.
    async fn look_at_panes(&mut self, sockets: Vec<String>) {
        self.asked = self.now();
        let servers = self.daemon.locals.servers();
        // Whatever is printed from here on is told again.
        let stirred = std::mem::take(&mut self.stirred);
        self.blind = false;
        if self.known.values().all(|known| known.ended.is_some()) {
            self.panes.clear();
            return;
        }
        let sockets = if sockets.is_empty() { self.sockets() } else { sockets };
        let before = std::mem::replace(&mut self.panes, tmux::all(&servers, sockets).await);
        let now = self.now();
        let mut changed = Vec::new();
        let mut adopted = Vec::new();
        for (id, known) in self.known.iter_mut().filter(|(_, known)| known.ended.is_none()) {
            let tty = known.found.tty.as_deref().map(|tty| format!("/dev/{tty}"));
            let pane = self.panes.iter().find(|reached| Some(&reached.pane.tty) == tty.as_ref()).cloned();
            if let Some(pane) = pane.as_ref().filter(|pane| self.daemon.has_adopted(&pane.at)) {
                self.adopted.insert(known.found.process, pane.at.clone());
                adopted.push(*id);
                continue;
            }
            if let (Some(pane), Some(tty)) = (&pane, &known.found.tty) {
                let last = before.iter().find(|before| before.at == pane.at).map(|last| &last.pane);
                // From before it is looked at, so that nothing is printed unseen.
                let watched = self.signs.as_ref().is_some_and(|signs| signs.is_watched(tty));
                let told = watched || self.signs.as_mut().is_some_and(|signs| signs.watch_terminal(tty));
                let quiet = watched && !stirred.contains(tty);
                self.blind |= !told;
                let renamed = last.is_none_or(|last| last.title != pane.pane.title);
                // A second is long: what was printed later in it has the same time.
                let active = last.is_none_or(|last| last.active_at != pane.pane.active_at)
                    || pane.pane.active_at + 2 >= wall_seconds();
                if renamed || (told && !quiet) || (!told && active) {
                    changed.push((*id, pane.at.clone(), pane.pane.title.clone()));
                }
            }
            if known.pane != pane {
                known.place(pane, now);
                self.judge = Some(now);
            }
        }
        for id in adopted {
            self.forget(id);
        }
        let agents = self.daemon.agents();
        for (id, at, title) in changed {
            let picture = Picture::of(&at, &title).await;
            let now = self.now();
            let Some(known) = self.known.get_mut(&id) else { continue };
            if picture.is_none() {
                // It is looked again, for as long as tmux says that it is there.
                self.stirred.extend(known.found.tty.clone());
                self.stirred_at = now;
            }
            if let Some(picture) = picture {
                known.shows(picture, &agents, now);
                self.judge = Some(now);
            }
        }
        if self.judge.is_some() {
            self.judge_all();
        }
        self.adopt_by_itself();
    }

    fn judge_all(&mut self) {
        let now = self.now();
        self.judge = None;
        for known in self.known.values_mut() {
            let (_, again) = known.judge(now);
            if self.daemon.locals.is_new(&known.session) {
                self.daemon.publish_local(&known.session);
            }
            let again = again.map(|at| at.max(now + 1));
            self.judge = self.judge.into_iter().chain(again).min();
        }
    }

    /// Where the person has set so, agents in tmux become sessions of the list.
    fn adopt_by_itself(&self) {
        if !self.daemon.settings().settings.sessions.adopt {
            return;
        }
        let panes =
            self.known.values().filter(|known| known.ended.is_none()).filter_map(|known| known.pane.clone());
        for pane in panes {
            let daemon = Arc::clone(&self.daemon);
            tokio::spawn(async move {
                if let Err(error) = super::adopt::pane(&daemon, pane).await {
                    tracing::debug!(%error, "an agent in tmux is not adopted");
                }
            });
        }
    }

    /// Whoever opens an agent's program is about to start it.
    async fn watch_programs(&mut self) {
        let env = crate::launch::login_environment(&self.daemon).await;
        let var = |name: &str| env.iter().find(|(known, _)| known == name).map(|(_, value)| value.clone());
        let (path, home) = (var("PATH"), var("HOME").map(PathBuf::from));
        let search = SearchIn { path: path.as_deref(), home: home.as_deref(), shell: None };
        let agents = self.daemon.agents();
        let Some(signs) = &mut self.signs else { return };
        for agent in agents.iter().filter(|agent| agent.id() != "shell") {
            if let Some(program) = agent.find(search) {
                signs.watch_program(&program);
            }
        }
        signs.watch_home(&self.daemon.person_home);
        signs.watch_folder(&tmux::folder());
    }
}

/// Programs that run others' scripts are opened all the time.
fn is_interpreter(program: &std::path::Path) -> bool {
    let name = program.file_name().and_then(std::ffi::OsStr::to_str).unwrap_or_default();
    ["node", "bun", "python", "ruby", "deno", "sh", "bash", "zsh", "fish", "dash", "env"].iter().any(
        |known| {
            name.strip_prefix(known).is_some_and(|rest| rest.chars().all(|c| c.is_ascii_digit() || c == '.'))
        },
    )
}

fn wall_seconds() -> u64 {
    u64::try_from(crate::clock::wall().as_second()).unwrap_or(0)
}

impl Daemon {
    /// A session that was found is so now.
    fn publish_local(&self, session: &belfry_protocol::Session) {
        if self.locals.keep(session) {
            self.notifier.added(session.clone());
        }
        self.notifier.changed(session.id);
        self.tell_all(&Event::Session { session: Box::new(session.clone()) });
    }

    fn forget_local(&self, id: SessionId) {
        if self.locals.drop(id) {
            self.tell_all(&Event::SessionRemoved { id });
            self.notifier.changed(id);
        }
    }
}
