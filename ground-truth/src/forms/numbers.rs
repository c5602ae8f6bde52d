//! Forms of integers.

use serde_json::json;

use super::form::{FormCollector, QuestionContext};
use crate::answers::{ONES, TENS, Tolerance};

pub(super) fn make(
    value: u64,
    tolerance: Tolerance,
    about: QuestionContext<'_>,
    forms: &mut FormCollector,
) {
    let exact = tolerance == Tolerance::default();
    forms.around(&value.to_string());
    forms.no_answer();
    forms.add("a JSON number", true, json!(value));
    same(value, about, forms);
    bounds(value, forms);
    others(value, exact, forms);
    if exact {
        forms.other("one more", (value + 1).to_string());
        if value > 0 {
            forms.other("one less", (value - 1).to_string());
        }
        forms.other("about", format!("about {value}"));
        forms.other("a tilde", format!("~{value}"));
    } else {
        forms.same("about, where near is right", format!("about {value}"));
        forms.same("a tilde, where near is right", format!("~{value}"));
        forms.other("too far off", (value + value * 3 / 100 + 60).to_string());
        if value.is_multiple_of(100) && value >= 1000 {
            let tenths = value / 100;
            let (whole, tenth) = (tenths / 10, tenths % 10);
            forms.same("thousands as k", format!("{whole}.{tenth}k"));
            forms.other("thousands as millions", format!("{whole}.{tenth}M"));
        }
    }
}

/// What is counted, as the question calls it.
fn noun(about: QuestionContext<'_>) -> Option<&'static str> {
    match about.label {
        "calls" => Some("calls"),
        "failed" => Some("failed calls"),
        "" if about.text.contains("output tokens") => Some("output tokens"),
        "" if about.text.contains("user turns") => Some("user turns"),
        "" if about.text.contains("calls of the tool") => Some("calls"),
        _ => None,
    }
}

fn same(value: u64, about: QuestionContext<'_>, forms: &mut FormCollector) {
    forms.same("a decimal point and zero", format!("{value}.0"));
    forms.same("bold", format!("**{value}**"));
    forms.same("backticks", format!("`{value}`"));
    forms.same("quotation marks", format!("\"{value}\""));
    forms.same("a full stop", format!("{value}."));
    forms.same("a label", format!("Answer: {value}"));
    forms.same("exactly", format!("exactly {value}"));
    forms.same("a sentence", format!("The answer is {value}."));
    forms.same("in total", format!("{value} in total"));
    forms.same("a total of", format!("a total of {value}"));
    let words = in_words(value);
    forms.same("number words", words.clone());
    forms.same("number words, capital", capital(&words));
    forms.same("digits and words", format!("{value} ({words})"));
    if let Some(noun) = noun(about) {
        forms.same("with its noun", format!("{value} {noun}"));
        forms.same("number words with a noun", format!("{words} {noun}"));
        forms.same("a sentence with its noun", format!("There were {value} {noun}."));
        forms.same("a sentence of the counter", format!("I counted {value} {noun}."));
        if value == 0 {
            forms.same("none with its noun", format!("no {noun}"));
        }
    }
    for (kind, separator) in SEPARATORS {
        if value >= 1000 {
            forms.same(kind, grouped(value, separator));
        }
    }
}

/// Separators of groups of three digits.
pub(super) const SEPARATORS: [(&str, &str); 6] = [
    ("a comma between thousands", ","),
    ("a no-break space between thousands", "\u{a0}"),
    ("a thin space between thousands", "\u{2009}"),
    ("a narrow space between thousands", "\u{202f}"),
    ("an apostrophe between thousands", "'"),
    ("an underscore between thousands", "_"),
];

/// What says that it may be another number.
fn bounds(value: u64, forms: &mut FormCollector) {
    let wordings: [(&'static str, [&str; 2]); 30] = [
        ("at least", ["at least ", ""]),
        ("at most", ["at most ", ""]),
        ("a sign for at least", ["\u{2265}", ""]),
        ("a sign for at most", ["\u{2264} ", ""]),
        ("a sign for at least, slanted", ["\u{2a7e}", ""]),
        ("more than, as a sign", [">", ""]),
        ("less than, as a sign", ["<", ""]),
        ("at least, in ASCII", [">=", ""]),
        ("up to", ["up to ", ""]),
        ("a minimum of", ["a minimum of ", ""]),
        ("a maximum of", ["a maximum of ", ""]),
        ("no fewer than", ["no fewer than ", ""]),
        ("no more than", ["no more than ", ""]),
        ("not less than", ["not less than ", ""]),
        ("almost", ["almost ", ""]),
        ("nearly", ["nearly ", ""]),
        ("close to", ["close to ", ""]),
        ("just under", ["just under ", ""]),
        ("over", ["over ", ""]),
        ("upwards of", ["upwards of ", ""]),
        ("a plus behind it", ["", "+"]),
        ("or more", ["", " or more"]),
        ("or fewer", ["", " or fewer"]),
        ("and counting", ["", " and counting"]),
        ("at minimum", ["", " at minimum"]),
        ("or so", ["", " or so"]),
        ("plus or minus", ["\u{b1}", ""]),
        ("a question mark", ["", "?"]),
        ("maybe", ["maybe ", ""]),
        ("not", ["not ", ""]),
    ];
    for (kind, [before, after]) in wordings {
        forms.other(kind, format!("{before}{value}{after}"));
    }
}

fn others(value: u64, exact: bool, forms: &mut FormCollector) {
    for (kind, [before, after]) in [
        ("percent", ["", "%"]),
        ("percent in words", ["", " percent"]),
        ("per mille", ["", "\u{2030}"]),
        ("dollars", ["$", ""]),
        ("euros", ["", " \u{20ac}"]),
        ("dollars in letters", ["USD ", ""]),
        ("cents", ["", "\u{a2}"]),
        ("minutes", ["", " minutes"]),
        ("kilometres", ["", " km"]),
        ("megabytes", ["", "MB"]),
        ("degrees", ["", "\u{b0}"]),
        ("lines", ["", " lines"]),
        ("an ordinal", ["", "th"]),
        ("a share of all", ["", "/100"]),
        ("out of", ["", " out of 1000000"]),
    ] {
        forms.other(kind, format!("{before}{value}{after}"));
    }
    if value > 0 {
        for (kind, sign) in MINUSES {
            forms.other(kind, format!("{sign}{value}"));
        }
        forms.other("minus in words", format!("minus {value}"));
        forms.other("times a thousand", format!("{value}000"));
        forms.other("a hundredth", format!("0.{value:02}"));
    }
    forms.other("a range", format!("{value}-{}", value + 1));
    forms.other("a range with a long dash", format!("{value}\u{2013}{}", value + 1));
    forms.other("between", format!("between {value} and {}", value + 2));
    forms.other("a choice", format!("{value} or {}", value + 1));
    forms.other("two numbers", format!("{value} {}", value + 1));
    forms.other("a sum", format!("{value} + 1"));
    forms.add("a list of two", false, json!([value, value + 1]));
    if exact {
        forms.other("a half more", format!("{value}.5"));
        forms.other("a half more in words", format!("{} and a half", in_words(value)));
        forms.other("another number in words", in_words(value + 1));
    }
    forms.other("contradicted in brackets", format!("{value} ({})", in_words(value + 10)));
}

/// Signs that make a number negative.
pub(super) const MINUSES: [(&str, &str); 6] = [
    ("a hyphen for minus", "-"),
    ("a minus sign", "\u{2212}"),
    ("a dash for minus", "\u{2013}"),
    ("a full-width minus", "\u{ff0d}"),
    ("a small minus", "\u{fe63}"),
    ("a minus apart", "- "),
];

/// A number with something between its groups of three digits.
pub(super) fn grouped(value: u64, separator: &str) -> String {
    let digits = value.to_string();
    let mut text = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            text.push_str(separator);
        }
        text.push(digit);
    }
    text
}

fn capital(text: &str) -> String {
    let mut chars = text.chars();
    chars.next().map_or_else(String::new, |first| first.to_uppercase().chain(chars).collect())
}

/// A number in English.
pub(super) fn in_words(value: u64) -> String {
    let name = |of: &[&str], at: u64| {
        usize::try_from(at).ok().and_then(|at| of.get(at).copied()).unwrap_or("").to_owned()
    };
    let above = |scale: u64, word: &str, joint: &str| {
        let head = format!("{} {word}", in_words(value / scale));
        match value % scale {
            0 => head,
            rest => format!("{head}{joint}{}", in_words(rest)),
        }
    };
    match value {
        0..20 => name(&ONES, value),
        20..100 => match value % 10 {
            0 => name(&TENS, value / 10 - 2),
            one => format!("{}-{}", name(&TENS, value / 10 - 2), name(&ONES, one)),
        },
        100..1_000 => above(100, "hundred", " and "),
        1_000..1_000_000 => above(1_000, "thousand", " "),
        1_000_000..1_000_000_000 => above(1_000_000, "million", " "),
        _ => value.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_written() {
        assert_eq!(in_words(0), "zero");
        assert_eq!(in_words(42), "forty-two");
        assert_eq!(in_words(705), "seven hundred and five");
        assert_eq!(in_words(4500), "four thousand five hundred");
        assert_eq!(in_words(1_020_003), "one million twenty thousand three");
        assert_eq!(grouped(1_234_567, ","), "1,234,567");
        assert_eq!(grouped(123, ","), "123");
    }
}
