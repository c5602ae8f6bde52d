//! What a run of COMPREHEND asks, of which runs and how: all that a scoreboard is made from besides what a
//! model replied. It is kept in the run's folder, so that stored replies can be graded again.
//!
//! The file holds questions, truths and answers about the transcripts that were read, which may be
//! private: it stays where the run was made, while a scoreboard holds nothing of a named transcript.

use std::collections::BTreeMap;
use std::fs;
use std::io::Write as _;
use std::path::Path;

use anyhow::{Context as _, bail};
use corpus_gen::GENERATOR_VERSION;
use scoreboards::Renderer;
use serde::{Deserialize, Serialize};
use trace_model::ids::Sha256;
use trace_model::redact;
use trace_model::view::flatlog::EVENT_CHARS;

use super::conditions::{CHARS_PER_TOKEN, Caps};
use super::mechanical;
use super::model_reader::calls::Calls;
use super::model_reader::reader::Reader;
use super::prepare::{Plan, PreparedRun};

/// The format of the file.
const SCHEMA: &str = "tracefold-comprehend-run/2";

/// What every version of the file has.
#[derive(Deserialize)]
struct Head {
    schema: String,
}

/// What is asked, of which runs and how.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) struct Setup {
    schema: String,
    /// The version of the code that compiled the contexts and found the truths.
    pub(super) code_version: String,
    /// The settings that change what a result means.
    pub(super) protocol: BTreeMap<String, String>,
    /// What made the conditions' texts.
    pub(super) renderers: BTreeMap<String, Renderer>,
    /// The question packs.
    pub(super) packs: Vec<String>,
    /// Whether reader `mechanical` answers.
    pub(super) mechanical: bool,
    /// The model that answers, if one does.
    pub(super) reader: Option<Reader>,
    /// Where that model's replies are, once it is asked.
    pub(super) calls: Option<Calls>,
    /// Remarks on the inputs.
    pub(super) remarks: Vec<String>,
    /// The runs, with their questions.
    pub(super) runs: Vec<PreparedRun>,
}

impl Setup {
    pub(super) fn new(
        plan: &Plan,
        reader: Option<Reader>,
        runs: Vec<PreparedRun>,
        remarks: Vec<String>,
    ) -> Self {
        let mut protocol = protocol(plan);
        if let Some(reader) = &reader {
            protocol.extend(reader.protocol());
        }
        let stamps = plan.conditions.iter().map(|it| (it.name.to_string(), it.stamp()));
        Self {
            schema: SCHEMA.to_owned(),
            code_version: env!("CARGO_PKG_VERSION").to_owned(),
            protocol,
            renderers: stamps.collect(),
            packs: plan.packs.iter().map(|pack| pack.name().to_owned()).collect(),
            mechanical: plan.mechanical,
            reader,
            calls: None,
            remarks,
            runs,
        }
    }

    /// A digest of the questions and contexts: equal for two runs that are asked the same.
    pub(super) fn digest(&self) -> Sha256 {
        let mut parts = Vec::new();
        for run in &self.runs {
            parts.push(run.name.clone());
            parts.extend(run.questions().map(|it| format!("{}\0{}", it.id, it.text)));
            parts.extend(run.conditions.iter().map(|context| {
                let text = context.text.as_deref().unwrap_or_default();
                format!("{}\0{}", context.condition, Sha256::of(text))
            }));
        }
        let parts: Vec<&[u8]> = parts.iter().flat_map(|it| [it.as_bytes(), b"\0"]).collect();
        Sha256::of_parts(&parts)
    }

    /// Reads the file.
    ///
    /// # Errors
    /// If it cannot be read, or is not of this format.
    pub(super) fn load(path: &Path) -> anyhow::Result<Self> {
        let text = fs::read(path).with_context(|| format!("cannot read {}", path.display()))?;
        let remedy = "name the folder of a COMPREHEND run, such as out/comprehend/NAME";
        let head: Head = serde_json::from_slice(&text)
            .with_context(|| format!("{} is not the record of a run; {remedy}", path.display()))?;
        if head.schema != SCHEMA {
            bail!(
                "{} has the format `{}`, but this version reads {SCHEMA}: use the version that wrote it, \
                 or move its folder away to ask and pay again",
                path.display(),
                head.schema
            );
        }
        serde_json::from_slice(&text).with_context(|| format!("{} is damaged", path.display()))
    }

    /// Writes the file whole: a run that is stopped leaves the old one or the new one.
    ///
    /// # Errors
    /// If it cannot be written.
    pub(super) fn save(&self, path: &Path) -> anyhow::Result<()> {
        let write = || -> anyhow::Result<()> {
            let folder = path.parent().unwrap_or(Path::new("."));
            let mut file = tempfile::NamedTempFile::new_in(folder)?;
            serde_json::to_writer(file.as_file_mut(), self)?;
            file.as_file_mut().flush()?;
            file.persist(path)?;
            Ok(())
        };
        write().with_context(|| format!("cannot write {}", path.display()))
    }
}

fn protocol(plan: &Plan) -> BTreeMap<String, String> {
    let Caps { raw_chars, flatlog_chars, view, handover: _ } = &plan.caps;
    let redaction = match &plan.redactor {
        Some(_) => redact::RULE_SET,
        None => "off: no text was sent anywhere, or --no-redact was given",
    };
    let facts = [
        ("corpus.generator_version", GENERATOR_VERSION.to_string()),
        ("condition.flatlog.chars", flatlog_chars.to_string()),
        ("condition.flatlog.event_chars", EVENT_CHARS.to_string()),
        ("condition.raw.chars", raw_chars.to_string()),
        ("condition.redaction", redaction.to_owned()),
        ("condition.view", format!("{view:?}")),
        ("questions.seed", plan.question_seed.to_string()),
        (
            "reader.blind",
            "the best constant answer of each question type that was found".to_owned(),
        ),
        (
            "reader.mechanical",
            format!("version {}: what is shown is taken for all there is", mechanical::VERSION),
        ),
        ("tokens.estimate", format!("characters / {CHARS_PER_TOKEN}; no tokenizer was run")),
    ];
    let budgets = plan.conditions.iter().filter_map(|condition| {
        let most = condition.most_chars?;
        Some((format!("condition.{}.chars", condition.name), most.to_string()))
    });
    facts.map(|(name, value)| (name.to_owned(), value)).into_iter().chain(budgets).collect()
}
