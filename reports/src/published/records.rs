//! The files' records, field by field. An empty field is `None`: not released.

use rust_decimal::Decimal;
use serde::Deserialize;

/// One run of `cells.csv`.
#[derive(Debug, Clone, Deserialize)]
pub(super) struct CellRecord {
    pub(super) run_key: String,
    pub(super) family: String,
    pub(super) links: Option<u32>,
    pub(super) arm: String,
    pub(super) cached: String,
    pub(super) errors_injected: String,
    pub(super) renderer: String,
    pub(super) seed: String,
    pub(super) success: Decimal,
    pub(super) cost_usd: Option<Decimal>,
    pub(super) summarizer_cost_usd: Option<Decimal>,
    pub(super) passed: u8,
    pub(super) steps: Option<u64>,
    pub(super) cache_read: Option<u64>,
    pub(super) group: String,
}

/// One run of `rows.csv`.
#[derive(Debug, Clone, Deserialize)]
pub(super) struct RowRecord {
    pub(super) version: String,
    pub(super) policy: String,
    pub(super) seed: String,
    pub(super) success: Decimal,
    pub(super) steps: Option<u64>,
    pub(super) input_tokens: Option<u64>,
    pub(super) output_tokens: Option<u64>,
    pub(super) cache_read_tokens: Option<u64>,
    pub(super) cache_creation_tokens: Option<u64>,
    pub(super) cost_usd: Option<Decimal>,
    pub(super) curator_cost_usd: Option<Decimal>,
    pub(super) family: String,
    pub(super) n_links: Option<u32>,
    pub(super) arm: String,
    pub(super) summarizer_cost_usd: Option<Decimal>,
    pub(super) refusals: Option<u64>,
    pub(super) refresh_every: Option<u64>,
}

/// One cell of `cells_aggregate.csv`.
#[derive(Debug, Clone, Deserialize)]
pub(super) struct AggregateRecord {
    pub(super) run_key: String,
    pub(super) family: String,
    pub(super) links: Option<u32>,
    pub(super) arm: String,
    pub(super) cached: String,
    pub(super) errors_injected: String,
    pub(super) n: Option<u64>,
    pub(super) success_rate: Option<Decimal>,
    pub(super) mean_cost: Option<Decimal>,
    pub(super) mean_input_tokens: Option<Decimal>,
    pub(super) cache_read: Option<Decimal>,
    pub(super) cache_write: Option<Decimal>,
}

/// One reader under one condition, of `comprehend.csv`.
#[derive(Debug, Clone, Deserialize)]
pub(super) struct AnswersRecord {
    pub(super) run_key: String,
    pub(super) corpus: String,
    pub(super) reader: String,
    pub(super) condition: String,
    pub(super) n_transcripts: u64,
    pub(super) n_questions: u64,
    pub(super) accuracy: Decimal,
    pub(super) input_tokens: u64,
    pub(super) cost_usd: Decimal,
    pub(super) latest_ask: Decimal,
    pub(super) n_turns: Decimal,
    pub(super) top_tool: Decimal,
    pub(super) files: Decimal,
    pub(super) last_error: Decimal,
    pub(super) dangling: Decimal,
}

/// One interval of `comprehend_intervals.csv`.
#[derive(Debug, Clone, Deserialize)]
pub(super) struct IntervalRecord {
    pub(super) corpus: String,
    pub(super) reader: String,
    pub(super) condition: String,
    pub(super) mean: Decimal,
    pub(super) lo: Decimal,
    pub(super) hi: Decimal,
}

/// Outcomes counted in pairs, of `paired.csv`.
#[derive(Debug, Clone, Deserialize)]
pub struct PairedRecord {
    /// Which comparison.
    pub run_key: String,
    /// Seeds that only the curated arm passed.
    pub curated_only: u64,
    /// Seeds that only the full arm passed.
    pub full_only: u64,
    /// The p-value stated.
    pub mcnemar_p: String,
}

/// One pathology of `detect.csv`.
#[derive(Debug, Clone, Deserialize)]
pub struct DetectRecord {
    /// The pathology.
    pub kind: String,
    /// True positives.
    pub tp: u64,
    /// False positives.
    pub fp: u64,
    /// False negatives.
    pub r#fn: u64,
    /// Mean lead over the label's end, in events.
    pub mean_lead_events: Decimal,
    /// Traces.
    pub n_traces: u64,
    /// Alarms on clean traces.
    pub clean_trace_false_positives: u64,
}

/// One field of `fidelity.csv`.
#[derive(Debug, Clone, Deserialize)]
pub struct FidelityRecord {
    /// The field; `overall` for all of them.
    pub field: String,
    /// Share of agreement.
    pub agreement: Decimal,
    /// Disagreements.
    pub mismatches: u64,
}

/// One measure of a corpus's shape, of `comprehend_corpus.csv`.
#[derive(Debug, Clone, Deserialize)]
pub struct CorpusRecord {
    /// The corpus.
    pub corpus: String,
    /// What was measured.
    pub measure: String,
    /// Its median, or its only value.
    pub median: Decimal,
    /// The minimum.
    pub lo: Option<Decimal>,
    /// The most.
    pub hi: Option<Decimal>,
}
