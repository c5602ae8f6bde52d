//! Models behind an API, and the runner that calls them: used by every instrument that asks a model.
//!
//! A [`Request`] is provider-neutral. A [`Backend`] puts it on the wire: an endpoint over HTTP
//! ([`http::Endpoint`]) or a scripted stand-in. The [`Runner`] makes the call: within a limit of concurrency
//! that gives way to a provider's complaints, with retries that are on record, within a budget that no race can
//! exceed, with a ledger of spending and a cassette of what was answered. [`run_all`] drives many jobs over it,
//! and a [`Journal`] keeps their rows so that a run resumes where it stopped.
//!
//! One sample a call, the provider's default decoding. Keys come from the environment only and go
//! nowhere but into a header.

mod args;
mod backend;
mod called;
mod cassette;
mod completion;
mod connect;
mod driver;
mod error;
mod error_kind;
pub mod http;
pub mod journal;
mod key;
pub mod ledger;
mod lines;
pub mod repeats;
pub mod reply;
mod request;
mod runner;
mod stop;
pub mod structured;
pub mod tokens;

pub use args::ModelArgs;
pub use backend::{Backend, BackendId, Failure, Paid, Reply, Scripted, Sending};
pub use called::{AnswerSource, Attempt, AttemptOutcome, Called, Charge};
pub use cassette::{CallKey, Cassette, CassetteError, CassetteMode, Recording};
pub use completion::{Completion, StopReason};
pub use connect::{Connection, RunFolder};
pub use driver::{JobsSummary, Next, run_all};
pub use error::CallError;
pub use error_kind::ErrorKind;
pub use journal::{Identity, Journal, JournalError};
pub use key::ApiKey;
pub use ledger::{Ledger, Spend};
pub use lines::{LinesError, TruncatedLine};
pub use request::{Block, CacheTtl, Message, Provider, Request, Role, Thinking};
pub use runner::{Pricing, Runner, RunnerBuilder, Settings, Status};
pub use stop::StopSignal;

use anyhow::Context as _;

/// Runs asynchronous work from synchronous code, on its own runtime with a thread for each processor.
///
/// # Errors
/// If the runtime cannot be started, or the work's own.
pub fn block_on<T>(work: impl Future<Output = anyhow::Result<T>>) -> anyhow::Result<T> {
    tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .build()
        .context("cannot start the threads that calls are made on")?
        .block_on(work)
}
