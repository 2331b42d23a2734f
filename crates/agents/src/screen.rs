//! Reading screens.

mod reading;

pub use reading::{AnswerBy, Blocked, Dialog, Place, Reading, ScreenView};
