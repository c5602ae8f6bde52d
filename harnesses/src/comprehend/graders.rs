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
use scoreboards::{
    AggregateSpec, Corpus, Group, Instrument, Method, Provenance, Row, Scoreboard,
    ScoreboardBuilder, ShowOptions,
};
use trace_model::ids::Sha256;

use crate::common::{CommonArgs, Reporter, Verdict, deliver, parallel, print, today};
use crate::inputs::{Identity, Input, InputArgs, RunInput, corpora};

/// Arguments of `graders`.
#[derive(Debug, Clone, Args)]
pub struct GradersArgs {
    /// Sessions to generate, beside the small runs that come with the program
    #[arg(long, value_enum, default_value = "paper", help_heading = "Inputs")]
    pub profile: ProfileChoice,
    /// Seeds of the sessions: numbers and ranges [default: 201-204]
    #[arg(long, value_name = "LIST", help_heading = "Inputs")]
    pub seeds: Option<Seeds>,
    /// Flags of every instrument.
    #[command(flatten)]
    pub common: CommonArgs,
}

/// The corpus of the runs that come with the program.
const SPECIMENS: &str = "specimens";

/// The seeds of what is asked about a specimen.
const SPECIMEN_SEEDS: std::ops::RangeInclusive<u64> = 1..=4;

/// Measures the graders, and fails if the rules that hold now make an error.
pub(super) fn command(args: &GradersArgs) -> anyhow::Result<Verdict> {
    let progress = Reporter::new(args.common.quiet);
    let board = measure(args, &progress)?;
    let is_total = |over: &Group| !over.0.contains_key("question");
    let totals = board.aggregates.iter().take_while(|it| is_total(&it.spec.over)).count();
    let options = ShowOptions { max_aggregates: totals, ..ShowOptions::default() };
    deliver(&board, &args.common, &progress, options)?;
    if !args.common.json {
        print(&table(&board))?;
    }
    let errors = board.rows.iter().filter(|row| row.labels["what"] == "error");
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
    let measured = parallel::map(&sources, args.common.jobs(), |input| {
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

/// How many forms there are, and how many of them each rule set gets wrong.
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

/// The measure of a rule set's errors on forms of one meaning.
fn measure_of(rule_set: RuleSet, right: bool) -> String {
    let name = rule_set.name().replace('/', "_");
    format!("{name}_{}", if right { "false_rejects" } else { "false_accepts" })
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
            header.graders.insert(measure_of(rule_set, right), rule_set.name().to_owned());
        }
    }
    let mut builder = ScoreboardBuilder::new(header);
    builder.rows(rows(counts));
    declare(&mut builder);
    builder.finish().context("the graders' scoreboard cannot be built")
}

/// A row a question type and meaning, one a kind of form and meaning, and one an error.
fn rows(counts: &Counts) -> Vec<Row> {
    let counted = |row: Row, count: &Count, right: bool| {
        let row = row.label("meaning", meaning(right)).count("forms", count.forms);
        count.errors.iter().fold(row, |row, (rule_set, errors)| {
            let none = measure_of(*rule_set, !right);
            row.count(measure_of(*rule_set, right), *errors).count(none, 0)
        })
    };
    let types = counts.types.iter().map(|((question, right), count)| {
        let row = Row::new(format!("type/{question}/{}", meaning(*right)));
        counted(row.label("what", "type").label("question", question), count, *right)
    });
    let kinds = counts.kinds.iter().map(|((kind, right), (count, types))| {
        let row = Row::new(format!("kind/{kind}/{}", meaning(*right)));
        let row = row.label("what", "kind").count("question_types", types.len() as u64);
        counted(row.label("kind", *kind), count, *right)
    });
    let faults = counts.faults.iter().map(|fault| {
        Row::new(format!("error/{}", fault.id))
            .label("what", "error")
            .label("question", &fault.question)
            .label("meaning", meaning(fault.right))
            .text("answer", &fault.answer)
            .text("truth", &fault.truth)
    });
    types.chain(kinds).chain(faults).collect()
}

/// Names of aggregates that the table is made from.
const FORMS: &str = "forms";

fn errors_of(rule_set: RuleSet, right: bool) -> String {
    let what = if right { "false rejects" } else { "false accepts" };
    format!("{what}, {rule_set}")
}

fn declare(builder: &mut ScoreboardBuilder) {
    let sum = |measure: &str| Method::Sum { measure: measure.to_owned() };
    let of_types = |name: &str, method| AggregateSpec::new(name, method).over("what", "type");
    let kinds = Method::Distinct { label: "kind".to_owned() };
    builder.aggregate(AggregateSpec::new("kinds of form", kinds).over("what", "kind"));
    // The sums first: those are shown.
    for by in [&[][..], &["question"]] {
        builder.aggregate_by(&[by, &["meaning"]].concat(), of_types(FORMS, sum("forms")));
        for rule_set in RuleSet::ALL.into_iter().rev() {
            for right in [false, true] {
                let errors = measure_of(rule_set, right);
                let name = errors_of(rule_set, right);
                builder.aggregate_by(by, of_types(&name, sum(&errors)));
                if by.is_empty() {
                    let rate = Method::RatioOfSums { num: errors, den: "forms".to_owned() };
                    let share = of_types(&format!("share of {name}"), rate);
                    builder.aggregate(share.over("meaning", meaning(right)));
                }
            }
        }
    }
}

/// The errors of each rule set, question type by question type.
fn table(board: &Scoreboard) -> String {
    let value = |name: &str, over: Group| {
        let found = board.aggregate(name, &over).and_then(|it| it.outcome.value.decimal());
        found.map_or_else(|| "-".to_owned(), |value| value.normalize().to_string())
    };
    let of_types = || Group::all().and("what", "type");
    let row = |title: &str, group: &dyn Fn() -> Group| {
        let mut row = vec![title.to_owned()];
        row.extend([true, false].map(|it| value(FORMS, group().and("meaning", meaning(it)))));
        for rule_set in RuleSet::ALL.into_iter().rev() {
            row.extend([false, true].map(|right| value(&errors_of(rule_set, right), group())));
        }
        row
    };
    let questions: BTreeSet<&String> =
        board.rows.iter().filter_map(|row| row.labels.get("question")).collect();
    let mut rows: Vec<Vec<String>> = questions
        .into_iter()
        .map(|question| row(question, &|| of_types().and("question", question)))
        .collect();
    rows.push(row("all", &of_types));
    let errors = RuleSet::ALL
        .into_iter()
        .rev()
        .flat_map(|rule_set| [format!("accepts {rule_set}"), format!("rejects {rule_set}")]);
    let header: Vec<String> =
        ["question", "same", "near misses"].map(str::to_owned).into_iter().chain(errors).collect();
    let header: Vec<&str> = header.iter().map(String::as_str).collect();
    let numeric: Vec<usize> = (1..header.len()).collect();
    let title = "\nForms of right answers that mean the same, near misses, and what each rule set accepts or \
                 rejects of them in error\n";
    format!("{title}{}\n", scoreboards::table(&header, &numeric, rows).trim_end())
}
