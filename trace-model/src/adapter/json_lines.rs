//! Reads a line of JSON records: one, several, or those that survive in a truncated line. What a record is,
//! each format says.

use std::borrow::Cow;

use serde::de::{Deserialize, Deserializer};

use super::boundary::LineReport;
use super::lenient::{Field, Shape};
use super::torn;
use crate::json::{Malformed, Scratch, Values};

/// What takes the records of a line.
pub(super) trait TakeRecords {
    /// The parts of a record that are read.
    type Envelope<'a>: Shape<'a>;

    /// Whether an object found inside a truncated line is a record rather than part of one.
    fn stands_alone(envelope: &Self::Envelope<'_>) -> bool;

    /// Takes a record, and what was written of it; returns whether its type is known.
    fn take(&mut self, envelope: Self::Envelope<'_>, json: &str) -> bool;
}

/// Reads one line, without its line feed, and hands on each record in it. `scratch` may serve all lines.
pub(super) fn read_line<T: TakeRecords>(
    line: &str,
    scratch: &mut Scratch,
    taker: &mut T,
) -> LineReport {
    let unread = match read_values(line, scratch, taker) {
        Ok(report) => return report,
        Err(unread) => unread,
    };
    let rest = &line[unread.at..];
    let Some(mended) = torn::mend(rest) else {
        return recover(rest, scratch, taker).after(unread.before);
    };
    let report = match read_values(&mended, scratch, taker) {
        Ok(report) => LineReport { repaired: true, ..report },
        // Repair separates strings from numbers by counting quotes, which a truncated text misleads: what is
        // left is looked for in the text as it was. Mending keeps all places.
        Err(further) => {
            let repaired = further.before.records > 0;
            let torn = recover(&rest[further.at..], scratch, taker).after(further.before);
            LineReport { repaired: torn.repaired || repaired, ..torn }
        }
    };
    report.after(unread.before)
}

/// Whether a line is made of complete objects and nothing else.
pub(super) fn is_whole<T: TakeRecords>(line: &str) -> bool {
    let mut counting = Counting::<T>(std::marker::PhantomData);
    let report = read_line(line, &mut Scratch::default(), &mut counting);
    report.records > 0 && !report.bad
}

/// Takes records and does nothing with them.
struct Counting<T>(std::marker::PhantomData<T>);

impl<T: TakeRecords> TakeRecords for Counting<T> {
    type Envelope<'a> = T::Envelope<'a>;

    fn stands_alone(envelope: &Self::Envelope<'_>) -> bool {
        T::stands_alone(envelope)
    }

    fn take(&mut self, _: Self::Envelope<'_>, _: &str) -> bool {
        true
    }
}

/// Where reading a line stopped, and what it had yielded by then.
struct Unread {
    at: usize,
    before: LineReport,
}

/// A line's next JSON value: an object, or something else.
struct JsonValue<E>(Option<E>);

impl<'de, E: Shape<'de>> Deserialize<'de> for JsonValue<E> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Field::<E>::deserialize(deserializer).map(|field| Self(field.value))
    }
}

/// Reads complete values one after the other, until the end or the first that is not whole.
fn read_values<T: TakeRecords>(
    line: &str,
    scratch: &mut Scratch,
    taker: &mut T,
) -> Result<LineReport, Unread> {
    let mut report = LineReport::default();
    let mut values = Values::new(line, scratch);
    loop {
        let start = values.offset();
        match values.next::<JsonValue<T::Envelope<'_>>>() {
            None => return Ok(report),
            Some(Ok(JsonValue(Some(envelope)))) => {
                hand_on(envelope, &line[start..values.offset()], &mut report, taker);
            }
            Some(Ok(JsonValue(None))) => report.bad = true,
            Some(Err(_)) => return Err(Unread { at: start, before: report }),
        }
    }
}

/// What survives in a truncated text: complete records glued to its end.
fn recover<T: TakeRecords>(text: &str, scratch: &mut Scratch, taker: &mut T) -> LineReport {
    let mut report = LineReport { bad: true, ..LineReport::default() };
    let mut found: Vec<Cow<'_, str>> = Vec::new();
    let mut rest = text.trim_end();
    while let Some(start) = torn::last_object(rest).filter(|start| *start > 0) {
        let glued = &rest[start..];
        let mended = match object::<T>(glued, scratch) {
            Ok(_) => None,
            Err(_) => torn::mend(glued),
        };
        let whole = mended.map_or(Cow::Borrowed(glued), Cow::Owned);
        if !matches!(object::<T>(&whole, scratch), Ok(Some(envelope)) if T::stands_alone(&envelope))
        {
            break;
        }
        report.repaired |= matches!(whole, Cow::Owned(_));
        found.push(whole);
        rest = rest[..start].trim_end();
    }
    for whole in found.iter().rev() {
        if let Ok(Some(envelope)) = object::<T>(whole, scratch) {
            hand_on(envelope, whole, &mut report, taker);
        }
    }
    report
}

fn object<'j, T: TakeRecords>(
    json: &'j str,
    scratch: &mut Scratch,
) -> Result<Option<T::Envelope<'j>>, Malformed> {
    Values::only::<JsonValue<T::Envelope<'j>>>(json, scratch).map(|value| value.0)
}

fn hand_on<T: TakeRecords>(
    envelope: T::Envelope<'_>,
    json: &str,
    report: &mut LineReport,
    taker: &mut T,
) {
    report.records += 1;
    report.known += u32::from(taker.take(envelope, json));
}
