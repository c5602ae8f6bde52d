//! Settings as people write them: TOML whose tables become dotted keys, each with its line, so that a wrong one
//! is reported with its line and the nearest valid one. The detectors' thresholds and the command's
//! `tracefold.toml` are read through this.

use thiserror::Error;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

/// One setting of a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entry {
    /// The key with the tables that it is in: `loop.raise`.
    pub key: String,
    /// What it is set to.
    pub value: Value,
    /// Its line in the file, counted from 1.
    pub line: usize,
}

/// What a setting is set to. Numbers stay as they are written, so that dollars stay exact.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Value {
    /// A string or a number.
    Text(String),
    /// A list of strings.
    List(Vec<String>),
    /// Neither; holds the name of its type in TOML.
    Other(&'static str),
}

/// Why a setting cannot be used.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum SettingError {
    /// The file is not TOML.
    #[error("line {line}: not TOML: {reason}")]
    Syntax {
        /// Where, counted from 1.
        line: usize,
        /// What is wrong there.
        reason: String,
    },
    /// Unknown setting.
    #[error("there is no setting `{key}`; did you mean `{nearest}`?")]
    Unknown {
        /// The key as it was written.
        key: String,
        /// The setting whose name is most like it.
        nearest: String,
    },
    /// The setting takes something else.
    #[error("`{key}` takes {expected}, not `{found}`")]
    Value {
        /// The setting.
        key: String,
        /// What it takes.
        expected: &'static str,
        /// What it was set to.
        found: String,
    },
    /// Not of the form `KEY=VALUE`.
    #[error("write a setting as in `loop.raise=4`, not `{0}`")]
    NotAnAssignment(String),
    /// A setting of a file is wrong.
    #[error("line {line}: {error}")]
    InFile {
        /// Its line, counted from 1.
        line: usize,
        /// What is wrong with it.
        error: Box<SettingError>,
    },
}

impl SettingError {
    /// The error, placed in a file.
    #[must_use]
    pub fn at(self, line: usize) -> Self {
        Self::InFile { line, error: Box::new(self) }
    }

    /// There is no setting `key`; `known` lists the existing ones.
    pub fn unknown<'a>(key: &str, known: impl IntoIterator<Item = &'a str>) -> Self {
        let nearest = nearest(key, known).unwrap_or_default().to_owned();
        Self::Unknown { key: key.to_owned(), nearest }
    }
}

/// The settings of a file, in its order of tables and keys.
///
/// # Errors
/// If the text is not TOML.
pub fn entries(text: &str) -> Result<Vec<Entry>, SettingError> {
    let line = |at: usize| 1 + text.bytes().take(at).filter(|byte| *byte == b'\n').count();
    let table = DeTable::parse(text).map_err(|error| SettingError::Syntax {
        line: line(error.span().map_or(0, |span| span.start)),
        reason: error.message().to_owned(),
    })?;
    let mut found = Vec::new();
    collect(table.get_ref(), "", &line, &mut found);
    found.sort_by_key(|entry| entry.line);
    Ok(found)
}

fn collect(
    table: &DeTable<'_>,
    prefix: &str,
    line: &impl Fn(usize) -> usize,
    found: &mut Vec<Entry>,
) {
    for (name, value) in table {
        let key = format!("{prefix}{}", name.get_ref());
        match value.get_ref() {
            DeValue::Table(inner) => collect(inner, &format!("{key}."), line, found),
            other => {
                found.push(Entry { key, value: value_of(other), line: line(name.span().start) });
            }
        }
    }
}

fn value_of(value: &DeValue<'_>) -> Value {
    if let DeValue::Array(items) = value {
        let texts: Option<Vec<String>> = items
            .iter()
            .map(Spanned::get_ref)
            .map(|item| item.as_str().map(str::to_owned))
            .collect();
        return texts.map_or(Value::Other("a list of other things than strings"), Value::List);
    }
    match value {
        DeValue::String(text) => Value::Text(text.clone().into_owned()),
        DeValue::Integer(number) if number.radix() == 10 => Value::Text(number.as_str().to_owned()),
        DeValue::Float(number) => Value::Text(number.as_str().to_owned()),
        other => Value::Other(other.type_str()),
    }
}

/// The one of `known` that is most like `word`.
pub fn nearest<'a>(word: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    known.into_iter().min_by_key(|candidate| strsim::damerau_levenshtein(word, candidate))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_have_their_tables_and_lines_and_numbers_stay_as_written() {
        let text = "prices = \"own.json\"\n\n[detectors.budget]\ndollars = 0.10\ntokens = 1_000\n\n\
                    [homes]\n\"claude-code\" = [\"a\", \"b\"]\nodd = true\n";
        let entry = |key: &str, value, line| Entry { key: key.to_owned(), value, line };
        let text_of = |text: &str| Value::Text(text.to_owned());
        let list = Value::List(vec!["a".to_owned(), "b".to_owned()]);
        let expected = [
            entry("prices", text_of("own.json"), 1),
            entry("detectors.budget.dollars", text_of("0.10"), 4),
            entry("detectors.budget.tokens", text_of("1000"), 5),
            entry("homes.claude-code", list, 8),
            entry("homes.odd", Value::Other("boolean"), 9),
        ];
        assert_eq!(entries(text).unwrap(), expected);
    }

    #[test]
    fn what_is_no_toml_is_placed() {
        let error = entries("a = 1\nb = \n").unwrap_err().to_string();
        assert!(error.starts_with("line 2: not TOML: "), "{error}");
    }
}
