//! The probe: a small invented run that holds at least one of everything that is counted, so that no
//! field goes unexercised for want of an example. Its files are in `data/probe`, laid out as a client
//! lays them out.

/// The probe's lines, to fold as they are or with a fault in them.
#[derive(Debug, Clone)]
pub(crate) struct Probe {
    /// Lines of the session file; the last lacks its line feed.
    pub(crate) session: Vec<String>,
    /// The subagent's file and what launched it; none: the file is left out.
    pub(crate) agent: Option<(String, String)>,
}

impl Default for Probe {
    fn default() -> Self {
        let session = include_str!("../../data/probe/session.jsonl");
        let agent = include_str!("../../data/probe/session/subagents/agent-probe1.jsonl");
        let meta = include_str!("../../data/probe/session/subagents/agent-probe1.meta.json");
        Self {
            session: session.split('\n').map(str::to_owned).collect(),
            agent: Some((agent.to_owned(), meta.to_owned())),
        }
    }
}

impl Probe {
    /// Its files by path, the session's first.
    pub(crate) fn files(&self) -> Vec<(String, Vec<u8>)> {
        let mut files = vec![("session.jsonl".to_owned(), self.session.join("\n").into_bytes())];
        if let Some((agent, meta)) = &self.agent {
            let base = "session/subagents/agent-probe1";
            files.push((format!("{base}.jsonl"), agent.clone().into_bytes()));
            files.push((format!("{base}.meta.json"), meta.clone().into_bytes()));
        }
        files
    }
}
