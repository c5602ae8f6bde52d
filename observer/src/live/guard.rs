//! Who may ask, and what every answer carries. A page of any web site can make a browser send requests
//! to this machine: what such a request gives away is its `Host`, its `Origin` or its fetch metadata.

use axum::extract::{Request, State};
use axum::http::header::{self, HeaderName, HeaderValue};
use axum::http::{HeaderMap, Method, StatusCode};
use axum::middleware::Next;
use axum::response::{IntoResponse as _, Response};

use crate::page::policy;

/// Refuses requests that neither a page of this server nor a person made.
pub(super) async fn guard(State(port): State<u16>, request: Request, next: Next) -> Response {
    let mut response = match refusal(port, request.method(), request.headers()) {
        None => next.run(request).await,
        Some(refusal) => refusal.into_response(),
    };
    let headers = response.headers_mut();
    for (name, value) in ANSWER {
        headers.insert(name, HeaderValue::from_static(value));
    }
    if let Ok(policy) = HeaderValue::from_str(policy()) {
        headers.insert(header::CONTENT_SECURITY_POLICY, policy);
    }
    response
}

const ANSWER: [(HeaderName, &str); 6] = [
    (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
    (header::REFERRER_POLICY, "no-referrer"),
    (header::CACHE_CONTROL, "no-store"),
    (header::X_FRAME_OPTIONS, "DENY"),
    (HeaderName::from_static("cross-origin-resource-policy"), "same-origin"),
    (HeaderName::from_static("cross-origin-opener-policy"), "same-origin"),
];

fn refusal(port: u16, method: &Method, headers: &HeaderMap) -> Option<(StatusCode, &'static str)> {
    if method != Method::GET && method != Method::HEAD {
        return Some((StatusCode::METHOD_NOT_ALLOWED, "only GET is answered\n"));
    }
    let text = |name: HeaderName| headers.get(name).map(|value| value.to_str().unwrap_or("?"));
    let ours = |name: &str| {
        ["127.0.0.1", "localhost"]
            .iter()
            .any(|host| name == format!("{host}:{port}") || (port == 80 && name == *host))
    };
    // Without this, a name that a foreign site points to this machine would be that site's own.
    if !text(header::HOST).is_some_and(ours) {
        return Some((
            StatusCode::FORBIDDEN,
            "this server answers to 127.0.0.1 and localhost only\n",
        ));
    }
    let same = |origin: &str| origin.strip_prefix("http://").is_some_and(ours);
    if text(header::ORIGIN).is_some_and(|origin| !same(origin)) {
        return Some((StatusCode::FORBIDDEN, "this server answers to its own pages only\n"));
    }
    let site = text(HeaderName::from_static("sec-fetch-site"));
    if matches!(site, Some("cross-site" | "same-site")) {
        return Some((
            StatusCode::FORBIDDEN,
            "this server answers to its own pages only; type its address\n",
        ));
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    fn asked(method: &Method, headers: &[(&'static str, &str)]) -> u16 {
        let mut map = HeaderMap::new();
        for (name, value) in headers {
            map.insert(*name, HeaderValue::from_str(value).unwrap());
        }
        refusal(4000, method, &map).map_or(200, |(status, _)| status.as_u16())
    }

    #[test]
    fn only_this_machines_names_and_pages_are_answered() {
        let get = Method::GET;
        for host in ["127.0.0.1:4000", "localhost:4000"] {
            assert_eq!(asked(&get, &[("host", host)]), 200);
        }
        for host in
            ["evil.example:4000", "127.0.0.1", "127.0.0.1:4001", "127.0.0.1:4000.evil.example", ""]
        {
            assert_eq!(asked(&get, &[("host", host)]), 403, "{host}");
        }
        assert_eq!(asked(&get, &[]), 403);
        let host = ("host", "127.0.0.1:4000");
        assert_eq!(asked(&get, &[host, ("origin", "http://127.0.0.1:4000")]), 200);
        for origin in
            ["null", "http://evil.example", "https://127.0.0.1:4000", "http://127.0.0.1:4001"]
        {
            assert_eq!(asked(&get, &[host, ("origin", origin)]), 403, "{origin}");
        }
        assert_eq!(asked(&get, &[host, ("sec-fetch-site", "cross-site")]), 403);
        assert_eq!(asked(&get, &[host, ("sec-fetch-site", "none")]), 200);
        assert_eq!(asked(&Method::POST, &[host]), 405);
    }
}
