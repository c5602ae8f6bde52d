use super::*;

/// A change of any byte of a renderer's output must come with a new version: when this fails, raise
/// the renderer's `VERSION`, then set down its new fingerprint here.
#[test]
fn a_changed_output_needs_a_new_version() {
    let known = renderers().map(|r| (r.name, r.version, r.fingerprint));
    insta::assert_debug_snapshot!(known);
}

#[test]
fn the_worker_view_of_the_reference_run() {
    let view = worker::compile(&reference::state(), &worker::WorkerViewConfig::default());
    insta::assert_snapshot!(view);
}

#[test]
fn the_flat_log_of_the_reference_run() {
    insta::assert_snapshot!(reference::log(flatlog::FlatLog::default()));
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
