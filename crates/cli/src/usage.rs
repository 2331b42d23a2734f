//! What the parser says: help, the version, and what was given wrongly.

use std::ffi::OsString;
use std::process::ExitCode;

use clap::Parser;
use clap::error::ErrorKind;

use crate::args::Arguments;
use crate::failure::Failure;
use crate::print::is_hostile;

/// The command line, or the exit code of what there was to say about it.
pub(crate) fn parse() -> Result<Arguments, ExitCode> {
    let given: Vec<OsString> = std::env::args_os().collect();
    Arguments::try_parse_from(&given).map_err(|error| {
        if error.use_stderr() && wants_json(&given) {
            return ExitCode::from(failure(&error).report(true));
        }
        say(&error);
        ExitCode::from(u8::try_from(error.exit_code()).unwrap_or(2))
    })
}

/// Whether `--json` was given, as far as that can be told of a line that does not parse.
fn wants_json(given: &[OsString]) -> bool {
    given.iter().take_while(|word| *word != "--").any(|word| word == "--json")
}

/// The parser quotes what was given, which need not be the person's own: a script may pass a title on.
fn say(error: &clap::Error) {
    let text = error.render().to_string();
    if text.contains(|c| is_hostile(c) && c != '\n') {
        let harmless: String = text.chars().filter(|c| *c == '\n' || !is_hostile(*c)).collect();
        eprint!("{harmless}");
    } else {
        // That nobody reads it is no reason to fail otherwise.
        let _ = error.print();
    }
}

/// The same as every other failure has it: a sentence, and what to do.
fn failure(error: &clap::Error) -> Failure {
    if error.kind() == ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand {
        return Failure::usage("No command was given.").next("`belfry help` lists them.");
    }
    let text = error.render().to_string();
    let joined = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
    let mut said = Vec::new();
    let mut next = Vec::new();
    for part in text.split("\n\n").map(str::trim) {
        match part.strip_prefix("error: ") {
            Some(part) => said.push(joined(part)),
            None if part.starts_with("For more information") => {}
            None if part.starts_with("Usage:") || part.starts_with("tip:") => next.push(joined(part)),
            None => said.push(joined(part)),
        }
    }
    let failure = Failure::usage(said.join(" "));
    if next.is_empty() { failure } else { failure.next(next.join(" ")) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn wrong(line: &str) -> Failure {
        failure(&Arguments::try_parse_from(line.split(' ')).unwrap_err())
    }

    #[test]
    fn the_parser_s_words_become_a_sentence_and_what_to_do() {
        let failure = wrong("belfry wait a");
        assert_eq!(failure.code, "usage");
        assert!(failure.message.contains("--until <STATUS>"), "{}", failure.message);
        assert!(!failure.message.contains(['\n', '\x1b']) && !failure.message.contains("Usage"));
        assert!(failure.next.unwrap().starts_with("Usage: belfry wait"));
        let failure = wrong("belfry shwo");
        assert!(failure.message.contains("shwo") && failure.next.unwrap().contains("show"));
        assert_eq!(wrong("belfry").message, "No command was given.");
    }

    #[test]
    fn json_is_wanted_where_it_was_said_before_the_words_of_others() {
        let given = |line: &str| line.split(' ').map(OsString::from).collect::<Vec<_>>();
        assert!(wants_json(&given("belfry nonsense --json")));
        assert!(!wants_json(&given("belfry new --size 1 -- program --json")));
    }
}
