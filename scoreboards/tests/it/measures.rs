//! The names that are defined against those that committed scoreboards hold.

use std::path::Path;

use scoreboards::measures::{comprehend, continuation};
use scoreboards::{Instrument, Row, Scoreboard, load};

fn committed(instrument: Instrument) -> Vec<Scoreboard> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("runs");
    let entries = folder.read_dir().expect("the folder of committed scoreboards");
    let files = entries.map(|entry| entry.expect("an entry of it").path());
    let boards = files.filter(|file| file.extension().is_some_and(|ext| ext == "json"));
    let boards = boards.map(|file| load(&file).expect("a scoreboard"));
    boards.filter(|board| board.provenance.instrument == instrument).collect()
}

#[test]
fn every_name_of_a_committed_scoreboard_is_defined() {
    let check = |instrument, undefined: fn(&Row) -> Vec<String>, least: usize| {
        let boards = committed(instrument);
        assert!(boards.len() >= least, "{instrument}");
        for row in boards.iter().flat_map(|board| &board.rows) {
            assert_eq!(undefined(row), Vec::<String>::new(), "{}", row.id);
        }
    };
    check(Instrument::Comprehend, comprehend::undefined, 3);
    check(Instrument::Continue, continuation::undefined, 1);
}

#[test]
fn a_name_that_is_not_defined_and_a_measure_of_another_kind_are_found() {
    let row = Row::new("x")
        .label(&comprehend::CORPUS, "c")
        .label("corpsu", "c")
        .with(&comprehend::CUT, true)
        .missing("strict", "not asked")
        .count("paper", 1)
        .count("pass_3", 1);
    assert_eq!(comprehend::undefined(&row), ["corpsu", "paper", "pass_3"]);
}

#[test]
fn a_measure_is_read_as_what_it_is() {
    let row = Row::new("x")
        .with(&comprehend::CHARACTERS, 7_u64)
        .with_known(&comprehend::DOLLARS, Err("no price"));
    assert_eq!(row.value(&comprehend::CHARACTERS), Some(7));
    assert_eq!(row.value(&comprehend::DOLLARS), None);
    assert!(row.held(&comprehend::DOLLARS).is_some() && row.held(&comprehend::CUT).is_none());
}
