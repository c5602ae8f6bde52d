//! Forms of answers with several parts, and of yes and no.

use serde_json::{Map, Value, json};

use super::{About, Made, of_truth};
use crate::graders::Answer;
use crate::questions::{Part, Truth};

pub(super) fn yes_no(yes: bool, made: &mut Made) {
    let (right, wrong) = if yes { ("yes", "no") } else { ("no", "yes") };
    made.around(right);
    made.no_answer();
    made.add("a flag", true, json!(yes));
    made.same("capitals", right.to_uppercase());
    made.same("a full stop", format!("{right}."));
    made.same("bold", format!("**{right}**"));
    made.same("true or false", if yes { "true" } else { "false" });
    let clause = if yes { "it was read" } else { "it was not read" };
    made.same("a clause behind it", format!("{right}, {clause}"));
    made.same("a dash and a clause", format!("{right} \u{2014} {clause}"));
    let opposite = if yes { "it was not read" } else { "it was read" };
    made.other("a clause that says the opposite", format!("{right}, {opposite}"));
    made.other("the other word", wrong);
    made.add("the other flag", false, json!(!yes));
    made.other("both", format!("{right} and {wrong}"));
    made.other("a doubt", format!("probably {right}"));
    made.other("a doubt behind it", format!("{right}, maybe"));
    made.other("a question mark", format!("{right}?"));
    made.other("not stated", "not stated");
}

pub(super) fn make(parts: &[Part], about: About<'_>, made: &mut Made) {
    let answers: Vec<Value> = parts.iter().map(|part| part.truth.answer()).collect();
    together(parts, &answers, made);
    for (at, part) in parts.iter().enumerate() {
        // Many parts of one kind are alike.
        let is_alike = matches!(part.truth, Truth::YesNo { .. }) && at > 1;
        if is_alike {
            continue;
        }
        let before = made.forms.len();
        of_truth(&part.truth, About { label: &part.label, ..about }, made);
        for form in &mut made.forms[before..] {
            let Answer::Json(value) = &form.answer else { continue };
            let mut all = answers.clone();
            all[at] = value.clone();
            form.answer = Answer::Json(Value::Array(all));
        }
    }
}

fn together(parts: &[Part], answers: &[Value], made: &mut Made) {
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
    made.add("all parts as a list", true, json!(answers));
    made.same("all parts as the list's text", json!(answers).to_string());
    made.same("all parts in a code fence", format!("```json\n{}\n```", json!(answers)));
    made.add("all parts by number", true, Value::Object(numbered));
    made.add("all parts by name", true, Value::Object(labelled));
    made.add("all parts under one name", true, json!({ "answers": answers }));
    made.same("all parts on lines", texts.join("\n"));
    let lines = texts.iter().enumerate().map(|(at, text)| format!("{}. {text}", at + 1));
    made.same("all parts on numbered lines", lines.collect::<Vec<_>>().join("\n"));
    let lines = parts.iter().zip(&texts).map(|(part, text)| format!("{}: {text}", part.label));
    made.same("all parts on named lines", lines.collect::<Vec<_>>().join("\n"));
    made.same("all parts with semicolons", texts.join("; "));
    if let [first, .., last] = answers {
        if first != last {
            let mut turned = answers.to_vec();
            turned.reverse();
            // A row that reads the same from both ends is not changed.
            made.add("parts in another order", turned == answers, Value::Array(turned));
        }
        made.add("a part missing", false, json!(answers[1..]));
        made.add("the first part alone", false, first.clone());
        made.add("a part too many", false, json!([answers, std::slice::from_ref(last)].concat()));
    }
}
