//! Control mode: tmux's conversation with a program, line by line.
//!
//! A command's answer stands between `%begin TIME NUMBER FLAGS` and an `%end` or `%error` with the same three numbers. What
//! panes print comes as `%output` with every byte below a blank written in octal, so that no pane can make a line of its own.
//! Only an answer's body is as a pane wrote it, where a screen was asked for, and a program that guesses the numbers could
//! print what looks like the answer's end. So whoever asks for a screen says how many lines it has ([`Parser::announce`]),
//! and these are the body, whatever is in them.

use std::collections::VecDeque;

use crate::PaneId;

/// Longest line, in bytes. tmux writes at most some kilobytes of output in one; a pane's title is shorter still.
const LONGEST: usize = 4 * 1024 * 1024;

/// Most bytes of one answer: a screen and its scrollback with styles are some hundred kilobytes.
const LARGEST: usize = 64 * 1024 * 1024;

/// Something that tmux says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Event {
    /// The answer to a command: the next one that was given and not answered.
    Answer {
        /// It was carried out.
        ok: bool,
        /// What it said, without the newlines.
        lines: Vec<Vec<u8>>,
    },
    /// A pane has printed something.
    Output {
        /// Which.
        pane: PaneId,
        /// What, as the program wrote it.
        bytes: Vec<u8>,
    },
    /// We are too far behind, and what that pane prints from here on is not sent.
    Paused {
        /// Which.
        pane: PaneId,
    },
    /// It is sent again.
    Continued {
        /// Which.
        pane: PaneId,
    },
    /// Somebody looks back in that pane, or no longer.
    Mode {
        /// Which.
        pane: PaneId,
    },
    /// Windows or panes have come, gone or changed: what is known of a pane may be old.
    Changed,
    /// The conversation ends.
    Exit {
        /// Why, where tmux says so.
        why: Option<String>,
    },
}

/// The conversation cannot be followed any more.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Broken;

#[derive(Debug)]
struct Block {
    /// The three numbers, as they were written.
    guard: Vec<u8>,
    /// It answers a command of ours.
    ours: bool,
    /// So many lines are the body, whatever they look like.
    certain: usize,
    lines: Vec<Vec<u8>>,
    bytes: usize,
}

/// Reads the conversation.
#[derive(Debug, Default)]
pub struct Parser {
    buffer: Vec<u8>,
    /// Where the unread part begins.
    read: usize,
    block: Option<Block>,
    expected: VecDeque<usize>,
}

impl Parser {
    /// Takes in what tmux wrote.
    pub fn feed(&mut self, bytes: &[u8]) {
        if self.read > 0 {
            self.buffer.drain(..self.read);
            self.read = 0;
        }
        self.buffer.extend_from_slice(bytes);
    }

    /// The command that was given last will be answered; so many lines of its answer are certain to be its body.
    pub fn asked(&mut self, certain: usize) {
        self.expected.push_back(certain);
    }

    /// The answer that is `at` answers away has so many lines for certain. To be said before it is read.
    pub fn announce(&mut self, at: usize, certain: usize) {
        if let Some(expected) = self.expected.get_mut(at) {
            *expected = certain;
        }
    }

    /// The next thing that was said; none until more comes.
    pub fn next_event(&mut self) -> Result<Option<Event>, Broken> {
        loop {
            let rest = &self.buffer[self.read..];
            let Some(end) = rest.iter().position(|byte| *byte == b'\n') else {
                return if rest.len() > LONGEST { Err(Broken) } else { Ok(None) };
            };
            let line = rest[..end].to_vec();
            self.read += end + 1;
            if let Some(event) = self.line(&line)? {
                return Ok(Some(event));
            }
        }
    }

    fn line(&mut self, line: &[u8]) -> Result<Option<Event>, Broken> {
        if let Some(mut block) = self.block.take() {
            let end = if block.lines.len() < block.certain { None } else { block.end(line) };
            let Some(ok) = end else {
                block.bytes += line.len();
                if block.bytes > LARGEST {
                    return Err(Broken);
                }
                block.lines.push(line.to_vec());
                self.block = Some(block);
                return Ok(None);
            };
            return Ok(block.ours.then_some(Event::Answer { ok, lines: block.lines }));
        }
        let line = line.strip_suffix(b"\r").unwrap_or(line);
        let (word, rest) = split(line);
        let event = match word {
            b"%begin" => {
                // The last number says whether a command of this client is answered, rather than tmux's own.
                let ours = rest.split(|byte| *byte == b' ').nth(2).is_some_and(|flags| flags != b"0");
                let certain = if ours { self.expected.pop_front().unwrap_or(0) } else { 0 };
                self.block = Some(Block { guard: rest.to_vec(), ours, certain, lines: Vec::new(), bytes: 0 });
                None
            }
            b"%output" => {
                let (pane, value) = split(rest);
                pane_of(pane).map(|pane| Event::Output { pane, bytes: unescaped(value) })
            }
            b"%extended-output" => {
                let (pane, rest) = split(rest);
                let value = after_colon(rest);
                pane_of(pane).zip(value).map(|(pane, value)| Event::Output { pane, bytes: unescaped(value) })
            }
            b"%pause" => pane_of(rest).map(|pane| Event::Paused { pane }),
            b"%continue" => pane_of(rest).map(|pane| Event::Continued { pane }),
            b"%pane-mode-changed" => pane_of(rest).map(|pane| Event::Mode { pane }),
            b"%exit" => {
                let why = String::from_utf8_lossy(rest).into_owned();
                Some(Event::Exit { why: Some(why).filter(|why| !why.is_empty()) })
            }
            b"%layout-change"
            | b"%window-close"
            | b"%window-add"
            | b"%unlinked-window-close"
            | b"%unlinked-window-add"
            | b"%session-changed"
            | b"%sessions-changed"
            | b"%session-window-changed" => Some(Event::Changed),
            _ => None,
        };
        Ok(event)
    }
}

impl Block {
    /// Whether the line ends it, and how.
    fn end(&self, line: &[u8]) -> Option<bool> {
        let line = line.strip_suffix(b"\r").unwrap_or(line);
        let (word, rest) = split(line);
        let ok = match word {
            b"%end" => true,
            b"%error" => false,
            _ => return None,
        };
        (rest == self.guard).then_some(ok)
    }
}

fn split(line: &[u8]) -> (&[u8], &[u8]) {
    match line.iter().position(|byte| *byte == b' ') {
        Some(at) => (&line[..at], &line[at + 1..]),
        None => (line, &[]),
    }
}

/// `AGE … : VALUE`
fn after_colon(rest: &[u8]) -> Option<&[u8]> {
    let at = rest.windows(2).position(|pair| pair == b": ")?;
    Some(&rest[at + 2..])
}

fn pane_of(word: &[u8]) -> Option<PaneId> {
    crate::pane_id(std::str::from_utf8(word).ok()?)
}

/// The bytes that were written with those below a blank, and the backslash, in octal.
pub fn unescaped(value: &[u8]) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(value.len());
    let mut rest = value;
    while let Some((&byte, after)) = rest.split_first() {
        rest = after;
        let octal = (byte == b'\\').then(|| after.get(..3)).flatten();
        let number = octal.and_then(|digits| {
            let digit = |number: u32, digit: &u8| {
                matches!(digit, b'0'..=b'7').then(|| number * 8 + u32::from(digit - b'0'))
            };
            digits.iter().try_fold(0, digit).and_then(|number| u8::try_from(number).ok())
        });
        match number {
            Some(number) => {
                bytes.push(number);
                rest = &after[3..];
            }
            None => bytes.push(byte),
        }
    }
    bytes
}

#[cfg(test)]
mod tests {
    use super::*;

    fn events(parser: &mut Parser, text: &[u8]) -> Vec<Event> {
        parser.feed(text);
        std::iter::from_fn(|| parser.next_event().unwrap()).collect()
    }

    fn answer(ok: bool, lines: &[&str]) -> Event {
        Event::Answer { ok, lines: lines.iter().map(|line| line.as_bytes().to_vec()).collect() }
    }

    #[test]
    fn answers_and_output_in_any_pieces() {
        let text =
            b"%begin 1 2 0\n%end 1 2 0\n%session-changed $0 a name\n%begin 1 3 1\none\n\ntwo\n%end 1 3 1\n\
            %output %5 a\\033[1mb\\134c\xc3\xa4\\015\\012\n%output %x no\n%begin 1 4 1\nwrong\n%error 1 4 1\n\
            %extended-output %6 30 more : x : y\n%pause %5\n%unknown thing\n%exit lost tty\n";
        let wanted = [
            Event::Changed,
            answer(true, &["one", "", "two"]),
            Event::Output { pane: 5, bytes: b"a\x1b[1mb\\c\xc3\xa4\r\n".to_vec() },
            answer(false, &["wrong"]),
            Event::Output { pane: 6, bytes: b"x : y".to_vec() },
            Event::Paused { pane: 5 },
            Event::Exit { why: Some("lost tty".to_owned()) },
        ];
        for piece in [1, 2, 3, 7, 50, text.len()] {
            let mut parser = Parser::default();
            let got: Vec<_> = text.chunks(piece).flat_map(|piece| events(&mut parser, piece)).collect();
            assert_eq!(got, wanted, "{piece}");
        }
    }

    /// A program can print anything; what comes of it is an escaped value and nothing else.
    #[test]
    fn output_makes_no_lines() {
        let printed = b"x\n%exit\n%begin 1 2 1\n%end 1 2 1\r\n";
        let escaped: String = printed
            .iter()
            .map(|byte| match byte {
                b' '..=b'[' | b']'..=b'~' => (*byte as char).to_string(),
                other => format!("\\{other:03o}"),
            })
            .collect();
        let mut parser = Parser::default();
        let got = events(&mut parser, format!("%output %1 {escaped}\n").as_bytes());
        assert_eq!(got, [Event::Output { pane: 1, bytes: printed.to_vec() }]);
    }

    /// A screen that shows the very end that its own answer will have, and notifications.
    #[test]
    fn a_screen_cannot_end_its_answer() {
        let mut parser = Parser::default();
        parser.asked(0);
        parser.asked(0);
        parser.asked(0);
        let first = events(&mut parser, b"%begin 9 1 1\n80 3\n%end 9 1 1\n");
        assert_eq!(first, [answer(true, &["80 3"])]);
        parser.announce(0, 3);
        let hostile =
            b"%begin 9 2 1\n%end 9 2 1\n%exit\n%error 9 2 1\n%end 9 2 1\n%begin 9 3 1\n%end 9 3 1\n";
        let got = events(&mut parser, hostile);
        assert_eq!(got, [answer(true, &["%end 9 2 1", "%exit", "%error 9 2 1"]), answer(true, &[])]);
    }

    /// What tmux does by itself, such as the attaching, is answered in between and is nobody's answer.
    #[test]
    fn answers_of_others_are_passed_over() {
        let mut parser = Parser::default();
        parser.asked(1);
        let text = b"%begin 1 7 0\nx\n%end 1 7 0\n%begin 1 8 1\n%end 1 8 1\n%end 1 8 1\n";
        assert_eq!(events(&mut parser, text), [answer(true, &["%end 1 8 1"])]);
    }

    #[test]
    fn odd_lines_are_harmless() {
        let mut parser = Parser::default();
        let text = b"\n%\n% \n%begin\n%end\n%output\n%output %1\n%pause 5\n%extended-output %1 : \n%extended-output %1 x\n\\\n";
        let got = events(&mut parser, text);
        assert!(
            got.iter().all(|event| matches!(event, Event::Output { bytes, .. } if bytes.is_empty())),
            "{got:?}"
        );
        parser.feed(&vec![b'x'; LONGEST + 1]);
        assert_eq!(parser.next_event(), Err(Broken));
        assert_eq!(unescaped(b"\\9\\07\\400\\"), b"\\9\\07\\400\\");
    }
}
