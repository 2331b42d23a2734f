//! Every process of the person's own.
//!
//! Linux reads `/proc`. Plan for macOS: `proc_listallpids` and `proc_pidinfo(PROC_PIDTBSDINFO)`, which has parent, terminal
//! and start. Plan for Windows: `CreateToolhelp32Snapshot`; processes there have no terminal to go by.

use super::Identity;

/// A process, as far as one look at it tells.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Seen {
    /// Who.
    pub identity: Identity,
    /// Parent's process id.
    pub parent: u32,
    /// The name of its terminal, as in `pts/4`; none where it has none.
    pub tty: Option<String>,
    /// Short name; what the process says it is, so hostile text.
    pub name: String,
}

/// All processes of our own user that have not ended.
#[cfg(target_os = "linux")]
pub fn own() -> Vec<Seen> {
    use std::os::unix::fs::MetadataExt as _;
    let user = rustix::process::geteuid().as_raw();
    let ours = |pid: &u32| std::fs::metadata(format!("/proc/{pid}")).is_ok_and(|meta| meta.uid() == user);
    let seen = |pid| {
        let stat = super::proc::stat(pid)?;
        let identity = Identity { pid, start: stat.start };
        let seen = Seen { identity, parent: stat.parent, tty: tty(stat.terminal), name: stat.name };
        (!stat.zombie).then_some(seen)
    };
    super::proc::pids().filter(ours).filter_map(seen).collect()
}

/// See above: nothing here yet.
#[cfg(not(target_os = "linux"))]
pub fn own() -> Vec<Seen> {
    Vec::new()
}

/// When a process started, in milliseconds since the Unix epoch; to a hundredth of a second.
#[cfg(target_os = "linux")]
pub fn started_at(process: Identity) -> Option<u64> {
    let stat = std::fs::read_to_string("/proc/stat").ok()?;
    let boot: u64 = stat.lines().find_map(|line| line.strip_prefix("btime ")?.trim().parse().ok())?;
    // SAFETY: a plain number in, a plain number out.
    let ticks = u64::try_from(unsafe { libc::sysconf(libc::_SC_CLK_TCK) }).unwrap_or(100).max(1);
    Some(boot * 1000 + process.start * 1000 / ticks)
}

/// See above: nothing here yet.
#[cfg(not(target_os = "linux"))]
pub fn started_at(_: Identity) -> Option<u64> {
    None
}

/// Whether a process sees the same processes and files as we do: what runs in a container of its own does not.
#[cfg(target_os = "linux")]
pub fn is_in_our_world(pid: u32) -> bool {
    let same = |what: &str| {
        let of = |pid: &str| std::fs::read_link(format!("/proc/{pid}/{what}")).ok();
        of(&pid.to_string()).is_some_and(|theirs| of("self") == Some(theirs))
    };
    same("ns/pid") && same("root")
}

/// See above: nothing here yet.
#[cfg(not(target_os = "linux"))]
pub fn is_in_our_world(_: u32) -> bool {
    false
}

/// The file that a process runs, to be run again as the very same, also where another has taken its place since. Only where its
/// name is that one, only the machine's administrator can have put it there, and the process sees the files that we do: a process
/// can call itself what it likes, and one that is shut in must not have us run outside what it wrote inside.
#[cfg(target_os = "linux")]
pub fn system_program(pid: u32, name: &str) -> Option<std::path::PathBuf> {
    use std::os::unix::fs::MetadataExt as _;
    let program = std::path::PathBuf::from(format!("/proc/{pid}/exe"));
    let file = std::fs::read_link(&program).ok()?;
    let file = file.file_name()?.to_str()?;
    let named = file.strip_suffix(" (deleted)").unwrap_or(file) == name;
    let meta = std::fs::metadata(&program).ok()?;
    let theirs = meta.uid() == 0 && meta.mode() & 0o022 == 0;
    (named && theirs && is_in_our_world(pid)).then_some(program)
}

/// Elsewhere a program is looked up by its name.
#[cfg(not(target_os = "linux"))]
pub fn system_program(_: u32, _: &str) -> Option<std::path::PathBuf> {
    None
}

/// Most bytes of a command line that are read.
#[cfg(target_os = "linux")]
const COMMAND_LINE: u64 = 256 * 1024;

/// The command line, word by word: what the process says it is, so hostile text. Empty where there is none (a zombie, one of
/// the kernel's own) or it cannot be read.
#[cfg(target_os = "linux")]
pub fn arguments(pid: u32) -> Vec<String> {
    use std::io::Read as _;
    let mut bytes = Vec::new();
    let read = std::fs::File::open(format!("/proc/{pid}/cmdline"))
        .and_then(|file| file.take(COMMAND_LINE).read_to_end(&mut bytes));
    if read.is_err() || bytes.is_empty() {
        return Vec::new();
    }
    let words = bytes.strip_suffix(b"\0").unwrap_or(&bytes).split(|byte| *byte == 0);
    words.map(|word| String::from_utf8_lossy(word).into_owned()).collect()
}

/// macOS: `sysctl` with `KERN_PROCARGS2`.
#[cfg(not(target_os = "linux"))]
pub fn arguments(_: u32) -> Vec<String> {
    Vec::new()
}

/// The name of a terminal, from its number as `/proc/PID/stat` has it.
#[cfg(target_os = "linux")]
fn tty(number: u32) -> Option<String> {
    let (major, minor) = ((number >> 8) & 0xfff, (number & 0xff) | ((number >> 12) & 0xf_ff00));
    match major {
        0 => None,
        // Unix98 terminals have eight numbers of 256 (later of more) each.
        136..=143 => Some(format!("pts/{}", (major - 136) * 256 + minor)),
        4 if minor < 64 => Some(format!("tty{minor}")),
        4 => Some(format!("ttyS{}", minor - 64)),
        _ => Some("a terminal".to_owned()),
    }
}

#[cfg(test)]
#[cfg(target_os = "linux")]
mod tests {
    use super::*;

    #[test]
    fn we_are_among_our_own() {
        let own = own();
        let us = own.iter().find(|seen| seen.identity.pid == std::process::id()).unwrap();
        assert_eq!(us.identity, Identity::of(us.identity.pid).unwrap());
        assert_eq!(us.parent, std::os::unix::process::parent_id());
        assert!(is_in_our_world(us.identity.pid));
        let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap().as_millis();
        let started = u128::from(started_at(us.identity).unwrap());
        // The boot's second is rounded.
        assert!(started <= now + 1500 && started + 24 * 3_600_000 > now, "{started} {now}");
    }

    #[test]
    fn only_what_the_machine_s_administrator_put_there_is_run_again() {
        let folder = std::env::temp_dir().join(format!("belfry-program-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        let own = folder.join("sleep");
        std::fs::copy("/bin/sleep", &own).unwrap();
        std::fs::set_permissions(&own, std::os::unix::fs::PermissionsExt::from_mode(0o777)).unwrap();
        let mut child = std::process::Command::new(&own).arg("60").spawn().unwrap();
        let line = [own.to_str().unwrap(), "60"];
        // A moment after a program was started it has no arguments yet.
        let deadline = std::time::Instant::now() + std::time::Duration::from_secs(10);
        while arguments(child.id()).is_empty() && std::time::Instant::now() < deadline {
            std::thread::yield_now();
        }
        let program = (arguments(child.id()), system_program(child.id(), "sleep"));
        let other = system_program(std::process::id(), "sleep");
        child.kill().unwrap();
        child.wait().unwrap();
        std::fs::remove_dir_all(&folder).unwrap();
        assert_eq!(program.0, line);
        assert_eq!(program.1, None, "others can write to it");
        assert_eq!(other, None, "it has another name");
    }

    #[test]
    fn names_of_terminals() {
        assert_eq!(tty(0), None);
        assert_eq!(tty(136 << 8 | 4).as_deref(), Some("pts/4"));
        assert_eq!(tty(4 << 8 | 2).as_deref(), Some("tty2"));
        assert_eq!(tty(4 << 8 | 64).as_deref(), Some("ttyS0"));
        // Past 255 the number's upper part follows.
        assert_eq!(tty(136 << 8 | 1 << 20).as_deref(), Some("pts/256"));
    }
}
