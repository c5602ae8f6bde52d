//! What API calls used: told by running totals that are written again and again, or by a record for each
//! response.

use serde::{Deserialize, Serialize};

use super::shape::{Info, Usage};
use crate::event::RawUsage;

/// The four numbers of a usage that count.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Numbers {
    input: u64,
    cached: u64,
    written: u64,
    output: u64,
}

impl Numbers {
    fn of(usage: &Usage<'_>) -> Self {
        let count = |field: &crate::adapter::lenient::Field<crate::adapter::lenient::Count>| {
            field.value.map_or(0, |count| count.0)
        };
        Self {
            input: count(&usage.input),
            cached: count(&usage.cached),
            written: count(&usage.written),
            output: count(&usage.output),
        }
    }

    fn is_empty(self) -> bool {
        self == Self::default()
    }

    /// What is above another's numbers; `None` if one is below.
    fn above(self, base: Self) -> Option<Self> {
        Some(Self {
            input: self.input.checked_sub(base.input)?,
            cached: self.cached.checked_sub(base.cached)?,
            written: self.written.checked_sub(base.written)?,
            output: self.output.checked_sub(base.output)?,
        })
    }

    /// The same in classes that do not overlap.
    pub(super) fn classes(self) -> RawUsage {
        let cache_read = self.cached.min(self.input);
        let cache_creation = self.written.min(self.input - cache_read);
        RawUsage {
            input: self.input - cache_read - cache_creation,
            output: self.output,
            cache_read,
            cache_creation,
            ..RawUsage::default()
        }
    }
}

/// A call of the file, as a record states it: the first time, or again.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct StatedCall {
    /// Which call it is.
    pub(super) key: CallKey,
    /// What it used.
    pub(super) usage: Numbers,
}

/// What tells a call from others.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) enum CallKey {
    /// Its number in the file.
    Number(u64),
    /// The provider's id of its response.
    Response(String),
}

/// How far the calls of a file were counted.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Counter {
    /// The totals seen last.
    base: Numbers,
    /// The client has filled its totals in since: those that follow start anew.
    broken: bool,
    /// Calls numbered so far.
    numbered: u64,
    /// The last call that a running total told.
    last: Option<StatedCall>,
    /// Responses have records of their own here, so that totals tell nothing more.
    by_response: bool,
}

impl Counter {
    /// Takes in running totals; returns the call that they tell, or tell again.
    pub(super) fn take_totals(&mut self, info: &Info<'_>, own: bool) -> Option<StatedCall> {
        let last = info.last.0.as_ref().map(Numbers::of);
        let Some(total) = &info.total.0 else {
            return if own { self.call(last?) } else { None };
        };
        let numbers = Numbers::of(total);
        if numbers.is_empty() && total.total.value.is_some_and(|count| count.0 > 0) {
            self.broken = true;
            return None;
        }
        let is_same = numbers == self.base;
        let above = numbers.above(self.base).filter(|_| !self.broken);
        self.base = numbers;
        self.broken = false;
        match (own, is_same) {
            (false, _) => None,
            (true, true) => self.last.clone().filter(|_| !self.by_response && !numbers.is_empty()),
            (true, false) => self.call(above.or(last).unwrap_or(numbers)),
        }
    }

    fn call(&mut self, usage: Numbers) -> Option<StatedCall> {
        if usage.is_empty() || self.by_response {
            return None;
        }
        self.last = Some(StatedCall { key: self.next(), usage });
        self.last.clone()
    }

    fn next(&mut self) -> CallKey {
        self.numbered += 1;
        CallKey::Number(self.numbered)
    }

    /// Takes in the record of a response; returns the call that it tells, or tells again.
    pub(super) fn take_response(
        &mut self,
        usage: &Usage<'_>,
        response: Option<&str>,
    ) -> Option<StatedCall> {
        let usage = Numbers::of(usage);
        if usage.is_empty() {
            return None;
        }
        let is_first = !std::mem::replace(&mut self.by_response, true);
        let told = self.last.take().filter(|last| is_first && last.usage == usage);
        told.or_else(|| {
            let key = match response {
                Some(id) => CallKey::Response(id.to_owned()),
                None => self.next(),
            };
            Some(StatedCall { key, usage })
        })
    }
}

#[cfg(test)]
#[allow(clippy::needless_pass_by_value, reason = "`json!` values are made to be given away")]
mod tests {
    use serde_json::{Value, json};

    use super::*;
    use crate::adapter::codex::shape::read_text;

    fn usage(input: u64, cached: u64, output: u64) -> Value {
        json!({"input_tokens": input, "cached_input_tokens": cached, "output_tokens": output,
            "reasoning_output_tokens": output, "total_tokens": input + output})
    }

    /// Takes in totals and the last usage; returns input, cached and output of what they tell.
    fn take(counter: &mut Counter, total: Value, last: Value) -> Option<(u64, u64, u64)> {
        let info = json!({"total_token_usage": total, "last_token_usage": last}).to_string();
        let call = counter.take_totals(&read_text(&info).unwrap(), true)?;
        let Numbers { input, cached, output, .. } = call.usage;
        Some((input, cached, output))
    }

    #[test]
    fn totals_tell_what_they_rose_by_and_tell_it_again() {
        let mut counter = Counter::default();
        let last = usage(100, 40, 10);
        assert_eq!(take(&mut counter, usage(100, 40, 10), last.clone()), Some((100, 40, 10)));
        assert_eq!(take(&mut counter, usage(250, 140, 30), last.clone()), Some((150, 100, 20)));
        assert_eq!(take(&mut counter, usage(250, 140, 30), last), Some((150, 100, 20)));
        assert_eq!(counter.numbered, 2);
        assert_eq!(take(&mut counter, Value::Null, usage(5, 0, 1)), Some((5, 0, 1)));
        assert_eq!(counter.numbered, 3);
    }

    #[test]
    fn filled_in_totals_tell_nothing_and_start_the_count_anew() {
        let mut counter = Counter::default();
        take(&mut counter, usage(100, 0, 10), Value::Null);
        let full = json!({"input_tokens": 0, "output_tokens": 0, "total_tokens": 5000});
        assert_eq!(take(&mut counter, full.clone(), full), None);
        assert_eq!(take(&mut counter, usage(300, 0, 9), usage(300, 0, 9)), Some((300, 0, 9)));
        // A last usage alone may be filled in: the totals tell.
        let filled = json!({"total_tokens": 7});
        assert_eq!(take(&mut counter, usage(300, 0, 9), filled.clone()), Some((300, 0, 9)));
        assert_eq!(take(&mut counter, usage(301, 0, 9), filled), Some((1, 0, 0)));
    }

    #[test]
    fn totals_that_fall_tell_their_last_usage() {
        let mut counter = Counter::default();
        take(&mut counter, usage(100, 0, 10), Value::Null);
        assert_eq!(take(&mut counter, usage(60, 0, 20), usage(60, 0, 20)), Some((60, 0, 20)));
        assert_eq!(take(&mut counter, usage(50, 0, 0), Value::Null), Some((50, 0, 0)));
    }

    #[test]
    fn records_of_responses_replace_totals() {
        let mut counter = Counter::default();
        take(&mut counter, usage(100, 40, 10), Value::Null);
        let first = usage(100, 40, 10).to_string();
        let response = counter.take_response(&read_text(&first).unwrap(), Some("r1")).unwrap();
        assert_eq!(response.key, CallKey::Number(1));
        let response = counter.take_response(&read_text(&first).unwrap(), Some("r2")).unwrap();
        assert_eq!(response.key, CallKey::Response("r2".to_owned()));
        assert_eq!(take(&mut counter, usage(200, 80, 20), usage(100, 40, 10)), None);
        assert_eq!(take(&mut counter, usage(200, 80, 20), usage(100, 40, 10)), None);
    }

    #[test]
    fn classes_do_not_overlap() {
        let classes = |input, cached, written| {
            let RawUsage { input, cache_read, cache_creation, .. } =
                Numbers { input, cached, written, output: 1 }.classes();
            (input, cache_read, cache_creation)
        };
        assert_eq!(classes(100, 40, 20), (40, 40, 20));
        assert_eq!(classes(10, 40, 20), (0, 10, 0));
        assert_eq!(classes(50, 40, 20), (0, 40, 10));
    }
}
