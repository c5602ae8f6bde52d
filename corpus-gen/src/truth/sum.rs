//! Exact sums of the decimal numbers that the generator writes.

/// Digits after the point that a sum keeps. Generated values have at most four.
const SCALE: u32 = 9;

/// An exact sum.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Sum(i128);

impl Sum {
    /// Adds `value` if it is a number as facts are (an optional sign, digits, optionally a point and
    /// digits, at most 28 digits); says whether it is one.
    pub(crate) fn add(&mut self, value: &str) -> bool {
        let Some(number) = parse(value) else { return false };
        self.0 += number;
        true
    }

    /// The sum in decimal notation, without needless zeros.
    pub(crate) fn text(self) -> String {
        let unit = 10_u128.pow(SCALE);
        let (whole, part) = (self.0.unsigned_abs() / unit, self.0.unsigned_abs() % unit);
        let sign = if self.0 < 0 { "-" } else { "" };
        let digits = format!("{part:09}");
        match digits.trim_end_matches('0') {
            "" => format!("{sign}{whole}"),
            digits => format!("{sign}{whole}.{digits}"),
        }
    }
}

fn parse(value: &str) -> Option<i128> {
    let (negative, digits) = match value.as_bytes().first()? {
        b'-' => (true, &value[1..]),
        b'+' => (false, &value[1..]),
        _ => (false, value),
    };
    let (whole, part) = match digits.split_once('.') {
        Some((_, "")) => return None,
        Some(pair) => pair,
        None => (digits, ""),
    };
    let all_digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    if whole.is_empty() || !all_digits(whole) || !all_digits(part) || whole.len() + part.len() > 28
    {
        return None;
    }
    let padding = SCALE.checked_sub(u32::try_from(part.len()).ok()?)?;
    let number: i128 = format!("{whole}{part}").parse().ok()?;
    let number = number * 10_i128.pow(padding);
    Some(if negative { -number } else { number })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sum(values: &[&str]) -> (String, usize) {
        let mut sum = Sum::default();
        let count = values.iter().filter(|value| sum.add(value)).count();
        (sum.text(), count)
    }

    #[test]
    fn exact_and_plain() {
        assert_eq!(sum(&["0.1", "0.2"]), ("0.3".into(), 2));
        assert_eq!(sum(&["-3", "+1", "1.5000"]), ("-0.5".into(), 3));
        assert_eq!(sum(&["12ms", "true", "1.", ".5", "-", "1e3", ""]), ("0".into(), 0));
        assert_eq!(sum(&["120.250", "-20.25"]), ("100".into(), 2));
    }
}
