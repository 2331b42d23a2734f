//! Keystroke to echo: a program in raw mode that sends back what it gets.

use std::io::{Read, Write};
use std::time::{Duration, Instant};

use anyhow::{Result, bail};
use belfry_protocol::ViewId;
use belfry_protocol::frame::Frame;

use crate::processes::settle;
use crate::sides::{Bare, Belfry, Tmux, keepers};
use crate::stats::percentile;
use crate::table;

/// What it takes.
#[derive(Debug, clap::Args)]
pub(crate) struct Options {
    /// Keystrokes on each side.
    #[arg(long, default_value_t = 2000)]
    keys: usize,
    /// Busy sessions beside it in the second part: spinners of 200 bytes, ten times a second.
    #[arg(long, default_value_t = 100)]
    busy: usize,
}

/// Keystrokes before the next side has its turn.
const TURN: usize = 100;

/// Between keystrokes: a fast typist's are 50 ms apart, but what was asleep after 2 ms is asleep after 50.
const PAUSE: Duration = Duration::from_millis(2);

const ECHO: [&str; 3] = ["/bin/sh", "-c", "stty raw -echo; printf 'R'; exec cat"];

/// In what a busy session draws.
const DRAWN: &str = "Thinking";

/// A key that is in no escape sequence that anybody draws with.
const KEY: u8 = b'z';

pub(crate) fn run(options: &Options) -> Result<()> {
    let mut bare = Terminal::bare()?;
    let tmux = Tmux::start(&ECHO)?;
    let mut attached = Terminal::tmux(&tmux)?;
    let mut ours = View::open(Belfry::start()?)?;
    let mut quiet = [Vec::new(), Vec::new(), Vec::new()];
    while quiet[0].len() < options.keys {
        for _ in 0..TURN {
            quiet[0].push(bare.key()?);
        }
        for _ in 0..TURN {
            quiet[1].push(attached.key()?);
        }
        for _ in 0..TURN {
            quiet[2].push(ours.key()?);
        }
    }
    print("Keystroke to echo, nothing else running", &quiet);

    // Each side's own busy sessions, one side after the other: together they would also measure the other's.
    let own = std::env::current_exe()?.to_string_lossy().into_owned();
    let spin = [own.as_str(), "program", "spin"];
    let mut busy = [Vec::new(), Vec::new(), Vec::new()];
    for _ in 0..options.busy {
        tmux.window(&spin)?;
    }
    tmux.until_all_show(1, DRAWN)?;
    settle(&[tmux.pid()?]);
    while busy[1].len() < options.keys {
        for _ in 0..TURN {
            busy[1].push(attached.key()?);
        }
    }
    drop((attached, tmux));
    let spinning = (0..options.busy).map(|_| ours.belfry.session(&spin)).collect::<Result<Vec<_>>>()?;
    ours.belfry.until_all_show(&spinning, DRAWN)?;
    settle(&[vec![ours.belfry.daemon()?], keepers(&spinning)].concat());
    while busy[2].len() < options.keys {
        for _ in 0..TURN {
            busy[0].push(bare.key()?);
        }
        for _ in 0..TURN {
            busy[2].push(ours.key()?);
        }
    }
    print(&format!("Keystroke to echo, beside {} busy sessions of the same side", options.busy), &busy);
    Ok(())
}

fn print(title: &str, sides: &[Vec<f64>; 3]) {
    let names = ["bare PTY", "tmux, attached", "belfry, view"];
    let rows = names.iter().zip(sides).map(|(name, times)| {
        let shown = |share| format!("{:.3} ms", percentile(times, share));
        let over = |share| format!("{:+.3} ms", percentile(times, share) - percentile(&sides[0], share));
        vec![(*name).to_owned(), shown(0.5), shown(0.99), over(0.5), over(0.99)]
    });
    table::print(title, &["", "p50", "p99", "p50 over bare", "p99 over bare"], &rows.collect::<Vec<_>>());
}

/// A terminal whose bytes are read as they come: the bare one, or a client's of tmux.
struct Terminal {
    pty: Bare,
    piece: Vec<u8>,
}

impl Terminal {
    fn bare() -> Result<Self> {
        let mut terminal = Self { pty: Bare::start(&ECHO, &[])?, piece: vec![0; 65536] };
        terminal.until(b'R')?;
        Ok(terminal)
    }

    fn tmux(tmux: &Tmux) -> Result<Self> {
        let mut terminal = Self { pty: tmux.attach()?, piece: vec![0; 65536] };
        // What it draws at first is over once a key comes back.
        terminal.key()?;
        settle(&[tmux.pid()?]);
        Ok(terminal)
    }

    /// Milliseconds.
    fn key(&mut self) -> Result<f64> {
        std::thread::sleep(PAUSE);
        let began = Instant::now();
        self.pty.writer.write_all(&[KEY])?;
        self.until(KEY)?;
        Ok(began.elapsed().as_secs_f64() * 1e3)
    }

    fn until(&mut self, byte: u8) -> Result<()> {
        loop {
            match self.pty.reader.read(&mut self.piece)? {
                0 => bail!("the terminal is gone"),
                count if self.piece[..count].contains(&byte) => return Ok(()),
                _ => {}
            }
        }
    }
}

/// A view of ours.
struct View {
    belfry: Belfry,
    view: ViewId,
}

impl View {
    fn open(mut belfry: Belfry) -> Result<Self> {
        let session = belfry.session(&ECHO)?;
        belfry.until_all_show(std::slice::from_ref(&session), "R")?;
        let view = belfry.view(session.id)?;
        Ok(Self { belfry, view })
    }

    /// Milliseconds.
    fn key(&mut self) -> Result<f64> {
        std::thread::sleep(PAUSE);
        let began = Instant::now();
        self.belfry.link.send(&Frame::Input { view: self.view, bytes: vec![KEY] })?;
        loop {
            if let Frame::Output { view, bytes, .. } = self.belfry.link.next()? {
                let took = began.elapsed();
                self.belfry.grant(view, bytes.len())?;
                if bytes.contains(&KEY) {
                    return Ok(took.as_secs_f64() * 1e3);
                }
            }
        }
    }
}
