//! Small hand-written runs with a truth for every question type: what generated sessions do not have (a command
//! that is run again and again, a path with other letters) is in one of these.

use crate::oracle::RunFiles;

/// Each by its name.
#[must_use]
pub fn specimens() -> Vec<(&'static str, RunFiles)> {
    SPECIMENS.iter().map(|(name, files)| (*name, run(files))).collect()
}

type Files = [(&'static str, &'static [u8])];

const SPECIMENS: [(&str, &Files); 3] = [
    (
        "printer",
        &[
            ("s.jsonl", include_bytes!("../../data/specimens/printer.jsonl")),
            ("agent-a1.jsonl", include_bytes!("../../data/specimens/printer-agent.jsonl")),
        ],
    ),
    ("labels", &[("s.jsonl", include_bytes!("../../data/specimens/labels.jsonl"))]),
    ("quiet", &[("s.jsonl", include_bytes!("../../data/specimens/quiet.jsonl"))]),
];

fn run(files: &Files) -> RunFiles {
    RunFiles::from_bytes(
        files.iter().map(|(name, bytes)| ((*name).to_owned(), bytes.to_vec())).collect(),
    )
}
