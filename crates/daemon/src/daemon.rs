//! What everything in the daemon shares: the sessions, the clients, the store, and how changes reach all of them.

mod keep;

use std::collections::{BTreeMap, HashMap, HashSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, Instant};

use belfry_agents::{Agents, Versions};
use belfry_platform::home::Home;
use belfry_platform::process::Identity;
use belfry_protocol::{DaemonMessage, ErrorCode, Event, Reply, Session, SessionId, WireError};
use belfry_store::{StoreHandle, StoredNotification};
use belfry_terminal::{Colors, Options as TerminalOptions};
use jiff::Timestamp;
use parking_lot::{Mutex, RwLock};
use tokio::sync::{Notify, Semaphore, watch};

use crate::client::{Answer, Client, Keeper, encode};
use crate::clock::Clock;
use crate::compressor::Compressor;
use crate::conversations::{Boots, Claims};
use crate::hibernate::Sleeper;
use crate::index::Indexer;
use crate::launch::{FirstPrompt, LaunchFile, LoginShell};
use crate::local::Locals;
use crate::notify::Notifier;
use crate::session::{Entry, Logged};
use crate::settings::SettingsFile;
use crate::sources::Sources;
use crate::tree::Tree;
use crate::workspaces::clone_project::Clones;

/// How long a keeper whose run is over may take to leave.
const LEAVING: Duration = Duration::from_secs(10);

/// Most exports at once.
const EXPORTS: usize = 8;

/// The daemon.
pub(crate) struct Daemon {
    pub(crate) home: Home,
    /// The person's own home directory.
    pub(crate) person_home: PathBuf,
    /// The `belfry-keeper` program.
    pub(crate) keeper: PathBuf,
    /// This program, for agents' hooks; none where the system does not say which it is.
    pub(crate) program: Option<PathBuf>,
    /// This boot of the machine.
    pub(crate) boot_id: String,
    pub(crate) started_at: Timestamp,
    pub(crate) clock: Clock,
    pub(crate) store: StoreHandle,
    pub(crate) versions: Arc<Mutex<Versions>>,
    /// Held while programs are asked for their versions, which takes seconds; never with `versions`.
    pub(crate) asking_versions: Arc<Mutex<()>>,
    pub(crate) login_shell: LoginShell,
    /// What tells of sessions beside their terminals.
    pub(crate) sources: Sources,
    /// Sessions that Belfry did not start.
    pub(crate) locals: Locals,
    pub(crate) compressor: Compressor,
    /// What the person has set.
    pub(crate) settings_file: SettingsFile,
    /// Calls the person.
    pub(crate) notifier: Notifier,
    /// Most bytes of one session's journals, where that is not for the settings to say.
    pub(crate) journal_cap: Option<u64>,
    /// Projects and groups. Held while they are changed, and clients are told of it.
    pub(crate) tree: tokio::sync::Mutex<Tree>,
    /// Directories that were made for sessions.
    pub(crate) workspaces: crate::workspaces::Known,
    /// Repositories that are being fetched.
    pub(crate) clones: Clones,
    /// Where pull requests are.
    pub(crate) forges: crate::forge::Forges,
    /// Workspaces that are being removed.
    pub(crate) removals: crate::workspaces::Removals,
    /// Workspaces that are made ahead.
    pub(crate) warmth: crate::workspaces::Warmth,
    /// The working trees of sessions, and what is changed in them.
    pub(crate) spots: crate::review::Spots,
    /// Commands of workspaces that run beside agents.
    pub(crate) runs: crate::workspaces::Runs,
    /// Set to end the daemon.
    pub(crate) stop: watch::Sender<bool>,
    /// Held for reading while a keeper is started, until its session is known by its process id.
    pub(crate) starting: tokio::sync::RwLock<()>,
    /// Places for exports, each of which keeps a thread busy.
    pub(crate) exports: Arc<Semaphore>,
    /// Something was put in the trash.
    pub(crate) trash_filled: Notify,
    /// Conversations that are just being resumed.
    pub(crate) claims: Claims,
    /// What the agents' conversations say.
    pub(crate) indexer: Indexer,
    /// Wakes the one who puts idle sessions to sleep.
    pub(crate) sleeper: Sleeper,
    /// This boot of the machine and the one before it.
    pub(crate) boots: Mutex<Boots>,
    /// Held while a session is woken for a message: two at a time, so that one to all of them does not storm the machine.
    pub(crate) waking: Arc<tokio::sync::Semaphore>,
    sessions: RwLock<BTreeMap<SessionId, Arc<Entry>>>,
    clients: Mutex<HashMap<u32, Arc<Client>>>,
    next_client: AtomicU32,
    /// Held while an event is told, so that all clients see the same order and a new subscriber misses none.
    telling: Mutex<()>,
    colors: RwLock<Arc<Colors>>,
    agents: RwLock<Arc<Agents>>,
    notices: Mutex<Vec<String>>,
    unsaved: Mutex<HashSet<SessionId>>,
    unsaved_filled: Notify,
}

/// What a daemon is made of.
pub(crate) struct Parts {
    pub(crate) home: Home,
    pub(crate) keeper: PathBuf,
    pub(crate) boot_id: String,
    pub(crate) store: StoreHandle,
    pub(crate) agents: Agents,
    pub(crate) compressor: Compressor,
    pub(crate) settings_file: SettingsFile,
    pub(crate) notifications: Vec<StoredNotification>,
    pub(crate) journal_cap: Option<u64>,
    pub(crate) tree: Tree,
    pub(crate) workspaces: Vec<belfry_store::StoredWorkspace>,
    pub(crate) notices: Vec<String>,
}

impl Daemon {
    pub(crate) fn new(parts: Parts) -> Arc<Self> {
        let clock = Clock::start();
        let person_home =
            std::env::var_os("HOME").filter(|home| !home.is_empty()).unwrap_or_else(|| "/".into());
        Arc::new(Self {
            home: parts.home,
            person_home: person_home.into(),
            keeper: parts.keeper,
            program: std::env::current_exe().ok(),
            boot_id: parts.boot_id,
            started_at: crate::clock::wall(),
            clock,
            sources: Sources::start(clock),
            locals: Locals::default(),
            store: parts.store,
            versions: Arc::default(),
            asking_versions: Arc::default(),
            login_shell: LoginShell::default(),
            compressor: parts.compressor,
            settings_file: parts.settings_file,
            notifier: Notifier::new(parts.notifications),
            journal_cap: parts.journal_cap,
            tree: tokio::sync::Mutex::new(parts.tree),
            workspaces: crate::workspaces::Known::of(parts.workspaces),
            clones: Clones::default(),
            forges: crate::forge::Forges::default(),
            removals: crate::workspaces::Removals::default(),
            warmth: crate::workspaces::Warmth::default(),
            spots: crate::review::Spots::default(),
            runs: crate::workspaces::Runs::default(),
            stop: watch::Sender::new(false),
            starting: tokio::sync::RwLock::new(()),
            exports: Arc::new(Semaphore::new(EXPORTS)),
            trash_filled: Notify::new(),
            claims: Claims::default(),
            indexer: Indexer::default(),
            sleeper: Sleeper::default(),
            boots: Mutex::default(),
            waking: Arc::new(tokio::sync::Semaphore::new(2)),
            sessions: RwLock::default(),
            clients: Mutex::default(),
            next_client: AtomicU32::new(1),
            telling: Mutex::new(()),
            colors: RwLock::default(),
            agents: RwLock::new(Arc::new(parts.agents)),
            notices: Mutex::new(parts.notices),
            unsaved: Mutex::default(),
            unsaved_filled: Notify::new(),
        })
    }

    /// Options of every terminal.
    pub(crate) fn terminal_options(&self) -> TerminalOptions {
        TerminalOptions { colors: (**self.colors.read()).clone(), ..TerminalOptions::default() }
    }

    /// The window has other colours: new terminals get them from here, present ones are told.
    pub(crate) fn set_colors(&self, colors: Colors) {
        let colors = Arc::new(colors);
        *self.colors.write() = Arc::clone(&colors);
        for entry in self.entries() {
            entry.tell_if_running(crate::session::Command::Colors(Arc::clone(&colors)));
        }
    }

    /// What is known of each agent, as it is now.
    pub(crate) fn agents(&self) -> Arc<Agents> {
        Arc::clone(&self.agents.read())
    }

    /// The person's own files have changed: present sessions go by the new rules from here on.
    pub(crate) fn set_agents(&self, agents: Agents) {
        let agents = Arc::new(agents);
        *self.agents.write() = Arc::clone(&agents);
        for entry in self.entries() {
            entry.tell_if_running(crate::session::Command::Agents(Arc::clone(&agents)));
        }
    }

    /// The version of a session's program, where it was asked for.
    pub(crate) fn version_of(&self, session: &Session) -> Option<String> {
        let program = session.command.first()?;
        self.versions.lock().known(Path::new(program))
    }

    // Sessions.

    pub(crate) fn add(&self, entry: &Arc<Entry>) {
        self.notifier.added(entry.session());
        self.spots.noticed(&entry.record());
        self.sessions.write().insert(entry.id, Arc::clone(entry));
    }

    pub(crate) fn get(&self, id: SessionId) -> Option<Arc<Entry>> {
        self.sessions.read().get(&id).cloned()
    }

    /// All sessions, oldest first.
    pub(crate) fn entries(&self) -> Vec<Arc<Entry>> {
        self.sessions.read().values().cloned().collect()
    }

    /// The session of that id, unique prefix of one, or name.
    pub(crate) fn find(&self, wanted: &str) -> Result<Arc<Entry>, WireError> {
        if let Ok(id) = wanted.parse::<SessionId>() {
            return self.get(id).ok_or_else(|| self.not_listed(wanted));
        }
        let mut entries = self.entries();
        entries.retain(|entry| !entry.is_hidden());
        let one = |found: Vec<&Arc<Entry>>| match found.as_slice() {
            [] => None,
            [one] => Some(Ok(Arc::clone(one))),
            _ => Some(Err(ambiguous(wanted, &found))),
        };
        let prefix = wanted.to_ascii_lowercase();
        let by_id = |entry: &&Arc<Entry>| !prefix.is_empty() && entry.id.to_string().starts_with(&prefix);
        let shown = |entry: &&Arc<Entry>| entry.record().trashed_at.is_none();
        let named: Vec<_> = entries.iter().filter(|entry| entry.record().name == wanted).collect();
        // A name in use goes before the same name in the trash.
        let living: Vec<_> = named.iter().copied().filter(shown).collect();
        one(living)
            .or_else(|| one(named))
            .or_else(|| one(entries.iter().filter(by_id).collect()))
            .unwrap_or_else(|| Err(self.not_listed(wanted)))
    }

    /// It is none of the list: what can be done with it, where it is one that was found.
    fn not_listed(&self, wanted: &str) -> WireError {
        self.cannot(wanted).unwrap_or_else(|| no_such(wanted))
    }

    pub(crate) fn last_position(&self) -> f64 {
        self.entries().iter().map(|entry| entry.record().position).fold(0.0, f64::max)
    }

    /// Those of these processes that are keepers, and whose; also of runs that are over, while they may still be there.
    pub(crate) fn keepers(&self, among: &[Identity]) -> Vec<Keeper> {
        let mut keepers = Vec::new();
        for entry in self.entries() {
            let session = entry.record();
            // A command of a workspace runs what the agent beside it writes.
            let (id, shell) = (session.id, session.agent == "shell" && session.runs_for.is_none());
            for (age, run) in session.runs.iter().enumerate() {
                let pid = run.keeper_pid.filter(|pid| among.iter().any(|process| process.pid == *pid));
                let alive = age == 0 && session.alive();
                keepers.extend(pid.map(|pid| Keeper { pid, session: id, shell, program: run.pid, alive }));
            }
        }
        keepers
    }

    /// Forgets a session for good, and tells everybody.
    pub(crate) fn forget(&self, id: SessionId) {
        let gone = self.sessions.write().remove(&id);
        if let Some(entry) = gone {
            crate::review::forget(self, &entry.session());
        }
        self.spots.forgotten(id);
        self.unsaved.lock().remove(&id);
        self.tell_all(&Event::SessionRemoved { id });
        self.notifier.changed(id);
    }

    /// A session's directory, and what it is called once the session is removed.
    pub(crate) fn files_of(&self, id: SessionId, private: bool) -> Option<(PathBuf, PathBuf)> {
        let dir = if private {
            self.home.private_dir().ok()?.join("sessions").join(id.to_string())
        } else {
            self.home.session_dir(id)
        };
        let aside = dir.with_file_name(format!("{}{id}", crate::trash::SET_ASIDE));
        Some((dir, aside))
    }

    /// Removes a session's files.
    pub(crate) async fn forget_files(&self, id: SessionId, private: bool) {
        let Some((dir, aside)) = self.files_of(id, private) else { return };
        let removed = tokio::task::spawn_blocking(move || {
            // Put aside already, where it was a session that was known.
            match std::fs::rename(&dir, &aside) {
                Err(error) if error.kind() != std::io::ErrorKind::NotFound => remove_files(&dir),
                _ => remove_files(&aside),
            }
        });
        if let Ok(Err(error)) = removed.await {
            tracing::warn!(session = %Logged::new(id, private), %error, "a session's files cannot be removed");
        }
    }

    /// The first prompt is about to be typed, or was: a new daemon must not type it again. False where that cannot be noted.
    pub(crate) fn note_prompt(&self, entry: &Entry, prompt: FirstPrompt) -> bool {
        let Some(path) = self.launch_file(entry) else { return false };
        let Some(mut file) = LaunchFile::read(&path) else { return false };
        file.prompt = prompt;
        match file.write(&path) {
            Ok(()) => true,
            Err(error) => {
                tracing::warn!(session = %entry.logged(), %error, "the delivery of the prompt cannot be noted");
                false
            }
        }
    }

    /// The first prompt, and how far the last daemon came with it. None where nothing is to be done about it.
    pub(crate) fn first_prompt(&self, entry: &Entry) -> Option<(String, FirstPrompt)> {
        // A session that was restarted has no first prompt any more.
        if entry.record().runs.len() > 1 {
            return None;
        }
        let file = LaunchFile::read(&self.launch_file(entry)?)?;
        Some((file.new.prompt?, file.prompt)).filter(|(_, prompt)| *prompt != FirstPrompt::Done)
    }

    /// What the session was asked for at its start, where that was anything.
    pub(crate) fn asked_prompt(&self, entry: &Entry) -> Option<String> {
        LaunchFile::read(&self.launch_file(entry)?)?.new.prompt
    }

    fn launch_file(&self, entry: &Entry) -> Option<PathBuf> {
        LaunchFile::beside(entry.run_dir(self, entry.newest_run()?)?.path())
    }

    // Changes.

    /// Changes a session's record; clients and the database follow where it did change.
    pub(crate) fn change(&self, entry: &Entry, change: impl FnOnce(&mut Session)) {
        let changed = {
            let mut session = entry.record();
            let before = session.clone();
            change(&mut session);
            *session != before
        };
        if changed {
            self.publish(entry);
            self.mark_unsaved(entry);
        }
    }

    /// Tells everybody how a session is now.
    pub(crate) fn publish(&self, entry: &Entry) {
        entry.changed.send_modify(|count| *count += 1);
        if entry.is_hidden() {
            return;
        }
        self.notifier.changed(entry.id);
        self.sleeper.changed();
        self.forges.changed();
        self.spots.noticed(&entry.record());
        if entry.beside {
            self.runs.signs.note(entry.id);
        }
        let _telling = self.telling.lock();
        let subscribers = self.subscribers();
        if !subscribers.is_empty() {
            // Read under the lock, so that the last event is the last state.
            let event = Event::Session { session: Box::new(entry.session()) };
            tell(&subscribers, &event);
        }
    }

    /// Tells every subscriber.
    pub(crate) fn tell_all(&self, event: &Event) {
        let _telling = self.telling.lock();
        tell(&self.subscribers(), event);
    }

    /// Tells those subscribers that are of one of these kinds; whether there is one.
    pub(crate) fn tell_windows(&self, event: &Event, kinds: &[&str]) -> bool {
        let _telling = self.telling.lock();
        let windows = self.subscribers().into_iter().filter(|client| kinds.contains(&client.kind()));
        let windows: Vec<_> = windows.collect();
        tell(&windows, event);
        !windows.is_empty()
    }

    fn subscribers(&self) -> Vec<Arc<Client>> {
        let clients = self.clients.lock();
        clients.values().filter(|client| client.subscribed.load(Ordering::Relaxed)).cloned().collect()
    }

    /// Answers with everything, and from then on the client gets every event.
    pub(crate) async fn subscribe(&self, client: &Client, answer: Answer) {
        let tree = self.tree.lock().await;
        let _telling = self.telling.lock();
        let shown = self.entries().into_iter().filter(|entry| !entry.is_hidden());
        let mut sessions: Vec<Session> = shown.map(|entry| entry.session()).collect();
        sessions.extend(self.locals.sessions());
        // What does not fit in one frame follows as events.
        let rest = sessions.split_off(fitting(&sessions, tree.bytes()));
        let (projects, groups, more) = (tree.projects.clone(), tree.groups.clone(), !rest.is_empty());
        answer.give(Ok(Reply::Overview { sessions, projects, groups, more }));
        if more {
            let rest = rest.into_iter().map(|session| Event::Session { session: Box::new(session) });
            rest.chain([Event::OverviewEnd]).for_each(|event| client.tell_at_length(event));
        }
        client.subscribed.store(true, Ordering::Relaxed);
        self.clones.tell(client);
        self.forges.changed();
        self.locals.look();
    }

    /// Whether somebody wants to know of everything that happens.
    pub(crate) fn has_subscribers(&self) -> bool {
        self.clients.lock().values().any(|client| client.subscribed.load(Ordering::Relaxed))
    }

    /// Whether a window is open.
    pub(crate) fn has_windows(&self) -> bool {
        self.subscribers().iter().any(|client| matches!(client.kind(), "desktop" | "browser"))
    }

    // Clients.

    pub(crate) fn next_client(&self) -> u32 {
        self.next_client.fetch_add(1, Ordering::Relaxed)
    }

    pub(crate) fn connected(&self, client: &Arc<Client>) {
        self.clients.lock().insert(client.id, Arc::clone(client));
    }

    pub(crate) fn disconnected(&self, client: &Client) {
        self.clients.lock().remove(&client.id);
    }

    pub(crate) fn client_count(&self) -> u32 {
        self.clients.lock().len() as u32
    }

    // Notices.

    /// Something that the person should know, once.
    pub(crate) fn notice(&self, text: String) {
        {
            let mut notices = self.notices.lock();
            if notices.contains(&text) {
                return;
            }
            notices.push(text.clone());
        }
        self.tell_all(&Event::Notice { text });
    }

    /// It holds no longer.
    pub(crate) fn withdraw(&self, text: &str) {
        self.notices.lock().retain(|notice| notice != text);
    }

    pub(crate) fn notices(&self) -> Vec<String> {
        self.notices.lock().clone()
    }
}

/// Removes a session's directory. A keeper that is just leaving may still write in it. Blocks.
fn remove_files(dir: &Path) -> std::io::Result<()> {
    let deadline = Instant::now() + LEAVING;
    loop {
        match std::fs::remove_dir_all(dir) {
            Err(error)
                if error.kind() == std::io::ErrorKind::DirectoryNotEmpty && Instant::now() < deadline =>
            {
                std::thread::sleep(Duration::from_millis(10));
            }
            Err(error) if error.kind() != std::io::ErrorKind::NotFound => return Err(error),
            _ => return Ok(()),
        }
    }
}

fn tell(subscribers: &[Arc<Client>], event: &Event) {
    if subscribers.is_empty() {
        return;
    }
    if let Some(bytes) = encode(&DaemonMessage::Event { event: Box::new(event.clone()) }) {
        for client in subscribers {
            client.outbox.push(bytes.clone(), false);
        }
    }
}

/// How many of these sessions fit in one frame, beside so many bytes of other things.
pub(crate) fn fitting(items: &[impl serde::Serialize], beside: usize) -> usize {
    const ROOM: usize = belfry_protocol::frame::MAX_FRAME * 3 / 4;
    let mut bytes = beside;
    items
        .iter()
        .take_while(|item| {
            bytes += serde_json::to_vec(item).map_or(0, |json| json.len() + 1);
            bytes <= ROOM
        })
        .count()
}

pub(crate) fn no_such(wanted: &str) -> WireError {
    WireError::new(ErrorCode::NoSuchSession, format!("there is no session `{}`", wanted.escape_debug()))
}

fn ambiguous(wanted: &str, found: &[&Arc<Entry>]) -> WireError {
    let ids: Vec<String> = found.iter().take(8).map(|entry| entry.id.to_string()).collect();
    WireError::new(ErrorCode::Ambiguous, format!("`{}` fits {} sessions", wanted.escape_debug(), found.len()))
        .next(format!("use an id: {}", ids.join(", ")))
}
