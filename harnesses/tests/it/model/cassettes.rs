//! Recorded calls are found again, and nothing else is.

use std::path::{Path, PathBuf};

use harnesses::model::{
    AnswerSource, Called, Cassette, CassetteMode, Charge, ErrorKind, Provider, Runner,
};
use trace_model::pricing::Dollars;
use wiremock::ResponseTemplate;

use super::support::{answer, builder, json_response, received, request, server};

fn recording(folder: &Path, url: &str, mode: CassetteMode) -> Runner {
    let cassette = Cassette::open(folder, mode).unwrap();
    builder(Provider::OpenAi, url).cassette(cassette).build().unwrap()
}

fn files(folder: &Path) -> Vec<PathBuf> {
    let files = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let mut files: Vec<PathBuf> = files.collect();
    files.sort_unstable();
    files
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
    assert_eq!((replayed.served, replayed.spent), (AnswerSource::Cassette, Dollars::ZERO));
    assert_eq!(replayed.completion, live.completion);
    // The retry stays on record, and the price is known; what was paid is in the ledger of the first run.
    let ends = |called: &Called| -> Vec<_> {
        called.attempts.iter().map(|it| (it.outcome.clone(), it.status, it.waited_ms)).collect()
    };
    assert_eq!((ends(&replayed), &replayed.priced), (ends(&live), &live.priced));
    assert!(replayed.attempts.iter().all(|it| it.charge == Charge::Nothing));
    assert!(live.attempts.iter().any(|it| it.charge != Charge::Nothing));
    assert_eq!((strict.status().replayed, strict.status().spend.attempts), (1, 0));
    let text = std::fs::read_to_string(&files(folder.path())[0]).unwrap();
    assert_eq!(text.matches("chatcmpl-1").count(), 1, "the whole body is kept, once");
    assert!(!text.contains("charge"), "{text}");
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
    let files = files(folder.path());
    let lines = |file| std::fs::read_to_string(file).unwrap().lines().count();
    assert_eq!(files.iter().map(lines).collect::<Vec<_>>(), [3, 1], "a file for each that records");
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
async fn a_strict_miss_sends_nothing_and_names_the_cassette() {
    let folder = tempfile::tempdir().unwrap();
    let server = server(vec![good()]).await;
    let runner = recording(folder.path(), &server.uri(), CassetteMode::Strict);
    let error = runner.call(&request("q"), 0).await.unwrap_err();
    assert_eq!(error.kind, ErrorKind::CassetteMiss);
    let text = error.to_string();
    let folder_name = folder.path().to_str().unwrap();
    assert!(text.contains(folder_name) && text.contains("--cassette-mode record"), "{text}");
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
    let recorded = || {
        let cassette = Cassette::open(folder.path(), CassetteMode::Strict).unwrap();
        cassette.load(runner.key(&request("q"), 0)).unwrap()
    };
    assert_eq!(recorded(), None);
    let called = runner.call(&request("q"), 0).await.unwrap();
    assert_eq!((called.served, called.completion.text.as_str()), (AnswerSource::Live, "3"));
    assert_eq!(recorded().unwrap().1, called.completion);
}

#[tokio::test]
async fn a_spoilt_line_is_named_and_not_replaced_by_a_call() {
    let folder = tempfile::tempdir().unwrap();
    let server = server(vec![good()]).await;
    let runner = recording(folder.path(), &server.uri(), CassetteMode::Record);
    runner.call(&request("q"), 0).await.unwrap();
    runner.call(&request("other"), 0).await.unwrap();
    let [file] = &files(folder.path())[..] else { panic!("one file") };
    let name = file.file_name().unwrap().to_str().unwrap();
    let whole = std::fs::read_to_string(file).unwrap();
    let (first, second) = whole.split_once('\n').unwrap();

    // What is no line of ours is found when the cassette is opened.
    for spoilt in ["", "{}", &first[..first.len() / 2]] {
        std::fs::write(file, format!("{spoilt}\n{second}")).unwrap();
        for mode in [CassetteMode::Record, CassetteMode::Strict] {
            let error = Cassette::open(folder.path(), mode).unwrap_err().to_string();
            assert!(error.contains("line 1 of") && error.contains(name), "{spoilt}: {error}");
        }
    }
    // What changes while it is open, or is another call than its key says, when the call is looked for.
    let (_, key_and_rest) = first.split_once("\"key\":\"").unwrap();
    let (_, other) = second.split_once("\"recording\":").unwrap();
    let swapped = format!(
        "{{\"schema\":\"tracefold-cassette/3\",\"key\":\"{}\",\"recording\":{other}",
        &key_and_rest[..64]
    );
    std::fs::write(file, format!("{swapped}{second}")).unwrap();
    for runner in [&runner, &recording(folder.path(), &server.uri(), CassetteMode::Record)] {
        let error = runner.call(&request("q"), 0).await.unwrap_err();
        assert_eq!(error.kind, ErrorKind::CassetteCorrupt);
        let text = error.to_string();
        assert!(text.contains(name) && text.contains("restore the file"), "{text}");
    }
    std::fs::write(file, &whole).unwrap();
    runner.call(&request("q"), 0).await.unwrap();
    assert_eq!(received(&server).await, 2);
}

#[tokio::test]
async fn a_line_torn_by_a_kill_is_made_again_and_no_other() {
    let folder = tempfile::tempdir().unwrap();
    let server = server(vec![good()]).await;
    for text in ["a", "b"] {
        let runner = recording(folder.path(), &server.uri(), CassetteMode::Record);
        runner.call(&request(text), 0).await.unwrap();
        runner.call(&request("both"), 0).await.unwrap();
    }
    assert_eq!(received(&server).await, 3);
    let files = files(folder.path());
    assert_eq!(files.len(), 2);
    let whole = std::fs::read(&files[0]).unwrap();
    std::fs::write(&files[0], &whole[..whole.len() - 1]).unwrap();
    let runner = recording(folder.path(), &server.uri(), CassetteMode::Record);
    for text in ["a", "b", "both", "both"] {
        runner.call(&request(text), 0).await.unwrap();
    }
    assert_eq!(received(&server).await, 4, "only the call whose line was truncated");
}

#[test]
fn recordings_of_the_first_format_are_not_paid_for_again_unsaid() {
    let folder = tempfile::tempdir().unwrap();
    let old = folder.path().join(format!("{}.json", "0a".repeat(32)));
    std::fs::write(&old, "{}").unwrap();
    let error = Cassette::open(folder.path(), CassetteMode::Record).unwrap_err().to_string();
    assert!(error.contains("tracefold-cassette/1") && error.contains("paid for again"), "{error}");
}

#[tokio::test]
async fn recordings_of_another_version_are_refused_and_the_remedy_named() {
    let folder = tempfile::tempdir().unwrap();
    let server = server(vec![good()]).await;
    let runner = recording(folder.path(), &server.uri(), CassetteMode::Record);
    runner.call(&request("q"), 0).await.unwrap();
    drop(runner);
    let [file] = &files(folder.path())[..] else { panic!("one file") };
    let old = std::fs::read_to_string(file).unwrap().replace("cassette/3", "cassette/2");
    std::fs::write(file, old).unwrap();
    for mode in [CassetteMode::Record, CassetteMode::Strict] {
        let error = Cassette::open(folder.path(), mode).unwrap_err().to_string();
        assert!(error.contains("tracefold-cassette/2") && error.contains("--cassette"), "{error}");
    }
}

#[tokio::test]
async fn a_recording_whose_body_is_no_answer_is_named_and_not_replaced_by_a_call() {
    let folder = tempfile::tempdir().unwrap();
    let server = server(vec![good()]).await;
    let runner = recording(folder.path(), &server.uri(), CassetteMode::Record);
    runner.call(&request("q"), 0).await.unwrap();
    let [file] = &files(folder.path())[..] else { panic!("one file") };
    let spoilt = std::fs::read_to_string(file).unwrap().replace("choices", "voices!");
    std::fs::write(file, spoilt).unwrap();
    let error = runner.call(&request("q"), 0).await.unwrap_err();
    assert_eq!(error.kind, ErrorKind::CassetteCorrupt);
    assert!(error.to_string().contains("holds no answer"), "{error}");
    assert_eq!(received(&server).await, 1);
}
