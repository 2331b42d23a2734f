//! The dialog at the foot of a screen.

use belfry_protocol::ask::{Approves, AskDetail, AskKind, Choice, Risk};

use super::choices::{Block, Item, Layout, one_is_chosen};
use super::detail;
use super::pattern::{Pattern, one_line};
use super::risk;
use super::rows::{Rows, is_blank, is_divider, split_frame, unframed, unwrapped};
use super::rules::{Answer, DialogRule, ScreenRules, Scrolls, Submit, Tick};
use super::{AnswerBy, Dialog, Foot};

/// Most rows of a dialog that are looked at.
const TALLEST: usize = 80;

/// Rows at the foot in which a dialog without answers says what it wants.
const FOOT: usize = 3;

/// Longest question that is kept, in characters.
const LONGEST: usize = 400;

/// A dialog's rows, as far as they are known.
pub(crate) struct Found<'a> {
    pub(crate) above: Rows<'a>,
    whole: Rows<'a>,
    below: Rows<'a>,
    block: &'a Block,
    /// The right edge of the screen.
    pub(crate) right: usize,
    /// Its first row is known: what is counted from there is right.
    pub(crate) begins: bool,
    /// Rows that stand for what there is no room for.
    cut: &'a [Pattern],
    /// What tells it apart from others with the same words.
    serial: Option<String>,
}

/// The key of the field at the end of a list that scrolls: its number is not known until it is seen.
const FIELD: &str = "t";

/// Why an approval is to be looked at more closely.
const UNSEEN: &str = "not all of it is to be seen: the terminal is too small";

/// The dialog by the first rule that fits.
pub(crate) fn read(rules: &ScreenRules, foot: &Foot<'_>, highlights: &[(u16, u16, u16)]) -> Option<Dialog> {
    // Rules share their layouts: each is read once.
    let mut blocks: Vec<(&Layout, Option<Block>)> = Vec::new();
    for rule in &rules.dialog {
        if !blocks.iter().any(|(layout, _)| *layout == &rule.choices) {
            blocks.push((&rule.choices, rule.choices.read(foot, highlights)));
        }
        let block =
            blocks.iter().find(|(layout, _)| *layout == &rule.choices).and_then(|(_, block)| block.as_ref());
        if let Some(block) = block
            && let Some(mut found) = rule.fits(rules, foot, block)
        {
            found.serial = rules.asks_apart.as_ref().and_then(|apart| found.tells(apart, foot));
            let mut dialog = rule.dialog(&found);
            // Answers that cannot be read are answers: Enter would take one that nobody has seen.
            if dialog.kind == AskKind::Enter && block.items.is_empty() && one_is_chosen(found.whole.rows()) {
                dialog.kind = AskKind::Choice;
                dialog.answer = AnswerBy::Unknown;
                dialog.cut = true;
            }
            return Some(dialog);
        }
    }
    None
}

impl DialogRule {
    fn fits<'a>(&self, rules: &'a ScreenRules, foot: &Foot<'a>, block: &'a Block) -> Option<Found<'a>> {
        let rows = foot.rows;
        let highest = block.first.saturating_sub(TALLEST);
        // Another box above the one that the answers are in is another dialog.
        let other = (highest..block.first).rev().find(|&row| closes_box(&rows[row]));
        let highest = other.filter(|_| is_framed(rows, block)).map_or(highest, |row| row + 1);
        let lowest = match self.choices {
            // A line drawn below everything is no top.
            Layout::None => rows.iter().rposition(|row| !is_blank(row) && !is_divider(row)).unwrap_or(0),
            _ => block.first + 1,
        };
        let row_with =
            |pattern: &Pattern| (highest..lowest).rev().find(|&row| pattern.matches(unframed(&rows[row])));
        let top = match (&self.top, &rules.dialog_top) {
            (Some(top), any) => row_with(top).or_else(|| row_with(any.as_ref()?)),
            // What is further up was asked before.
            (None, _) if self.choices == Layout::Inline => {
                let above = (highest..block.first).rev().take_while(|&row| !is_blank(&rows[row]));
                Some(above.last().unwrap_or(block.first))
            }
            (None, Some(top)) => row_with(top).map(|row| row + 1),
            (None, None) => None,
        };
        let begins = top.is_some();
        let top = top.unwrap_or(highest);
        // Where there are no answers, what is at the very foot stands for what is below them.
        let below = match self.choices {
            Layout::None => (top..rows.len()).rev().filter(|&row| !is_blank(&rows[row])).take(FOOT).last(),
            _ => Some(block.end),
        };
        let found = Found {
            above: Rows::new(&rows[top..block.first.max(top)]),
            whole: Rows::new(&rows[top..]),
            below: Rows::new(&rows[below.unwrap_or(rows.len())..]),
            block,
            right: foot.right,
            begins,
            cut: &rules.cut,
            serial: None,
        };
        // A question in the row of its answers is all that there is; what is right above may be a file that was printed.
        let in_it = |pattern: &Pattern| match found.question() {
            Some(question) => pattern.matches(question),
            None => pattern.is_in(&found.whole),
        };
        let fits = self.all.iter().all(in_it)
            && (self.any.is_empty() || self.any.iter().any(in_it))
            && !self.none.iter().any(in_it)
            && (self.below.is_empty() || self.below.iter().any(|pattern| pattern.is_in(&found.below)))
            && (self.offers.is_empty() || self.offers.iter().any(|pattern| found.offers(pattern)));
        fits.then_some(found)
    }

    fn dialog(&self, found: &Found<'_>) -> Dialog {
        let detail = detail::read(&self.detail, found);
        let text = self.question(found);
        // Of what is not to be seen whole, nobody knows what it says.
        let seen = |item: &&Item| self.whole.as_ref().is_none_or(|end| end.matches(&item.label));
        let items: Vec<&Item> = found.block.items.iter().filter(seen).collect();
        let closed = items.last().is_none_or(|last| {
            self.closes.is_empty() || self.closes.iter().any(|pattern| pattern.matches(&last.label))
        });
        let partial = found.block.partial || items.len() < found.block.items.len() || !closed;
        let scrolls = self.scrolls.as_ref().filter(|_| found.block.partial);
        let partial = partial && scrolls.is_none();
        let mut choices: Vec<Choice> = items.iter().map(|item| self.choice(item)).collect();
        let boxes = choices.iter().any(|choice| choice.ticked.is_some());
        if boxes && self.submit.is_some() {
            choices.push(self.choice(&Item {
                key: Choice::SUBMIT.to_owned(),
                label: "Submit".to_owned(),
                ..Item::default()
            }));
        }
        if let Some(scrolls) = scrolls {
            self.add_end(scrolls, boxes, &mut choices);
        }
        let (risk, risk_reason) = match self.kind {
            AskKind::Approval => risk::of_detail(&detail, self.approves),
            AskKind::Trust => {
                (Risk::Medium, Some("files of this folder can run code once it is trusted".to_owned()))
            }
            AskKind::Plan => (Risk::Medium, Some("it begins to carry the plan out".to_owned())),
            _ => (Risk::Low, None),
        };
        let (risk, risk_reason) = match self.risk {
            Some(risk) => (risk, self.risk_reason.clone()),
            None => (risk, risk_reason),
        };
        let unseen = partial || self.cut || found.cut.iter().any(|pattern| pattern.is_in(&found.whole));
        let fields = |patterns: &[Pattern]| {
            found.block.items.iter().any(|item| patterns.iter().any(|pattern| pattern.matches(&item.label)))
        };
        // What was typed into the field stands in the place of its label.
        let filled = self.keeps_field && scrolls.is_none() && !fields(&self.takes_text);
        let (risk, risk_reason) = match (unseen, self.kind) {
            (true, AskKind::Approval) if risk < Risk::High => (Risk::Medium, Some(UNSEEN.to_owned())),
            _ => (risk, risk_reason),
        };
        let (risk, risk_reason) = risk::settled((risk, risk_reason), &mut choices);
        Dialog {
            rule: self.name.clone(),
            kind: self.kind,
            approves: self.approves,
            text,
            selected: items.iter().position(|item| item.marked),
            answer: if partial { AnswerBy::Unknown } else { self.answered(found.block, scrolls.is_some()) },
            takes_text: self.wants_text || choices.iter().any(|choice| choice.takes_text),
            enter_opens_text: self.enter_opens_text,
            submit: self.submit.filter(|_| boxes).map(|Submit::Tab| b"\t".to_vec()),
            tick: self.tick.map(|tick| if tick == Tick::Enter { vec![b'\r'] } else { vec![b' '] }),
            ticks_all: items
                .iter()
                .position(|item| self.ticks_all.iter().any(|all| all.matches(&item.label))),
            half_typed: filled || found.block.typed,
            scrolls: scrolls.is_some(),
            serial: found.serial.clone(),
            unnamed: self.unnamed(&detail),
            cut: unseen,
            choices,
            detail,
            risk,
            risk_reason,
        }
    }

    /// The end of a list that scrolls, which is always there: the field for a text, or what takes the ticked answers.
    fn add_end(&self, scrolls: &Scrolls, boxes: bool, choices: &mut Vec<Choice>) {
        let end = |key: &str, label: &str| {
            self.choice(&Item { key: key.to_owned(), label: label.to_owned(), ..Item::default() })
        };
        // Right above what takes the ticked ones is the field, whatever lies in it.
        let field = match choices.iter().position(|choice| choice.key == Choice::SUBMIT) {
            Some(submit) => submit.checked_sub(1),
            None => choices.iter().position(|choice| choice.takes_text),
        };
        match field.and_then(|at| choices.get_mut(at)) {
            Some(field) => {
                FIELD.clone_into(&mut field.key);
                field.takes_text = true;
            }
            None if !boxes => choices.push(end(FIELD, &scrolls.field)),
            None => {}
        }
        if boxes && choices.iter().all(|choice| choice.key != Choice::SUBMIT) {
            choices.push(end(Choice::SUBMIT, &scrolls.submit));
        }
    }

    /// Whether what is to be approved is looked for and not there.
    fn unnamed(&self, detail: &AskDetail) -> bool {
        let (rules, missing) = match self.approves {
            Some(Approves::Command) => (&self.detail.command, detail.command.is_none()),
            Some(Approves::Edit) => (&self.detail.path, detail.path.is_none()),
            Some(Approves::Fetch) => (&self.detail.url, detail.url.is_none()),
            Some(Approves::Mcp) => (&self.detail.tool, detail.tool.is_none()),
            Some(Approves::Other) | None => return false,
        };
        missing && !rules.is_empty()
    }

    fn question(&self, found: &Found<'_>) -> String {
        let named = self
            .question
            .as_ref()
            .and_then(|pattern| pattern.find(&found.whole).map(|question| one_line(question.text())));
        let text = named.or_else(|| found.block.question.clone()).or_else(|| self.otherwise.clone());
        let text = text.unwrap_or_else(|| found.paragraph());
        text.chars().take(LONGEST).collect()
    }

    fn choice(&self, item: &Item) -> Choice {
        let says = |patterns: &[Pattern]| patterns.iter().any(|pattern| pattern.matches(&item.label));
        let refuses = says(&self.refuses) || (risk::refuses(&item.label) && !says(&self.acts));
        let risk = risk::of_choice(&item.label, item.description.as_deref(), self.kind);
        Choice {
            key: item.key.clone(),
            label: item.label.clone(),
            description: item.description.clone(),
            risk: if refuses { Risk::Low } else { risk.max(self.risk.unwrap_or_default()) },
            refuses,
            takes_text: says(&self.takes_text),
            ticked: item.ticked,
        }
    }

    /// Whether the mark is at an answer that is a field for a text. What is typed stands in the place of its label.
    fn in_text(&self, block: &Block) -> bool {
        let field = |item: &Item| self.takes_text.iter().any(|pattern| pattern.matches(&item.label));
        let marked = block.items.iter().find(|item| item.marked);
        !self.takes_text.is_empty() && (marked.is_some_and(field) || !block.items.iter().any(field))
    }

    fn answered(&self, block: &Block, scrolls: bool) -> AnswerBy {
        // Boxes are answered where it is known how they are ticked, and where what is ticked is taken.
        let boxes = block.items.iter().any(|item| item.ticked.is_some());
        let taken =
            scrolls || self.submit.is_some() || block.items.iter().any(|item| item.key == Choice::SUBMIT);
        if boxes && (!taken || self.tick.is_none() || block.selected().is_none()) {
            return AnswerBy::Unknown;
        }
        let walk = |next: &[u8], previous: &[u8]| AnswerBy::Walk {
            next: next.to_vec(),
            previous: previous.to_vec(),
        };
        let arrows = walk(b"\x1b[B", b"\x1b[A");
        if boxes {
            return arrows;
        }
        match self.answer {
            // In a field for a text, a key is part of the text.
            Answer::Key if self.in_text(block) => arrows,
            Answer::Key => AnswerBy::Key,
            Answer::KeyEnter => AnswerBy::KeyEnter,
            Answer::Enter => AnswerBy::Enter,
            Answer::Line => AnswerBy::Line,
            // Nobody can see where the mark is.
            Answer::UpDown | Answer::LeftRight if block.selected().is_none() => AnswerBy::Unknown,
            Answer::UpDown => arrows,
            Answer::LeftRight => walk(b"\x1b[C", b"\x1b[D"),
            Answer::Unknown => AnswerBy::Unknown,
        }
    }
}

/// Whether the answers are in a box.
fn is_framed(rows: &[String], block: &Block) -> bool {
    rows.get(block.first).is_some_and(|row| split_frame(row).0 > 0)
}

/// Whether a row is the lower edge of a box that is in no other.
fn closes_box(row: &str) -> bool {
    row.trim_start().starts_with(['╰', '└'])
}

impl Found<'_> {
    /// The question, where it is in the row of the answers.
    pub(crate) fn question(&self) -> Option<&str> {
        self.block.question.as_deref()
    }

    /// What tells it apart, in it or above it.
    fn tells(&self, apart: &Pattern, foot: &Foot<'_>) -> Option<String> {
        if apart.has_group() {
            return apart.find(&self.whole).map(|found| found.text().to_owned());
        }
        let above = foot.rows.len().checked_sub(self.whole.rows().len())?;
        Some(apart.count(&Rows::new(&foot.rows[..above])).to_string())
    }

    fn offers(&self, pattern: &Pattern) -> bool {
        self.block.items.iter().any(|item| pattern.matches(&item.label))
    }

    /// The text right above the answers: the nearest paragraph that ends as a question does, else the nearest one.
    fn paragraph(&self) -> String {
        let rows = self.above.rows();
        let mut nearest = None;
        let mut end = rows.len();
        while end > 0 {
            let cut = |row: &str| self.cut.iter().any(|pattern| pattern.matches(row));
            let blank = |row: &String| is_blank(row) || is_divider(unframed(row)) || cut(unframed(row));
            if blank(&rows[end - 1]) {
                end -= 1;
                continue;
            }
            let first = (0..end).rev().take_while(|&row| !blank(&rows[row])).last().unwrap_or(end - 1);
            let texts = unwrapped(rows[first..end].iter().map(|row| unframed(row)), self.right);
            if let Some(question) = texts.iter().rev().find(|text| text.ends_with(['?', ':'])) {
                return question.clone();
            }
            nearest.get_or_insert_with(|| texts.join(" "));
            end = first;
        }
        nearest.unwrap_or_default()
    }
}
