//! `belfry doctor`: does this machine have all that Belfry needs, and if not, what to do.

mod daemon;
mod hooks;
mod machine;
mod places;
mod programs;
mod rules;
mod settings;
mod shell;

use serde::Serialize;

use crate::context::Context;
use crate::failure::{Exit, Failure};
use crate::print::{Color, brief};

/// A database can have thousands of faults; `--json` has all of them.
const MOST: usize = 1000;

/// How a check came out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum State {
    /// As it should be.
    Ok,
    /// Something works less well.
    Warning,
    /// Something does not work.
    Failed,
}

/// One check.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub(crate) struct Check {
    /// For programs.
    id: &'static str,
    state: State,
    /// What was looked at.
    title: &'static str,
    /// What was found.
    found: String,
    /// What to do, where there is something.
    #[serde(skip_serializing_if = "Option::is_none")]
    next: Option<String>,
}

impl Check {
    fn ok(id: &'static str, title: &'static str, found: impl Into<String>) -> Self {
        Self { id, state: State::Ok, title, found: found.into(), next: None }
    }

    fn warning(
        id: &'static str,
        title: &'static str,
        found: impl Into<String>,
        next: impl Into<String>,
    ) -> Self {
        Self { state: State::Warning, next: Some(next.into()), ..Self::ok(id, title, found) }
    }

    fn failed(
        id: &'static str,
        title: &'static str,
        found: impl Into<String>,
        next: impl Into<String>,
    ) -> Self {
        Self { state: State::Failed, next: Some(next.into()), ..Self::ok(id, title, found) }
    }
}

pub(crate) async fn run(context: &Context) -> Result<(), Failure> {
    let mut checks = vec![programs::binaries(), programs::libraries(), programs::webkit(), programs::git()];
    checks.extend(places::check(&context.home));
    checks.extend(daemon::check(context).await);
    checks.extend([shell::terminal(), shell::login_shell(), machine::processes()]);
    checks.push(machine::watches(context.home.state_dir()));
    let failed = checks.iter().filter(|check| check.state == State::Failed).count();
    if context.printer.json {
        crate::print::value(&serde_json::json!({ "ok": failed == 0, "checks": checks }))?;
    } else {
        for check in &checks {
            crate::print::line(&line(context, check))?;
        }
    }
    if failed > 0 {
        let text =
            if failed == 1 { "One check failed.".to_owned() } else { format!("{failed} checks failed.") };
        return Err(Failure::new(Exit::Failed, "unhealthy", text));
    }
    Ok(())
}

fn line(context: &Context, check: &Check) -> String {
    let style = context.printer.style;
    let mark = match check.state {
        State::Ok => style.paint("✓", Color::Green),
        State::Warning => style.paint("!", Color::Yellow),
        State::Failed => style.paint("✗", Color::Red),
    };
    let mut line = format!("{mark} {:<17} {}", check.title, brief(&check.found, MOST));
    if let Some(next) = &check.next {
        line.push_str("\n                    → ");
        line.push_str(&brief(next, MOST));
    }
    line
}
