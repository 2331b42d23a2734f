//! The working trees that sessions are in, and when each is to be looked at.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use belfry_protocol::changes::ChangeCounts;
use belfry_protocol::{Session, SessionId};
use belfry_workspace::{Checkout, Ends, Look};
use parking_lot::Mutex;
use tokio::sync::Notify;

use crate::Daemon;

/// From the first sign of a change to the look: an editor writes a file in several steps.
const SOON: Duration = Duration::from_millis(25);
/// The same where a branch moved, which many working trees may be compared with.
const LATER: Duration = Duration::from_millis(500);
/// The least time between two looks at one working tree, and how often a look's own time, so that looks never take more than a
/// fifth of a core where something changes without end. At most this.
const REST: Duration = Duration::from_millis(150);
const SHARE: u32 = 4;
const MOST_REST: Duration = Duration::from_secs(20);

/// One working tree.
pub(super) struct Spot {
    pub(super) checkout: Checkout,
    pub(super) base: Option<String>,
    pub(super) sessions: HashSet<SessionId>,
    pub(super) ends: Option<Ends>,
    /// The base's branch by its whole name, where it is one.
    pub(super) base_ref: Option<String>,
    /// Directories of its files have been looked for.
    pub(super) watched: bool,
    /// All directories of its files are.
    pub(super) whole: bool,
    due: Option<Instant>,
    /// Only branches have moved since the last look.
    branches: bool,
    rested: Instant,
    looking: bool,
}

/// What a look begins with.
pub(super) struct Begun {
    pub(super) checkout: Checkout,
    pub(super) base: Option<String>,
    pub(super) ends: Option<Ends>,
    /// It is the first: nothing is watched yet.
    pub(super) first: bool,
    /// Only branches have moved.
    pub(super) branches: bool,
}

/// What is known of a session.
#[derive(PartialEq, Eq)]
struct Seen {
    cwd: String,
    follows: bool,
    ready: bool,
}

#[derive(Default)]
struct Inner {
    spots: BTreeMap<PathBuf, Spot>,
    seen: HashMap<SessionId, Seen>,
    roots: HashMap<SessionId, PathBuf>,
    /// Sessions whose place is to be found anew.
    moved: HashSet<SessionId>,
    /// When each session's last checkpoint before a prompt was made.
    prompted: HashMap<SessionId, Instant>,
    /// Held while one working tree of a repository is looked at, by the git directory that they share.
    locks: HashMap<PathBuf, Arc<tokio::sync::Mutex<()>>>,
}

/// All of them.
#[derive(Default)]
pub(crate) struct Spots {
    inner: Mutex<Inner>,
    pub(super) wake: Notify,
}

impl Spots {
    /// A session is there or has changed. Called of every change, so it costs next to nothing where nothing of it matters here.
    pub(crate) fn noticed(&self, session: &Session) {
        let follows = session.alive() && session.trashed_at.is_none();
        let seen = Seen { cwd: session.cwd.clone(), follows, ready: session.preparing.is_none() };
        let mut inner = self.inner.lock();
        if inner.seen.get(&session.id) == Some(&seen) {
            return;
        }
        inner.seen.insert(session.id, seen);
        inner.moved.insert(session.id);
        self.wake.notify_one();
    }

    /// A session is gone.
    pub(crate) fn forgotten(&self, id: SessionId) {
        let mut inner = self.inner.lock();
        inner.seen.remove(&id);
        inner.prompted.remove(&id);
        inner.moved.insert(id);
        self.wake.notify_one();
    }

    /// A session's program has done something: it may have been to files whose directories are not watched.
    pub(crate) fn stirred(&self, id: SessionId) {
        let mut inner = self.inner.lock();
        let Some(root) = inner.roots.get(&id).cloned() else { return };
        if let Some(spot) = inner.spots.get_mut(&root).filter(|spot| !spot.whole) {
            spot.ask(LATER);
            self.wake.notify_one();
        }
    }

    /// Sessions whose place is to be found anew, each with its directory where it is to be followed.
    pub(super) fn take_moved(&self) -> Vec<(SessionId, Option<PathBuf>)> {
        let mut inner = self.inner.lock();
        let moved: Vec<_> = inner.moved.drain().collect();
        let cwd = |id: &SessionId| Some(PathBuf::from(&inner.seen.get(id).filter(|seen| seen.follows)?.cwd));
        moved.into_iter().map(|id| (id, cwd(&id))).collect()
    }

    /// That is where a session works, or nowhere that is to be followed. Gives working trees that nobody is in any more.
    pub(super) fn put(&self, id: SessionId, place: Option<(Checkout, Option<String>)>) -> Option<PathBuf> {
        let mut inner = self.inner.lock();
        let before = inner.roots.remove(&id);
        let mut left = None;
        if let Some(root) = before {
            let stays = place.as_ref().is_some_and(|(checkout, _)| checkout.root() == root);
            if let Some(spot) = inner.spots.get_mut(&root).filter(|_| !stays) {
                spot.sessions.remove(&id);
                if spot.sessions.is_empty() {
                    inner.spots.remove(&root);
                    left = Some(root);
                }
            }
        }
        if let Some((checkout, base)) = place {
            let root = checkout.root().to_owned();
            inner.roots.insert(id, root.clone());
            let spot = inner.spots.entry(root).or_insert_with(|| Spot::new(checkout));
            spot.sessions.insert(id);
            if base.is_some() && base != spot.base {
                (spot.base, spot.ends) = (base, None);
            }
            spot.ask(SOON);
        }
        left
    }

    /// Something has changed.
    pub(super) fn changed(&self, root: &Path) {
        self.with(root, |spot| spot.ask(SOON));
        self.wake.notify_one();
    }

    /// The base has moved, and maybe nothing else.
    pub(super) fn base_moved(&self, root: &Path) {
        self.with(root, |spot| {
            let alone = spot.due.is_none() || spot.branches;
            spot.ask(LATER);
            spot.branches = alone;
        });
        self.wake.notify_one();
    }

    /// When the next look is due.
    pub(super) fn next_due(&self) -> Option<Instant> {
        let inner = self.inner.lock();
        inner.spots.values().filter(|spot| !spot.looking).filter_map(|spot| spot.due).min()
    }

    /// Those that are due now; each is marked as being looked at.
    pub(super) fn take_due(&self, now: Instant) -> Vec<PathBuf> {
        let mut inner = self.inner.lock();
        let due = |spot: &Spot| !spot.looking && spot.due.is_some_and(|due| due <= now);
        let mut taken: Vec<(Instant, PathBuf)> = Vec::new();
        for spot in inner.spots.values_mut().filter(|spot| due(spot)) {
            spot.looking = true;
            taken.push((spot.due.take().unwrap_or(now), spot.checkout.root().to_owned()));
        }
        taken.sort_unstable();
        taken.into_iter().map(|(_, root)| root).collect()
    }

    /// What is needed for a look.
    pub(super) fn begin(&self, root: &Path) -> Option<Begun> {
        let mut inner = self.inner.lock();
        let spot = inner.spots.get_mut(root)?;
        // What changes from here on is another look's.
        spot.due = None;
        Some(Begun {
            checkout: spot.checkout.clone(),
            base: spot.base.clone(),
            ends: spot.ends.clone(),
            first: !std::mem::replace(&mut spot.watched, true),
            branches: std::mem::take(&mut spot.branches),
        })
    }

    /// A look is over: the sessions that it is about. `look` is none where it failed.
    pub(super) fn end(&self, root: &Path, look: Option<&Look>, took: Duration) -> Vec<SessionId> {
        let mut inner = self.inner.lock();
        let Some(spot) = inner.spots.get_mut(root) else { return Vec::new() };
        spot.looking = false;
        let rest = if look.is_some() { (took * SHARE).clamp(REST, MOST_REST) } else { MOST_REST };
        spot.rested = Instant::now() + rest;
        if let Some(due) = &mut spot.due {
            *due = (*due).max(spot.rested);
        }
        if let Some(look) = look {
            spot.ends.clone_from(&look.ends);
            spot.base_ref = look.base.as_ref().and_then(|base| base.full.clone());
        }
        self.wake.notify_one();
        spot.sessions.iter().copied().collect()
    }

    /// Lets a working tree be changed.
    pub(super) fn with<T>(&self, root: &Path, change: impl FnOnce(&mut Spot) -> T) -> Option<T> {
        self.inner.lock().spots.get_mut(root).map(change)
    }

    /// What was told last of a working tree.
    pub(super) fn counts(&self, daemon: &Daemon, root: &Path) -> Option<ChangeCounts> {
        let sessions: Vec<SessionId> = self.with(root, |spot| spot.sessions.iter().copied().collect())?;
        sessions.into_iter().find_map(|id| daemon.get(id)?.record().changes)
    }

    /// The sessions in a working tree.
    pub(super) fn sessions(&self, root: &Path) -> Vec<SessionId> {
        self.with(root, |spot| spot.sessions.iter().copied().collect()).unwrap_or_default()
    }

    /// What is known of how far a working tree and its base are apart.
    pub(super) fn ends(&self, root: &Path) -> Option<Ends> {
        self.inner.lock().spots.get(root)?.ends.clone()
    }

    /// The lock of a repository, by the git directory that its working trees share.
    pub(super) fn lock(&self, common: &Path) -> Arc<tokio::sync::Mutex<()>> {
        Arc::clone(self.inner.lock().locks.entry(common.to_owned()).or_default())
    }

    /// Whether a checkpoint is to be made before a prompt that comes now; one prompt is told of in several ways.
    pub(super) fn prompt_is_new(&self, id: SessionId, within: Duration) -> bool {
        let mut inner = self.inner.lock();
        let now = Instant::now();
        let new = inner.prompted.get(&id).is_none_or(|last| now.duration_since(*last) > within);
        if new {
            inner.prompted.insert(id, now);
        }
        new
    }
}

impl Spot {
    fn new(checkout: Checkout) -> Self {
        Self {
            checkout,
            base: None,
            sessions: HashSet::new(),
            ends: None,
            base_ref: None,
            watched: false,
            whole: false,
            due: None,
            branches: false,
            rested: Instant::now(),
            looking: false,
        }
    }

    /// Asks for a look. One that is asked for already stays as it is: what changes without end is looked at all the same.
    pub(super) fn ask(&mut self, after: Duration) {
        let at = (Instant::now() + after).max(self.rested);
        self.due = Some(self.due.map_or(at, |due| due.min(at)));
        self.branches = false;
    }
}
