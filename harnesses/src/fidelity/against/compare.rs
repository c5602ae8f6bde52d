//! Compares one session's fields.

use std::collections::BTreeMap;

use ground_truth::oracle::{DOLLAR_FIELD_NAMES, FieldValue};
use rust_decimal::Decimal;
use serde_json::Value;

use super::disagreement::Disagreement;
use super::reply::StatedFields;
use crate::fidelity::comparable::{Fields, is_text, of_text};

/// What one session came to.
#[derive(Debug, Default)]
pub(super) struct Compared {
    /// Whether each field that both have is equal.
    pub(super) equal: BTreeMap<String, bool>,
    /// Tolerance of each field.
    pub(super) tolerances: BTreeMap<String, Decimal>,
    /// The fields that only the program has.
    pub(super) unknown: Vec<String>,
    pub(super) disagreements: Vec<Disagreement>,
}

/// Compares the fields that both have. The error names a field and what is wrong with its value.
pub(super) fn compare(ours: &Fields, stated: &StatedFields) -> Result<Compared, (String, String)> {
    let mut compared = Compared::default();
    for (name, theirs) in &stated.fields {
        let Some(ours) = ours.get(name) else {
            compared.unknown.push(name.clone());
            continue;
        };
        let tolerance = stated.tolerances.get(name).copied().unwrap_or_default();
        let found = field(name, ours, theirs, tolerance).map_err(|why| (name.clone(), why))?;
        compared.equal.insert(name.clone(), found.is_empty());
        if !tolerance.is_zero() {
            compared.tolerances.insert(name.clone(), tolerance);
        }
        compared.disagreements.extend(found);
    }
    Ok(compared)
}

fn field(
    name: &str,
    ours: &FieldValue,
    theirs: &Value,
    tolerance: Decimal,
) -> Result<Vec<Disagreement>, String> {
    match ours {
        FieldValue::Map(ours) => map(name, ours, theirs, tolerance),
        FieldValue::List(ours) => list(name, ours, theirs),
        _ if is_text(name) => text(name, ours, theirs),
        FieldValue::Int(count) => number(name, Decimal::from(*count), theirs, tolerance),
        FieldValue::Text(decimal) if DOLLAR_FIELD_NAMES.contains(&name) => {
            let ours = decimal.parse().map_err(|_| format!("ours is {decimal}"))?;
            number(name, ours, theirs, tolerance)
        }
        FieldValue::Text(_) | FieldValue::Absent => text(name, ours, theirs),
    }
}

fn number(
    name: &str,
    ours: Decimal,
    theirs: &Value,
    tolerance: Decimal,
) -> Result<Vec<Disagreement>, String> {
    let theirs = decimal(theirs)?;
    let equal = near(ours, theirs, tolerance);
    Ok(if equal {
        Vec::new()
    } else {
        vec![Disagreement::new(name, None, show(ours), show(theirs))]
    })
}

/// Values too far apart to compute the difference are not near.
fn near(ours: Decimal, theirs: Decimal, tolerance: Decimal) -> bool {
    ours.checked_sub(theirs).is_some_and(|difference| difference.abs() <= tolerance)
}

/// A text is compared by its length and digest: the fold keeps no more of a long one.
fn text(name: &str, ours: &FieldValue, theirs: &Value) -> Result<Vec<Disagreement>, String> {
    let theirs = match theirs {
        Value::Null => FieldValue::Absent,
        Value::String(text) => of_text(text),
        other => return Err(format!("it is {}, not a string or null", kind(other))),
    };
    let show = |value: &FieldValue| match value {
        FieldValue::Text(digest) => {
            let (characters, sha) = digest.split_once(':').unwrap_or((digest, ""));
            format!("{characters} characters, sha256 {}", sha.get(..12).unwrap_or(sha))
        }
        _ => "absent".to_owned(),
    };
    let equal = *ours == theirs;
    Ok(if equal {
        Vec::new()
    } else {
        vec![Disagreement::new(name, None, show(ours), show(&theirs))]
    })
}

/// Lists are compared as sets: another program has no reason to keep our order.
fn list(name: &str, ours: &[String], theirs: &Value) -> Result<Vec<Disagreement>, String> {
    let theirs = theirs.as_array().ok_or_else(|| format!("it is {}, not a list", kind(theirs)))?;
    let entry = |value: &Value| match value {
        Value::String(text) => Ok((text.clone(), "there".to_owned())),
        other => Err(format!("an entry is {}, not a string", kind(other))),
    };
    let theirs = theirs.iter().map(entry).collect::<Result<BTreeMap<_, _>, _>>()?;
    let ours: BTreeMap<_, _> = ours.iter().map(|id| (id.clone(), "there".to_owned())).collect();
    let absent = || "absent".to_owned();
    let differing = ours.keys().chain(theirs.keys().filter(|id| !ours.contains_key(*id)));
    let differing = differing.filter(|id| ours.contains_key(*id) != theirs.contains_key(*id));
    Ok(differing
        .map(|id| {
            let of = |side: &BTreeMap<String, String>| side.get(id).cloned().unwrap_or_else(absent);
            Disagreement::new(name, Some(id), of(&ours), of(&theirs))
        })
        .collect())
}

/// An entry that a map lacks is zero: whether a model without tokens is listed is a matter of taste.
fn map(
    name: &str,
    ours: &BTreeMap<String, String>,
    theirs: &Value,
    tolerance: Decimal,
) -> Result<Vec<Disagreement>, String> {
    let theirs =
        theirs.as_object().ok_or_else(|| format!("it is {}, not an object", kind(theirs)))?;
    let keys = ours.keys().chain(theirs.keys().filter(|key| !ours.contains_key(*key)));
    let mut found = Vec::new();
    for key in keys {
        let of_ours = ours.get(key).map_or("0", String::as_str);
        // A statistic of facts may be any text; what is a number on our side must be one on theirs.
        let Ok(of_ours) = of_ours.parse::<Decimal>() else {
            let of_theirs = theirs.get(key).and_then(Value::as_str).unwrap_or("absent");
            if of_theirs != of_ours {
                let (ours, theirs) = (of_ours.to_owned(), of_theirs.to_owned());
                found.push(Disagreement::new(name, Some(key), ours, theirs));
            }
            continue;
        };
        let of_theirs = theirs.get(key).map_or(Ok(Decimal::ZERO), decimal);
        let of_theirs = of_theirs.map_err(|why| format!("{key}: {why}"))?;
        if !near(of_ours, of_theirs, tolerance) {
            found.push(Disagreement::new(name, Some(key), show(of_ours), show(of_theirs)));
        }
    }
    Ok(found)
}

/// A count as a JSON integer, or an exact decimal as a string.
fn decimal(value: &Value) -> Result<Decimal, String> {
    match value {
        Value::Number(number) => number
            .as_i64()
            .map(Decimal::from)
            .or_else(|| number.as_u64().map(Decimal::from))
            .ok_or_else(|| format!("{number} is a float; write an exact decimal as a string")),
        Value::String(text) => {
            text.parse().map_err(|_| format!("\"{}\" is not a decimal", text.escape_debug()))
        }
        other => Err(format!("it is {}, not a number", kind(other))),
    }
}

fn show(number: Decimal) -> String {
    number.normalize().to_string()
}

fn kind(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "a boolean",
        Value::Number(_) => "a number",
        Value::String(_) => "a string",
        Value::Array(_) => "a list",
        Value::Object(_) => "an object",
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn ours() -> Fields {
        let map = |entries: &[(&str, &str)]| {
            let entries = entries.iter().map(|(k, v)| ((*k).to_owned(), (*v).to_owned()));
            FieldValue::Map(entries.collect())
        };
        Fields::from([
            ("calls".to_owned(), FieldValue::Int(3)),
            ("dollars".to_owned(), FieldValue::Text("0.1234".to_owned())),
            ("goal".to_owned(), of_text("do it")),
            ("dangling".to_owned(), FieldValue::List(vec!["c1".to_owned(), "c2".to_owned()])),
            ("by_model.calls".to_owned(), map(&[("a", "3"), ("b", "0")])),
        ])
    }

    fn against(fields: Value, tolerances: &[(&str, &str)]) -> Result<Compared, (String, String)> {
        let fields: BTreeMap<String, Value> = serde_json::from_value(fields).unwrap();
        let tolerances =
            tolerances.iter().map(|(name, by)| ((*name).to_owned(), by.parse().unwrap())).collect();
        compare(&ours(), &StatedFields { fields, tolerances, places: BTreeMap::new() })
    }

    #[test]
    fn equal_values_of_every_type_are_equal() {
        let fields = json!({
            "calls": 3, "dollars": "0.12340", "goal": "do it", "dangling": ["c2", "c1"],
            "by_model.calls": {"a": 3}, "steps": 7,
        });
        let compared = against(fields, &[]).unwrap();
        assert_eq!(compared.disagreements, []);
        assert_eq!(compared.equal.len(), 5);
        assert_eq!(compared.unknown, ["steps"]);
    }

    #[test]
    fn every_difference_is_named_with_both_values() {
        let fields = json!({
            "calls": 4, "dollars": "0.1235", "goal": "do it!", "dangling": ["c2", "c3"],
            "by_model.calls": {"a": 2, "c": 1},
        });
        let compared = against(fields, &[]).unwrap();
        let found: Vec<_> = compared
            .disagreements
            .iter()
            .map(|d| (d.field.as_str(), d.key.as_deref(), d.ours.as_str(), d.theirs.as_str()))
            .collect();
        assert_eq!(
            found[..6],
            [
                ("by_model.calls", Some("a"), "3", "2"),
                ("by_model.calls", Some("c"), "0", "1"),
                ("calls", None, "3", "4"),
                ("dangling", Some("c1"), "there", "absent"),
                ("dangling", Some("c3"), "absent", "there"),
                ("dollars", None, "0.1234", "0.1235"),
            ]
        );
        assert!(found[6].2.starts_with("5 characters, sha256 "));
        assert_eq!(found.len(), 7);
        assert!(compared.equal.values().all(|equal| !equal));
    }

    #[test]
    fn a_tolerance_holds_for_its_field_up_to_its_end() {
        let fields = json!({"dollars": "0.1235", "calls": 4});
        let compared = against(fields, &[("dollars", "0.0001")]).unwrap();
        assert!(compared.equal["dollars"]);
        assert!(!compared.equal["calls"]);
        let compared = against(json!({"dollars": "0.1235"}), &[("dollars", "0.00009")]).unwrap();
        assert!(!compared.equal["dollars"]);
    }

    #[test]
    fn no_number_is_too_large_to_be_compared() {
        let compared = against(json!({"calls": "-79228162514264337593543950335"}), &[]).unwrap();
        assert!(!compared.equal["calls"]);
    }

    #[test]
    fn a_value_of_another_type_is_refused() {
        let cases = [
            (json!({"calls": 3.5}), "3.5 is a float"),
            (json!({"calls": "three"}), "\"three\" is not a decimal"),
            (json!({"calls": null}), "it is null, not a number"),
            (json!({"dangling": 2}), "it is a number, not a list"),
            (json!({"dangling": [2]}), "an entry is a number"),
            (json!({"by_model.calls": 3}), "it is a number, not an object"),
            (json!({"by_model.calls": {"a": []}}), "a: it is a list, not a number"),
            (json!({"goal": 1}), "it is a number, not a string or null"),
        ];
        for (fields, message) in cases {
            let (_, why) = against(fields, &[]).unwrap_err();
            assert!(why.contains(message), "{why}");
        }
    }
}
