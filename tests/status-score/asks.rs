//! Whether a question was read right.

use belfry_agents::Dialog;

use super::AskTruth;

/// What was read of a question that was on the screen.
#[derive(Clone, Debug)]
pub struct AskSeen {
    /// When, in milliseconds.
    pub at: u64,
    /// What was asked.
    pub truth: AskTruth,
    /// What was read.
    pub dialog: Option<Dialog>,
}

impl AskSeen {
    /// What is wrong with what was read; nothing where it is right.
    pub fn faults(&self) -> Vec<String> {
        let Some(dialog) = &self.dialog else { return vec!["no dialog was found".to_owned()] };
        let truth = &self.truth;
        let mut faults = Vec::new();
        if dialog.kind != truth.kind {
            faults.push(format!("kind {:?} instead of {:?}", dialog.kind, truth.kind));
        }
        if dialog.approves != truth.approves {
            faults.push(format!("approves {:?} instead of {:?}", dialog.approves, truth.approves));
        }
        if !plain(&dialog.text).contains(&plain(&truth.text)) {
            faults.push(format!("text {:?} instead of {:?}", dialog.text, truth.text));
        }
        let read: Vec<_> = dialog.choices.iter().map(|choice| plain(&choice.label)).collect();
        let fits = read.len() == truth.choices.len()
            && read.iter().zip(&truth.choices).all(|(read, wanted)| read.starts_with(&plain(wanted)));
        if !fits {
            faults.push(format!("choices {read:?} instead of {:?}", truth.choices));
        }
        faults
    }
}

/// Without regard to blanks, and to how an apostrophe is printed.
fn plain(text: &str) -> String {
    text.replace('’', "'").split_whitespace().collect::<Vec<_>>().join(" ")
}
