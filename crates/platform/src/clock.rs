//! The two clocks. Microseconds in 64 bits: enough for 580,000 years.

use rustix::time::{ClockId, clock_gettime};

/// Microseconds of the monotonic clock, which every process of the machine shares and which nobody can set. It stands
/// still while the machine sleeps, and starts anew with it.
pub fn monotonic() -> u64 {
    micros(ClockId::Monotonic)
}

/// Microseconds since 1970. Jumps when somebody sets the clock: for showing, never for measuring.
pub fn wall() -> u64 {
    micros(ClockId::Realtime)
}

fn micros(clock: ClockId) -> u64 {
    let time = clock_gettime(clock);
    (time.tv_sec.max(0) as u64) * 1_000_000 + (time.tv_nsec as u64) / 1000
}
