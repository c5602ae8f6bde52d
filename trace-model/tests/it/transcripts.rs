//! Real transcripts, read in place: what holds for every run holds for them.

use std::fs;
use std::path::Path;

use trace_model::adapter::{Format, Heads, sessions_below};
use trace_model::event::EventKind;
use trace_model::fold::{FoldConfig, RunState};
use trace_model::run::{Run, fold_bytes};
use trace_model::totals::Totals;
use trace_model::view::worker::{WorkerViewConfig, compile};

use crate::common::fold_in_pieces_as;

#[test_needs::transcripts]
#[test]
fn real_transcripts_fold_to_states_that_add_up() {
    let folder = test_needs::transcripts_dir!();
    for format in Format::ALL.into_iter().filter(|format| format.adapter().is_some()) {
        states_add_up(&folder.join(format.name()));
    }
}

fn states_add_up(folder: &Path) {
    let sessions = sessions_below(folder, &Heads::default()).unwrap().files;
    assert!(!sessions.is_empty(), "no session in {}", folder.display());
    let mut seen = Seen::default();
    for path in &sessions {
        let name = path.display();
        let run = Run::fold(path, FoldConfig::default()).unwrap_or_else(|error| panic!("{error}"));
        let (state, reading) = (run.state(), run.reading());
        let totals = Totals::of(state, &reading);
        let ended = totals.succeeded_calls
            + totals.failed_calls
            + totals.denied_calls
            + totals.interrupted_calls
            + totals.cancelled_calls
            + totals.abandoned_calls;
        // Searches that the provider runs may have no id, and then nothing answers them.
        let searches = state.tools().get("web_search");
        let unanswerable = searches.map_or(0, |all| all.calls - all.succeeded - all.failed);
        let answerable = ended + totals.open_tool_calls;
        assert_eq!(totals.tool_calls, answerable + unanswerable, "{name}: calls");
        let events: u64 = totals.events_by_kind.values().sum();
        assert_eq!(events + totals.duplicates, reading.events, "{name}: events");
        assert_eq!(state.observed().events, reading.events, "{name}: events");
        let answers = totals.results + totals.orphan_results + totals.duplicate_results;
        assert_eq!(answers, state.count(EventKind::ToolResult), "{name}: results");
        assert!(totals.naive_tokens.output <= totals.tokens.output * 20, "{name}: naive tokens");
        assert!(reading.records > reading.bad_lines, "{name}: {} bad lines", reading.bad_lines);
        let view = compile(state, &WorkerViewConfig::default());
        assert!(view.len() < 100_000, "{name}: a view of {} bytes", view.len());

        seen.take(state, &totals);
        let in_force = state.turns().iter().filter(|turn| turn.is_in_force()).count() as u64;
        assert_eq!(totals.prompts, state.turns().len() as u64, "{name}: turns");
        assert_eq!(totals.prompts, in_force + totals.turns_taken_back, "{name}: turns");
        let holding = state.episodes().nodes().filter(|node| state.episodes().live(node).is_some());
        assert_eq!(holding.count() as u64, in_force, "{name}: episodes");

        // Again, in pieces of any size: the same (for sessions without files of subagents).
        let bytes = fs::read(path).unwrap();
        let cuts: Vec<usize> = (77_777..bytes.len()).step_by(77_777).collect();
        let role = run.readings().next().unwrap().0.role.clone();
        let pieces = fold_in_pieces_as(role, &bytes, &cuts);
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
    eprintln!("{}: {} sessions: {seen:?}", folder.display(), sessions.len());
}

/// In how many sessions something was seen; printed, since what is there differs from place to place.
#[derive(Debug, Default)]
struct Seen {
    background_tasks: [u64; 2],
    running: [u64; 2],
    failed_tasks: [u64; 2],
    turns_taken_back: [u64; 2],
    commands: [u64; 2],
    cancelled: [u64; 2],
    abandoned: [u64; 2],
    open: [u64; 2],
}

impl Seen {
    /// Counts sessions, and what is in them.
    fn take(&mut self, state: &RunState, totals: &Totals) {
        let commands = state.turns().iter().filter(|turn| turn.prompt.text.starts_with('/'));
        let tasks = totals.background_tasks;
        for (seen, count) in [
            (&mut self.background_tasks, tasks.launched),
            (&mut self.running, tasks.running),
            (&mut self.failed_tasks, tasks.failed),
            (&mut self.turns_taken_back, totals.turns_taken_back),
            (&mut self.commands, commands.count() as u64),
            (&mut self.cancelled, totals.cancelled_calls),
            (&mut self.abandoned, totals.abandoned_calls),
            (&mut self.open, totals.open_tool_calls),
        ] {
            seen[0] += u64::from(count > 0);
            seen[1] += count;
        }
    }
}
