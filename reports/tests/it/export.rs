//! What is exported reads back as the same values.

use std::fs::File;

use polars::prelude::*;
use reports::export;
use reports::ours;
use reports::published::{self, Folder};
use scoreboards::Instrument;

use crate::support::{board, report, run, save, stdout};

fn parquet(path: &str) -> DataFrame {
    ParquetReader::new(File::open(path).unwrap()).finish().unwrap()
}

fn csv(path: &str, like: &DataFrame) -> DataFrame {
    let options = CsvReadOptions::default().with_schema(Some(like.schema().clone()));
    options.into_reader_with_file_handle(File::open(path).unwrap()).finish().unwrap()
}

#[test]
fn rows_and_cells_survive_both_files() {
    let folder = tempfile::tempdir().unwrap();
    let runs = board(
        Instrument::Continue,
        vec![
            run("full", 1, true, "0.1").text("why", "a \"quoted\",\nbroken line"),
            run("full", 2, false, "0.30").text("why", ""),
            run("curated", 1, true, "0.2").missing("why", "not said"),
        ],
    );
    save(folder.path(), "b", &runs);
    let printed =
        stdout(&report(folder.path(), &["export", "--scoreboards", "b", "--out", "o"]).code(0));
    assert_eq!(printed.lines().count(), 6, "{printed}");
    let published = published::load(&Folder::Carried).unwrap().cells;
    let boards = [runs];
    let rows = export::rows(&published, &boards).unwrap();
    let cells = export::cells(&published.and(ours::cells(&boards))).unwrap();
    let measures = export::measures(&rows).unwrap();
    for (name, made) in [("rows", &rows), ("cells", &cells), ("measures", &measures)] {
        let path =
            |end: &str| folder.path().join(format!("o/{name}.{end}")).to_str().unwrap().to_owned();
        assert!(parquet(&path("parquet")).equals_missing(made), "{name}.parquet");
        assert!(csv(&path("csv"), made).equals_missing(made), "{name}.csv");
    }
}

#[test]
fn means_by_group_are_those_of_the_cells() {
    let published = published::load(&Folder::Carried).unwrap().cells;
    let rows = export::rows(&published, &[]).unwrap();
    let measures = export::measures(&rows).unwrap();
    let is_success = measures.column("measure").unwrap().str().unwrap().equal("success");
    let success = measures.filter(&is_success).unwrap();
    let ids = success.column("cell").unwrap().str().unwrap().clone();
    let means = success.column("mean").unwrap().f64().unwrap().clone();
    let mut checked = 0;
    for (id, mean) in ids.iter().zip(means.iter()) {
        let cell = published.find(id.unwrap()).unwrap();
        let passed = cell.runs.iter().filter(|run| run.success() == Some(true)).count();
        let count = |n: usize| f64::from(u32::try_from(n).unwrap());
        let rate = count(passed) / count(cell.runs.len());
        assert!((rate - mean.unwrap()).abs() < 1e-12, "{}", cell.id);
        checked += 1;
    }
    assert_eq!(checked, published.runs.iter().filter(|cell| !cell.runs.is_empty()).count());
}
