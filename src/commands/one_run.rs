//! Folding one run that nobody writes at the moment, for every command that does.

use std::path::Path;

use anyhow::bail;
use trace_model::adapter::Heads;
use trace_model::fold::FoldConfig;
use trace_model::run::{Run, RunError};

/// Folds a session and its subagents. Its ledger and its state are written on request.
pub(super) fn fold(
    session: &Path,
    config: FoldConfig,
    heads: &Heads,
    ledger: Option<&Path>,
    save: Option<&Path>,
) -> anyhow::Result<Run> {
    let mut run = Run::open(session, config)?.with_heads(heads);
    if let Some(ledger) = ledger {
        run = run.with_ledger(ledger)?;
    }
    run.poll()?;
    end(run, save)
}

/// Takes the end of the files for the end of the run. The state is saved as it is before that, so
/// that a last line that grows later is read as a whole.
pub(super) fn end(mut run: Run, save: Option<&Path>) -> anyhow::Result<Run> {
    if let Some(save) = save {
        run.save(save)?;
    }
    run.finish();
    run.sync_ledger()?;
    if run.reading().known_records == 0 {
        bail!(RunError::NotATranscript(run.session().to_owned()));
    }
    Ok(run)
}
