//! A lock that a process holds for its life: `flock`, which the kernel drops when the holder dies, however it dies.

use std::fs::File;
use std::io::{self, Seek, Write};
use std::path::Path;

use rustix::fs::{self, FlockOperation, Mode, OFlags};

/// A held lock. Dropping it, or the death of the process, releases it; the file stays.
#[derive(Debug)]
pub struct FileLock {
    file: File,
}

impl FileLock {
    /// Takes the lock if nobody has it; `None` when somebody has. The file is made with mode 0600 and holds the owner's
    /// process id, for people: what counts is the lock alone.
    pub fn try_acquire(path: &Path) -> io::Result<Option<Self>> {
        loop {
            let flags = OFlags::RDWR | OFlags::CREATE | OFlags::NOFOLLOW | OFlags::CLOEXEC;
            let file = File::from(fs::open(path, flags, Mode::RUSR | Mode::WUSR)?);
            match fs::flock(&file, FlockOperation::NonBlockingLockExclusive) {
                Ok(()) => {}
                Err(rustix::io::Errno::WOULDBLOCK) => return Ok(None),
                Err(errno) => return Err(errno.into()),
            }
            // Somebody may have removed the file between open and lock: a lock on a nameless file excludes nobody.
            let named = fs::stat(path);
            let held = fs::fstat(&file)?;
            if !named.is_ok_and(|named| (named.st_dev, named.st_ino) == (held.st_dev, held.st_ino)) {
                continue;
            }
            let mut lock = Self { file };
            lock.write_owner()?;
            return Ok(Some(lock));
        }
    }

    fn write_owner(&mut self) -> io::Result<()> {
        self.file.set_len(0)?;
        self.file.rewind()?;
        writeln!(self.file, "{}", std::process::id())
    }
}

/// The process that holds the lock on this file, as the kernel says (`/proc/locks`): unlike the file's content, it
/// cannot be forged. `None` when nobody does, or where the system does not tell.
#[cfg(target_os = "linux")]
pub fn holder(path: &Path) -> Option<u32> {
    let stat = fs::stat(path).ok()?;
    let device = format!("{:02x}:{:02x}:{}", fs::major(stat.st_dev), fs::minor(stat.st_dev), stat.st_ino);
    let table = std::fs::read_to_string("/proc/locks").ok()?;
    // `1: FLOCK  ADVISORY  WRITE 1234 08:01:5678 0 EOF`; a waiting one has `->` in the second field.
    table.lines().find_map(|line| {
        let mut fields = line.split_ascii_whitespace();
        (fields.nth(1)? == "FLOCK").then_some(())?;
        let pid = fields.nth(2)?;
        (fields.next()? == device).then(|| pid.parse().ok())?
    })
}

/// macOS and the BSDs do not tell who holds a `flock`.
#[cfg(not(target_os = "linux"))]
pub fn holder(_path: &Path) -> Option<u32> {
    None
}
