//! Where agents keep their files.

use std::path::{Path, PathBuf};

/// Longest folder name that Claude Code makes of a directory before it cuts it, in UTF-16 units.
const LONGEST: usize = 200;

/// Claude Code's own directory: `CLAUDE_CONFIG_DIR`, else `.claude` in the home directory. `var` reads a variable of the
/// agent's environment.
pub fn claude_home(var: impl Fn(&str) -> Option<String>) -> Option<PathBuf> {
    own_home(&var, "CLAUDE_CONFIG_DIR", ".claude")
}

/// Codex's own directory: `CODEX_HOME`, else `.codex` in the home directory.
pub fn codex_home(var: impl Fn(&str) -> Option<String>) -> Option<PathBuf> {
    own_home(&var, "CODEX_HOME", ".codex")
}

/// Gemini CLI's own directory: `.gemini` in `GEMINI_CLI_HOME`, else in the home directory.
pub fn gemini_home(var: impl Fn(&str) -> Option<String>) -> Option<PathBuf> {
    let set = |name: &str| var(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    let home = set("GEMINI_CLI_HOME").or_else(|| set("HOME"))?;
    home.is_absolute().then(|| home.join(".gemini"))
}

fn own_home(var: &impl Fn(&str) -> Option<String>, name: &str, folder: &str) -> Option<PathBuf> {
    let set = |name: &str| var(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    let home = set(name).or_else(|| set("HOME").map(|home| home.join(folder)))?;
    // A relative one depends on where the agent was started, and is nobody's habit.
    home.is_absolute().then_some(home)
}

/// The transcript of a conversation, relative to [`claude_home`]. None for an id that is no file's name.
pub fn claude_transcript(cwd: &str, conversation: &str) -> Option<PathBuf> {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'-';
    if conversation.is_empty() || conversation.len() > 64 || !conversation.bytes().all(plain) {
        return None;
    }
    Some(Path::new("projects").join(claude_folder(cwd)).join(format!("{conversation}.jsonl")))
}

/// The folder of a directory's transcripts: each UTF-16 unit that is no ASCII letter or digit is a `-`. A longer one is cut,
/// and a hash of the whole is put behind it. Measured with 2.1.197 and 2.1.332.
fn claude_folder(cwd: &str) -> String {
    let units: Vec<u16> = cwd.encode_utf16().collect();
    let plain = |unit: &u16| match u8::try_from(*unit) {
        Ok(byte) if byte.is_ascii_alphanumeric() => byte as char,
        _ => '-',
    };
    let mut folder: String = units.iter().take(LONGEST).map(plain).collect();
    if units.len() > LONGEST {
        let hash =
            units.iter().fold(0_i32, |hash, unit| hash.wrapping_mul(31).wrapping_add(i32::from(*unit)));
        folder.push('-');
        folder.push_str(&base36(hash.unsigned_abs()));
    }
    folder
}

fn base36(mut number: u32) -> String {
    const DIGITS: &[u8; 36] = b"0123456789abcdefghijklmnopqrstuvwxyz";
    let mut digits = Vec::new();
    loop {
        digits.push(DIGITS[(number % 36) as usize] as char);
        number /= 36;
        if number == 0 {
            return digits.into_iter().rev().collect();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn folders_of_directories() {
        assert_eq!(claude_folder("/We_ird.dir näme (x)+@"), "-We-ird-dir-n-me--x---");
        assert_eq!(claude_folder("/日本語"), "----");
        // Two units for what is beyond the basic plane.
        assert_eq!(claude_folder("/\u{1f514}"), "---");
        let long = claude_folder(&format!("/{}", "a".repeat(250)));
        assert!(long.starts_with("-aaa") && long.len() > 201 && long.as_bytes()[200] == b'-', "{long}");
        assert_eq!(base36(0), "0");
        assert_eq!(base36(35 + 36), "1z");
        let path = claude_transcript("/p", "0b5c-1").unwrap();
        assert_eq!(path, Path::new("projects/-p/0b5c-1.jsonl"));
        for odd in ["", "..", "../x", "a/b", "a.b", "a\0"] {
            assert_eq!(claude_transcript("/p", odd), None, "{odd}");
        }
    }

    #[test]
    fn homes_are_where_the_environment_says() {
        let home = |config: &str, home: &str| {
            claude_home(|name| Some(if name == "HOME" { home } else { config }.to_owned()))
        };
        assert_eq!(home("", "/h"), Some("/h/.claude".into()));
        assert_eq!(home("/c", "/h"), Some("/c".into()));
        assert_eq!(home("c", "/h"), None);
        assert_eq!(codex_home(|_| None), None);
    }
}
