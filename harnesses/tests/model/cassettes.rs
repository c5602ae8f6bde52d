//! Recorded calls are found again, and nothing else is.

use std::path::{Path, PathBuf};

use harnesses::model::{Cassette, CassetteMode, ErrorKind, Provider, Runner, Served};
use trace_model::pricing::Dollars;
use wiremock::ResponseTemplate;

use super::support::{answer, builder, json_response, received, request, server};

fn recording(folder: &Path, url: &str, mode: CassetteMode) -> Runner {
    let cassette = Cassette::open(folder, mode).unwrap();
    builder(Provider::OpenAi, url).cassette(cassette).build().unwrap()
}

fn files(folder: &Path) -> Vec<PathBuf> {
    std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect()
}

fn good() -> ResponseTemplate {
    json_response(&answer(Provider::OpenAi, "3"))
}

#[tokio::test]
async fn a_recorded_call_is_answered_without_the_endpoint() {
    let folder = tempfile::tempdir().unwrap();
    let server = server(vec![ResponseTemplate::new(500), good()]).await;
    let live = recording(folder.path(), &server.uri(), CassetteMode::Record)
        .call(&request("q"), 0)
        .await
        .unwrap();
    let strict = recording(folder.path(), &server.uri(), CassetteMode::Strict);
    let replayed = strict.call(&request("q"), 0).await.unwrap();
    assert_eq!(received(&server).await, 2);
    assert_eq!((replayed.served, replayed.spent), (Served::Cassette, Dollars::ZERO));
    assert_eq!(replayed.completion, live.completion);
    // The retry stays on record, and the price is known.
    assert_eq!((&replayed.attempts, &replayed.priced), (&live.attempts, &live.priced));
    assert_eq!((strict.status().replayed, strict.status().spend.attempts), (1, 0));
    let text = std::fs::read_to_string(&files(folder.path())[0]).unwrap();
    assert!(text.contains("chatcmpl-1"), "the whole body is kept");
}

#[tokio::test]
async fn repeat_request_and_endpoint_are_parts_of_the_key() {
    let folder = tempfile::tempdir().unwrap();
    let first = server(vec![good()]).await;
    let second = server(vec![good()]).await;
    let runner = recording(folder.path(), &first.uri(), CassetteMode::Record);
    for repeat in [0, 1, 0, 1] {
        runner.call(&request("q"), repeat).await.unwrap();
    }
    assert_eq!(received(&first).await, 2);
    runner.call(&request("another"), 0).await.unwrap();
    assert_eq!(received(&first).await, 3);
    let elsewhere = recording(folder.path(), &second.uri(), CassetteMode::Record);
    elsewhere.call(&request("q"), 0).await.unwrap();
    assert_eq!((received(&first).await, received(&second).await), (3, 1));
    assert_eq!(files(folder.path()).len(), 4);
}

#[tokio::test]
async fn the_same_call_made_twice_at_once_is_paid_once() {
    let folder = tempfile::tempdir().unwrap();
    let server = server(vec![good().set_delay(std::time::Duration::from_millis(50))]).await;
    let runner = recording(folder.path(), &server.uri(), CassetteMode::Record);
    let request = request("q");
    let (a, b) = tokio::join!(runner.call(&request, 0), runner.call(&request, 0));
    assert_eq!(a.unwrap().completion, b.unwrap().completion);
    assert_eq!(received(&server).await, 1);
}

#[tokio::test]
async fn a_strict_miss_sends_nothing_and_names_the_file() {
    let folder = tempfile::tempdir().unwrap();
    let server = server(vec![good()]).await;
    let runner = recording(folder.path(), &server.uri(), CassetteMode::Strict);
    let error = runner.call(&request("q"), 0).await.unwrap_err();
    assert_eq!(error.kind, ErrorKind::CassetteMiss);
    let text = error.to_string();
    assert!(text.contains(".json") && text.contains("--cassette-mode record"), "{text}");
    assert_eq!(received(&server).await, 0);
    assert!(Cassette::open(&folder.path().join("nowhere"), CassetteMode::Strict).is_err());
}

#[tokio::test]
async fn an_error_is_never_replayed() {
    let folder = tempfile::tempdir().unwrap();
    let bad = ResponseTemplate::new(400).set_body_string("no");
    let server = server(vec![bad, good()]).await;
    let runner = recording(folder.path(), &server.uri(), CassetteMode::Record);
    runner.call(&request("q"), 0).await.unwrap_err();
    assert!(!runner.is_recorded(&request("q"), 0).unwrap());
    let called = runner.call(&request("q"), 0).await.unwrap();
    assert_eq!((called.served, called.completion.text.as_str()), (Served::Live, "3"));
    assert!(runner.is_recorded(&request("q"), 0).unwrap());
}

#[tokio::test]
async fn a_spoilt_file_is_named_and_not_replaced_by_a_call() {
    let folder = tempfile::tempdir().unwrap();
    let server = server(vec![good()]).await;
    let runner = recording(folder.path(), &server.uri(), CassetteMode::Record);
    runner.call(&request("q"), 0).await.unwrap();
    runner.call(&request("other"), 0).await.unwrap();
    let files = files(folder.path());
    let [first, second] = &files[..] else { panic!("{files:?}") };
    let whole = std::fs::read_to_string(first).unwrap();
    let other = std::fs::read_to_string(second).unwrap();
    for spoilt in [
        "",
        &whole[..whole.len() / 2],
        "{}",
        &whole.replace("tracefold-cassette/1", "tracefold-cassette/9"),
        &other,
    ] {
        std::fs::write(first, spoilt).unwrap();
        let mut failures = 0;
        for text in ["q", "other"] {
            let Err(error) = runner.call(&request(text), 0).await else { continue };
            assert_eq!(error.kind, ErrorKind::CassetteCorrupt);
            let name = first.file_name().unwrap().to_str().unwrap();
            let text = error.to_string();
            assert!(text.contains(name) && text.contains("delete the file"), "{text}");
            failures += 1;
        }
        assert_eq!(failures, 1, "{spoilt}");
    }
    std::fs::write(first, whole).unwrap();
    runner.call(&request("q"), 0).await.unwrap();
    assert_eq!(received(&server).await, 2);
}
