//! Linux: whether a process sleeps until something is typed, from `/proc/PID/task/TID/syscall`.
//!
//! That file may be read by an ancestor even where tracing is restricted to ancestors, so the keeper reads it and not the
//! daemon. Numbers of system calls differ between architectures; on one that is not listed here nothing is known.

use std::os::unix::fs::{FileExt as _, MetadataExt as _};

use super::Waits;

/// `/dev/tty`, major 5 and minor 0: whichever terminal that is for the process that has it open.
const OWN_TERMINAL: (u32, u32) = (5, 0);

/// Threads of a process that are looked at: a runtime may read on another one than the first.
const THREADS: usize = 64;

/// Descriptors of one wait that are looked at.
const DESCRIPTORS: usize = 256;

/// `POLLIN`, `POLLPRI` and `POLLRDNORM`; those of epoll are the same.
const READABLE: u32 = 0x1 | 0x2 | 0x40;

/// Arguments that are shown of a command line, and the most bytes that are read of it.
const ARGUMENTS: usize = 32;

/// See [`ARGUMENTS`].
const COMMAND_BYTES: u64 = 4096;

#[cfg(target_arch = "x86_64")]
mod number {
    /// read, readv
    pub(super) const READS: &[i64] = &[0, 19];
    /// poll, ppoll
    pub(super) const POLL: &[i64] = &[7, 271];
    /// select, pselect6
    pub(super) const SELECT: &[i64] = &[23, 270];
    /// epoll_wait, epoll_pwait, epoll_pwait2
    pub(super) const EPOLL: &[i64] = &[232, 281, 441];
    /// restart_syscall
    pub(super) const RESTART: i64 = 219;
}

#[cfg(target_arch = "aarch64")]
mod number {
    /// read, readv
    pub(super) const READS: &[i64] = &[63, 65];
    /// ppoll
    pub(super) const POLL: &[i64] = &[73];
    /// pselect6
    pub(super) const SELECT: &[i64] = &[72];
    /// epoll_pwait, epoll_pwait2
    pub(super) const EPOLL: &[i64] = &[22, 441];
    /// restart_syscall
    pub(super) const RESTART: i64 = 128;
}

#[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
mod number {
    pub(super) const READS: &[i64] = &[];
    pub(super) const POLL: &[i64] = &[];
    pub(super) const SELECT: &[i64] = &[];
    pub(super) const EPOLL: &[i64] = &[];
    pub(super) const RESTART: i64 = -1;
}

/// How a process sleeps, as far as the terminal with that device number is concerned: any of its threads may wait for it.
pub fn waits(pid: u32, terminal: u64) -> Waits {
    if number::READS.is_empty() {
        return Waits::Unknown;
    }
    let first = thread(pid, pid, terminal);
    if matches!(first, Waits::Unknown | Waits::Reads) {
        return first;
    }
    let Ok(threads) = std::fs::read_dir(format!("/proc/{pid}/task")) else { return first };
    let others = threads
        .take(THREADS)
        .filter_map(|entry| entry.ok()?.file_name().to_str()?.parse().ok())
        .filter(|tid| *tid != pid);
    let mut found = first;
    for tid in others {
        match thread(pid, tid, terminal) {
            Waits::Reads => return Waits::Reads,
            Waits::Polls => found = Waits::Polls,
            Waits::No | Waits::Unknown => {}
        }
    }
    found
}

fn thread(pid: u32, tid: u32, terminal: u64) -> Waits {
    let Ok(line) = std::fs::read_to_string(format!("/proc/{pid}/task/{tid}/syscall")) else {
        return Waits::Unknown;
    };
    let Some((call, [first, second])) = parse(&line) else { return Waits::No };
    let awaited = match call {
        _ if number::READS.contains(&call) => {
            return if is_terminal(pid, first, terminal) { Waits::Reads } else { Waits::No };
        }
        _ if number::POLL.contains(&call) => polled(pid, first, second),
        _ if number::SELECT.contains(&call) => selected(pid, first, second),
        _ if number::EPOLL.contains(&call) => in_epoll(pid, first),
        // A wait that went on after a stop; which one is not told.
        number::RESTART => None,
        _ => return Waits::No,
    };
    // Where it is not told what is waited for, one that has the terminal as its input may wait for it.
    let awaited = awaited.unwrap_or_else(|| vec![0]);
    let terminal = awaited.into_iter().any(|descriptor| is_terminal(pid, descriptor, terminal));
    if terminal { Waits::Polls } else { Waits::No }
}

/// `running`, or the call's number and its arguments in hexadecimal, of which the first two are wanted.
fn parse(line: &str) -> Option<(i64, [u64; 2])> {
    let mut fields = line.split_ascii_whitespace();
    let call = fields.next()?.parse().ok()?;
    let mut argument = || u64::from_str_radix(fields.next()?.trim_start_matches("0x"), 16).ok();
    Some((call, [argument()?, argument()?]))
}

/// The descriptors that a `poll` waits to read from: of the process's own `struct pollfd`s.
fn polled(pid: u32, at: u64, count: u64) -> Option<Vec<u64>> {
    let count = usize::try_from(count).ok()?.min(DESCRIPTORS);
    let bytes = memory(pid, at, count * 8)?;
    let entries = bytes.chunks_exact(8).filter_map(|entry| {
        let descriptor = i32::from_ne_bytes(entry[..4].try_into().ok()?);
        let events = u16::from_ne_bytes(entry[4..6].try_into().ok()?);
        let descriptor = u64::try_from(descriptor).ok()?;
        (u32::from(events) & READABLE != 0).then_some(descriptor)
    });
    Some(entries.collect())
}

/// The descriptors that a `select` waits to read from: of the process's own `fd_set`.
fn selected(pid: u32, count: u64, at: u64) -> Option<Vec<u64>> {
    if at == 0 {
        return Some(Vec::new());
    }
    let count = usize::try_from(count).ok()?.min(DESCRIPTORS);
    let bytes = memory(pid, at, count.div_ceil(8))?;
    let is_set = |descriptor: &usize| bytes[descriptor / 8] & (1 << (descriptor % 8)) != 0;
    Some((0..count).filter(is_set).map(|descriptor| descriptor as u64).collect())
}

/// The descriptors that an epoll waits to read from.
fn in_epoll(pid: u32, epoll: u64) -> Option<Vec<u64>> {
    let told = std::fs::read_to_string(format!("/proc/{pid}/fdinfo/{epoll}")).ok()?;
    let entries = told.lines().filter_map(|line| {
        let mut words = line.strip_prefix("tfd:")?.split_ascii_whitespace();
        let descriptor = words.next()?.parse().ok()?;
        let events = words.nth(1).and_then(|events| u32::from_str_radix(events, 16).ok())?;
        (events & READABLE != 0).then_some(descriptor)
    });
    Some(entries.take(DESCRIPTORS).collect())
}

/// Some bytes of a process's memory: what a system call was given. They may have changed since, and mean nothing then.
fn memory(pid: u32, at: u64, length: usize) -> Option<Vec<u8>> {
    let mut bytes = vec![0; length];
    let file = std::fs::File::open(format!("/proc/{pid}/mem")).ok()?;
    file.read_exact_at(&mut bytes, at).ok()?;
    Some(bytes)
}

fn is_terminal(pid: u32, descriptor: u64, terminal: u64) -> bool {
    std::fs::metadata(format!("/proc/{pid}/fd/{descriptor}")).map(|meta| meta.rdev()).is_ok_and(|device| {
        let own = (rustix::fs::major(device), rustix::fs::minor(device)) == OWN_TERMINAL;
        device == terminal || own
    })
}

/// The command line as one line: what the process says it is, so hostile text. None where there is none (a kernel thread)
/// or it cannot be read.
pub fn command_line(pid: u32) -> Option<String> {
    use std::io::Read as _;
    let file = std::fs::File::open(format!("/proc/{pid}/cmdline")).ok()?;
    let mut bytes = Vec::new();
    file.take(COMMAND_BYTES).read_to_end(&mut bytes).ok()?;
    let words = bytes.split(|byte| *byte == 0).filter(|word| !word.is_empty()).take(ARGUMENTS);
    let words: Vec<_> = words.map(String::from_utf8_lossy).collect();
    (!words.is_empty()).then(|| words.join(" "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_call_and_its_descriptor() {
        assert_eq!(parse("0 0x3 0x7ffc 0x1 0x0 0x0 0x0 0x7ff 0x7fe\n"), Some((0, [3, 0x7ffc])));
        assert_eq!(parse("running\n"), None);
        assert_eq!(parse("-1 0x7ffc 0x7fe\n"), Some((-1, [0x7ffc, 0x7fe])));
    }

    #[test]
    fn what_a_call_was_given() {
        let fds: [[u16; 4]; 3] = [[3, 0, 1, 0], [4, 0, 4, 0], [u16::MAX, u16::MAX, 1, 0]];
        let of = std::process::id();
        assert_eq!(polled(of, fds.as_ptr() as u64, 3), Some(vec![3]), "the second is to be written to");
        let set: [u8; 8] = [0b101, 0b10, 0, 0, 0, 0, 0, 0];
        assert_eq!(selected(of, 10, set.as_ptr() as u64), Some(vec![0, 2, 9]));
        assert_eq!(selected(of, 10, 0), Some(Vec::new()));
        assert_eq!(polled(of, 0, 1), None);
        assert_eq!(in_epoll(of, 1 << 40), None);
    }

    #[test]
    fn our_own_command_line() {
        assert!(command_line(std::process::id()).is_some_and(|line| !line.contains('\0')));
        assert_eq!(command_line(u32::MAX), None);
    }
}
