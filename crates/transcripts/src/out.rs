//! Where what is read goes.

use belfry_protocol::transcript::{Entry, Note, Said, Text, ToolCall, Usage};
use jiff::Timestamp;

use crate::clean;
use crate::summary::Summary;

/// What a reading gives.
#[derive(Clone, Debug, PartialEq)]
pub enum Item {
    /// An entry. One that comes again under the same [`Entry::seq`] takes the place of the one before: it has grown.
    Entry(Entry),
    /// What was used, apart from what has been told before.
    Used {
        /// When, where that is known.
        at: Option<Timestamp>,
        /// How much more than before. Of the fields only the four counts and the cost are set.
        usage: Usage,
    },
}

/// Places that each byte of a file has: a record has more entries than one, and none has as many as sixteen for each of its
/// bytes.
pub(crate) const PLACES: u64 = 16;

/// Takes what a record says.
pub(crate) struct Out<'a> {
    pub(crate) summary: &'a mut Summary,
    pub(crate) each: &'a mut dyn FnMut(Item),
    /// The entry that comes next.
    pub(crate) seq: u64,
    pub(crate) at: Option<Timestamp>,
    pub(crate) id: Option<String>,
    pub(crate) subagent: Option<String>,
    /// Whose all of it is.
    whose: Option<String>,
    /// Entries so far.
    pub(crate) entries: usize,
}

impl<'a> Out<'a> {
    pub(crate) fn new(summary: &'a mut Summary, each: &'a mut dyn FnMut(Item), whose: Option<&str>) -> Self {
        let whose = whose.map(str::to_owned);
        Self { summary, each, seq: 0, at: None, id: None, subagent: whose.clone(), whose, entries: 0 }
    }

    /// What comes now is of the record that begins there.
    pub(crate) fn record(&mut self, offset: u64) {
        self.seq = offset.saturating_mul(PLACES);
        self.at = None;
        self.id = None;
        self.subagent.clone_from(&self.whose);
    }

    /// The record's own time.
    pub(crate) fn dated(&mut self, at: Option<Timestamp>) {
        self.at = at;
        self.summary.dated(at);
    }

    pub(crate) fn say(&mut self, said: Said) {
        let entry =
            Entry { seq: self.seq, at: self.at, id: self.id.clone(), subagent: self.subagent.clone(), said };
        self.seq += 1;
        self.entries += 1;
        (self.each)(Item::Entry(entry));
    }

    /// Something that the person asked.
    pub(crate) fn prompt(&mut self, text: &str) {
        if text.trim().is_empty() {
            return;
        }
        if self.subagent.is_none() {
            self.summary.prompted(text);
        }
        self.say(Said::Prompt(clean::text(text)));
    }

    pub(crate) fn answer(&mut self, text: &str) {
        if !text.trim().is_empty() {
            self.say(Said::Answer(clean::text(text)));
        }
    }

    pub(crate) fn thought(&mut self, text: &str) {
        if !text.trim().is_empty() {
            self.say(Said::Thought(clean::text(text)));
        }
    }

    pub(crate) fn tool(&mut self, call: ToolCall) {
        self.say(Said::Tool(call));
    }

    pub(crate) fn note(&mut self, note: Note, text: &str) {
        self.say(Said::Note { note, text: clean::text(text) });
    }

    pub(crate) fn image(&mut self, media_type: &str, bytes: u64) {
        self.say(Said::Image { media_type: clean::name(media_type), bytes });
    }

    /// A record that was left out.
    pub(crate) fn unread(&mut self, why: &str) {
        self.summary.unread += 1;
        self.say(Said::Note { note: Note::Unread, text: Text { text: why.to_owned(), cut: 0 } });
    }

    /// More was used.
    pub(crate) fn used(&mut self, usage: Usage) {
        self.summary.used(&usage);
        (self.each)(Item::Used { at: self.at, usage });
    }
}
