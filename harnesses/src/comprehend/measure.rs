//! One run: its questions, what each condition shows of it, and what reader `mechanical` answers.

use ground_truth::graders::Answer;
use ground_truth::questions::{Pack, QuestionSet, question_sets};

use super::Asked;
use super::conditions::{Caps, Condition, Subject};
use crate::inputs::{Identity, Input, RunInput, TRANSCRIPTS};

/// What is asked of every run.
#[derive(Debug)]
pub(super) struct Plan {
    pub(super) packs: Vec<Pack>,
    pub(super) question_seed: u64,
    pub(super) conditions: Vec<Condition>,
    pub(super) caps: Caps,
    pub(super) mechanical: bool,
}

/// A run with its questions.
#[derive(Debug)]
pub(super) struct Measured {
    pub(super) name: String,
    pub(super) identity: Identity,
    pub(super) corpus: String,
    /// Whether nothing of its content may be written down.
    pub(super) private: bool,
    pub(super) sets: Vec<QuestionSet>,
    pub(super) conditions: Vec<Under>,
}

/// A run under one condition.
#[derive(Debug)]
pub(super) struct Under {
    pub(super) condition: &'static str,
    pub(super) chars: u64,
    /// Characters of the whole of which the context is a part.
    pub(super) of_chars: u64,
    /// What `mechanical` answers to the questions of all sets, in order; none if it does not read.
    pub(super) answers: Option<Vec<Answer>>,
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
    let RunInput { name, corpus, private, files, .. } = run;
    let contexts: Vec<_> = {
        let subject = Subject::of(&files);
        plan.conditions.iter().map(|it| (*it, it.compile(&subject, &plan.caps))).collect()
    };
    let sets = question_sets(&files.for_oracle()?, &plan.packs, plan.question_seed);
    let questions = || sets.iter().flat_map(|set| &set.questions);
    let conditions = contexts
        .into_iter()
        .map(|(condition, context)| Under {
            condition: condition.name(),
            chars: context.chars(),
            of_chars: context.of_chars,
            answers: condition.reading().filter(|_| plan.mechanical).map(|read| {
                questions().map(|question| read(&context.text, &Asked::of(question))).collect()
            }),
        })
        .collect();
    Ok(Measured { name, identity, corpus, private, sets, conditions })
}
