//! Observations in, status out: the arbiter.
//!
//! Pure: it knows no file, socket, clock, nor any agent's words. Every observation comes with its time, in milliseconds of
//! any steady clock; how far each source is trusted comes in a [`Table`], made from the agent's rules. [`Arbiter::verdict`]
//! says what follows from all of it, by which [`Rule`], and when it could change by mere waiting, so that the caller needs
//! no timer while nothing can happen.
//!
//! Inside, three steps, each in modules of its own: what is known of each source (`words`, `screen`, `tasks`, `output`,
//! `turn`), what is so at a moment (`opinion`, `decide`), and what is shown of it without flicker (`shown`).

mod activity;
mod arbiter;
mod clock;
mod decide;
mod evidence;
mod observation;
mod opinion;
mod output;
mod rule;
mod screen;
mod shown;
mod state;
mod table;
mod tasks;
mod turn;
mod verdict;
mod words;

pub use activity::{Activity, Doing};
pub use arbiter::Arbiter;
pub use observation::{
    DialogSeen, Foreground, Observation, Place, ScreenSays, Silence, Task, TaskKind, Trouble, Word,
};
pub use rule::Rule;
pub use table::{Questions, Table, Trust};
pub use verdict::{Verdict, WhyNot};
