//! The file of the person's settings.

use belfry_protocol::settings::SettingsState;

use super::Check;

/// What the daemon says of it: it reads it when it changes, and names line and column of what is wrong.
pub(super) fn check(state: &SettingsState) -> Check {
    let (id, title) = ("settings", "your settings");
    if let Some(error) = &state.error {
        let found = format!("{}, {error}; {}", state.file, state.in_force());
        return Check::failed(id, title, found, "Mend the file; the daemon reads it again by itself.");
    }
    let warnings: Vec<String> = state.warnings.iter().map(ToString::to_string).collect();
    if !warnings.is_empty() {
        let next = "Look at the names; `belfry settings set` knows which there are.";
        return Check::warning(id, title, format!("{}, {}", state.file, warnings.join(" · ")), next);
    }
    Check::ok(id, title, state.file.clone())
}

/// Whether a notice of the daemon's is about that file.
pub(super) fn tells(notice: &str) -> bool {
    notice.starts_with("settings.toml, ")
}
