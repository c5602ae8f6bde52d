//! Tokens per model for what it writes: a dated table that is measured, not published.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use serde::Deserialize;

/// The table's text.
const BUILTIN: &str = include_str!("../../../data/output-scales.json");

/// Scales by model.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Scales {
    /// The day on which they were measured, `YYYY-MM-DD`.
    date: String,
    #[serde(rename = "about")]
    _about: String,
    #[serde(rename = "scales")]
    measured: Vec<Measured>,
    claude: Family,
    other: Family,
    #[serde(skip)]
    by_name: BTreeMap<String, u64>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Measured {
    names: Vec<String>,
    scale: u64,
    #[serde(rename = "calls")]
    _calls: Option<u64>,
    #[serde(rename = "sessions")]
    _sessions: Option<u64>,
    #[serde(rename = "error_percent")]
    _error_percent: Option<String>,
    #[serde(rename = "note")]
    _note: Option<String>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Family {
    scale: u64,
    #[serde(rename = "note")]
    _note: String,
}

impl Scales {
    /// The table that comes with the program.
    pub(super) fn builtin() -> &'static Self {
        static TABLE: LazyLock<Scales> = LazyLock::new(|| {
            let mut table: Scales =
                serde_json::from_str(BUILTIN).expect("the built-in table of scales is tested");
            let named =
                table.measured.iter().flat_map(|one| one.names.iter().map(|n| (n, one.scale)));
            table.by_name = named.map(|(name, scale)| (name.clone(), scale)).collect();
            table
        });
        &TABLE
    }

    /// The day of the table.
    pub(super) fn date(&self) -> &str {
        &self.date
    }

    /// The scale of a model, by its bare name, in hundredths.
    pub(super) fn of(&self, bare: &str) -> u64 {
        let family = if is_claude(bare) { &self.claude } else { &self.other };
        self.by_name.get(bare).copied().unwrap_or(family.scale)
    }
}

/// Whether a model's signatures tell how long its reasoning was.
pub(super) fn is_claude(bare: &str) -> bool {
    bare.starts_with("claude-")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pricing::bare_name;

    #[test]
    fn the_table_is_found_by_bare_names() {
        let table = Scales::builtin();
        for name in table.measured.iter().flat_map(|one| &one.names) {
            assert_eq!(&bare_name(name), name, "it can never be found");
        }
        assert_eq!(
            table.by_name.len(),
            table.measured.iter().map(|s| s.names.len()).sum::<usize>()
        );
        assert_eq!(table.of(&bare_name("us.anthropic.claude-opus-4-5-20251101-v1:0")), 126);
        assert_eq!(table.of("claude-opus-4-7"), 168);
        assert_eq!((table.of("claude-new-9"), table.of("glm-5")), (165, 100));
        assert_eq!(table.of(&bare_name("mimo-v2.5-pro")), 100);
    }
}
