//! Real transcripts, read in place where they are there: what holds for every run holds for them.

#![allow(clippy::unwrap_used)]

mod common;

use std::fs;

use common::{fold_in_pieces, real_transcripts};
use trace_model::adapter::claude_code::run::sessions_below;
use trace_model::event::Kind;
use trace_model::fold::FoldConfig;
use trace_model::run::{Run, fold_bytes};
use trace_model::totals::Totals;
use trace_model::view::worker::{WorkerViewConfig, compile};

#[test]
fn real_transcripts_fold_to_states_that_add_up() {
    let Some(folder) = real_transcripts() else { return };
    let sessions = sessions_below(&folder).unwrap().files;
    assert!(!sessions.is_empty(), "no session in {}", folder.display());
    for path in sessions {
        let name = path.display();
        let run = Run::fold(&path, FoldConfig::default()).unwrap_or_else(|error| panic!("{error}"));
        let (state, reading) = (run.state(), run.reading());
        let totals = Totals::of(state, &reading);
        let ended = totals.succeeded_calls
            + totals.failed_calls
            + totals.denied_calls
            + totals.interrupted_calls;
        assert_eq!(totals.tool_calls, ended + totals.open_tool_calls, "{name}: calls");
        let events: u64 = totals.events_by_kind.values().sum();
        assert_eq!(events + totals.duplicates, reading.events, "{name}: events");
        assert_eq!(state.observed().events, reading.events, "{name}: events");
        let answers = totals.results + totals.orphan_results + totals.duplicate_results;
        assert_eq!(answers, state.count(Kind::ToolResult), "{name}: results");
        assert!(totals.naive_tokens.output <= totals.tokens.output * 20, "{name}: naive tokens");
        assert!(reading.records > reading.bad_lines, "{name}: {} bad lines", reading.bad_lines);
        let view = compile(state, &WorkerViewConfig::default());
        assert!(view.len() < 100_000, "{name}: a view of {} bytes", view.len());

        // Again, in pieces of any size: the same (for sessions without files of subagents).
        let bytes = fs::read(&path).unwrap();
        let cuts: Vec<usize> = (77_777..bytes.len()).step_by(77_777).collect();
        let pieces = fold_in_pieces(&bytes, &cuts);
        if run.readings().count() == 1 {
            assert_eq!(&pieces.state, state, "{name}: in pieces");
            assert_eq!(pieces.reading, reading, "{name}: in pieces");
            assert_eq!(pieces.view(), view, "{name}: view");
        } else {
            let files: Vec<_> = run
                .readings()
                .map(|(file, _)| (file.role.clone(), fs::read(&file.path).unwrap()))
                .collect();
            let again = fold_bytes(
                files.iter().map(|(role, bytes)| (role.clone(), bytes.as_slice())),
                FoldConfig::default(),
            );
            assert_eq!(&again.0, state, "{name}: again");
        }
    }
}
