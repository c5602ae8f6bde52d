//! What a recorded call is found by.

use std::collections::BTreeMap;
use std::fmt;

use serde::{Deserialize, Serialize};
use serde_json::Value;
use trace_model::ids::Sha256;

use super::recording::SCHEMA;
use crate::model::backend::BackendId;
use crate::model::request::{Provider, Request};

/// A call's lookup key: the SHA-256 of JSON without white space that holds the schema, provider, base URL,
/// extra fields (keys sorted), request and repeat, in this order.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(transparent)]
pub struct CallKey(Sha256);

impl CallKey {
    /// The key of the `repeat`th call of a request, from 0.
    #[must_use]
    pub fn of(endpoint: &BackendId, request: &Request, repeat: u32) -> Self {
        let BackendId { provider, base_url, extra_body } = endpoint;
        // The only part whose keys have no order of their own.
        let extra_body = extra_body.iter().map(|(key, value)| (key, canonical(value))).collect();
        let fields = KeyFields {
            schema: SCHEMA,
            provider: *provider,
            base_url,
            extra_body,
            request,
            repeat,
        };
        // None of the parts can fail to be JSON: their keys are text.
        let text = serde_json::to_vec(&fields).unwrap_or_default();
        Self(Sha256::of_parts(&[&text]))
    }
}

impl fmt::Display for CallKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

#[derive(Serialize)]
struct KeyFields<'a> {
    schema: &'static str,
    provider: Provider,
    base_url: &'a str,
    extra_body: BTreeMap<&'a String, Value>,
    request: &'a Request,
    repeat: u32,
}

/// The same value with the keys of its objects in order, whatever order the map type keeps.
fn canonical(value: &Value) -> Value {
    match value {
        Value::Object(object) => {
            let sorted: BTreeMap<&String, Value> =
                object.iter().map(|(key, value)| (key, canonical(value))).collect();
            Value::Object(sorted.into_iter().map(|(key, value)| (key.clone(), value)).collect())
        }
        Value::Array(items) => Value::Array(items.iter().map(canonical).collect()),
        other => other.clone(),
    }
}
