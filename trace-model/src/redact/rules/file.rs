//! Reads the file of rules.

use std::collections::HashMap;

use thiserror::Error;
use toml::de::{DeTable, DeValue};

use super::RuleSet;
use super::filter::Filter;
use super::proximity::Window;
use super::rule::{Required, Rule};

/// Why rules cannot be used.
#[derive(Debug, Error)]
pub(super) enum Unreadable {
    #[error("not TOML: {0}")]
    Syntax(#[from] toml::de::Error),
    #[error("{0}")]
    Keywords(#[from] aho_corasick::BuildError),
    #[error("rule {rule}: {what}")]
    Rule { rule: String, what: &'static str },
}

/// Reads rules from TOML as betterleaks writes them.
pub(super) fn read(text: &str) -> Result<RuleSet, Unreadable> {
    let document = DeTable::parse(text)?.into_inner();
    let tables: Vec<&DeTable<'_>> = tables(&document, "rules").collect();
    let ids = tables.iter().enumerate().map(|(index, table)| (string(table, "id"), index));
    let ids: HashMap<&str, usize> = ids.collect();
    let rules: Result<Vec<Rule>, Unreadable> =
        tables.iter().map(|table| rule(table, &ids)).collect();
    RuleSet::new(rules?, Filter::new(string(&document, "filter").to_owned()))
}

fn rule(table: &DeTable<'_>, ids: &HashMap<&str, usize>) -> Result<Rule, Unreadable> {
    let id = string(table, "id");
    let fails = |what| Unreadable::Rule { rule: id.to_owned(), what };
    if id.is_empty() {
        return Err(fails("it has no id"));
    }
    let mut required = Vec::new();
    for component in tables(table, "components").filter(|it| !flag(it, "optional")) {
        let rule = *ids.get(string(component, "id")).ok_or_else(|| fails("it requires no rule"))?;
        let window = Window::parse(string(component, "within"));
        let window = window.ok_or_else(|| fails("it says not how near"))?;
        required.push(Required { rule, window });
    }
    let for_files = table.contains_key("path");
    let pattern = Some(string(table, "regex")).filter(|regex| !regex.is_empty() && !for_files);
    Ok(Rule {
        id: id.to_owned(),
        pattern: pattern.map(str::to_owned),
        keywords: strings(table, "keywords").map(str::to_lowercase).collect(),
        group: number(table, "secretGroup"),
        silent: flag(table, "skipReport"),
        required,
        filter: Some(string(table, "filter"))
            .filter(|filter| !filter.is_empty())
            .map(|filter| Filter::new(filter.to_owned())),
        compiled: std::sync::OnceLock::new(),
    })
}

fn value<'v, 't>(table: &'v DeTable<'t>, key: &str) -> Option<&'v DeValue<'t>> {
    table.get(key).map(toml::Spanned::get_ref)
}

/// The text of a key, or nothing.
fn string<'v>(table: &'v DeTable<'_>, key: &str) -> &'v str {
    value(table, key).and_then(DeValue::as_str).unwrap_or_default()
}

fn flag(table: &DeTable<'_>, key: &str) -> bool {
    value(table, key).and_then(DeValue::as_bool).unwrap_or_default()
}

fn number(table: &DeTable<'_>, key: &str) -> usize {
    let integer = value(table, key).and_then(DeValue::as_integer);
    integer.and_then(|integer| integer.as_str().parse().ok()).unwrap_or_default()
}

fn items<'v, 't>(
    table: &'v DeTable<'t>,
    key: &str,
) -> impl Iterator<Item = &'v DeValue<'t>> + use<'v, 't> {
    let items = value(table, key).and_then(DeValue::as_array);
    items.into_iter().flat_map(|items| items.iter()).map(toml::Spanned::get_ref)
}

fn strings<'v, 't>(
    table: &'v DeTable<'t>,
    key: &str,
) -> impl Iterator<Item = &'v str> + use<'v, 't> {
    items(table, key).filter_map(DeValue::as_str)
}

fn tables<'v, 't>(
    table: &'v DeTable<'t>,
    key: &str,
) -> impl Iterator<Item = &'v DeTable<'t>> + use<'v, 't> {
    items(table, key).filter_map(DeValue::as_table)
}
