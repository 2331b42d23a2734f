//! Claude Code's transcript: one JSON object a line. Measured with 2.1.197 to 2.1.332.

mod tasks;
mod typed;
mod usage;

use belfry_protocol::transcript::{Note, Said, Usage};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::json::{self, items};
use crate::out::Out;
use crate::shape::{self, base64_bytes};
use crate::{clean, shape::time};
use tasks::Tasks;
use typed::Typed;
pub(crate) use typed::without;
use usage::Counted;

/// Reads a transcript, line by line.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub(crate) struct Claude {
    counted: Counted,
    /// The turn was stopped, and that was told.
    interrupted: bool,
    tasks: Tasks,
    /// US dollars that were told of.
    cost: f64,
    /// What was used here, and what in the conversation that this one was made from, in units of price.
    own: f64,
    others: f64,
}

/// What is looked at in every line: most bytes are in lines that say nothing to a person.
#[derive(Deserialize)]
struct Head<'a> {
    #[serde(borrow, default, rename = "type")]
    kind: std::borrow::Cow<'a, str>,
}

const READ: &[&str] =
    &["user", "assistant", "system", "attachment", "summary", "custom-title", "ai-title", "cost-state"];
/// The only attachment that is of interest. There are large ones.
const QUEUED: &[u8] = b"queued_command";

impl Claude {
    pub(crate) fn line(&mut self, line: &[u8], id: &str, out: &mut Out<'_>) {
        // What is no UTF-8 fails here and is looked at in full.
        let head = serde_json::from_slice::<Head<'_>>(line);
        if head.is_ok_and(|head| {
            !READ.contains(&head.kind.as_ref())
                || (head.kind == "attachment" && memchr::memmem::find(line, QUEUED).is_none())
        }) {
            out.summary.passed += 1;
            return;
        }
        let Some(record) = json::parse(line) else {
            out.unread("a record that could not be read");
            return;
        };
        self.record(&record, id, out);
    }

    fn record(&mut self, record: &Value, id: &str, out: &mut Out<'_>) {
        out.dated(time(&record["timestamp"]));
        let text = |field: &str| record[field].as_str();
        if record["isSidechain"] == true && out.subagent.is_none() {
            out.subagent = Some(clean::name(text("agentId").unwrap_or("sidechain")));
        }
        out.id = text("uuid").map(clean::name);
        if out.summary.cwd.is_none() {
            out.summary.cwd = text("cwd").and_then(clean::path);
        }
        // Detached, or no repository.
        if let Some(branch) = text("gitBranch").filter(|branch| !branch.is_empty() && *branch != "HEAD") {
            out.summary.branch = Some(clean::name(branch));
        }
        // A fork begins with copies of what was said before. Their answers tell where they were given; of several conversations
        // the last is the one that this one was made from.
        let given_in = text("requestSessionId").filter(|other| *other != id);
        let copied_from =
            record["forkedFrom"]["sessionId"].as_str().or(text("sessionId").filter(|own| *own != id));
        if out.subagent.is_none() {
            match (given_in, copied_from) {
                (Some(other), _) => out.summary.forked_from = Some(clean::name(other)),
                (None, Some(other)) => _ = out.summary.forked_from.get_or_insert_with(|| clean::name(other)),
                (None, None) => {}
            }
        }
        match text("type").unwrap_or_default() {
            "user" => self.user(record, out),
            "assistant" => {
                let copied = record["forkedFrom"].is_object() || given_in.is_some();
                self.assistant(record, copied, out);
            }
            "system" => Self::system(record, out),
            "attachment" => Self::attachment(&record["attachment"], out),
            "summary" => title(&mut out.summary.titled, &record["summary"]),
            "ai-title" => title(&mut out.summary.titled, &record["aiTitle"]),
            "cost-state" => self.paid(&record["totalCostUSD"], out),
            "custom-title" => title(&mut out.summary.named, &record["customTitle"]),
            _ => out.summary.passed += 1,
        }
    }

    fn assistant(&mut self, record: &Value, copied: bool, out: &mut Out<'_>) {
        let message = &record["message"];
        self.interrupted = false;
        if record["isApiErrorMessage"] == true {
            let text = items(&message["content"]).iter().find_map(|block| block["text"].as_str());
            out.note(Note::Failed, text.or(record["error"].as_str()).unwrap_or("an error of the model"));
            return;
        }
        let model = message["model"].as_str().filter(|model| !model.starts_with('<'));
        if let Some(model) = model.filter(|_| out.subagent.is_none()) {
            out.summary.model = Some(clean::name(model));
        }
        for block in items(&message["content"]) {
            let text = |field: &str| block[field].as_str().unwrap_or_default();
            match text("type") {
                "text" => out.answer(text("text")),
                "thinking" => out.thought(text("thinking")),
                "tool_use" | "server_tool_use" | "mcp_tool_use" => {
                    let (name, input) = (text("name"), &block["input"]);
                    out.tool(shape::call(text("id"), name, input));
                    if let Some(items) = shape::todos(name, input).or_else(|| self.tasks.call(name, input)) {
                        out.say(Said::Todos { items });
                    }
                }
                // Results of tools that run with the model.
                "web_search_tool_result" | "mcp_tool_result" => result(block, &Value::Null, out),
                _ => {}
            }
        }
        // An old answer in a conversation that was made from another was paid there.
        if copied {
            self.others += self.counted.pass_over(message);
        } else {
            self.own += self.counted.count(message, out);
        }
    }

    /// What all of it has cost so far, told when the program ends. Of a fork that has the other conversation's cost in it, from
    /// which its share is guessed.
    fn paid(&mut self, total: &Value, out: &mut Out<'_>) {
        let forked = self.others > 0.0;
        let share = if forked { self.own / (self.own + self.others) } else { 1.0 };
        let total = total.as_f64().map(|total| total * share);
        let Some(total) = total.filter(|total| total.is_finite() && *total > self.cost) else {
            return;
        };
        let more = total - std::mem::replace(&mut self.cost, total);
        out.used(Usage { cost: Some(more), estimated: forked, ..Usage::default() });
    }

    fn user(&mut self, record: &Value, out: &mut Out<'_>) {
        let content = &record["message"]["content"];
        if record["isCompactSummary"] == true {
            out.note(Note::Compacted, &text_of(content));
            return;
        }
        let meta = record["isMeta"] == true;
        if let Some(text) = content.as_str() {
            if !meta {
                self.typed(text, out);
            }
            return;
        }
        let mut said = String::new();
        for block in items(content) {
            match block["type"].as_str().unwrap_or_default() {
                "text" if !meta => {
                    if !said.is_empty() {
                        said.push('\n');
                    }
                    said.push_str(block["text"].as_str().unwrap_or_default());
                }
                "tool_result" => result(block, &record["toolUseResult"], out),
                "image" | "document" => picture(block, out),
                _ => {}
            }
        }
        if !said.is_empty() {
            self.typed(&said, out);
        }
    }

    /// What stands where the person's words stand: theirs, or what was put in their mouth.
    fn typed(&mut self, text: &str, out: &mut Out<'_>) {
        match typed::read(text) {
            Typed::Prompt(prompt) => {
                self.interrupted = false;
                out.prompt(&prompt);
            }
            Typed::Own(command) => out.say(Said::Prompt(clean::text(&command))),
            // It is written down once for the text and once for the tool.
            Typed::Interrupted if self.interrupted => {}
            Typed::Interrupted => {
                self.interrupted = true;
                out.note(Note::Interrupted, text);
            }
            Typed::Other(said) => out.note(Note::Other, &said),
            Typed::Nothing => {}
        }
    }

    fn system(record: &Value, out: &mut Out<'_>) {
        let text = record["content"].as_str().unwrap_or_default();
        match record["subtype"].as_str().unwrap_or_default() {
            "turn_duration" => out.note(Note::TurnOver, ""),
            "compact_boundary" => out.note(Note::Compacted, text),
            "api_error" => {
                let error = &record["error"];
                let said = error["message"].as_str().or(error.as_str()).unwrap_or("an error of the model");
                out.note(Note::Other, said);
            }
            "local_command" => {
                if let Typed::Other(said) | Typed::Prompt(said) | Typed::Own(said) = typed::read(text) {
                    out.note(Note::Other, &said);
                }
            }
            "informational" | "warning" if !text.is_empty() => out.note(Note::Other, text),
            _ => out.summary.passed += 1,
        }
    }

    /// What was typed during a turn comes with its next request.
    fn attachment(attachment: &Value, out: &mut Out<'_>) {
        let typed = attachment["type"] == "queued_command"
            && attachment["commandMode"].as_str().is_none_or(|mode| mode == "prompt");
        if !typed {
            out.summary.passed += 1;
            return;
        }
        if let Typed::Prompt(prompt) = typed::read(&text_of(&attachment["prompt"])) {
            out.prompt(&prompt);
        }
    }
}

fn title(into: &mut Option<String>, text: &Value) {
    if let Some(text) = text.as_str() {
        *into = clean::line(text, clean::LINE);
    }
}

/// The texts of a content, which is one or a list of blocks.
fn text_of(content: &Value) -> String {
    match content {
        Value::String(text) => text.clone(),
        _ => items(content).iter().filter_map(|block| block["text"].as_str()).collect::<Vec<_>>().join("\n"),
    }
}

fn result(block: &Value, told: &Value, out: &mut Out<'_>) {
    let content = &block["content"];
    let file = told["filePath"].as_str().and_then(clean::path);
    let diff = file.and_then(|file| shape::hunks(&file, &told["structuredPatch"]));
    out.say(Said::Result {
        call: clean::name(block["tool_use_id"].as_str().unwrap_or_default()),
        output: clean::text(&text_of(content)),
        failed: block["is_error"] == true,
        diff: diff.map(|diff| clean::text(&diff)),
        subagent: told["agentId"].as_str().map(clean::name),
    });
    for block in items(content).iter().filter(|block| block["type"] == "image") {
        picture(block, out);
    }
}

fn picture(block: &Value, out: &mut Out<'_>) {
    let source = &block["source"];
    let bytes = source["data"].as_str().map_or(0, base64_bytes);
    out.image(source["media_type"].as_str().unwrap_or("image"), bytes);
}
