//! Linux: `/proc`.

use std::io::Read;

use super::{Identity, Member};

/// `/proc/PID/stat` is one line of about 300 bytes; a name can add at most 16.
const STAT_BYTES: usize = 1024;

pub(super) struct Stat {
    pub(super) parent: u32,
    group: u32,
    session: u32,
    /// Its terminal's number; 0 where it has none.
    pub(super) terminal: u32,
    /// The process group that has its terminal; -1 where it has none.
    foreground: i32,
    pub(super) start: u64,
    pub(super) name: String,
    pub(super) zombie: bool,
}

/// The directory that it works in; `None` where that cannot be told, or is no text.
pub fn directory(pid: u32) -> Option<String> {
    std::fs::read_link(format!("/proc/{pid}/cwd")).ok()?.into_os_string().into_string().ok()
}

pub(super) fn stat(pid: u32) -> Option<Stat> {
    let mut buffer = [0; STAT_BYTES];
    let mut file = std::fs::File::open(format!("/proc/{pid}/stat")).ok()?;
    let mut used = 0;
    loop {
        match file.read(&mut buffer[used..]) {
            Ok(0) => break,
            Ok(n) => used += n,
            Err(error) if error.kind() == std::io::ErrorKind::Interrupted => {}
            Err(_) => return None,
        }
    }
    parse(&buffer[..used])
}

/// `PID (NAME) STATE PPID PGRP SESSION TTY TPGID …`, the start time being field 22. The name may hold spaces and parentheses, so the
/// last `)` ends it.
fn parse(line: &[u8]) -> Option<Stat> {
    let open = line.iter().position(|byte| *byte == b'(')?;
    let close = line.iter().rposition(|byte| *byte == b')')?;
    let name = String::from_utf8_lossy(line.get(open + 1..close)?).into_owned();
    let rest = std::str::from_utf8(line.get(close + 1..)?).ok()?;
    let mut fields = rest.split_ascii_whitespace();
    let state = fields.next()?;
    let parent = fields.next()?.parse().ok()?;
    let group = fields.next()?.parse().ok()?;
    let session = fields.next()?.parse().ok()?;
    let terminal: i32 = fields.next()?.parse().ok()?;
    let foreground = fields.next()?.parse().ok()?;
    let threads: u32 = fields.nth(11)?.parse().ok()?;
    let start = fields.nth(1)?.parse().ok()?;
    // A process whose first thread has ended while others run looks like a zombie, and is none.
    let zombie = matches!(state, "Z" | "X") && threads <= 1;
    Some(Stat { parent, group, session, terminal: terminal.cast_unsigned(), foreground, start, name, zombie })
}

/// When the process started, in clock ticks since the machine did: with the process id it names one process for ever
/// (until the machine restarts: see [`boot_id`]).
pub fn start_time(pid: u32) -> Option<u64> {
    stat(pid).map(|stat| stat.start)
}

/// Whether it has ended and only waits to be reaped; `None` when it is not there.
pub fn is_zombie(pid: u32) -> Option<bool> {
    stat(pid).map(|stat| stat.zombie)
}

/// The parent's process id; 0 for init.
pub fn parent(pid: u32) -> Option<u32> {
    stat(pid).map(|stat| stat.parent)
}

/// The process group that has the terminal of that process's process session; `None` where it has no terminal.
pub fn terminal_group(pid: u32) -> Option<u32> {
    stat(pid).and_then(|stat| u32::try_from(stat.foreground).ok()).filter(|group| *group != 0)
}

/// The short name (at most 15 bytes) that the process gives itself: hostile text.
pub fn name(pid: u32) -> Option<String> {
    stat(pid).map(|stat| stat.name)
}

/// Every process of a process session, in whatever process group and under whatever parent. A process may appear
/// between two looks, so a caller that ends them looks again until there are none.
pub fn session_members(session: u32) -> Vec<Member> {
    // getsid costs a fraction of reading a process's stat, and most processes are in other sessions.
    let in_session = |pid: &u32| {
        // SAFETY: plain numbers. Not through rustix, which takes for granted that the answer is not 0, as it is for the
        // kernel's own threads.
        unsafe { libc::getsid(pid.cast_signed()) }.cast_unsigned() == session
    };
    pids().filter(in_session).filter_map(member).filter(|member| member.session == session).collect()
}

/// Every direct child of a process.
pub fn children(pid: u32) -> Vec<Member> {
    match listed_children(pid) {
        Some(pids) => pids.into_iter().filter_map(member).filter(|member| member.parent == pid).collect(),
        None => pids().filter_map(member).filter(|member| member.parent == pid).collect(),
    }
}

/// Every child of a process, their children, and so on.
pub fn descendants(pid: u32) -> Vec<Member> {
    let mut found: Vec<Member> = Vec::new();
    let mut parents = vec![pid];
    while let Some(parent) = parents.pop() {
        for child in children(parent) {
            if !found.iter().any(|known| known.identity == child.identity) {
                parents.push(child.identity.pid);
                found.push(child);
            }
        }
    }
    found
}

/// The children of all threads of a process, as the kernel lists them (`CONFIG_PROC_CHILDREN`): far quicker than a look at
/// every process there is. `None` where the kernel has no such list.
fn listed_children(pid: u32) -> Option<Vec<u32>> {
    let mut found = Vec::new();
    for task in std::fs::read_dir(format!("/proc/{pid}/task")).ok()? {
        match std::fs::read_to_string(task.ok()?.path().join("children")) {
            Ok(list) => found.extend(list.split_ascii_whitespace().filter_map(|pid| pid.parse::<u32>().ok())),
            // The thread has ended meanwhile; the kernel without such lists has none for the first one either.
            Err(_) if found.is_empty() => return None,
            Err(_) => {}
        }
    }
    Some(found)
}

pub(super) fn pids() -> impl Iterator<Item = u32> {
    let entries = std::fs::read_dir("/proc").into_iter().flatten();
    entries.filter_map(|entry| entry.ok()?.file_name().to_str()?.parse().ok())
}

fn member(pid: u32) -> Option<Member> {
    let stat = stat(pid)?;
    Some(Member {
        identity: Identity { pid, start: stat.start },
        parent: stat.parent,
        group: stat.group,
        session: stat.session,
        name: stat.name,
        zombie: stat.zombie,
    })
}

/// Another for each start of the machine.
pub fn boot_id() -> Option<String> {
    let id = std::fs::read_to_string("/proc/sys/kernel/random/boot_id").ok()?;
    Some(id.trim().to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_hostile_name_does_not_shift_the_fields() {
        let line = b"42 (a) Z 1 (x) S 7 8 9 0 -1 4194560 1 2 3 4 5 6 7 8 20 0 1 0 12345 999 1\n";
        let stat = parse(line).unwrap();
        assert_eq!(stat.name, "a) Z 1 (x");
        assert_eq!((stat.parent, stat.group, stat.session, stat.start), (7, 8, 9, 12345));
        assert!(!stat.zombie);
        assert!(parse(b"42 (cut").is_none());
    }

    #[test]
    fn our_own_ancestry_leads_up() {
        let chain = super::super::ancestry(std::process::id()).unwrap();
        assert_eq!(chain[0].pid, std::process::id());
        assert_eq!(chain[1].pid, std::os::unix::process::parent_id());
        assert!(chain[0].is_alive());
        assert!(!Identity { start: chain[0].start + 1, ..chain[0] }.is_alive());
        assert_eq!(parent(chain.last().unwrap().pid), Some(0), "up to the first process");
        assert!(super::super::runs(chain[0]));
        assert!(boot_id().is_some_and(|id| id.len() == 36));
    }

    #[test]
    fn a_process_that_has_ended_has_no_ancestry() {
        let mut child = std::process::Command::new("/bin/true").spawn().unwrap();
        let identity = Identity::of(child.id());
        // Ended and not reaped, it still has a parent, and answers for nobody any more.
        rustix::process::waitid(
            rustix::process::WaitId::Pid(rustix::process::Pid::from_child(&child)),
            rustix::process::WaitIdOptions::EXITED | rustix::process::WaitIdOptions::NOWAIT,
        )
        .unwrap();
        assert_eq!(super::super::ancestry(child.id()), None);
        assert!(identity.is_none_or(|identity| !super::super::runs(identity)));
        child.wait().unwrap();
        assert_eq!(super::super::ancestry(child.id()), None);
    }

    #[test]
    fn our_session_holds_us() {
        // From our own stat, since rustix panics where the session's leader is outside our namespace and the answer is 0.
        let session = member(std::process::id()).unwrap().session;
        assert!(session_members(session).iter().any(|m| m.identity.pid == std::process::id()));
    }
}
