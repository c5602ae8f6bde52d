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

/// Summaries of each measure by scoreboard and instrument, computed lazily from the rows.
pub fn measures(rows: &DataFrame) -> Result<DataFrame, ExportError> {
    let by = ["source", "instrument", "provenance", "cell", "measure", "kind"];
    rows.clone()
        .lazy()
        .filter(col("number").is_not_null())
        .group_by(by.map(col))
        .agg([
            len().alias("rows"),
            col("number").mean().alias("mean"),
            col("number").min().alias("min"),
            col("number").max().alias("max"),
        ])
        .sort(by, SortMultipleOptions::default())
        .collect()
        .map_err(|source| ExportError::Frame { what: "measures".to_owned(), source })
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
