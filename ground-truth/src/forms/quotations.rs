//! Forms of quotations.

use serde_json::json;

use super::form::FormCollector;

/// A text that somebody said or a tool reported.
pub(super) fn text(accepted: &[String], others: &[String], forms: &mut FormCollector) {
    let Some(truth) = accepted.first() else { return };
    forms.around(truth);
    forms.no_answer();
    same(truth, others, forms);
    let words: Vec<&str> = truth.split_whitespace().collect();
    changed_words(&words, forms);
    for (kind, text) in changed_signs(truth) {
        forms.other(kind, text);
    }
    forms.other("a denial", format!("It was not \"{truth}\""));
    forms.other("the one before", format!("The previous one was: \"{truth}\""));
    if words.len() >= 6 && words[1..4].join(" ").len() < 40 {
        forms.other("one word", words[2]);
        forms.other("three words", words[1..4].join(" "));
    }
    let own = letters(truth);
    let differs =
        |other: &&String| !own.contains(&letters(other)) && !letters(other).contains(&own);
    let others: Vec<String> = others.iter().filter(differs).cloned().collect();
    if let Some(other) = forms.one(&others).cloned() {
        forms.other("another text of the run", other.clone());
        forms.other("two texts", format!("{other}\n{truth}"));
        forms.add("a list of two texts", false, json!([other, truth]));
    }
}

/// The letters and digits of a text, in lower case.
fn letters(text: &str) -> String {
    text.chars().filter(|char| char.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}

fn same(truth: &str, others: &[String], forms: &mut FormCollector) {
    forms.same("capitals", truth.to_uppercase());
    forms.same("small letters", truth.to_lowercase());
    forms.same("line breaks for spaces", truth.replace(' ', "\n"));
    forms.same("spaces doubled", truth.replace(' ', "  "));
    forms.same("curly quotation marks", format!("\u{201c}{truth}\u{201d}"));
    forms.same("guillemets", format!("\u{ab}{truth}\u{bb}"));
    forms.same("curly apostrophes", truth.replace('\'', "\u{2019}"));
    forms.same("a lead-in", format!("The text reads: {truth}"));
    let plain = !truth.contains(['"', '`', '*', '\u{201c}', '\u{ab}']);
    if plain {
        forms.same("quotation marks", format!("\"{truth}\""));
        forms.same("bold", format!("**{truth}**"));
        forms.same("backticks", format!("`{truth}`"));
        forms.same("a sentence around it", format!("They said: \"{truth}\"."));
    }
    let trimmed = truth.trim_end_matches(['.', '!']);
    if trimmed.len() < truth.len() {
        forms.same("no full stop", trimmed);
    } else if truth.ends_with(char::is_alphanumeric) {
        forms.same("a full stop", format!("{truth}."));
    }
    for (long, short) in [("do not ", "don't "), ("cannot ", "can't "), ("does not ", "doesn't ")] {
        if truth.contains(long) {
            forms.same("a contraction", truth.replace(long, short));
        }
    }
    let start: String = truth.chars().take(60).collect();
    let rest = truth.chars().count() - start.chars().count();
    let is_elsewhere = others.iter().any(|other| letters(other).contains(&letters(&start)));
    if rest >= 20 && !is_elsewhere && !start.contains("...") && !start.contains('\u{2026}') {
        forms.same("cut short, and said so", format!("{start}\u{2026}"));
        forms.same("cut short, with dots", format!("{start}..."));
        let whole = start.chars().count() + rest;
        forms.same("cut short, with a note", format!("{start}\u{2026} [60 of {whole} characters]"));
    }
}

/// A word that no text here has.
const STRANGE: &str = "kumquat";

fn changed_words(words: &[&str], forms: &mut FormCollector) {
    let is_word = |word: &&str| word.len() >= 4 && word.chars().all(char::is_alphabetic);
    let places: Vec<usize> =
        (0..words.len()).filter(|at| words.get(*at).is_some_and(&is_word)).collect();
    let with = |at: usize, word: &str| {
        let mut all = words.to_vec();
        all[at] = word;
        all.join(" ")
    };
    let inserted = |at: usize, word: &str| {
        let mut all = words.to_vec();
        all.insert(at, word);
        all.join(" ")
    };
    if words.len() >= 2 {
        forms.other("a negation put in", inserted(1, "not"));
        forms.other("never put in", inserted(words.len() - 1, "never"));
        forms.other("a word put in", inserted(words.len() / 2, STRANGE));
        forms.other("words behind it", format!("{} {STRANGE} and more of it", words.join(" ")));
    }
    let negation = words.iter().position(|word| ["not", "never", "no"].contains(word));
    if let Some(at) = negation.filter(|at| *at > 0 && at + 1 < words.len()) {
        let mut all = words.to_vec();
        all.remove(at);
        forms.other("a negation left out", all.join(" "));
    }
    if let Some(at) = forms.one(&places).copied() {
        forms.other("another word", with(at, STRANGE));
        let torn: String = words[at].chars().skip(1).collect();
        forms.other("a word without its first letter", with(at, &torn));
    }
    if let Some(at) = places.last().copied().filter(|_| words.len() >= 2) {
        forms.other("another last word", with(at, STRANGE));
    }
    let inner: Vec<usize> =
        places.iter().copied().filter(|at| *at > 0 && at + 1 < words.len()).collect();
    if let Some(at) = forms.one(&inner).copied() {
        let mut all = words.to_vec();
        all.remove(at);
        // Of a text that says a word again and again a part is left.
        let left = all.join(" ");
        if !letters(&words.join(" ")).contains(&letters(&left)) {
            forms.other("a word left out", left);
        }
        let mut all = words.to_vec();
        if letters(all[at]) != letters(all[at + 1]) && all.len() >= 4 {
            all.swap(at, at + 1);
            forms.other("two words exchanged", all.join(" "));
        }
    }
}

/// The same text with a digit, a sign or a letter changed.
fn changed_signs(truth: &str) -> Vec<(&'static str, String)> {
    let mut forms = Vec::new();
    if let Some((at, digit)) = truth.char_indices().find(|(_, char)| char.is_ascii_digit()) {
        let (before, after) = (&truth[..at], &truth[at + 1..]);
        let next = (digit.to_digit(10).unwrap_or(0) + 1) % 10;
        forms.push(("another number", format!("{before}{next}{after}")));
        forms.push(("a digit more", format!("{before}{digit}0{after}")));
        if before.is_empty() || before.ends_with(' ') {
            forms.push(("a minus before a number", format!("{before}-{digit}{after}")));
        }
    }
    for (kind, from, to) in [
        ("equal to unequal", "==", "!="),
        ("and to or", " && ", " || "),
        ("true to false", "true", "false"),
        ("online to offline", "offline", "online"),
        ("a path's other folder", "/", "/old/"),
    ] {
        if truth.contains(from) {
            forms.push((kind, truth.replacen(from, to, 1)));
        }
    }
    if truth.contains('o') {
        forms.push(("a letter of another script", truth.replace('o', "\u{43e}")));
    }
    forms
}

/// A call: a tool and its argument, or its id. The first form of the truth is both.
pub(super) fn call(accepted: &[String], others: &[String], forms: &mut FormCollector) {
    let Some(truth) = accepted.first() else { return };
    forms.around(truth);
    forms.no_answer();
    let alone = accepted.iter().find(|form| {
        truth.len() > form.len()
            && truth.ends_with(form.as_str())
            && form.len() * 2 >= truth.len() / 2
    });
    // Without a form that is an argument alone, the tool cannot be distinguished from it.
    match truth.split_once(' ').filter(|(_, argument)| alone.is_some_and(|alone| alone == argument))
    {
        Some((tool, argument)) => {
            of_call(tool, argument, others, forms);
            forms.same("the argument alone", argument);
            if !argument.contains('`') {
                forms.same("the argument in backticks", format!("`{argument}`"));
                forms.other("a denial", format!("not `{argument}`"));
            }
            changed_argument(argument, forms);
        }
        None => {
            let plain = !truth.contains(['`', '*', '"']);
            for (kind, [before, after]) in [
                ("backticks", ["`", "`"]),
                ("bold", ["**", "**"]),
                ("quotation marks", ["\"", "\""]),
                ("a sentence around it", ["The command was `", "`."]),
                ("curly quotation marks", ["\u{201c}", "\u{201d}"]),
            ] {
                if plain {
                    forms.same(kind, format!("{before}{truth}{after}"));
                }
            }
            forms.same("spaces doubled", truth.replace(' ', "  "));
            if plain {
                forms.other("a denial", format!("not `{truth}`"));
            }
            changed_argument(truth, forms);
        }
    }
    let id = accepted.iter().find(|form| {
        let is_id = form.starts_with("toolu_") || form.starts_with('c');
        is_id
            && form.len() >= 3
            && !form.contains(' ')
            && form.ends_with(|char: char| char.is_ascii_digit())
    });
    if let Some(id) = id {
        forms.same("the id", id.clone());
        forms.same("the id with a label", format!("call id: {id}"));
        forms.other("a longer id", format!("{id}0"));
        forms.other("a denial of the id", format!("not {id}"));
    }
    let others: Vec<String> = others
        .iter()
        .filter(|other| other.contains(' ') && !truth.contains(other.as_str()))
        .cloned()
        .collect();
    if let Some(other) = forms.one(&others).cloned() {
        forms.other("another call", other);
    }
}

fn of_call(tool: &str, argument: &str, others: &[String], forms: &mut FormCollector) {
    forms.same("a colon after the tool", format!("{tool}: {argument}"));
    forms.same("as a call", format!("{tool}({argument})"));
    forms.same("a dash after the tool", format!("{tool} \u{2014} {argument}"));
    forms.same("the tool in backticks", format!("`{tool}`: {argument}"));
    forms.add("tool and argument as a list", true, json!([tool, argument]));
    forms.add("tool and argument as an object", true, json!({"tool": tool, "argument": argument}));
    if !argument.contains('`') {
        forms.same("the argument quoted", format!("{tool}: `{argument}`"));
        forms.same("the tool in brackets", format!("`{argument}` ({tool})"));
    }
    forms.same("two labelled lines", format!("Tool: {tool}\nCommand: {argument}"));
    forms.other("the tool alone", tool);
    forms.other("another tool", format!("Frobnicate: {argument}"));
    let start: String = argument.chars().take(60).collect();
    let is_elsewhere = others.iter().any(|other| other.contains(&start));
    if argument.chars().count() >= 80 && !is_elsewhere {
        forms.same("cut short, and said so", format!("{tool} {start}\u{2026}"));
        forms.other("cut short, without saying so", format!("{tool} {start}"));
    }
}

fn changed_argument(argument: &str, forms: &mut FormCollector) {
    forms.other("a sign behind it", format!("{argument}2"));
    forms.other("a command behind it", format!("{argument} && rm -rf build"));
    forms.other("a flag behind it", format!("{argument} --force"));
    let words: Vec<&str> = argument.split_whitespace().collect();
    if words.len() >= 2 {
        forms.other("the last word left out", words[..words.len() - 1].join(" "));
        forms.other(
            "another last word",
            [&words[..words.len() - 1], &["kumquat"]].concat().join(" "),
        );
        let mut turned = words.clone();
        turned.reverse();
        if turned != words {
            forms.other("words in another order", turned.join(" "));
        }
    }
    if let Some(at) = argument.find(" -").map(|at| at + 2) {
        let rest = &argument[at..];
        if let Some(flag) = rest.chars().next().filter(char::is_ascii_lowercase) {
            let text = format!("{}{}{}", &argument[..at], flag.to_ascii_uppercase(), &rest[1..]);
            forms.other("a flag in the other case", text);
        }
    }
    if argument.contains("true") {
        forms.other("true to false", argument.replace("true", "false"));
    }
}
