//! `continue`: which context policy lets a worker finish a long task, and at what price.

pub(crate) use harnesses::continuation::ContinueArgs;

use crate::errors::Outcome;

pub(crate) fn run(args: &ContinueArgs) -> anyhow::Result<Outcome> {
    Ok(harnesses::continuation::command(args)?.into())
}
