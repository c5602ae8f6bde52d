//! Forms of answers with several parts, and of yes and no.

use serde_json::{Map, Value, json};

use super::form::{FormCollector, QuestionContext};
use crate::answers::{Answer, Part, Truth};

pub(super) fn yes_no(yes: bool, forms: &mut FormCollector) {
    let (right, wrong) = if yes { ("yes", "no") } else { ("no", "yes") };
    forms.around(right);
    forms.no_answer();
    forms.add("a flag", true, json!(yes));
    forms.same("capitals", right.to_uppercase());
    forms.same("a full stop", format!("{right}."));
    forms.same("bold", format!("**{right}**"));
    forms.same("true or false", if yes { "true" } else { "false" });
    let clause = if yes { "it was read" } else { "it was not read" };
    forms.same("a clause behind it", format!("{right}, {clause}"));
    forms.same("a dash and a clause", format!("{right} \u{2014} {clause}"));
    let opposite = if yes { "it was not read" } else { "it was read" };
    forms.other("a clause that says the opposite", format!("{right}, {opposite}"));
    forms.other("the other word", wrong);
    forms.add("the other flag", false, json!(!yes));
    forms.other("both", format!("{right} and {wrong}"));
    forms.other("a doubt", format!("probably {right}"));
    forms.other("a doubt behind it", format!("{right}, maybe"));
    forms.other("a question mark", format!("{right}?"));
    forms.other("not stated", "not stated");
}

/// Forms of the parts together, and of each part by `of_truth` beside the others' answers.
pub(super) fn make(
    parts: &[Part],
    about: QuestionContext<'_>,
    forms: &mut FormCollector,
    of_truth: fn(&Truth, QuestionContext<'_>, &mut FormCollector),
) {
    let answers: Vec<Value> = parts.iter().map(|part| part.truth.answer()).collect();
    together(parts, &answers, forms);
    for (at, part) in parts.iter().enumerate() {
        // Many parts of one kind are alike.
        let is_alike = matches!(part.truth, Truth::YesNo { .. }) && at > 1;
        if is_alike {
            continue;
        }
        let before = forms.collected.len();
        of_truth(&part.truth, QuestionContext { label: &part.label, ..about }, forms);
        for form in &mut forms.collected[before..] {
            let Answer::Json(value) = &form.answer else { continue };
            let mut all = answers.clone();
            all[at] = value.clone();
            form.answer = Answer::Json(Value::Array(all));
        }
    }
}

fn together(parts: &[Part], answers: &[Value], forms: &mut FormCollector) {
    let text = |value: &Value| value.as_str().map_or_else(|| value.to_string(), str::to_owned);
    let texts: Vec<String> = answers.iter().map(text).collect();
    let numbered: Map<String, Value> = answers
        .iter()
        .enumerate()
        .map(|(at, value)| ((at + 1).to_string(), value.clone()))
        .collect();
    let labelled: Map<String, Value> = parts
        .iter()
        .zip(answers)
        .map(|(part, value)| (part.label.clone(), value.clone()))
        .collect();
    forms.add("all parts as a list", true, json!(answers));
    forms.same("all parts as the list's text", json!(answers).to_string());
    forms.same("all parts in a code fence", format!("```json\n{}\n```", json!(answers)));
    forms.add("all parts by number", true, Value::Object(numbered));
    forms.add("all parts by name", true, Value::Object(labelled));
    forms.add("all parts under one name", true, json!({ "answers": answers }));
    forms.same("all parts on lines", texts.join("\n"));
    let lines = texts.iter().enumerate().map(|(at, text)| format!("{}. {text}", at + 1));
    forms.same("all parts on numbered lines", lines.collect::<Vec<_>>().join("\n"));
    let lines = parts.iter().zip(&texts).map(|(part, text)| format!("{}: {text}", part.label));
    forms.same("all parts on named lines", lines.collect::<Vec<_>>().join("\n"));
    forms.same("all parts with semicolons", texts.join("; "));
    if let [first, .., last] = answers {
        if first != last {
            let mut turned = answers.to_vec();
            turned.reverse();
            // A row that reads the same from both ends is not changed.
            forms.add("parts in another order", turned == answers, Value::Array(turned));
        }
        forms.add("a part missing", false, json!(answers[1..]));
        forms.add("the first part alone", false, first.clone());
        forms.add("a part too many", false, json!([answers, std::slice::from_ref(last)].concat()));
    }
}
