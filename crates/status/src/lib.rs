//! Signals in, status out: the arbiter.
//!
//! Pure: it knows no file, socket or clock. Every observation comes with its time, in milliseconds of any steady clock.

pub mod first;
