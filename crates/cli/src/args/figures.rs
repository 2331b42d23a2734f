//! `belfry top`, `belfry hibernate` and `belfry usage`.

use clap::{Args, ValueEnum};
use jiff::{Timestamp, ToSpan as _, civil};

#[derive(Debug, Args)]
#[command(after_help = "\
Memory counts what processes share once, by shares (PSS); what is marked with ~ counts some of it more often, as it could not be \
looked into. CPU is what was used within a second, in percent of one core. With --json: bytes, milliseconds, and percent.")]
pub(crate) struct TopArgs {
    /// Only these: ids, unique prefixes of ids, or names.
    #[arg(value_name = "SESSION")]
    pub sessions: Vec<String>,
}

#[derive(Debug, Args)]
#[command(after_help = "\
The program ends in good order; the record, the screen and the conversation stay. `belfry send` and `belfry resume` wake it, and \
so does the window. Settings do it by themselves, if you like: `belfry settings get hibernate`.

Exit codes: 0 it sleeps, 1 its agent cannot go on where it was, 3 no such session, 4 refused: it works or asks, something is half \
typed or queued, or something runs in its background; nothing was done.")]
pub(crate) struct HibernateArgs {
    /// Ids, unique prefixes of ids, or names.
    #[arg(value_name = "SESSION", required = true)]
    pub sessions: Vec<String>,
}

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  belfry usage                             each session
  belfry usage --by day --since 7d
  belfry usage --by project --since 2026-11-01 --json

Tokens and costs are those that the agents wrote down of all conversations of this machine, to the hour; `~` marks what an agent \
guessed. Costs are there where the agent gives prices. Time at work and waiting is of sessions of Belfry's, as far back as what \
happened is kept.")]
pub(crate) struct UsageArgs {
    /// How it is added up.
    #[arg(long, value_enum, default_value_t = By::Session)]
    pub by: By,
    /// From then on: a day (2026-11-30), a time (RFC 3339), or how long ago (90m, 12h, 7d, 4w).
    #[arg(long, value_name = "TIME", value_parser = moment)]
    pub since: Option<Timestamp>,
}

/// How it is added up.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum By {
    /// By session; conversations that belong to none by agent.
    Session,
    /// By project.
    Project,
    /// By day.
    Day,
}

/// A moment as it is typed.
fn moment(typed: &str) -> Result<Timestamp, String> {
    let wrong =
        || "write a day (2026-11-30), a time (RFC 3339), or how long ago (90m, 12h, 7d, 4w)".to_owned();
    if let Ok(time) = typed.parse::<Timestamp>() {
        return Ok(time);
    }
    if let Ok(day) = typed.parse::<civil::Date>() {
        let begins = day.to_datetime(civil::Time::midnight());
        return jiff::tz::TimeZone::system().to_timestamp(begins).map_err(|_| wrong());
    }
    let unit = typed.chars().last().ok_or_else(wrong)?;
    let number: i64 = typed.strip_suffix(unit).and_then(|number| number.parse().ok()).ok_or_else(wrong)?;
    let hours = match unit {
        'm' => return ago((0..1_000_000).contains(&number).then(|| number.minutes())).ok_or_else(wrong),
        'h' => 1,
        'd' => 24,
        'w' => 24 * 7,
        _ => return Err(wrong()),
    };
    ago((0..100_000).contains(&number).then(|| (number * hours).hours())).ok_or_else(wrong)
}

fn ago(span: Option<jiff::Span>) -> Option<Timestamp> {
    Timestamp::now().checked_sub(span?).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moments_are_taken_as_people_write_them() {
        let hours = |typed: &str| {
            let then = moment(typed).unwrap();
            Timestamp::now().duration_since(then).as_hours()
        };
        assert_eq!((hours("90m"), hours("12h"), hours("7d"), hours("2w")), (1, 12, 168, 336));
        assert_eq!(moment("2026-11-30T10:00:00Z").unwrap().to_string(), "2026-11-30T10:00:00Z");
        assert!(moment("2026-11-30").is_ok());
        for wrong in ["", "7", "d", "-1d", "7y", "yesterday", "99999999999d", "2026-13-01", "7ü"] {
            assert!(moment(wrong).is_err(), "{wrong}");
        }
    }
}
