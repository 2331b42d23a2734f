//! What has the terminal of an adopted pane: what a keeper tells of its own terminal, looked at from here.

use std::path::Path;

use belfry_platform::process::{self, Member};
use belfry_protocol::keeper::{Front, Stats, Waits};
use rustix::fs::{Mode, OFlags, fstat, open};
use rustix::termios::{LocalModes, tcgetattr};

/// Processes of a group that are looked at.
const MOST: usize = 16;

/// The keeper's answer, with the pane's terminal in place of the bridge's. Takes some ten microseconds for each process.
pub(crate) fn of_pane(told: &Stats, pane_pid: u32, tty: Option<&str>) -> Stats {
    let foreground = process::terminal_group(pane_pid).unwrap_or(0);
    // It must not become our own terminal, nor be waited for.
    let flags = OFlags::RDONLY | OFlags::NOCTTY | OFlags::NONBLOCK | OFlags::CLOEXEC;
    let terminal = tty.and_then(|tty| open(Path::new("/dev").join(tty), flags, Mode::empty()).ok());
    let modes =
        terminal.as_ref().and_then(|terminal| tcgetattr(terminal).ok()).map(|modes| modes.local_modes);
    let device = terminal.as_ref().and_then(|terminal| fstat(terminal).ok()).map(|stat| stat.st_rdev);
    Stats {
        foreground,
        echo: modes.map(|modes| modes.contains(LocalModes::ECHO)),
        lines: modes.map(|modes| modes.contains(LocalModes::ICANON)),
        front: device.filter(|_| foreground != 0).and_then(|device| front(foreground, device)),
        ..told.clone()
    }
}

/// The process of a group that waits for the terminal; else the group's first.
fn front(group: u32, device: u64) -> Option<Front> {
    let first = look(group, device);
    if first.as_ref().is_some_and(|front| front.waits == Waits::Reads) {
        return first;
    }
    let member = |member: &Member| member.group == group && !member.zombie;
    let below = process::descendants(group).into_iter().filter(member).take(MOST);
    below.filter_map(|member| look(member.identity.pid, device)).fold(first, |best, other| match best {
        Some(best) if weight(best.waits) >= weight(other.waits) => Some(best),
        _ => Some(other),
    })
}

fn weight(waits: Waits) -> u8 {
    match waits {
        Waits::Reads => 2,
        Waits::Polls => 1,
        Waits::No | Waits::Unknown => 0,
    }
}

fn look(pid: u32, device: u64) -> Option<Front> {
    let name = process::name(pid)?;
    let command = process::command_line(pid).unwrap_or_else(|| name.clone());
    let waits = match process::waits(pid, device) {
        process::Waits::No => Waits::No,
        process::Waits::Reads => Waits::Reads,
        process::Waits::Polls => Waits::Polls,
        process::Waits::Unknown => Waits::Unknown,
    };
    Some(Front { pid, name, command: command.chars().take(Front::COMMAND).collect(), waits })
}
