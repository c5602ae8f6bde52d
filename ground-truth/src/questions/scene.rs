//! A run as the questions see it: the oracle's timeline, with the few selections that several types need.

use std::cell::OnceCell;
use std::collections::{BTreeMap, BTreeSet};

use crate::answers::{Truth, fold};
use crate::oracle::{CallState, RunFiles, TimedCall, TimedResult, Timeline, timeline};

/// With more ties than this nothing stands out, so the question is skipped.
pub(super) const MOST_TIES: usize = 3;

/// Tools that launch a subagent.
const LAUNCHERS: [&str; 2] = ["Task", "Agent"];

/// The fields of a call's input that can be its main argument, the first present one being it. The path
/// comes between the first and the others.
const ARGUMENTS: [&str; 9] =
    ["pattern", "query", "url", "description", "prompt", "question", "skill", "subject", "code"];

/// A run, ready for questions.
#[derive(Debug)]
pub(super) struct Scene<'a> {
    run: &'a RunFiles,
    pub(super) timeline: Timeline,
    /// All text of the run in lower case, made when first needed.
    text: OnceCell<String>,
}

impl<'a> Scene<'a> {
    pub(super) fn of(run: &'a RunFiles) -> Self {
        let mut timeline = timeline(run);
        for call in &mut timeline.calls {
            // A path or name of white space alone cannot be given as an answer.
            call.path = call.path.take().filter(|path| !path.trim().is_empty());
            if call.tool.trim().is_empty() {
                "unknown".clone_into(&mut call.tool);
            }
        }
        Self { run, timeline, text: OnceCell::new() }
    }

    /// The calls of the main thread.
    pub(super) fn main_calls(&self) -> impl Iterator<Item = &TimedCall> {
        self.timeline.calls.iter().filter(|call| call.in_main())
    }

    /// The number of the turn that a record is in: zero before the first.
    pub(super) fn turn_of(&self, record: usize) -> usize {
        self.timeline.prompts.partition_point(|prompt| prompt.record < record)
    }

    /// The texts of the prompts, in order.
    pub(super) fn requests(&self) -> Vec<String> {
        self.timeline.prompts.iter().map(|prompt| prompt.text.clone()).collect()
    }

    /// The failed results of the main thread that came after their calls, and what is said of its background
    /// tasks that failed, in order.
    pub(super) fn failures(&self) -> Vec<&TimedResult> {
        let failed = self.main_calls().filter(|call| call.state == Some(CallState::Failed));
        let results = failed.filter_map(|call| call.result.as_ref());
        let tasks = self.timeline.failed_tasks.iter().filter(|task| !task.text.trim().is_empty());
        let mut results: Vec<_> = results.filter(|result| result.after_call).chain(tasks).collect();
        results.sort_by_key(|result| result.at);
        results
    }

    /// The succeeded calls of the main thread that write a file.
    pub(super) fn writes(&self) -> impl Iterator<Item = &TimedCall> {
        self.main_calls().filter(|call| call.writes && call.state == Some(CallState::Succeeded))
    }

    /// The paths that calls of any thread name, each once.
    pub(super) fn paths(&self) -> BTreeSet<String> {
        self.timeline.calls.iter().filter_map(|call| call.path.clone()).collect()
    }

    /// The tools called in any thread, each once.
    pub(super) fn tools(&self) -> BTreeSet<String> {
        self.timeline.calls.iter().map(|call| call.tool.clone()).collect()
    }

    /// The descriptions with which the main thread launched subagents, without refused launches.
    pub(super) fn launches(&self) -> BTreeSet<String> {
        let launched = self.main_calls().filter(|call| {
            LAUNCHERS.contains(&call.tool.as_str()) && call.state != Some(CallState::Denied)
        });
        launched
            .filter_map(|call| text_field(call, "description"))
            .map(|text| text.trim().to_owned())
            .collect()
    }

    /// Whether one of the words, in lower case, occurs anywhere in the run as a separate word.
    pub(super) fn mentions(&self, words: &[&str]) -> bool {
        words.iter().any(|word| self.has_word(word))
    }

    fn has_word(&self, word: &str) -> bool {
        let is_letter = |char: Option<char>| char.is_some_and(char::is_alphanumeric);
        let text = self.text();
        text.match_indices(word).any(|(at, _)| {
            let after = &text[at + word.len()..];
            !is_letter(text[..at].chars().next_back()) && !is_letter(after.chars().next())
        })
    }

    fn text(&self) -> &str {
        self.text.get_or_init(|| {
            let lower = |bytes| String::from_utf8_lossy(bytes).to_ascii_lowercase();
            self.run.contents().map(lower).collect::<Vec<_>>().join("\n")
        })
    }

    /// The truth of a question for one of these calls of the main thread: its tool with its main argument,
    /// or its id. The argument alone is right too where no other tool was called with it, and so is the
    /// whole input: as JSON, of which a part says too little.
    pub(super) fn naming(&self, calls: &[&TimedCall]) -> Truth {
        let mut tools: BTreeMap<String, BTreeSet<&str>> = BTreeMap::new();
        for call in self.main_calls() {
            for argument in arguments(call) {
                tools.entry(fold(&argument)).or_default().insert(&call.tool);
            }
        }
        let named = |call: &TimedCall| {
            let alone =
                |argument: &String| tools.get(&fold(argument)).is_none_or(|tools| tools.len() == 1);
            let arguments = arguments(call);
            let with_tool = |argument: &String| format!("{} {argument}", call.tool);
            let mut forms: Vec<String> = arguments.iter().map(with_tool).collect();
            forms.extend(arguments.iter().filter(|argument| alone(argument)).cloned());
            forms.extend(call.id.clone());
            forms
        };
        let inputs = calls.iter().map(|call| (&call.tool, call.input_text()));
        let inputs = inputs.flat_map(|(tool, input)| [format!("{tool} {input}"), input]).collect();
        let accepted = calls.iter().flat_map(|call| named(call)).collect();
        let is_other = |call: &&TimedCall| !calls.iter().any(|it| std::ptr::eq(*it, *call));
        Truth::naming(accepted, inputs, self.main_calls().filter(is_other).flat_map(named))
    }
}

/// What can be given as a call's main argument: the command, the path, or the first of the other fields;
/// for a launch also its prompt; for anything else its input as a whole.
fn arguments(call: &TimedCall) -> Vec<String> {
    let command = text_field(call, "command");
    let path = call.path.clone().filter(|_| call.reads || call.writes);
    let mut others = ARGUMENTS.iter().filter_map(|key| text_field(call, key));
    let first = command.or(path).or_else(|| others.next()).or_else(|| call.path.clone());
    let mut arguments: Vec<String> =
        first.into_iter().filter(|text| !text.trim().is_empty()).collect();
    if LAUNCHERS.contains(&call.tool.as_str()) {
        arguments.extend(text_field(call, "prompt"));
    }
    if arguments.is_empty() {
        arguments.push(call.input_text());
    }
    arguments
}

/// A field of a call's input that is a text and not blank.
pub(super) fn text_field(call: &TimedCall, key: &str) -> Option<String> {
    let text = call.text_field(key)?;
    (!text.trim().is_empty()).then(|| text.to_owned())
}

/// How often each text occurs.
pub(super) fn tally(texts: impl IntoIterator<Item = String>) -> BTreeMap<String, usize> {
    let mut counts = BTreeMap::new();
    for text in texts {
        *counts.entry(text).or_insert(0) += 1;
    }
    counts
}

/// The texts that occur most often, with how often; none of none.
pub(super) fn most_frequent(counts: &BTreeMap<String, usize>) -> Option<(Vec<String>, usize)> {
    let most = counts.values().copied().max()?;
    let tied = counts.iter().filter(|(_, count)| **count == most);
    Some((tied.map(|(text, _)| text.clone()).collect(), most))
}
