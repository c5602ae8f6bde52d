//! COMPREHEND's names: written by the instrument, read by its tables and by reports.

use ground_truth::graders::RuleSet;

use super::access;
pub use super::condition::{ConditionLabel, Family, UnknownCondition};
use super::define::{aggregates, label_values, labels, measures};
use super::key::{AggregateKey, Definition, Kind as _, MeasureKey, Score, Text};
use crate::row::Row;

/// The reader that parses what it is shown: the ceiling of a condition.
pub const MECHANICAL: &str = "mechanical";

/// The reader that is shown nothing: the floor under every condition.
pub const BLIND: &str = "blind";

/// The condition that sizes, costs and scores are compared with.
pub const BASELINE: &str = "raw";

/// The condition that shows one line an event.
pub const FLATLOG: &str = "flatlog";

/// The condition that shows the worker view behind the paper's figures, `worker/1`.
pub const VIEW: &str = "view";

/// The label of `blind`'s condition.
pub const NO_CONTEXT: &str = "none";

label_values! {
    /// What a row is about: the values of [`WHAT`].
    What of WHAT {
        /// An answer to a question.
        Answer = "answer",
        /// What a condition shows of a run.
        Context = "context",
        /// A model's call.
        Call = "call",
        /// A question's repeats together.
        Repeats = "repeats",
        /// A question type that was not asked about a run.
        LeftOut = "left_out",
        /// A condition that there is nothing to show under of a run.
        NotShown = "not_shown",
        /// A question type and a meaning of forms, of the graders' own measurement.
        FormsOfType = "type",
        /// A kind of form and its meaning, of the graders' own measurement.
        FormsOfKind = "kind",
        /// A form that the rules of today grade wrongly.
        GraderError = "error",
    }
}

labels! {
    /// What the row is about.
    WHAT = "what";
    /// What the run is pooled with: `generated` or `named`.
    INPUTS = "inputs";
    /// The corpus of the run.
    CORPUS = "corpus";
    /// The run: the cluster of every interval.
    RUN = "run";
    /// The question pack.
    PACK = "pack";
    /// The question type; in rows of the graders' own measurement the question's id.
    QUESTION = "question";
    /// What the reader is shown.
    CONDITION = "condition";
    /// Who answers.
    READER = "reader";
    /// Which of the repeats of a call.
    REPEAT = "repeat";
    /// Whether a form means the `same` as the right answer or something `other`.
    MEANING = "meaning";
    /// The kind of form.
    KIND = "kind";
}

measures! {
    /// One over the questions of the type: what an answer weighs in the macro average.
    WEIGHT: Score = "weight";
    /// Whether the reader gave an answer.
    ANSWERED: Flag = "answered";
    /// The answer's start.
    ANSWER: Text = "answer";
    /// The digest of the answer, of a named transcript.
    ANSWER_SHA256: Text = "answer_sha256";
    /// The start of `blind`'s answer to the lenient rules.
    ANSWER_PAPER: Text = "answer_paper";
    /// The digest of that answer, of a named transcript.
    ANSWER_PAPER_SHA256: Text = "answer_paper_sha256";
    /// Why a question type was left out, or a run under a condition.
    REASON: Text = "reason";
    /// Characters that are shown.
    CHARACTERS: Count = "characters";
    /// Characters of the whole of which a part is shown.
    CHARACTERS_OF_THE_WHOLE: Count = "characters_of_the_whole";
    /// Characters that the baseline shows.
    CHARACTERS_OF_THE_BASELINE: Count = "characters_of_the_baseline";
    /// Whether less than the whole is shown.
    CUT: Flag = "cut";
    /// Secrets that were taken out.
    REDACTIONS: Count = "redactions";
    /// Estimated tokens of what is shown.
    ESTIMATED_TOKENS: Tokens = "estimated_tokens";
    /// Whether the call has no answer.
    FAILED: Flag = "failed";
    /// Attempts after the first.
    RETRIES: Count = "retries";
    /// Whether the reply could not be read.
    PARSE_FAILURE: Flag = "parse_failure";
    /// Whether the model or a filter refused.
    REFUSAL: Flag = "refusal";
    /// Whether the reply has no text.
    EMPTY: Flag = "empty";
    /// Whether the reply ended at the limit of output tokens.
    CUT_SHORT: Flag = "cut_short";
    /// Input tokens that were neither read from nor written to the cache.
    INPUT_TOKENS: Tokens = "input_tokens";
    /// Output tokens.
    OUTPUT_TOKENS: Tokens = "output_tokens";
    /// Tokens read from the cache.
    CACHE_READ_TOKENS: Tokens = "cache_read_tokens";
    /// Tokens written to the cache.
    CACHE_WRITE_TOKENS: Tokens = "cache_write_tokens";
    /// Output tokens that are reasoning.
    REASONING_TOKENS: Tokens = "reasoning_tokens";
    /// Input tokens of every class.
    ALL_INPUT_TOKENS: Tokens = "all_input_tokens";
    /// The same of the baseline's call.
    INPUT_TOKENS_OF_THE_BASELINE: Tokens = "input_tokens_of_the_baseline";
    /// Dollars of the call.
    DOLLARS: Dollars = "dollars";
    /// Dollars of the baseline's call.
    DOLLARS_OF_THE_BASELINE: Dollars = "dollars_of_the_baseline";
    /// Repeats with an answer.
    REPEATS: Count = "repeats";
    /// Repeats that are right.
    RIGHT: Count = "right";
    /// Whether the repeats do not agree.
    FLIPS: Flag = "flips";
    /// Forms of answers that were graded.
    FORMS: Count = "forms";
    /// Question types that have the kind of form.
    QUESTION_TYPES: Count = "question_types";
    /// The right answer.
    TRUTH: Text = "truth";
}

/// The measures that a rule set makes of an answer. The versions of one rule set have the same names: the
/// provenance says which made them, and no scoreboard has two.
#[derive(Debug)]
pub struct GradedMeasures {
    /// The score, from 0 to 1.
    pub score: MeasureKey<Score>,
    /// What is missing to 1.
    pub loss: MeasureKey<Score>,
    /// The score over the questions of the type.
    pub weighted: MeasureKey<Score>,
    /// Why it is that score.
    pub reason: MeasureKey<Text>,
    /// The mechanical reader's score less this one, under the same condition.
    pub reader_loss: MeasureKey<Score>,
}

macro_rules! graded {
    ($name:literal) => {
        GradedMeasures {
            score: MeasureKey::new($name),
            loss: MeasureKey::new(concat!($name, "_loss")),
            weighted: MeasureKey::new(concat!($name, "_weighted")),
            reason: MeasureKey::new(concat!($name, "_reason")),
            reader_loss: MeasureKey::new(concat!($name, "_reader_loss")),
        }
    };
}

static PAPER: GradedMeasures = graded!("paper");
static STRICT: GradedMeasures = graded!("strict");

impl GradedMeasures {
    /// Those of a rule set.
    #[must_use]
    pub fn of(rule_set: RuleSet) -> &'static Self {
        match rule_set {
            RuleSet::Paper1 => &PAPER,
            RuleSet::Strict1 | RuleSet::Strict2 => &STRICT,
        }
    }

    /// Their names.
    #[must_use]
    pub fn names(&self) -> [&str; 5] {
        let Self { score, loss, weighted, reason, reader_loss } = self;
        [score.name(), loss.name(), weighted.name(), reason.name(), reader_loss.name()]
    }

    /// Sets all of them to missing.
    #[must_use]
    pub fn missing(&self, row: Row, why: &str) -> Row {
        self.names().into_iter().fold(row, |row, name| row.missing(name, why))
    }
}

/// The chance that `k` repeats of a question are all right, from its own repeats.
#[must_use]
pub fn pass(k: u32) -> MeasureKey<Score> {
    MeasureKey::numbered(format!("pass_{k}"))
}

/// How many forms of one meaning a rule set grades wrongly: it rejects what means the same, or accepts what
/// does not.
#[must_use]
pub fn grader_errors(rule_set: RuleSet, right: bool) -> MeasureKey<super::Count> {
    let name = rule_set.name().replace('/', "_");
    MeasureKey::numbered(format!(
        "{name}_{}",
        if right { "false_rejects" } else { "false_accepts" }
    ))
}

aggregates! {
    /// Mean score over answers.
    ACCURACY = "accuracy";
    /// Mean of the question types' accuracies.
    MACRO_AVERAGE = "macro average";
    /// Mean of 1 less the mechanical reader's score.
    REPRESENTATION_LOSS = "representation loss";
    /// Mean of the mechanical reader's score less the model's.
    READER_LOSS = "reader loss";
    /// Question types that were not asked, or runs that a condition shows nothing of.
    LEFT_OUT = "left out";
    /// Why not, the most frequent reasons.
    WHY_LEFT_OUT = "why left out";
    /// Runs that are shown.
    TRANSCRIPTS = "transcripts";
    /// Mean characters of what is shown.
    MEAN_CHARACTERS = "mean characters";
    /// Mean of its estimated tokens.
    MEAN_ESTIMATED_TOKENS = "mean tokens (estimated)";
    /// How often less than the whole is shown.
    CUT_CONTEXTS = "contexts that were cut";
    /// Characters over those of the baseline.
    CHARACTER_RATIO = "characters over those of raw";
    /// Calls.
    CALLS = "calls";
    /// Calls without an answer.
    FAILED_CALLS = "calls without an answer";
    /// Replies that could not be read.
    PARSE_FAILURES = "parse failures";
    /// Refusals.
    REFUSALS = "refusals";
    /// Replies without text.
    EMPTY_REPLIES = "empty replies";
    /// Replies that ended at the limit of output tokens.
    REPLIES_CUT_SHORT = "replies cut short";
    /// Attempts after the first.
    ALL_RETRIES = "retries";
    /// Mean input tokens of every class.
    MEAN_INPUT_TOKENS = "mean input tokens a call";
    /// Mean output tokens.
    MEAN_OUTPUT_TOKENS = "mean output tokens a call";
    /// Dollars of all calls.
    ALL_DOLLARS = "dollars";
    /// Input tokens over those of the baseline.
    INPUT_RATIO = "input tokens over those of raw";
    /// Dollars over those of the baseline.
    DOLLAR_RATIO = "dollars over those of raw";
    /// The share of questions whose repeats do not agree.
    FLIP_RATE = "flip rate";
    /// Kinds of form.
    KINDS_OF_FORM = "kinds of form";
    /// Forms of answers that were graded.
    ALL_FORMS = "forms";
}

/// The chance that `k` repeats of a question are all right.
#[must_use]
pub fn pass_hat(k: u32) -> AggregateKey {
    AggregateKey::numbered(format!("pass^{k}"))
}

/// All that a rule set grades wrongly of forms of one meaning.
#[must_use]
pub fn all_grader_errors(rule_set: RuleSet, right: bool) -> AggregateKey {
    let what = if right { "false rejects" } else { "false accepts" };
    AggregateKey::numbered(what.to_owned()).by(rule_set)
}

/// The same over all forms.
#[must_use]
pub fn grader_error_share(rule_set: RuleSet, right: bool) -> AggregateKey {
    AggregateKey::numbered(format!("share of {}", all_grader_errors(rule_set, right)))
}

/// The names of a row that this schema does not define, or not as a measure of that kind.
#[must_use]
pub fn undefined(row: &Row) -> Vec<String> {
    access::undefined(row, LABELS, kind_of)
}

/// The kind of a measure by its name.
fn kind_of(name: &str) -> Option<&'static str> {
    let defined = MEASURES.iter().find(|it| it.name == name).map(|it: &Definition| it.kind);
    let graded = || {
        let graded = [&PAPER, &STRICT].into_iter().find(|it| it.names().contains(&name))?;
        Some(if graded.reason.name() == name { Text::NAME } else { Score::NAME })
    };
    let numbered = |start: &str| name.strip_prefix(start).is_some_and(|k| k.parse::<u32>().is_ok());
    let errors = || {
        let of = |it: RuleSet| [true, false].map(|right| grader_errors(it, right));
        let all = RuleSet::ALL.into_iter().flat_map(of);
        all.into_iter().any(|key| key.name() == name).then_some(super::Count::NAME)
    };
    defined.or_else(graded).or_else(|| numbered("pass_").then_some(Score::NAME)).or_else(errors)
}
