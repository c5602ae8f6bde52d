//! Rows and cells as data frames, for the reader's own notebook: Parquet and CSV of the same values.
//!
//! Exact values (dollars, scores) are kept as text, with the nearest float beside them to compute
//! with. What has no value is null, never an empty text or zero.

mod cells;
mod rows;

use std::fs::File;
use std::path::{Path, PathBuf};

use polars::prelude::*;

pub use cells::cells;
pub use rows::rows;

/// A frame that cannot be made or written.
#[derive(Debug, thiserror::Error)]
pub enum ExportError {
    /// Polars refused.
    #[error("{what}: {source}")]
    Frame {
        /// Which frame or file.
        what: String,
        /// Why.
        source: PolarsError,
    },
    /// The file system refused.
    #[error("cannot write {}: {source}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// Why.
        source: std::io::Error,
    },
}

/// Summaries of each measure by scoreboard and instrument, computed from the rows.
pub fn measures(rows: &DataFrame) -> Result<DataFrame, ExportError> {
    let failed = |source| ExportError::Frame { what: "measures".to_owned(), source };
    summarized(rows).map_err(failed)
}

#[expect(deprecated, reason = "the lazy ones come with a query engine")]
fn summarized(rows: &DataFrame) -> PolarsResult<DataFrame> {
    let by = ["source", "instrument", "provenance", "cell", "measure", "kind"];
    let numbers = rows.filter(&rows.column("number")?.is_not_null())?;
    let groups = numbers.group_by(by)?.select(["number"]);
    // Each has the groups' keys, in the same order, and one column more.
    let summaries = [
        ("rows", groups.count()?),
        ("mean", groups.mean()?),
        ("min", groups.min()?),
        ("max", groups.max()?),
    ];
    let mut columns = groups.keys();
    for (name, summary) in summaries {
        let last = summary.columns().last().cloned().unwrap_or_default();
        columns.push(last.with_name(name.into()));
    }
    DataFrame::new_infer_height(columns)?.sort(by, SortMultipleOptions::default())
}

/// Writes a frame as `<name>.parquet` and `<name>.csv`.
pub fn write(folder: &Path, name: &str, frame: &DataFrame) -> Result<Vec<PathBuf>, ExportError> {
    let mut frame = frame.clone();
    let open = |extension: &str| -> Result<(PathBuf, File), ExportError> {
        let path = folder.join(format!("{name}.{extension}"));
        match File::create(&path) {
            Ok(file) => Ok((path, file)),
            Err(source) => Err(ExportError::Io { path, source }),
        }
    };
    let failed = |path: &Path| {
        let what = format!("cannot write {}", path.display());
        move |source| ExportError::Frame { what, source }
    };
    let (parquet, file) = open("parquet")?;
    ParquetWriter::new(file)
        .with_compression(ParquetCompression::Uncompressed)
        .finish(&mut frame)
        .map_err(failed(&parquet))?;
    let (csv, mut file) = open("csv")?;
    CsvWriter::new(&mut file).finish(&mut frame).map_err(failed(&csv))?;
    Ok(vec![parquet, csv])
}

/// A column of text.
fn texts(name: &str, values: Vec<Option<String>>) -> Column {
    Column::new(name.into(), values)
}

/// A column of floats.
fn floats(name: &str, values: Vec<Option<f64>>) -> Column {
    Column::new(name.into(), values)
}

/// A column of counts.
fn counts(name: &str, values: Vec<Option<u64>>) -> Column {
    Column::new(name.into(), values)
}

fn frame(what: &str, columns: Vec<Column>) -> Result<DataFrame, ExportError> {
    DataFrame::new_infer_height(columns)
        .map_err(|source| ExportError::Frame { what: what.to_owned(), source })
}
