//! Times for people.

use jiff::Timestamp;

/// How long ago, in the largest unit that fits: `3 s`, `12 min`, `5 h`, `9 d`.
pub(crate) fn ago(then: Timestamp, now: Timestamp) -> String {
    let seconds = (now.as_second() - then.as_second()).max(0);
    match seconds {
        0..60 => format!("{seconds} s"),
        60..3600 => format!("{} min", seconds / 60),
        3600..86_400 => format!("{} h", seconds / 3600),
        _ => format!("{} d", seconds / 86_400),
    }
}

/// A length of time in milliseconds, as [`ago`] writes it, with a tenth where a second is long.
pub(crate) fn span(millis: u64) -> String {
    match millis {
        0..10_000 => format!("{}.{} s", millis / 1000, millis % 1000 / 100),
        10_000..60_000 => format!("{} s", millis / 1000),
        60_000..3_600_000 => format!("{} min", millis / 60_000),
        3_600_000..86_400_000 => format!("{} h", millis / 3_600_000),
        _ => format!("{} d", millis / 86_400_000),
    }
}

/// A moment, in RFC 3339 without fractions of a second.
pub(crate) fn at(time: Timestamp) -> String {
    format!("{time:.0}")
}

/// A moment to come, by the clock on the wall: `15:30`, `tomorrow 08:00`, `2026-12-06 08:00`.
pub(crate) fn moment(time: Timestamp, now: &jiff::ZonedDateTime) -> String {
    let there = jiff::ZonedDateTime::new(time, now.time_zone().clone());
    let day = if there.date() == now.date() {
        String::new()
    } else if now.tomorrow().is_ok_and(|tomorrow| there.date() == tomorrow.date()) {
        "tomorrow ".to_owned()
    } else {
        there.strftime("%Y-%m-%d ").to_string()
    };
    format!("{day}{}", there.strftime("%H:%M"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ages_use_one_unit() {
        let now = Timestamp::from_second(1_000_000).unwrap();
        for (seconds, text) in
            [(0, "0 s"), (59, "59 s"), (60, "1 min"), (7300, "2 h"), (200_000, "2 d"), (-5, "0 s")]
        {
            let then = Timestamp::from_second(1_000_000 - seconds).unwrap();
            assert_eq!(ago(then, now), text);
        }
        assert_eq!(at(now), "1970-01-12T13:46:40Z");
        let zoned = jiff::ZonedDateTime::new(now, jiff::tz::TimeZone::UTC);
        for (seconds, text) in [(60, "13:47"), (43_200, "tomorrow 01:46"), (200_000, "1970-01-14 21:20")] {
            assert_eq!(moment(Timestamp::from_second(1_000_000 + seconds).unwrap(), &zoned), text);
        }
        for (millis, text) in
            [(0, "0.0 s"), (1260, "1.2 s"), (59_999, "59 s"), (61_000, "1 min"), (90_000_000, "1 d")]
        {
            assert_eq!(span(millis), text);
        }
    }
}
