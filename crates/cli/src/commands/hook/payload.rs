//! What of a payload is passed on: enough to say what happens, and not what was said.
//!
//! A tool's result or a prompt can be megabytes. It is read once, long texts are cut and long lists ended as they come by,
//! so that neither this process nor the daemon ever holds more than a little of it.

use std::fmt;

use serde::de::{DeserializeSeed, IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde_json::{Map, Value};

/// Largest payload that is read, in bytes.
pub(super) const LARGEST: u64 = 8 * 1024 * 1024;

/// Largest payload that is sent, in bytes of JSON: the daemon takes 64 KiB.
const MOST: usize = 60 * 1024;

/// How much is kept.
#[derive(Clone, Copy)]
struct Limits {
    /// Characters of a text.
    text: usize,
    /// Members of a list.
    items: usize,
    /// Fields of an object.
    fields: usize,
    /// Lists and objects in one another.
    depth: usize,
}

const USUAL: Limits = Limits { text: 1000, items: 8, fields: 32, depth: 5 };
const SPARE: Limits = Limits { text: 200, items: 4, fields: 24, depth: 2 };

/// The payload without most of its bulk; null where it is no JSON, or much too large.
pub(super) fn reduced(bytes: &[u8]) -> Value {
    if bytes.is_empty() || bytes.len() as u64 >= LARGEST {
        return Value::Null;
    }
    let fits = |limits: Limits| {
        let mut json = serde_json::Deserializer::from_slice(bytes);
        let value = Kept(limits).deserialize(&mut json).ok()?;
        serde_json::to_vec(&value).is_ok_and(|json| json.len() <= MOST).then_some(value)
    };
    fits(USUAL).or_else(|| fits(SPARE)).unwrap_or(Value::Null)
}

struct Kept(Limits);

impl Kept {
    fn inside(&self) -> Self {
        Self(Limits { depth: self.0.depth.saturating_sub(1), ..self.0 })
    }
}

impl<'de> DeserializeSeed<'de> for Kept {
    type Value = Value;

    fn deserialize<D: serde::Deserializer<'de>>(self, deserializer: D) -> Result<Value, D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Kept {
    type Value = Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("JSON")
    }

    fn visit_bool<E>(self, value: bool) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_i64<E>(self, value: i64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_u64<E>(self, value: u64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_f64<E>(self, value: f64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_unit<E>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_str<E>(self, text: &str) -> Result<Value, E> {
        let end = text.char_indices().nth(self.0.text).map_or(text.len(), |(at, _)| at);
        Ok(text[..end].into())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Value, A::Error> {
        let mut kept = Vec::new();
        while self.0.depth > 0 && kept.len() < self.0.items {
            match list.next_element_seed(self.inside())? {
                Some(item) => kept.push(item),
                None => return Ok(kept.into()),
            }
        }
        while list.next_element::<IgnoredAny>()?.is_some() {}
        Ok(kept.into())
    }

    fn visit_map<A: MapAccess<'de>>(self, mut object: A) -> Result<Value, A::Error> {
        let mut kept = Map::new();
        while let Some(name) = object.next_key::<String>()? {
            if self.0.depth > 0 && kept.len() < self.0.fields && name.len() <= 64 {
                kept.insert(name, object.next_value_seed(self.inside())?);
            } else {
                object.next_value::<IgnoredAny>()?;
            }
        }
        Ok(kept.into())
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn of(value: &Value) -> Value {
        reduced(value.to_string().as_bytes())
    }

    #[test]
    fn what_matters_stays_as_it_is() {
        let usual =
            json!({ "session_id": "S", "tool_input": { "command": "ls", "n": [1, -2, 0.5, true, null] } });
        assert_eq!(of(&usual), usual);
    }

    #[test]
    fn bulk_is_cut() {
        // Three of them are just below what is read at all.
        let long = "ü".repeat(1_000_000);
        let large = json!({ "tool_response": long, "list": vec![long.clone(); 2], "name": "Stop" });
        let kept = of(&large);
        assert_eq!(kept["name"], "Stop");
        assert_eq!(kept["tool_response"].as_str().map(|text| text.chars().count()), Some(1000));
        let wide: Map<String, Value> =
            (0..500).map(|n| (format!("k{n}"), vec![json!("x".repeat(999)); 10].into())).collect();
        let kept = of(&json!({ "name": "Stop", "wide": wide }));
        assert_eq!(kept["name"], "Stop");
        assert!(kept.to_string().len() <= MOST);
    }

    #[test]
    fn what_is_none_is_null() {
        for garbage in [&b""[..], b"{", b"\xff\xff", b"{\"a\":", b"nonsense"] {
            assert_eq!(reduced(garbage), Value::Null);
        }
        assert_eq!(reduced(&b"[".repeat(1_000_000)), Value::Null, "too deep for the reader");
        let mut deep = json!("end");
        for _ in 0..100 {
            deep = json!({ "deeper": deep });
        }
        assert!(of(&deep)["deeper"]["deeper"].is_object());
    }
}
