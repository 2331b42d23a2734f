//! Between the protocol's types and columns. Reading never fails on content: what a newer or damaged row says that is not
//! understood becomes the most harmless value, so that one row cannot keep the others from being shown.

use std::str::FromStr;

use jiff::Timestamp;
use rusqlite::types::{FromSql, FromSqlResult, ToSql, ToSqlOutput, ValueRef};
use serde::Serialize;
use serde::de::DeserializeOwned;

/// A moment in a column.
pub(crate) struct At(pub(crate) Timestamp);

impl ToSql for At {
    fn to_sql(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
        Ok(self.0.as_microsecond().into())
    }
}

impl FromSql for At {
    fn column_result(value: ValueRef<'_>) -> FromSqlResult<Self> {
        Ok(Self(Timestamp::from_microsecond(value.as_i64()?).unwrap_or(Timestamp::UNIX_EPOCH)))
    }
}

/// An id in a column.
pub(crate) struct Id<T>(pub(crate) T);

impl<T: std::fmt::Display> ToSql for Id<T> {
    fn to_sql(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
        Ok(self.0.to_string().into())
    }
}

impl<T: FromStr> FromSql for Id<T> {
    fn column_result(value: ValueRef<'_>) -> FromSqlResult<Self> {
        value.as_str()?.parse().map(Self).map_err(|_| rusqlite::types::FromSqlError::InvalidType)
    }
}

/// Anything as JSON text.
pub(crate) fn json<T: Serialize>(value: &T) -> String {
    serde_json::to_string(value).unwrap_or_else(|_| "null".to_owned())
}

/// JSON text as anything, the default where it is not understood.
pub(crate) fn from_json<T: DeserializeOwned + Default>(text: &str) -> T {
    serde_json::from_str(text).unwrap_or_default()
}

/// One word of an enum that the protocol writes as a string.
pub(crate) fn word<T: Serialize>(value: &T) -> String {
    json(value).trim_matches('"').to_owned()
}

/// The value of a word, where it is known.
pub(crate) fn from_word<T: DeserializeOwned>(word: &str) -> Option<T> {
    serde_json::from_value(serde_json::Value::String(word.to_owned())).ok()
}
