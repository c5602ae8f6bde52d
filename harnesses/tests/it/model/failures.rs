//! What servers and networks do wrong, and what a run makes of it.

use std::time::{Duration, Instant};

use harnesses::model::{AttemptOutcome, Charge, ErrorKind, Provider, Settings};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpListener;
use wiremock::ResponseTemplate;

use super::support::{answer, builder, json_response, received, request, runner, server, settings};

fn good() -> ResponseTemplate {
    json_response(&answer(Provider::Anthropic, "3"))
}

fn status(code: u16) -> ResponseTemplate {
    ResponseTemplate::new(code).set_body_string(
        r#"{"type": "error", "error": {"type": "an_error", "message": "what happened"}}"#,
    )
}

#[tokio::test]
async fn a_limit_is_waited_for_as_long_as_the_provider_says_and_is_on_record() {
    let server = server(vec![status(429).insert_header("retry-after", "1"), good()]).await;
    let runner = runner(Provider::Anthropic, &server.uri());
    let begun = Instant::now();
    let called = runner.call(&request("q"), 0).await.unwrap();
    assert!(begun.elapsed() >= Duration::from_secs(1));
    let [limited, answered] = &called.attempts[..] else { panic!("{:?}", called.attempts) };
    let retry_after = Some(Duration::from_secs(1));
    assert_eq!(limited.outcome, AttemptOutcome::Failed(ErrorKind::RateLimited { retry_after }));
    assert_eq!((limited.status, limited.charge), (Some(429), Charge::Nothing));
    assert_eq!(answered.outcome, AttemptOutcome::Completed);
    assert!(answered.waited_ms >= 1000);
    let status = runner.status();
    assert_eq!((status.retries, status.concurrency, status.spend.attempts), (1, 4, 2));
}

#[tokio::test]
async fn a_wait_longer_than_allowed_ends_the_run_at_once() {
    let server = server(vec![status(429).insert_header("retry-after", "3600"), good()]).await;
    let error =
        runner(Provider::Anthropic, &server.uri()).call(&request("q"), 0).await.unwrap_err();
    assert_eq!(error.kind, ErrorKind::AskedToWait { retry_after: Duration::from_secs(3600) });
    assert!(error.kind.ends_run() && error.to_string().contains("3600 s"), "{error}");
}

#[tokio::test]
async fn a_servers_faults_are_tried_again_until_they_pass_or_the_retries_are_used_up() {
    let server_ok = server(vec![status(500), status(503), status(529), good()]).await;
    let called =
        runner(Provider::Anthropic, &server_ok.uri()).call(&request("q"), 0).await.unwrap();
    let statuses: Vec<_> = called.attempts.iter().map(|attempt| attempt.status).collect();
    assert_eq!(statuses, [Some(500), Some(503), Some(529), Some(200)]);
    // Nobody knows what the 500 cost: the most it can have.
    assert!(matches!(called.attempts[0].charge, Charge::Assumed(_)));
    assert_eq!(called.attempts[1].charge, Charge::Nothing);

    let server = server(vec![status(500)]).await;
    let error =
        runner(Provider::Anthropic, &server.uri()).call(&request("q"), 0).await.unwrap_err();
    assert_eq!((&error.kind, error.attempts.len()), (&ErrorKind::Server, 4));
    assert_eq!(received(&server).await, 4);
    assert!(error.spent.amount() > 0.into());
    let text = error.to_string();
    assert!(text.contains("127.0.0.1") && text.contains("what happened"), "{text}");
    assert!(text.contains("after 4 attempts"), "{text}");
}

#[tokio::test]
async fn what_would_fail_again_is_not_tried_again() {
    for (code, kind, word) in [
        (400, ErrorKind::BadRequest, "context window"),
        (401, ErrorKind::Unauthorized, "key"),
        (402, ErrorKind::Billing, "credit"),
        (403, ErrorKind::Unauthorized, "key"),
        (404, ErrorKind::NotFound, "--model"),
        (413, ErrorKind::BadRequest, "context window"),
    ] {
        let server = server(vec![status(code), good()]).await;
        let error =
            runner(Provider::Anthropic, &server.uri()).call(&request("q"), 0).await.unwrap_err();
        assert_eq!(error.kind, kind, "{code}");
        assert!(error.to_string().contains(word), "{error}");
        assert_eq!(received(&server).await, 1);
    }
}

#[tokio::test]
async fn a_body_that_is_no_answer_is_tried_again_and_may_have_cost() {
    for bad in [
        ResponseTemplate::new(200).set_body_string("{\"content\": [{\"type\""),
        ResponseTemplate::new(200).set_body_string("<html>Bad gateway</html>"),
        ResponseTemplate::new(200).set_body_string("{}"),
        ResponseTemplate::new(200),
    ] {
        let server = server(vec![bad, good()]).await;
        let runner = runner(Provider::Anthropic, &server.uri());
        let called = runner.call(&request("q"), 0).await.unwrap();
        assert_eq!(called.attempts[0].outcome, AttemptOutcome::Failed(ErrorKind::BadResponse));
        assert!(matches!(called.attempts[0].charge, Charge::Assumed(_)));
        let spend = runner.status().spend;
        assert!(spend.assumed > spend.known, "{spend:?}");
    }
}

#[tokio::test]
async fn a_failure_that_a_gateway_wraps_in_a_success_is_a_failure() {
    let wrapped = r#"{"error": {"code": 429, "message": "slow down"}}"#;
    let answer = json_response(&answer(Provider::OpenAi, "3"));
    let server = server(vec![ResponseTemplate::new(200).set_body_string(wrapped), answer]).await;
    let called = runner(Provider::OpenAi, &server.uri()).call(&request("q"), 0).await.unwrap();
    let outcome = &called.attempts[0].outcome;
    assert_eq!(*outcome, AttemptOutcome::Failed(ErrorKind::RateLimited { retry_after: None }));
}

#[tokio::test]
async fn a_slow_answer_is_given_up_and_counted_as_paid() {
    let server = server(vec![good().set_delay(Duration::from_secs(5)), good()]).await;
    let runner = runner(Provider::Anthropic, &server.uri());
    let called = runner.call(&request("q"), 0).await.unwrap();
    assert_eq!(called.attempts[0].outcome, AttemptOutcome::Failed(ErrorKind::Timeout));
    assert!(matches!(called.attempts[0].charge, Charge::Assumed(_)));
}

#[tokio::test]
async fn a_server_that_is_not_there_is_said_at_once() {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    drop(listener);
    let runner = runner(Provider::OpenAi, &format!("http://{address}"));
    let error = runner.call(&request("q"), 0).await.unwrap_err();
    assert_eq!((&error.kind, error.attempts.len()), (&ErrorKind::Unreachable, 1));
    assert_eq!(error.attempts[0].charge, Charge::Nothing);
    let text = error.to_string();
    assert!(text.contains(&address.to_string()) && text.contains("--base-url"), "{text}");
}

/// Takes connections one after the other: the first is dropped in the middle of its answer, the others
/// get a whole one.
async fn dropping(listener: TcpListener) {
    let body = answer(Provider::Anthropic, "3").to_string();
    for first in std::iter::once(true).chain(std::iter::repeat(false)) {
        let Ok((mut socket, _)) = listener.accept().await else { return };
        let mut buffer = vec![0; 65536];
        let _ = socket.read(&mut buffer).await;
        let sent = if first { &body[..body.len() / 2] } else { &body };
        let head = format!(
            "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\nconnection: close\r\n\
             content-length: {}\r\n\r\n",
            body.len()
        );
        let _ = socket.write_all(head.as_bytes()).await;
        let _ = socket.write_all(sent.as_bytes()).await;
        let _ = socket.shutdown().await;
    }
}

#[tokio::test]
async fn a_connection_dropped_in_mid_body_is_tried_again_and_counted_as_paid() {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    let serving = tokio::spawn(dropping(listener));
    let runner = runner(Provider::Anthropic, &format!("http://{address}"));
    let called = runner.call(&request("q"), 0).await.unwrap();
    assert_eq!(called.completion.text, "3");
    let [dropped, answered] = &called.attempts[..] else { panic!("{:?}", called.attempts) };
    assert_eq!(dropped.outcome, AttemptOutcome::Failed(ErrorKind::Connection));
    assert!(matches!(dropped.charge, Charge::Assumed(_)), "{dropped:?}");
    assert!(matches!(answered.charge, Charge::Known(_)));
    assert_eq!(called.spent, dropped.charge.dollars() + answered.charge.dollars());
    serving.abort();
}

#[tokio::test]
async fn a_stop_finishes_what_is_in_flight_and_begins_nothing() {
    let server = server(vec![good().set_delay(Duration::from_millis(100))]).await;
    let runner = runner(Provider::Anthropic, &server.uri());
    let (first, stopper) = (request("first"), runner.stop().clone());
    let (in_flight, ()) = tokio::join!(runner.call(&first, 0), async {
        tokio::time::sleep(Duration::from_millis(30)).await;
        stopper.request();
    });
    assert_eq!(in_flight.unwrap().completion.text, "3");
    let error = runner.call(&request("second"), 0).await.unwrap_err();
    assert_eq!(error.kind, ErrorKind::Stopping);
    assert!(error.to_string().contains("run the same command again"), "{error}");
    assert_eq!(received(&server).await, 1);
}

#[tokio::test]
async fn a_second_stop_drops_what_is_in_flight_and_counts_it_as_paid() {
    let server = server(vec![good().set_delay(Duration::from_secs(5))]).await;
    let settings = Settings { max_retries: 0, ..settings() };
    let runner = builder(Provider::Anthropic, &server.uri()).settings(settings).build().unwrap();
    let (request, stopper) = (request("q"), runner.stop().clone());
    let (dropped, ()) = tokio::join!(runner.call(&request, 0), async {
        tokio::time::sleep(Duration::from_millis(30)).await;
        stopper.abort();
    });
    let error = dropped.unwrap_err();
    assert_eq!(error.kind, ErrorKind::Stopping);
    assert!(error.spent.amount() > 0.into());
    assert_eq!(runner.status().spend.assumed, error.spent);
}
