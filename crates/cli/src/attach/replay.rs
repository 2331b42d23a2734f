//! `belfry replay`: a session's recording, played in this terminal.
//!
//! What was printed is fed into a terminal of our own, and pictures of that are drawn: a recording has one size, and whoever
//! watches another.

mod player;

use std::io::{IsTerminal, Write};
use std::time::Duration;

use belfry_client::{ClientError, Connection, Incoming};
use belfry_protocol::launch::Size;
use belfry_protocol::recording::{MarkKind, RecordingLine};
use belfry_protocol::{Event, Reply, Request, StreamId};
use tokio::time::Instant;

use super::key::DetachKey;
use super::person::{Deeds, Done, Person};
use super::{outer, picture};
use crate::args::ReplayArgs;
use crate::context::{Context, unexpected};
use crate::failure::{Exit, Failure};
use crate::print::plain;

use player::Player;

/// The stream that a piece comes in. One is read at a time.
const STREAM: StreamId = StreamId(1);

/// Output that is asked for at once, in bytes.
const PIECE: u32 = 1024 * 1024;

/// Time between two pictures.
const FRAME: Duration = Duration::from_millis(33);

/// How far an arrow key goes, in milliseconds.
const JUMP: i64 = 10_000;

/// Plays it until the person leaves.
pub(crate) async fn run(context: &Context, args: ReplayArgs) -> Result<(), Failure> {
    let connection = context.connect().await?;
    let request = Request::ShowRecording { session: args.which.session.clone() };
    let recording = match connection.request(request).await? {
        Reply::Recording(recording) => *recording,
        other => return Err(unexpected(&other)),
    };
    if context.printer.json {
        return Ok(crate::print::value(&recording)?);
    }
    if !std::io::stdin().is_terminal() || !std::io::stdout().is_terminal() {
        return Err(Failure::usage("Playing a recording needs a terminal, and this is none.").next(
            "`belfry replay --json` tells what there is; `belfry export --asciicast` writes it to a file.",
        ));
    }
    if recording.bytes == 0 {
        let text = format!("Nothing is recorded of {}.", plain(&args.which.session));
        return Err(Failure::new(Exit::Failed, "no_recording", text)
            .next("A private session keeps none, and what is past the journal's limit is gone."));
    }
    let failed = |error| Failure::failed(format!("The terminal cannot be set up: {error}."));
    // No key leaves without being asked: all of them are ours here.
    let (mut person, deeds) = Person::new(DetachKey::none()).map_err(failed)?;
    let _outer = outer::Outer::enter().map_err(failed)?;
    let mut replay = Replay {
        connection,
        session: args.which.session,
        player: Player::new(recording, args.speed, (args.idle * 1000.0) as u64),
        deeds,
        here: outer::size().unwrap_or(Size { cols: 80, rows: 24 }),
    };
    tokio::select! {
        ended = replay.play(args.from.unwrap_or(0)) => ended,
        left = person.leaves() => left.map(drop),
    }
}

struct Replay {
    connection: Connection,
    session: String,
    player: Player,
    deeds: Deeds,
    /// The outer terminal's size.
    here: Size,
}

impl Replay {
    async fn play(&mut self, from: u64) -> Result<(), Failure> {
        self.seek(from).await?;
        let mut last = Instant::now();
        loop {
            let now = Instant::now();
            self.player.pass(now - last);
            last = now;
            while let Some(next) = self.player.wants() {
                self.fetch(next, false).await?;
                // However long that took, nothing of the recording passed meanwhile.
                last = Instant::now();
                self.player.pass(Duration::ZERO);
            }
            self.draw()?;
            let pause = (!self.player.playing()).then_some(());
            let done = tokio::select! {
                done = self.deeds.next() => done,
                () = tokio::time::sleep(FRAME), if pause.is_none() => continue,
            };
            last = if pause.is_some() { Instant::now() } else { last };
            match done {
                Done::Bytes(bytes) => {
                    self.deeds.left(bytes.len());
                    if self.typed(&bytes).await? {
                        return Ok(());
                    }
                }
                Done::Resized | Done::Back => self.here = outer::size().unwrap_or(self.here),
                Done::Dropped(_) | Done::Focus(_) => {}
            }
        }
    }

    /// Whether the person wants out.
    async fn typed(&mut self, bytes: &[u8]) -> Result<bool, Failure> {
        for key in keys(bytes) {
            match key {
                Key::Leave => return Ok(true),
                Key::Pause => {
                    if self.player.over() {
                        self.seek(0).await?;
                    } else {
                        self.player.toggle();
                    }
                }
                Key::By(millis) => self.seek(self.player.at().saturating_add_signed(millis)).await?,
                Key::Mark(later) => {
                    if let Some(at) = self.player.mark(later) {
                        self.seek(at).await?;
                    }
                }
                Key::Start => self.seek(0).await?,
                Key::End => self.seek(u64::MAX).await?,
                Key::Speed(factor) => self.player.speed(factor),
                Key::Pauses => self.player.toggle_pauses(),
            }
        }
        Ok(false)
    }

    async fn seek(&mut self, at: u64) -> Result<(), Failure> {
        let at = at.min(self.player.length());
        self.player.go(at);
        self.fetch(at, true).await
    }

    /// Reads a piece.
    async fn fetch(&mut self, from: u64, picture: bool) -> Result<(), Failure> {
        let session = self.session.clone();
        let request = Request::ReadRecording { session, from, picture, bytes: PIECE, stream: STREAM };
        self.connection.request(request).await?;
        let mut text = Vec::new();
        loop {
            match self.connection.next().await {
                Some(Incoming::Blob { stream: STREAM, bytes }) if bytes.is_empty() => break,
                Some(Incoming::Blob { stream: STREAM, bytes }) => text.extend_from_slice(&bytes),
                Some(Incoming::Event(event)) => {
                    if let Event::StreamFailed { stream: STREAM, error } = *event {
                        return Err(error.into());
                    }
                }
                Some(_) => {}
                None => return Err(ClientError::Lost.into()),
            }
        }
        let lines = text.split(|&byte| byte == b'\n').filter(|line| !line.is_empty());
        // A line of a newer daemon that is not understood is passed over.
        self.player.take(lines.filter_map(|line| serde_json::from_slice::<RecordingLine>(line).ok()));
        Ok(())
    }

    fn draw(&mut self) -> Result<(), Failure> {
        let text = self.bar();
        if let Some(screen) = self.player.screen(&text, self.here) {
            let drawn = picture::draw(&screen, self.here, Some(&text));
            let mut out = std::io::stdout().lock();
            out.write_all(&drawn)?;
            out.flush()?;
        }
        Ok(())
    }

    fn bar(&self) -> String {
        let player = &self.player;
        let sign = match (player.over(), player.playing()) {
            (true, _) => "■",
            (_, true) => "▶",
            _ => "‖",
        };
        let line = player.line(usize::from(self.here.cols / 4).clamp(8, 40));
        let (at, length) = (clock(player.at()), clock(player.length()));
        let mut text = format!("{sign} {at} {line} {length}  {}×", player.speed_shown());
        if let Some(mark) = player.latest() {
            text.push_str("  ");
            text.push_str(&said(mark.kind, &mark.text));
        }
        text.push_str("  ·  space pauses, ←→ 10 s, n p marks, + - speed, i pauses kept, q leaves");
        text
    }
}

/// A mark, for a person.
pub(super) fn said(kind: MarkKind, text: &str) -> String {
    let word = match kind {
        MarkKind::Run => "started",
        MarkKind::Turn => "began to work",
        MarkKind::Ask => "asked",
        MarkKind::Blocked => "blocked",
    };
    if text.is_empty() { word.to_owned() } else { format!("{word}: {}", plain(text)) }
}

/// `1:05`, `2:03:04`.
fn clock(millis: u64) -> String {
    let seconds = millis / 1000;
    let (hours, minutes, seconds) = (seconds / 3600, seconds / 60 % 60, seconds % 60);
    if hours > 0 { format!("{hours}:{minutes:02}:{seconds:02}") } else { format!("{minutes}:{seconds:02}") }
}

/// What a key asks for.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Key {
    Leave,
    Pause,
    /// So many milliseconds on or back.
    By(i64),
    /// To the next mark, or the one before.
    Mark(bool),
    Start,
    End,
    /// So many times as fast.
    Speed(f64),
    /// Long pauses are kept, or not.
    Pauses,
}

fn keys(bytes: &[u8]) -> Vec<Key> {
    let mut keys = Vec::new();
    let mut rest = bytes;
    while let Some((&first, more)) = rest.split_first() {
        let (key, length) = match (first, more) {
            (0x1b, [b'[' | b'O', b'C', ..]) => (Some(Key::By(JUMP)), 3),
            (0x1b, [b'[' | b'O', b'D', ..]) => (Some(Key::By(-JUMP)), 3),
            (0x1b, [b'[' | b'O', b'H', ..]) => (Some(Key::Start), 3),
            (0x1b, [b'[' | b'O', b'F', ..]) => (Some(Key::End), 3),
            (0x1b, [b'[', sequence @ ..]) => {
                // Another key's sequence: passed over whole.
                let end = sequence.iter().position(|byte| (0x40..=0x7e).contains(byte));
                (None, end.map_or(rest.len(), |end| end + 3))
            }
            (0x1b, [b'O', _, ..]) => (None, 3),
            (0x1b | 3 | 4 | b'q' | b'Q', _) => (Some(Key::Leave), 1),
            (b' ' | b'k', _) => (Some(Key::Pause), 1),
            (b'l', _) => (Some(Key::By(JUMP)), 1),
            (b'h', _) => (Some(Key::By(-JUMP)), 1),
            (b'n', _) => (Some(Key::Mark(true)), 1),
            (b'p', _) => (Some(Key::Mark(false)), 1),
            (b'0' | b'g', _) => (Some(Key::Start), 1),
            (b'$' | b'G', _) => (Some(Key::End), 1),
            (b'+' | b'=', _) => (Some(Key::Speed(2.0)), 1),
            (b'-', _) => (Some(Key::Speed(0.5)), 1),
            (b'i', _) => (Some(Key::Pauses), 1),
            _ => (None, 1),
        };
        keys.extend(key);
        rest = &rest[length.min(rest.len())..];
    }
    keys
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_are_told_apart() {
        assert_eq!(keys(b"\x1b[C \x1b[Dq"), [Key::By(JUMP), Key::Pause, Key::By(-JUMP), Key::Leave]);
        assert_eq!(keys(b"\x1b[1;5Cn\x1bOP+"), [Key::Mark(true), Key::Speed(2.0)]);
        assert_eq!(keys(b"\x1b"), [Key::Leave]);
        assert_eq!(keys("ü".as_bytes()), []);
    }

    #[test]
    fn times_for_people() {
        assert_eq!(
            (clock(0).as_str(), clock(65_900).as_str(), clock(7_384_000).as_str()),
            ("0:00", "1:05", "2:03:04")
        );
    }
}
