//! How fast output is taken in, against `alacritty_terminal` doing the same in the same run:
//! `cargo run --release -p belfry-terminal --example feed_speed`.
//!
//! Times are the thread's CPU time on Linux, so other work on the machine matters little.

use std::fmt::Write as _;

use alacritty_terminal::event::VoidListener;
use alacritty_terminal::grid::Dimensions;
use alacritty_terminal::term::{Config, Term};
use alacritty_terminal::vte::ansi::{Processor, StdSyncHandler};
use belfry_terminal::{Options, Scope, Size, Terminal};

const COLS: u16 = 120;
const ROWS: u16 = 40;
const TOTAL: usize = 32 * 1024 * 1024;
/// Repeated, the fastest counts.
const ROUNDS: usize = 3;

struct Dims;

impl Dimensions for Dims {
    fn total_lines(&self) -> usize {
        ROWS.into()
    }
    fn screen_lines(&self) -> usize {
        ROWS.into()
    }
    fn columns(&self) -> usize {
        COLS.into()
    }
}

/// Seconds of CPU that this thread has used.
fn cpu_seconds() -> f64 {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").unwrap_or_default();
    let nanoseconds: f64 = text.split(' ').next().and_then(|n| n.parse().ok()).unwrap_or(0.0);
    nanoseconds / 1e9
}

fn fastest(mut run: impl FnMut()) -> f64 {
    (0..ROUNDS)
        .map(|_| {
            let start = cpu_seconds();
            run();
            cpu_seconds() - start
        })
        .fold(f64::INFINITY, f64::min)
}

fn workloads() -> Vec<(&'static str, Vec<u8>)> {
    let mut seed = 1_u64;
    let mut random = move |limit: u64| {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (seed >> 33) % limit
    };
    let mut text = String::new();
    let mut color = String::new();
    let mut unicode = String::new();
    let mut tui = String::new();
    while text.len() < 1 << 20 {
        let _ = write!(
            text,
            "{} the quick brown fox {} jumps over {} lazy dogs\r\n",
            random(9999),
            random(99),
            random(1 << 30)
        );
    }
    while color.len() < 1 << 20 {
        for _ in 0..8 {
            let _ = write!(
                color,
                "\x1b[3{}mword{}\x1b[m \x1b[1;38;5;{}mbold\x1b[0m ",
                random(8),
                random(99),
                random(256)
            );
        }
        color += "\r\n";
    }
    while unicode.len() < 1 << 20 {
        unicode += "日本語のテキスト and 한국어 with é and ─│┌┐ lines\r\n";
    }
    while tui.len() < 1 << 20 {
        tui += "\x1b[?2026h";
        for row in 1..=ROWS {
            let _ = write!(
                tui,
                "\x1b[{row};{}H\x1b[3{}m{:<40}\x1b[m\x1b[K",
                1 + random(60),
                random(8),
                random(1 << 40)
            );
        }
        tui += "\x1b[?2026l";
    }
    [
        ("text", text),
        ("coloured text", color),
        ("unicode", unicode),
        ("full-screen", tui),
        ("y", "y\r\n".repeat(1 << 18)),
    ]
    .into_iter()
    .map(|(name, text)| (name, text.into_bytes().repeat(TOTAL >> 20)))
    .collect()
}

fn main() {
    println!(
        "MB/s of CPU        alacritty  belfry 4 KB  belfry 64 KB  belfry 1 MB   memory MB  snapshot ms (all)"
    );
    for (name, bytes) in workloads() {
        let megabytes = bytes.len() as f64 / 1e6;
        let reference = fastest(|| {
            let mut term = Term::new(Config::default(), &Dims, VoidListener);
            let mut parser = Processor::<StdSyncHandler>::new();
            bytes.chunks(16 * 1024).for_each(|piece| parser.advance(&mut term, piece));
        });
        let mut speeds = Vec::new();
        let mut last = Terminal::new(Size::new(COLS, ROWS), Options::default());
        for piece in [4 << 10, 64 << 10, 1 << 20] {
            let seconds = fastest(|| {
                let mut terminal = Terminal::new(Size::new(COLS, ROWS), Options::default());
                for piece in bytes.chunks(piece) {
                    let offset = terminal.offset();
                    std::hint::black_box(terminal.feed(piece, offset));
                }
                last = terminal;
            });
            speeds.push(megabytes / seconds);
        }
        last.compact();
        let snapshot = fastest(|| {
            for _ in 0..20 {
                std::hint::black_box(last.snapshot(Scope::All));
            }
        }) / 20.0;
        println!(
            "{name:<18} {:>9.0}  {:>11.0}  {:>12.0}  {:>11.0}  {:>10.2}  {:>8.2}",
            megabytes / reference,
            speeds[0],
            speeds[1],
            speeds[2],
            last.memory() as f64 / 1e6,
            snapshot * 1e3
        );
    }
    let mut terminal = Terminal::new(Size::new(COLS, ROWS), Options::default());
    let echoes = 200_000;
    let seconds = fastest(|| {
        for _ in 0..echoes {
            let offset = terminal.offset();
            std::hint::black_box(terminal.feed(b"x", offset));
        }
    });
    println!("one key echoed: {:.2} microseconds", seconds * 1e6 / f64::from(echoes));
    let mut terminal = Terminal::new(Size::new(COLS, ROWS), Options::default());
    let color = &workloads()[1].1;
    terminal.feed(&color[..8 << 20], 0);
    terminal.checkpoint();
    let mut size = 0;
    let seconds = fastest(|| {
        for _ in 0..50 {
            size = terminal.checkpoint().live.len();
        }
    }) / 50.0;
    println!("checkpoint: {:.2} ms, {} KB", seconds * 1e3, size / 1024);
}
