//! What must hold whatever is observed, in whatever order.

#[path = "../support/mod.rs"]
mod support;

mod chaos;
mod history;
mod models;
mod truth;
