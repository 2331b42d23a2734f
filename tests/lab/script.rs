//! What the model does, by words in the prompt.

use std::collections::HashMap;
use std::time::Duration;

use serde_json::Value;
use sha2::{Digest as _, Sha256};

use super::quotes;
use super::story;
use super::tools;
use super::turn::{Asker, Side, Turn};

/// What every whole answer ends with.
pub const DONE: &str = "MOCK-DONE";

/// One thing that the model does.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Step {
    /// Says this, with a pause after each word.
    Say(String, Duration),
    /// Reasons so, with a pause after each word.
    Think(String, Duration),
    /// Calls a tool.
    Call(Call),
    /// Does nothing for so long.
    Wait(Duration),
    /// Drops the connection.
    Cut,
    /// Refuses with this HTTP status, and nothing else.
    Refuse(u16, &'static str),
}

/// A call of a tool.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Call {
    /// The tool.
    pub(crate) name: String,
    /// Its arguments, or for a tool that takes plain text that text.
    pub(crate) arguments: Value,
    /// The tools' namespace, which Codex gives to those of MCP servers.
    pub(crate) namespace: Option<&'static str>,
}

/// What has happened so far, where that matters.
#[derive(Debug, Default)]
pub(crate) struct Memory {
    flaky: HashMap<String, u32>,
    /// Numbers files, so that none is written twice.
    pub(crate) files: u32,
}

pub(crate) fn say(text: &str) -> Step {
    Step::Say(text.to_owned(), Duration::from_millis(20))
}

pub(crate) fn call(name: &str, arguments: Value) -> Step {
    Step::Call(Call { name: name.to_owned(), arguments, namespace: None })
}

/// The whole answer to a request.
pub(crate) fn answer(turn: &Turn, memory: &mut Memory) -> Vec<Step> {
    if let Some(side) = turn.side {
        return vec![Step::Say(aside(turn.asker, side), Duration::ZERO)];
    }
    let prompt = turn.prompt.to_lowercase();
    let has = |word: &str| prompt.contains(word);
    if has("full plan") && turn.asker == Asker::Claude {
        return tools::full_plan(turn);
    }
    if let Some(story) = story::by_prompt(turn, &prompt) {
        return story;
    }
    if turn.results > usize::from(has("run again")) {
        return vec![say(&format!("Tool finished. {DONE}."))];
    }
    if let Some(trouble) = trouble(turn, &prompt, memory) {
        return trouble;
    }
    let ms = Duration::from_millis;
    if has("slow") {
        let words: Vec<String> = (0..100).map(|n| format!("word{n}")).collect();
        return vec![Step::Say(format!("Slow stream begins. {} {DONE}.", words.join(" ")), ms(190))];
    }
    if has("long") {
        let lines = (0..200)
            .map(|n| format!("- line {n} of the long answer, with some padding text to fill the row\n"));
        return vec![Step::Say(lines.chain([format!("{DONE}.")]).collect(), ms(4))];
    }
    if has("think") {
        let thought = "I should ponder this matter for some time. ".repeat(8);
        return vec![Step::Think(thought, ms(80)), say(&format!("Thought about it. {DONE}."))];
    }
    if let Some(text) = quotes::by_prompt(&prompt) {
        return vec![Step::Say(format!("{text}\n{DONE}.\n"), ms(8))];
    }
    if has("count") {
        return vec![Step::Say(received(&turn.prompt), Duration::ZERO)];
    }
    tools::by_prompt(turn, &prompt, memory)
        .unwrap_or_else(|| vec![say(&format!("Hello from the mock model. {DONE}."))])
}

fn trouble(turn: &Turn, prompt: &str, memory: &mut Memory) -> Option<Vec<Step>> {
    let overloaded = if turn.asker == Asker::Claude { 529 } else { 500 };
    let step = |word: &str| prompt.split(|c: char| !c.is_alphanumeric()).any(|other| other == word);
    if step("error") {
        return Some(vec![Step::Refuse(overloaded, "Overloaded")]);
    }
    if step("flaky") {
        let failures = memory.flaky.entry(format!("{:?} {prompt}", turn.asker)).or_default();
        *failures += 1;
        return Some(if *failures <= 2 {
            vec![Step::Refuse(overloaded, "Overloaded")]
        } else {
            vec![say(&format!("Recovered after retries. {DONE}."))]
        });
    }
    let refusals = [
        ("ratelimit", 429, "rate limited"),
        ("authfail", 401, "invalid x-api-key"),
        ("badreq", 400, "bad request from mock"),
    ];
    if let Some((_, status, text)) = refusals.iter().find(|(word, ..)| step(word)) {
        return Some(vec![Step::Refuse(*status, text)]);
    }
    if step("midcut") {
        return Some(vec![say("half a sentence then"), Step::Cut]);
    }
    if step("stall") {
        let rest = Step::Say(format!(" {DONE} after stall."), Duration::ZERO);
        return Some(vec![
            Step::Say("starting...".to_owned(), Duration::ZERO),
            Step::Wait(Duration::from_secs(25)),
            rest,
        ]);
    }
    None
}

fn aside(asker: Asker, side: Side) -> String {
    match (asker, side) {
        // One object with what each of its own questions (which model, who speaks next) looks for.
        (Asker::Gemini, _) => concat!(
            r#"{"complexity_reasoning":"simple","complexity_score":10,"reasoning":"simple","model_choice":"flash","#,
            r#""next_speaker":"user"}"#
        )
        .to_owned(),
        (_, Side::Json) => r#"{"title":"Mock title","isNewTopic":true}"#.to_owned(),
        (_, Side::Line) => "Mock title".to_owned(),
    }
}

fn received(prompt: &str) -> String {
    let digest = Sha256::digest(prompt.as_bytes());
    let start = u32::from_be_bytes([digest[0], digest[1], digest[2], digest[3]]);
    format!(
        "RECEIVED chars={} lines={} bytes={} sha256={start:08x} {DONE}.",
        prompt.chars().count(),
        prompt.split('\n').count(),
        prompt.len()
    )
}
