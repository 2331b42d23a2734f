//! Parameters of a control sequence.

/// More are ignored, as in xterm.js.
const MAX_PARAMS: usize = 32;
/// Larger values mean the same as this one.
const MAX_VALUE: u32 = 0x7fff_ffff;

/// Parameters with their sub-parameters (`4:3`), in one flat list without allocation.
#[derive(Clone, Debug)]
pub(crate) struct Params {
    /// Values and whether each is a sub-parameter. An empty parameter is 0, an empty sub-parameter [`EMPTY`].
    values: [(u32, bool); MAX_PARAMS],
    used: usize,
    /// Index of each parameter in `values`.
    starts: [u8; MAX_PARAMS],
    len: usize,
    /// No room for more.
    full: bool,
}

const EMPTY: u32 = u32::MAX;

impl Default for Params {
    fn default() -> Self {
        Self { values: [(0, false); MAX_PARAMS], used: 0, starts: [0; MAX_PARAMS], len: 0, full: false }
    }
}

impl Params {
    /// Ready for the next sequence.
    pub(crate) fn clear(&mut self) {
        self.used = 1;
        self.values[0] = (0, false);
        self.starts[0] = 0;
        self.len = 1;
        self.full = false;
    }

    pub(crate) fn digit(&mut self, byte: u8) {
        if self.full {
            return;
        }
        let value = &mut self.values[self.used - 1].0;
        let old = if *value == EMPTY { 0 } else { *value };
        *value = old.saturating_mul(10).saturating_add(u32::from(byte - b'0')).min(MAX_VALUE);
    }

    /// `;` or `:`.
    pub(crate) fn separator(&mut self, sub: bool) {
        if self.used == MAX_PARAMS {
            self.full = true;
            return;
        }
        self.values[self.used] = (if sub { EMPTY } else { 0 }, sub);
        if !sub {
            self.starts[self.len] = self.used as u8;
            self.len += 1;
        }
        self.used += 1;
    }

    pub(crate) fn len(&self) -> usize {
        self.len
    }

    /// A parameter; 0 when it is empty or missing.
    pub(crate) fn get(&self, index: usize) -> u32 {
        if index < self.len { self.values[usize::from(self.starts[index])].0 } else { 0 }
    }

    /// A parameter as a count: 0 means 1.
    pub(crate) fn count(&self, index: usize) -> usize {
        self.get(index).max(1) as usize
    }

    /// A sub-parameter; `None` when it is empty or missing.
    pub(crate) fn sub(&self, index: usize, sub: usize) -> Option<u32> {
        self.sub_at(index, sub).map(|at| self.values[at].0).filter(|&v| v != EMPTY)
    }

    /// Whether there is this sub-parameter, be it empty.
    pub(crate) fn has_sub(&self, index: usize, sub: usize) -> bool {
        self.sub_at(index, sub).is_some()
    }

    fn sub_at(&self, index: usize, sub: usize) -> Option<usize> {
        let at = usize::from(*self.starts[..self.len].get(index)?) + 1 + sub;
        (at - sub..=at).all(|i| i < self.used && self.values[i].1).then_some(at)
    }

    /// Whether any parameter has sub-parameters.
    pub(crate) fn has_subs(&self) -> bool {
        self.used != self.len
    }

    /// As written in a sequence.
    pub(crate) fn write(&self, out: &mut Vec<u8>) {
        use std::io::Write;
        for (i, &(value, sub)) in self.values[..self.used].iter().enumerate() {
            if i > 0 {
                out.push(if sub { b':' } else { b';' });
            }
            if value != EMPTY && !(value == 0 && self.used == 1) {
                let _ = write!(out, "{value}");
            }
        }
    }
}
