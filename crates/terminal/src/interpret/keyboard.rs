//! Keyboard protocols. xterm.js has neither, so the window encodes keys by what is kept here.

/// Entries kept of each screen's stack; the protocol asks for some limit and for the oldest to go.
const MAX_DEPTH: usize = 32;
/// The five flags that the kitty protocol defines.
const ALL_FLAGS: u32 = 0b1_1111;

/// Flags of the kitty keyboard protocol: a stack for each screen, the top being in force.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Keyboard {
    pub(crate) stacks: [Vec<u8>; 2],
    /// XTMODKEYS resource 4: 0, 1 or 2.
    pub(crate) modify_other: u8,
}

impl Keyboard {
    pub(crate) fn flags(&self, alternate: bool) -> u8 {
        self.stacks[usize::from(alternate)].last().copied().unwrap_or(0)
    }

    /// `CSI > flags u`.
    pub(crate) fn push(&mut self, alternate: bool, flags: u32) {
        let stack = &mut self.stacks[usize::from(alternate)];
        if stack.len() >= MAX_DEPTH {
            stack.remove(0);
        }
        stack.push((flags & ALL_FLAGS) as u8);
    }

    /// `CSI < count u`.
    pub(crate) fn pop(&mut self, alternate: bool, count: usize) {
        let stack = &mut self.stacks[usize::from(alternate)];
        stack.truncate(stack.len().saturating_sub(count));
    }

    /// `CSI = flags ; how u`: replace, add or remove.
    pub(crate) fn set(&mut self, alternate: bool, flags: u32, how: u32) {
        let flags = (flags & ALL_FLAGS) as u8;
        let old = self.flags(alternate);
        let new = match how {
            2 => old | flags,
            3 => old & !flags,
            _ => flags,
        };
        match self.stacks[usize::from(alternate)].last_mut() {
            Some(top) => *top = new,
            None => self.push(alternate, u32::from(new)),
        }
    }
}
