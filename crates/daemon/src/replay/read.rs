//! A place in a recording, and what follows it.

use std::ops::ControlFlow;

use belfry_journal::{Entry, JournalError, Reader, What};
use belfry_protocol::frame::MAX_PIECE;
use belfry_protocol::recording::{RecordedRun, RecordingLine};
use belfry_protocol::{RunId, SessionId};
use belfry_terminal::{Options, Scope, Size, Terminal};
use tokio::sync::mpsc;

use super::Journals;
use super::keyframes::{APART, Keyframes};
use super::survey::Clock;
use crate::export::{give, whole_characters};

/// Lines above the screen that a picture has.
pub(super) const ABOVE: usize = 500;

/// Output that is fed at once on the way to a place: large pieces cost less than their parts, as the terminal passes over
/// lines that nobody will see.
const STRIDE: usize = 256 * 1024;

/// A place in a session's recording, with the terminal as it was there.
pub(crate) struct Playhead {
    session: SessionId,
    runs: Vec<RecordedRun>,
    /// Of each run, at its beginning: it stays what it was, however much of the run's oldest part is dropped meanwhile.
    clocks: Vec<Clock>,
    journals: Journals,
    options: Options,
    place: Option<Place>,
    keyframes: Keyframes,
}

struct Place {
    run: usize,
    reader: Reader,
    clock: Clock,
    terminal: Terminal,
    /// Where that is, in milliseconds: everything up to there is in the terminal.
    at: u64,
    torn: Torn,
    /// The output at which it was last seen whether a keyframe is wanted.
    looked: u64,
}

/// Output as text: a character that was torn waits for its rest.
#[derive(Default)]
struct Torn(Vec<u8>);

impl Torn {
    fn text(&mut self, bytes: &[u8]) -> String {
        self.0.extend_from_slice(bytes);
        let end = whole_characters(&self.0);
        let rest = self.0.split_off(end);
        let text = String::from_utf8_lossy(&self.0).into_owned();
        self.0 = rest;
        text
    }
}

/// Output on the way to a place, not yet fed.
#[derive(Default)]
struct Way {
    bytes: Vec<u8>,
    /// Of the first of them.
    offset: u64,
}

impl Way {
    fn add(&mut self, bytes: &[u8], offset: u64, terminal: &mut Terminal) {
        if self.bytes.is_empty() {
            self.offset = offset;
        }
        self.bytes.extend_from_slice(bytes);
        if self.bytes.len() >= STRIDE {
            self.end(terminal);
        }
    }

    fn end(&mut self, terminal: &mut Terminal) {
        if !self.bytes.is_empty() {
            terminal.feed(&self.bytes, self.offset);
            self.bytes.clear();
        }
    }
}

/// What is written to the client, piece by piece.
struct Out<'a> {
    lines: Vec<u8>,
    pieces: &'a mpsc::Sender<Vec<u8>>,
    /// Nobody listens any more.
    gone: bool,
    /// Output written.
    bytes: usize,
}

impl Out<'_> {
    fn line(&mut self, line: &RecordingLine) {
        // A Vec takes every byte, and the values have nothing that could fail.
        let _ = serde_json::to_writer(&mut self.lines, line);
        self.lines.push(b'\n');
        if self.lines.len() >= MAX_PIECE / 2 {
            self.flush();
        }
    }

    fn flush(&mut self) {
        self.gone |= give(&mut self.lines, self.pieces).is_err();
    }
}

impl Playhead {
    /// Whether it is in that session's recording, with that as its newest run.
    pub(super) fn is_of(&self, session: SessionId, newest: Option<RunId>) -> bool {
        self.session == session && self.journals.last().map(|(run, _)| *run) == newest
    }

    pub(super) fn new(
        session: SessionId,
        (runs, clocks): (Vec<RecordedRun>, Vec<Clock>),
        journals: Journals,
        options: Options,
    ) -> Self {
        Self { session, runs, clocks, journals, options, place: None, keyframes: Keyframes::new(APART) }
    }

    /// Of each run, at its beginning.
    pub(super) fn clocks(&self) -> &[Clock] {
        &self.clocks
    }

    /// Writes a picture of what was there at `from` (none where that is where the last piece ended, unless it is asked for),
    /// and what follows, until about so much output is written. Blocks.
    pub(super) fn read(
        &mut self,
        (from, picture): (u64, bool),
        bytes: u32,
        pieces: &mpsc::Sender<Vec<u8>>,
    ) -> Result<(), JournalError> {
        let mut out = Out { lines: Vec::new(), pieces, gone: false, bytes: 0 };
        let budget = bytes as usize;
        let here = self.runs.iter().rposition(|run| run.from <= from).unwrap_or(0);
        let on = |place: &Place| place.at == from && !picture;
        // What lies behind it is not read again on the way to a later place of its run, unless a keyframe is nearer.
        let nearest = self.keyframes.before(here, from).map_or(0, |frame| frame.at);
        let before = |place: &Place| place.run == here && (nearest..=from).contains(&place.at);
        self.place = self.place.take().filter(|place| on(place) || before(place));
        let mut first = !self.place.as_ref().is_some_and(on);
        if let Some(place) = self.place.as_mut().filter(|_| first) {
            place.torn = Torn::default();
        }
        let mut run = self.place.as_ref().map_or(here, |place| place.run);
        let mut nearest = Some(from);
        let next = loop {
            let Some(mut place) = (match self.place.take() {
                Some(place) => Some(place),
                None => self.open(run, nearest.take())?,
            }) else {
                if first {
                    out.line(&RecordingLine::Picture { at: 0, cols: 80, rows: 24, text: String::new() });
                }
                break None;
            };
            let full = place.go(from, budget, first, &mut out, &self.options, &mut self.keyframes)?;
            let at = place.at;
            if budget == 0 {
                // What was read to find the place is not shown, so that it cannot be read on from there.
                break Some(from);
            }
            if full || out.gone {
                self.place = Some(place);
                break Some(at);
            }
            run += 1;
            if run >= self.runs.len() {
                self.place = Some(place);
                break None;
            }
            // The next run's terminal is a new one: its picture says so.
            first = true;
        };
        out.line(&RecordingLine::End { next });
        out.flush();
        Ok(())
    }

    /// The beginning of a run, or the keyframe that is nearest before a place of it.
    fn open(&self, run: usize, before: Option<u64>) -> Result<Option<Place>, JournalError> {
        let Some(known) = self.runs.get(run) else { return Ok(None) };
        let Some((_, journal)) = self.journals.iter().find(|(id, _): &&(RunId, _)| *id == known.run) else {
            return Ok(None);
        };
        if let Some(frame) = before.and_then(|at| self.keyframes.before(run, at)) {
            let reader = Reader::open_at(journal, frame.offset)?;
            let terminal = frame.terminal(self.options.clone());
            let (clock, at) = (frame.clock, frame.at);
            return Ok(Some(Place {
                run,
                reader,
                clock,
                terminal,
                at,
                torn: Torn::default(),
                looked: frame.offset,
            }));
        }
        let reader = Reader::open(journal)?;
        let terminal = Terminal::new(Size::new(80, 24), self.options.clone());
        let clock = self.clocks.get(run).copied().unwrap_or_else(|| Clock::new(known.from));
        Ok(Some(Place { run, reader, clock, terminal, at: known.from, torn: Torn::default(), looked: 0 }))
    }
}

impl Place {
    /// True where so much was written that the rest must wait.
    fn go(
        &mut self,
        from: u64,
        budget: usize,
        picture: bool,
        out: &mut Out<'_>,
        options: &Options,
        keyframes: &mut Keyframes,
    ) -> Result<bool, JournalError> {
        let Self { run, reader, clock, terminal, at: reached, torn, looked } = self;
        let mut way = Way::default();
        let mut drawn = !picture;
        let mut full = false;
        reader.for_each(|entry| {
            let at = clock.at(entry.stamp);
            if !drawn {
                if at <= from {
                    if let What::Output(bytes) = entry.what {
                        way.add(bytes, entry.offset, terminal);
                    } else {
                        way.end(terminal);
                        size_or_gap(terminal, &entry, options);
                    }
                    *reached = at;
                    if entry.offset >= looked.saturating_add(keyframes.stride()) {
                        *looked = entry.offset;
                        way.end(terminal);
                        keyframes.keep(*run, at, *clock, terminal);
                    }
                    return ControlFlow::Continue(());
                }
                way.end(terminal);
                draw(terminal, from.max(*reached), out);
                drawn = true;
                if budget == 0 {
                    return ControlFlow::Break(());
                }
            }
            *reached = at;
            match entry.what {
                What::Output(bytes) => {
                    let fed = terminal.feed(bytes, entry.offset);
                    let text = torn.text(&fed.view.bytes);
                    if !text.is_empty() {
                        out.bytes += text.len();
                        out.line(&RecordingLine::Output { at, text });
                    }
                }
                What::Resize { .. } => {
                    let before = terminal.size();
                    size_or_gap(terminal, &entry, options);
                    let size = terminal.size();
                    if size != before {
                        out.line(&RecordingLine::Resize { at, cols: size.cols, rows: size.rows });
                    }
                }
                What::Gap(_) => {
                    size_or_gap(terminal, &entry, options);
                    *torn = Torn::default();
                    draw(terminal, at, out);
                }
                What::Input { .. } | What::Exit(_) => {}
            }
            if entry.offset >= looked.saturating_add(keyframes.stride()) {
                *looked = entry.offset;
                keyframes.keep(*run, at, *clock, terminal);
            }
            full = out.bytes >= budget || out.gone;
            if full { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        })?;
        if !drawn {
            way.end(terminal);
            draw(terminal, (*reached).max(from), out);
        }
        Ok(full)
    }
}

fn size_or_gap(terminal: &mut Terminal, entry: &Entry<'_>, options: &Options) {
    match entry.what {
        What::Resize { cols, rows } => {
            let size = Size::new(cols, rows).clamped();
            if size != terminal.size() {
                terminal.resize(size);
            }
        }
        What::Gap(gap) => {
            *terminal = Terminal::new(Size::new(gap.size.0, gap.size.1), options.clone());
            terminal.feed(&[], gap.to);
        }
        What::Output(_) | What::Input { .. } | What::Exit(_) => {}
    }
}

fn draw(terminal: &Terminal, at: u64, out: &mut Out<'_>) {
    let snapshot = terminal.snapshot(Scope::Recent(ABOVE));
    out.line(&RecordingLine::Picture {
        at,
        cols: snapshot.size.cols,
        rows: snapshot.size.rows,
        text: String::from_utf8_lossy(&snapshot.bytes).into_owned(),
    });
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use belfry_journal::{Stamp, Writer};
    use belfry_protocol::RunId;

    use super::*;

    const LINES: u64 = 20_000;

    fn stamp(line: u64) -> Stamp {
        Stamp { mono: 1_000_000 + line * 1000, wall: 1_700_000_000_000_000 + line * 1000 }
    }

    /// A line each millisecond, in colours that last, with another size now and then.
    fn written(dir: &Path) {
        let mut writer = Writer::create(dir, 1 << 30, (80, 24), stamp(0)).unwrap();
        for line in 0..LINES {
            if line % 6000 == 5999 {
                let cols = if line % 12_000 == 5999 { 100 } else { 80 };
                writer.resize(stamp(line), cols, 24).unwrap();
            }
            let end = if line % 3 == 0 { "\u{1b}[m" } else { "" };
            let text = format!("\u{1b}[3{}mline {line} ü{end}\r\n", line % 8);
            writer.output(stamp(line), text.as_bytes()).unwrap();
        }
    }

    fn playhead(dir: &Path) -> Playhead {
        let run = RunId::at(1);
        let runs = vec![RecordedRun { run, from: 0, to: LINES, began: jiff::Timestamp::UNIX_EPOCH }];
        let journals = vec![(run, dir.to_owned())];
        let mut playhead =
            Playhead::new(SessionId::at(1), (runs, vec![Clock::new(0)]), journals, Options::default());
        playhead.keyframes = Keyframes::new(16 * 1024);
        playhead
    }

    fn read(playhead: &mut Playhead, from: u64) -> Vec<String> {
        let (pieces, mut told) = mpsc::channel(1000);
        playhead.read((from, true), 2000, &pieces).unwrap();
        let mut bytes = Vec::new();
        while let Ok(piece) = told.try_recv() {
            bytes.extend(piece);
        }
        String::from_utf8(bytes).unwrap().lines().map(str::to_owned).collect()
    }

    #[test]
    fn a_place_is_the_same_from_wherever_it_is_come_to() {
        let dir = tempfile::tempdir().unwrap();
        let dir = dir.path();
        written(dir);
        let mut used = playhead(dir);
        for from in [15_000, 3000, 19_999, 6000, 6001, 5998, 12_345, 12_346, 0, 18_000, 100, 25_000] {
            assert_eq!(read(&mut used, from), read(&mut playhead(dir), from), "at {from}");
        }
        assert!(used.keyframes.before(0, LINES).is_some(), "none was kept");
        assert!(used.keyframes.before(0, 10).is_none());
    }
}
