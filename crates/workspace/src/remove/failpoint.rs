//! Ends the process at a named step, for tests of what a crash leaves. Not in release builds.

/// The variable that names the step.
#[cfg(debug_assertions)]
const VARIABLE: &str = "BELFRY_DIES_AT";

/// Where a step was reached.
#[cfg(debug_assertions)]
pub(crate) fn reached(step: &str) {
    if std::env::var_os(VARIABLE).is_some_and(|at| at == step) {
        // As a kill does: nothing is unwound and no destructor runs.
        let _ = rustix::process::kill_process(rustix::process::getpid(), rustix::process::Signal::KILL);
    }
}

#[cfg(not(debug_assertions))]
pub(crate) fn reached(_step: &str) {}
