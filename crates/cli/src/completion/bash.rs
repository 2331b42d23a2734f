//! A line as bash reads it, up to the cursor, and words as bash writes them.

/// What stands before the cursor.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Line {
    /// The words before the one under the cursor, without their quotes; the program's name first.
    pub before: Vec<String>,
    /// The beginning of the word under the cursor, without its quotes.
    pub current: String,
    /// The quote that is open there.
    quote: Option<char>,
    /// How many characters of `current` stand before what the shell replaces: it takes `:` and `=` for the end of a word.
    kept: usize,
}

impl Line {
    /// Words that the shell has read itself.
    pub(crate) fn of(before: &[String], current: &str) -> Self {
        Self { before: before.to_vec(), current: current.to_owned(), quote: None, kept: 0 }
    }

    /// The line, the cursor's place in it in characters, and the characters at which the shell breaks words.
    pub(crate) fn read(words: &[String]) -> Option<Self> {
        let [line, point, breaks, ..] = words else { return None };
        let point = point.parse().unwrap_or(usize::MAX);
        let mut reader = Reader::default();
        line.chars().take(point).for_each(|c| reader.read(c, breaks));
        // What stands before our own name is an assignment or another command.
        let ours = |word: &String| word.rsplit('/').next() == Some("belfry");
        let first = reader.words.iter().position(ours).unwrap_or(0);
        let before = reader.words.split_off(first);
        Some(Self { before, current: reader.word, quote: reader.quote, kept: reader.kept })
    }

    /// What the shell is to put in the place of what stands there, so that the word becomes `word`.
    pub(crate) fn inserted(&self, word: &str) -> String {
        let rest: String = word.chars().skip(self.kept).collect();
        match self.quote {
            None => quoted(&rest),
            Some('\'') => rest.replace('\'', r"'\''"),
            Some(_) => {
                let special = |c| matches!(c, '"' | '$' | '`' | '\\');
                rest.chars().flat_map(|c| special(c).then_some('\\').into_iter().chain([c])).collect()
            }
        }
    }
}

/// A word without its quotes.
pub(crate) fn unquoted(word: &str) -> String {
    let mut reader = Reader::default();
    word.chars().for_each(|c| reader.read(c, ""));
    reader.word
}

#[derive(Default)]
struct Reader {
    words: Vec<String>,
    word: String,
    /// The word has begun, if only by a quote.
    begun: bool,
    quote: Option<char>,
    escaped: bool,
    kept: usize,
}

impl Reader {
    fn read(&mut self, c: char, breaks: &str) {
        if self.escaped {
            self.escaped = false;
            // Between double quotes a backslash stands for itself before most characters.
            if self.quote == Some('"') && !matches!(c, '"' | '$' | '`' | '\\') {
                self.put('\\');
            }
            self.put(c);
            return;
        }
        match (self.quote, c) {
            (Some('\''), '\'') | (Some('"'), '"') => self.quote = None,
            (None | Some('"'), '\\') => {
                self.escaped = true;
                self.begun = true;
            }
            (Some(_), c) => self.put(c),
            (None, '\'' | '"') => {
                self.quote = Some(c);
                self.begun = true;
                // With a quote open, the shell replaces what comes after it.
                self.kept = self.word.chars().count();
            }
            (None, c) if c.is_whitespace() => self.end(),
            (None, c) => {
                self.put(c);
                if breaks.contains(c) {
                    self.kept = self.word.chars().count();
                }
            }
        }
    }

    fn put(&mut self, c: char) {
        self.begun = true;
        self.word.push(c);
    }

    fn end(&mut self) {
        if std::mem::take(&mut self.begun) {
            self.words.push(std::mem::take(&mut self.word));
        }
        self.kept = 0;
    }
}

/// A word for the command line: every character that a shell could take for something else has a backslash before it.
fn quoted(word: &str) -> String {
    let safe =
        |c: char| c.is_alphanumeric() || (!c.is_ascii() && !c.is_whitespace()) || "_-./,:=@%+".contains(c);
    word.chars().flat_map(|c| (!safe(c)).then_some('\\').into_iter().chain([c])).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const BREAKS: &str = " \t\n\"'><=;|&(:";

    fn read(line: &str) -> Line {
        Line::read(&[line.to_owned(), line.chars().count().to_string(), BREAKS.to_owned()]).unwrap()
    }

    #[test]
    fn a_line_is_read_as_the_shell_does() {
        for (line, before, current) in [
            ("belfry show ", &["belfry", "show"][..], ""),
            ("belfry show fi", &["belfry", "show"], "fi"),
            (r"belfry show fix\ th", &["belfry", "show"], "fix th"),
            ("belfry show 'fix th", &["belfry", "show"], "fix th"),
            ("belfry show \"fix \\\"th", &["belfry", "show"], "fix \"th"),
            (r"belfry rename a\'b 'c d' e", &["belfry", "rename", "a'b", "c d"], "e"),
            ("belfry show '' ", &["belfry", "show", ""], ""),
            ("X=1 /usr/bin/belfry show a", &["/usr/bin/belfry", "show"], "a"),
            (r"belfry show fix\", &["belfry", "show"], "fix"),
        ] {
            let read = read(line);
            assert_eq!(
                (read.before.as_slice(), read.current.as_str()),
                (before.iter().map(|w| (*w).to_owned()).collect::<Vec<_>>().as_slice(), current),
                "{line}"
            );
        }
        let cut =
            Line::read(&["belfry show äbc rest".to_owned(), "14".to_owned(), BREAKS.to_owned()]).unwrap();
        assert_eq!(cut.current, "äb", "only what is before the cursor");
    }

    #[test]
    fn words_are_put_so_that_they_mean_themselves() {
        for (line, word, put) in [
            ("belfry show fi", "fix the $HOME", r"fix\ the\ \$HOME"),
            ("belfry show ", "~root", r"\~root"),
            ("belfry show 'fi", "fix it's", r"fix it'\''s"),
            ("belfry show \"fi", "fix `x` \"$y\" \\z", "fix \\`x\\` \\\"\\$y\\\" \\\\z"),
            // The shell replaces only what comes after the colon.
            ("belfry show fix:th", "fix:that it", r"that\ it"),
            ("belfry show a:b:", "a:b:c", "c"),
            (r"belfry show a\ b:c", "a b:cd", "cd"),
            ("belfry show a;", "日本 é", r"\ é"),
        ] {
            assert_eq!(read(line).inserted(word), put, "{line} {word}");
        }
    }

    #[test]
    fn quotes_are_taken_off() {
        assert_eq!(unquoted(r"fix\ 'a b'"), "fix a b");
        assert_eq!(unquoted("'open"), "open");
    }
}
