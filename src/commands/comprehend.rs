//! `comprehend`: what can be answered from what each condition shows of a run.

pub(crate) use harnesses::comprehend::ComprehendArgs;

use crate::errors::Outcome;

pub(crate) fn run(args: &ComprehendArgs) -> anyhow::Result<Outcome> {
    Ok(harnesses::comprehend::command(args)?.into())
}
