//! The possible readings of a one-value answer.

use super::text;
use crate::graders::reply::Reply;

/// The possible readings of one value: as it came, without what is around it, and out of a list or an object of
/// one. None where it is several values.
pub(super) fn readings(reply: &Reply) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    let mut rest = Some(reply.clone());
    while let Some(reply) = rest.take() {
        if let Some(whole) = reply.scalar() {
            for text in [whole, text::bare(whole)] {
                if !found.iter().any(|known| known == text) {
                    found.push(text.to_owned());
                }
            }
        }
        rest = match reply.structured() {
            Reply::List(items) if items.len() == 1 => items.into_iter().next(),
            Reply::Fields(fields) if fields.len() == 1 => {
                fields.into_iter().next().map(|(_, field)| field)
            }
            inner @ Reply::Number(_) if inner != reply => Some(inner),
            _ => None,
        };
    }
    found
}
