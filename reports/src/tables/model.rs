//! What a section of the report holds: tables, as [`scoreboards::Table`] has them.

use scoreboards::{Column, Table};

/// A column of text.
pub(crate) fn text(name: &'static str) -> Column {
    Column::text(name)
}

/// A column of numbers.
pub(crate) fn number(name: &'static str) -> Column {
    Column::number(name)
}

/// An empty table of this name in files and links.
pub(crate) fn table(id: &str, title: &str, columns: impl IntoIterator<Item = Column>) -> Table {
    Table::new(title, columns).named(id)
}

/// What belongs to one question, in one or more tables.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Section {
    /// Its number or name on the command line.
    pub id: &'static str,
    /// Its title.
    pub title: &'static str,
    /// Its tables.
    pub tables: Vec<Table>,
}
