//! A table as data, before it has a form.

/// One table. Cells are plain text; each form escapes them for itself.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Table {
    /// Its name in file names and links, such as `2a-definitive`.
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
    pub name: &'static str,
    /// Whether it holds numbers, to be aligned and sorted as such.
    pub numeric: bool,
}

/// A column of text.
pub(crate) const fn text(name: &'static str) -> Column {
    Column { name, numeric: false }
}

/// A column of numbers.
pub(crate) const fn number(name: &'static str) -> Column {
    Column { name, numeric: true }
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

impl Table {
    /// An empty table.
    pub(crate) fn new(id: &str, title: &str, columns: &[Column]) -> Self {
        Self {
            id: id.to_owned(),
            title: title.to_owned(),
            columns: columns.to_vec(),
            ..Self::default()
        }
    }

    /// The same without columns that are empty in every row: nothing is said twice by saying nothing.
    #[must_use]
    pub(super) fn without_empty_columns(mut self) -> Self {
        let empty =
            |at: usize| self.rows.iter().all(|row| row.get(at).is_none_or(String::is_empty));
        let dropped: Vec<usize> = (0..self.columns.len()).filter(|&at| empty(at)).collect();
        if self.rows.is_empty() {
            return self;
        }
        let keep = |at: usize| !dropped.contains(&at);
        let columns = self.columns.into_iter().enumerate();
        self.columns = columns.filter(|(at, _)| keep(*at)).map(|(_, column)| column).collect();
        for row in &mut self.rows {
            let cells = std::mem::take(row).into_iter().enumerate();
            *row = cells.filter(|(at, _)| keep(*at)).map(|(_, cell)| cell).collect();
        }
        self
    }
}
