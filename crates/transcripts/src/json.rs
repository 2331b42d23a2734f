//! JSON of limited size.

use std::borrow::Cow;
use std::cell::Cell;
use std::fmt;

use serde::de::{DeserializeSeed, Deserializer, Error, MapAccess, SeqAccess, Visitor};
use serde_json::{Map, Number, Value};

/// Values that one record may have. One of few bytes takes some 30 in memory, so that a line full of them would take many
/// times its length; the largest honest ones, whole histories, have some ten thousand.
const MOST: usize = 200_000;

/// Reads one value. What is no UTF-8 becomes U+FFFD. None for anything but one whole value of bearable size and depth.
pub(crate) fn parse(bytes: &[u8]) -> Option<Value> {
    let left = Cell::new(MOST);
    let text = String::from_utf8_lossy(bytes);
    let mut reader = serde_json::Deserializer::from_str(match &text {
        Cow::Borrowed(text) => text,
        Cow::Owned(text) => text,
    });
    let value = Bounded(&left).deserialize(&mut reader).ok()?;
    reader.end().ok()?;
    Some(value)
}

/// A value within a text, such as arguments; the text itself where it is none.
pub(crate) fn within(text: &str) -> Value {
    if text.trim_start().starts_with(['{', '[']) {
        parse(text.as_bytes()).unwrap_or_else(|| Value::String(text.to_owned()))
    } else {
        Value::String(text.to_owned())
    }
}

/// A number of things that cannot be negative.
pub(crate) fn number(value: &Value) -> u64 {
    match value.as_u64() {
        Some(number) => number,
        None => value.as_f64().filter(|number| number.is_finite() && *number > 0.0).unwrap_or(0.0) as u64,
    }
}

/// The items of a list, none where it is no list.
pub(crate) fn items(value: &Value) -> &[Value] {
    value.as_array().map_or(&[], Vec::as_slice)
}

struct Bounded<'a>(&'a Cell<usize>);

impl<'de> DeserializeSeed<'de> for Bounded<'_> {
    type Value = Value;

    fn deserialize<D: Deserializer<'de>>(self, from: D) -> Result<Value, D::Error> {
        let left = self.0.get();
        if left == 0 {
            return Err(D::Error::custom("too many values"));
        }
        self.0.set(left - 1);
        from.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Bounded<'_> {
    type Value = Value;

    fn expecting(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        to.write_str("a value")
    }

    fn visit_bool<E>(self, value: bool) -> Result<Value, E> {
        Ok(Value::Bool(value))
    }

    fn visit_i64<E>(self, value: i64) -> Result<Value, E> {
        Ok(Value::Number(value.into()))
    }

    fn visit_u64<E>(self, value: u64) -> Result<Value, E> {
        Ok(Value::Number(value.into()))
    }

    fn visit_f64<E>(self, value: f64) -> Result<Value, E> {
        Ok(Number::from_f64(value).map_or(Value::Null, Value::Number))
    }

    fn visit_str<E>(self, value: &str) -> Result<Value, E> {
        Ok(Value::String(value.to_owned()))
    }

    fn visit_string<E>(self, value: String) -> Result<Value, E> {
        Ok(Value::String(value))
    }

    fn visit_unit<E>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_none<E>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Value, A::Error> {
        let mut values = Vec::new();
        while let Some(value) = items.next_element_seed(Bounded(self.0))? {
            values.push(value);
        }
        Ok(Value::Array(values))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut fields: A) -> Result<Value, A::Error> {
        let mut map = Map::new();
        while let Some(name) = fields.next_key::<String>()? {
            map.insert(name, fields.next_value_seed(Bounded(self.0))?);
        }
        Ok(Value::Object(map))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_read_as_ever() {
        let text = r#"{"a":[1,-2,1.5,null,true,"x"],"b":{"c":""}}"#;
        assert_eq!(parse(text.as_bytes()), serde_json::from_str(text).ok());
        assert_eq!(parse(b"{\"a\":\"\xff\"}").unwrap()["a"], "\u{fffd}");
        for odd in [&b""[..], b"{", b"{} {}", b"{\"a\":}", b"nonsense"] {
            assert_eq!(parse(odd), None);
        }
    }

    #[test]
    fn what_would_fill_the_memory_is_none() {
        let many = format!("[{}1]", "1,".repeat(MOST));
        assert_eq!(parse(many.as_bytes()), None);
        let deep = "[".repeat(100_000);
        assert_eq!(parse(deep.as_bytes()), None);
    }

    #[test]
    fn numbers_are_not_negative() {
        for (text, expected) in
            [("3", 3), ("-3", 0), ("2.9", 2), ("\"x\"", 0), ("null", 0), ("1e30", u64::MAX)]
        {
            assert_eq!(number(&serde_json::from_str(text).unwrap()), expected, "{text}");
        }
    }
}
