//! A call made live: attempt after attempt, until there is an answer or another cannot help.

use std::sync::atomic::Ordering;
use std::time::Duration;

use backon::{BackoffBuilder as _, ExponentialBuilder};
use tokio::time::sleep;
use trace_model::pricing::{Dollars, Priced};

use super::super::backend::{Failure, Paid, Reply};
use super::super::called::{AnswerSource, Attempt, AttemptOutcome, Called, Charge};
use super::super::cassette::{CallKey, Recording};
use super::super::error::CallError;
use super::super::error_kind::ErrorKind;
use super::super::lines::LinesError;
use super::super::request::Request;
use super::Inner;
use super::budget::Reserved;
use super::limiter::Permit;
use crate::usage::TokenUsage;

/// A finished attempt and what is known about it.
struct FinishedAttempt {
    attempt: Attempt,
    result: Result<Reply, Failure>,
}

impl Inner {
    pub(super) async fn call_live(
        &self,
        request: &Request,
        repeat: u32,
        key: CallKey,
    ) -> Result<Called, CallError> {
        let mut attempts = Vec::new();
        let mut waits = self.waits();
        let mut waited = Duration::ZERO;
        loop {
            let tried = match self.attempt(request, waited).await {
                Ok(tried) => tried,
                Err(error) => return Err(with_attempts(error, attempts)),
            };
            attempts.push(tried.attempt);
            let failure = match tried.result {
                Ok(reply) => return self.answered(request, repeat, key, attempts, reply),
                Err(failure) => failure,
            };
            let wait = match self.wait_after(&failure, &mut waits) {
                Ok(wait) => wait,
                Err(kind) => {
                    return Err(with_attempts(self.error(kind, failure.detail), attempts));
                }
            };
            tokio::select! {
                () = sleep(wait) => {}
                () = self.stop.requested() => {
                    let detail = format!("before a retry: {}", failure.kind);
                    let error = self.error(ErrorKind::Stopping, detail);
                    return Err(with_attempts(error, attempts));
                }
            }
            self.retries.fetch_add(1, Ordering::Relaxed);
            waited = wait;
        }
    }

    /// The waits before retries, as many as there may be.
    fn waits(&self) -> impl Iterator<Item = Duration> + use<> {
        ExponentialBuilder::default()
            .with_min_delay(self.settings.first_wait)
            .with_max_delay(self.settings.longest_wait)
            .with_factor(2.0)
            .with_max_times(self.settings.max_retries as usize)
            .with_jitter()
            .build()
    }

    /// How long to wait after a failure, or the final outcome if there is no further attempt.
    fn wait_after(
        &self,
        failure: &Failure,
        waits: &mut impl Iterator<Item = Duration>,
    ) -> Result<Duration, ErrorKind> {
        let give_up = || failure.kind.clone();
        // A server that was never there is not waited for: the address is wrong, or it does not run.
        let never_there =
            failure.kind == ErrorKind::Unreachable && !self.reached.load(Ordering::Relaxed);
        if !failure.kind.is_retryable() || never_there {
            return Err(give_up());
        }
        let asked = failure.kind.retry_after().unwrap_or_default();
        if asked > self.settings.longest_wait {
            return Err(ErrorKind::AskedToWait { retry_after: asked });
        }
        Ok(waits.next().ok_or_else(give_up)?.max(asked))
    }

    /// One attempt: a place, a reservation, a line in the ledger, the request, and the same in reverse.
    async fn attempt(
        &self,
        request: &Request,
        waited: Duration,
    ) -> Result<FinishedAttempt, CallError> {
        let most = self.most(request);
        let (permit, reserved) = tokio::select! {
            biased;
            () = self.stop.requested() => return Err(self.error(ErrorKind::Stopping, "")),
            ready = self.admit(most.clone()) => ready?,
        };
        let (model, most) = (&request.model, most.ok());
        let number = self.ledger.begin(model, most).map_err(|error| self.ledger_error(&error))?;
        let lost = AbandonGuard { inner: self, number, armed: true };
        let result = tokio::select! {
            result = self.backend.send(request) => result,
            () = self.stop.aborted() => Err(Failure {
                kind: ErrorKind::Stopping,
                detail: "a call in flight was dropped".to_owned(),
                status: None,
                paid: Paid::Unknown,
            }),
        };
        self.complain_or_not(&permit, &result);
        drop(permit);
        let (charge, usage) = self.charge(request, most, &result);
        let attempt = Attempt {
            outcome: match &result {
                Ok(_) => AttemptOutcome::Completed,
                Err(failure) => AttemptOutcome::Failed(failure.kind.clone()),
            },
            status: match &result {
                Ok(reply) => Some(reply.status),
                Err(failure) => failure.status,
            },
            waited_ms: u64::try_from(waited.as_millis()).unwrap_or(u64::MAX),
            charge,
        };
        lost.disarm();
        if let Some(reserved) = reserved {
            reserved.settle(charge.dollars());
        }
        self.ledger
            .settle(number, attempt.outcome.clone(), usage, charge)
            .map_err(|error| self.ledger_error(&error))?;
        Ok(FinishedAttempt { attempt, result })
    }

    /// A place, and with a budget a reservation.
    async fn admit(
        &self,
        most: Result<Dollars, CallError>,
    ) -> Result<(Permit<'_>, Option<Reserved<'_>>), CallError> {
        // The place comes first: what is set aside and then not sent would count as spent.
        let permit = self.limiter.acquire().await;
        let reserved = match &self.budget {
            None => None,
            Some(budget) => {
                let most = most?;
                let reserved = budget.reserve(most).await.map_err(|exhausted| {
                    let detail = format!(
                        "{} of {} are spent, and the next call can cost {most}",
                        exhausted.spent, exhausted.cap
                    );
                    self.error(ErrorKind::BudgetExhausted, detail)
                })?;
                Some(reserved)
            }
        };
        Ok((permit, reserved))
    }

    fn complain_or_not(&self, permit: &Permit<'_>, result: &Result<Reply, Failure>) {
        let status = match result {
            Ok(reply) => Some(reply.status),
            Err(failure) => failure.status,
        };
        if status.is_some() {
            self.reached.store(true, Ordering::Relaxed);
        }
        match result {
            Ok(_) => permit.answered(),
            Err(failure) if failure.kind.is_congestion() => {
                let wait = failure.kind.retry_after();
                permit.complained(wait.filter(|wait| *wait <= self.settings.longest_wait));
            }
            Err(_) => {}
        }
    }

    /// What an attempt cost, and its usage if known.
    fn charge(
        &self,
        request: &Request,
        most: Option<Dollars>,
        result: &Result<Reply, Failure>,
    ) -> (Charge, Option<TokenUsage>) {
        let assumed = most.map_or(Charge::Unpriced, Charge::Assumed);
        let known = |priced: Option<Priced>| match priced {
            Some(Priced::Cost(cost)) => Charge::Known(cost.dollars),
            Some(Priced::Unpriced { .. }) | None => assumed,
        };
        match result {
            Ok(Reply { completion, .. }) => {
                (known(self.pricing.of_answer(&request.model, completion).0), completion.usage)
            }
            Err(failure) => match failure.paid {
                Paid::Nothing => (Charge::Nothing, None),
                Paid::Usage(usage) => {
                    (known(Some(self.pricing.of(&request.model, &usage))), Some(usage))
                }
                Paid::Unknown => (assumed, None),
            },
        }
    }

    /// Records an answer and hands it over.
    fn answered(
        &self,
        request: &Request,
        repeat: u32,
        key: CallKey,
        attempts: Vec<Attempt>,
        reply: Reply,
    ) -> Result<Called, CallError> {
        let Reply { status, body, completion } = reply;
        if let Some(cassette) = &self.cassette {
            let (endpoint, request) = (self.backend.id().clone(), request.clone());
            let attempts_made = attempts.clone();
            let recording =
                Recording { endpoint, request, repeat, attempts: attempts_made, status, body };
            if let Err(error) = cassette.store(key, &recording) {
                return Err(with_attempts(self.cassette_error(&error), attempts));
            }
        }
        let (priced, priced_as) = self.pricing.of_answer(&request.model, &completion);
        let spent = dollars(&attempts);
        Ok(Called { completion, attempts, priced, priced_as, spent, served: AnswerSource::Live })
    }

    fn ledger_error(&self, error: &LinesError) -> CallError {
        self.error(ErrorKind::Storage, error.to_string())
    }
}

/// Settles an attempt in the ledger at its maximum cost if it is dropped in flight.
struct AbandonGuard<'a> {
    inner: &'a Inner,
    number: u64,
    armed: bool,
}

impl AbandonGuard<'_> {
    fn disarm(mut self) {
        self.armed = false;
    }
}

impl Drop for AbandonGuard<'_> {
    fn drop(&mut self) {
        if self.armed {
            // If it cannot be written now, it is settled the same way when the ledger is next opened.
            let _ = self.inner.ledger.settle_as_lost(self.number);
        }
    }
}

fn dollars(attempts: &[Attempt]) -> Dollars {
    attempts.iter().map(|attempt| attempt.charge.dollars()).sum()
}

fn with_attempts(error: CallError, attempts: Vec<Attempt>) -> CallError {
    CallError { spent: dollars(&attempts), attempts, ..error }
}
