//! A conversation's entries as parts of a Markdown document.

use belfry_protocol::transcript::{Conversation, Entry, Note, Progress, Said, Text, Todo, ToolCall};
use jiff::Timestamp;
use jiff::tz::TimeZone;

use super::text::{code, fenced, html, markdown, plain, quoted};

/// Most bytes of what a tool was given and gave: the agent's own record has the rest. Diffs are kept whole.
const OF_TOOLS: usize = 8 * 1024;
/// Characters of a tool's line.
const ABOUT: usize = 100;

/// Writes one conversation.
pub(super) struct Turns<'a> {
    /// Who answers.
    pub(super) agent: &'a str,
    /// Where the person's clock is.
    pub(super) zone: &'a TimeZone,
    /// Who spoke last.
    pub(super) speaks: Speaks,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Speaks {
    #[default]
    Nobody,
    Person,
    Agent,
}

impl Turns<'_> {
    /// What stands above a conversation.
    pub(super) fn head(&self, conversation: &Conversation, level: usize, out: &mut String) {
        let title = Some(conversation.title.as_str()).filter(|title| !title.is_empty());
        push(
            out,
            &format!("{} {}", "#".repeat(level), plain(title.unwrap_or("A conversation without a title"))),
        );
        let mut line = |what: &str, value: Option<String>| {
            if let Some(value) = value {
                push_line(out, &format!("* {what}: {value}"));
            }
        };
        line("Agent", Some(plain(self.agent)));
        line("Model", conversation.model.as_deref().map(plain));
        line("Directory", conversation.cwd.as_deref().map(code));
        line("Branch", conversation.branch.as_deref().map(code));
        line("Conversation", Some(code(&conversation.id)));
        line("Made from", conversation.forked_from.as_deref().map(code));
        line("Began", conversation.started_at.map(|at| self.time(at)));
        line("Last", Some(self.time(conversation.updated_at)));
        let usage = &conversation.usage;
        if usage.input + usage.output + usage.cache_read + usage.cache_write > 0 {
            let mut tokens = format!(
                "{} in, {} out, {} read from the cache, {} written to it",
                number(usage.input),
                number(usage.output),
                number(usage.cache_read),
                number(usage.cache_write)
            );
            if usage.estimated {
                tokens.push_str(" (an estimate)");
            }
            line("Tokens", Some(tokens));
        }
        line(
            "Cost",
            usage.cost.map(|cost| {
                let places = if cost < 1.0 { 4 } else { 2 };
                format!("{cost:.places$} US dollars, as the agent counts")
            }),
        );
        line("**Not whole**", conversation.unread.as_deref().map(plain));
        out.push('\n');
    }

    /// One entry. What a subagent did is of another conversation, and left out.
    pub(super) fn entry(&mut self, entry: &Entry, out: &mut String) {
        if entry.subagent.is_some() {
            return;
        }
        match &entry.said {
            Said::Prompt(text) => {
                self.speaker(Speaks::Person, entry.at, out);
                push(out, &quoted(&text.text));
                cut(text.cut, out);
            }
            Said::Answer(text) => {
                self.speaker(Speaks::Agent, entry.at, out);
                push(out, &markdown(&text.text));
                cut(text.cut, out);
            }
            Said::Thought(text) => {
                self.speaker(Speaks::Agent, entry.at, out);
                folded("Thought", &quoted(&text.text), text.cut, out);
            }
            Said::Tool(call) => {
                self.speaker(Speaks::Agent, entry.at, out);
                tool(call, out);
            }
            Said::Result { output, failed, diff, .. } => {
                self.speaker(Speaks::Agent, entry.at, out);
                result(output, *failed, diff.as_ref(), out);
            }
            Said::Todos { items } => {
                self.speaker(Speaks::Agent, entry.at, out);
                todos(items, out);
            }
            Said::Image { media_type, bytes } => {
                let size = if *bytes > 0 { format!(", {} bytes", number(*bytes)) } else { String::new() };
                push(
                    out,
                    &format!(
                        "*A picture ({}{size}), which is in the agent's own record.*",
                        plain(media_type)
                    ),
                );
            }
            Said::Note { note, text } => self.note(*note, text, entry.at, out),
        }
    }

    fn note(&mut self, note: Note, text: &Text, at: Option<Timestamp>, out: &mut String) {
        let line = text.text.lines().find(|line| !line.trim().is_empty()).unwrap_or_default();
        let line = plain(&line.chars().take(500).collect::<String>());
        let said =
            |what: &str| if line.is_empty() { format!("*{what}.*") } else { format!("*{what}:* {line}") };
        match note {
            Note::TurnOver => {}
            Note::Compacted => {
                push(out, "---");
                let at = at.map(|at| format!(" ({})", self.time(at))).unwrap_or_default();
                push(out, &format!("*What was said before was put in short{at}.*"));
                if !text.text.trim().is_empty() {
                    folded("In short", &quoted(&text.text), text.cut, out);
                }
                self.speaks = Speaks::Nobody;
            }
            Note::Interrupted => push(out, "*Interrupted by the person.*"),
            Note::Failed => push(out, &said("The turn failed")),
            Note::Unread => push(out, &said("A record could not be read, and is left out")),
            Note::Other => push(out, &said("The agent notes")),
        }
    }

    /// A heading where somebody else speaks.
    fn speaker(&mut self, speaks: Speaks, at: Option<Timestamp>, out: &mut String) {
        if self.speaks == speaks && speaks == Speaks::Agent {
            return;
        }
        self.speaks = speaks;
        let who = if speaks == Speaks::Person { "You".to_owned() } else { plain(self.agent) };
        let at = at.map(|at| format!(" · {}", self.time(at))).unwrap_or_default();
        push(out, &format!("### {who}{at}"));
    }

    pub(super) fn time(&self, at: Timestamp) -> String {
        at.to_zoned_datetime(self.zone.clone()).strftime("%Y-%m-%d %H:%M:%S").to_string()
    }
}

fn tool(call: &ToolCall, out: &mut String) {
    let about: String = call.about.as_deref().unwrap_or_default().chars().take(ABOUT).collect();
    let about = if about.is_empty() { String::new() } else { format!(" <code>{}</code>", html(&about)) };
    let mut inside = String::new();
    if let Some(diff) = &call.diff {
        push(&mut inside, &fenced(&diff.text, "diff"));
        cut(diff.cut, &mut inside);
    } else if !call.arguments.text.trim().is_empty() {
        let language = if call.arguments.text.starts_with(['{', '[']) { "json" } else { "" };
        bounded(&call.arguments, language, &mut inside);
    }
    details(&format!("{}{about}", html(&call.name)), &inside, out);
}

fn result(output: &Text, failed: bool, diff: Option<&Text>, out: &mut String) {
    let mut inside = String::new();
    if let Some(diff) = diff {
        push(&mut inside, &fenced(&diff.text, "diff"));
        cut(diff.cut, &mut inside);
    }
    if !output.text.trim().is_empty() {
        bounded(output, "", &mut inside);
    }
    if !inside.is_empty() || failed {
        details(if failed { "It failed" } else { "It gave" }, &inside, out);
    }
}

fn todos(items: &[Todo], out: &mut String) {
    for item in items {
        let text = plain(&item.text);
        push_line(
            out,
            &match item.progress {
                Progress::Open => format!("- [ ] {text}"),
                Progress::Begun => format!("- [ ] **{text}** (begun)"),
                Progress::Done => format!("- [x] {text}"),
                Progress::Dropped => format!("- [ ] ~~{text}~~ (given up)"),
            },
        );
    }
    out.push('\n');
}

/// As code, at most so much of it.
fn bounded(text: &Text, language: &str, out: &mut String) {
    let end = text.text.floor_char_boundary(OF_TOOLS);
    push(out, &fenced(&text.text[..end], language));
    cut(text.cut + (text.text.len() - end) as u64, out);
}

fn folded(what: &str, inside: &str, missing: u64, out: &mut String) {
    let mut all = String::new();
    push(&mut all, inside);
    cut(missing, &mut all);
    details(what, &all, out);
}

/// What is folded away; `what` is HTML.
fn details(what: &str, inside: &str, out: &mut String) {
    if inside.trim().is_empty() {
        push(out, &format!("<p>{what}</p>"));
    } else {
        push(out, &format!("<details><summary>{what}</summary>\n\n{}\n\n</details>", inside.trim_end()));
    }
}

fn cut(bytes: u64, out: &mut String) {
    if bytes > 0 {
        push(out, &format!("*({} more bytes are left out.)*", number(bytes)));
    }
}

/// A block, with a blank line behind it.
fn push(out: &mut String, block: &str) {
    out.push_str(block.trim_end_matches('\n'));
    out.push_str("\n\n");
}

fn push_line(out: &mut String, line: &str) {
    out.push_str(line);
    out.push('\n');
}

/// With a comma at each thousand.
fn number(number: u64) -> String {
    let digits = number.to_string();
    let mut out = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(text: &str) -> Text {
        Text { text: text.to_owned(), cut: 0 }
    }

    #[test]
    fn turns_are_written_one_after_the_other() {
        let mut turns = Turns { agent: "Codex", zone: &TimeZone::UTC, speaks: Speaks::Nobody };
        let mut out = String::new();
        let mut say = |said| {
            let at = Some("2026-11-30T10:00:00Z".parse().expect("a time"));
            let entry = Entry { seq: 0, at, id: None, subagent: None, said };
            turns.entry(&entry, &mut out);
        };
        say(Said::Prompt(text("Do it")));
        say(Said::Tool(ToolCall {
            call: "c".to_owned(),
            name: "Bash".to_owned(),
            about: Some("ls <dir>".to_owned()),
            arguments: text("{\"command\":\"ls\"}"),
            ..ToolCall::default()
        }));
        say(Said::Result {
            call: "c".to_owned(),
            output: Text { text: "```\n".to_owned(), cut: 1234 },
            failed: false,
            diff: None,
            subagent: None,
        });
        say(Said::Answer(text("Done.")));
        say(Said::Todos { items: vec![Todo { text: "a_b".to_owned(), progress: Progress::Done }] });
        say(Said::Note { note: Note::Interrupted, text: Text::default() });
        let expected = "\
### You · 2026-11-30 10:00:00

> Do it  

### Codex · 2026-11-30 10:00:00

<details><summary>Bash <code>ls &lt;dir&gt;</code></summary>

```json
{\"command\":\"ls\"}
```

</details>

<details><summary>It gave</summary>

````
```
````

*(1,234 more bytes are left out.)*

</details>

Done.

- [x] a\\_b

*Interrupted by the person.*

";
        assert_eq!(out, expected);
    }
}
