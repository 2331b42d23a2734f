//! What agents' records have in common: tools, changes to files, lists of what is to be done.

mod diff;
mod patch;
mod todo;
mod tool;

pub(crate) use diff::{hunks, replaced, whole};
pub(crate) use todo::{plan, todos};
pub(crate) use tool::call;

use jiff::Timestamp;
use serde_json::Value;

/// A time as agents write it: text, or milliseconds since the Unix epoch.
pub(crate) fn time(value: &Value) -> Option<Timestamp> {
    match value {
        Value::String(text) => text.parse().ok(),
        Value::Number(_) => Timestamp::from_millisecond(value.as_f64()? as i64).ok(),
        _ => None,
    }
}

/// Bytes of a picture in base64.
pub(crate) fn base64_bytes(data: &str) -> u64 {
    data.len() as u64 / 4 * 3
}
