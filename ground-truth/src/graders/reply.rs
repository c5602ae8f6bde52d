//! Parses an answer, before it is known what kind of answer is expected.

use serde_json::Value;

use super::text::unwrapped;
use crate::answers::Answer;

/// An answer. Texts are kept as they came; each grader decides how to look at them.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Reply {
    /// `null`.
    Nothing,
    Flag(bool),
    /// A number as JSON writes it.
    Number(String),
    Text(String),
    List(Vec<Reply>),
    Fields(Vec<(String, Reply)>),
}

impl Reply {
    pub(super) fn of(answer: &Answer) -> Self {
        match answer {
            Answer::Json(value) => Self::of_value(value),
            Answer::Text(text) => Self::Text(text.clone()),
        }
    }

    fn of_value(value: &Value) -> Self {
        match value {
            Value::Null => Self::Nothing,
            Value::Bool(flag) => Self::Flag(*flag),
            Value::Number(number) => Self::Number(number.to_string()),
            Value::String(text) => Self::Text(text.clone()),
            Value::Array(items) => Self::List(items.iter().map(Self::of_value).collect()),
            Value::Object(fields) => match fields.get("answer") {
                Some(answer) if fields.len() == 1 => Self::of_value(answer),
                _ => Self::Fields(
                    fields
                        .iter()
                        .map(|(key, field)| (key.clone(), Self::of_value(field)))
                        .collect(),
                ),
            },
        }
    }

    /// The reply, or the list or object that its text is the JSON of.
    pub(super) fn structured(&self) -> Self {
        let Self::Text(text) = self else {
            return self.clone();
        };
        let text = unwrapped(text);
        let is_json = text.starts_with(['[', '{']);
        let parsed = is_json.then(|| serde_json::from_str(text).ok()).flatten();
        parsed.map_or_else(|| self.clone(), |value| Self::of_value(&value))
    }

    /// Whether nothing was answered.
    pub(super) fn is_empty(&self) -> bool {
        match self {
            Self::Nothing => true,
            Self::Text(text) => text.trim().is_empty(),
            Self::List(items) => items.is_empty(),
            Self::Fields(fields) => fields.is_empty(),
            Self::Flag(_) | Self::Number(_) => false,
        }
    }

    /// The text of a text or number.
    pub(super) fn scalar(&self) -> Option<&str> {
        match self {
            Self::Text(text) | Self::Number(text) => Some(text),
            _ => None,
        }
    }

    /// The possible readings of one value: as it came, without what is around it, and, where it is a list of
    /// one, as that item. None where it is several values.
    pub(super) fn readings(&self) -> Vec<String> {
        let mut readings = Vec::new();
        let mut add = |reply: &Self| {
            for text in reply.scalar().into_iter().flat_map(|text| [text, unwrapped(text)]) {
                if !readings.iter().any(|known| known == text) {
                    readings.push(text.to_owned());
                }
            }
        };
        add(self);
        if let Self::List(items) = self.structured()
            && let [item] = items.as_slice()
        {
            add(item);
        }
        readings
    }

    /// All texts in it, wherever they are.
    pub(super) fn texts(&self) -> Vec<&str> {
        match self {
            Self::Text(text) | Self::Number(text) => vec![text],
            Self::List(items) => items.iter().flat_map(Self::texts).collect(),
            Self::Fields(fields) => fields.iter().flat_map(|(_, field)| field.texts()).collect(),
            Self::Nothing | Self::Flag(_) => Vec::new(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn one_value_is_read_out_of_what_is_around_it() {
        let readings = |value| Reply::of(&Answer::Json(value)).readings();
        assert_eq!(readings(json!("```\n[\"Bash\"]\n```"))[2], "Bash");
        assert_eq!(readings(json!({"answer": ["`Bash`"]})), ["`Bash`", "Bash"]);
        assert_eq!(readings(json!(7)), ["7"]);
        assert!(readings(json!(["a", "b"])).is_empty());
        assert!(readings(json!({"a": "b"})).is_empty());
        assert!(readings(json!(null)).is_empty());
    }
}
