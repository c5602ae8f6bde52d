//! Forms of time spans.

use serde_json::json;

use super::form::FormCollector;
use super::numbers::{MINUSES, SEPARATORS, grouped, in_words};
use crate::answers::{Tolerance, Unit};

pub(super) fn make(seconds: u64, unit: Unit, tolerance: Tolerance, forms: &mut FormCollector) {
    let in_minutes = unit == Unit::Minutes;
    // What is asked for in whole minutes is said in whole minutes: within the tolerance of a minute.
    let bare = if in_minutes { seconds / 60 } else { seconds };
    forms.around(&bare.to_string());
    forms.no_answer();
    forms.add("a JSON number", true, json!(bare));
    same(seconds, bare, in_minutes, forms);
    others(seconds, bare, in_minutes, tolerance, forms);
}

/// "1 hour 2 minutes 3 seconds", by the names given for one of each and for many.
fn spelt(seconds: u64, names: [[&str; 2]; 3], joint: &str, words: bool) -> String {
    let parts = [seconds / 3600, seconds / 60 % 60, seconds % 60];
    let part = |(value, [one, many]): (u64, [&str; 2])| {
        let name = if value == 1 { one } else { many };
        let value = if words { in_words(value) } else { value.to_string() };
        format!("{value}{name}")
    };
    let there = parts.into_iter().zip(names).filter(|(value, _)| *value > 0);
    let all: Vec<String> = there.map(part).collect();
    if all.is_empty() { format!("0{}", names[2][1]) } else { all.join(joint) }
}

const LETTERS: [[&str; 2]; 3] = [["h", "h"], ["m", "m"], ["s", "s"]];
const SHORT: [[&str; 2]; 3] = [[" h", " h"], [" min", " min"], [" s", " s"]];
const LONG: [[&str; 2]; 3] =
    [[" hour", " hours"], [" minute", " minutes"], [" second", " seconds"]];

fn same(seconds: u64, bare: u64, in_minutes: bool, forms: &mut FormCollector) {
    forms.same("seconds with a unit", format!("{seconds} seconds"));
    forms.same("seconds, short", format!("{seconds} s"));
    forms.same("seconds, joined", format!("{seconds}s"));
    forms.same("hours, minutes, seconds in letters", spelt(seconds, LETTERS, " ", false));
    forms.same("hours, minutes, seconds joined", spelt(seconds, LETTERS, "", false));
    forms.same("hours, minutes, seconds, short", spelt(seconds, SHORT, " ", false));
    forms.same("hours, minutes, seconds, long", spelt(seconds, LONG, ", ", false));
    forms.same("hours, minutes, seconds and and", spelt(seconds, LONG, " and ", false));
    forms.same("hours, minutes, seconds in words", spelt(seconds, LONG, " and ", true));
    let clock = format!("{}:{:02}:{:02}", seconds / 3600, seconds / 60 % 60, seconds % 60);
    forms.same("a clock", clock);
    forms.same("milliseconds", format!("{} ms", seconds * 1000));
    let iso = format!("PT{}H{}M{}S", seconds / 3600, seconds / 60 % 60, seconds % 60);
    forms.same("ISO 8601", iso);
    forms.same("number words with a unit", format!("{} seconds", in_words(seconds)));
    forms.same("about, where near is right", format!("about {seconds} seconds"));
    forms.same("a tilde, where near is right", format!("~{seconds} s"));
    let twice = spelt(seconds, SHORT, " ", false);
    forms.same("the same span twice", format!("{seconds} seconds ({twice})"));
    forms.same("the same span twice, the other way", format!("{twice} ({seconds} s)"));
    forms.same("the same span twice, an equals sign", format!("{seconds} s = {twice}"));
    forms.same("a sentence", format!("It took {twice}."));
    forms.same("bold", format!("**{twice}**"));
    if seconds >= 1000 {
        for (kind, separator) in SEPARATORS {
            forms.same(kind, format!("{} s", grouped(seconds, separator)));
        }
    }
    if seconds.is_multiple_of(60) && seconds >= 60 {
        forms.same("minutes with a unit", format!("{} min", seconds / 60));
        forms.same("minutes in words", format!("{} minutes", in_words(seconds / 60)));
    }
    if in_minutes {
        forms.same("whole minutes", format!("{bare} minutes"));
        forms.same("whole minutes in words", format!("{} minutes", in_words(bare)));
    }
}

fn others(
    seconds: u64,
    bare: u64,
    in_minutes: bool,
    tolerance: Tolerance,
    forms: &mut FormCollector,
) {
    let allowed = (seconds * tolerance.percent / 100).max(tolerance.absolute);
    forms.other("too long", format!("{} s", seconds + allowed + 2));
    if seconds > allowed + 2 {
        forms.other("too short", format!("{} s", seconds - allowed - 2));
        for (kind, sign) in MINUSES {
            forms.other(kind, format!("{sign}{bare}"));
        }
        forms.other("minutes for seconds", format!("{seconds} minutes"));
        forms.other("hours for seconds", format!("{seconds} h"));
        forms.other("milliseconds for seconds", format!("{seconds} ms"));
        // Not a whole number of minutes, so that it cannot be a rounding of the first.
        let far = seconds + 2 * allowed + 120;
        let far = spelt(far + u64::from(far.is_multiple_of(60)), SHORT, " ", false);
        forms.other("two spans that differ", format!("{seconds} s ({far})"));
        forms.other("a range", format!("{}-{} s", seconds, seconds + 1));
        forms.other("between", format!("between {} and {} s", seconds, seconds + 1));
        forms.other("a choice", format!("{seconds} s or {} s", seconds * 3));
        forms.other("two numbers", format!("{bare} {}", bare + 1));
    }
    let unit = if in_minutes { "minutes" } else { "seconds" };
    for (kind, [before, after]) in [
        ("at least", ["at least ", ""]),
        ("a sign for at least", ["\u{2265}", ""]),
        ("more than, as a sign", ["> ", ""]),
        ("up to", ["up to ", ""]),
        ("a minimum of", ["a minimum of ", ""]),
        ("almost", ["almost ", ""]),
        ("under", ["under ", ""]),
        ("more than", ["more than ", ""]),
        ("or more", ["", " or more"]),
        ("a plus behind it", ["", "+"]),
        ("not", ["not ", ""]),
        ("maybe", ["maybe ", ""]),
        ("a question mark", ["", "?"]),
        ("ago", ["", " ago"]),
    ] {
        forms.other(kind, format!("{before}{bare} {unit}{after}"));
    }
    for (kind, [before, after]) in [
        ("percent", ["", "%"]),
        ("dollars", ["$", ""]),
        ("tokens", ["", " tokens"]),
        ("kilometres", ["", " km"]),
        ("calls", ["", " calls"]),
    ] {
        forms.other(kind, format!("{before}{bare}{after}"));
    }
}
