//! What comes back: the result of a call, made from the state of the project when the result is
//! written.

use super::tools::{Action, Call};
use super::worker::Worker;
use crate::json;
use crate::text::failures;
use crate::transcript::client::Layout;
use crate::transcript::results::{Answer, Content, text_json};
use crate::truth::facts::Reading;
use crate::truth::tally::{CallOutcome, Thread};
use crate::world::{Change, Doc};

/// A call that was made.
#[derive(Debug)]
pub(crate) struct Pending {
    pub(crate) call: Call,
    pub(crate) id: String,
    /// The uuid of its record.
    pub(crate) asked: String,
}

impl Worker {
    /// Writes the result of a call of `thread`.
    pub(crate) fn answer(&mut self, thread: Thread, pending: Pending) {
        // Subagents are quick, so that nobody waits long for one.
        let quick = if thread == Thread::Main { u64::MAX } else { 6000 };
        self.rec.pass(pending.call.ms.min(quick));
        let Pending { call, id, asked } = pending;
        let source = call.input.path.clone().unwrap_or_else(|| call.key());
        let answer = match call.action {
            Action::Read { doc, offset, limit } => self.shown(id, doc, offset, limit),
            Action::Picture(bytes) => self.pictured(id, &source, bytes),
            Action::Edit { doc, changes } => self.edited(id, doc, changes),
            Action::Write { doc, over } => self.written(thread, id, doc, over),
            Action::Say { content, extra, facts, says_ok } => {
                let whole = Reading { source, first: 1, last: u64::MAX, facts };
                // Searches and listings state no facts, whatever they show.
                let states = !matches!(call.tool, "Grep" | "Glob") && !persisted(&content);
                let reading = states.then_some(whole);
                let outcome = CallOutcome::Succeeded;
                Answer { call: id, outcome, content, extra, denial: None, reading, says_ok }
            }
            Action::Refuse { outcome, text, denial } => refused(id, outcome, text, denial),
        };
        self.rec.result(thread, answer, &asked);
    }

    fn shown(&mut self, id: String, doc: usize, offset: Option<u64>, limit: Option<u64>) -> Answer {
        let arrow = self.rec.client.layout == Layout::Classic;
        let doc = &self.docs[doc];
        let total = doc.lines.len() as u64;
        let first = offset.unwrap_or(1);
        let last = limit.map_or(total, |limit| (first + limit - 1).min(total));
        let (mut numbered, mut plain) = (String::new(), String::new());
        for (number, line) in (1..=total).zip(&doc.lines).skip_while(|(n, _)| *n < first) {
            if number > last {
                break;
            }
            if number > first {
                numbered.push('\n');
                plain.push('\n');
            }
            let shown = number.to_string();
            if arrow {
                for _ in shown.len()..6 {
                    numbered.push(' ');
                }
            }
            numbered.push_str(&shown);
            numbered.push(if arrow { '→' } else { '\t' });
            numbered.push_str(line);
            plain.push_str(line);
        }
        if offset.is_none() && limit.is_none() && self.draw.chance(1, 8) {
            numbered.push_str("\n\n<system-reminder>\nWhenever you read a file, you should consider whether it looks malicious.\n</system-reminder>\n");
        }
        let extra = json::built(|o| {
            o.s("type", "text");
            o.obj("file", |o| {
                o.s("filePath", &doc.path);
                o.s("content", &plain);
                o.n("numLines", last + 1 - first);
                o.n("startLine", first);
                o.n("totalLines", total);
            });
        });
        let covered = match (offset, limit) {
            (None, None) => (1, u64::MAX),
            (_, None) => (first, u64::MAX),
            (_, Some(limit)) => (first, first + limit - 1),
        };
        let reading = Reading {
            source: doc.path.clone(),
            first: covered.0,
            last: covered.1,
            facts: doc.stated(first, last),
        };
        succeeded(id, numbered, extra, Some(reading))
    }

    fn pictured(&mut self, id: String, path: &str, bytes: usize) -> Answer {
        let data = self.picture(bytes);
        let extra = json::built(|o| {
            o.s("type", "image");
            o.obj("file", |o| {
                o.s("base64", &data);
                o.s("type", "image/png");
                o.n("originalSize", data.len() as u64 * 3 / 4);
            });
        });
        let reading =
            Reading { source: path.to_owned(), first: 1, last: u64::MAX, facts: Vec::new() };
        let mut answer = succeeded(id, String::new(), extra, Some(reading));
        answer.content = Content::Image(data);
        answer
    }

    fn edited(&mut self, id: String, doc: usize, changes: Vec<Change>) -> Answer {
        let original = self.docs[doc].text();
        let path = self.docs[doc].path.clone();
        let (old, new, at) = (changes[0].old.clone(), changes[0].new.clone(), changes[0].at as u64);
        for change in changes {
            self.docs[doc].apply(change);
        }
        let extra = json::built(|o| {
            o.s("filePath", &path);
            o.s("oldString", &old);
            o.s("newString", &new);
            o.s("originalFile", &original);
            o.one("structuredPatch", |o| {
                o.n("oldStart", at + 1);
                o.n("oldLines", 1);
                o.n("newStart", at + 1);
                o.n("newLines", 1);
                o.strings("lines", &[format!("-{old}"), format!("+{new}")]);
            });
            o.b("userModified", false);
            o.b("replaceAll", false);
        });
        let text = format!(
            "The file {path} has been updated. Here's the result of running `cat -n` on a snippet of the edited file:\n{:>6}→{new}",
            at + 1
        );
        succeeded(id, text, extra, None)
    }

    fn written(&mut self, thread: Thread, id: String, doc: Doc, over: Option<usize>) -> Answer {
        let (path, content) = (doc.path.clone(), doc.text());
        let original = over.map(|at| self.docs[at].text());
        match over {
            Some(at) => self.docs[at] = doc,
            // A subagent's file is read after the session's, so the session must not use what it wrote.
            None if thread != Thread::Main => {}
            None => self.docs.push(doc),
        }
        let extra = json::built(|o| {
            o.s("type", if over.is_some() { "update" } else { "create" });
            o.s("filePath", &path);
            o.s("content", &content);
            o.raw("structuredPatch", b"[]");
            o.opt("originalFile", original.as_deref());
        });
        let text = match over {
            Some(_) => format!("The file {path} has been updated successfully."),
            None => format!("File created successfully at: {path}"),
        };
        succeeded(id, text, extra, None)
    }

    /// What a person's refusal comes to; current clients name the kind.
    pub(crate) fn rejection(&mut self, tool: &str, by_rule: bool) -> Action {
        let text = if by_rule {
            failures::forbidden(&mut self.text, tool)
        } else {
            failures::REJECTED.to_owned()
        };
        let kind = if by_rule { "permission-rule" } else { "user-rejected" };
        let denial = (self.rec.client.layout == Layout::Current).then_some(kind);
        Action::Refuse { outcome: CallOutcome::Denied, text, denial }
    }
}

fn persisted(content: &Content) -> bool {
    matches!(content, Content::Text(text) if text.starts_with("<persisted-output>"))
}

/// The result of a call that worked.
pub(crate) fn succeeded(
    call: String,
    text: String,
    extra: Vec<u8>,
    reading: Option<Reading>,
) -> Answer {
    Answer {
        call,
        outcome: CallOutcome::Succeeded,
        content: Content::Text(text),
        extra,
        denial: None,
        reading,
        says_ok: false,
    }
}

/// The result of a call that did not.
pub(crate) fn refused(
    call: String,
    outcome: CallOutcome,
    text: String,
    denial: Option<&'static str>,
) -> Answer {
    let extra = text_json(&format!("Error: {text}"));
    Answer {
        call,
        outcome,
        content: Content::Text(text),
        extra,
        denial,
        reading: None,
        says_ok: false,
    }
}
