//! An answer as server-sent events.

use std::sync::atomic::{AtomicU32, Ordering};

use serde_json::Value;

use super::script::{Call, Step};

/// A piece of an answer.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Piece<'a> {
    /// The answer begins.
    Begin,
    /// A text, or reasoning, begins.
    Open(Voice),
    /// More of it.
    More(Voice, &'a str),
    /// It ends; this is all of it.
    Close(Voice, &'a str),
    /// A call of a tool.
    Call(&'a Call),
    /// The answer ends.
    End,
}

/// What is said, or what is only thought.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Voice {
    /// For the person.
    Aloud,
    /// Reasoning.
    Inward,
}

/// A dialect's way of saying it.
pub(crate) trait Wire: Send {
    /// The events of a piece, possibly none.
    fn piece(&mut self, piece: Piece<'_>) -> String;

    /// The whole answer at once, for a request that wants no stream.
    fn whole(&mut self, steps: &[Step]) -> Value;

    /// A refusal's body.
    fn refusal(&self, status: u16, message: &str) -> Value;
}

/// One event.
pub(crate) fn event(data: &Value) -> String {
    format!("data: {data}\n\n")
}

/// One event with the name that its `type` gives.
pub(crate) fn named(data: &Value) -> String {
    format!("event: {}\ndata: {data}\n\n", data["type"].as_str().unwrap_or_default())
}

/// All that is said aloud.
pub(crate) fn spoken(steps: &[Step]) -> String {
    steps
        .iter()
        .filter_map(|step| if let Step::Say(text, _) = step { Some(text.as_str()) } else { None })
        .collect()
}

/// Words with the blanks after them.
pub(crate) fn words(text: &str) -> impl Iterator<Item = &str> {
    let mut rest = text;
    std::iter::from_fn(move || {
        let word = rest.find(char::is_whitespace).unwrap_or(rest.len());
        let blanks = rest[word..].find(|c: char| !c.is_whitespace()).unwrap_or(rest.len() - word);
        let (piece, left) = rest.split_at(word + blanks);
        rest = left;
        (!piece.is_empty()).then_some(piece)
    })
}

/// An id that no other answer of this process has.
pub(crate) fn id(prefix: &str) -> String {
    static NEXT: AtomicU32 = AtomicU32::new(1);
    format!("{prefix}{:012}", NEXT.fetch_add(1, Ordering::Relaxed))
}
