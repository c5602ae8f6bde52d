//! Builds a scoreboard: rows in, declarations in, everything computed and checked at the end.

use std::collections::{BTreeMap, BTreeSet};

use crate::aggregate::{Aggregate, AggregateSpec, Group};
use crate::evaluate::{AggregateError, check_group, evaluate};
use crate::provenance::{Provenance, Spend};
use crate::row::{Measure, Row};
use crate::schema::{SCHEMA, Scoreboard};
use crate::{hash, portable};

/// Why a scoreboard cannot be built.
#[derive(Debug, thiserror::Error)]
pub enum BuildError {
    /// Two rows with one id.
    #[error("two rows have the id `{0}`: an id names one item")]
    DuplicateRow(String),
    /// Two aggregates with one name over one group.
    #[error("aggregate {0} is declared twice: give one another name")]
    DuplicateAggregate(String),
    /// An aggregate that cannot be computed.
    #[error("aggregate {title}: {source}")]
    Aggregate {
        /// Its name and group.
        title: String,
        /// Why.
        source: AggregateError,
    },
    /// A row names a renderer that the provenance does not describe.
    #[error("row `{row}` names renderer `{renderer}`: add it to the provenance's renderers")]
    UnknownRenderer {
        /// The row.
        row: String,
        /// The renderer.
        renderer: String,
    },
    /// An absolute path, which belongs to one machine.
    #[error("{place} holds the absolute path `{path}`: use a relative one or a name")]
    AbsolutePath {
        /// Where.
        place: String,
        /// The path.
        path: String,
    },
    /// The scoreboard cannot be written as JSON.
    #[error("the scoreboard cannot be written as JSON: {0}")]
    Json(#[from] serde_json::Error),
}

/// Collects what a scoreboard is made of. Order of rows does not matter: they are sorted by id.
#[derive(Debug)]
pub struct ScoreboardBuilder {
    provenance: Provenance,
    rows: Vec<Row>,
    declared: Vec<Declared>,
}

/// A declaration, and the labels by whose values it is repeated.
#[derive(Debug)]
struct Declared {
    spec: AggregateSpec,
    by: Vec<String>,
}

impl ScoreboardBuilder {
    /// Starts from a header.
    pub fn new(provenance: Provenance) -> Self {
        Self { provenance, rows: Vec::new(), declared: Vec::new() }
    }

    /// Adds a row.
    pub fn row(&mut self, row: Row) -> &mut Self {
        self.rows.push(row);
        self
    }

    /// Adds rows.
    pub fn rows(&mut self, rows: impl IntoIterator<Item = Row>) -> &mut Self {
        self.rows.extend(rows);
        self
    }

    /// Declares an aggregate.
    pub fn aggregate(&mut self, spec: AggregateSpec) -> &mut Self {
        self.declared.push(Declared { spec, by: Vec::new() });
        self
    }

    /// Declares an aggregate once for each combination of values that these labels have among the
    /// rows of its group; all of those rows must have the labels. No rows, no aggregates.
    pub fn aggregate_by<L: Copy + Into<String>>(
        &mut self,
        labels: &[L],
        spec: AggregateSpec,
    ) -> &mut Self {
        let by = labels.iter().map(|&label| label.into()).collect();
        self.declared.push(Declared { spec, by });
        self
    }

    /// Sets what the run cost.
    pub fn spend(&mut self, spend: Spend) -> &mut Self {
        self.provenance.spend = spend;
        self
    }

    /// Adds a note.
    pub fn note(&mut self, note: impl Into<String>) -> &mut Self {
        self.provenance.notes.push(note.into());
        self
    }

    /// Computes every aggregate from the rows.
    ///
    /// The command line is shortened by [`portable_command`](crate::portable_command); an absolute
    /// path elsewhere in the header or in a row's id or labels is an error.
    pub fn finish(self) -> Result<Scoreboard, BuildError> {
        let Self { mut provenance, rows, declared } = self;
        provenance.command = portable::portable_command(&provenance.command);
        provenance.spend.dollars = provenance.spend.dollars.normalize();
        let rows = ordered(rows)?;
        check_header(&provenance)?;
        for row in &rows {
            check_row(row, &provenance)?;
        }
        let mut board = Scoreboard {
            schema: SCHEMA,
            id: String::new(),
            rows_sha256: hash::rows_sha256(&rows)?,
            provenance,
            aggregates: compute(&rows, declared)?,
            rows,
        };
        board.id = hash::board_id(&board)?;
        Ok(board)
    }
}

fn ordered(rows: Vec<Row>) -> Result<Vec<Row>, BuildError> {
    let mut by_id = BTreeMap::new();
    for row in rows {
        let measures = row
            .measures
            .into_iter()
            .map(|(name, measure): (String, Measure)| (name, measure.normalized()))
            .collect();
        let row = Row { measures, ..row };
        if let Some(other) = by_id.insert(row.id.clone(), row) {
            return Err(BuildError::DuplicateRow(other.id));
        }
    }
    Ok(by_id.into_values().collect())
}

fn compute(rows: &[Row], declared: Vec<Declared>) -> Result<Vec<Aggregate>, BuildError> {
    let mut aggregates: Vec<Aggregate> = Vec::new();
    let mut seen = BTreeSet::new();
    for Declared { spec, by } in declared {
        let failed = |source| BuildError::Aggregate { title: spec.title(), source };
        for over in groups(rows, &spec.over, &by).map_err(failed)? {
            let spec = AggregateSpec { over, ..spec.clone() };
            let failed = |source| BuildError::Aggregate { title: spec.title(), source };
            check_group(rows, &spec.over).map_err(failed)?;
            let outcome = evaluate(rows, &spec).map_err(failed)?;
            if !seen.insert((spec.name.clone(), spec.over.clone())) {
                return Err(BuildError::DuplicateAggregate(spec.title()));
            }
            aggregates.push(Aggregate { spec, outcome });
        }
    }
    Ok(aggregates)
}

/// The group itself, or its parts by the values of labels, in order.
fn groups(rows: &[Row], over: &Group, by: &[String]) -> Result<BTreeSet<Group>, AggregateError> {
    if by.is_empty() {
        return Ok(BTreeSet::from([over.clone()]));
    }
    let mut found = BTreeSet::new();
    for row in rows.iter().filter(|row| over.contains(row)) {
        let mut group = over.clone();
        for label in by {
            let value = row.labels.get(label).ok_or_else(|| AggregateError::NoLabel {
                row: row.id.clone(),
                label: label.clone(),
            })?;
            group = group.and(label, value);
        }
        found.insert(group);
    }
    Ok(found)
}

/// Looks for machine paths in the header.
pub(crate) fn check_header(provenance: &Provenance) -> Result<(), BuildError> {
    let command = provenance.command.iter().map(|text| ("the command line", text));
    let protocol = provenance.protocol.values().map(|text| ("the protocol", text));
    let notes = provenance.notes.iter().map(|text| ("a note", text));
    let corpora = provenance.corpora.iter().map(|corpus| ("a corpus id", &corpus.id));
    for (place, text) in command.chain(protocol).chain(notes).chain(corpora) {
        check_path(place, text)?;
    }
    Ok(())
}

/// Checks one row against the header, and its id and labels for machine paths.
pub(crate) fn check_row(row: &Row, provenance: &Provenance) -> Result<(), BuildError> {
    check_path("a row's id", &row.id)?;
    for (label, value) in &row.labels {
        check_path(&format!("label `{label}` of row `{}`", row.id), value)?;
    }
    match &row.renderer {
        Some(name) if !provenance.renderers.contains_key(name) => {
            let (row, renderer) = (row.id.clone(), name.clone());
            Err(BuildError::UnknownRenderer { row, renderer })
        }
        _ => Ok(()),
    }
}

fn check_path(place: &str, text: &str) -> Result<(), BuildError> {
    match portable::absolute_path_in(text) {
        Some(path) => {
            Err(BuildError::AbsolutePath { place: place.to_owned(), path: path.to_owned() })
        }
        None => Ok(()),
    }
}
