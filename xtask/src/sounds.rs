//! `cargo xtask sounds`: makes the sounds that go with notifications, note by note, so that they are ours.

use std::f64::consts::TAU;
use std::fs;

use anyhow::{Context, Result};

use crate::root::root;

/// Samples a second: enough for the highest partial below.
const RATE: u32 = 16_000;
/// How loud the loudest sample is, of what a sample holds.
const PEAK: f64 = 0.7;
/// Seconds in which a note rises and the whole sound fades at its end, so that neither clicks.
const RISE: f64 = 0.004;
const FALL: f64 = 0.03;

/// What a struck bell sounds of: pitch of its note, loudness, and how much faster it fades.
const BELL: &[(f64, f64, f64)] = &[(1.0, 1.0, 1.0), (2.0, 0.5, 1.5), (2.76, 0.3, 2.4), (5.4, 0.1, 5.0)];
/// A soft, wooden note.
const WOOD: &[(f64, f64, f64)] = &[(1.0, 1.0, 1.0), (3.0, 0.25, 3.0), (4.1, 0.1, 5.0)];

struct Note {
    /// Seconds from the beginning.
    at: f64,
    /// Hertz.
    pitch: f64,
    loudness: f64,
    /// Seconds until a third is left of it.
    fades: f64,
    of: &'static [(f64, f64, f64)],
}

struct Sound {
    name: &'static str,
    seconds: f64,
    notes: &'static [Note],
}

const SOUNDS: &[Sound] = &[
    // Two bells, rising: a question.
    Sound {
        name: "waiting",
        seconds: 0.48,
        notes: &[
            Note { at: 0.0, pitch: 784.0, loudness: 0.8, fades: 0.16, of: BELL },
            Note { at: 0.13, pitch: 1046.5, loudness: 1.0, fades: 0.2, of: BELL },
        ],
    },
    // One low note.
    Sound {
        name: "blocked",
        seconds: 0.36,
        notes: &[Note { at: 0.0, pitch: 220.0, loudness: 1.0, fades: 0.14, of: WOOD }],
    },
    // One small bell.
    Sound {
        name: "done",
        seconds: 0.36,
        notes: &[Note { at: 0.0, pitch: 1318.5, loudness: 0.6, fades: 0.14, of: BELL }],
    },
    // Two notes, falling.
    Sound {
        name: "died",
        seconds: 0.44,
        notes: &[
            Note { at: 0.0, pitch: 329.6, loudness: 0.9, fades: 0.12, of: WOOD },
            Note { at: 0.14, pitch: 246.9, loudness: 1.0, fades: 0.14, of: WOOD },
        ],
    },
];

/// Writes one file a sound.
pub(crate) fn run() -> Result<()> {
    let directory = root().join("ui/public/sounds");
    fs::create_dir_all(&directory)?;
    for sound in SOUNDS {
        let file = directory.join(format!("{}.wav", sound.name));
        let bytes = wav(&samples(sound));
        fs::write(&file, &bytes).with_context(|| file.display().to_string())?;
        println!("{} ({} KB)", file.display(), bytes.len().div_ceil(1024));
    }
    Ok(())
}

fn samples(sound: &Sound) -> Vec<i16> {
    let count = (sound.seconds * f64::from(RATE)) as usize;
    let raw: Vec<f64> = (0..count)
        .map(|at| {
            let time = at as f64 / f64::from(RATE);
            let fall = ((sound.seconds - time) / FALL).min(1.0);
            sound.notes.iter().map(|note| note.at(time - note.at)).sum::<f64>() * fall
        })
        .collect();
    let loudest = raw.iter().fold(f64::EPSILON, |loudest, sample| loudest.max(sample.abs()));
    // What is to be quiet stays so: by its loudest note.
    let wanted = sound.notes.iter().fold(0.0_f64, |most, note| most.max(note.loudness)) * PEAK;
    raw.iter().map(|sample| (sample / loudest * wanted * f64::from(i16::MAX)).round() as i16).collect()
}

impl Note {
    fn at(&self, time: f64) -> f64 {
        if time < 0.0 {
            return 0.0;
        }
        let rise = (time / RISE).min(1.0);
        let partial = |(pitch, loudness, faster): &(f64, f64, f64)| {
            (TAU * self.pitch * pitch * time).sin() * loudness * (-time / self.fades * faster).exp()
        };
        self.of.iter().map(partial).sum::<f64>() * self.loudness * rise
    }
}

/// Mono, 16 bits, with the plain header of 44 bytes that the window counts on.
fn wav(samples: &[i16]) -> Vec<u8> {
    let length = samples.len() as u32 * 2;
    let mut out = Vec::with_capacity(44 + samples.len() * 2);
    out.extend(b"RIFF");
    out.extend((36 + length).to_le_bytes());
    out.extend(b"WAVEfmt ");
    out.extend(16_u32.to_le_bytes());
    out.extend(1_u16.to_le_bytes());
    out.extend(1_u16.to_le_bytes());
    out.extend(RATE.to_le_bytes());
    out.extend((RATE * 2).to_le_bytes());
    out.extend(2_u16.to_le_bytes());
    out.extend(16_u16.to_le_bytes());
    out.extend(b"data");
    out.extend(length.to_le_bytes());
    out.extend(samples.iter().flat_map(|sample| sample.to_le_bytes()));
    out
}
