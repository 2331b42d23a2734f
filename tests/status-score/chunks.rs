//! The pieces in which a recording's output arrives.

use super::{Happening, Recording};

/// In which pieces.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Chunks {
    /// As they were recorded.
    Recorded,
    /// Cut and joined at random, by a seed: in the middle of sequences and of characters, up to 20 ms late.
    Random(u64),
}

/// Pieces are joined over this many milliseconds at most: a daemon that is busy reads what has gathered meanwhile.
const LATE: u64 = 20;

impl Chunks {
    /// What happens, in these pieces.
    pub fn of(self, recording: &Recording) -> Vec<(u64, Happening)> {
        match self {
            Self::Recorded => recording.happenings.clone(),
            Self::Random(seed) => cut(recording, &mut Chance(seed)),
        }
    }
}

fn cut(recording: &Recording, chance: &mut Chance) -> Vec<(u64, Happening)> {
    let mut out: Vec<(u64, Happening)> = Vec::new();
    let mut held: Option<(u64, Vec<u8>)> = None;
    for (at, happening) in &recording.happenings {
        let output = match happening {
            Happening::Output(bytes) => Some(bytes),
            _ => None,
        };
        if let Some((since, _)) = &held
            && (output.is_none() || at - since > LATE)
            && let Some((since, bytes)) = held.take()
        {
            out.push(((since + LATE).min(*at), Happening::Output(bytes)));
        }
        let Some(bytes) = output else {
            out.push((*at, happening.clone()));
            continue;
        };
        let mut rest = held.take().map_or_else(Vec::new, |(_, bytes)| bytes);
        rest.extend_from_slice(bytes);
        while !rest.is_empty() {
            if chance.below(3) == 0 {
                held = Some((*at, rest));
                break;
            }
            let most = if chance.below(2) == 0 { 16 } else { rest.len() };
            let piece = (1 + chance.below(most as u64) as usize).min(rest.len());
            let left = rest.split_off(piece);
            out.push((*at, Happening::Output(rest)));
            rest = left;
        }
    }
    if let Some((since, bytes)) = held {
        out.push((since + LATE, Happening::Output(bytes)));
    }
    out
}

/// A small generator (splitmix64).
struct Chance(u64);

impl Chance {
    fn below(&mut self, limit: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (z ^ (z >> 31)) % limit.max(1)
    }
}

#[cfg(test)]
mod tests {
    use belfry_terminal::Size;

    use super::{Chunks, Happening, Recording};

    #[test]
    fn random_pieces_are_the_whole_and_hardly_late() {
        let happenings = (0..200_u64).map(|n| match n % 7 {
            0 => (n * 9, Happening::Input(vec![b'x'])),
            _ => (n * 9, Happening::Output(format!("piece {n} é 世界 ").into_bytes())),
        });
        let recording = Recording { size: Size::new(80, 24), happenings: happenings.collect() };
        let all = |list: &[(u64, Happening)]| -> Vec<u8> {
            let outputs = list.iter().filter_map(|(_, happening)| match happening {
                Happening::Output(bytes) => Some(bytes.clone()),
                _ => None,
            });
            outputs.flatten().collect()
        };
        for seed in 0..50 {
            let pieces = Chunks::Random(seed).of(&recording);
            assert_eq!(all(&pieces), all(&recording.happenings));
            assert!(pieces.windows(2).all(|pair| pair[0].0 <= pair[1].0), "in order");
        }
    }
}
