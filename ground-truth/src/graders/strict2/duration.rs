//! Time spans, within the tolerance that the question states.

use jiff::SignedDuration;
use rust_decimal::Decimal;
use rust_decimal::prelude::{FromPrimitive as _, ToPrimitive as _};

use super::integer;
use super::number::{Clock, Token, tokens};
use super::readings::readings;
use crate::answers::{Tolerance, Unit};
use crate::graders::grade::{Grade, Reason};
use crate::graders::reply::Reply;

/// Words that say nothing of their own beside a span.
const FRAME: &[&str] = &[
    "a",
    "all",
    "altogether",
    "an",
    "answer",
    "by",
    "duration",
    "elapsed",
    "entire",
    "equals",
    "i.e",
    "ie",
    "namely",
    "event",
    "exactly",
    "for",
    "full",
    "had",
    "i",
    "in",
    "is",
    "it",
    "it's",
    "its",
    "just",
    "last",
    "lasted",
    "of",
    "or",
    "overall",
    "passed",
    "person",
    "precisely",
    "ran",
    "run",
    "run's",
    "session",
    "since",
    "span",
    "spanned",
    "that",
    "that's",
    "the",
    "there",
    "this",
    "time",
    "to",
    "took",
    "total",
    "turn",
    "user",
    "was",
    "were",
    "whole",
    "which",
    "wall",
    "clock",
];

/// How often one answer may state its span.
const MOST: usize = 3;

pub(super) fn grade(truth: u64, unit: Unit, tolerance: Tolerance, reply: &Reply) -> Grade {
    let texts = readings(reply);
    match texts.iter().find_map(|text| milliseconds(text, unit, tolerance)) {
        Some(found) => {
            let fine = Tolerance { absolute: tolerance.absolute.saturating_mul(1000), ..tolerance };
            Grade::right_if(fine.accepts(found, truth.saturating_mul(1000)))
        }
        None => Grade::none(Reason::Unreadable),
    }
}

/// A span with the length of the last place that it is given to.
#[derive(Debug, Clone, Copy)]
struct Span {
    length: Decimal,
    place: Decimal,
}

/// The milliseconds that a text gives: one span, or the same span several times.
fn milliseconds(text: &str, unit: Unit, tolerance: Tolerance) -> Option<i128> {
    let mut reader = Reader {
        tokens: tokens(text)?,
        at: 0,
        unit: Decimal::from(unit.seconds() * 1000),
        near: !tolerance.is_none(),
        spans: Vec::new(),
        open: None,
        stopped: false,
    };
    while reader.at < reader.tokens.len() {
        reader.step()?;
    }
    reader.close();
    let finest = *reader.spans.iter().min_by_key(|span| span.place)?;
    let agrees = |span: &Span| {
        let apart = (span.length - finest.length).abs();
        apart.is_zero() || apart * Decimal::TWO <= span.place
    };
    if reader.spans.len() > MOST || !reader.spans.iter().all(agrees) {
        return None;
    }
    finest.length.to_i128()
}

/// A span that is being read, its last unit, and whether it is a number alone.
#[derive(Debug, Clone, Copy)]
struct Open {
    span: Span,
    last: Option<Decimal>,
}

struct Reader {
    tokens: Vec<Token>,
    at: usize,
    /// The unit of a number without one, in milliseconds.
    unit: Decimal,
    /// Whether a span may be said to be near.
    near: bool,
    spans: Vec<Span>,
    open: Option<Open>,
    /// Whether a full stop came, which ends a sentence or an abbreviation.
    stopped: bool,
}

impl Reader {
    fn word(&self, ahead: usize) -> Option<&str> {
        match self.tokens.get(self.at + ahead)? {
            Token::Word(word) => Some(word),
            _ => None,
        }
    }

    fn unit_at(&self, ahead: usize) -> Option<Decimal> {
        self.word(ahead).and_then(unit)
    }

    fn step(&mut self) -> Option<()> {
        match self.tokens.get(self.at)?.clone() {
            Token::Number(value, decimals) => self.number(value, decimals),
            Token::Clock(seconds, clock) => self.clock(seconds, clock),
            Token::Near => self.near.then(|| self.at += 1),
            Token::Mark(mark) => {
                self.at += 1;
                self.stopped |= mark == '.';
                // What follows is the same span again.
                if matches!(mark, '(' | ')' | '=' | ';' | '-' | ':' | '/') {
                    self.close();
                }
                Some(())
            }
            Token::Word(word) => self.other(&word),
        }
    }

    fn number(&mut self, value: Decimal, decimals: u32) -> Option<()> {
        let place = Decimal::new(1, decimals);
        let and_a_half = self.and_a_half(1);
        if let Some(unit) = self.unit_at(1 + and_a_half) {
            let half = if and_a_half > 0 { Decimal::new(5, 1) } else { Decimal::ZERO };
            let after = self.and_a_half_of_it(2 + and_a_half);
            let more = if after > 0 { Decimal::new(5, 1) } else { Decimal::ZERO };
            self.at += 2 + and_a_half + after;
            let place = if half.is_zero() && more.is_zero() { place } else { Decimal::new(1, 1) };
            return self.add(value + half + more, unit, place);
        }
        // A number alone is in the unit that is asked for.
        self.begin_anew(None);
        if self.open.is_some() || and_a_half > 0 {
            return None;
        }
        self.at += 1;
        let span = Span { length: value.checked_mul(self.unit)?, place: place * self.unit };
        self.open = Some(Open { span, last: None });
        Some(())
    }

    /// The words of "and a half" before a unit.
    fn and_a_half(&self, ahead: usize) -> usize {
        let words = [self.word(ahead), self.word(ahead + 1), self.word(ahead + 2)];
        if words == [Some("and"), Some("a"), Some("half")] { 3 } else { 0 }
    }

    /// The same after it, where no other unit follows.
    fn and_a_half_of_it(&self, ahead: usize) -> usize {
        match self.and_a_half(ahead) {
            3 if self.unit_at(ahead + 3).is_none() => 3,
            _ => 0,
        }
    }

    /// After a full stop a unit that does not go down begins another sentence.
    fn begin_anew(&mut self, unit: Option<Decimal>) {
        let goes_down = self.open.and_then(|open| open.last).zip(unit).is_some_and(|(l, u)| u < l);
        if std::mem::take(&mut self.stopped) && !goes_down {
            self.close();
        }
    }

    fn add(&mut self, value: Decimal, unit: Decimal, place: Decimal) -> Option<()> {
        self.begin_anew(Some(unit));
        let length = value.checked_mul(unit)?;
        let place = place.checked_mul(unit)?;
        let span = match self.open {
            None => Span { length, place },
            // Units go down within a span.
            Some(Open { span, last: Some(last) }) if unit < last => {
                Span { length: span.length.checked_add(length)?, place }
            }
            Some(_) => return None,
        };
        self.open = Some(Open { span, last: Some(unit) });
        Some(())
    }

    fn clock(&mut self, seconds: u64, clock: Clock) -> Option<()> {
        self.at += 1;
        let named =
            self.word(0).is_some_and(|word| ["min", "mins", "minutes", "m"].contains(&word));
        let hours = self.word(0).is_some_and(|word| ["h", "hours", "hrs"].contains(&word));
        if self.open.is_some()
            || (clock == Clock::Short && !named)
            || (hours && clock == Clock::Short)
        {
            return None;
        }
        self.at += usize::from(named || hours);
        let second = Decimal::from(1000);
        let span = Span { length: Decimal::from(seconds).checked_mul(second)?, place: second };
        self.open = Some(Open { span, last: Some(Decimal::ONE) });
        Some(())
    }

    fn other(&mut self, word: &str) -> Option<()> {
        let article = ["a", "an"].contains(&word);
        if article && let Some(unit) = self.unit_at(1) {
            let after = self.and_a_half_of_it(2);
            let value = if after > 0 { Decimal::new(15, 1) } else { Decimal::ONE };
            self.at += 2 + after;
            return self.add(value, unit, Decimal::new(1, u32::from(after > 0)));
        }
        if word == "half" && matches!(self.word(1), Some("a" | "an")) {
            let unit = self.unit_at(2)?;
            self.at += 3;
            return self.add(Decimal::new(5, 1), unit, Decimal::new(1, 1));
        }
        if word == "and" && self.open.is_some() {
            self.at += 1;
            return Some(());
        }
        if let Some(span) = iso(word) {
            self.at += 1;
            self.close();
            self.spans.push(span);
            return Some(());
        }
        let is_near = integer::NEAR.contains(&word) && self.near;
        if !is_near && !FRAME.contains(&word) {
            return None;
        }
        if ["or", "which", "that's", "i.e", "ie", "equals", "namely"].contains(&word) || is_near {
            self.close();
        }
        self.at += 1;
        Some(())
    }

    fn close(&mut self) {
        self.spans.extend(self.open.take().map(|open| open.span));
    }
}

/// `PT24M46S`.
fn iso(word: &str) -> Option<Span> {
    let span: SignedDuration =
        word.strip_prefix('p').and_then(|_| word.to_uppercase().parse().ok())?;
    let length = Decimal::from_i128(span.as_millis()).filter(|it| !it.is_sign_negative())?;
    Some(Span { length, place: Decimal::from(1000) })
}

/// A unit's length in milliseconds.
fn unit(word: &str) -> Option<Decimal> {
    let length = match word {
        "ms" | "msec" | "msecs" | "millisecond" | "milliseconds" => 1,
        "s" | "sec" | "secs" | "second" | "seconds" => 1_000,
        "m" | "min" | "mins" | "minute" | "minutes" => 60_000,
        "h" | "hr" | "hrs" | "hour" | "hours" => 3_600_000,
        "d" | "day" | "days" => 86_400_000,
        _ => return None,
    };
    Some(Decimal::from(length))
}

#[cfg(test)]
mod tests {
    use super::*;

    const NEAR: Tolerance = Tolerance { absolute: 5, percent: 1 };

    #[test]
    fn a_span_is_read_in_many_forms() {
        for text in [
            "5400",
            "5,400 s",
            "90 minutes",
            "90min",
            "1.5 hours",
            "1h 30m",
            "1 h, 30 min",
            "1:30:00",
            "one hour and thirty minutes",
            "an hour and a half",
            "one and a half hours",
            "PT1H30M",
            "~90 minutes",
            "5400 seconds (1 h 30 min)",
            "90 minutes = 5400 s",
            "5400 s (90 min; 1.5 h)",
            "It lasted about 90 min.",
            "5\u{202f}400 s",
            "5400000 ms",
            "90:00 minutes",
            "01:30:00",
            "5402 s (about 90 minutes)",
            "1 hr. 30 min.",
            "It took 5400 s. That is 90 min.",
            "5400 s / 90 min",
            "5400 s, i.e. 90 min",
            "1h30m",
            "5400 (1.5 hours)",
            "ninety minutes",
        ] {
            let near =
                milliseconds(text, Unit::Seconds, NEAR).map(|it| (it - 5_400_000).abs() <= 2000);
            assert_eq!(near, Some(true), "{text}");
        }
        for text in [
            "",
            "long",
            "5400 apples",
            "between 5300 and 5500 s",
            "0 1 2 3",
            "at least 5400 s",
            "90:00",
            "5400 s (80 min)",
            "90 min 90 min",
            "up to 90 min",
            "-5400",
            "5400 %",
            "30 min 1 h",
            "under 90 minutes",
            "not 5400 s",
            "5400 or 6000 s",
            "5400 s ago",
            "5400/60 s",
        ] {
            assert_eq!(milliseconds(text, Unit::Seconds, NEAR), None, "{text}");
        }
        assert_eq!(milliseconds("half an hour", Unit::Minutes, NEAR), Some(1_800_000));
        assert_eq!(milliseconds("25", Unit::Minutes, NEAR), Some(1_500_000));
    }
}
