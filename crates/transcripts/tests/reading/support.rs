//! What the tests read with.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use belfry_protocol::transcript::{Entry, Note, Progress, Said, Usage};
use belfry_transcripts::{Budget, Found, Homes, Item, Reader, State, Summary, found};

/// The made-up conversations.
pub(crate) fn corpus() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/corpus/transcripts")
}

/// Where they are.
pub(crate) fn homes() -> Homes {
    let home = corpus().join("home");
    let home = home.to_string_lossy().into_owned();
    Homes::of(|name| (name == "HOME").then(|| home.clone())).with_aider([corpus().join("aider")])
}

/// The one of that agent whose id begins so.
pub(crate) fn one(agent: &str, id: &str) -> Found {
    let all = found(&homes());
    let fits = |found: &&Found| found.agent == agent && found.id.contains(id) && found.subagent.is_none();
    all.iter().find(fits).unwrap_or_else(|| panic!("{agent} {id} among {all:#?}")).clone()
}

/// All that was read.
#[derive(Debug, Default, PartialEq)]
pub(crate) struct Read {
    pub(crate) entries: BTreeMap<u64, Entry>,
    pub(crate) used: Usage,
    pub(crate) summary: Summary,
}

impl Read {
    pub(crate) fn take(&mut self, item: Item) {
        match item {
            Item::Entry(entry) => {
                self.entries.insert(entry.seq, entry);
            }
            Item::Used { usage, .. } => {
                self.used.input += usage.input;
                self.used.output += usage.output;
                self.used.cache_read += usage.cache_read;
                self.used.cache_write += usage.cache_write;
                if let Some(cost) = usage.cost {
                    *self.used.cost.get_or_insert(0.0) += cost;
                }
            }
        }
    }

    /// Reads on from a state, and gives the next one.
    pub(crate) fn go_on(&mut self, found: &Found, state: Option<State>, budget: Budget) -> State {
        let mut reader = Reader::open(found, state).unwrap();
        if reader.restarted() {
            *self = Self::default();
        }
        while !reader.read(budget, &mut |item| self.take(item)).unwrap().caught_up {}
        self.summary = reader.summary().clone();
        // As it is kept.
        serde_json::from_str(&serde_json::to_string(reader.state()).unwrap()).unwrap()
    }

    pub(crate) fn all(found: &Found) -> Self {
        let mut read = Self::default();
        read.go_on(found, None, Budget::ALL);
        read
    }

    /// A line for each entry.
    pub(crate) fn lines(&self) -> Vec<String> {
        self.entries.values().map(shown).collect()
    }
}

fn shown(entry: &Entry) -> String {
    let said = match &entry.said {
        Said::Prompt(text) => format!("P {}", text.text),
        Said::Answer(text) => format!("A {}", text.text),
        Said::Thought(text) => format!("T {}", text.text),
        Said::Tool(call) => {
            let about = call.about.as_deref().unwrap_or("-");
            let diff = call.diff.as_ref().map(|diff| format!(" | {}", diff.text)).unwrap_or_default();
            format!("> {} {about} [{}]{diff}", call.name, call.files.join(","))
        }
        Said::Result { output, failed, diff, subagent, .. } => {
            let mark = if *failed { "!" } else { "" };
            let diff = diff.as_ref().map(|diff| format!(" | {}", diff.text)).unwrap_or_default();
            let subagent = subagent.as_ref().map(|id| format!(" ({id})")).unwrap_or_default();
            format!("<{mark} {}{diff}{subagent}", output.text)
        }
        Said::Todos { items } => {
            let mark = |progress| match progress {
                Progress::Open => ' ',
                Progress::Begun => '~',
                Progress::Done => 'x',
                Progress::Dropped => '-',
            };
            let items: Vec<_> =
                items.iter().map(|todo| format!("[{}]{}", mark(todo.progress), todo.text)).collect();
            format!("todo {}", items.join(" "))
        }
        Said::Image { media_type, bytes } => format!("image {media_type} {bytes}"),
        Said::Note { note: Note::Unread, .. } => "unread".to_owned(),
        Said::Note { note, text } => format!("{note:?} {}", text.text),
    };
    let said = said.replace('\n', "\\n");
    entry.subagent.as_ref().map(|id| format!("({id}) {said}")).unwrap_or(said).trim_end().to_owned()
}
