//! `cat` of a large file, to the moment at which its end is seen.

use std::io::{Read, Write};
use std::path::Path;
use std::time::{Duration, Instant};

use anyhow::{Result, bail};
use belfry_protocol::frame::Frame;

use crate::material;
use crate::processes::cpu;
use crate::sides::{Bare, Belfry, Mark, Tmux, keepers};
use crate::stats::median;
use crate::table::{self, ratio};

/// What it takes.
#[derive(Debug, clap::Args)]
pub(crate) struct Options {
    /// Size of the file in MB.
    #[arg(long, default_value_t = 200)]
    megabytes: usize,
    /// Runs of each side.
    #[arg(long, default_value_t = 5)]
    rounds: usize,
}

const END: &str = "@@the-end@@";

/// Time and CPU of one run.
#[derive(Clone, Copy, Debug)]
struct Sample {
    time: Duration,
    /// Of the side's own processes; none where nothing but the reader is there.
    cpu: Option<Duration>,
}

/// A side: its name and one run.
type Side = (&'static str, fn(&Run) -> Result<Sample>);

const SIDES: [Side; 5] = [
    ("bare PTY, read and thrown away", bare),
    ("tmux, attached", tmux_attached),
    ("tmux, detached", tmux_detached),
    ("belfry, visible view", belfry_view),
    ("belfry, no view (or hidden)", belfry_alone),
];

/// A run's program waits for a word on a FIFO, so that starting it is not measured.
struct Run {
    script: String,
    fifo: String,
}

impl Run {
    fn new(directory: &Path, file: &Path) -> Result<Self> {
        let fifo = directory.join("go");
        if !fifo.exists() {
            let mode = rustix::fs::Mode::RUSR | rustix::fs::Mode::WUSR;
            rustix::fs::mknodat(rustix::fs::CWD, &fifo, rustix::fs::FileType::Fifo, mode, 0)?;
        }
        let fifo = fifo.to_string_lossy().into_owned();
        let script =
            format!("read word < '{fifo}'; cat '{}'; printf '{END}'; exec sleep 1000", file.display());
        Ok(Self { script, fifo })
    }

    fn command(&self) -> [&str; 3] {
        ["/bin/sh", "-c", &self.script]
    }

    /// Lets the program go on. Opening the FIFO waits for the program, so the clock starts after that.
    fn go(&self) -> Result<Instant> {
        let mut fifo = std::fs::OpenOptions::new().write(true).open(&self.fifo)?;
        let began = Instant::now();
        fifo.write_all(b"go\n")?;
        Ok(began)
    }
}

pub(crate) fn run(options: &Options) -> Result<()> {
    let directory = tempfile::Builder::new().prefix("belfry-bench-cat-").tempdir()?;
    for (kind, line) in
        [("text", material::plain_line as fn(usize) -> String), ("coloured text", material::colored_line)]
    {
        let file = directory.path().join("material");
        let bytes = material::write(&file, options.megabytes << 20, line)?;
        let run = Run::new(directory.path(), &file)?;
        let mut samples = vec![Vec::new(); SIDES.len()];
        for round in 0..options.rounds {
            for (index, (name, side)) in SIDES.iter().enumerate() {
                let sample = side(&run)?;
                eprintln!(
                    "{kind}, {}/{}: {name}: {:.2} s",
                    round + 1,
                    options.rounds,
                    sample.time.as_secs_f64()
                );
                samples[index].push(sample);
            }
        }
        print(kind, bytes, options.rounds, &samples);
    }
    Ok(())
}

fn print(kind: &str, bytes: u64, rounds: usize, samples: &[Vec<Sample>]) {
    let times: Vec<f64> = samples
        .iter()
        .map(|samples| median(&samples.iter().map(|sample| sample.time.as_secs_f64()).collect::<Vec<_>>()))
        .collect();
    let rows = SIDES.iter().zip(samples).zip(&times).map(|(((name, _), samples), &time)| {
        let cpus: Vec<f64> = samples.iter().filter_map(|sample| Some(sample.cpu?.as_secs_f64())).collect();
        vec![
            (*name).to_owned(),
            format!("{time:.2} s"),
            format!("{:.0}", bytes as f64 / 1e6 / time),
            if cpus.is_empty() { "-".to_owned() } else { format!("{:.2} s", median(&cpus)) },
            ratio(time, times[0]),
            ratio(time, times[1]),
        ]
    });
    let title = format!("cat of {} MB of {kind}, median of {rounds}", bytes >> 20);
    table::print(
        &title,
        &["", "time", "MB/s", "CPU", "/ bare", "/ tmux attached"],
        &rows.collect::<Vec<_>>(),
    );
}

/// Reads until the end is seen.
fn read_to_end(reader: &mut dyn Read) -> Result<Instant> {
    let (mut mark, mut piece) = (Mark::new(END), vec![0; 256 * 1024]);
    loop {
        match reader.read(&mut piece)? {
            0 => bail!("the program ended early"),
            count if mark.seen(&piece[..count]) => return Ok(Instant::now()),
            _ => {}
        }
    }
}

fn bare(run: &Run) -> Result<Sample> {
    let mut pty = Bare::start(&run.command(), &[])?;
    let began = run.go()?;
    Ok(Sample { time: read_to_end(&mut pty.reader)? - began, cpu: None })
}

fn tmux_attached(run: &Run) -> Result<Sample> {
    let tmux = Tmux::start(&run.command())?;
    let mut client = tmux.attach()?;
    let server = [tmux.pid()?];
    let before = cpu(&server);
    let began = run.go()?;
    let time = read_to_end(&mut client.reader)? - began;
    Ok(Sample { time, cpu: Some(cpu(&server).saturating_sub(before)) })
}

fn tmux_detached(run: &Run) -> Result<Sample> {
    let tmux = Tmux::start(&run.command())?;
    let server = [tmux.pid()?];
    let before = cpu(&server);
    let began = run.go()?;
    loop {
        // A look costs a process: seldom enough not to matter in seconds.
        std::thread::sleep(Duration::from_millis(20));
        if tmux.run(&["capture-pane", "-p"])?.contains(END) {
            return Ok(Sample { time: began.elapsed(), cpu: Some(cpu(&server).saturating_sub(before)) });
        }
    }
}

fn belfry_view(run: &Run) -> Result<Sample> {
    let mut belfry = Belfry::start()?;
    let session = belfry.session(&run.command())?;
    let view = belfry.view(session.id)?;
    let processes = [keepers(&[session]), vec![belfry.daemon()?]].concat();
    let before = cpu(&processes);
    let began = run.go()?;
    let mut mark = Mark::new(END);
    loop {
        if let Frame::Output { view: from, bytes, .. } = belfry.link.next()? {
            belfry.grant(from, bytes.len())?;
            if from == view && mark.seen(&bytes) {
                return Ok(Sample {
                    time: began.elapsed(),
                    cpu: Some(cpu(&processes).saturating_sub(before)),
                });
            }
        }
    }
}

fn belfry_alone(run: &Run) -> Result<Sample> {
    let mut belfry = Belfry::start()?;
    let session = belfry.session(&run.command())?;
    let processes = [keepers(std::slice::from_ref(&session)), vec![belfry.daemon()?]].concat();
    let before = cpu(&processes);
    let began = run.go()?;
    loop {
        std::thread::sleep(Duration::from_millis(20));
        if belfry.screen(session.id)?.contains(END) {
            return Ok(Sample { time: began.elapsed(), cpu: Some(cpu(&processes).saturating_sub(before)) });
        }
    }
}
