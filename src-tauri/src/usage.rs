//! What the window's program says on a command line.

use std::ffi::OsString;

const HELP: &str = "\
Belfry's window: shows terminal sessions and keeps none of them; closing it ends no session.

Usage: belfry-desktop

Options:
  -h, --help     Print this
  -V, --version  Print the version

BELFRY_HOME=DIR moves configuration, state and sockets under DIR, an absolute path.
BELFRY_COMPOSITING=always or never: whether the page is drawn in layers, as with a GPU.
The command line is `belfry`; see `belfry --help`.
";

/// The text to print instead of a window. Other arguments are passed over: desktops and toolkits add their own.
pub(crate) fn answer(arguments: impl Iterator<Item = OsString>) -> Option<String> {
    arguments.into_iter().find_map(|argument| match argument.to_str()? {
        "-h" | "--help" => Some(HELP.to_owned()),
        "-V" | "--version" => Some(format!("belfry-desktop {}\n", env!("CARGO_PKG_VERSION"))),
        _ => None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn answered(arguments: &[&str]) -> Option<String> {
        answer(arguments.iter().map(OsString::from))
    }

    #[test]
    fn help_and_version_are_printed_instead_of_a_window() {
        assert!(answered(&["--help"]).is_some_and(|text| text.contains("--version")));
        assert!(answered(&["--other", "-V"]).is_some_and(|text| text.contains(env!("CARGO_PKG_VERSION"))));
        assert_eq!(answered(&[]), None);
        assert_eq!(answered(&["-psn_0_1"]), None);
    }
}
