//! The recording client: its version, the place it runs in, and the field order that its version
//! writes.

use crate::rng::Draw;
use crate::text::names::{adjective, kebab, noun, verb};

/// The two orders of fields, and what else differs between old and new clients.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Layout {
    /// Envelope first; progress records, subagents inline in them.
    Classic,
    /// Envelope last; bare records after each turn, subagents in files of their own.
    Current,
    /// What the SDK prints as stream-json: no parents, no times, subagents inline under the call that
    /// launched them.
    Stream,
}

/// One client in one session.
#[derive(Debug, Clone)]
pub(crate) struct Client {
    pub(crate) layout: Layout,
    pub(crate) version: &'static str,
    pub(crate) session: String,
    pub(crate) cwd: String,
    pub(crate) branch: String,
    pub(crate) slug: String,
    /// The permission mode that prompts are written in.
    pub(crate) mode: &'static str,
}

impl Client {
    pub(crate) fn new(layout: Layout, session: String, draw: &mut Draw) -> Self {
        let version = match layout {
            Layout::Classic => *draw.pick(&["2.1.7", "2.1.12", "2.1.17", "2.1.22"]),
            Layout::Current | Layout::Stream => {
                *draw.pick(&["2.1.126", "2.1.145", "2.1.150", "2.1.172", "2.1.199"])
            }
        };
        Self {
            layout,
            version,
            session,
            cwd: format!("/home/dev/{}", kebab(draw)),
            branch: format!("{}/{}", verb(draw), kebab(draw)),
            slug: format!("{}-{}ing-{}", adjective(draw), verb(draw), noun(draw)),
            mode: if layout == Layout::Current { "acceptEdits" } else { "default" },
        }
    }

    /// What a classic client writes before a record's own fields.
    pub(crate) fn before(&self, out: &mut Vec<u8>) {
        if self.layout == Layout::Classic {
            out.extend_from_slice(b",\"userType\":\"external\"");
            self.place(out);
            field(out, "slug", &self.slug);
        }
    }

    /// What a current client writes after them.
    pub(crate) fn after(&self, out: &mut Vec<u8>) {
        if self.layout == Layout::Current {
            out.extend_from_slice(b",\"userType\":\"external\",\"entrypoint\":\"cli\"");
            self.place(out);
        }
    }

    fn place(&self, out: &mut Vec<u8>) {
        field(out, "cwd", &self.cwd);
        field(out, "sessionId", &self.session);
        field(out, "version", self.version);
        field(out, "gitBranch", &self.branch);
    }
}

fn field(out: &mut Vec<u8>, key: &str, text: &str) {
    out.extend_from_slice(b",\"");
    out.extend_from_slice(key.as_bytes());
    out.extend_from_slice(b"\":");
    crate::json::string(out, text);
}
