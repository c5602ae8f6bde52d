//! The probe: a small invented run that holds at least one of everything that is counted, so that no
//! field goes unexercised for want of an example. Its files are in `data/probe`, laid out as a client
//! lays them out.

/// The probe's lines, to fold as they are or with a fault in them.
#[derive(Debug, Clone)]
pub(crate) struct Probe {
    /// Lines of the session file; the last lacks its line feed.
    pub(crate) session: Vec<String>,
    /// The subagents' files.
    pub(crate) agents: Vec<Agent>,
}

/// A subagent's file and what launched it.
#[derive(Debug, Clone)]
pub(crate) struct Agent {
    /// Its name: the file is `agent-NAME.jsonl`.
    name: &'static str,
    /// Its records, a line each.
    records: &'static str,
    /// Its description file, with the call that launched it among others.
    pub(crate) meta: String,
}

/// An agent by its name, from its two files.
macro_rules! agent {
    ($name:literal) => {
        Agent {
            name: $name,
            records: include_str!(concat!(
                "../../data/probe/session/subagents/agent-",
                $name,
                ".jsonl"
            )),
            meta: include_str!(concat!(
                "../../data/probe/session/subagents/agent-",
                $name,
                ".meta.json"
            ))
            .to_owned(),
        }
    };
}

impl Default for Probe {
    fn default() -> Self {
        let session = include_str!("../../data/probe/session.jsonl");
        Self {
            session: session.split('\n').map(str::to_owned).collect(),
            // Waited for and at work, in the background and at work, waited for and cut off.
            agents: vec![agent!("probe1"), agent!("probe2"), agent!("probe3")],
        }
    }
}

impl Probe {
    /// Its files by path, the session's first.
    pub(crate) fn files(&self) -> Vec<(String, Vec<u8>)> {
        let mut files = vec![("session.jsonl".to_owned(), self.session.join("\n").into_bytes())];
        for Agent { name, records, meta } in &self.agents {
            let base = format!("session/subagents/agent-{name}");
            files.push((format!("{base}.jsonl"), records.as_bytes().to_vec()));
            files.push((format!("{base}.meta.json"), meta.clone().into_bytes()));
        }
        files
    }
}
