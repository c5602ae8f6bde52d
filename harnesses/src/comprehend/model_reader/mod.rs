//! Readers that are models: what they are asked, what they reply, what that costs, and the folder that
//! keeps it, so that a stopped run can be resumed and its replies graded again.

mod ask;
pub(super) mod calls;
mod consent;
mod estimate;
mod folder;
mod jobs;
mod prompt;
pub(super) mod reader;
pub(super) mod received;
pub(super) mod replies;
pub(super) mod reply;

pub(super) use ask::ask;
pub(super) use consent::{consent, pending};
pub(super) use estimate::describe;
pub(super) use folder::{Folder, identity};
pub(super) use jobs::calls;
pub(super) use reader::Reader;
pub(super) use replies::Replies;
