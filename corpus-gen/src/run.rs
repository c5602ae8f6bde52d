//! A generated run: its files as bytes, and the truth about it.

use crate::json;
use crate::pathology::labels::Labels;
use crate::profile::Profile;
use crate::transcript::client::Layout;
use crate::transcript::recorder::Recorder;
use crate::truth::Truth;

/// A generated run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GeneratedRun {
    /// Its name, for example `paper-201`.
    pub name: String,
    /// What it belongs to: a profile's or a pathology set's name.
    pub group: String,
    /// The seed.
    pub seed: u64,
    /// All its files, by path below the output folder, in byte order of the paths.
    pub files: Vec<(String, Vec<u8>)>,
    /// Path of the session file among `files`.
    pub transcript: String,
    /// Lines of the session file.
    pub lines: u64,
    /// What the run holds.
    pub truth: Truth,
    /// The pathologies in it, where it was made for them.
    pub labels: Option<Labels>,
}

impl GeneratedRun {
    /// Puts the files of a finished recording together.
    pub(crate) fn collect(
        name: String,
        folder: &str,
        group: &str,
        seed: u64,
        rec: Recorder,
        labels: Option<Labels>,
        final_newline: bool,
    ) -> Self {
        let transcript = format!("{folder}/{name}.jsonl");
        let mut files = Vec::new();
        let truth = rec.tally.finish();
        let shapes = group == Profile::Varied.name();
        files.push((format!("{folder}/{name}.truth.json"), truth.file(shapes)));
        if let Some(labels) = &labels {
            files.push((format!("{folder}/{name}.labels.json"), json::pretty(labels)));
        }
        if rec.client.layout == Layout::Current {
            for agent in rec.agents {
                let base = format!("{folder}/{name}/subagents/agent-{}", agent.id);
                let meta = json::built(|o| {
                    o.s("agentType", &agent.kind);
                    o.s("description", agent.task.lines().next().unwrap_or(""));
                    o.s("toolUseId", &agent.launch);
                });
                files.push((format!("{base}.jsonl"), agent.out));
                files.push((format!("{base}.meta.json"), meta));
            }
        }
        let mut main = rec.main;
        if !final_newline {
            main.pop();
        }
        files.push((transcript.clone(), main));
        files.sort();
        Self {
            name,
            group: group.to_owned(),
            seed,
            files,
            transcript,
            lines: rec.lines,
            truth,
            labels,
        }
    }

    /// Bytes of the transcripts: the session file and the subagents' files.
    #[must_use]
    pub fn transcript_bytes(&self) -> u64 {
        let transcripts = self.files.iter().filter(|(path, _)| is_transcript(path));
        transcripts.map(|(_, bytes)| bytes.len() as u64).sum()
    }

    /// The session file.
    #[must_use]
    pub fn session_file(&self) -> &[u8] {
        let found = self.files.iter().find(|(path, _)| *path == self.transcript);
        found.map_or(&[], |(_, bytes)| bytes)
    }
}

/// Whether a path is a session's or a subagent's transcript.
fn is_transcript(path: &str) -> bool {
    std::path::Path::new(path).extension().is_some_and(|extension| extension == "jsonl")
}
