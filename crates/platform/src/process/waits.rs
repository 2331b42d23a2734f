//! Linux: whether a process sleeps until something is typed, from `/proc/PID/syscall`.
//!
//! That file may be read by an ancestor even where tracing is restricted to ancestors, so the keeper reads it and not the
//! daemon. Numbers of system calls differ between architectures; on one that is not listed here nothing is known.

use std::os::unix::fs::MetadataExt as _;

use super::Waits;

/// `/dev/tty`, major 5 and minor 0: whichever terminal that is for the process that has it open.
const OWN_TERMINAL: (u32, u32) = (5, 0);

/// Arguments that are shown of a command line, and the most bytes that are read of it.
const ARGUMENTS: usize = 32;

/// See [`ARGUMENTS`].
const COMMAND_BYTES: u64 = 4096;

#[cfg(target_arch = "x86_64")]
mod number {
    /// read, readv
    pub(super) const READS: &[i64] = &[0, 19];
    /// poll, select, epoll_wait, pselect6, ppoll, epoll_pwait, epoll_pwait2, restart_syscall
    pub(super) const POLLS: &[i64] = &[7, 23, 232, 270, 271, 281, 441, 219];
}

#[cfg(target_arch = "aarch64")]
mod number {
    /// read, readv
    pub(super) const READS: &[i64] = &[63, 65];
    /// epoll_pwait, pselect6, ppoll, epoll_pwait2, restart_syscall
    pub(super) const POLLS: &[i64] = &[22, 72, 73, 441, 128];
}

#[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
mod number {
    pub(super) const READS: &[i64] = &[];
    pub(super) const POLLS: &[i64] = &[];
}

/// How a process sleeps, as far as the terminal with that device number is concerned. A look at its first thread.
pub fn waits(pid: u32, terminal: u64) -> Waits {
    if number::READS.is_empty() {
        return Waits::Unknown;
    }
    let Ok(line) = std::fs::read_to_string(format!("/proc/{pid}/syscall")) else { return Waits::Unknown };
    match parse(&line) {
        Some((call, descriptor)) if number::READS.contains(&call) => {
            if is_terminal(pid, descriptor, terminal) { Waits::Reads } else { Waits::No }
        }
        // Which descriptors it waits for is not told; one that does not have the terminal as its input waits for others.
        Some((call, _)) if number::POLLS.contains(&call) => {
            if is_terminal(pid, 0, terminal) {
                Waits::Polls
            } else {
                Waits::No
            }
        }
        _ => Waits::No,
    }
}

/// `running`, or the call's number and its arguments in hexadecimal, the first of which is the descriptor of a read.
fn parse(line: &str) -> Option<(i64, u64)> {
    let mut fields = line.split_ascii_whitespace();
    let call = fields.next()?.parse().ok()?;
    let descriptor = u64::from_str_radix(fields.next()?.trim_start_matches("0x"), 16).ok()?;
    Some((call, descriptor))
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
        assert_eq!(parse("0 0x3 0x7ffc 0x1 0x0 0x0 0x0 0x7ff 0x7fe\n"), Some((0, 3)));
        assert_eq!(parse("running\n"), None);
        assert_eq!(parse("-1 0x7ffc 0x7fe\n"), Some((-1, 0x7ffc)));
    }

    #[test]
    fn our_own_command_line() {
        assert!(command_line(std::process::id()).is_some_and(|line| !line.contains('\0')));
        assert_eq!(command_line(u32::MAX), None);
    }
}
