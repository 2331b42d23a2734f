//! Systems that are not told apart yet; see the plan in the parent module.

use super::{Member, Waits};

/// Unknown here.
pub fn start_time(_pid: u32) -> Option<u64> {
    None
}

/// Unknown here.
pub fn is_zombie(_pid: u32) -> Option<bool> {
    None
}

/// Unknown here.
pub fn parent(_pid: u32) -> Option<u32> {
    None
}

/// Unknown here.
pub fn directory(_pid: u32) -> Option<String> {
    None
}

/// Unknown here.
pub fn terminal_group(_pid: u32) -> Option<u32> {
    None
}

/// Unknown here.
pub fn name(_pid: u32) -> Option<String> {
    None
}

/// Unknown here.
pub fn session_members(_session: u32) -> Vec<Member> {
    Vec::new()
}

/// Unknown here.
pub fn children(_pid: u32) -> Vec<Member> {
    Vec::new()
}

/// Unknown here.
pub fn boot_id() -> Option<String> {
    None
}

/// Unknown here.
pub fn descendants(_pid: u32) -> Vec<Member> {
    Vec::new()
}

/// Unknown here.
pub fn waits(_pid: u32, _terminal: u64) -> Waits {
    Waits::Unknown
}

/// Unknown here.
pub fn command_line(_pid: u32) -> Option<String> {
    None
}
