//! The runner: makes calls for many tasks at once. See [`Runner::call`].

mod attempt;
mod budget;
mod limiter;
mod pricing;
mod single_flight;
mod status;

use std::panic::resume_unwind;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;

use tokio::task::JoinSet;
use trace_model::pricing::{Dollars, PriceTable};

use super::backend::Backend;
use super::called::Called;
use super::cassette::{CallKey, Cassette, CassetteError, CassetteMode};
use super::error::CallError;
use super::error_kind::ErrorKind;
use super::ledger::Ledger;
use super::lines::LinesError;
use super::request::Request;
use super::stop::StopSignal;

use budget::Budget;
use limiter::Limiter;
pub use pricing::Pricing;
use single_flight::SingleFlight;
pub use status::Status;

/// How calls are made.
#[derive(Debug, Clone)]
pub struct Settings {
    /// Maximum concurrent attempts.
    pub concurrency: usize,
    /// Retries per call after a transient failure.
    pub max_retries: u32,
    /// The wait before the first retry; it doubles with each, and up to as much again is added at random.
    pub first_wait: Duration,
    /// The longest wait, whatever the provider asks for; beyond it the call fails.
    pub longest_wait: Duration,
    /// Maximum dollars to spend, including what the ledger holds.
    pub budget: Option<Dollars>,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            concurrency: 8,
            max_retries: 5,
            first_wait: Duration::from_millis(500),
            longest_wait: Duration::from_secs(120),
            budget: None,
        }
    }
}

/// Makes calls. Its clones are the same runner.
#[derive(Clone)]
pub struct Runner(Arc<Inner>);

struct Inner {
    backend: Box<dyn Backend>,
    settings: Settings,
    pricing: Pricing,
    limiter: Limiter,
    budget: Option<Budget>,
    ledger: Ledger,
    cassette: Option<Cassette>,
    single_flight: SingleFlight,
    stop: StopSignal,
    retries: AtomicU64,
    replayed: AtomicU64,
    /// Whether the endpoint was reached at all.
    reached: AtomicBool,
}

/// Puts a runner together.
pub struct RunnerBuilder {
    backend: Box<dyn Backend>,
    settings: Settings,
    pricing: Pricing,
    ledger: Ledger,
    cassette: Option<Cassette>,
    stop: StopSignal,
}

impl RunnerBuilder {
    /// How calls are made.
    #[must_use]
    pub fn settings(self, settings: Settings) -> Self {
        Self { settings, ..self }
    }

    /// Prices of calls; by default, the newest of the built-in table.
    #[must_use]
    pub fn pricing(self, pricing: Pricing) -> Self {
        Self { pricing, ..self }
    }

    /// Where spending is recorded; `None` for nowhere.
    #[must_use]
    pub fn ledger(self, ledger: Ledger) -> Self {
        Self { ledger, ..self }
    }

    /// Where answers are recorded and found again; without, nowhere.
    #[must_use]
    pub fn cassette(self, cassette: Cassette) -> Self {
        Self { cassette: Some(cassette), ..self }
    }

    /// Stops the run.
    #[must_use]
    pub fn stop(self, stop: StopSignal) -> Self {
        Self { stop, ..self }
    }

    /// The runner.
    ///
    /// # Errors
    /// [`ErrorKind::Unpriced`] if there is a budget, but what the ledger holds cannot be counted against
    /// it.
    pub fn build(self) -> Result<Runner, CallError> {
        let Self { backend, settings, pricing, ledger, cassette, stop } = self;
        let spend = ledger.spend();
        if settings.budget.is_some() && spend.unpriced > 0 {
            let detail = format!(
                "the run has {} attempts already whose cost is not known: go on without --budget, or \
                 begin a new run",
                spend.unpriced
            );
            return Err(CallError::new(ErrorKind::Unpriced, backend.host(), detail));
        }
        Ok(Runner(Arc::new(Inner {
            limiter: Limiter::new(settings.concurrency),
            budget: settings.budget.map(|cap| Budget::new(cap, spend.dollars())),
            backend,
            settings,
            pricing,
            ledger,
            cassette,
            single_flight: SingleFlight::default(),
            stop,
            retries: AtomicU64::new(0),
            replayed: AtomicU64::new(0),
            reached: AtomicBool::new(false),
        })))
    }
}

impl Runner {
    /// Begins to put a runner together.
    pub fn builder(backend: impl Backend + 'static) -> RunnerBuilder {
        RunnerBuilder {
            backend: Box::new(backend),
            settings: Settings::default(),
            pricing: Pricing::new(PriceTable::builtin(), None),
            ledger: Ledger::in_memory(),
            cassette: None,
            stop: StopSignal::new(),
        }
    }

    /// Makes the `repeat`th call of a request, from 0: answers it from the cassette if it holds it, and
    /// otherwise asks the endpoint, again where a failure may pass, within the limits of concurrency and
    /// budget. The answer is in the cassette and its cost in the ledger before this returns.
    ///
    /// Waits for a place by itself, so any number of tasks may call, on a runtime of tokio. Refusals, empty
    /// answers and answers cut at the limit are answers.
    ///
    /// # Errors
    /// With attempts and spending. [`ErrorKind::ends_run`] says whether other calls make sense.
    pub async fn call(&self, request: &Request, repeat: u32) -> Result<Called, CallError> {
        let (inner, request) = (Arc::clone(&self.0), request.clone());
        // A task of its own, so that many calls have all processors; it ends when its caller is dropped.
        let mut task = JoinSet::new();
        task.spawn(async move { inner.call(&request, repeat).await });
        match task.join_next().await {
            Some(Ok(called)) => called,
            Some(Err(error)) if error.is_panic() => resume_unwind(error.into_panic()),
            Some(Err(_)) | None => Err(self.0.error(ErrorKind::Stopping, "the run has ended")),
        }
    }

    /// Maximum cost of a call, the same bound that the budget reserves; for plans.
    ///
    /// # Errors
    /// If there is no price.
    pub fn most(&self, request: &Request) -> Result<Dollars, CallError> {
        self.0.most(request)
    }

    /// What a call is recorded under.
    #[must_use]
    pub fn key(&self, request: &Request, repeat: u32) -> CallKey {
        CallKey::of(self.0.backend.id(), request, repeat)
    }

    /// What it is doing.
    #[must_use]
    pub fn status(&self) -> Status {
        let (concurrency, under_way) = self.0.limiter.now();
        Status {
            concurrency,
            under_way,
            retries: self.0.retries.load(Ordering::Relaxed),
            replayed: self.0.replayed.load(Ordering::Relaxed),
            spend: self.0.ledger.spend(),
            budget: self.0.settings.budget,
        }
    }

    /// Where spending is recorded.
    #[must_use]
    pub fn ledger(&self) -> &Ledger {
        &self.0.ledger
    }

    /// The prices of calls.
    #[must_use]
    pub fn pricing(&self) -> &Pricing {
        &self.0.pricing
    }

    /// Stops the run.
    #[must_use]
    pub fn stop(&self) -> &StopSignal {
        &self.0.stop
    }

    /// How many jobs to keep in flight so that no slot stays empty.
    #[must_use]
    pub fn jobs(&self) -> usize {
        self.0.settings.concurrency.max(1)
    }
}

impl Inner {
    async fn call(&self, request: &Request, repeat: u32) -> Result<Called, CallError> {
        let key = CallKey::of(self.backend.id(), request, repeat);
        // If the same call is in flight already, its answer will be in the cassette.
        let _only = match &self.cassette {
            Some(_) => Some(self.single_flight.enter(key).await),
            None => None,
        };
        if let Some(called) = self.recorded(key)? {
            self.replayed.fetch_add(1, Ordering::Relaxed);
            return Ok(called);
        }
        if let Some(cassette) = &self.cassette
            && cassette.mode() == CassetteMode::Strict
        {
            let detail = format!("{} has no call {key}", cassette.folder().display());
            return Err(self.error(ErrorKind::CassetteMiss, detail));
        }
        self.call_live(request, repeat, key).await
    }

    /// The recorded answer to a call, if there is one.
    fn recorded(&self, key: CallKey) -> Result<Option<Called>, CallError> {
        let Some(cassette) = &self.cassette else { return Ok(None) };
        let found = cassette.load(key).map_err(|error| self.cassette_error(&error))?;
        Ok(found.map(|found| self.pricing.replay(found)))
    }

    fn most(&self, request: &Request) -> Result<Dollars, CallError> {
        let input = self.backend.most_input_tokens(request);
        self.pricing.most(request, input).map_err(|reason| {
            self.error(ErrorKind::Unpriced, format!("`{}`: {reason}", request.model))
        })
    }

    fn cassette_error(&self, error: &CassetteError) -> CallError {
        let kind = match error {
            CassetteError::Corrupt { .. }
            | CassetteError::Format { .. }
            | CassetteError::Lines(LinesError::Corrupt { .. }) => ErrorKind::CassetteCorrupt,
            CassetteError::Io { .. } | CassetteError::Lines(_) => ErrorKind::Storage,
        };
        self.error(kind, error.to_string())
    }

    fn error(&self, kind: ErrorKind, detail: impl Into<String>) -> CallError {
        CallError::new(kind, self.backend.host(), detail)
    }
}
