//! `belfry`: the command line, and the daemon as one of its roles.

mod args;
mod attach;
mod bridge;
mod commands;
mod completion;
mod context;
mod doctor;
mod failure;
mod logging;
mod print;
mod serve;
mod usage;

use std::process::ExitCode;

use args::{Arguments, Command, DaemonAction, DaemonArgs};
use context::Context;
use failure::Failure;

fn main() -> ExitCode {
    if let Some(name) = commands::hook::called(std::env::args_os()) {
        commands::hook::run(&name);
        return ExitCode::SUCCESS;
    }
    let Arguments { json, command } = match usage::parse() {
        Ok(arguments) => arguments,
        Err(code) => return code,
    };
    if let Command::TmuxBridge(args) = command {
        return bridge::run(&args);
    }
    match run(json, command) {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => ExitCode::from(failure.report(json)),
    }
}

fn run(json: bool, command: Command) -> Result<(), Failure> {
    let context = Context::new(json)?;
    if let Command::Daemon(DaemonArgs { action: DaemonAction::Run }) = command {
        return commands::foreground(context);
    }
    // A command waits far more than it works: one thread is enough, and starts sooner.
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .map_err(|error| Failure::failed(format!("The runtime cannot be made: {error}.")))?;
    let outcome = runtime.block_on(commands::run(&context, command));
    // A read of the terminal may still wait for a key; it ends with the process.
    runtime.shutdown_background();
    outcome
}
