//! What `expect.json` states of a run's recount.

use std::collections::BTreeMap;

use ground_truth::oracle::{FieldValue, Recount};
use serde_json::Value;

/// The expectations of each case of a file.
pub(crate) fn read(path: &std::path::Path) -> BTreeMap<String, BTreeMap<String, Value>> {
    serde_json::from_slice(&std::fs::read(path).unwrap()).unwrap()
}

/// Compares one expectation; the error is what was found instead.
pub(crate) fn check(counted: &Recount, field: &str, expected: &Value) -> Result<(), String> {
    let fields = counted.fields();
    match (field, expected) {
        ("tokens", Value::Object(classes)) => classes.iter().try_for_each(|(class, count)| {
            check(counted, &format!("tokens.{class}"), count)
                .map_err(|found| format!("{class} {found}"))
        }),
        ("by_model", Value::Object(models)) => models.iter().try_for_each(|(model, classes)| {
            classes.as_object().unwrap().iter().try_for_each(|(class, count)| {
                match fields.get(&format!("by_model.{class}")) {
                    Some(FieldValue::Map(models))
                        if models.get(model) == Some(&count.to_string()) =>
                    {
                        Ok(())
                    }
                    other => Err(format!("{class} {other:?}")),
                }
            })
        }),
        _ => match fields.get(field) {
            Some(FieldValue::Int(count)) if Some(*count) == expected.as_u64() => Ok(()),
            other => Err(format!("{other:?}")),
        },
    }
}
