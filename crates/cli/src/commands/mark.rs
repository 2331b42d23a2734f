//! `belfry pin`, `mute`, `snooze` and `focus`.

use std::str::FromStr;

use belfry_protocol::{Reply, Request, Session};
use jiff::{Timestamp, ZonedDateTime};

use crate::args::{FocusArgs, MarkArgs, SnoozeArgs};
use crate::context::{Context, unexpected};
use crate::failure::Failure;
use crate::print::{doing, moment, plain, shape};

/// The hour at which `tomorrow` begins.
const MORNING: i8 = 8;

/// For how long a session is to call nobody.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Snooze {
    /// No longer.
    Off,
    /// For so many seconds.
    For(u32),
    /// Until the next morning, by the clock on the wall.
    Tomorrow,
}

impl FromStr for Snooze {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        match text {
            "off" => return Ok(Self::Off),
            "tomorrow" => return Ok(Self::Tomorrow),
            _ => {}
        }
        let wrong = || "write it as 15m, 1h, 2d, tomorrow or off".to_owned();
        let digits = text.bytes().take_while(u8::is_ascii_digit).count();
        let (number, unit) = text.split_at(digits);
        let number: u32 = number.parse().map_err(|_| wrong())?;
        let unit = match unit.trim_start() {
            "s" => 1,
            "m" | "min" => 60,
            "h" => 3600,
            "d" => 86_400,
            _ => return Err(wrong()),
        };
        match number.checked_mul(unit) {
            Some(seconds @ 1..) => Ok(Self::For(seconds)),
            _ => Err(wrong()),
        }
    }
}

impl Snooze {
    fn seconds(self, now: &ZonedDateTime) -> u32 {
        match self {
            Self::Off => 0,
            Self::For(seconds) => seconds,
            Self::Tomorrow => {
                let morning = now.tomorrow().and_then(|tomorrow| {
                    tomorrow.with().hour(MORNING).minute(0).second(0).subsec_nanosecond(0).build()
                });
                let left = morning.map(|until| until.timestamp().as_second() - now.timestamp().as_second());
                // Where the time zone has no such hour, in a day.
                left.ok().and_then(|left| u32::try_from(left).ok()).unwrap_or(86_400)
            }
        }
    }
}

async fn mark(
    context: &Context,
    session: String,
    (pinned, muted, snooze_seconds): (Option<bool>, Option<bool>, Option<u32>),
    text: impl FnOnce(&Session) -> String,
) -> Result<(), Failure> {
    let request = Request::MarkSession { session, pinned, muted, snooze_seconds };
    let session = context.ask_session(request).await?;
    Ok(context.printer.session(&session, text)?)
}

pub(crate) async fn pin(context: &Context, args: MarkArgs) -> Result<(), Failure> {
    let is = if args.off { "is not kept at the top any more" } else { "is kept at the top" };
    mark(context, args.which.session, (Some(!args.off), None, None), |session| {
        format!("{} {is}.", plain(&session.name))
    })
    .await
}

pub(crate) async fn mute(context: &Context, args: MarkArgs) -> Result<(), Failure> {
    let does = if args.off { "calls you again" } else { "calls nobody until `belfry mute --off`" };
    mark(context, args.which.session, (None, Some(!args.off), None), |session| {
        format!("{} {does}.", plain(&session.name))
    })
    .await
}

pub(crate) async fn snooze(context: &Context, args: SnoozeArgs) -> Result<(), Failure> {
    let seconds = args.time.seconds(&ZonedDateTime::now());
    mark(context, args.which.session, (None, None, Some(seconds)), |session| {
        let name = plain(&session.name);
        match session.snoozed_until {
            Some(until) => format!("{name} calls nobody until {}.", moment(until, &ZonedDateTime::now())),
            None if session.muted => format!("{name} is not snoozed; it is muted."),
            None => format!("{name} calls you again."),
        }
    })
    .await
}

/// Whether a session is snoozed now.
pub(crate) fn snoozed(session: &Session, now: Timestamp) -> bool {
    session.snoozed_until.is_some_and(|until| now < until)
}

pub(crate) async fn focus(context: &Context, args: FocusArgs) -> Result<(), Failure> {
    // A daemon that is started for this has no window.
    let connection = context.connect_existing().await?;
    let next = args.next;
    match connection.request(Request::FocusWindow { session: args.session, next }).await? {
        Reply::Session(session) => Ok(context.printer.session(&session, |session| {
            let doing = doing(session);
            let doing = if doing.is_empty() { String::new() } else { format!(", {doing}") };
            format!("The window shows {}: {}{doing}.", plain(&session.name), shape(session).1)
        })?),
        Reply::Done if context.printer.json => Ok(crate::print::value(&serde_json::json!({ "done": true }))?),
        Reply::Done if next => {
            Ok(crate::print::line("No session needs you; the window comes to the front.")?)
        }
        Reply::Done => Ok(crate::print::line("The window comes to the front.")?),
        other => Err(unexpected(&other)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_read() {
        for (text, snooze) in [
            ("15m", Snooze::For(900)),
            ("15 min", Snooze::For(900)),
            ("1h", Snooze::For(3600)),
            ("2d", Snooze::For(172_800)),
            ("off", Snooze::Off),
            ("tomorrow", Snooze::Tomorrow),
        ] {
            assert_eq!(text.parse(), Ok(snooze), "{text}");
        }
        for text in ["", "m", "15", "0m", "-1h", "1w", "1.5h", "99999999999d", "4294967295d"] {
            assert!(text.parse::<Snooze>().is_err(), "{text}");
        }
    }

    #[test]
    fn tomorrow_is_the_next_morning_by_the_clock_on_the_wall() {
        let now: ZonedDateTime = "2026-11-29T23:30:00+00:00[UTC]".parse().unwrap();
        assert_eq!(Snooze::Tomorrow.seconds(&now), 8 * 3600 + 1800);
        // The clock is put forward in between.
        let now: ZonedDateTime = "2026-03-28T08:00:00+01:00[Europe/Berlin]".parse().unwrap();
        assert_eq!(Snooze::Tomorrow.seconds(&now), 23 * 3600);
    }
}
