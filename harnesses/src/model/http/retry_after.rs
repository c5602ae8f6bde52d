//! `Retry-After`: seconds, or a date as HTTP writes it (RFC 9110, 10.2.3).

use std::time::{Duration, SystemTime};

/// How long to wait; a past date means no wait. `None` if it is unreadable.
pub(super) fn parse(value: &str, now: SystemTime) -> Option<Duration> {
    let value = value.trim();
    if let Ok(seconds) = value.parse::<u64>() {
        return Some(Duration::from_secs(seconds));
    }
    if let Ok(seconds) = value.parse::<f64>() {
        return Duration::try_from_secs_f64(seconds).ok();
    }
    let date = jiff::fmt::rfc2822::parse(value).ok()?;
    let until = u64::try_from(date.timestamp().as_second()).ok()?;
    let until = SystemTime::UNIX_EPOCH.checked_add(Duration::from_secs(until))?;
    Some(until.duration_since(now).unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn seconds_and_dates_are_understood() {
        // 6 November 1994, 08:49:37 UTC, ten seconds before.
        let now = SystemTime::UNIX_EPOCH + Duration::from_secs(784_111_767);
        for (value, expected) in [
            ("7", Some(7_000)),
            (" 0 ", Some(0)),
            ("1.5", Some(1_500)),
            ("Sun, 06 Nov 1994 08:49:37 GMT", Some(10_000)),
            ("Sun, 06 Nov 1994 08:49:00 GMT", Some(0)),
            ("-1", None),
            ("nan", None),
            ("soon", None),
            ("", None),
        ] {
            assert_eq!(parse(value, now), expected.map(Duration::from_millis), "{value}");
        }
    }
}
