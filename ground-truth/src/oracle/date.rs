//! Days of records.

use jiff::Timestamp;
use jiff::tz::Offset;

/// The day, in UTC, of an RFC 3339 time or of a number: "milliseconds since 1970, or seconds where it is
/// below 10^11".
pub(super) fn day(time: &str) -> Option<String> {
    let time = match time.parse::<i64>() {
        Ok(seconds) if seconds.unsigned_abs() < 100_000_000_000 => Timestamp::from_second(seconds),
        Ok(millis) => Timestamp::from_millisecond(millis),
        Err(_) => time.parse(),
    };
    let time = time.ok()?;
    Some(Offset::UTC.to_datetime(time).date().to_string())
}
