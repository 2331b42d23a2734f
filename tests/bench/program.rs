//! The programs that run inside the measured terminals: small, so that what is measured is the terminal's side.

use std::io::Write;
use std::time::{Duration, Instant};

use anyhow::Result;

/// Which one.
#[derive(Debug, clap::Args)]
pub(crate) struct Options {
    #[command(subcommand)]
    which: Which,
}

#[derive(Debug, clap::Subcommand)]
enum Which {
    /// Draws a spinner's line anew, as agents do.
    Spin {
        /// Times a second.
        #[arg(long, default_value_t = 10.0)]
        hertz: f64,
        /// Bytes of one drawing.
        #[arg(long, default_value_t = 200)]
        bytes: usize,
    },
    /// Prints coloured lines, a last line of its own, and stays.
    Fill {
        /// How many lines.
        #[arg(long)]
        lines: usize,
        /// The last line.
        #[arg(long)]
        mark: String,
    },
    /// Prints coloured lines for ever.
    Flood {
        /// A second; as many as go through where it is not said.
        #[arg(long)]
        kilobytes: Option<u32>,
    },
    /// Stays.
    Idle,
}

pub(crate) fn run(options: &Options) -> Result<()> {
    match &options.which {
        Which::Spin { hertz, bytes } => spin(Duration::from_secs_f64(1.0 / hertz), *bytes),
        Which::Fill { lines, mark } => {
            fill(*lines, mark)?;
            idle()
        }
        Which::Flood { kilobytes } => flood(*kilobytes),
        Which::Idle => idle(),
    }
}

fn idle() -> Result<()> {
    loop {
        std::thread::park();
    }
}

fn spin(every: Duration, bytes: usize) -> Result<()> {
    let frames = ["⠋", "⠙", "⠹", "⠸", "⠼", "⠴", "⠦", "⠧", "⠇", "⠏"];
    let (began, mut out) = (Instant::now(), std::io::stdout().lock());
    for turn in 0u32.. {
        let mut line = format!(
            "\r\x1b[2K\x1b[38;5;{}m{}\x1b[39m \x1b[1mThinking…\x1b[22m \x1b[2m({}s · ↑ {} tokens · esc to interrupt)\x1b[22m",
            174 + turn % 6,
            frames[turn as usize % frames.len()],
            began.elapsed().as_secs(),
            turn * 7,
        );
        // Colours and not blanks: a line that wraps would scroll, which no spinner does.
        while line.len() + 5 <= bytes {
            line.push_str("\x1b[39m");
        }
        out.write_all(line.as_bytes())?;
        out.flush()?;
        // Against the start, so that a busy machine does not lower the rate.
        let due = began + every * (turn + 1);
        std::thread::sleep(due.saturating_duration_since(Instant::now()));
    }
    Ok(())
}

fn flood(kilobytes: Option<u32>) -> Result<()> {
    let (began, mut out) = (Instant::now(), std::io::stdout().lock());
    let mut printed = 0.0;
    for turn in 0.. {
        let piece: String = (turn * 20..(turn + 1) * 20).map(crate::material::colored_line).collect();
        out.write_all(piece.as_bytes())?;
        printed += piece.len() as f64;
        if let Some(kilobytes) = kilobytes {
            let due = began + Duration::from_secs_f64(printed / (f64::from(kilobytes) * 1024.0));
            std::thread::sleep(due.saturating_duration_since(Instant::now()));
        }
    }
    Ok(())
}

fn fill(lines: usize, mark: &str) -> Result<()> {
    let mut out = std::io::BufWriter::new(std::io::stdout().lock());
    for line in 0..lines {
        out.write_all(crate::material::colored_line(line).as_bytes())?;
    }
    out.write_all(mark.as_bytes())?;
    out.flush()?;
    Ok(())
}
