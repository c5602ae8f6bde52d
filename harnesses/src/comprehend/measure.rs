//! One run: its questions, what each condition shows of it, and what reader `mechanical` answers.

use ground_truth::graders::Answer;
use ground_truth::questions::{Pack, QuestionSet, question_sets};
use serde::{Deserialize, Serialize};
use trace_model::redact::Redactor;

use super::Asked;
use super::conditions::{Caps, Condition, Context, Subject};
use super::crosscheck;
use crate::inputs::{Identity, Input, RunInput, TRANSCRIPTS};

/// How what stands for a secret begins.
const MASKED: &str = "[redacted ";

/// What is asked of every run.
#[derive(Debug)]
pub(super) struct Plan {
    pub(super) packs: Vec<Pack>,
    pub(super) question_seed: u64,
    pub(super) conditions: Vec<Condition>,
    pub(super) caps: Caps,
    pub(super) mechanical: bool,
    /// Whether the conditions' texts are kept, for a reader that is asked later.
    pub(super) keep_texts: bool,
    /// Takes secrets out of a run before any condition is compiled from it, so that none is cut in half
    /// and so missed. The truths come from the run as it is.
    pub(super) redactor: Option<Redactor>,
}

/// A run with its questions.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) struct Measured {
    pub(super) name: String,
    pub(super) identity: Identity,
    pub(super) corpus: String,
    /// Whether nothing of its content may be written into a scoreboard.
    pub(super) private: bool,
    pub(super) sets: Vec<QuestionSet>,
    pub(super) conditions: Vec<Under>,
}

/// A run under one condition.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) struct Under {
    pub(super) condition: String,
    pub(super) chars: u64,
    /// Characters of the whole of which the context is a part.
    pub(super) of_chars: u64,
    /// Secrets that were taken out of what is shown.
    pub(super) redactions: u64,
    /// What `mechanical` answers to the questions of all sets, in order; none if it does not read.
    pub(super) answers: Option<Vec<Answer>>,
    /// What a reader is shown, where it is kept.
    #[serde(skip)]
    pub(super) text: Option<String>,
}

impl Measured {
    /// What it is pooled with: the generated runs, or the named ones.
    pub(super) fn inputs(&self) -> &'static str {
        if self.corpus == TRANSCRIPTS { "named" } else { "generated" }
    }
}

pub(super) fn run(input: &Input, plan: &Plan) -> anyhow::Result<Measured> {
    let run = RunInput::load(input)?;
    let identity = Identity::of(&run);
    let RunInput { name, corpus, private, files, truth, .. } = run;
    let contexts = match &plan.redactor {
        None => contexts(&Subject::of(files.transcripts()), plan),
        Some(redactor) => {
            let masked = files.redacted(redactor);
            let borrowed = masked.iter().map(|(role, bytes)| (role.clone(), bytes.as_slice()));
            contexts(&Subject::of(borrowed.collect()), plan)
        }
    };
    let sets = question_sets(&files.for_oracle()?, &plan.packs, plan.question_seed);
    if let Some(truth) = &truth {
        crosscheck::check(&name, truth, &sets)?;
    }
    let conditions = contexts.into_iter().map(|(it, context)| under(it, context, &sets, plan));
    let conditions = conditions.collect();
    Ok(Measured { name, identity, corpus, private, sets, conditions })
}

fn contexts(subject: &Subject<'_>, plan: &Plan) -> Vec<(Condition, Context)> {
    plan.conditions.iter().map(|it| (*it, it.compile(subject, &plan.caps))).collect()
}

fn under(condition: Condition, context: Context, sets: &[QuestionSet], plan: &Plan) -> Under {
    let questions = || sets.iter().flat_map(|set| &set.questions);
    let answers = condition.reading().filter(|_| plan.mechanical).map(|read| {
        questions().map(|question| read(&context.text, &Asked::of(question))).collect()
    });
    let redactions =
        plan.redactor.as_ref().map_or(0, |_| context.text.matches(MASKED).count() as u64);
    Under {
        condition: condition.name().to_owned(),
        chars: context.chars(),
        of_chars: context.of_chars,
        redactions,
        answers,
        text: plan.keep_texts.then_some(context.text),
    }
}
