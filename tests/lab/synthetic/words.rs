//! Words by chance.

use std::fmt::Write as _;

/// Words that there are.
const VOCABULARY: u64 = 30_000;

/// A source of words, the same for the same seed (splitmix64).
#[derive(Clone, Debug)]
pub struct Words(u64);

impl Words {
    /// A source.
    pub fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// The next number.
    pub fn number(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut number = self.0;
        number = (number ^ (number >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        number = (number ^ (number >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        number ^ (number >> 31)
    }

    /// A number below that one.
    pub fn below(&mut self, most: u64) -> u64 {
        self.number() % most.max(1)
    }

    /// The word of that number, made of syllables; the small numbers are the common ones.
    pub fn name(number: u64) -> String {
        const SYLLABLES: [&str; 32] = [
            "ba", "ce", "di", "fo", "gu", "ha", "je", "ki", "lo", "mu", "na", "pe", "qui", "ro", "su", "ta",
            "ve", "wi", "xo", "yu", "za", "bre", "cli", "dro", "fu", "gra", "sple", "tri", "sto", "plu",
            "sha", "che",
        ];
        let mut left = number;
        let mut word = String::new();
        loop {
            word.push_str(SYLLABLES[(left % 32) as usize]);
            left /= 32;
            if left == 0 {
                return word;
            }
        }
    }

    /// A word: half of all are among a few dozen.
    pub fn word(&mut self) -> String {
        let share = (self.number() >> 11) as f64 / (1_u64 << 53) as f64;
        Self::name((VOCABULARY as f64).powf(share) as u64 - 1)
    }

    /// So many words.
    pub fn text(&mut self, words: u64) -> String {
        let mut text = String::new();
        for number in 0..words {
            if number > 0 {
                text.push(if number % 12 == 0 { '\n' } else { ' ' });
            }
            text.push_str(&self.word());
        }
        text
    }

    /// What a tool prints: lines with names and numbers.
    pub fn output(&mut self, bytes: u64) -> String {
        let mut text = String::new();
        while (text.len() as u64) < bytes {
            let (name, number) = (self.word(), self.below(100_000));
            let (of, from) = (self.word(), self.word());
            let _ = writeln!(text, "{number:>6}\tlet {name} = {of}({from}, {number});");
        }
        text
    }

    /// A file's name.
    pub fn file(&mut self) -> String {
        format!("src/{}/{}.rs", Self::name(self.below(60)), Self::name(self.below(900)))
    }
}
