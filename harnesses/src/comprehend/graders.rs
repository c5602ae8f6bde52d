//! The graders' own error rate: forms of right answers that mean the same and near misses, made by
//! `ground_truth::forms` from the truths of questions, graded by every rule set.
//!
//! A form that means the same and does not score 1 is a false reject, a near miss that scores 1 a false
//! accept. The rules that hold now may make neither.

use std::collections::{BTreeMap, BTreeSet};

use anyhow::Context as _;
use clap::Args;
use corpus_gen::Seeds;
use corpus_gen::cli::{ProfileChoice, SetChoice};
use ground_truth::forms::{forms, specimens};
use ground_truth::graders::{Answer, Grades, RuleSet};
use ground_truth::questions::{PACK_NAMES, Pack, Question, QuestionSet, question_sets};
use scoreboards::measures::AggregateKey;
use scoreboards::measures::comprehend::{
    self as names, What, all_grader_errors, grader_error_share, grader_errors,
};
use scoreboards::{
    AggregateSpec, Corpus, Group, Instrument, Lookup, Method, Provenance, Row, Scoreboard,
    ScoreboardBuilder, ShowOptions, Table,
};
use trace_model::ids::Sha256;

use crate::common::{CommonArgs, Reporter, Verdict, deliver, print, today};
use crate::inputs::{Identity, Input, InputArgs, RunInput, corpora};
use cli_support::parallel;

/// Arguments of `graders`.
#[derive(Debug, Clone, Args)]
pub struct GradersArgs {
    /// Sessions to generate, besides the small built-in runs
    #[arg(long, value_enum, default_value = "paper", help_heading = "Inputs")]
    pub profile: ProfileChoice,
    /// Seeds of the sessions: numbers and ranges [default: 201-204]
    #[arg(long, value_name = "LIST", help_heading = "Inputs")]
    pub seeds: Option<Seeds>,
    /// Flags of every instrument.
    #[command(flatten)]
    pub common: CommonArgs,
}

/// The corpus of the built-in runs.
const SPECIMENS: &str = "specimens";

/// Question seeds for a specimen.
const SPECIMEN_SEEDS: std::ops::RangeInclusive<u64> = 1..=4;

/// Measures the graders, and fails if the current rules make an error.
pub(super) fn command(args: &GradersArgs) -> anyhow::Result<Verdict> {
    let progress = Reporter::new(args.common.quiet);
    let board = measure(args, &progress)?;
    let is_total = |over: &Group| !over.names(&names::QUESTION);
    let totals = board.aggregates.iter().take_while(|it| is_total(&it.spec.over)).count();
    let options = ShowOptions { max_aggregates: totals, ..ShowOptions::default() };
    deliver(&board, &args.common, &progress, options)?;
    if !args.common.json {
        print(&format!("\n{}", table(&board).to_text()))?;
    }
    let errors = board.rows.iter().filter(|row| row.is(&names::WHAT, What::GraderError));
    let faults = errors.map(|row| format!("{} makes an error: {}", RuleSet::STRICT, row.id));
    Ok(Verdict::of(faults.collect()))
}

/// Grades every form of every question's answer by every rule set.
///
/// # Errors
/// If a session cannot be generated, or the scoreboard not be built.
pub fn measure(args: &GradersArgs, progress: &Reporter) -> anyhow::Result<Scoreboard> {
    let packs = PACK_NAMES.map(Pack::named).into_iter().collect::<Result<Vec<_>, _>>()?;
    let seeds = args.seeds.clone().map_or_else(|| "201-204".parse(), Ok);
    let inputs = InputArgs {
        profile: args.profile,
        seeds: Some(seeds.ok().context("the default seeds are a range")?),
        pathology: SetChoice::None,
        pathology_seeds: None,
        transcripts: Vec::new(),
    };
    let sources: Vec<Input> = inputs.sessions().into_iter().map(Input::Generated).collect();
    let stage = progress.stage("graders", sources.len() + 1);
    let mut counts = Counts::default();
    for (name, run) in specimens() {
        for seed in SPECIMEN_SEEDS {
            counts.add(name, &question_sets(&run, &packs, seed), seed);
        }
    }
    stage.done(SPECIMENS);
    let measured = parallel::try_map(&sources, args.common.jobs(), |input| {
        let run = RunInput::load(input)?;
        let (identity, name) = (Identity::of(&run), run.name.clone());
        let mut counts = Counts::default();
        counts.add(&name, &question_sets(&run.files.for_oracle()?, &packs, 1), args.common.seed);
        stage.done(&name);
        Ok((identity, counts))
    })?;
    drop(stage);
    let mut identities = Vec::new();
    for (identity, of_run) in measured {
        identities.push(identity);
        counts.merge(of_run);
    }
    board(args, &counts, &identities)
}

/// The number of forms, and how many of them each rule set gets wrong.
#[derive(Debug, Clone, Default)]
struct Count {
    forms: u64,
    errors: BTreeMap<RuleSet, u64>,
}

impl Count {
    fn add(&mut self, other: &Self) {
        self.forms += other.forms;
        for (rule_set, errors) in &other.errors {
            *self.errors.entry(*rule_set).or_default() += errors;
        }
    }
}

/// An error of the rules that hold now.
#[derive(Debug, Clone)]
struct Fault {
    id: String,
    question: String,
    right: bool,
    answer: String,
    truth: String,
}

#[derive(Debug, Default)]
struct Counts {
    /// By question id and whether the form is right.
    types: BTreeMap<(String, bool), Count>,
    /// By kind and whether the form is right, with the question types that have it.
    kinds: BTreeMap<(&'static str, bool), (Count, BTreeSet<String>)>,
    faults: Vec<Fault>,
}

impl Counts {
    fn add(&mut self, run: &str, sets: &[QuestionSet], seed: u64) {
        for question in sets.iter().flat_map(|set| &set.questions) {
            self.question(run, question, seed);
        }
    }

    fn question(&mut self, run: &str, question: &Question, seed: u64) {
        for (at, form) in forms(question, seed).into_iter().enumerate() {
            let grades = Grades::of(question, &form.answer, &RuleSet::ALL);
            let is_wrong = |rule_set| grades.is_right(rule_set) != form.right;
            let errors = RuleSet::ALL.into_iter().map(|it| (it, u64::from(is_wrong(it))));
            let count = Count { forms: 1, errors: errors.collect() };
            if count.errors[&RuleSet::STRICT] > 0 {
                self.faults.push(Fault {
                    id: format!("{run}/{seed}/{}/{at}/{}", question.id, form.kind),
                    question: question.id.clone(),
                    right: form.right,
                    answer: text(&form.answer),
                    truth: question.truth.answer().to_string(),
                });
            }
            self.types.entry((question.id.clone(), form.right)).or_default().add(&count);
            let (of_kind, types) = self.kinds.entry((form.kind, form.right)).or_default();
            of_kind.add(&count);
            types.insert(question.id.clone());
        }
    }

    fn merge(&mut self, other: Self) {
        for (key, count) in other.types {
            self.types.entry(key).or_default().add(&count);
        }
        for (key, (count, types)) in other.kinds {
            let (of_kind, known) = self.kinds.entry(key).or_default();
            of_kind.add(&count);
            known.extend(types);
        }
        self.faults.extend(other.faults);
    }
}

fn text(answer: &Answer) -> String {
    match answer {
        Answer::Json(value) => value.to_string(),
        Answer::Text(text) => text.clone(),
    }
}

/// What a form is, as a label.
fn meaning(right: bool) -> &'static str {
    if right { "same" } else { "other" }
}

fn board(
    args: &GradersArgs,
    counts: &Counts,
    identities: &[Identity],
) -> anyhow::Result<Scoreboard> {
    let code = env!("CARGO_PKG_VERSION");
    let mut header = Provenance::new(Instrument::Comprehend, today(&args.common), code);
    header.command = args.common.command();
    header.corpora = corpora(identities);
    let files: Vec<Vec<u8>> =
        specimens().iter().flat_map(|(_, run)| run.contents().map(<[u8]>::to_vec)).collect();
    let files: Vec<&[u8]> = files.iter().map(Vec::as_slice).collect();
    header.corpora.push(Corpus {
        id: SPECIMENS.to_owned(),
        manifest_sha256: Some(Sha256::of_parts(&files).to_string()),
        seeds: Vec::new(),
    });
    header.question_pack = Some(PACK_NAMES.join(" and "));
    header.protocol.insert("forms.seed".to_owned(), args.common.seed.to_string());
    for rule_set in RuleSet::ALL {
        for right in [true, false] {
            let errors = String::from(&grader_errors(rule_set, right));
            header.graders.insert(errors, rule_set.name().to_owned());
        }
    }
    let mut builder = ScoreboardBuilder::new(header);
    builder.rows(rows(counts));
    declare(&mut builder);
    builder.finish().context("the graders' scoreboard cannot be built")
}

/// A row for each question type and meaning, for each kind of form and meaning, and for each error.
fn rows(counts: &Counts) -> Vec<Row> {
    let counted = |row: Row, count: &Count, right: bool| {
        let row = row.label(&names::MEANING, meaning(right)).with(&names::FORMS, count.forms);
        count.errors.iter().fold(row, |row, (rule_set, errors)| {
            row.with(&grader_errors(*rule_set, right), *errors)
                .with(&grader_errors(*rule_set, !right), 0_u64)
        })
    };
    let row = |id: String, what: What| Row::new(id).label(&names::WHAT, what);
    let types = counts.types.iter().map(|((question, right), count)| {
        let id = format!("type/{question}/{}", meaning(*right));
        let row = row(id, What::FormsOfType).label(&names::QUESTION, question);
        counted(row, count, *right)
    });
    let kinds = counts.kinds.iter().map(|((kind, right), (count, types))| {
        let row = row(format!("kind/{kind}/{}", meaning(*right)), What::FormsOfKind)
            .label(&names::KIND, *kind)
            .with(&names::QUESTION_TYPES, types.len() as u64);
        counted(row, count, *right)
    });
    let faults = counts.faults.iter().map(|fault| {
        row(format!("error/{}", fault.id), What::GraderError)
            .label(&names::QUESTION, &fault.question)
            .label(&names::MEANING, meaning(fault.right))
            .with(&names::ANSWER, fault.answer.as_str())
            .with(&names::TRUTH, fault.truth.as_str())
    });
    types.chain(kinds).chain(faults).collect()
}

fn declare(builder: &mut ScoreboardBuilder) {
    let of_types = |key: &AggregateKey, method| {
        AggregateSpec::new(key, method).over(&names::WHAT, What::FormsOfType)
    };
    let kinds = Method::Distinct { label: (&names::KIND).into() };
    let kinds = AggregateSpec::new(&names::KINDS_OF_FORM, kinds);
    builder.aggregate(kinds.over(&names::WHAT, What::FormsOfKind));
    // Sums first: the terminal shows only them.
    for by in [&[][..], &[&names::QUESTION]] {
        let by_meaning = [by, &[&names::MEANING]].concat();
        builder.aggregate_by(&by_meaning, of_types(&names::ALL_FORMS, names::FORMS.sum()));
        for rule_set in RuleSet::ALL.into_iter().rev() {
            for right in [false, true] {
                let errors = grader_errors(rule_set, right);
                builder
                    .aggregate_by(by, of_types(&all_grader_errors(rule_set, right), errors.sum()));
                if by.is_empty() {
                    let rate = errors.over(&names::FORMS);
                    let share = of_types(&grader_error_share(rule_set, right), rate);
                    builder.aggregate(share.over(&names::MEANING, meaning(right)));
                }
            }
        }
    }
}

/// The errors of each rule set, question type by question type.
fn table(board: &Scoreboard) -> Table {
    let lookup = Lookup::of(board);
    let title = "Forms of right answers that mean the same, near misses, and what each rule set accepts or \
                 rejects of them in error";
    let rule_sets = || RuleSet::ALL.into_iter().rev();
    let errors = rule_sets().flat_map(|it| [format!("accepts {it}"), format!("rejects {it}")]);
    let columns = ["same", "near misses"].map(str::to_owned).into_iter().chain(errors);
    let mut table = Table::of_numbers(title, "question", columns);
    let mut row = |title: &str, group: &Group| {
        let of_meaning = |right| group.clone().and(&names::MEANING, meaning(right));
        let forms = |right| lookup.rounded(&names::ALL_FORMS, &of_meaning(right), 0);
        let errors = |it, right| lookup.rounded(&all_grader_errors(it, right), group, 0);
        let errors = rule_sets().flat_map(|it| [errors(it, false), errors(it, true)]);
        let counts = [forms(true), forms(false)].into_iter().chain(errors);
        table.rows.push([title.to_owned()].into_iter().chain(counts).collect());
    };
    let questions: BTreeSet<&str> =
        board.rows.iter().filter_map(|row| row.label_of(&names::QUESTION)).collect();
    for question in questions {
        row(question, &What::FormsOfType.rows().and(&names::QUESTION, question));
    }
    row("all", &What::FormsOfType.rows());
    table
}
