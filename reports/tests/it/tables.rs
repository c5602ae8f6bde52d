//! Tables of the published figures, of ours, and of both.

use reports::tables::Form;
use scoreboards::Instrument;

use crate::support::{answer, board, context, report, run, save, stdout};

#[test]
fn the_published_tables() {
    let folder = tempfile::tempdir().unwrap();
    let assert = report(folder.path(), &["tables", "--source", "published"]).code(0);
    insta::assert_snapshot!("tables-published", stdout(&assert));
}

/// Two arms of twelve seeds: full fails on all but two, curated on none.
fn arms() -> Vec<scoreboards::Row> {
    (1..=12)
        .flat_map(|seed| [run("full", seed, seed <= 2, "7.5"), run("curated", seed, true, "1.75")])
        .collect()
}

#[test]
fn ours_beside_the_published_ones() {
    let folder = tempfile::tempdir().unwrap();
    save(folder.path(), "b", &board(Instrument::Continue, arms()));
    let answers = (1..=6)
        .flat_map(|t| [answer("raw", t, if t < 3 { "0.5" } else { "0" }), answer("view", t, "1")])
        .collect();
    save(folder.path(), "b", &board(Instrument::Comprehend, answers));
    let assert =
        report(folder.path(), &["tables", "--source", "ours", "--scoreboards", "b"]).code(0);
    insta::assert_snapshot!("tables-ours", stdout(&assert));
    let both = report(folder.path(), &["tables", "--table", "2", "--scoreboards", "b"]).code(0);
    let text = stdout(&both);
    assert!(text.contains("published  v41_noerr_shipped_full_120"), "{text}");
    assert!(
        text.lines().any(|line| line.starts_with("ours ") && line.contains("curated")),
        "{text}"
    );
}

#[test]
fn every_table_is_written_in_every_form() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("t");
    report(
        folder.path(),
        &["tables", "--source", "published", "--table", "1,6", "--out", out.to_str().unwrap()],
    )
    .code(0);
    for id in ["1a-comprehend", "1b-comprehend-pairs", "6-questions"] {
        for form in Form::ALL {
            let path = out.join(format!("{id}.{}", form.extension()));
            assert!(std::fs::read_to_string(&path).unwrap().len() > 200, "{}", path.display());
        }
    }
    let csv = std::fs::read_to_string(out.join("6-questions.csv")).unwrap();
    let mut reader = csv::Reader::from_reader(csv.as_bytes());
    assert_eq!(reader.headers().unwrap().len(), 10);
    assert!(reader.records().all(|record| record.unwrap().len() == 10));
    insta::assert_snapshot!(
        "table-latex",
        std::fs::read_to_string(out.join("6-questions.tex")).unwrap()
    );
}

/// Budgets are conditions of their own, in tables and on the figure of accuracy against tokens.
#[test]
fn every_budget_has_its_place_by_size() {
    let folder = tempfile::tempdir().unwrap();
    let sizes = [
        ("view@10000", 2500, "1"),
        ("raw", 25_000, "0"),
        ("view@2000", 500, "0.5"),
        ("view/2", 3000, "1"),
    ];
    let rows = sizes.into_iter().flat_map(|(condition, tokens, score)| {
        (1..=10).flat_map(move |t| [answer(condition, t, score), context(condition, t, tokens)])
    });
    save(folder.path(), "b", &board(Instrument::Comprehend, rows.collect()));
    let ours = ["--source", "ours", "--scoreboards", "b"];
    let tables = [&["tables", "--table", "1,6"][..], &ours].concat();
    insta::assert_snapshot!("tables-by-size", stdout(&report(folder.path(), &tables).code(0)));
    report(folder.path(), &["figures", "--scoreboards", "b", "--out", "f"]).code(0);
    let svg = std::fs::read_to_string(folder.path().join("f/accuracy-by-tokens.svg")).unwrap();
    for name in ["view@2000", "view@10000", "published: real"] {
        assert!(svg.contains(name), "{name}");
    }
}
