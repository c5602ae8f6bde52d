//! Forms of names and of sets.

use serde_json::{Value, json};

use super::form::FormCollector;
use super::paths;
use crate::answers::ItemKind;

pub(super) fn name(accepted: &[String], known: &[String], forms: &mut FormCollector) {
    let Some(name) = accepted.first() else { return };
    forms.around(name);
    forms.no_answer();
    for (kind, [before, after]) in [
        ("backticks", ["`", "`"]),
        ("bold", ["**", "**"]),
        ("quotation marks", ["\"", "\""]),
        ("a full stop", ["", "."]),
        ("a sentence", ["The tool is ", "."]),
        ("a long sentence", ["The most used tool is ", " (5 calls)."]),
        ("a label", ["Tool: ", ""]),
        ("a long dash and a count", ["", " \u{2014} 5 times"]),
        ("a dash and a count", ["", " \u{2013} 5 calls"]),
        ("a hyphen and a count", ["", " - 5"]),
        ("a count in brackets", ["", " (5 calls)"]),
        ("a count in words", ["", ", called five times"]),
        ("a colon and a count", ["", ": 5"]),
        ("times as a sign", ["", " (5\u{d7})"]),
        ("an equals sign and a count", ["", " = 5"]),
    ] {
        forms.same(kind, format!("{before}{name}{after}"));
    }
    forms.add("a name and a count as an object", true, json!({"tool": name, "count": 5}));
    forms.same("small letters", name.to_lowercase());
    for (kind, [before, after]) in [
        ("a denial", ["not ", ""]),
        ("a denial behind it", ["", " was not called"]),
        ("a doubt", ["maybe ", ""]),
        ("a question mark", ["", "?"]),
        ("anything but", ["anything but ", ""]),
        ("the least", ["the least used tool is ", ""]),
        ("the second", ["second: ", ""]),
        ("a longer name", ["", "Output"]),
        ("a choice", ["", " or Frobnicate"]),
        ("two names", ["", ", Frobnicate"]),
        ("a part of a longer one", ["mcp__x__", ""]),
    ] {
        forms.other(kind, format!("{before}{name}{after}"));
    }
    let mut chars = name.chars();
    chars.next_back();
    let short = chars.as_str();
    if !short.is_empty() && !known.iter().any(|other| other.eq_ignore_ascii_case(short)) {
        forms.other("a name cut short", short);
    }
    if name.contains('a') {
        forms.other("a letter of another script", name.replace('a', "\u{430}"));
    }
    let others: Vec<String> =
        known.iter().filter(|other| !accepted.contains(other)).cloned().collect();
    if let Some(other) = forms.one(&others).cloned() {
        forms.other("another name", other.clone());
        forms.other("two names of the run", format!("{name}, {other}"));
        forms.add("a list of two names", false, json!([name, other]));
    }
    if others.len() >= 2 {
        forms.add("all names", false, json!(known));
    }
}

pub(super) fn make(items: &[String], known: &[String], kind: ItemKind, forms: &mut FormCollector) {
    if items.is_empty() {
        return empty(known, forms);
    }
    lists(items, forms);
    match kind {
        ItemKind::Id => ids(items, forms),
        ItemKind::Path => of_paths(items, forms),
        ItemKind::Phrase => phrases(items, forms),
    }
    let others: Vec<String> =
        known.iter().filter(|other| !items.contains(other)).cloned().collect();
    if let Some(other) = forms.one(&others).cloned() {
        forms.add("an item too many", false, json!([items, std::slice::from_ref(&other)].concat()));
        forms.add("another item", false, with(items, &other));
        forms.other("another item alone", other);
    }
    if others.len() > items.len() {
        let all: Vec<&String> = items.iter().chain(&others).collect();
        forms.add("all there are", false, json!(all));
    }
}

fn empty(known: &[String], forms: &mut FormCollector) {
    for (kind, text) in [
        ("none", "none"),
        ("a capital and a full stop", "None."),
        ("bold", "**none**"),
        ("a sentence", "There are none."),
        ("a sentence of its own", "There are no such calls."),
        ("none of them", "None of them"),
        ("no calls", "No calls"),
        ("an empty list as text", "[]"),
        ("a code fence", "```\nnone\n```"),
        ("all have results", "All tool calls have results."),
    ] {
        forms.same(kind, text);
    }
    forms.add("an empty list", true, json!([]));
    forms.add("a list of none", true, json!(["none"]));
    forms.add("an object of an empty list", true, json!({"calls": []}));
    forms.add("null", false, Value::Null);
    for (kind, text) in [
        ("nothing", ""),
        ("a refusal", "I can't help with that."),
        ("not stated", "not stated"),
        ("a number", "1"),
        ("a denial", "not none"),
        ("a doubt", "none, I guess"),
    ] {
        forms.other(kind, text);
    }
    if let Some(item) = forms.one(known).cloned() {
        forms.other("an item", item.clone());
        forms.add("none and an item", false, json!(["none", item]));
    }
}

/// The items with the last one replaced.
fn with(items: &[String], last: &str) -> Value {
    let mut all: Vec<&str> = items.iter().map(String::as_str).collect();
    all.pop();
    all.push(last);
    json!(all)
}

fn each(items: &[String], form: impl Fn(&str) -> String) -> Value {
    items.iter().map(|item| Value::String(form(item))).collect()
}

fn lists(items: &[String], forms: &mut FormCollector) {
    let lines = |form: &dyn Fn(usize, &String) -> String| {
        items.iter().enumerate().map(|(at, item)| form(at, item)).collect::<Vec<_>>().join("\n")
    };
    forms.add("the answer itself", true, json!(items));
    forms.add("in another order", true, items.iter().rev().cloned().collect());
    forms.add("an item twice", true, json!([items, &items[..1]].concat()));
    forms.add("an object of one list", true, json!({ "items": items }));
    forms.add("a list and a count", true, json!({"items": items, "count": items.len()}));
    forms.same("the list as text", json!(items).to_string());
    forms.same("a code fence", format!("```json\n{}\n```", json!(items)));
    forms.same("bullets", lines(&|_, item| format!("- {item}")));
    forms.same("stars", lines(&|_, item| format!("* {item}")));
    forms.same("numbered lines", lines(&|at, item| format!("{}. {item}", at + 1)));
    forms.same("lines in backticks", lines(&|_, item| format!("- `{item}`")));
    forms.add("backticks", true, each(items, |item| format!("`{item}`")));
    let simple = items.iter().all(|item| !item.contains([',', ';']) && !item.contains(" and "));
    if simple {
        forms.same("commas", items.join(", "));
        forms.same("semicolons", items.join("; "));
    }
    for (kind, value) in [
        ("null", Value::Null),
        ("nothing", json!("")),
        ("an empty list", json!([])),
        ("none", json!("none")),
        ("not stated", json!("not stated")),
        ("a refusal", json!("I can't help with that.")),
        ("a list of none", json!(["none"])),
        ("how many", json!(items.len())),
    ] {
        forms.add(kind, false, value);
    }
    if items.len() > 1 {
        forms.add("an item missing", false, json!(items[1..]));
        forms.add("all items in one", false, json!([items.join(" ")]));
    }
    forms.add("an invented item", false, json!([items, &["frobnicate-0".to_owned()]].concat()));
    forms.add("a longer item", false, with(items, &format!("{}x", items[items.len() - 1])));
}

fn ids(items: &[String], forms: &mut FormCollector) {
    forms.add("the tool before it", true, each(items, |id| format!("Bash [{id}]")));
    forms.add("the tool behind it", true, each(items, |id| format!("{id} (Bash)")));
    forms.add("a colon and the tool", true, each(items, |id| format!("{id}: Read")));
    forms.add("as a call", true, each(items, |id| format!("Bash({id})")));
    forms.add("a word before it", true, each(items, |id| format!("call {id}")));
    forms.add("what is asked behind it", true, each(items, |id| format!("{id} (no result)")));
    forms.add(
        "what is asked as a sentence",
        true,
        each(items, |id| format!("{id} never got a result")),
    );
    let objects = items.iter().map(|id| json!({"id": id, "tool": "Bash"}));
    forms.add("objects", true, objects.collect());
    for (kind, after) in [
        ("has a result", " has a result"),
        ("got a result", " got a result"),
        ("answered, in brackets", " (answered)"),
        ("succeeded", " succeeded"),
        ("is done", " is done"),
        ("a denial behind it", " is not one of them"),
        ("a contrast", " got its result, the others did not"),
    ] {
        forms.add(kind, false, each(items, |id| format!("{id}{after}")));
    }
    forms.add("a denial", false, each(items, |id| format!("not {id}")));
    forms.add("all but", false, each(items, |id| format!("all but {id}")));
    let objects = items.iter().map(|id| json!({"id": id, "status": "has a result"}));
    forms.add("objects that say the opposite", false, objects.collect());
}

fn of_paths(items: &[String], forms: &mut FormCollector) {
    let Some(last) = items.last() else { return };
    for (kind, text) in paths::written(last) {
        forms.add(kind, true, with(items, &text));
    }
    forms.add("what was done behind it", true, each(items, |path| format!("{path} (edited)")));
    let objects = items.iter().map(|path| json!({"path": path, "line": 3}));
    forms.add("objects", true, objects.collect());
    for (kind, text) in paths::others(last) {
        forms.add(kind, false, with(items, &text));
    }
    forms.add("the opposite behind it", false, each(items, |path| format!("{path} (unchanged)")));
}

fn phrases(items: &[String], forms: &mut FormCollector) {
    forms.add("capitals", true, each(items, str::to_uppercase));
    forms.add("a full stop", true, each(items, |phrase| format!("{phrase}.")));
    forms.add("quotation marks", true, each(items, |phrase| format!("\u{201c}{phrase}\u{201d}")));
    forms.add("a denial", false, each(items, |phrase| format!("not {phrase}")));
    forms.add("a word put in", false, each(items, |phrase| format!("{phrase} kumquat")));
    let Some(last) = items.last() else { return };
    let words: Vec<&str> = last.split_whitespace().collect();
    if let [.., before, _] = words.as_slice() {
        let other = last.replacen(before, "kumquat", 1);
        forms.add("another word", false, with(items, &other));
        forms.add("a word left out", false, with(items, &words[..words.len() - 1].join(" ")));
    }
}
