//! The keeper: owns one run's terminal, and outlives everything else.
//!
//! It reads a launch specification (JSON) on stdin, detaches, starts the program on a terminal, answers one line of JSON
//! on stdout and then serves the daemon on `<keepers dir>/<run>.sock` until the program has ended and that is recorded.
//! SIGTERM makes it end its run; SIGUSR1 makes it look whether its socket still has its name, and give it one anew.
//! One thread, one poll loop; it parses nothing that the program prints, and asks for no network. The wire and the
//! specification are in `belfry_protocol::keeper`, the record in `belfry_journal`.
//!
//! The terminal is opened and the program started here, with `openpt` and `std::process::Command`, rather than through
//! portable-pty: that crate closes std's own error pipe in the child, so a program that cannot be executed would look
//! started; it falls back to another directory than the one asked for; and its dependencies are larger than the whole
//! keeper. On Windows, where a pseudo console is the only way, portable-pty is the plan.

#[cfg(unix)]
mod ending;
#[cfg(unix)]
mod front;
#[cfg(unix)]
mod input;
#[cfg(unix)]
mod keeper;
#[cfg(unix)]
mod ladder;
#[cfg(unix)]
mod link;
#[cfg(unix)]
mod peers;
#[cfg(unix)]
mod pty;
#[cfg(unix)]
mod recorder;
#[cfg(unix)]
mod signals;
#[cfg(unix)]
mod start;

use std::process::ExitCode;

#[cfg(unix)]
fn main() -> ExitCode {
    match std::env::args_os().nth(1) {
        Some(argument) if argument == "--version" => {
            println!("belfry-keeper {}", env!("CARGO_PKG_VERSION"));
            ExitCode::SUCCESS
        }
        Some(_) => {
            eprintln!(
                "belfry-keeper takes no arguments: the daemon gives it a launch specification on stdin"
            );
            ExitCode::from(2)
        }
        None => start::run(),
    }
}

#[cfg(not(unix))]
fn main() -> ExitCode {
    eprintln!("belfry-keeper does not run on this system yet");
    ExitCode::FAILURE
}
