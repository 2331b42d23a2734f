//! What git prints while it clones.

/// What git is at.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Step {
    /// In git's words: `Receiving objects`.
    pub what: String,
    /// How much of that is done, 0 to 100.
    pub percent: Option<u8>,
}

/// Longest line that is looked at, in bytes, and longest step, in characters: a server's greeting can be anything.
const LONGEST: usize = 4096;
const LONGEST_STEP: usize = 40;

/// Reads progress from pieces as they come.
#[derive(Debug, Default)]
pub struct Progress {
    line: Vec<u8>,
}

impl Progress {
    /// Takes a piece, and tells of each step in it.
    pub fn read(&mut self, piece: &[u8], seen: &mut dyn FnMut(Step)) {
        for byte in piece {
            if matches!(byte, b'\r' | b'\n') {
                if let Some(step) = step(&self.line) {
                    seen(step);
                }
                self.line.clear();
            } else if self.line.len() < LONGEST {
                self.line.push(*byte);
            }
        }
    }
}

/// `Receiving objects:  45% (123/456), 1.20 MiB | 3 MiB/s`, with `remote: ` before it where the server says so.
fn step(line: &[u8]) -> Option<Step> {
    let line = std::str::from_utf8(line).ok()?;
    let line = line.strip_prefix("remote: ").unwrap_or(line);
    let (what, rest) = line.split_once(':')?;
    let plain = |letter: char| letter.is_ascii_alphabetic() || letter == ' ';
    if what.is_empty() || what.chars().count() > LONGEST_STEP || !what.chars().all(plain) {
        return None;
    }
    let rest = rest.trim_start();
    let digits: String = rest.chars().take_while(char::is_ascii_digit).collect();
    let after = &rest[digits.len()..];
    let percent = digits.parse().ok().filter(|percent| *percent <= 100 && after.starts_with('%'));
    // A count without a whole, as of objects that the server finds: `Enumerating objects: 5, done.`
    let counts = !digits.is_empty() && (after.is_empty() || after.starts_with([',', ' ']));
    (percent.is_some() || counts).then(|| Step { what: what.trim().to_owned(), percent })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_are_read_however_they_are_cut() {
        let said = b"Cloning into '.x'...\nremote: Enumerating objects: 5, done.\nremote: Counting objects:  40% (2/5)\r\
                     Receiving objects: 100% (5/5), 1.20 MiB | 3.00 MiB/s\rfatal: no: 12% of it\nUpdating files:  7%\r";
        for size in [1, 7, said.len()] {
            let mut progress = Progress::default();
            let mut steps = Vec::new();
            for piece in said.chunks(size) {
                progress.read(piece, &mut |step| steps.push((step.what, step.percent)));
            }
            let expected = [
                ("Enumerating objects", None),
                ("Counting objects", Some(40)),
                ("Receiving objects", Some(100)),
                ("Updating files", Some(7)),
            ];
            assert_eq!(steps, expected.map(|(what, percent)| (what.to_owned(), percent)), "{size}");
        }
    }

    #[test]
    fn a_server_s_greeting_is_no_step() {
        for line in ["remote: \u{1b}[31mHi: 5%", "x: y", "", ":5%", "remote: 100%: 5%"] {
            assert_eq!(step(line.as_bytes()), None, "{line:?}");
        }
        let mut progress = Progress::default();
        progress.read(&vec![b'a'; 1 << 20], &mut |_| panic!("no step"));
        assert!(progress.line.len() <= LONGEST);
    }
}
