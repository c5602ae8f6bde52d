//! Recomputes everything in a scoreboard that can be recomputed, and lists every difference.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::{fmt, fs, io};

use rust_decimal::Decimal;

use crate::aggregate::Aggregate;
use crate::builder::{check_header, check_row};
use crate::evaluate::{check_group, evaluate};
use crate::row::Row;
use crate::schema::{SCHEMA, Scoreboard};
use crate::show::{interval_text, value_text};
use crate::terminal::escape;
use crate::value::{Estimate, IntervalOutcome};
use crate::{hash, store};

/// Something in a scoreboard that does not hold.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Problem {
    /// The file cannot be read as a scoreboard.
    Unreadable(String),
    /// An aggregate's stored result is not what its rows give.
    Differs {
        /// Name and group.
        aggregate: String,
        /// Which part: value, interval, n, missing or clusters.
        part: &'static str,
        /// As stored.
        stored: String,
        /// As recomputed.
        recomputed: String,
    },
    /// An aggregate cannot be recomputed.
    NotRecomputable {
        /// Name and group.
        aggregate: String,
        /// Why.
        why: String,
    },
    /// Two aggregates have one name and group.
    DuplicateAggregate(String),
    /// Two rows have one id.
    DuplicateRow(String),
    /// Rows are not in order of their ids.
    Unordered,
    /// The rows differ from the hashed ones.
    RowsHash {
        /// As stored.
        stored: String,
        /// As recomputed.
        recomputed: String,
    },
    /// Something in the scoreboard does not match its hash.
    Id {
        /// As stored.
        stored: String,
        /// As recomputed.
        recomputed: String,
    },
    /// The file's name is not the one its content has.
    FileName {
        /// The name that it should have.
        expected: String,
    },
    /// The header or a row breaks a rule of building.
    Content(String),
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unreadable(why) | Self::Content(why) => f.write_str(&escape(why)),
            Self::Differs { aggregate, part, stored, recomputed } => write!(
                f,
                "aggregate {}: {part} is stored as {stored}, its rows give {recomputed}",
                escape(aggregate)
            ),
            Self::NotRecomputable { aggregate, why } => {
                write!(f, "aggregate {}: {}", escape(aggregate), escape(why))
            }
            Self::DuplicateAggregate(title) => {
                write!(f, "aggregate {} is there twice", escape(title))
            }
            Self::DuplicateRow(id) => write!(f, "two rows have the id `{}`", escape(id)),
            Self::Unordered => f.write_str("the rows are not in order of their ids"),
            Self::RowsHash { stored, recomputed } => write!(
                f,
                "the rows were changed: their hash is stored as {}, they give {}",
                hash_text(stored),
                hash_text(recomputed)
            ),
            Self::Id { stored, recomputed } => write!(
                f,
                "the scoreboard was changed: its id is stored as {}, it gives {}",
                hash_text(stored),
                hash_text(recomputed)
            ),
            Self::FileName { expected } => {
                write!(f, "the file's name should be {}", escape(expected))
            }
        }
    }
}

/// The start of a hash: enough to tell two apart.
fn hash_text(hash: &str) -> String {
    escape(hash.get(..12).unwrap_or(hash))
}

/// Every problem of a scoreboard; none if it holds.
pub fn verify(board: &Scoreboard) -> Vec<Problem> {
    let mut problems = Vec::new();
    if board.schema != SCHEMA {
        problems.push(Problem::Content(format!("schema {} is not {SCHEMA}", board.schema)));
    }
    check_rows(board, &mut problems);
    if let Err(e) = check_header(&board.provenance) {
        problems.push(Problem::Content(e.to_string()));
    }
    let mut seen = BTreeSet::new();
    for aggregate in &board.aggregates {
        if !seen.insert((&aggregate.spec.name, &aggregate.spec.over)) {
            problems.push(Problem::DuplicateAggregate(aggregate.spec.title()));
        }
        check_aggregate(&board.rows, aggregate, &mut problems);
    }
    check_hashes(board, &mut problems);
    problems
}

fn check_rows(board: &Scoreboard, problems: &mut Vec<Problem>) {
    let mut seen = BTreeSet::new();
    for row in &board.rows {
        if !seen.insert(&row.id) {
            problems.push(Problem::DuplicateRow(row.id.clone()));
        }
        if let Err(e) = check_row(row, &board.provenance) {
            problems.push(Problem::Content(e.to_string()));
        }
    }
    if !board.rows.is_sorted_by(|a, b| a.id <= b.id) {
        problems.push(Problem::Unordered);
    }
}

fn check_aggregate(rows: &[Row], aggregate: &Aggregate, problems: &mut Vec<Problem>) {
    let Aggregate { spec, outcome: stored } = aggregate;
    let recomputed = check_group(rows, &spec.over).and_then(|()| evaluate(rows, spec));
    let recomputed = match recomputed {
        Ok(outcome) => outcome,
        Err(e) => {
            let aggregate = spec.title();
            problems.push(Problem::NotRecomputable { aggregate, why: e.to_string() });
            return;
        }
    };
    let mut differs = |part, same: bool, text: &dyn Fn(&Estimate) -> String| {
        if !same {
            problems.push(Problem::Differs {
                aggregate: spec.title(),
                part,
                stored: text(stored),
                recomputed: text(&recomputed),
            });
        }
    };
    differs("value", stored.value == recomputed.value, &|o| exact_value(o));
    let same = same_interval(stored.interval.as_ref(), recomputed.interval.as_ref());
    differs("interval", same, &|o| exact_interval(o));
    differs("n", stored.n == recomputed.n, &|o| o.n.to_string());
    differs("missing", stored.missing == recomputed.missing, &|o| o.missing.to_string());
    differs("clusters", stored.clusters == recomputed.clusters, &|o| {
        o.clusters.map_or("none".to_owned(), |n| n.to_string())
    });
}

/// The value in full: a short form could print two different values alike.
fn exact_value(outcome: &Estimate) -> String {
    serde_json::to_string(&outcome.value)
        .map_or_else(|_| value_text(&outcome.value), |json| escape(&json))
}

fn exact_interval(outcome: &Estimate) -> String {
    match &outcome.interval {
        None => "none".to_owned(),
        Some(IntervalOutcome::Bounds { lo, hi, method }) => format!("[{lo}, {hi}] {method}"),
        Some(other) => interval_text(other, None),
    }
}

/// Ends are rounded results of logarithms and the like, whose last digits may differ between
/// platforms: they are the same within 1e-9 (relative above 1). All else must be equal.
fn same_interval(a: Option<&IntervalOutcome>, b: Option<&IntervalOutcome>) -> bool {
    match (a, b) {
        (
            Some(IntervalOutcome::Bounds { lo: a_lo, hi: a_hi, method: a_method }),
            Some(IntervalOutcome::Bounds { lo: b_lo, hi: b_hi, method: b_method }),
        ) => a_method == b_method && close(*a_lo, *b_lo) && close(*a_hi, *b_hi),
        (a, b) => a == b,
    }
}

fn close(a: Decimal, b: Decimal) -> bool {
    let tolerance = Decimal::new(1, 9).checked_mul(b.abs().max(Decimal::ONE));
    match (a.checked_sub(b), tolerance) {
        (Some(gap), Some(tolerance)) => gap.abs() <= tolerance,
        _ => false,
    }
}

fn check_hashes(board: &Scoreboard, problems: &mut Vec<Problem>) {
    match hash::rows_sha256(&board.rows) {
        Ok(recomputed) if recomputed == board.rows_sha256 => {}
        Ok(recomputed) => {
            problems.push(Problem::RowsHash { stored: board.rows_sha256.clone(), recomputed });
        }
        Err(e) => problems.push(Problem::Content(e.to_string())),
    }
    match hash::board_id(board) {
        Ok(recomputed) if recomputed == board.id => {}
        Ok(recomputed) => problems.push(Problem::Id { stored: board.id.clone(), recomputed }),
        Err(e) => problems.push(Problem::Content(e.to_string())),
    }
}

/// What verifying one file found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FileReport {
    /// The file.
    pub path: PathBuf,
    /// Rows in it; 0 if it cannot be read.
    pub rows: usize,
    /// Aggregates recomputed; 0 if it cannot be read.
    pub aggregates: usize,
    /// What does not hold.
    pub problems: Vec<Problem>,
}

impl FileReport {
    /// Whether everything holds.
    pub fn holds(&self) -> bool {
        self.problems.is_empty()
    }
}

impl fmt::Display for FileReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = self.path.file_name().unwrap_or(self.path.as_os_str()).to_string_lossy();
        let name = escape(&name);
        if self.holds() {
            let Self { rows, aggregates, .. } = self;
            return write!(
                f,
                "ok      {name}: {aggregates} aggregates recomputed from {rows} rows"
            );
        }
        let found = self.problems.len();
        write!(f, "FAILED  {name}: {found} problem{}", if found == 1 { "" } else { "s" })?;
        for problem in &self.problems {
            write!(f, "\n        {problem}")?;
        }
        Ok(())
    }
}

/// Verifies one file: its content, and that its name is the one its content has.
pub fn verify_file(path: &Path) -> FileReport {
    let path_buf = path.to_path_buf();
    let board = match store::load(path) {
        Ok(board) => board,
        Err(e) => {
            let problems = vec![Problem::Unreadable(e.to_string())];
            return FileReport { path: path_buf, rows: 0, aggregates: 0, problems };
        }
    };
    let mut problems = verify(&board);
    let expected = store::file_name(&board);
    if path.file_name().is_none_or(|name| name != expected.as_str()) {
        problems.push(Problem::FileName { expected });
    }
    let (rows, aggregates) = (board.rows.len(), board.aggregates.len());
    FileReport { path: path_buf, rows, aggregates, problems }
}

/// What verifying a folder found, file by file in order of their names.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FolderReport {
    /// One report a file.
    pub files: Vec<FileReport>,
}

impl FolderReport {
    /// Whether every file holds.
    pub fn holds(&self) -> bool {
        self.files.iter().all(FileReport::holds)
    }
}

impl fmt::Display for FolderReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for file in &self.files {
            writeln!(f, "{file}")?;
        }
        let holding = self.files.iter().filter(|file| file.holds()).count();
        write!(f, "{holding} of {} scoreboards hold", self.files.len())
    }
}

/// Why a folder could not be verified.
#[derive(Debug, thiserror::Error)]
pub enum FolderError {
    /// The file system refused.
    #[error("cannot list {}: {source}", path.display())]
    Io {
        /// The folder.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// There is nothing to verify, which is not the same as everything holding.
    #[error("no scoreboard (*.json) in {}: name the folder that holds them", .0.display())]
    Empty(PathBuf),
}

/// Verifies every `*.json` file directly in a folder.
pub fn verify_folder(folder: &Path) -> Result<FolderReport, FolderError> {
    let failed = |source| FolderError::Io { path: folder.to_path_buf(), source };
    let mut paths = Vec::new();
    for entry in fs::read_dir(folder).map_err(failed)? {
        let path = entry.map_err(failed)?.path();
        if path.extension().is_some_and(|e| e == "json") {
            paths.push(path);
        }
    }
    if paths.is_empty() {
        return Err(FolderError::Empty(folder.to_path_buf()));
    }
    paths.sort();
    Ok(FolderReport { files: paths.iter().map(|path| verify_file(path)).collect() })
}
