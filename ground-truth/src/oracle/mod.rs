//! The oracle: a recount of every checkable field of a run from its raw JSON, as naively as possible.
//!
//! It is the arbiter of the FIDELITY instrument. Each field is computed by a function of its own that
//! passes over the whole list of records or events and can be read beside the section of
//! `docs/DEFINITIONS.md` that it names. Nothing is incremental, nothing is shared with the fold, and
//! memory is not spared. The harnesses use this module, to compare it with the fold, and `questions`, for
//! the truth.
//!
//! The order of reading: `files` finds the files of a run, `lines` cuts them into JSON objects, which `parse`
//! reads with another parser than the fold, `ledger` makes records and events of those, `prompts`, `turns`,
//! `tools`, `tasks`, `api`, `stated`, `changes`, `tally` and `facts` count (`facts` in `exact` numbers),
//! [`recount`](recount()) puts it together, [`fields`] names it for comparison, [`mod@dollars`] prices the
//! calls, and [`mod@estimate`] says what output was never stated. [`timeline`](timeline()) lists the same calls and prompts in order, for the questions,
//! and `past` (with `input`) the items of the main thread, for `replay`.

mod api;
mod api_call;
mod by_format;
mod calls;
mod changes;
mod claude_code;
mod codex;
mod date;
pub mod dollars;
pub mod estimate;
mod event;
mod exact;
mod facts;
pub mod fields;
mod files;
mod harness_text;
mod input;
mod iterations;
mod json;
mod ledger;
mod lines;
mod parse;
mod past;
mod prompts;
mod record_types;
mod recount;
mod run_files;
mod stated;
mod tally;
mod task;
mod tasks;
mod timeline;
mod tool_call;
mod tools;
mod turns;
mod unstated;
mod usage_report;

pub use api_call::{ApiCall, ModelTotals, Tokens, Unattributed, Unstated};
pub use by_format::{recount, timeline};
pub use changes::TrackedValue;
pub use dollars::{
    DOLLAR_FIELD_NAMES, Dollars, LongContext, PriceLine, PriceTable, Rates, dollars,
};
pub use estimate::{ESTIMATE_FIELD_NAMES, Estimate, Scale, Scales, estimate};
pub use exact::{Exact, NotExact};
pub use facts::{Aggregate, Fact};
pub use fields::{FIELD_NAMES, FieldValue, fact_text};
pub use files::OracleError;
pub(crate) use input::Input;
pub(crate) use past::{Item, ItemKind, Past, past};
pub use recount::Recount;
pub use run_files::{Format, RunFiles};
pub use timeline::{TimedCall, TimedMessage, TimedResult, Timeline};
pub use tool_call::CallState;
