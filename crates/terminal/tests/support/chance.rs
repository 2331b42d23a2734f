//! Chance with a seed: another one in each run, printed, and settable to see a failure again.

/// A small generator (splitmix64); quality enough to choose test input.
#[derive(Clone, Debug)]
pub struct Chance(u64);

impl Chance {
    pub fn new(seed: u64) -> Self {
        Self(seed)
    }

    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// From 0 to `limit - 1`.
    pub fn below(&mut self, limit: usize) -> usize {
        (self.next() % limit.max(1) as u64) as usize
    }

    pub fn one_in(&mut self, n: usize) -> bool {
        self.below(n) == 0
    }

    pub fn pick<'a, T: ?Sized>(&mut self, all: &[&'a T]) -> &'a T {
        all[self.below(all.len())]
    }
}

/// The seed of this run: `BELFRY_SEED`, or a fresh one.
pub fn seed() -> u64 {
    let seed = std::env::var("BELFRY_SEED").ok().and_then(|s| s.parse().ok()).unwrap_or_else(|| {
        let mut bytes = [0; 8];
        getrandom::fill(&mut bytes).expect("the system gives random bytes");
        u64::from_le_bytes(bytes) >> 16
    });
    println!("BELFRY_SEED={seed}");
    seed
}

/// How many cases to try: `BELFRY_CASES`, or this many.
pub fn cases(default: u64) -> u64 {
    std::env::var("BELFRY_CASES").ok().and_then(|s| s.parse().ok()).unwrap_or(default)
}
