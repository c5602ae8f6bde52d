//! `corpus`: the generator's own commands.

pub(crate) use corpus_gen::cli::Command as CorpusCommand;

use cli_support::Exit;

pub(crate) fn run(command: &CorpusCommand) -> anyhow::Result<Exit> {
    corpus_gen::cli::run(command)
}
