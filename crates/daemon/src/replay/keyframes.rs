//! Pictures along a recording, kept while it is read: a place behind one is found without reading all that came before it.

use belfry_terminal::{Options, Scope, Size, Terminal};

use super::read::ABOVE;
use super::survey::Clock;

/// Most of them. With colours in every cell of 500 lines that is some tens of megabytes, with what programs print a few.
const MOST: usize = 64;

/// Output between two, in bytes: about what is read in a tenth of a second.
pub(super) const APART: u64 = 8 * 1024 * 1024;

pub(super) struct Keyframe {
    run: usize,
    /// Where it is, in milliseconds: what was printed until then is in it.
    pub(super) at: u64,
    pub(super) clock: Clock,
    /// Where to read on.
    pub(super) offset: u64,
    size: Size,
    picture: Vec<u8>,
}

impl Keyframe {
    /// The terminal as it was there.
    pub(super) fn terminal(&self, options: Options) -> Terminal {
        let mut terminal = Terminal::new(self.size, options);
        // Behind it is what was printed next: a terminal takes nothing twice.
        terminal.feed(&self.picture, self.offset - self.picture.len() as u64);
        terminal
    }
}

pub(super) struct Keyframes {
    kept: Vec<Keyframe>,
    apart: u64,
}

impl Keyframes {
    pub(super) fn new(apart: u64) -> Self {
        Self { kept: Vec::new(), apart }
    }

    /// The latest before a place of a run, or at it.
    pub(super) fn before(&self, run: usize, at: u64) -> Option<&Keyframe> {
        self.kept.iter().filter(|frame| frame.run == run && frame.at <= at).max_by_key(|frame| frame.offset)
    }

    /// Output after which it is worth a look whether one is wanted, in bytes.
    pub(super) fn stride(&self) -> u64 {
        self.apart / 8
    }

    /// Keeps one of what the terminal shows, where none is near.
    pub(super) fn keep(&mut self, run: usize, at: u64, clock: Clock, terminal: &Terminal) {
        let offset = terminal.view_offset();
        let near = |frame: &Keyframe| frame.run == run && frame.offset.abs_diff(offset) < self.apart;
        if offset < self.apart || self.kept.iter().any(near) {
            return;
        }
        let snapshot = terminal.snapshot(Scope::Recent(ABOVE));
        if snapshot.offset < snapshot.bytes.len() as u64 {
            return;
        }
        let (offset, size, picture) = (snapshot.offset, snapshot.size, snapshot.bytes);
        self.kept.push(Keyframe { run, at, clock, offset, size, picture });
        if self.kept.len() > MOST {
            self.apart *= 2;
            self.kept.sort_by_key(|frame| (frame.run, frame.offset));
            let mut odd = false;
            self.kept.retain(|_| {
                odd = !odd;
                odd
            });
        }
    }
}
