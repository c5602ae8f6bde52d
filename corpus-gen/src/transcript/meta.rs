//! Records that are not part of the conversation: bookkeeping, progress, hooks, attachments. All of
//! them are `session_meta` events, but the attachments.

use super::recorder::{Parent, Parts, Recorder, fields};
use crate::json::{self, Obj};
use crate::truth::tally::{Kind, Thread};
use crate::truth::tracked::Tracked;

impl Recorder {
    /// An `attachment` record with the fields that `fill` writes.
    pub(crate) fn attachment(&mut self, fill: impl FnOnce(&mut Obj<'_>)) {
        let body = json::built(|o| {
            o.obj("attachment", fill);
            o.s("type", "attachment");
        });
        self.tally.event(Kind::Attachment);
        self.plain(&body, b"{}");
    }

    /// A `system` record of a subtype.
    pub(crate) fn system(&mut self, subtype: &str, fill: impl FnOnce(&mut Obj<'_>)) {
        let body = json::built(|o| {
            o.s("type", "system");
            o.s("subtype", subtype);
            fill(o);
        });
        self.tally.event(Kind::SessionMeta);
        if subtype == "api_error" {
            self.tally.retry();
        }
        self.plain(&body, br#"{"isMeta":false}"#);
    }

    /// A `progress` record about the call `call`.
    pub(crate) fn progress(&mut self, id: &str, call: &str, fill: impl FnOnce(&mut Obj<'_>)) {
        let body = json::built(|o| {
            o.s("type", "progress");
            o.obj("data", fill);
            o.s("toolUseID", id);
            o.s("parentToolUseID", call);
        });
        self.tally.event(Kind::SessionMeta);
        self.plain(&body, b"{}");
    }

    /// A bare record of type `kind` with the session's id after the fields that `fill` writes.
    pub(crate) fn note(&mut self, kind: &str, fill: impl FnOnce(&mut Obj<'_>)) {
        let session = self.client.session.clone();
        self.tally.event(Kind::SessionMeta);
        self.bare(|o| {
            o.s("type", kind);
            fill(o);
            o.s("sessionId", &session);
        });
    }

    /// A bare record of the permission mode that holds.
    pub(crate) fn mode_note(&mut self) {
        let mode = self.client.mode;
        self.tally.state(Tracked::PermissionMode, mode);
        self.note("permission-mode", |o| o.s("permissionMode", mode));
    }

    /// A `file-history-snapshot` of the files that were touched.
    pub(crate) fn snapshot(&mut self, files: &[String], update: bool) {
        let (id, time) = (self.uuid(), self.time());
        self.tally.event(Kind::SessionMeta);
        self.bare(|o| {
            o.s("type", "file-history-snapshot");
            o.s("messageId", &id);
            o.obj("snapshot", |o| {
                o.s("messageId", &id);
                o.obj("trackedFileBackups", |o| {
                    for (at, file) in files.iter().enumerate() {
                        o.obj(file, |o| {
                            o.s("backupFileName", &format!("{}@v{}", &id[..8], at + 1));
                            o.n("version", at as u64 + 1);
                            o.s("backupTime", &time);
                        });
                    }
                });
                o.s("timestamp", &time);
            });
            o.b("isSnapshotUpdate", update);
        });
    }

    fn plain(&mut self, body: &[u8], after: &[u8]) {
        let parts =
            Parts { body: fields(body), after: fields(after), parent: Parent::Last, aside: false };
        self.record(Thread::Main, parts);
    }
}
