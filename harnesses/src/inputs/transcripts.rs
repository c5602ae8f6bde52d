//! Finding the session files that a person names.

use std::path::PathBuf;

use anyhow::bail;
use trace_model::adapter::{Heads, sessions_below};
use trace_model::run::{RunError, check};
use trace_model::walk::Visited;

/// The session files among and below `paths`, and remarks on files that are not transcripts. A named
/// path that is not a transcript is an error; a file found in a named folder is skipped.
pub(super) fn find(paths: &[PathBuf]) -> anyhow::Result<(Vec<PathBuf>, Vec<String>)> {
    let mut found = Vec::new();
    let mut remarks = Vec::new();
    let mut passed_over = 0_u64;
    for path in paths {
        if !path.is_dir() {
            check(path)?;
            found.push(path.clone());
            continue;
        }
        let walked = sessions_below(path, &Heads::default())?;
        remarks.extend(walked.unreadable.iter().map(|error| format!("{error}: passed over")));
        for session in walked.files {
            match check(&session) {
                Ok(_) => found.push(session),
                Err(
                    RunError::Empty(_)
                    | RunError::NotATranscript(_)
                    | RunError::OtherFormat { .. }
                    | RunError::Doubtful { .. },
                ) => passed_over += 1,
                Err(error) => return Err(error.into()),
            }
        }
    }
    if found.is_empty() && !paths.is_empty() {
        bail!(
            "no transcript is among the paths of --transcripts; name a session file or a folder of sessions"
        );
    }
    if passed_over > 0 {
        remarks.push(format!(
            "{passed_over} *.jsonl files were skipped: they are not transcripts that can be read"
        ));
    }
    // A session that was named twice, or that two paths lead to, is measured once.
    found.sort();
    let mut met = Visited::default();
    found.retain(|path| met.insert(path));
    Ok((found, remarks))
}

#[cfg(all(test, unix))]
mod tests {
    use std::fs;
    use std::os::unix::fs::symlink;

    use super::*;

    #[test]
    fn a_session_that_two_paths_lead_to_is_measured_once() {
        let folder = tempfile::tempdir().expect("a folder");
        let at = |name: &str| folder.path().join(name);
        fs::create_dir(at("b")).expect("a folder");
        let record = r#"{"type":"user","sessionId":"s","message":{"role":"user","content":"go"}}"#;
        fs::write(at("b/s.jsonl"), record).expect("a session");
        fs::write(at("b/notes.jsonl"), "{}").expect("a file that is none");
        symlink(at("b"), at("a")).expect("a link");
        symlink(at("b"), at("b/back")).expect("a link back");
        let named = [at("b"), folder.path().to_owned(), at("b/s.jsonl")];
        let (found, remarks) = find(&named).expect("a session");
        assert_eq!(found, [at("a/s.jsonl")]);
        assert_eq!(remarks.len(), 1, "{remarks:?}");
    }
}
