//! `continue`: which context policy lets a worker finish a long task, and at what price.

pub(crate) use harnesses::continuation::ContinueArgs;

use cli_support::Exit;

pub(crate) fn run(args: &ContinueArgs) -> anyhow::Result<Exit> {
    Ok(harnesses::continuation::command(args)?.into())
}
