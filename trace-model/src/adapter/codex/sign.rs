//! What a record's facts say of whether Codex wrote it.

use super::record_types::is_known_type;
use crate::adapter::format::Format;
use crate::adapter::recognise::facts::Facts;
use crate::adapter::recognise::sign::Sign;

/// What a record says.
pub(super) fn sign(f: &Facts) -> Sign {
    let kind = f.text("type");
    let printed = kind == "thread.started" && f.has("thread_id")
        || kind.starts_with("item.") && f.has("item")
        || kind == "turn.completed" && f.has("usage");
    let old_head = f.has_all(&["id", "timestamp", "instructions", "git"]) && kind.is_empty();
    let told = printed
        || old_head
        || f.has("record_type")
        || (!kind.is_empty() && f.has_all(&["payload", "timestamp"]))
        || is_known_type(kind) && f.has("payload");
    if told { Sign::Sure(Format::Codex) } else { Sign::Nothing }
}
