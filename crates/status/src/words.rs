//! The last word of each source.

use belfry_protocol::signal::{Says, Source};

use crate::activity::Doing;
use crate::observation::Word;

/// What a source said last.
#[derive(Clone, Debug)]
pub(crate) struct Heard {
    pub(crate) says: Option<Says>,
    pub(crate) what: String,
    pub(crate) doing: Option<Doing>,
    /// Since when it says that the agent does so.
    pub(crate) doing_since: u64,
    pub(crate) detail: Option<String>,
    pub(crate) until: Option<String>,
    /// When it said so last.
    pub(crate) at: u64,
    /// Since when it says so without having said anything else.
    pub(crate) begun: u64,
    /// It told of a question that is known to be over.
    pub(crate) spent: bool,
}

/// The last words of all sources.
#[derive(Clone, Debug, Default)]
pub(crate) struct Words([Option<Heard>; Source::ALL.len()]);

impl Words {
    /// Takes a word in, unless a newer one of the same source is known. True when it counts.
    pub(crate) fn hear(&mut self, word: Word, at: u64) -> bool {
        let slot = &mut self.0[word.source as usize];
        let last = slot.as_ref();
        if last.is_some_and(|last| last.at > at) {
            return false;
        }
        let same = last.filter(|last| last.says == word.says && last.says.is_some());
        let begun = same.map_or(at, |last| last.begun);
        // Twice the same event: what is known of the first is true of the second.
        let spent = same.is_some_and(|last| last.spent && last.at == at);
        let doing_since = same.filter(|last| last.doing == word.doing).map_or(at, |last| last.doing_since);
        *slot = Some(Heard {
            says: word.says,
            what: word.what,
            doing: word.doing,
            doing_since,
            detail: word.detail,
            until: word.until,
            at,
            begun,
            spent,
        });
        true
    }

    pub(crate) fn get(&self, source: Source) -> Option<&Heard> {
        self.0[source as usize].as_ref()
    }

    pub(crate) fn forget(&mut self, source: Source) {
        self.0[source as usize] = None;
    }

    /// The questions that these sources told of until then are over.
    pub(crate) fn spend_questions(&mut self, sources: impl Iterator<Item = Source>, until: u64) {
        for source in sources {
            if let Some(heard) = &mut self.0[source as usize]
                && heard.says == Some(Says::Asking)
                && heard.at <= until
            {
                heard.spent = true;
            }
        }
    }
}
