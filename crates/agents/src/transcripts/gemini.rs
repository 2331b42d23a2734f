//! Gemini CLI: which conversation follows on one that was cleared.
//!
//! It keeps a list of all that was typed in a project, each with the conversation that it was typed in. `/clear` is written
//! down there with the one that it ends; the file of the next one is made right after. Measured with 0.61.0.

use serde::Deserialize;

use super::millis;

/// How long after `/clear` the file of the next conversation says that it began, in milliseconds. Measured: 0.3 s, and on a
/// machine with much else to do 1.2 s.
const BEGINS_WITHIN: u64 = 15_000;

/// The first line of a conversation's file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GeminiHead {
    /// The conversation's id.
    pub id: String,
    /// When it began, in milliseconds since the Unix epoch.
    pub began: u64,
}

impl GeminiHead {
    /// Of the person's own conversations; subagents have files beside them.
    pub fn of(line: &[u8]) -> Option<Self> {
        #[derive(Deserialize)]
        #[serde(rename_all = "camelCase")]
        struct Line {
            session_id: String,
            start_time: String,
            #[serde(default)]
            kind: Option<String>,
        }
        let line: Line = serde_json::from_slice(line).ok()?;
        let own = line.kind.is_none_or(|kind| kind == "main");
        Some(Self { id: line.session_id, began: millis(Some(&line.start_time))? }).filter(|_| own)
    }
}

/// The folder of a directory's conversations, by the list of all projects.
pub fn gemini_project(projects: &[u8], cwd: &str) -> Option<String> {
    #[derive(Deserialize)]
    struct Projects {
        projects: std::collections::HashMap<String, String>,
    }
    let projects: Projects = serde_json::from_slice(projects).ok()?;
    let folder = projects.projects.get(cwd)?;
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_');
    (!folder.is_empty() && folder.len() <= 255 && folder.bytes().all(plain)).then(|| folder.clone())
}

/// When each conversation was cleared last, in milliseconds since the Unix epoch, by the list of what was typed.
pub fn gemini_cleared(typed: &[u8]) -> Vec<(String, u64)> {
    #[derive(Deserialize)]
    #[serde(rename_all = "camelCase")]
    struct Typed {
        session_id: String,
        message: String,
        timestamp: String,
    }
    // Entry by entry: one that is odd does not hide the others.
    let Ok(entries) = serde_json::from_slice::<Vec<serde_json::Value>>(typed) else { return Vec::new() };
    let entries = entries.into_iter().filter_map(|entry| serde_json::from_value::<Typed>(entry).ok());
    let cleared = entries.filter(|entry| entry.message.trim() == "/clear");
    cleared.filter_map(|entry| Some((entry.session_id, millis(Some(&entry.timestamp))?))).collect()
}

/// The conversation that followed on one that was cleared then. None where none did so far, and where more than one could be
/// it: the wrong one is worse than none.
pub fn gemini_next<'a>(cleared: u64, heads: impl IntoIterator<Item = &'a GeminiHead>) -> Option<&'a str> {
    let mut next = heads
        .into_iter()
        .filter(|head| head.began >= cleared && head.began - cleared <= BEGINS_WITHIN)
        .map(|head| head.id.as_str());
    let first = next.next()?;
    next.all(|other| other == first).then_some(first)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cleared_conversation_has_one_next() {
        let typed = br#"[
            {"sessionId":"a","messageId":0,"type":"user","message":"count","timestamp":"2026-11-30T09:34:09.479Z"},
            {"odd":true}, 7,
            {"sessionId":"a","messageId":1,"type":"user","message":"/clear","timestamp":"2026-11-30T09:34:11.209Z"}
        ]"#;
        let cleared = gemini_cleared(typed);
        assert_eq!(cleared.len(), 1);
        let (of, at) = &cleared[0];
        assert_eq!(of, "a");
        let head = |id: &str, time: &str| {
            let line = format!(
                r#"{{"sessionId":"{id}","projectHash":"x","startTime":"2026-11-30T09:{time}Z","kind":"main"}}"#
            );
            GeminiHead::of(line.as_bytes()).unwrap()
        };
        let (before, next) = (head("a", "34:08.429"), head("b", "34:11.495"));
        assert_eq!(gemini_next(*at, [&before, &next]), Some("b"));
        assert_eq!(gemini_next(*at, [&before]), None);
        // Both windows of one conversation that was resumed have files; two conversations could be anybody's.
        assert_eq!(gemini_next(*at, [&next, &head("b", "34:12.000")]), Some("b"));
        assert_eq!(gemini_next(*at, [&next, &head("c", "34:20.000")]), None);
        assert_eq!(gemini_next(*at, [&next, &head("c", "35:20.000")]), Some("b"));
    }

    #[test]
    fn what_is_odd_is_nothing() {
        for odd in ["", "{", "[]", r#"{"sessionId":"a"}"#, r#"{"sessionId":"a","startTime":"now"}"#] {
            assert_eq!(GeminiHead::of(odd.as_bytes()), None, "{odd}");
            assert_eq!(gemini_project(odd.as_bytes(), "/p"), None, "{odd}");
            assert!(gemini_cleared(odd.as_bytes()).is_empty(), "{odd}");
        }
        let sub = br#"{"sessionId":"s","startTime":"2026-11-30T09:34:08.429Z","kind":"subagent"}"#;
        assert_eq!(GeminiHead::of(sub), None);
        let project =
            |folder: &str| gemini_project(format!(r#"{{"projects":{{"/p":"{folder}"}}}}"#).as_bytes(), "/p");
        assert_eq!(project("p-1").as_deref(), Some("p-1"));
        assert_eq!((project("../x"), project(""), project("a/b")), (None, None, None));
    }
}
