//! What a pane of tmux shows at a moment.

use belfry_protocol::local::TmuxPane;
use belfry_tmux::paint::State;

use super::tmux;

/// A screen.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Picture {
    pub(super) state: State,
    rows: String,
    title: String,
}

impl Picture {
    /// Of a pane, with its title; none where it is gone.
    pub(super) async fn of(at: &TmuxPane, title: &str) -> Option<Self> {
        let (state, rows) = tmux::picture(at).await?;
        Some(Self { state, rows, title: title.to_owned() })
    }

    /// The bytes that draw it. tmux does not tell whether pastes are marked: agents have them marked at their prompts, and where
    /// they do not, no prompt is on the screen.
    pub(super) fn drawn(&self) -> Vec<u8> {
        let rows: Vec<Vec<u8>> = self.rows.split('\n').map(|row| row.as_bytes().to_vec()).collect();
        let mut drawn = self.state.paint(&[], &rows, true);
        let title: String = self.title.chars().filter(|c| !c.is_control()).collect();
        drawn.extend(format!("\x1b]2;{title}\x1b\\").into_bytes());
        drawn
    }
}
