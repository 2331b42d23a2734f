//! Aider's one hook, its notification command. Measured with 0.86.2.

use belfry_protocol::Says;

use crate::told::Told;

/// Run each time that it begins to wait: at its prompt, and at a question, which only the screen tells from it.
pub(crate) const WAITS: &str = "waits";

pub(super) fn read(name: &str) -> Option<Told> {
    (name == WAITS).then(|| Told::new(Some(Says::Idle), "it waits for input").over())
}
