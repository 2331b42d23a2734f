//! Where a recording is, and what its terminal shows there. Pure but for the time that it is told has passed.

use std::collections::VecDeque;
use std::time::Duration;

use belfry_protocol::launch::Size;
use belfry_protocol::recording::{Mark, Recording, RecordingLine};
use belfry_protocol::reply::Screen;
use belfry_terminal::{Options, Scope, Terminal};

/// How fast and how slow it can be played.
const SPEEDS: (f64, f64) = (0.125, 256.0);

/// A mark that is nearer than this, in milliseconds, is where we are: the one before it is meant.
const HERE: u64 = 1000;

pub(super) struct Player {
    recording: Recording,
    terminal: Terminal,
    /// What is read and not shown yet.
    lines: VecDeque<RecordingLine>,
    /// Where to read on; none at the end.
    next: Option<u64>,
    /// A piece has been read since the last jump.
    read: bool,
    /// Where we are, in milliseconds.
    at: f64,
    /// When something was printed last.
    printed: u64,
    playing: bool,
    speed: f64,
    /// Pauses that are longer than so many milliseconds are cut to that; none keeps them.
    longest: Option<u64>,
    given_longest: u64,
    /// The bar and the size that were drawn last, and whether the screen has changed since.
    drawn: (String, Size),
    changed: bool,
}

impl Player {
    /// `longest` is in milliseconds; 0 keeps all pauses.
    pub(super) fn new(recording: Recording, speed: f64, longest: u64) -> Self {
        Self {
            recording,
            terminal: Terminal::new(belfry_terminal::Size::new(80, 24), Options::default()),
            lines: VecDeque::new(),
            next: None,
            read: false,
            at: 0.0,
            printed: 0,
            playing: true,
            speed: speed.clamp(SPEEDS.0, SPEEDS.1),
            longest: (longest > 0).then_some(longest),
            given_longest: if longest > 0 { longest } else { 2000 },
            drawn: (String::new(), Size { cols: 0, rows: 0 }),
            changed: true,
        }
    }

    pub(super) fn length(&self) -> u64 {
        self.recording.length
    }

    /// Where we are, in milliseconds.
    pub(super) fn at(&self) -> u64 {
        (self.at as u64).min(self.length())
    }

    /// Nothing follows.
    pub(super) fn over(&self) -> bool {
        self.read && self.lines.is_empty() && self.next.is_none()
    }

    pub(super) fn playing(&self) -> bool {
        self.playing && !self.over()
    }

    pub(super) fn toggle(&mut self) {
        self.playing = !self.playing;
    }

    pub(super) fn toggle_pauses(&mut self) {
        self.longest = if self.longest.is_some() { None } else { Some(self.given_longest) };
    }

    pub(super) fn speed(&mut self, factor: f64) {
        self.speed = (self.speed * factor).clamp(SPEEDS.0, SPEEDS.1);
    }

    pub(super) fn speed_shown(&self) -> f64 {
        self.speed
    }

    /// Jumps there; a picture follows with [`Player::take`].
    pub(super) fn go(&mut self, at: u64) {
        self.at = at as f64;
        self.printed = at;
        self.lines.clear();
        self.next = None;
        self.read = false;
        self.playing = true;
    }

    /// Takes what was read.
    pub(super) fn take(&mut self, lines: impl Iterator<Item = RecordingLine>) {
        self.read = true;
        self.next = None;
        for line in lines {
            match line {
                RecordingLine::End { next } => self.next = next,
                line => self.lines.push_back(line),
            }
        }
    }

    /// Where to read on, where that is needed now.
    pub(super) fn wants(&self) -> Option<u64> {
        if self.lines.is_empty() { self.next } else { None }
    }

    /// Time passes: shows what is due.
    pub(super) fn pass(&mut self, time: Duration) {
        if self.playing() {
            self.at += time.as_secs_f64() * 1000.0 * self.speed;
        }
        while let Some(due) = self.lines.front().and_then(due_at) {
            if due as f64 > self.at {
                let Some(longest) = self.longest.filter(|_| self.playing) else { break };
                if self.at < (self.printed + longest) as f64 {
                    break;
                }
                self.at = due as f64;
            }
            if let Some(line) = self.lines.pop_front() {
                self.show(line);
                self.printed = self.printed.max(due);
            }
        }
        if self.over() {
            self.at = self.length() as f64;
        }
    }

    fn show(&mut self, line: RecordingLine) {
        self.changed = true;
        match line {
            RecordingLine::Picture { cols, rows, text, .. } => {
                self.terminal = Terminal::new(belfry_terminal::Size::new(cols, rows), Options::default());
                self.terminal.feed(text.as_bytes(), 0);
            }
            RecordingLine::Output { text, .. } => {
                let offset = self.terminal.offset();
                self.terminal.feed(text.as_bytes(), offset);
            }
            RecordingLine::Resize { cols, rows, .. } => {
                self.terminal.resize(belfry_terminal::Size::new(cols, rows).clamped());
            }
            RecordingLine::End { .. } => {}
        }
    }

    /// The screen, where it or what is said below it has changed since the last call.
    pub(super) fn screen(&mut self, below: &str, here: Size) -> Option<Screen> {
        if !self.changed && self.drawn.0 == below && self.drawn.1 == here {
            return None;
        }
        self.changed = false;
        self.drawn = (below.to_owned(), here);
        let (size, cursor) = (self.terminal.size(), self.terminal.cursor());
        Some(Screen {
            text: String::from_utf8_lossy(&self.terminal.ansi(Scope::Screen)).into_owned(),
            size: Size { cols: size.cols, rows: size.rows },
            cursor_col: cursor.col,
            cursor_row: cursor.row,
            cursor_visible: cursor.visible,
            alternate: false,
            title: None,
            offset: 0,
        })
    }

    /// The next mark, or the one before, in milliseconds.
    pub(super) fn mark(&self, later: bool) -> Option<u64> {
        let at = self.at();
        let marks = self.recording.marks.iter().map(|mark| mark.at);
        if later {
            marks.filter(|mark| *mark > at).min()
        } else {
            marks.filter(|mark| mark + HERE < at).max()
        }
    }

    /// The mark that we are behind.
    pub(super) fn latest(&self) -> Option<&Mark> {
        let at = self.at();
        self.recording.marks.iter().rev().find(|mark| mark.at <= at)
    }

    /// The whole as a line of so many cells: where we are, and where much was printed.
    pub(super) fn line(&self, cells: usize) -> String {
        let length = self.length().max(1);
        let here = (self.at() as f64 / length as f64 * (cells.saturating_sub(1)) as f64).round() as usize;
        let parts = self.recording.activity.len();
        (0..cells)
            .map(|cell| {
                if cell == here {
                    return '●';
                }
                let of = |cell: usize| cell * parts / cells.max(1);
                let busy = self.recording.activity.get(of(cell)..of(cell + 1).max(of(cell) + 1).min(parts));
                if busy.is_some_and(|parts| parts.iter().any(|bytes| *bytes > 0)) { '━' } else { '─' }
            })
            .collect()
    }
}

/// When it is due, in milliseconds.
fn due_at(line: &RecordingLine) -> Option<u64> {
    match line {
        RecordingLine::Picture { at, .. }
        | RecordingLine::Output { at, .. }
        | RecordingLine::Resize { at, .. } => Some(*at),
        RecordingLine::End { .. } => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use belfry_protocol::recording::MarkKind;

    fn output(at: u64, text: &str) -> RecordingLine {
        RecordingLine::Output { at, text: text.to_owned() }
    }

    fn player(longest: u64) -> Player {
        let mark = |at| Mark { at, kind: MarkKind::Turn, text: String::new() };
        let recording =
            Recording { length: 60_000, bytes: 3, marks: vec![mark(0), mark(30_000)], ..Default::default() };
        let mut player = Player::new(recording, 1.0, longest);
        let picture = RecordingLine::Picture { at: 0, cols: 20, rows: 2, text: "first".to_owned() };
        let lines =
            [picture, output(1000, " second"), output(50_000, " third"), RecordingLine::End { next: None }];
        player.take(lines.into_iter());
        player
    }

    fn shown(player: &mut Player) -> String {
        player.changed = true;
        let screen = player.screen("", Size { cols: 80, rows: 24 }).unwrap();
        screen.text.lines().next().unwrap_or_default().trim_end().to_owned()
    }

    #[test]
    fn lines_are_shown_when_they_are_due() {
        let mut player = player(0);
        player.pass(Duration::ZERO);
        assert_eq!(shown(&mut player), "first");
        player.pass(Duration::from_millis(1500));
        assert_eq!(shown(&mut player), "first second");
        player.pass(Duration::from_secs(20));
        assert_eq!((shown(&mut player).as_str(), player.at()), ("first second", 21_500));
        player.speed(2.0);
        player.pass(Duration::from_secs(15));
        assert_eq!(shown(&mut player), "first second third");
        assert!(player.over() && !player.playing() && player.at() == 60_000);
    }

    #[test]
    fn long_pauses_are_cut() {
        let mut player = player(2000);
        player.pass(Duration::from_secs(2));
        assert_eq!(shown(&mut player), "first second");
        player.pass(Duration::from_secs(2));
        assert_eq!(shown(&mut player), "first second third");
    }

    #[test]
    fn nothing_moves_while_it_is_paused() {
        let mut player = player(2000);
        player.pass(Duration::from_millis(1100));
        player.toggle();
        player.pass(Duration::from_secs(100));
        assert_eq!((shown(&mut player).as_str(), player.at()), ("first second", 1100));
    }

    #[test]
    fn marks_are_gone_to() {
        let mut player = player(0);
        assert_eq!((player.mark(true), player.mark(false)), (Some(30_000), None));
        player.go(40_000);
        assert_eq!((player.mark(true), player.mark(false)), (None, Some(30_000)));
        assert_eq!(player.line(4), "──●─");
    }
}
