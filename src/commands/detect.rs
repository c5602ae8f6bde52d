//! `detect`: the detectors over labelled traces.

pub(crate) use harnesses::detect::DetectArgs;

use cli_support::Exit;

pub(crate) fn run(args: &DetectArgs) -> anyhow::Result<Exit> {
    Ok(harnesses::detect::command(args)?.into())
}
