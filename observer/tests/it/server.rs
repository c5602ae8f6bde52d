//! The server as a program meets it that speaks HTTP itself.

use std::io::{Read as _, Write as _};
use std::net::{SocketAddr, TcpStream};
use std::path::Path;
use std::sync::Arc;
use std::sync::mpsc::channel;
use std::thread;
use std::time::Duration;

use observer::live::{Follow, LiveError, Site, follow, serve};
use trace_model::fold::FoldConfig;

use crate::transcript::sample;

/// Serves a run's page until the tests end.
pub(crate) fn served(path: &Path, config: FoldConfig) -> SocketAddr {
    let what = Follow { path: path.to_owned(), config, show_secrets: false };
    site(Arc::new(Site::new(follow(&what).unwrap())))
}

/// Serves a site until the tests end.
pub(crate) fn site(site: Arc<Site>) -> SocketAddr {
    let (tell, told) = channel();
    thread::spawn(move || serve(site, 0, |served| tell.send(served.address).unwrap()).unwrap());
    told.recv().unwrap()
}

fn ask(address: SocketAddr, request: &str) -> String {
    let mut stream = TcpStream::connect(address).unwrap();
    stream.set_read_timeout(Some(Duration::from_secs(5))).unwrap();
    stream.write_all(request.as_bytes()).unwrap();
    let mut answer = Vec::new();
    let _ = stream.read_to_end(&mut answer);
    String::from_utf8_lossy(&answer).into_owned()
}

fn get(address: SocketAddr, path: &str, headers: &str) -> String {
    ask(address, &format!("GET {path} HTTP/1.1\r\n{headers}Connection: close\r\n\r\n"))
}

#[test]
fn only_this_machine_is_answered_and_only_pages_are_served() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("session.jsonl");
    std::fs::write(&path, sample()).unwrap();
    let address = served(&path, FoldConfig::default());
    assert!(address.ip().is_loopback());

    let host = format!("Host: {address}\r\n");
    let page = get(address, "/", &host);
    let head = page.split("\r\n\r\n").next().unwrap().to_lowercase();
    assert!(head.starts_with("http/1.1 200"), "{head}");
    for expected in [
        "content-security-policy: default-src 'none'; style-src 'sha256-",
        "frame-ancestors 'none'",
        "x-content-type-options: nosniff",
        "referrer-policy: no-referrer",
        "cache-control: no-store",
        "cross-origin-resource-policy: same-origin",
    ] {
        assert!(head.contains(expected), "{expected}: {head}");
    }
    assert!(!head.contains("unsafe"));

    for headers in [
        "Host: evil.example\r\n".to_owned(),
        format!("{host}Origin: http://evil.example\r\n"),
        format!("{host}Sec-Fetch-Site: cross-site\r\n"),
    ] {
        for path in ["/", "/events"] {
            let answer = get(address, path, &headers);
            assert!(answer.starts_with("HTTP/1.1 403"), "{headers}{answer}");
            assert!(!answer.contains("widgets"));
        }
    }
    let file = path.display().to_string();
    for path in [
        file.as_str(),
        "/session.jsonl",
        "/../../etc/passwd",
        "/%2e%2e/%2e%2e/etc/passwd",
        "/s/..%2f..%2fetc%2fpasswd",
        "/s/session.jsonl",
    ] {
        let answer = get(address, path, &host);
        assert!(answer.starts_with("HTTP/1.1 404"), "{path}: {answer}");
    }
    let post = ask(
        address,
        &format!("POST / HTTP/1.1\r\n{host}Content-Length: 0\r\nConnection: close\r\n\r\n"),
    );
    assert!(post.starts_with("HTTP/1.1 405"), "{post}");
}

#[test]
fn a_port_in_use_is_said() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("session.jsonl");
    std::fs::write(&path, sample()).unwrap();
    let port = served(&path, FoldConfig::default()).port();
    let what = Follow { path, config: FoldConfig::default(), show_secrets: false };
    let error = serve(Arc::new(Site::new(follow(&what).unwrap())), port, |_| {}).unwrap_err();
    assert!(matches!(error, LiveError::PortInUse(in_use) if in_use == port), "{error}");
}
