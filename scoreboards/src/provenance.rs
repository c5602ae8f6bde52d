//! Where a scoreboard comes from: all that must be equal for two of them to be pooled, and all that
//! explains why they differ. No host name, user name or absolute path belongs here.

use std::collections::BTreeMap;
use std::fmt;

use jiff::civil::Date;
use rust_decimal::Decimal;
use serde::{Deserialize, Serialize};

/// Which instrument made the scoreboard.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Instrument {
    /// Detectors over labelled traces.
    Detect,
    /// Fold against oracle.
    Fidelity,
    /// Questions under each condition.
    Comprehend,
    /// Tasks worked on under each arm.
    Continue,
    /// Contexts over what recorded agents went on to need.
    Replay,
}

impl Instrument {
    /// The name used in files and file names.
    pub fn name(self) -> &'static str {
        match self {
            Self::Detect => "detect",
            Self::Fidelity => "fidelity",
            Self::Comprehend => "comprehend",
            Self::Continue => "continue",
            Self::Replay => "replay",
        }
    }
}

impl fmt::Display for Instrument {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// The header of a scoreboard.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Provenance {
    /// The instrument.
    pub instrument: Instrument,
    /// The day of the run. The caller passes it; this crate reads no clock.
    pub date: Date,
    /// The command line that repeats the run, absolute paths shortened
    /// ([`portable_command`](crate::portable_command)).
    pub command: Vec<String>,
    /// Version of the code that measured.
    pub code_version: String,
    /// What was measured over.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub corpora: Vec<Corpus>,
    /// Settings that change what a result means: error injection, decoding, caps, thresholds.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub protocol: BTreeMap<String, String>,
    /// The renderers whose output was measured, by the name that rows use.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub renderers: BTreeMap<String, Renderer>,
    /// The versioned rule set (`strict/1`) that made each graded measure, by the measure's name.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub graders: BTreeMap<String, String>,
    /// The versioned question pack, such as `monitoring/1`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub question_pack: Option<String>,
    /// The reader or worker.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub answerer: Option<Answerer>,
    /// Date of the price table that dollars were computed with.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub price_table: Option<Date>,
    /// What the run cost.
    #[serde(default)]
    pub spend: Spend,
    /// The machine and build.
    pub environment: Environment,
    /// Anything else a reader must know, such as what was skipped.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<String>,
}

impl Provenance {
    /// A header without optional fields, for the current environment.
    pub fn new(instrument: Instrument, date: Date, code_version: impl Into<String>) -> Self {
        Self {
            instrument,
            date,
            command: Vec::new(),
            code_version: code_version.into(),
            corpora: Vec::new(),
            protocol: BTreeMap::new(),
            renderers: BTreeMap::new(),
            graders: BTreeMap::new(),
            question_pack: None,
            answerer: None,
            price_table: None,
            spend: Spend::default(),
            environment: Environment::current(),
            notes: Vec::new(),
        }
    }
}

/// A set of items that a run measured over.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Corpus {
    /// Its name, such as `sessions/realistic`.
    pub id: String,
    /// SHA-256 of its manifest, in hex; absent for a corpus without one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub manifest_sha256: Option<String>,
    /// The seeds it was generated from.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub seeds: Vec<u64>,
}

/// The code that made a view.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Renderer {
    /// Its name.
    pub name: String,
    /// Its version.
    pub version: String,
    /// The fingerprint it stamps its output with.
    pub fingerprint: String,
}

impl fmt::Display for Renderer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {} ({})", self.name, self.version, self.fingerprint)
    }
}

/// What an [`Answerer`] does.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Role {
    /// Answers questions.
    Reader,
    /// Acts on a task.
    Worker,
}

/// The reader or worker of a run: a model, or `mechanical`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Answerer {
    /// Reader or worker.
    pub role: Role,
    /// Whose endpoint, such as `anthropic`; `none` for the mechanical one.
    pub provider: String,
    /// The model asked for.
    pub model_asked: String,
    /// The models that answered, with the number of calls each.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub models_returned: BTreeMap<String, u64>,
}

/// What a run cost: all zero for one that called no model.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Spend {
    /// Calls made to a model.
    pub calls: u64,
    /// Uncached input tokens.
    pub input_tokens: u64,
    /// Output tokens.
    pub output_tokens: u64,
    /// Tokens read from the cache.
    pub cache_read_tokens: u64,
    /// Tokens written to the cache.
    pub cache_write_tokens: u64,
    /// Dollars for what has a price.
    pub dollars: Decimal,
    /// Tokens that have no price, and so are not in `dollars`.
    pub unpriced_tokens: u64,
}

/// The machine and the build, as far as they can matter to a result.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Environment {
    /// Operating system.
    pub os: String,
    /// Processor architecture.
    pub arch: String,
    /// Processors available.
    pub cpus: u64,
    /// Version of the compiler.
    pub rustc: String,
    /// Version of this package.
    pub package: String,
    /// `debug` or `release`.
    pub build: String,
}
