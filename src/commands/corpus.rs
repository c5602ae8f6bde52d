//! `corpus`: the generator's own commands.

pub(crate) use corpus_gen::cli::Command as CorpusCommand;

use crate::errors::Outcome;

pub(crate) fn run(command: &CorpusCommand) -> anyhow::Result<Outcome> {
    Ok(corpus_gen::cli::run(command)?.into())
}
