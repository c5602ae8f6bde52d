//! What the fold keeps for a handover answers the questions that are asked of it, by the oracle's truths.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use corpus_gen::{Profile, session};
use ground_truth::graders::{Answer, RuleSet, Score, grade};
use ground_truth::oracle::{CallState, RunFiles, TimedCall, timeline};
use ground_truth::questions::{PACK_NAMES, Pack, Question, QuestionType, question_sets};
use serde_json::{Value, json};
use trace_model::fold::{FoldConfig, RunState, TurnWork};
use trace_model::ids::{Head, Millis};
use trace_model::run::Run;
use trace_model::text::head;

use crate::support::{claude_code_transcripts, codex_transcripts, sessions};

/// The types that the handover answers.
const ANSWERED: [QuestionType; 14] = [
    QuestionType::LastWords,
    QuestionType::FirstError,
    QuestionType::AfterLastEdit,
    QuestionType::RefusedCall,
    QuestionType::SlowestCall,
    QuestionType::CallsBeforeTurn,
    QuestionType::FailedInLastTurn,
    QuestionType::BusiestTurn,
    QuestionType::Subagents,
    QuestionType::SessionMinutes,
    QuestionType::SinceLastUser,
    QuestionType::ModelTokens,
    QuestionType::TopTool,
    QuestionType::NTurns,
];

/// What the state answers; none where it holds nothing that could be it.
fn answer(state: &RunState, question: &Question) -> Option<Value> {
    let work = state.handover();
    match question.question_type {
        QuestionType::LastWords => Some(json!(work.answers().back()?.text.text)),
        QuestionType::FirstError => Some(json!(work.first_failure()?.text.text)),
        QuestionType::AfterLastEdit => {
            let call = work.after_last_edit()?;
            Some(named(call.id.as_deref(), &call.tool, &call.input))
        }
        QuestionType::RefusedCall => {
            let call = work.refusals().last()?;
            Some(named(call.id.as_deref(), &call.tool, &call.input))
        }
        QuestionType::SlowestCall => {
            let call = work.slowest_call()?;
            Some(named(call.id.as_deref(), &call.tool, &call.input))
        }
        QuestionType::CallsBeforeTurn => {
            let tool = question.params["tool"].as_str()?;
            let turns = work.turns_work().range(..question.params["turn"].as_u64()?);
            Some(json!(turns.filter_map(|(_, turn)| turn.calls.get(tool)).sum::<u64>()))
        }
        QuestionType::FailedInLastTurn => {
            let last = work.turn_work(state.turns().last()?.number)?;
            Some(json!([last.total(), last.failed, work.last_call()?.tool]))
        }
        QuestionType::BusiestTurn => {
            let turns = work.turns_work().range(1..);
            let (turn, most) = turns.max_by_key(|(_, turn)| turn.total())?;
            Some(json!([turn, most.total()]))
        }
        QuestionType::Subagents => {
            let all: BTreeSet<&str> = work.launches().iter().map(|it| &*it.description).collect();
            Some(json!(all))
        }
        QuestionType::SessionMinutes => {
            let seconds = seconds(state.identity().first_time?, state.observed().time?);
            Some(json!(format!("{seconds} s")))
        }
        QuestionType::SinceLastUser => {
            let seconds = seconds(work.last_prompt_time()?, state.observed().time?);
            Some(json!(format!("{seconds} s")))
        }
        QuestionType::ModelTokens => {
            let model = question.params["model"].as_str()?;
            Some(json!(state.spending_by_model().get(model)?.tokens.output))
        }
        QuestionType::TopTool => {
            let tools = state.main_tools().iter();
            tools.max_by_key(|(_, tally)| tally.calls).map(|(tool, _)| json!(tool))
        }
        QuestionType::NTurns => Some(json!(state.turns().len())),
        _ => None,
    }
}

fn named(id: Option<&str>, tool: &str, input: &Head) -> Value {
    id.map_or_else(|| json!(format!("{tool} {}", input.text)), |id| json!(id))
}

fn seconds(from: Millis, to: Millis) -> i64 {
    (to.0 - from.0) / 1000
}

/// How often each type was asked of the sessions, and where the state's answer is not right.
#[derive(Default)]
struct Checked {
    asked: BTreeMap<QuestionType, usize>,
    wrong: Vec<String>,
}

impl Checked {
    fn session(&mut self, path: &Path) {
        let run = Run::fold(path, FoldConfig::default()).unwrap();
        let files = RunFiles::of_session(path).unwrap();
        let packs = PACK_NAMES.map(|name| Pack::named(name).unwrap());
        let sets = question_sets(&files, &packs, 7);
        for question in sets.iter().flat_map(|set| &set.questions) {
            if ANSWERED.contains(&question.question_type) {
                self.question(run.state(), question, path);
            }
        }
    }

    fn question(&mut self, state: &RunState, question: &Question, path: &Path) {
        *self.asked.entry(question.question_type).or_default() += 1;
        let answer = answer(state, question).unwrap_or(Value::Null);
        let rules = RuleSet::Strict2;
        if grade(rules, question, &Answer::Json(answer.clone())).score != Score::ONE {
            let truth = question.truth.answer();
            let name = path.file_name().unwrap_or_default().display().to_string();
            self.wrong.push(format!("{name} {}: {answer}, not {truth}", question.question_type));
        }
    }
}

/// Writes a generated session and its subagents; returns the path of the session.
fn written(folder: &Path, profile: Profile, seed: u64) -> PathBuf {
    let run = session(profile, seed);
    for (name, bytes) in &run.files {
        let path = folder.join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, bytes).unwrap();
    }
    folder.join(&run.transcript)
}

#[test]
fn the_state_answers_what_is_asked_of_generated_sessions() {
    let folder = tempfile::tempdir().unwrap();
    let mut checked = Checked::default();
    let runs =
        [(Profile::Paper, 201..207), (Profile::Varied, 301..309), (Profile::Realistic, 401..403)];
    for (profile, seeds) in runs {
        for seed in seeds {
            checked.session(&written(folder.path(), profile, seed));
        }
    }
    assert_eq!(checked.wrong, Vec::<String>::new());
    let never: Vec<_> = ANSWERED.iter().filter(|it| !checked.asked.contains_key(it)).collect();
    assert!(never.is_empty(), "{never:?}");
}

#[test_needs::transcripts]
#[test]
fn the_state_answers_what_is_asked_of_real_sessions() {
    let mut checked = Checked::default();
    for folder in [claude_code_transcripts(), codex_transcripts()] {
        for path in sessions(folder) {
            checked.session(&path);
        }
    }
    // The contents are others' own: only where it is wrong may be told.
    let wrong: Vec<&str> = checked.wrong.iter().filter_map(|it| it.split(':').next()).collect();
    assert_eq!(wrong, Vec::<&str>::new(), "{:?}", checked.asked);
}

/// Beyond what is asked: all refusals, launches and last messages, by the oracle's own list.
fn compare(path: &Path) {
    let run = Run::fold(path, FoldConfig::default()).unwrap();
    let work = run.state().handover();
    let timeline = timeline(&RunFiles::of_session(path).unwrap());
    let calls: Vec<&TimedCall> = timeline.calls.iter().filter(|call| call.in_main()).collect();

    let is_refused =
        |call: &&&TimedCall| matches!(call.state, Some(CallState::Denied | CallState::Interrupted));
    let refused: Vec<_> = calls.iter().filter(is_refused).map(|call| call.id.clone()).collect();
    let kept: Vec<_> = work.refusals().iter().map(|it| it.id.clone()).collect();
    assert_eq!(kept, last(&refused, 40), "{}", path.display());
    assert_eq!(work.refusal_count(), refused.len() as u64);

    let said = timeline.messages.iter().filter(|message| message.agent.is_none());
    let said: Vec<String> = said.map(|message| head(&message.text, 4000).to_owned()).collect();
    let answers: Vec<String> = work.answers().iter().map(|it| it.text.text.clone()).collect();
    assert_eq!(answers, last(&said, 3), "{}", path.display());

    let newest = work.last_call().map(|call| (call.tool.clone(), call.input.text.clone()));
    let input = |call: &&TimedCall| head(&call.input_text(), 2000).to_owned();
    let expected = calls.last().map(|call| (call.tool.clone(), input(call)));
    assert_eq!(newest, expected, "{}", path.display());

    let failed = calls.iter().filter(|call| call.state == Some(CallState::Failed)).count();
    let counted: u64 = work.turns_work().values().map(|turn| turn.failed).sum();
    assert_eq!(counted, failed as u64, "{}", path.display());
    let counted: u64 = work.turns_work().values().map(TurnWork::total).sum();
    assert_eq!(counted, calls.len() as u64, "{}", path.display());
}

fn last<T: Clone>(of: &[T], count: usize) -> Vec<T> {
    of.get(of.len().saturating_sub(count)..).unwrap_or_default().to_vec()
}

#[test]
fn the_lists_of_generated_sessions_are_the_oracles() {
    let folder = tempfile::tempdir().unwrap();
    for seed in 311..317 {
        compare(&written(folder.path(), Profile::Varied, seed));
    }
    compare(&written(folder.path(), Profile::Realistic, 411));
}

#[test_needs::transcripts]
#[test]
fn the_lists_of_real_sessions_are_the_oracles() {
    for folder in [claude_code_transcripts(), codex_transcripts()] {
        for path in sessions(folder) {
            compare(&path);
        }
    }
}
