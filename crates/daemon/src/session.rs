//! Sessions: the record of each, and the engine of each that lives or is looked at.

mod checkpoint;
pub(crate) mod clean;
mod command;
mod engine;
mod entry;
mod flow;
mod fresh;
mod in_front;
mod keys;
mod link;
mod question;
mod reports;

pub(crate) use checkpoint::replace as replace_file;
pub(crate) use command::{Command, Given, Live};
pub(crate) use engine::{STATUS, Start, close_of_dead, left, reason};
pub(crate) use entry::{Entry, Logged};
pub(crate) use fresh::fresh;
pub(crate) use link::{Link, LinkError};
