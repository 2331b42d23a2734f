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
        if let Some(kind) = truth.kind.filter(|kind| *kind != dialog.kind) {
            faults.push(format!("kind {:?} instead of {kind:?}", dialog.kind));
        }
        if truth.kind.is_some() && dialog.approves != truth.approves {
            faults.push(format!("approves {:?} instead of {:?}", dialog.approves, truth.approves));
        }
        if !plain(&dialog.text).contains(&plain(&truth.text)) {
            faults.push(format!("text {:?} instead of {:?}", dialog.text, truth.text));
        }
        if let Some(choices) = &truth.choices {
            let read: Vec<_> = dialog.choices.iter().map(|choice| plain(&choice.label)).collect();
            let fits = read.len() == choices.len()
                && read.iter().zip(choices).all(|(read, wanted)| read.starts_with(&plain(wanted)));
            if !fits {
                faults.push(format!("choices {read:?} instead of {choices:?}"));
            }
        }
        let detail = &dialog.detail;
        let shown = [&detail.command, &detail.path, &detail.url, &detail.tool];
        let shown: Vec<_> = shown.into_iter().flatten().map(|part| plain(part)).collect();
        if let Some(about) = &truth.about
            && !shown.iter().any(|part| part.contains(&plain(about)))
        {
            faults.push(format!("about {shown:?} instead of {about:?}"));
        }
        faults
    }
}

/// Without regard to blanks, and to how an apostrophe is printed.
fn plain(text: &str) -> String {
    text.replace('’', "'").split_whitespace().collect::<Vec<_>>().join(" ")
}
