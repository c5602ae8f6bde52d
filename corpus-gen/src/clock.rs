//! Simulated time: milliseconds since 1970, written as the recorded client writes them. No real clock
//! is read anywhere in the crate.

use crate::text::put::{Padded, put};

/// `2026-03-04T05:06:07.089Z` of a moment in milliseconds since 1970-01-01 (UTC).
pub(crate) fn iso(ms: u64) -> String {
    let mut time = String::with_capacity(24);
    put(ms, &mut time);
    time
}

/// Appends such a time.
pub(crate) fn put(ms: u64, out: &mut String) {
    let (days, of_day) = (ms / 86_400_000, ms % 86_400_000);
    let (year, month, day) = civil(days);
    put!(out, Padded(year, 4), "-", Padded(month, 2), "-", Padded(day, 2), "T");
    put!(out, Padded(of_day / 3_600_000, 2), ":", Padded(of_day / 60_000 % 60, 2), ":");
    put!(out, Padded(of_day / 1000 % 60, 2), ".", Padded(of_day % 1000, 3), "Z");
}

/// Year, month and day of a number of days since 1970-01-01 (Gregorian; Hinnant's `civil_from_days`).
pub(crate) fn civil(days: u64) -> (u64, u64, u64) {
    let z = days + 719_468;
    let (era, of_era) = (z / 146_097, z % 146_097);
    let year = (of_era - of_era / 1460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * year + year / 4 - year / 100);
    let month_from_march = (5 * of_year + 2) / 153;
    let day = of_year - (153 * month_from_march + 2) / 5 + 1;
    let month = if month_from_march < 10 { month_from_march + 3 } else { month_from_march - 9 };
    (year + era * 400 + u64::from(month <= 2), month, day)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn known_moments() {
        assert_eq!(iso(0), "1970-01-01T00:00:00.000Z");
        assert_eq!(iso(951_782_400_000), "2000-02-29T00:00:00.000Z");
        assert_eq!(iso(1_767_225_599_999), "2025-12-31T23:59:59.999Z");
    }
}
