//! Time spans, within the tolerance that the question states.

use jiff::SignedDuration;

use super::grade::{Grade, Reason};
use super::integer::number;
use super::reply::Reply;
use super::rules::Rules;
use super::text::{unframed, unwrapped};
use crate::answers::{Tolerance, Unit};

pub(super) fn grade(
    rules: &Rules,
    truth: u64,
    unit: Unit,
    tolerance: Tolerance,
    reply: &Reply,
) -> Grade {
    if reply.is_empty() {
        return Grade::none(Reason::Empty);
    }
    match reply.readings().iter().find_map(|text| seconds(rules, text, unit)) {
        Some(seconds) => Grade::right_if(tolerance.accepts(seconds, truth)),
        None => Grade::none(Reason::Unreadable),
    }
}

/// The seconds that a text gives: a number in the unit asked for, or a span with units of its own or as
/// `H:MM:SS`.
fn seconds(rules: &Rules, text: &str, unit: Unit) -> Option<i128> {
    let words = unframed(unwrapped(text)).join(" ");
    let span = words.replace('~', "").to_lowercase();
    if let Ok(span) = span.parse::<SignedDuration>() {
        return Some(i128::from(span.as_secs()));
    }
    // A number with another word beside it may be in another unit.
    let bare = !span.contains(char::is_alphabetic);
    let value = bare.then(|| number(rules, &span, Tolerance::default()).ok()).flatten()?;
    value.checked_mul(i128::from(unit.seconds()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::graders::rules::STRICT;

    #[test]
    fn spans_are_read_in_many_forms() {
        let strict = |text| seconds(&STRICT, text, Unit::Minutes);
        for text in [
            "65",
            "65 minutes",
            "1h 5m",
            "1 hour and 5 minutes",
            "It lasted about 65 min.",
            "1:05:00",
            "3900 s",
            "PT1H5M",
            "~65 minutes",
        ] {
            assert_eq!(strict(text), Some(3900), "{text}");
        }
        for text in ["", "long", "65 apples", "between 60 and 70 minutes", "0 1 2 3"] {
            assert_eq!(strict(text), None, "{text}");
        }
    }
}
