//! Aider's history: Markdown, in which the beginning of a line says who speaks. Measured with 0.86.
//!
//! `# aider chat started at DATE` begins a chat, `#### ` is what the person typed, `> ` is what Aider says, the rest is the
//! model's answer, with changes to files in it as blocks (`<<<<<<< SEARCH`).

mod blocks;
mod tokens;

use belfry_protocol::transcript::{Note, Said};
use jiff::Timestamp;
use jiff::civil::DateTime;
use jiff::tz::TimeZone;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::out::{Out, PLACES};
use crate::{clean, shape};
use blocks::blocks;

/// What is kept of a block that goes on, in bytes.
const LONGEST: usize = 2 * clean::LONGEST;
/// Changes whose outcome is waited for.
const MOST_OPEN: usize = 64;

/// Reads a history, line by line.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub(crate) struct Aider {
    block: Option<Block>,
    /// When the chat began: nothing in it has a date of its own.
    at: Option<Timestamp>,
    /// Changes in the last answer: the file, and the call.
    open: Vec<(String, String)>,
}

/// Lines of one speaker.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Block {
    who: Who,
    /// Where it begins.
    offset: u64,
    text: String,
    /// Bytes beyond what is kept.
    cut: u64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Who {
    Person,
    Aider,
    Model,
}

impl Aider {
    pub(crate) fn line(&mut self, offset: u64, line: &[u8], out: &mut Out<'_>) {
        let line = String::from_utf8_lossy(line);
        let line = line.trim_end();
        if let Some(date) = line.strip_prefix("# aider chat started at ") {
            self.end(out);
            // Written in the local time of the machine.
            let date = date.parse::<DateTime>().ok();
            self.at = date.and_then(|date| TimeZone::system().to_timestamp(date).ok());
            out.record(offset);
            out.dated(self.at);
            out.note(Note::Other, line.trim_start_matches(['#', ' ']));
        } else if let Some(said) = line.strip_prefix("####") {
            self.add(Who::Person, offset, said.strip_prefix(' ').unwrap_or(said), out);
        } else if let Some(said) =
            line.strip_prefix('>').filter(|said| said.is_empty() || said.starts_with(' '))
        {
            self.told(said.trim(), offset, out);
        } else if !line.is_empty() || self.block.as_ref().is_some_and(|block| block.who == Who::Model) {
            self.add(Who::Model, offset, line, out);
        } else if self.block.as_ref().is_some_and(|block| block.who == Who::Person) {
            // An empty line ends what the person typed; their own empty lines have the mark.
            self.end(out);
        }
    }

    /// What there is so far of a block that may go on.
    pub(crate) fn pause(&mut self, out: &mut Out<'_>) {
        if let Some(block) = self.block.take() {
            self.emit(&block, out);
            self.block = Some(block);
        }
    }

    fn add(&mut self, who: Who, offset: u64, line: &str, out: &mut Out<'_>) {
        if self.block.as_ref().is_none_or(|block| block.who != who) {
            self.end(out);
            if who == Who::Person {
                self.open.clear();
                out.summary.prompts = out.summary.prompts.saturating_add(1);
            }
            self.block = Some(Block { who, offset, text: String::new(), cut: 0 });
        }
        let Some(block) = &mut self.block else { return };
        if block.text.len() + line.len() <= LONGEST {
            if !block.text.is_empty() {
                block.text.push('\n');
            }
            block.text.push_str(line);
        } else {
            block.cut += line.len() as u64 + 1;
        }
    }

    /// A line of Aider's own.
    fn told(&mut self, said: &str, offset: u64, out: &mut Out<'_>) {
        if let Some(usage) = tokens::read(said) {
            self.end(out);
            out.record(offset);
            out.at = self.at;
            out.summary.usage.context = usage.context;
            out.used(usage);
            out.note(Note::TurnOver, said);
        } else if let Some(file) = said.strip_prefix("Applied edit to ").map(str::trim) {
            self.end(out);
            out.record(offset);
            out.at = self.at;
            let call = self.applied(file).unwrap_or_else(|| {
                // It was written whole, in a block that nothing tells from others.
                let mut tool = shape::call(&offset.to_string(), "edit", &Value::Null);
                tool.about = clean::line(file, clean::LINE);
                tool.files.extend(clean::path(file));
                let call = tool.call.clone();
                out.tool(tool);
                call
            });
            // Behind the call's place, whether that is here or in the answer.
            out.seq = offset.saturating_mul(PLACES) + 1;
            out.say(Said::Result {
                call,
                output: clean::text(said),
                failed: false,
                diff: None,
                subagent: None,
            });
        } else if said == "^C again to exit" || said == "KeyboardInterrupt" {
            self.end(out);
            out.record(offset);
            out.at = self.at;
            out.note(Note::Interrupted, said);
        } else {
            if let Some(model) = said.strip_prefix("Model: ").or_else(|| said.strip_prefix("Main model: ")) {
                out.summary.model = model.split_whitespace().next().map(clean::name);
            }
            self.add(Who::Aider, offset, said, out);
        }
    }

    fn applied(&mut self, file: &str) -> Option<String> {
        let at = self.open.iter().position(|(open, _)| open == file)?;
        Some(self.open.remove(at).1)
    }

    fn end(&mut self, out: &mut Out<'_>) {
        if let Some(block) = self.block.take() {
            self.emit(&block, out);
        }
    }

    fn emit(&mut self, block: &Block, out: &mut Out<'_>) {
        out.record(block.offset);
        out.at = self.at;
        let text = block.text.trim();
        let mut cut = clean::text(text);
        cut.cut += block.cut;
        match block.who {
            _ if text.is_empty() => {}
            Who::Person => {
                out.summary.prompt_is(text);
                out.say(Said::Prompt(cut));
            }
            Who::Aider => out.say(Said::Note { note: Note::Other, text: cut }),
            Who::Model => {
                out.say(Said::Answer(cut));
                for (number, block_of) in blocks(text).into_iter().enumerate().take(MOST_OPEN) {
                    let call = format!("{}-{number}", block.offset);
                    if !self.open.iter().any(|(_, open)| *open == call) && self.open.len() < MOST_OPEN {
                        self.open.push((block_of.file.clone(), call.clone()));
                    }
                    let mut tool = shape::call(&call, "edit", &Value::Null);
                    tool.about = clean::line(&block_of.file, clean::LINE);
                    tool.diff = Some(clean::text(&block_of.diff));
                    tool.files = vec![block_of.file];
                    out.seq = block.offset.saturating_mul(PLACES) + 1 + number as u64;
                    out.tool(tool);
                }
            }
        }
    }
}
