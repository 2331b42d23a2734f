//! Real screens and what is read on them.
//!
//! `screens/AGENT/NAME.txt` is a screen: its first row says where the cursor is, whether bracketed paste is on, and the title;
//! `stands out ROW COLUMN COLUMN` parts name what is highlighted. `NAME.reading` is what is read on it, checked by eye.
//! `BELFRY_BLESS=1` writes the readings anew.

#![allow(clippy::unwrap_used, reason = "helpers of tests, where a panic is a failed test")]

mod screens {
    pub(crate) mod given;
    mod lists;
    mod narrow;
    mod prose;
    mod random;
    mod recorded;
    mod rules;
    mod signs;
    mod variants;
}
