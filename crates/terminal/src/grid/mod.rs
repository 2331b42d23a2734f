//! Cells, rows and buffers: where text is, without knowing how it came there.

mod buffer;
mod cell;
mod row;
mod tables;
mod width;
mod width_ranges;

pub(crate) use buffer::{Buffer, Charset, Charsets, Saved, default_tabs};
pub(crate) use cell::{CLUSTER, Cell, Color, ColorKind, Flags, Pen};
pub(crate) use row::Row;
pub(crate) use tables::{Extra, Link, MAX_CLUSTER, MAX_URI, Tables};
pub(crate) use width::width;
