//! `fidelity`: the fold against an independent recount.

pub(crate) use harnesses::fidelity::FidelityArgs;

use cli_support::Exit;

pub(crate) fn run(args: &FidelityArgs) -> anyhow::Result<Exit> {
    Ok(harnesses::fidelity::command(args)?.into())
}
