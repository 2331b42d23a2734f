//! The cache of a remote: a bare repository of what it has, from which clones are made by hard links.

use std::fs::File;
use std::io::{Read as _, Write as _};
use std::path::{Path, PathBuf};
use std::time::Duration;

use rustix::fs::FlockOperation;

use crate::base::{self, Ask};
use crate::{Git, GitError, MakeError, MakeResult, Source, Stop, names, without_credentials};

/// For everything that a remote has, once it has answered.
const ALL: Duration = Duration::from_mins(30);

/// How often the one that has the cache is looked for.
const LOOK: Duration = Duration::from_millis(50);

/// Packs beyond which they are made into one: each update adds one.
const PACKS: usize = 40;

/// A remote's cache, ours until this is dropped.
pub(crate) struct Cache {
    pub(crate) dir: PathBuf,
    /// What the person should know: that the remote could not be asked.
    pub(crate) notice: Option<String>,
    _lock: File,
}

/// The cache of a repository's remote, with what the remote has now where it answers. What has been fetched into the
/// repository already is taken from there.
pub(crate) fn fresh(
    git: &Git,
    root: &Path,
    source: &Source,
    (remote, address): (&str, &str),
    ask: Ask<'_>,
) -> MakeResult<Cache> {
    let failed = |what: &str| MakeError::io(format!("the cache of {} {what}", without_credentials(address)));
    std::fs::create_dir_all(root).map_err(failed("cannot be made"))?;
    let dir = place(root, address);
    let lock = locked(&dir.with_extension("lock"), ask.stop)?;
    if !whole(&dir) {
        let _ = std::fs::remove_dir_all(&dir);
        begin(git, &dir, address).map_err(failed("cannot be made"))?;
        seed(git, &dir, source, remote);
    }
    let notice = match update(git, &dir, ask) {
        Ok(()) => None,
        Err(GitError::Stopped) => return Err(MakeError::Stopped),
        Err(error) => {
            let why = crate::source::last_words(&error);
            let remote = without_credentials(address);
            let any = git.read(&dir).args(["for-each-ref", "--count=1", "refs/heads"]).text()?;
            if any.is_empty() {
                return Err(MakeError::Unreachable { remote, why });
            }
            Some(format!("{remote} could not be asked ({why}); the clone has what was fetched last."))
        }
    };
    Ok(Cache { dir, notice, _lock: lock })
}

/// Where the cache of an address lies.
pub(crate) fn place(root: &Path, address: &str) -> PathBuf {
    let mark = names::mark_of(Path::new(address));
    let name =
        names::for_directory(address.trim_end_matches('/').rsplit(['/', ':']).next().unwrap_or_default());
    root.join(format!("{name}-{mark}.git"))
}

/// Takes the lock, and waits for whoever has it: an update of it takes as long as the network does.
fn locked(path: &Path, stop: &Stop) -> MakeResult<File> {
    let failed = || MakeError::io(format!("{} cannot be locked", path.display()));
    let file = File::options().create(true).append(true).open(path).map_err(failed())?;
    loop {
        match rustix::fs::flock(&file, FlockOperation::NonBlockingLockExclusive) {
            Ok(()) => return Ok(file),
            Err(rustix::io::Errno::WOULDBLOCK) if !stop.stopped() => std::thread::sleep(LOOK),
            Err(rustix::io::Errno::WOULDBLOCK) => return Err(MakeError::Stopped),
            Err(error) => return Err(failed()(error.into())),
        }
    }
}

/// Whether it was made to its end.
fn whole(dir: &Path) -> bool {
    dir.join("HEAD").is_file() && dir.join("belfry-cache").is_file()
}

fn begin(git: &Git, dir: &Path, address: &str) -> std::io::Result<()> {
    let parent = dir.parent().unwrap_or(dir);
    git.write(parent)
        .args(["init", "--quiet", "--bare", "--template=", "--end-of-options"])
        .arg(dir)
        .run()
        .map_err(std::io::Error::other)?;
    // Written and not given as an argument, which everybody on the machine could read: it may hold a password.
    let mut config = File::options().append(true).open(dir.join("config"))?;
    config.write_all(format!("[remote \"origin\"]\n\turl = {}\n", quoted(address)?).as_bytes())?;
    File::create(dir.join("belfry-cache"))?;
    Ok(())
}

/// A value as a configuration file holds it.
pub(crate) fn quoted(value: &str) -> std::io::Result<String> {
    if value.contains(['\n', '\r', '\0']) {
        return Err(std::io::Error::other("it has control characters"));
    }
    Ok(format!("\"{}\"", value.replace('\\', "\\\\").replace('"', "\\\"")))
}

/// What the repository has of the remote already. That it cannot be had (a shallow or partial clone) costs time and no more.
fn seed(git: &Git, dir: &Path, source: &Source, remote: &str) {
    let seeded = git
        .write(dir)
        .args([
            "fetch",
            "--quiet",
            "--no-tags",
            "--no-write-fetch-head",
            "--no-auto-maintenance",
            "--end-of-options",
        ])
        .arg(&source.common_dir)
        .arg(format!("+refs/remotes/{remote}/*:refs/heads/*"))
        .arg(format!("^refs/remotes/{remote}/HEAD"))
        .run();
    if let Err(error) = seeded {
        tracing::info!(%error, "a cache begins empty");
    }
    let head =
        git.read(source.at()).args(["symbolic-ref", "--quiet"]).arg(format!("refs/remotes/{remote}/HEAD"));
    let prefix = format!("refs/remotes/{remote}/");
    if let Some(branch) = head.text().ok().and_then(|head| head.strip_prefix(&prefix).map(str::to_owned)) {
        let _ = set_default(git, dir, &branch);
    }
}

fn set_default(git: &Git, dir: &Path, branch: &str) -> Result<(), GitError> {
    git.write(dir).args(["symbolic-ref", "HEAD"]).arg(format!("refs/heads/{branch}")).run()
}

/// Fetches everything, if the remote answers soon.
fn update(git: &Git, dir: &Path, ask: Ask<'_>) -> Result<(), GitError> {
    let Some(limit) = ask.limit else { return Ok(()) };
    let said = git
        .network(dir)
        .args(["ls-remote", "--quiet", "--symref", "origin", "HEAD"])
        .limit(limit)
        .stop(ask.stop)
        .text()?;
    if let Some(branch) = base::symref(&said) {
        set_default(git, dir, &branch)?;
    }
    git.network(dir)
        .args(["fetch", "--quiet", "--prune", "--no-write-fetch-head", "--no-auto-maintenance", "origin"])
        .args(["+refs/heads/*:refs/heads/*", "+refs/tags/*:refs/tags/*"])
        .limit(ALL)
        .stop(ask.stop)
        .run()?;
    if packs(dir) > PACKS {
        // Clones have links to the files, and keep them.
        let _ = git.write(dir).args(["repack", "-a", "-d", "-q"]).stop(ask.stop).run();
    }
    Ok(())
}

fn packs(dir: &Path) -> usize {
    let files = std::fs::read_dir(dir.join("objects/pack")).into_iter().flatten().flatten();
    files.filter(|file| file.path().extension().is_some_and(|end| end == "pack")).count()
}

/// Writes another address in place of the one that a clone came from, and one for pushing where there is one.
pub(crate) fn readdress(
    config: &Path,
    from: &Path,
    address: &str,
    push: Option<&str>,
) -> std::io::Result<()> {
    let mut text = String::new();
    File::open(config)?.read_to_string(&mut text)?;
    let old = from.to_string_lossy();
    let mut found = false;
    let mut lines = Vec::new();
    for line in text.lines() {
        let value = line.trim_start().strip_prefix("url = ").map(|value| value.trim_matches('"'));
        if value == Some(&old) {
            lines.push(format!("\turl = {}", quoted(address)?));
            if let Some(push) = push {
                lines.push(format!("\tpushurl = {}", quoted(push)?));
            }
            found = true;
        } else {
            lines.push(line.to_owned());
        }
    }
    if !found {
        return Err(std::io::Error::other("git has not written where the clone comes from"));
    }
    let new = config.with_extension("new");
    std::fs::write(&new, lines.join("\n") + "\n")?;
    std::fs::rename(new, config)
}
