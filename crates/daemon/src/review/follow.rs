//! Waits for signs, and looks.

use std::collections::{BTreeSet, HashMap};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Instant;

use belfry_protocol::SessionId;
use belfry_workspace::Look;
use tokio::sync::{Semaphore, mpsc, oneshot};

use super::signs::{About, Kind, Put, Signs};
use super::spots::Spot;
use super::{blocking, place};
use crate::Daemon;

/// Repositories that are looked at at the same time.
const AT_ONCE: usize = 2;

/// Directories that are to be watched.
struct ToWatch {
    root: PathBuf,
    directories: Vec<PathBuf>,
    /// Told once they are.
    done: Option<oneshot::Sender<()>>,
}

/// Follows the working trees of all sessions, for ever.
pub(crate) async fn follow(daemon: Arc<Daemon>) {
    let mut signs = match Signs::new() {
        Ok(signs) => Some(signs),
        Err(error) => {
            tracing::warn!(%error, "changes of files cannot be waited for; counts follow what sessions do");
            None
        }
    };
    let places = Arc::new(Semaphore::new(AT_ONCE));
    let (found, mut to_watch) = mpsc::unbounded_channel();
    loop {
        for (id, cwd) in daemon.spots.take_moved() {
            move_session(&daemon, &mut signs, id, cwd).await;
        }
        for (common, roots) in by_repository(&daemon, daemon.spots.take_due(Instant::now())) {
            tokio::spawn(look_at(Arc::clone(&daemon), Arc::clone(&places), common, roots, found.clone()));
        }
        let due = daemon.spots.next_due();
        tokio::select! {
            () = daemon.spots.wake.notified() => {}
            changed = next(&mut signs) => match changed {
                Ok(changed) => {
                    let (files, branches): (Vec<_>, Vec<_>) =
                        changed.into_iter().partition(|(_, about)| *about == About::Files);
                    for (root, _) in files {
                        daemon.spots.changed(&root);
                    }
                    if !branches.is_empty() {
                        let roots = branches.into_iter().map(|(root, _)| root).collect();
                        tokio::spawn(look_for_bases(Arc::clone(&daemon), roots));
                    }
                }
                Err(error) => {
                    tracing::warn!(%error, "changes of files are not told any more");
                    signs = None;
                }
            },
            watch = to_watch.recv() => {
                if let Some(watch) = watch {
                    watch_files(&daemon, &mut signs, &watch);
                    if let Some(done) = watch.done {
                        let _ = done.send(());
                    }
                }
            }
            () = until(due), if due.is_some() => {}
        }
    }
}

async fn next(signs: &mut Option<Signs>) -> io::Result<HashMap<PathBuf, About>> {
    match signs {
        Some(signs) => signs.next().await,
        None => std::future::pending().await,
    }
}

async fn until(due: Option<Instant>) {
    if let Some(due) = due {
        tokio::time::sleep_until(due.into()).await;
    }
}

/// Some branches moved: those working trees are looked at whose base is among them. Git's files tell, once a repository.
async fn look_for_bases(daemon: Arc<Daemon>, roots: Vec<PathBuf>) {
    let of = |root: &PathBuf| {
        let known =
            |spot: &mut Spot| Some((spot.checkout.clone(), spot.base_ref.clone()?, spot.ends.clone()?.base));
        daemon.spots.with(root, known).flatten()
    };
    let known: Vec<_> = roots.iter().map(|root| (root.clone(), of(root))).collect();
    let moved = blocking(move || {
        let mut commits: HashMap<(PathBuf, String), Option<String>> = HashMap::new();
        let mut moved = Vec::new();
        for (root, known) in known {
            let Some((checkout, name, before)) = known else {
                moved.push(root);
                continue;
            };
            let key = (checkout.common_dir().to_owned(), name);
            let commit = commits.entry(key).or_insert_with_key(|(_, name)| checkout.commit_by_files(name));
            if commit.as_ref() != Some(&before) {
                moved.push(root);
            }
        }
        moved
    });
    for root in moved.await.unwrap_or_default() {
        daemon.spots.base_moved(&root);
    }
}

/// Finds where a session works now.
async fn move_session(daemon: &Daemon, signs: &mut Option<Signs>, id: SessionId, cwd: Option<PathBuf>) {
    let checkout = match cwd {
        Some(cwd) => crate::places::looked_at(move || place::checkout(&cwd)).await.flatten(),
        None => None,
    };
    let base = daemon.get(id).and_then(|entry| place::base(daemon, &entry.session()));
    let left = daemon.spots.put(id, checkout.clone().map(|checkout| (checkout, base)));
    let Some(signs) = signs else { return };
    if let Some(root) = left {
        signs.leave(&root);
    }
    if let Some(checkout) = checkout {
        signs.watch(checkout.root(), checkout.git_dir(), Kind::Git);
        signs.watch(checkout.root(), checkout.common_dir(), Kind::Packed);
    }
}

fn by_repository(daemon: &Daemon, roots: Vec<PathBuf>) -> HashMap<PathBuf, Vec<PathBuf>> {
    let mut repositories: HashMap<PathBuf, Vec<PathBuf>> = HashMap::new();
    for root in roots {
        let common = daemon.spots.with(&root, |spot| spot.checkout.common_dir().to_owned());
        if let Some(common) = common {
            repositories.entry(common).or_default().push(root);
        }
    }
    repositories
}

/// Looks at working trees of one repository, one after the other.
async fn look_at(
    daemon: Arc<Daemon>,
    places: Arc<Semaphore>,
    common: PathBuf,
    roots: Vec<PathBuf>,
    found: mpsc::UnboundedSender<ToWatch>,
) {
    let lock = daemon.spots.lock(&common);
    for root in roots {
        let _one = lock.lock().await;
        let _place = places.acquire().await;
        look(&daemon, &root, &found).await;
    }
}

/// Looks at one, and tells everybody where something is different.
async fn look(daemon: &Daemon, root: &Path, found: &mpsc::UnboundedSender<ToWatch>) {
    let Some(begun) = daemon.spots.begin(root) else { return };
    if begun.first {
        // Before the look, so that nothing that happens meanwhile is missed.
        let checkout = begun.checkout.clone();
        let directories = blocking(move || checkout.directories()).await.ok().and_then(Result::ok);
        let (done, watched) = oneshot::channel();
        let directories = directories.unwrap_or_default();
        let _ = found.send(ToWatch { root: root.to_owned(), directories, done: Some(done) });
        let _ = watched.await;
    }
    let before = daemon.spots.counts(daemon, root);
    let began = Instant::now();
    let looked = blocking(move || {
        let base = begun.base.as_deref();
        match (begun.ends, before) {
            (Some(ends), Some(counts)) if begun.branches => {
                match begun.checkout.look_at_ends(base, &ends, counts)? {
                    Some(look) => Ok(look),
                    None => begun.checkout.look(base, None),
                }
            }
            (ends, _) => begun.checkout.look(base, ends.as_ref()),
        }
    });
    let look = match looked.await {
        Ok(Ok(look)) => Some(look),
        Ok(Err(error)) => {
            // Of a private session nothing is said, so the place is not named.
            tracing::debug!(%error, "a working tree cannot be looked at");
            None
        }
        Err(_) => None,
    };
    let sessions = daemon.spots.end(root, look.as_ref(), began.elapsed());
    let Some(look) = look else { return };
    tell(daemon, &sessions, &look);
    let _ = found.send(ToWatch { root: root.to_owned(), directories: changed(&look), done: None });
}

/// Tells the sessions of a working tree what a look has found.
pub(super) fn tell(daemon: &Daemon, sessions: &[SessionId], look: &Look) {
    for entry in sessions.iter().filter_map(|id| daemon.get(*id)) {
        daemon.change(&entry, |session| {
            session.changes = Some(look.counts);
            if look.head.branch.is_some() {
                session.branch.clone_from(&look.head.branch);
            }
        });
    }
}

/// The directories of what is changed, which may be new.
fn changed(look: &Look) -> Vec<PathBuf> {
    let mut directories: BTreeSet<PathBuf> = BTreeSet::new();
    for file in &look.files {
        for parent in Path::new(&file.path).ancestors().skip(1) {
            if !directories.insert(parent.to_owned()) {
                break;
            }
        }
    }
    directories.into_iter().collect()
}

fn watch_files(daemon: &Daemon, signs: &mut Option<Signs>, wanted: &ToWatch) {
    let Some(signs) = signs else { return };
    let root = wanted.root.as_path();
    let Some((common, base)) =
        daemon.spots.with(root, |spot| (spot.checkout.common_dir().to_owned(), spot.base_ref.clone()))
    else {
        return;
    };
    if let Some(base) = base.map(|base| common.join(base))
        && let (Some(directory), Some(name)) = (base.parent(), base.file_name())
    {
        signs.watch(root, directory, Kind::Branch(name.to_owned()));
    }
    let first = wanted.done.is_some();
    let (mut room, mut more) = (true, signs.watch_lost(root));
    let top = first.then(PathBuf::new);
    for directory in top.iter().chain(&wanted.directories) {
        match signs.watch(root, &root.join(directory), Kind::Files) {
            Put::New => more = true,
            Put::Known | Put::Missing => {}
            Put::NoRoom => room = false,
        }
    }
    daemon.spots.with(root, |spot| {
        spot.whole = room && (first || spot.whole);
        // What was put there before it was watched has not been seen.
        if more && !first {
            spot.ask(std::time::Duration::ZERO);
        }
    });
}
