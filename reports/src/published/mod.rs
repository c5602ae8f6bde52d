//! The paper's figures as cells: the files of `scoreboards/published/`, carried in the binary.
//!
//! Another folder with files of the same names can be read instead: to correct a figure, or to see
//! what a claim rests on.

mod answers;
mod error;
mod records;
mod runs;

use std::path::{Path, PathBuf};

use serde::de::DeserializeOwned;

use crate::cell::Cells;
pub use error::PublishedError;
use records::{AggregateRecord, AnswersRecord, CellRecord, IntervalRecord, RowRecord};
pub use records::{CorpusRecord, DetectRecord, FidelityRecord, PairedRecord};

/// Where the files come from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Folder {
    /// Those carried in the binary.
    Carried,
    /// Those of a folder.
    Path(PathBuf),
}

/// Everything that was published.
#[derive(Debug, Clone)]
pub struct Published {
    /// CONTINUE and COMPREHEND.
    pub cells: Cells,
    /// Outcomes counted in pairs.
    pub paired: Vec<PairedRecord>,
    /// DETECT.
    pub detect: Vec<DetectRecord>,
    /// FIDELITY.
    pub fidelity: Vec<FidelityRecord>,
    /// The corpora's shapes.
    pub corpora: Vec<CorpusRecord>,
}

/// Reads all files of a folder.
pub fn load(folder: &Folder) -> Result<Published, PublishedError> {
    let cells: Vec<CellRecord> = read(folder, "cells.csv")?;
    let rows: Vec<RowRecord> = read(folder, "rows.csv")?;
    let means: Vec<AggregateRecord> = read(folder, "cells_aggregate.csv")?;
    let answers: Vec<AnswersRecord> = read(folder, "comprehend.csv")?;
    let intervals: Vec<IntervalRecord> = read(folder, "comprehend_intervals.csv")?;
    Ok(Published {
        cells: Cells {
            runs: runs::cells(&cells, &rows, &means)?,
            answers: answers::cells(&answers, &intervals)?,
            notes: Vec::new(),
        },
        paired: read(folder, "paired.csv")?,
        detect: read(folder, "detect.csv")?,
        fidelity: read(folder, "fidelity.csv")?,
        corpora: read(folder, "comprehend_corpus.csv")?,
    })
}

/// The files by name.
const CARRIED: [(&str, &str); 9] = [
    ("cells.csv", include_str!("../../../scoreboards/published/cells.csv")),
    ("rows.csv", include_str!("../../../scoreboards/published/rows.csv")),
    ("cells_aggregate.csv", include_str!("../../../scoreboards/published/cells_aggregate.csv")),
    ("comprehend.csv", include_str!("../../../scoreboards/published/comprehend.csv")),
    (
        "comprehend_intervals.csv",
        include_str!("../../../scoreboards/published/comprehend_intervals.csv"),
    ),
    ("comprehend_corpus.csv", include_str!("../../../scoreboards/published/comprehend_corpus.csv")),
    ("paired.csv", include_str!("../../../scoreboards/published/paired.csv")),
    ("detect.csv", include_str!("../../../scoreboards/published/detect.csv")),
    ("fidelity.csv", include_str!("../../../scoreboards/published/fidelity.csv")),
];

fn read<T: DeserializeOwned>(
    folder: &Folder,
    file: &'static str,
) -> Result<Vec<T>, PublishedError> {
    let text = match folder {
        Folder::Carried => {
            let found = CARRIED.iter().find(|(name, _)| *name == file);
            found.map_or(String::new(), |(_, text)| (*text).to_owned())
        }
        Folder::Path(path) => {
            let path = path.join(file);
            std::fs::read_to_string(&path).map_err(|source| PublishedError::Io { path, source })?
        }
    };
    parse(&text, file)
}

fn parse<T: DeserializeOwned>(text: &str, file: &'static str) -> Result<Vec<T>, PublishedError> {
    let mut reader = csv::Reader::from_reader(text.as_bytes());
    let records: Result<Vec<T>, csv::Error> = reader.deserialize().collect();
    let malformed = |reason: String| PublishedError::Malformed { file, reason };
    let records = records.map_err(|e| malformed(e.to_string()))?;
    // A file that was cut inside its last field still parses.
    if !text.ends_with('\n') {
        return Err(malformed("its last line has no end: it was cut short".to_owned()));
    }
    if records.is_empty() {
        return Err(malformed("it has no records".to_owned()));
    }
    Ok(records)
}

/// Writes the carried files into a folder, to be changed there.
pub fn write_carried(folder: &Path) -> std::io::Result<()> {
    CARRIED.iter().try_for_each(|(name, text)| std::fs::write(folder.join(name), text))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_carried_files_load_and_hold_what_they_say() {
        let published = load(&Folder::Carried).unwrap();
        let runs: usize = published.cells.runs.iter().map(|cell| cell.runs.len()).sum();
        // 441 of cells.csv and 117 of rows.csv, of which 42 (v23) are in both.
        assert_eq!(runs, 441 + 117 - 42);
        assert_eq!(published.cells.answers.len(), 15);
        let pilot = &published.cells.answers[0];
        assert_eq!((pilot.n(), pilot.transcripts), (18, 3));
    }

    #[test]
    fn a_file_cut_short_is_one_line() {
        let whole = CARRIED[0].1;
        let cut = &whole[..whole.len() - 30];
        let error = parse::<CellRecord>(cut, "cells.csv").unwrap_err().to_string();
        assert!(error.starts_with("cells.csv: ") && !error.contains('\n'), "{error}");
        let inside_a_field = &whole[..whole.len() - 1];
        let error = parse::<CellRecord>(inside_a_field, "cells.csv").unwrap_err().to_string();
        assert!(error.contains("cut short"), "{error}");
    }
}
