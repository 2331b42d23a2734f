//! The life of a daemon: the lock, the store, the socket, and the end.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};

use anyhow::Context as _;
use belfry_platform::home::Home;
use belfry_platform::lock::FileLock;
use belfry_protocol::Event;
use belfry_store::{Store, StoreError, StoreThread};
use tokio::net::UnixListener;
use tokio::signal::unix::{SignalKind, signal};
use tokio::sync::oneshot;

use crate::compressor::Compressor;
use crate::daemon::Parts;
use crate::session::Command;
use crate::settings::{self, SettingsFile};
use crate::tree::Tree;
use crate::workspaces::clone_project;
use crate::{
    Daemon, Options, RunError, client, clock, conversations, forge, hibernate, local, notify, ready, recover,
    rules, trash,
};

/// Time in which changes of records gather into one write. A crash loses at most that of what can be observed anew.
const GATHER: Duration = Duration::from_millis(500);

/// Time until a record that could not be written is tried again.
const RETRY: Duration = Duration::from_secs(5);

/// How long sessions may take to save their screens at the end. What is not saved is replayed.
const SAVE: Duration = Duration::from_secs(5);

/// How long a lock whose holder does not answer is waited for.
const LOCK: Duration = Duration::from_secs(2);

const UNSAVED: &str = "The database cannot be written. Sessions go on, and it is tried again.";

pub(crate) fn run(home: Home, options: Options) -> Result<(), RunError> {
    ready::detach();
    home.prepare().context("Belfry's directories cannot be used")?;
    let lock = lock(&home)?;
    let runtime = tokio::runtime::Builder::new_multi_thread()
        // Two turn over what a hundred busy sessions print; more would only share the same locks.
        .worker_threads(std::thread::available_parallelism().map_or(2, |cores| cores.get().clamp(2, 4)))
        .enable_all()
        .thread_name("belfry")
        .build()
        .context("the runtime cannot be started")?;
    let ended = runtime.block_on(serve(home, options));
    // Whoever waits for our end sees the socket close when the lock is free.
    drop(lock);
    runtime.shutdown_timeout(Duration::from_secs(1));
    ended
}

/// The home's lock. Where it is taken and nobody answers, somebody is starting or has just been killed: a process that a
/// daemon was about to start holds its lock until it becomes another program. That is over within moments.
fn lock(home: &Home) -> Result<FileLock, RunError> {
    let path = home.daemon_lock();
    let deadline = Instant::now() + LOCK;
    loop {
        let taken = FileLock::try_acquire(&path)
            .with_context(|| format!("the lock {} cannot be taken", path.display()))?;
        if let Some(lock) = taken {
            return Ok(lock);
        }
        if belfry_platform::socket::connect(&home.daemon_socket()).is_ok() || Instant::now() > deadline {
            return Err(RunError::AlreadyRunning { pid: belfry_platform::lock::holder(&path) });
        }
        std::thread::sleep(Duration::from_millis(5));
    }
}

async fn serve(home: Home, options: Options) -> Result<(), RunError> {
    let alone = options.alone;
    let keeper = match options.keeper {
        Some(keeper) => keeper,
        None => find_keeper().context("the program `belfry-keeper` is not beside this one nor in PATH")?,
    };
    let store = open_store(&home)?;
    let (agents, bad) = rules::load(&home.config_dir().join("agents"));
    let mut notices = store.notices;
    notices.extend(bad.iter().cloned());
    let settings_file = SettingsFile::load(home.config_dir(), home.state_dir());
    notices.extend(settings_file.notices());
    let thread = StoreThread::start(store.store).context("the database's thread cannot be started")?;
    let handle = thread.handle();
    let tree = handle
        .call(|store| Ok(Tree { projects: store.projects()?, groups: store.groups()? }))
        .await
        .context("the database cannot be read")?;
    let workspaces =
        handle.call(|store| store.workspaces()).await.context("the workspaces cannot be read")?;
    let notifications = handle.call(|store| store.notifications()).await.unwrap_or_else(|error| {
        tracing::warn!(%error, "the last notifications cannot be read");
        Vec::new()
    });
    let daemon = Daemon::new(Parts {
        home,
        keeper,
        boot_id: belfry_platform::process::boot_id().unwrap_or_default(),
        store: handle,
        agents,
        compressor: Compressor::start().context("the compressing thread cannot be started")?,
        settings_file,
        notifications,
        journal_cap: options.journal_cap,
        tree,
        workspaces,
        notices,
    });
    recover::all(&daemon).await.context("the sessions cannot be read")?;
    tokio::spawn({
        let daemon = Arc::clone(&daemon);
        async move { crate::workspaces::discard_half_made(&daemon).await }
    });
    tokio::task::spawn_blocking({
        let daemon = Arc::clone(&daemon);
        move || clone_project::sweep(&daemon)
    });
    // Bound under the lock: whatever has the name is stale. Nobody finds it before the sessions are known.
    let socket = daemon.home.daemon_socket();
    let listener = belfry_platform::socket::bind_replacing(&socket)
        .and_then(|listener| {
            listener.set_nonblocking(true)?;
            UnixListener::from_std(listener)
        })
        .with_context(|| format!("the socket {} cannot be made", socket.display()))?;
    tracing::info!(pid = std::process::id(), version = env!("CARGO_PKG_VERSION"), "the daemon listens");
    ready::announce();
    let accepting = tokio::spawn(accept(Arc::clone(&daemon), listener));
    let saving = tokio::spawn(save(Arc::clone(&daemon)));
    let emptying = tokio::spawn(trash::empty(Arc::clone(&daemon)));
    let following = tokio::spawn(rules::follow(Arc::clone(&daemon), bad));
    let calling = tokio::spawn(notify::follow(Arc::clone(&daemon)));
    let setting = tokio::spawn(settings::follow(Arc::clone(&daemon)));
    let forgetting = tokio::spawn(forget(Arc::clone(&daemon)));
    let sleeping = tokio::spawn(hibernate::follow(Arc::clone(&daemon)));
    let reviewing = tokio::spawn(crate::review::follow(Arc::clone(&daemon)));
    let asking_forges = tokio::spawn(forge::follow(Arc::clone(&daemon)));
    let warming = tokio::spawn(crate::workspaces::follow_warm(Arc::clone(&daemon)));
    let listening = tokio::spawn(crate::workspaces::follow_listening(Arc::clone(&daemon)));
    let removing = tokio::spawn(crate::workspaces::follow_removed(Arc::clone(&daemon)));
    tokio::spawn(hibernate::wake_awaited(Arc::clone(&daemon)));
    tokio::spawn({
        let daemon = Arc::clone(&daemon);
        async move { local::place_adopted(&daemon).await }
    });
    let mailbox = daemon.locals.take_mailbox().filter(|_| !alone);
    let finding = mailbox.map(|orders| tokio::spawn(local::follow(Arc::clone(&daemon), orders)));
    tokio::spawn(conversations::after_reboot(Arc::clone(&daemon)));
    // The first session from the window should not wait for it.
    let asking = tokio::spawn(crate::launch::follow_login_shell(Arc::clone(&daemon)));

    until_told(&daemon).await;
    tracing::info!("the daemon ends; sessions go on");
    accepting.abort();
    emptying.abort();
    following.abort();
    setting.abort();
    asking.abort();
    calling.abort();
    forgetting.abort();
    sleeping.abort();
    reviewing.abort();
    asking_forges.abort();
    listening.abort();
    warming.abort();
    removing.abort();
    if let Some(finding) = finding {
        finding.abort();
    }
    daemon.tell_all(&Event::Stopping);
    clone_project::end(&daemon).await;
    save_screens(&daemon).await;
    saving.abort();
    if let Err(error) = daemon.save().await {
        tracing::warn!(%error, "the last changes cannot be saved");
    }
    let _ = belfry_platform::socket::remove(&daemon.home.daemon_socket());
    let closed = tokio::task::spawn_blocking(move || thread.stop()).await;
    if let Ok(Err(error)) = closed {
        tracing::warn!(%error, "the database was not closed in good order");
    }
    Ok(())
}

struct OpenedStore {
    store: Store,
    notices: Vec<String>,
}

/// The database, else one in memory: a disk that is full or read-only must not keep anybody from their sessions.
fn open_store(home: &Home) -> Result<OpenedStore, RunError> {
    match Store::open(&home.database(), clock::wall()) {
        Ok(opened) => {
            let notices = opened.notices.iter().map(ToString::to_string).collect();
            Ok(OpenedStore { store: opened.store, notices })
        }
        // Guessing at what a newer Belfry meant would damage it.
        Err(error @ StoreError::Newer { .. }) => Err(RunError::Other(error.into())),
        Err(error) => {
            tracing::error!(%error, "the database cannot be opened");
            let memory = home
                .private_dir()
                .context("the database cannot be opened, and there is no memory storage")?;
            let opened = Store::open(&memory.join("belfry.db"), clock::wall())
                .context("the database cannot be opened, nor one in memory")?;
            let notice =
                format!("The database cannot be opened ({error}). Sessions go on; changes are forgotten.");
            Ok(OpenedStore { store: opened.store, notices: vec![notice] })
        }
    }
}

fn find_keeper() -> Option<PathBuf> {
    let name = format!("belfry-keeper{}", std::env::consts::EXE_SUFFIX);
    let beside = std::env::current_exe().ok().map(|own| own.with_file_name(&name));
    beside.filter(|keeper| keeper.is_file()).or_else(|| {
        let path = std::env::var_os("PATH")?;
        std::env::split_paths(&path).map(|dir| dir.join(&name)).find(|keeper| keeper.is_file())
    })
}

async fn accept(daemon: Arc<Daemon>, listener: UnixListener) {
    loop {
        match listener.accept().await {
            Ok((stream, _)) => {
                tokio::spawn(client::serve(Arc::clone(&daemon), stream));
            }
            Err(error) => {
                // Out of descriptors, most likely: those who are connected go on, and one of them may leave.
                tracing::warn!(%error, "a connection cannot be accepted");
                tokio::time::sleep(Duration::from_millis(100)).await;
            }
        }
    }
}

/// Saves records as they change, several at a time. No timer while nothing changes.
async fn save(daemon: Arc<Daemon>) {
    loop {
        daemon.unsaved().await;
        tokio::time::sleep(GATHER).await;
        while let Err(error) = daemon.save().await {
            tracing::warn!(%error, "records cannot be saved");
            daemon.notice(UNSAVED.to_owned());
            tokio::time::sleep(RETRY).await;
        }
        daemon.withdraw(UNSAVED);
    }
}

/// Forgets history that is old, once a day: a session that goes on for months keeps its newest changes all the same.
async fn forget(daemon: Arc<Daemon>) {
    loop {
        let days = i64::from(daemon.settings().settings.privacy.history_days);
        if let Ok(before) = clock::wall().checked_sub(jiff::SignedDuration::from_hours(24 * days)) {
            let forgotten = daemon.store.call(move |store| store.forget_history(before)).await;
            if let Err(error) = forgotten {
                tracing::warn!(%error, "old history cannot be forgotten");
            }
        }
        tokio::time::sleep(Duration::from_hours(24)).await;
    }
}

async fn until_told(daemon: &Daemon) {
    let mut stop = daemon.stop.subscribe();
    let asked = async {
        while !*stop.borrow_and_update() {
            if stop.changed().await.is_err() {
                return;
            }
        }
    };
    tokio::select! {
        () = asked => {}
        () = signalled(SignalKind::terminate()) => {}
        () = signalled(SignalKind::interrupt()) => {}
    }
}

async fn signalled(kind: SignalKind) {
    match signal(kind) {
        Ok(mut signals) => {
            signals.recv().await;
        }
        Err(error) => {
            tracing::warn!(%error, "a signal cannot be listened for");
            std::future::pending::<()>().await;
        }
    }
}

/// Every session writes a checkpoint, so that the next daemon has little to replay.
async fn save_screens(daemon: &Daemon) {
    let mut saved = Vec::new();
    for entry in daemon.entries() {
        let (done, answer) = oneshot::channel();
        if entry.alive() && entry.tell_if_running(Command::Save { done }) {
            saved.push(answer);
        }
    }
    let all = async {
        for answer in saved {
            let _ = answer.await;
        }
    };
    let _ = tokio::time::timeout(SAVE, all).await;
}
