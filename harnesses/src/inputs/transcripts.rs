//! Finding the session files that a person names.

use std::collections::BTreeSet;
use std::path::PathBuf;

use anyhow::bail;
use trace_model::adapter::claude_code::run::sessions_below;
use trace_model::run::{RunError, check};

/// The session files among and below `paths`, and remarks on files that are no transcripts. A path
/// that was named and is none is an error; one that lies in a named folder is passed over.
pub(super) fn find(paths: &[PathBuf]) -> anyhow::Result<(Vec<PathBuf>, Vec<String>)> {
    let mut found = BTreeSet::new();
    let mut passed_over = 0_u64;
    for path in paths {
        if !path.is_dir() {
            check(path)?;
            found.insert(path.clone());
            continue;
        }
        for session in sessions_below(path)? {
            match check(&session) {
                Ok(_) => {
                    found.insert(session);
                }
                Err(
                    RunError::Empty(_) | RunError::NotATranscript(_) | RunError::OtherFormat { .. },
                ) => passed_over += 1,
                Err(error) => return Err(error.into()),
            }
        }
    }
    if found.is_empty() && !paths.is_empty() {
        bail!(
            "no transcript is among the paths of --transcripts; name a session file, or a folder that holds some"
        );
    }
    let remark = format!(
        "{passed_over} *.jsonl files were passed over: they are no transcripts that can be read"
    );
    Ok((found.into_iter().collect(), if passed_over > 0 { vec![remark] } else { Vec::new() }))
}
