//! Looks for what tests need. Compiled into the build script, which decides, and into the tests, which check
//! that the decision still holds.

use std::env;
use std::path::{Path, PathBuf, absolute};

/// Something that tests need and that is not part of the repository.
pub(crate) struct Need {
    /// What the variables call it.
    pub(crate) name: &'static str,
    /// Whether it is there.
    pub(crate) is_there: bool,
    /// Why the tests are ignored where it is not.
    pub(crate) reason: &'static str,
}

/// All that tests need.
pub(crate) fn needs() -> [Need; 3] {
    [
        Need {
            name: "TRANSCRIPTS",
            is_there: transcripts().join("claude-code").is_dir(),
            reason: "no transcripts: set TRACEFOLD_TRANSCRIPTS to a folder with one folder per agent",
        },
        Need {
            name: "SHARED",
            is_there: shared().join("cases").is_dir(),
            reason: "no shared cases: set TRACEFOLD_SHARED to the folder that holds cases/ and quirks/",
        },
        Need {
            name: "CHROMIUM",
            is_there: in_path("chromium") && in_path("chromedriver"),
            reason: "no chromium: install chromium and chromium-driver, then set TRACEFOLD_NEEDS_CHROMIUM=1",
        },
    ]
}

/// The folder of shared test material: `TRACEFOLD_SHARED`, else `shared` beside the workspace.
pub(crate) fn shared() -> PathBuf {
    let beside = || Path::new(env!("CARGO_MANIFEST_DIR")).join("../../shared");
    folder(env::var_os("TRACEFOLD_SHARED").map_or_else(beside, PathBuf::from))
}

/// The folder of real transcripts: `TRACEFOLD_TRANSCRIPTS`, else `transcripts` in the shared folder.
pub(crate) fn transcripts() -> PathBuf {
    let shared = || shared().join("transcripts");
    folder(env::var_os("TRACEFOLD_TRANSCRIPTS").map_or_else(shared, PathBuf::from))
}

fn folder(path: PathBuf) -> PathBuf {
    absolute(&path).unwrap_or(path)
}

fn in_path(program: &str) -> bool {
    let path = env::var_os("PATH").unwrap_or_default();
    env::split_paths(&path).any(|folder| folder.join(program).is_file())
}
