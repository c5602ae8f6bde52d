//! Prepares a run: its questions, what each condition shows of it, and what reader `mechanical` answers.

use ground_truth::graders::Answer;
use ground_truth::questions::{Pack, Question, QuestionSet, question_sets};
use serde::{Deserialize, Serialize};
use trace_model::redact::Redactor;

use super::conditions::{Caps, Compiled, Condition, Context, Subject};
use super::crosscheck;
use super::question::ReaderQuestion;
use crate::inputs::{Identity, Input, RunInput, TRANSCRIPTS};

/// Prefix of a masked secret.
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
pub(super) struct PreparedRun {
    pub(super) name: String,
    pub(super) identity: Identity,
    pub(super) corpus: String,
    /// Whether nothing of its content may be written into a scoreboard.
    pub(super) private: bool,
    pub(super) sets: Vec<QuestionSet>,
    pub(super) conditions: Vec<RenderedContext>,
    /// The conditions that show nothing of it.
    #[serde(default)]
    pub(super) not_shown: Vec<NotShown>,
}

/// A condition that there is nothing to show under.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct NotShown {
    pub(super) condition: String,
    pub(super) why: String,
}

/// What a condition shows of a run, and what `mechanical` answers from it.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) struct RenderedContext {
    pub(super) condition: String,
    pub(super) chars: u64,
    /// Characters of the whole text before the cut.
    pub(super) of_chars: u64,
    /// Secrets masked in the context.
    pub(super) redactions: u64,
    /// What `mechanical` answers to the questions of all sets, in order; none if it does not read.
    pub(super) answers: Option<Vec<Answer>>,
    /// What a reader is shown, where it is kept.
    #[serde(skip)]
    pub(super) text: Option<String>,
}

impl PreparedRun {
    /// The questions of all its sets, in order.
    pub(super) fn questions(&self) -> impl Iterator<Item = &Question> {
        self.sets.iter().flat_map(|set| &set.questions)
    }

    /// What a condition shows of it.
    pub(super) fn context(&self, condition: &str) -> Option<&RenderedContext> {
        self.conditions.iter().find(|it| it.condition == condition)
    }

    /// What it is pooled with: the generated runs, or the named ones.
    pub(super) fn inputs(&self) -> &'static str {
        if self.corpus == TRANSCRIPTS { "named" } else { "generated" }
    }
}

pub(super) fn run(input: &Input, plan: &Plan) -> anyhow::Result<PreparedRun> {
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
    let (mut conditions, mut not_shown) = (Vec::new(), Vec::new());
    for (condition, compiled) in contexts {
        match compiled {
            Ok(context) => conditions.push(rendered(condition, context, &sets, plan)),
            Err(why) => {
                let condition = condition.name.to_string();
                not_shown.push(NotShown { condition, why: why.to_owned() });
            }
        }
    }
    Ok(PreparedRun { name, identity, corpus, private, sets, conditions, not_shown })
}

fn contexts<'p>(subject: &Subject<'_>, plan: &'p Plan) -> Vec<(&'p Condition, Compiled)> {
    plan.conditions.iter().map(|it| (it, it.text(subject, &plan.caps))).collect()
}

fn rendered(
    condition: &Condition,
    context: Context,
    sets: &[QuestionSet],
    plan: &Plan,
) -> RenderedContext {
    let answers = condition.reading.filter(|_| plan.mechanical).map(|read| {
        let answer = read(&context.text);
        let questions = sets.iter().flat_map(|set| &set.questions);
        questions.map(|question| answer(&ReaderQuestion::of(question))).collect()
    });
    let redactions =
        plan.redactor.as_ref().map_or(0, |_| context.text.matches(MASKED).count() as u64);
    RenderedContext {
        condition: condition.name.to_string(),
        chars: context.chars(),
        of_chars: context.of_chars,
        redactions,
        answers,
        text: plan.keep_texts.then_some(context.text),
    }
}
