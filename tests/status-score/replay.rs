//! Replaying a recording.

use belfry_agents::Agent;
use belfry_daemon::watch::{Known, Watch, table};
use belfry_protocol::Status;
use belfry_protocol::signal::Source;
use belfry_status::{Arbiter, Observation};
use belfry_terminal::{Options as TerminalOptions, Terminal};

use super::{AskSeen, AskTruth, Chunks, Happening, Labels, Recording, Timeline, TrueStatus};

/// How it is replayed.
#[derive(Clone, Copy, Debug)]
pub struct Options {
    /// In which pieces.
    pub chunks: Chunks,
    /// With nothing but the screen, the output and the keys.
    pub screens_only: bool,
}

/// How long after a question has come up it is looked at, in milliseconds: it must have been read by then.
const READ_BY: u64 = 300;

/// The recording's beginning by the replay's clock, in milliseconds: nothing may rest on a clock that starts at 0.
const EPOCH: u64 = 100_000;

/// Replays it. What was said, and what was read of each question.
pub fn replay(
    recording: &Recording,
    labels: &Labels,
    agent: &Agent,
    options: Options,
) -> (Timeline, Vec<AskSeen>) {
    let known = Some(Known { agent, version: Some(&labels.version) });
    let terminal = Terminal::new(recording.size, TerminalOptions::default());
    let watch = Watch::new(begin(labels, known));
    let watch = if options.screens_only { watch.eyes_only() } else { watch };
    let mut run =
        Run { watch, terminal, known, timeline: Timeline::default(), asks: Vec::new(), again: None };
    run.note(0);
    let mut replaying = labels.middle;
    let mut probes = probes(labels).into_iter().peekable();
    for (at, happening) in options.chunks.of(recording) {
        while let Some((probe, truth)) = probes.next_if(|(probe, _)| *probe < at) {
            run.probe(probe, truth);
        }
        run.pass(at);
        match happening {
            Happening::Output(bytes) => {
                let offset = run.terminal.offset();
                let events: Vec<_> =
                    run.terminal.feed(&bytes, offset).events.into_iter().map(|event| event.kind).collect();
                run.watch.printed(&mut run.terminal, known, bytes.len(), &events, EPOCH + at);
            }
            Happening::Input(bytes) => run.watch.typed(&bytes, EPOCH + at),
            Happening::Resize(size) => {
                run.terminal.resize(size);
                run.watch.resized(&run.terminal, EPOCH + at);
            }
        }
        if std::mem::take(&mut replaying) {
            run.watch.arbiter().observe(Observation::CaughtUp, EPOCH + at);
        }
        run.note(at);
    }
    for (probe, truth) in probes {
        run.probe(probe, truth);
    }
    run.pass(labels.ends());
    (run.timeline, run.asks)
}

/// A run that begins, or one that is found alive in the middle of it.
fn begin(labels: &Labels, known: Option<Known<'_>>) -> Arbiter {
    const ALL: [Status; 4] = [Status::Idle, Status::Running, Status::Waiting, Status::Starting];
    let first = labels.truth.first().and_then(|truth| ALL.into_iter().find(|status| truth.accepts(*status)));
    match first {
        Some(last) if labels.middle => Arbiter::resumed(table(known), last, Source::Screen, EPOCH),
        _ => Arbiter::new(table(known), EPOCH),
    }
}

/// When to look at the questions that are asked.
fn probes(labels: &Labels) -> Vec<(u64, AskTruth)> {
    let ends = labels.truth.iter().skip(1).map(super::Truth::unclear_from).chain([labels.ends()]);
    let asked = labels.truth.iter().zip(ends).filter(|(truth, _)| truth.status == TrueStatus::Waiting);
    asked
        .filter_map(|(truth, end)| {
            let at = (truth.from() + READ_BY).min(truth.from().midpoint(end));
            Some((at, truth.ask.clone()?))
        })
        .collect()
}

struct Run<'a> {
    watch: Watch,
    terminal: Terminal,
    known: Option<Known<'a>>,
    timeline: Timeline,
    asks: Vec<AskSeen>,
    /// When the verdict could be another one, by the replay's clock.
    again: Option<u64>,
}

impl Run<'_> {
    /// Lets time pass, up to that moment.
    fn pass(&mut self, to: u64) {
        loop {
            let due = [self.watch.due(), self.again].into_iter().flatten().min();
            let Some(due) = due.filter(|due| *due < EPOCH + to) else { return };
            let before = (self.watch.due(), self.again);
            self.watch.tick(&mut self.terminal, self.known, due);
            self.note(due.max(EPOCH) - EPOCH);
            assert_ne!(before, (self.watch.due(), self.again), "it comes back for nothing");
        }
    }

    /// What is read of the question that is open at that moment.
    fn probe(&mut self, at: u64, truth: AskTruth) {
        self.pass(at);
        self.asks.push(AskSeen { at, truth, dialog: self.watch.reading().dialog.clone() });
    }

    fn note(&mut self, at: u64) {
        let verdict = self.watch.verdict(EPOCH + at);
        self.again = verdict.again_at.map(|again| again.max(EPOCH + at + 1));
        self.timeline.note(&verdict, at);
    }
}
