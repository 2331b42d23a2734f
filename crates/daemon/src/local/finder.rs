//! The one task that finds sessions, follows them, and forgets them.
//!
//! It looks when there is a sign that an agent was started, when a client comes, and, only while one is there, every few
//! seconds. In between it sleeps until an agent's own file tells something or a process ends.

use std::collections::{BTreeMap, HashMap};
use std::future::Future;
use std::path::PathBuf;
use std::pin::Pin;
use std::sync::Arc;

use belfry_agents::SearchIn;
use belfry_platform::process;
use belfry_protocol::explain::Explanation;
use belfry_protocol::{Event, SessionId};
use tokio::sync::{mpsc, oneshot};

use super::known::Known;
use super::picture::Picture;
use super::scan::{Found, Machine, Scanner};
use super::signs::Signs;
use super::tmux::{self, Reached};
use crate::Daemon;
use crate::sources::{SourceSignal, Subject};

/// After a sign it is looked at once and after each of these, in milliseconds: a program is another one a moment after its
/// file was opened, and agents take a while to draw.
const LOOKS: [u64; 4] = [40, 250, 800, 2000];

/// The least time between two looks, in milliseconds: files of an agent at work change all the time.
const APART: u64 = 400;

/// While somebody is subscribed, it is looked this often, in milliseconds, in case there was no sign.
const SWEEP: u64 = 4000;

/// While somebody is subscribed, tmux is asked this often what has changed in panes with agents, in milliseconds.
const PANES: u64 = 1500;

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

type Ends = Pin<Box<dyn Future<Output = ()> + Send>>;

pub(super) struct Finder {
    daemon: Arc<Daemon>,
    scanner: Scanner,
    known: BTreeMap<SessionId, Known>,
    /// Completes when one of them ends, each.
    ends: HashMap<SessionId, Ends>,
    panes: Vec<Reached>,
    signs: Option<Signs>,
    /// When it is looked next, the soonest last; and when it was looked last.
    looks: Vec<u64>,
    looked: u64,
    /// When tmux was asked last.
    asked: u64,
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
        ends: HashMap::new(),
        panes: Vec::new(),
        signs,
        looks: vec![0],
        looked: 0,
        asked: 0,
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
        let signs = finder.signs.as_ref();
        let sign = async {
            match signs {
                Some(signs) => signs.next().await,
                None => std::future::pending().await,
            }
        };
        let ended = first(&mut finder.ends);
        tokio::select! {
            order = orders.recv() => match order {
                Some(order) => finder.obey(order),
                None => return,
            },
            sign = sign => match sign {
                Ok(()) => finder.look_soon(),
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

/// The first that ends.
async fn first(ends: &mut HashMap<SessionId, Ends>) -> SessionId {
    std::future::poll_fn(|context| {
        let done = ends.iter_mut().find_map(|(id, end)| end.as_mut().poll(context).is_ready().then_some(*id));
        done.map_or(std::task::Poll::Pending, std::task::Poll::Ready)
    })
    .await
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
        let watched = self.watched();
        let sweep = watched.then_some(self.looked + SWEEP);
        let panes = (watched && self.in_tmux()).then_some(self.asked + PANES);
        let gone = self.known.values().filter_map(|known| Some(known.ended? + ENDED)).min();
        [look, sweep, panes, gone, self.judge].into_iter().flatten().min()
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
        let sweep = self.watched() && now >= self.looked + SWEEP;
        if (due && now >= self.looked + APART) || sweep {
            self.looks.retain(|at| *at > now);
            self.looked = now;
            self.look().await;
        } else if self.watched() && self.in_tmux() && now >= self.asked + PANES {
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
        let (mut scanner, agents) = (std::mem::take(&mut self.scanner), self.daemon.agents());
        let looked = tokio::task::spawn_blocking(move || {
            let machine = scanner.look(&agents);
            (scanner, machine)
        });
        let Ok((scanner, Machine { agents: found, servers })) = looked.await else { return };
        self.scanner = scanner;
        if let Some(signs) = &self.signs {
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
        for one in found {
            if self.known.len() >= MOST || self.known.values().any(|known| known.found.process == one.process)
            {
                continue;
            }
            self.add(one, now);
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
        if let Some(ends) = ends(known.found.process) {
            self.ends.insert(id, ends);
        }
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
        self.ends.remove(&id);
        let now = self.now();
        if let Some(known) = self.known.get_mut(&id).filter(|known| known.ended.is_none()) {
            known.end(now);
            self.daemon.publish_local(&known.session);
            // It may have become another program's.
            self.look_soon();
        }
    }

    fn forget(&mut self, id: SessionId) {
        self.ends.remove(&id);
        self.known.remove(&id);
        self.daemon.forget_local(id);
    }

    /// Which panes sessions are in, and what those panes show.
    async fn look_at_panes(&mut self, sockets: Vec<String>) {
        self.asked = self.now();
        let servers = self.daemon.locals.servers();
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
            if pane.as_ref().is_some_and(|pane| self.daemon.has_adopted(&pane.at)) {
                adopted.push(*id);
                continue;
            }
            let active = pane.as_ref().filter(|pane| {
                let last = before.iter().find(|before| before.at == pane.at);
                let busy = last.is_none_or(|last| {
                    last.pane.active_at != pane.pane.active_at || last.pane.title != pane.pane.title
                });
                // A second is long: what was printed later in it has the same time.
                busy || pane.pane.active_at + 2 >= wall_seconds()
            });
            if let Some(pane) = active {
                changed.push((*id, pane.at.clone(), pane.pane.title.clone()));
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
            let Some(picture) = Picture::of(&at, &title).await else { continue };
            let now = self.now();
            if let Some(known) = self.known.get_mut(&id) {
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

/// Completes when the process ends; none where it has.
fn ends(process: process::Identity) -> Option<Ends> {
    #[cfg(target_os = "linux")]
    {
        let fd = process::pidfd_open(process.pid).ok()?;
        if !process.is_alive() {
            return None;
        }
        // SAFETY: the descriptor is owned, and stays open and the same for as long as it is registered.
        let fd = unsafe { tokio::io::unix::AsyncFd::register(fd) }.ok()?;
        Some(Box::pin(async move {
            let _ = fd.readable().await;
        }))
    }
    #[cfg(not(target_os = "linux"))]
    {
        let _ = process;
        None
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
