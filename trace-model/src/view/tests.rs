use super::*;

/// A change of any byte of a renderer's output must come with a new version: when this fails, raise
/// the renderer's `VERSION`, then set down its new fingerprint here.
#[test]
fn a_changed_output_needs_a_new_version() {
    let known: Vec<_> =
        renderers().into_iter().map(|r| (r.name, r.version, r.fingerprint)).collect();
    insta::assert_debug_snapshot!(known);
}

#[test]
fn the_worker_view_of_the_reference_run() {
    let view = worker::compile(&reference::state(), &worker::WorkerViewConfig::default());
    insta::assert_snapshot!(view);
}

/// What each variant leaves out of the worker view, and that it leaves out nothing else.
#[test]
fn variants_lack_what_they_say() {
    let state = reference::state();
    let view =
        |variant| worker::compile_variant(&state, &worker::WorkerViewConfig::default(), variant);
    let worker = view(Variant::Worker);
    let lines = |text: &str| -> Vec<String> { text.lines().skip(1).map(str::to_owned).collect() };
    let is_aggregate =
        |line: &str| line.starts_with("- ") && line.contains(", up to and including");
    let without = lines(&worker)
        .into_iter()
        .filter(|line| !line.starts_with("AGGREGATES") && !is_aggregate(line))
        .collect::<Vec<_>>();
    assert_eq!(lines(&view(Variant::WithoutAggregates)), without);
    assert!(without.len() < lines(&worker).len());
    // Up to where the statistics end, which is where the coverage starts.
    let cut = |line: String| match line.find(" over ").filter(|_| is_aggregate(&line)) {
        Some(at) => line[..at].trim_end_matches(',').to_owned(),
        None => line,
    };
    let uncovered: Vec<String> = lines(&worker).into_iter().map(cut).collect();
    assert_eq!(lines(&view(Variant::Unstamped)), uncovered);
    assert!(!view(Variant::Unstamped).contains("covers events"));
}

#[test]
fn the_flat_log_of_the_reference_run() {
    insta::assert_snapshot!(flatlog::reference_log());
}

#[test]
fn the_view_of_nothing_says_so() {
    let state = crate::fold::RunState::new(crate::fold::FoldConfig::default());
    insta::assert_snapshot!(worker::compile(&state, &worker::WorkerViewConfig::default()));
}

#[test]
fn lists_that_are_cut_say_so() {
    let config = worker::WorkerViewConfig {
        tools: 1,
        files: 2,
        calls: 1,
        failures: 0,
        episodes: 1,
        aggregates: 1,
        cleared_anomalies: 0,
        ..worker::WorkerViewConfig::default()
    };
    insta::assert_snapshot!(worker::compile(&reference::state(), &config));
}
