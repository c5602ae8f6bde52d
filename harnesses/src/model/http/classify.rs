//! What an error status means, by the providers' documentation.

use std::time::Duration;

use serde_json::Value;

use super::super::backend::{Failure, Paid};
use super::super::error_kind::ErrorKind;
use super::fields;

/// The failure that a status and a body tell of.
///
/// Requests rejected up front (4xx, and overload statuses) are not charged by any provider. Whether other
/// failures of a server cost something is unknown, least of all behind a gateway.
pub(super) fn complaint(
    status: u16,
    retry_after: Option<Duration>,
    body: &Value,
    text: &str,
) -> Failure {
    let message = fields::message(body).unwrap_or(text.trim());
    let kind = kind(status, retry_after, text);
    let paid = match kind {
        ErrorKind::Server | ErrorKind::Timeout => Paid::Unknown,
        _ => Paid::Nothing,
    };
    let detail = match message {
        "" => format!("status {status}"),
        message => format!("status {status}: {message}"),
    };
    Failure { kind, detail, status: Some(status), paid }
}

fn kind(status: u16, retry_after: Option<Duration>, text: &str) -> ErrorKind {
    let says = |word: &str| text.contains(word);
    match status {
        // Gemini's word for a wrong key comes with 400.
        400 if says("API_KEY_INVALID") => ErrorKind::Unauthorized,
        // Anthropic's for an account without credit does too.
        400 if says("credit balance") => ErrorKind::Billing,
        401 | 403 => ErrorKind::Unauthorized,
        402 => ErrorKind::Billing,
        // OpenAI's for an account without credit comes with 429.
        429 if says("insufficient_quota") => ErrorKind::Billing,
        429 => ErrorKind::RateLimited { retry_after },
        503 | 529 => ErrorKind::Overloaded { retry_after },
        408 => ErrorKind::Timeout,
        300..=399 | 404 => ErrorKind::NotFound,
        400..=499 => ErrorKind::BadRequest,
        _ => ErrorKind::Server,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn failure(status: u16, retry_after: Option<Duration>, text: &str) -> Failure {
        let body = serde_json::from_str(text).unwrap_or(Value::Null);
        complaint(status, retry_after, &body, text)
    }

    #[test]
    fn statuses_mean_what_the_providers_say() {
        let after = Some(Duration::from_secs(3));
        for (status, text, expected) in [
            (400, r#"{"error": {"message": "prompt is too long"}}"#, ErrorKind::BadRequest),
            (
                400,
                r#"{"error": {"details": [{"reason": "API_KEY_INVALID"}]}}"#,
                ErrorKind::Unauthorized,
            ),
            (400, "Your credit balance is too low", ErrorKind::Billing),
            (401, "", ErrorKind::Unauthorized),
            (403, "", ErrorKind::Unauthorized),
            (404, "", ErrorKind::NotFound),
            (301, "", ErrorKind::NotFound),
            (413, "", ErrorKind::BadRequest),
            (429, "", ErrorKind::RateLimited { retry_after: after }),
            (429, r#"{"error": {"code": "insufficient_quota"}}"#, ErrorKind::Billing),
            (500, "", ErrorKind::Server),
            (504, "", ErrorKind::Server),
            (529, "", ErrorKind::Overloaded { retry_after: after }),
        ] {
            assert_eq!(failure(status, after, text).kind, expected, "{status} {text}");
        }
    }

    #[test]
    fn only_what_may_have_been_worked_on_may_have_cost() {
        assert_eq!(failure(429, None, "").paid, Paid::Nothing);
        assert_eq!(failure(529, None, "").paid, Paid::Nothing);
        assert_eq!(failure(502, None, "").paid, Paid::Unknown);
        assert_eq!(failure(500, None, "<html>").detail, "status 500: <html>");
    }
}
