//! COMPREHEND with a model behind an API: a server on this machine that speaks the wire format.

use std::fs;
use std::path::Path;

use harnesses::common::{CommonArgs, Reporter, defaults};
use harnesses::comprehend::{ComprehendArgs, ComprehendCommand, RescoreArgs, command, run, tables};
use scoreboards::{Decimal, Group, Measure, Row, Scoreboard, verify};
use serde_json::{Value, json};
use tokio::runtime::Runtime;
use wiremock::matchers::{method, path};
use wiremock::{Mock, MockServer, Request, Respond, ResponseTemplate};

use crate::support::comprehend;

/// A server that answers every call with the n-th of some contents, over and over.
struct Server {
    runtime: Runtime,
    server: MockServer,
}

impl Server {
    fn start(respond: impl Respond + 'static) -> Self {
        let runtime = Runtime::new().expect("a runtime");
        let server = runtime.block_on(async {
            let server = MockServer::start().await;
            let mock = Mock::given(method("POST")).and(path("/v1/chat/completions"));
            mock.respond_with(respond).mount(&server).await;
            server
        });
        Self { runtime, server }
    }

    fn url(&self) -> String {
        format!("{}/v1", self.server.uri())
    }

    /// The bodies of the requests that came.
    fn bodies(&self) -> Vec<String> {
        let requests = self.runtime.block_on(self.server.received_requests());
        let body = |request: Request| String::from_utf8_lossy(&request.body).into_owned();
        requests.unwrap_or_default().into_iter().map(body).collect()
    }

    /// The flags of a small run that asks it.
    fn flags<'a>(&self, out: &'a Path, more: &[&'a str]) -> Vec<String> {
        let out = out.to_str().expect("a temporary path is plain");
        let fixed = ["--reader", "openai", "--model", "small", "--free", "--pack", "monitoring/1"];
        let mut flags: Vec<String> = fixed.map(str::to_owned).to_vec();
        flags.extend(["--out", out, "--base-url"].map(str::to_owned));
        flags.push(self.url());
        if !more.contains(&"--condition") {
            flags.extend(["--condition", "raw,flatlog,view"].map(str::to_owned));
        }
        flags.extend(more.iter().map(|&it| it.to_owned()));
        flags
    }
}

const SMALL: [&str; 4] = ["--profile", "paper", "--seeds", "201"];

fn completion(content: &str) -> Value {
    json!({
        "id": "c", "object": "chat.completion", "model": "small-2",
        "choices": [{"index": 0, "finish_reason": "stop",
            "message": {"role": "assistant", "content": content}}],
        "usage": {"prompt_tokens": 1000, "completion_tokens": 20, "total_tokens": 1020},
    })
}

fn replies(content: &'static str) -> impl Respond {
    move |_: &Request| ResponseTemplate::new(200).set_body_json(completion(content))
}

fn board(flags: &[String]) -> Scoreboard {
    let flags: Vec<&str> = flags.iter().map(String::as_str).collect();
    run(&comprehend(&flags), &Reporter::silent()).expect("the model can be asked")
}

fn rows<'a>(board: &'a Scoreboard, what: &str) -> Vec<&'a Row> {
    let group = Group::all().and("what", what).and("reader", "openai/small");
    board.rows.iter().filter(|row| group.contains(row)).collect()
}

fn flags_set(board: &Scoreboard, measure: &str) -> usize {
    let set = |row: &&Row| row.measures.get(measure) == Some(&Measure::Flag(true));
    rows(board, "call").into_iter().filter(set).count()
}

#[test]
fn a_model_is_scored_beside_its_floor_and_its_ceiling() {
    let server =
        Server::start(replies("Sure!\n```json\n{\"n_turns\": 5,\n \"top_tool\": \"Bash\"}\n```"));
    let out = tempfile::tempdir().expect("a folder");
    let board = board(&server.flags(out.path(), &SMALL));
    assert_eq!(verify(&board), []);
    assert_eq!(server.bodies().len(), 3, "one call a condition");
    let answerer = board.provenance.answerer.as_ref().expect("a model answered");
    assert_eq!((answerer.provider.as_str(), answerer.model_asked.as_str()), ("openai", "small"));
    assert_eq!(answerer.models_returned, [("small-2".to_owned(), 3)].into());
    assert_eq!(board.provenance.spend.input_tokens, 3000);
    assert_eq!(board.provenance.spend.dollars, Decimal::ZERO);
    for row in rows(&board, "answer") {
        let number = |name: &str| row.measures[name].number().expect("it is graded");
        // What the representation lost, what the reader lost and what is left make the whole.
        let mechanical = number("strict_reader_loss") + number("strict");
        assert!(mechanical <= Decimal::ONE && mechanical >= Decimal::ZERO, "{}", row.id);
    }
    let text = tables(&board);
    assert!(text.contains("model view") && text.contains("reader loss"), "{text}");
}

#[test]
fn fields_merged_into_every_request_are_part_of_the_protocol() {
    let server = Server::start(replies("{\"n_turns\": 5}"));
    let out = tempfile::tempdir().expect("a folder");
    let told = |extra: &[&str]| {
        let board = board(&server.flags(out.path(), &[&SMALL[..], extra].concat()));
        board.provenance.protocol["reader.model.extra_body"].clone()
    };
    assert_eq!(told(&[]), "{}");
    assert_eq!(told(&["--extra-body", r#"{"temperature": 0}"#]), r#"{"temperature":0}"#);
    assert!(server.bodies()[5].contains(r#""temperature":0"#));
}

#[test]
fn what_cannot_be_read_is_not_a_refusal_and_not_an_empty_reply() {
    struct InTurn(std::sync::atomic::AtomicUsize);
    impl Respond for InTurn {
        fn respond(&self, _: &Request) -> ResponseTemplate {
            let at = self.0.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
            let mut body = completion(["I would rather talk.", "", "{}"][at % 3]);
            if at % 3 == 2 {
                body["choices"][0]["message"] = json!({"role": "assistant", "refusal": "No."});
            }
            ResponseTemplate::new(200).set_body_json(body)
        }
    }
    let server = Server::start(InTurn(0.into()));
    let out = tempfile::tempdir().expect("a folder");
    let board = board(&server.flags(out.path(), &SMALL));
    for name in ["parse_failure", "empty", "refusal"] {
        assert_eq!(flags_set(&board, name), 1, "{name}");
    }
    let score = |row: &&Row| row.measures["strict"].number();
    assert!(rows(&board, "answer").iter().all(|row| score(row) == Some(Decimal::ZERO)));
}

#[test]
fn a_run_goes_on_where_it_was_and_can_be_graded_again() {
    let server = Server::start(replies("{\"n_turns\": 5}"));
    let out = tempfile::tempdir().expect("a folder");
    let first = board(&server.flags(out.path(), &[&SMALL[..], &["--condition", "view"]].concat()));
    assert_eq!(server.bodies().len(), 1);
    let again = board(&server.flags(out.path(), &[&SMALL[..], &["--condition", "view"]].concat()));
    assert_eq!(server.bodies().len(), 1, "no call is made twice");
    assert_eq!(first.rows, again.rows);
    // A further repeat asks only for that.
    let more = [&SMALL[..], &["--condition", "view", "--repeats", "2"]].concat();
    let twice = board(&server.flags(out.path(), &more));
    assert_eq!(server.bodies().len(), 2);
    assert_eq!(rows(&twice, "repeats").len(), 6);

    let folder = fs::read_dir(out.path().join("comprehend")).expect("the runs' folder");
    let folder = folder.map(|it| it.expect("an entry").path()).next().expect("a run");
    drop(server);
    let graded = tempfile::tempdir().expect("a folder");
    let common =
        CommonArgs { out: graded.path().to_owned(), quiet: true, ..defaults::<CommonArgs>() };
    let rescore = RescoreArgs { run: folder, graders: vec!["strict/2".to_owned()], common };
    let rescore = ComprehendCommand::Rescore(rescore);
    let args = ComprehendArgs { command: Some(rescore), ..defaults::<ComprehendArgs>() };
    command(&args).expect("no endpoint is needed");
    let saved = fs::read_dir(graded.path().join("scoreboards")).expect("a scoreboard");
    let saved = saved.map(|it| it.expect("an entry").path()).next().expect("a scoreboard");
    let rescored = scoreboards::load(&saved).expect("it can be read");
    let strict = |board: &Scoreboard| -> Vec<Option<Decimal>> {
        rows(board, "answer").iter().map(|row| row.measures["strict"].number()).collect()
    };
    assert_eq!(strict(&rescored), strict(&twice));
    assert!(rescored.rows.iter().all(|row| !row.measures.contains_key("paper")));
}

#[test]
fn secrets_are_not_sent_unless_asked_for() {
    let secret = format!("ghp_{}", "x7Kq2Zr9Lm4Tn8Vb1Wc5Yd3Jf6Hg0Ps2QaRt");
    let record = |text: &str| {
        json!({"type": "user", "uuid": "u1", "timestamp": "2030-01-02T03:00:01Z",
            "message": {"role": "user", "content": text}})
    };
    let folder = tempfile::tempdir().expect("a folder");
    let session = folder.path().join("session.jsonl");
    fs::write(&session, format!("{}\n", record(&format!("use the token {secret} to log in"))))
        .expect("the folder can be written");
    let own = ["--profile", "none", "--transcripts", session.to_str().expect("plain")];
    let sent = |more: &[&str]| {
        let server = Server::start(replies("{\"n_turns\": 1}"));
        let out = tempfile::tempdir().expect("a folder");
        let board = board(&server.flags(out.path(), &[&own[..], more].concat()));
        let stored = scoreboards::to_json(&board).expect("it is JSON");
        assert!(!stored.contains(&secret), "no scoreboard holds what a transcript says");
        server.bodies().concat()
    };
    let masked = sent(&[]);
    assert!(!masked.contains(&secret) && masked.contains("[redacted github-pat]"), "{masked}");
    assert!(sent(&["--no-redact"]).contains(&secret));
}

/// The message of a run that cannot be made.
fn failure(flags: &[String]) -> String {
    let flags: Vec<&str> = flags.iter().map(String::as_str).collect();
    let error = run(&comprehend(&flags), &Reporter::silent()).expect_err("it cannot be made");
    format!("{error:#}")
}

#[test]
fn nothing_leaves_the_machine_unasked() {
    let server = Server::start(replies("{}"));
    let out = tempfile::tempdir().expect("a folder");
    let mut flags = server.flags(out.path(), &SMALL);
    let at = flags.iter().position(|it| *it == server.url()).expect("it is there");
    "http://model.example.org/v1".clone_into(&mut flags[at]);
    flags.retain(|it| it != "--free");
    let message = failure(&flags);
    assert!(message.contains("bytes of text will be sent to model.example.org"), "{message}");
    assert!(message.contains("--yes"), "{message}");
}

#[test]
fn a_run_that_cannot_be_made_says_why_and_what_to_do() {
    let refuses = |_: &Request| {
        let error = json!({"error": {"message": "no", "type": "invalid_request_error"}});
        ResponseTemplate::new(401).set_body_json(error)
    };
    let server = Server::start(refuses);
    let out = tempfile::tempdir().expect("a folder");
    let message = failure(&server.flags(out.path(), &SMALL));
    assert!(message.contains("check that the key"), "{message}");
    assert!(message.contains("0 of 3 calls are done and kept"), "{message}");

    let mut flags = server.flags(out.path(), &[&SMALL[..], &["--max-retries", "0"]].concat());
    let at = flags.iter().position(|it| *it == server.url()).expect("it is there");
    "http://127.0.0.1:1/v1".clone_into(&mut flags[at]);
    let message = failure(&flags);
    assert!(message.contains("127.0.0.1:1") && message.contains("--base-url"), "{message}");
}

/// Turns away every call, or only those about a text of more than so many characters.
fn turns_away(longer_than: usize) -> impl Respond {
    move |request: &Request| {
        if request.body.len() > longer_than {
            let error = json!({"error": {"message": "too long", "type": "invalid_request_error"}});
            return ResponseTemplate::new(400).set_body_json(error);
        }
        ResponseTemplate::new(200).set_body_json(completion("{}"))
    }
}

#[test]
fn a_call_that_is_turned_away_is_missing_in_its_rows_and_never_zero() {
    let server = Server::start(turns_away(60_000));
    let out = tempfile::tempdir().expect("a folder");
    let board = board(&server.flags(out.path(), &SMALL));
    assert_eq!(flags_set(&board, "failed"), 1, "the raw tail");
    let failed = |row: &Row| row.measures["strict"].number().is_none();
    let answers = rows(&board, "answer");
    assert!(answers.iter().all(|row| failed(row) == (row.labels["condition"] == "raw")));
    assert_eq!(verify(&board), []);
}

#[test]
fn a_run_of_which_every_call_is_turned_away_ends_before_it_has_made_them_all() {
    let server = Server::start(turns_away(0));
    let out = tempfile::tempdir().expect("a folder");
    let several = ["--profile", "paper", "--seeds", "201-203", "--concurrency", "1"];
    let message = failure(&server.flags(out.path(), &several));
    assert!(message.contains("the request was not accepted"), "{message}");
    assert!(message.contains("check --model"), "{message}");
    assert!(message.contains("0 of 9 calls are done and kept"), "{message}");
    assert_eq!(server.bodies().len(), 3, "one a condition");
}

/// A server that gives these statuses in turn, and the last one from then on; 200 with an answer.
fn in_turn(statuses: &'static [u16]) -> impl Respond {
    let next = std::sync::atomic::AtomicUsize::new(0);
    move |_: &Request| {
        let at = next.fetch_add(1, std::sync::atomic::Ordering::SeqCst).min(statuses.len() - 1);
        match statuses[at] {
            200 => ResponseTemplate::new(200).set_body_json(completion("{\"n_turns\": 5}")),
            status => ResponseTemplate::new(status)
                .set_body_json(json!({"error": {"message": "m", "code": status}})),
        }
    }
}

/// The value of the model's aggregate of this name.
fn value(board: &Scoreboard, name: &str) -> scoreboards::Estimate {
    let of_model = |over: &Group| over.0.get("reader").is_some_and(|it| it == "openai/small");
    let found = board.aggregates.iter().find(|it| it.spec.name == name && of_model(&it.spec.over));
    found.expect("it is declared").outcome.clone()
}

#[test]
fn a_repeat_without_an_answer_is_left_out_of_pass_k_and_its_retries_are_counted() {
    let server = Server::start(in_turn(&[200, 200, 500, 500]));
    let out = tempfile::tempdir().expect("a folder");
    let flags = ["--condition", "view", "--repeats", "3", "--concurrency", "1"];
    let board =
        board(&server.flags(out.path(), &[&SMALL[..], &flags, &["--max-retries", "1"]].concat()));
    assert_eq!(verify(&board), []);
    assert_eq!(server.bodies().len(), 4);
    let undefined = scoreboards::Value::Undefined(scoreboards::Undefined::NoRows);
    assert_eq!(value(&board, "pass^3, strict/2").value, undefined);
    let repeats = rows(&board, "repeats");
    assert!(repeats.iter().all(|row| row.measures["repeats"] == Measure::Count(2)));
    let pairs = value(&board, "pass^2, strict/2");
    assert_eq!((pairs.n, pairs.missing), (repeats.len() as u64, 0), "over 2 of 2 repeats");
    assert_eq!(value(&board, "calls without an answer").value, scoreboards::Value::Count(1));
    assert_eq!(value(&board, "retries").value, scoreboards::Value::Number(Decimal::ONE));
    let answers = rows(&board, "answer");
    let missing = answers.iter().filter(|row| row.measures["strict"].number().is_none());
    assert_eq!(missing.count(), answers.len() / 3, "those of one repeat, none of them zero");
}

#[test]
fn a_run_stopped_for_want_of_credit_goes_on_and_counts_the_dollars_of_what_was_answered() {
    let server = Server::start(in_turn(&[200, 402, 200]));
    let out = tempfile::tempdir().expect("a folder");
    let prices = out.path().join("prices.json");
    let rates = json!({"date": "2026-01-01", "models": [{"name": "small",
        "rates": [{"input": 2, "output": 10, "cache_read": 1, "cache_write_5m": 3, "cache_write_1h": 4}]}]});
    fs::write(&prices, rates.to_string()).expect("the folder can be written");
    let prices = prices.to_str().expect("plain");
    let run = ["--profile", "paper", "--seeds", "201-202", "--condition", "view"];
    let flags = [&run[..], &["--concurrency", "1", "--prices", prices]].concat();
    let flags: Vec<String> = server.flags(out.path(), &flags);
    let flags: Vec<String> = flags.into_iter().filter(|it| it != "--free").collect();
    let message = failure(&flags);
    assert_eq!(message.lines().count(), 1, "{message}");
    assert!(message.contains("check the account's credit"), "{message}");
    assert!(message.contains("1 of 2 calls are done and kept"), "{message}");
    let board = board(&flags);
    assert_eq!(server.bodies().len(), 3, "the answered call is not made again");
    assert_eq!(rows(&board, "call").len(), 2);
    assert_eq!(value(&board, "calls without an answer").value, scoreboards::Value::Count(0));
    // Twice 1000 x 2 + 20 x 10 millionths.
    assert_eq!(value(&board, "dollars").value, scoreboards::Value::Number(Decimal::new(44, 4)));
    assert_eq!(board.provenance.spend.dollars, Decimal::new(44, 4));
}

/// The only run in a folder of runs.
fn only_run(out: &Path) -> std::path::PathBuf {
    let runs = fs::read_dir(out.join("comprehend")).expect("the runs' folder");
    let runs: Vec<_> = runs.map(|it| it.expect("an entry").path()).collect();
    let [run] = &runs[..] else { panic!("{runs:?}") };
    run.clone()
}

/// All files below a folder.
fn files(folder: &Path) -> Vec<std::path::PathBuf> {
    let entries = fs::read_dir(folder).expect("a folder").map(|it| it.expect("an entry").path());
    entries.flat_map(|it| if it.is_dir() { files(&it) } else { vec![it] }).collect()
}

/// The scoreboard of a run's stored replies, or why there is none.
fn rescored(run: std::path::PathBuf) -> Result<Scoreboard, String> {
    let graded = tempfile::tempdir().expect("a folder");
    let common =
        CommonArgs { out: graded.path().to_owned(), quiet: true, ..defaults::<CommonArgs>() };
    let rescore = RescoreArgs { run, graders: Vec::new(), common };
    let rescore = ComprehendCommand::Rescore(rescore);
    let args = ComprehendArgs { command: Some(rescore), ..defaults::<ComprehendArgs>() };
    command(&args).map_err(|error| format!("{error:#}"))?;
    let [saved] = &files(graded.path())[..] else { panic!("one scoreboard") };
    Ok(scoreboards::load(saved).expect("it can be read"))
}

#[test]
fn each_reply_and_each_charge_is_stored_once_and_rescored_to_the_same_rows() {
    let server = Server::start(replies("Zyzzyva says {\"n_turns\": 5}"));
    let out = tempfile::tempdir().expect("a folder");
    let prices = out.path().join("prices.json");
    let rates = json!({"date": "2026-01-01", "models": [{"name": "small",
        "rates": [{"input": 2, "output": 10, "cache_read": 1, "cache_write_5m": 3, "cache_write_1h": 4}]}]});
    fs::write(&prices, rates.to_string()).expect("the folder can be written");
    let more = ["--condition", "view", "--prices", prices.to_str().expect("plain")];
    let mut flags = server.flags(out.path(), &[&SMALL[..], &more].concat());
    flags.retain(|it| it != "--free");
    let board = board(&flags);
    let run = only_run(out.path());
    let stored: String =
        files(&run).iter().map(|it| fs::read_to_string(it).expect("text")).collect();
    assert_eq!(stored.matches("Zyzzyva").count(), 1, "the reply");
    assert_eq!(stored.matches("0.0022").count(), 1, "1000 x 2 + 20 x 10 millionths");
    // The table that the call was paid by need not be there any more.
    fs::remove_file(&prices).expect("it is there");
    drop(server);
    assert_eq!(rescored(run).expect("no endpoint is needed").rows, board.rows);
}

#[test]
fn a_run_is_replayed_from_another_cassette_and_resumed_with_no_other() {
    let server = Server::start(replies("{\"n_turns\": 5}"));
    let (out, shelf) = (tempfile::tempdir().expect("a folder"), tempfile::tempdir().expect("one"));
    let cassette = shelf.path().join("tape");
    let view = [&SMALL[..], &["--condition", "view"]].concat();
    let named = ["--cassette", cassette.to_str().expect("plain")];
    let flags = |out: &Path, more: &[&str]| server.flags(out, &[&view[..], more].concat());
    let first = board(&flags(out.path(), &named));
    let message = failure(&flags(out.path(), &[]));
    assert!(message.contains("--cassette to resume") && message.contains("tape"), "{message}");
    // In another folder, without asking: nothing is spent there.
    let again = tempfile::tempdir().expect("a folder");
    let strict = [&named[..], &["--cassette-mode", "strict"]].concat();
    let second = board(&flags(again.path(), &strict));
    assert_eq!(server.bodies().len(), 1);
    assert_eq!((second.provenance.spend.calls, first.provenance.spend.calls), (0, 1));
    assert_eq!(first.rows, second.rows);
    assert_eq!(rescored(only_run(again.path())).expect("the cassette is there").rows, first.rows);
    fs::remove_dir_all(&cassette).expect("it is there");
    let error = rescored(only_run(out.path())).expect_err("the replies are gone");
    assert!(error.contains("the replies of") && error.contains("tape"), "{error}");
}

#[test]
fn a_reply_torn_by_a_kill_is_asked_for_again_and_no_other() {
    let server = Server::start(replies("{\"n_turns\": 5}"));
    let out = tempfile::tempdir().expect("a folder");
    let flags = server.flags(out.path(), &SMALL);
    let whole = board(&flags);
    let recordings = only_run(out.path()).join("cassette/recordings-000001.jsonl");
    let text = fs::read(&recordings).expect("the replies");
    fs::write(&recordings, &text[..text.len() - 9]).expect("it can be written");
    let missing = rescored(only_run(out.path())).expect("the others are there");
    assert_eq!(flags_set(&missing, "failed"), 1);
    assert_eq!(board(&flags).rows, whole.rows);
    assert_eq!(server.bodies().len(), 4);
}

#[test]
fn a_run_of_an_earlier_version_is_refused_and_the_remedy_named() {
    let server = Server::start(replies("{\"n_turns\": 5}"));
    let out = tempfile::tempdir().expect("a folder");
    let flags = server.flags(out.path(), &SMALL);
    board(&flags);
    let path = only_run(out.path()).join("run.json");
    let old = fs::read_to_string(&path).expect("it is there").replace("-run/2", "-run/1");
    fs::write(&path, old).expect("it can be written");
    for message in [failure(&flags), rescored(only_run(out.path())).expect_err("it is old")] {
        assert!(message.contains("comprehend-run/1") && message.contains("move"), "{message}");
    }
}

#[test]
fn what_the_endpoint_breaks_off_is_missing_and_never_zero() {
    let broken = |_: &Request| {
        let mut body = completion("{\"n_turns\": 3");
        body["choices"][0]["finish_reason"] = json!("error");
        ResponseTemplate::new(200).set_body_json(body)
    };
    let server = Server::start(broken);
    let out = tempfile::tempdir().expect("a folder");
    let flags = ["--condition", "view", "--max-retries", "0"];
    let board = board(&server.flags(out.path(), &[&SMALL[..], &flags].concat()));
    assert_eq!((flags_set(&board, "failed"), flags_set(&board, "parse_failure")), (1, 0));
    let answers = rows(&board, "answer");
    assert!(answers.iter().all(|row| row.measures["strict"].number().is_none()));
    assert_eq!(board.provenance.spend.input_tokens, 1000, "its tokens are spent");
}

#[cfg(unix)]
mod interrupted {
    use std::process::{Command, Stdio};
    use std::thread;
    use std::time::{Duration, Instant};

    use super::*;

    /// The command of a program of its own, with these flags.
    fn program(flags: &[String]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_tracefold-comprehend"));
        command.args(flags).stdout(Stdio::null()).stderr(Stdio::piped());
        command
    }

    #[test]
    fn an_interrupted_run_finishes_its_calls_in_flight_and_goes_on_later() {
        let slow = |_: &Request| {
            let answer = ResponseTemplate::new(200).set_body_json(completion("{\"n_turns\": 5}"));
            answer.set_delay(Duration::from_millis(400))
        };
        let server = Server::start(slow);
        let out = tempfile::tempdir().expect("a folder");
        let calls = ["--profile", "paper", "--seeds", "201-204", "--concurrency", "2"];
        let flags = server.flags(out.path(), &calls);

        let child = program(&flags).spawn().expect("it starts");
        let begun = Instant::now();
        while server.bodies().is_empty() {
            assert!(begun.elapsed() < Duration::from_secs(120), "no call was made");
            thread::sleep(Duration::from_millis(20));
        }
        let id = child.id().to_string();
        let told = Command::new("kill").args(["-INT", &id]).status().expect("kill runs");
        assert!(told.success());
        let ended = child.wait_with_output().expect("it ends");
        let said = String::from_utf8_lossy(&ended.stderr);
        let made = server.bodies().len();
        assert_eq!(ended.status.code(), Some(2), "{said}");
        assert!((1..12).contains(&made), "{made} calls were made: {said}");
        assert!(said.contains(&format!("{made} of 12 calls are done and kept")), "{said}");

        let rest = program(&flags).output().expect("it runs");
        assert_eq!(rest.status.code(), Some(0), "{}", String::from_utf8_lossy(&rest.stderr));
        let mut bodies = server.bodies();
        assert_eq!(bodies.len(), 12, "no call is made twice, and none is missing");
        bodies.sort_unstable();
        bodies.dedup();
        assert_eq!(bodies.len(), 12, "each call is another one");
    }
}
