//! Times for people.

use jiff::Timestamp;

/// How long ago, in the largest unit that fits: `3s`, `12m`, `5h`, `9d`.
pub(crate) fn ago(then: Timestamp, now: Timestamp) -> String {
    let seconds = (now.as_second() - then.as_second()).max(0);
    match seconds {
        0..60 => format!("{seconds}s"),
        60..3600 => format!("{}m", seconds / 60),
        3600..86_400 => format!("{}h", seconds / 3600),
        _ => format!("{}d", seconds / 86_400),
    }
}

/// A moment, in RFC 3339 without fractions of a second.
pub(crate) fn at(time: Timestamp) -> String {
    format!("{time:.0}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ages_use_one_unit() {
        let now = Timestamp::from_second(1_000_000).unwrap();
        for (seconds, text) in [(0, "0s"), (59, "59s"), (60, "1m"), (7300, "2h"), (200_000, "2d"), (-5, "0s")]
        {
            let then = Timestamp::from_second(1_000_000 - seconds).unwrap();
            assert_eq!(ago(then, now), text);
        }
        assert_eq!(at(now), "1970-01-12T13:46:40Z");
    }
}
