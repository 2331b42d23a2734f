//! Quiet hours.

use belfry_protocol::settings::QuietHours;
use jiff::Timestamp;
use jiff::tz::TimeZone;

/// Whether that moment is in them, by the clock on the wall there: whatever a change of its time does to the hours.
pub(super) fn at(hours: &QuietHours, moment: Timestamp, zone: &TimeZone) -> bool {
    let time = moment.to_zoned_datetime(zone.clone()).time();
    let now = time.hour() as u16 * 60 + time.minute() as u16;
    let minute = |text: &str| crate::settings::minute(text);
    let (Some(from), Some(to)) = (minute(&hours.from), minute(&hours.to)) else { return false };
    if from <= to { (from..to).contains(&now) } else { now >= from || now < to }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn they_go_past_midnight_and_by_the_clock_on_the_wall() {
        // Central Europe without its database: an hour more from the last Sunday of March to that of October.
        let zone = TimeZone::posix("CET-1CEST,M3.5.0,M10.5.0/3").expect("a zone");
        let night = ("22:00", "07:00");
        let noon = ("12:00", "13:00");
        let cases = [
            (night, "2026-01-10T20:59:59Z", false),
            (night, "2026-01-10T21:00:00Z", true),
            (night, "2026-01-10T23:30:00Z", true),
            (night, "2026-01-11T05:59:59Z", true),
            (night, "2026-01-11T06:00:00Z", false),
            // In summer the same hours are an hour earlier.
            (night, "2026-07-10T19:59:00Z", false),
            (night, "2026-07-10T20:00:00Z", true),
            (night, "2026-07-11T05:00:00Z", false),
            // The night with 23 hours, and the one with 25, where 02:30 comes twice.
            (night, "2026-03-29T04:59:00Z", true),
            (night, "2026-03-29T05:00:00Z", false),
            (("02:00", "03:00"), "2026-03-29T00:59:00Z", false),
            (("02:00", "03:00"), "2026-03-29T01:00:00Z", false),
            (("02:00", "03:00"), "2026-10-25T00:30:00Z", true),
            (("02:00", "03:00"), "2026-10-25T01:30:00Z", true),
            (("02:00", "03:00"), "2026-10-25T02:00:00Z", false),
            (noon, "2026-01-10T11:00:00Z", true),
            (noon, "2026-01-10T12:00:00Z", false),
            (("08:00", "08:00"), "2026-01-10T07:00:00Z", false),
            (("odd", "08:00"), "2026-01-10T06:00:00Z", false),
        ];
        for ((from, to), moment, quiet) in cases {
            let hours = QuietHours { from: from.to_owned(), to: to.to_owned() };
            assert_eq!(
                at(&hours, moment.parse().expect("a moment"), &zone),
                quiet,
                "{from} to {to} at {moment}"
            );
        }
    }
}
