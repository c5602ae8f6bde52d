//! `fidelity`: the fold against an independent recount.

pub(crate) use harnesses::fidelity::FidelityArgs;

use crate::errors::Outcome;

pub(crate) fn run(args: &FidelityArgs) -> anyhow::Result<Outcome> {
    Ok(harnesses::fidelity::command(args)?.into())
}
