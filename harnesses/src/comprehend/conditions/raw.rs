//! The end of the session's own transcript, as a person would paste it: the baseline.

use super::context::{Caps, Compiled, Context, Subject, chars};

#[expect(clippy::unnecessary_wraps, reason = "all conditions have one signature")]
pub(super) fn compile(subject: &Subject<'_>, caps: &Caps) -> Compiled {
    let bytes = subject.session();
    // No character takes more than four bytes, so the rest need not be decoded for the tail.
    let mut from = bytes.len().saturating_sub(caps.raw_chars.saturating_mul(4));
    while from > 0 && bytes.get(from).is_some_and(|byte| byte & 0xC0 == 0x80) {
        from -= 1;
    }
    let before = String::from_utf8_lossy(bytes.get(..from).unwrap_or_default());
    let end = String::from_utf8_lossy(bytes.get(from..).unwrap_or_default());
    let mut context = Context::tail(&end, caps.raw_chars);
    context.of_chars += chars(&before);
    Ok(context)
}
