//! `detect`: the detectors over labelled traces.

pub(crate) use harnesses::detect::DetectArgs;

use crate::errors::Outcome;

pub(crate) fn run(args: &DetectArgs) -> anyhow::Result<Outcome> {
    Ok(harnesses::detect::command(args)?.into())
}
