//! `comprehend`: what can be answered from what each condition shows of a run.

pub(crate) use harnesses::comprehend::ComprehendArgs;

use cli_support::Exit;

pub(crate) fn run(args: &ComprehendArgs) -> anyhow::Result<Exit> {
    Ok(harnesses::comprehend::command(args)?.into())
}
