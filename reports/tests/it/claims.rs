//! Claims are recomputed, not looked up: what they rest on is changed, and they change with it.

use std::collections::BTreeSet;

use reports::cell::Ended;
use reports::claims::{self, Claim, Context, Verdict};
use reports::published::{self, Folder, Published};

use crate::support::{own_runs, report, stdout};

fn published() -> Published {
    published::load(&Folder::Carried).unwrap()
}

/// Ids of claims that are reproduced.
fn reproduced(claims: &[Claim], published: &Published) -> BTreeSet<String> {
    let context = Context { published, boards: &[] };
    let judged = claims::judge(claims, &context).unwrap();
    judged
        .iter()
        .filter(|one| matches!(one.verdict, Verdict::Reproduced(_)))
        .map(|one| one.claim.id.clone())
        .collect()
}

fn flip(published: &mut Published, cell: &str, seed: &str) {
    let cell = published.cells.runs.iter_mut().find(|one| one.id == cell).unwrap();
    let run = cell.runs.iter_mut().find(|run| run.seed == seed).unwrap();
    run.ended = if run.ended == Ended::Success { Ended::Failure } else { Ended::Success };
}

#[test]
fn one_seed_turned_over_changes_the_claims_that_rest_on_it_and_only_those() {
    let claims = claims::carried().unwrap();
    let before = reproduced(&claims, &published());
    let mut changed = published();
    flip(&mut changed, "v41_noerr_shipped_full_120", "1");
    let after = reproduced(&claims, &changed);
    let lost: Vec<&str> = before.difference(&after).map(String::as_str).collect();
    assert_eq!(
        lost,
        ["v41-discordant", "v41-full-rate", "v41-full-successes", "v41-mcnemar"],
        "the full arm's cost does not rest on its outcomes"
    );
    assert!(after.is_subset(&before));
    let context = Context { published: &changed, boards: &[] };
    let judged = claims::judge(&claims, &context).unwrap();
    let one = judged.iter().find(|one| one.claim.id == "v41-full-successes").unwrap();
    assert!(matches!(one.verdict, Verdict::Differs(_)));
    // Seed 1 was a failure: nine now.
    assert_eq!(one.figure().unwrap().to_string(), "9/30");
}

#[test]
fn a_claim_that_names_a_cell_is_the_only_one_that_its_runs_can_change() {
    let claims = claims::carried().unwrap();
    let before = reproduced(&claims, &published());
    let mut counted = 0;
    for cell in &published().cells.runs {
        let Some(run) = cell.runs.first() else { continue };
        let mut changed = published();
        flip(&mut changed, &cell.id, &run.seed);
        let after = reproduced(&claims, &changed);
        for id in before.difference(&after) {
            let claim = claims.iter().find(|claim| claim.id == *id).unwrap();
            assert!(claim.compute.cells().contains(&cell.id.as_str()), "{id} / {}", cell.id);
            counted += 1;
        }
        // Every count of this cell's successes must have noticed.
        for claim in &claims {
            let is_count = claim.id.ends_with("-successes");
            if is_count && claim.compute.cells().contains(&cell.id.as_str()) {
                assert!(!after.contains(&claim.id), "{} did not notice {}", claim.id, cell.id);
            }
        }
    }
    assert!(counted > 80, "{counted}");
}

#[test]
fn dollars_tokens_and_accuracies_are_recomputed_too() {
    let claims = claims::carried().unwrap();
    let before = reproduced(&claims, &published());
    let mut changed = published();
    let cell = changed.cells.runs.iter_mut().find(|c| c.id == "v10/full@60").unwrap();
    cell.runs[0].dollars = cell.runs[0].dollars.map(|d| d * rust_decimal::Decimal::TWO);
    cell.runs[0].tokens.input = cell.runs[0].tokens.input.map(|n| n / 2);
    let answers = changed.cells.answers.iter_mut().find(|c| c.corpus == "real").unwrap();
    answers.questions.get_mut("files").unwrap().sum += rust_decimal::Decimal::ONE;
    let after = reproduced(&claims, &changed);
    let lost: Vec<&str> = before.difference(&after).map(String::as_str).collect();
    insta::assert_debug_snapshot!(lost);
}

#[test]
fn a_released_number_alone_is_refused_as_evidence() {
    let text = r#"
        [[claim]]
        id = "x"
        says = "x"
        where = "x"
        figure = "778555"
        compute = { op = "input_tokens", corpus = "real", reader = "sonnet", condition = "raw" }
    "#;
    let error = claims::parse(text).unwrap_err().to_string();
    assert!(error.contains("not evidence for itself"), "{error}");
}

#[test]
fn pooling_what_may_not_be_pooled_is_an_error_not_a_verdict() {
    let text = r#"
        [[claim]]
        id = "x"
        says = "x"
        where = "x"
        figure = "1/60"
        compute = { op = "successes", cells = ["v40_poststamp_n30_120", "v26_n30_trace_120"] }
    "#;
    let claims = claims::parse(text).unwrap();
    let published = published();
    let context = Context { published: &published, boards: &[] };
    let error = claims::judge(&claims, &context).unwrap_err().to_string();
    assert!(error.contains("differ in") && error.contains("across"), "{error}");
}

#[test]
fn every_claim_has_its_line() {
    let folder = tempfile::tempdir().unwrap();
    let runs = own_runs();
    let assert =
        report(folder.path(), &["reproduce", "--scoreboards", runs.to_str().unwrap()]).code(0);
    insta::assert_snapshot!("reproduce", stdout(&assert));
}

#[test]
fn without_scoreboards_of_ours_their_claims_say_so() {
    let folder = tempfile::tempdir().unwrap();
    let assert = report(folder.path(), &["reproduce", "--json"]).code(0);
    let lines: serde_json::Value = serde_json::from_str(&stdout(&assert)).unwrap();
    let lines = lines.as_array().unwrap();
    let ours = |line: &&serde_json::Value| line["id"].as_str().unwrap().ends_with("-ours");
    assert!(lines.iter().filter(ours).all(|line| line["verdict"] == "not computable here"));
    assert_eq!(lines.iter().filter(ours).count(), 6);
}
