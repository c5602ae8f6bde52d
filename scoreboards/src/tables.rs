//! A table as data, and its plain-text form. Everything that prints a table builds one of these.

use std::borrow::Cow;
use std::fmt::Write as _;

use crate::terminal::{escape, table};

/// One table. Cells are plain text, which may come from outside: each form escapes them for itself.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Table {
    /// Its name in file names and links, such as `2a-definitive`; may be empty.
    pub id: String,
    /// Its title.
    pub title: String,
    /// Column heads.
    pub columns: Vec<Column>,
    /// Rows, each as long as `columns`.
    pub rows: Vec<Vec<String>>,
    /// What a reader must know.
    pub notes: Vec<String>,
}

/// A column.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Column {
    /// Its head.
    pub name: Cow<'static, str>,
    /// Whether it holds numbers, to be aligned and sorted as such.
    pub numeric: bool,
}

impl Column {
    /// A column of text.
    pub fn text(name: impl Into<Cow<'static, str>>) -> Self {
        Self { name: name.into(), numeric: false }
    }

    /// A column of numbers.
    pub fn number(name: impl Into<Cow<'static, str>>) -> Self {
        Self { name: name.into(), numeric: true }
    }
}

impl Table {
    /// An empty table.
    pub fn new(title: impl Into<String>, columns: impl IntoIterator<Item = Column>) -> Self {
        let columns = columns.into_iter().collect();
        Self { title: title.into(), columns, ..Self::default() }
    }

    /// An empty table whose first column is text and whose others are numbers.
    pub fn of_numbers<N: Into<Cow<'static, str>>>(
        title: impl Into<String>,
        first: &'static str,
        rest: impl IntoIterator<Item = N>,
    ) -> Self {
        let numbers = rest.into_iter().map(Column::number);
        Self::new(title, std::iter::once(Column::text(first)).chain(numbers))
    }

    /// The same with a name for files and links.
    #[must_use]
    pub fn named(self, id: impl Into<String>) -> Self {
        Self { id: id.into(), ..self }
    }

    /// The same without columns that are empty in every row.
    #[must_use]
    pub fn without_empty_columns(mut self) -> Self {
        if self.rows.is_empty() {
            return self;
        }
        let empty =
            |at: usize| self.rows.iter().all(|row| row.get(at).is_none_or(String::is_empty));
        let kept: Vec<bool> = (0..self.columns.len()).map(|at| !empty(at)).collect();
        let mut keep = kept.iter();
        self.columns.retain(|_| keep.next() == Some(&true));
        for row in &mut self.rows {
            let mut keep = kept.iter();
            row.retain(|_| keep.next() == Some(&true));
        }
        self
    }

    /// Title, table and notes as plain text, ending in a line feed.
    pub fn to_text(&self) -> String {
        let mut out = format!("{}\n", escape(&self.title));
        if self.rows.is_empty() {
            out.push_str("(no rows)\n");
        } else {
            let header: Vec<&str> = self.columns.iter().map(|column| &*column.name).collect();
            let numeric: Vec<usize> =
                (0..self.columns.len()).filter(|&at| self.columns[at].numeric).collect();
            let rows = self.rows.iter().map(|row| row.iter().map(|cell| escape(cell)).collect());
            let _ = writeln!(out, "{}", table(&header, &numeric, rows.collect()));
        }
        for note in &self.notes {
            let _ = writeln!(out, "note: {}", escape(note));
        }
        out
    }
}
