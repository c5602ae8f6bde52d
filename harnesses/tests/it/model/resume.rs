//! A run that is killed in the middle goes on where it was.

use std::collections::BTreeMap;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

use harnesses::model::journal::Opened;
use harnesses::model::{
    Cassette, CassetteMode, Identity, Journal, Ledger, Next, Provider, Settings, run_all,
};
use wiremock::MockServer;

use super::support::{answer, builder, json_response, received, request, server, settings};

const JOBS: usize = 200;
const AT_ONCE: usize = 4;
const FOLDER: &str = "TRACEFOLD_TEST_RUN_FOLDER";
const SERVER: &str = "TRACEFOLD_TEST_SERVER";

/// The journal of a run, with its rows: the texts of the answers.
fn journal(folder: &Path) -> anyhow::Result<(Journal<String>, Opened<String>)> {
    let identity = Identity::new().with("model", "priced");
    Ok(Journal::open(&folder.join("rows.jsonl"), &identity)?)
}

/// A run as an instrument makes it: what the journal holds is not asked again.
async fn run(folder: &Path, url: &str) -> anyhow::Result<()> {
    let (journal, opened) = journal(folder)?;
    let settings = Settings { concurrency: AT_ONCE, ..settings() };
    let runner = builder(Provider::OpenAi, url)
        .settings(settings)
        .ledger(Ledger::open(&folder.join("spend.jsonl"))?)
        .cassette(Cassette::open(&folder.join("cassette"), CassetteMode::Record)?)
        .build()?;
    let jobs =
        (0..JOBS).map(|n| format!("job {n:03}")).filter(|job| !opened.rows.contains_key(job));
    let work = |job: String| {
        let runner = &runner;
        async move {
            let called = runner.call(&request(&job), 0).await;
            (job, called)
        }
    };
    run_all(jobs, runner.jobs(), runner.stop(), work, |(job, called)| {
        journal.append(&job, &called?.completion.text)?;
        Ok(Next::Continue)
    })
    .await?;
    Ok(())
}

/// The run that is killed: in a process of its own, which the test below starts.
#[tokio::test]
#[ignore = "started by a_killed_run_goes_on_and_pays_for_nothing_twice"]
async fn child() {
    let folder = std::env::var(FOLDER).unwrap();
    run(Path::new(&folder), &std::env::var(SERVER).unwrap()).await.unwrap();
}

/// How often each job was asked of the server.
async fn asked(server: &MockServer) -> BTreeMap<String, usize> {
    let mut asked = BTreeMap::new();
    for got in server.received_requests().await.unwrap() {
        let body: serde_json::Value = got.body_json().unwrap();
        let job = body["messages"][0]["content"].as_str().unwrap().to_owned();
        *asked.entry(job).or_default() += 1;
    }
    asked
}

/// Starts the run in a process, and kills it once the server has had so many requests in all.
async fn run_and_kill(folder: &Path, server: &MockServer, after: usize) {
    let mut child = Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "model::resume::child", "--ignored"])
        .env(FOLDER, folder)
        .env(SERVER, server.uri())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    while received(server).await < after {
        assert!(child.try_wait().unwrap().is_none(), "the run ended before it could be killed");
        tokio::time::sleep(Duration::from_millis(2)).await;
    }
    child.kill().unwrap();
    child.wait().unwrap();
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_killed_run_goes_on_and_pays_for_nothing_twice() {
    let folder = tempfile::tempdir().unwrap();
    let good = json_response(&answer(Provider::OpenAi, "3")).set_delay(Duration::from_millis(20));
    let server = server(vec![good]).await;
    let mut finished: BTreeMap<String, usize> = BTreeMap::new();
    for after in [30, 70] {
        run_and_kill(folder.path(), &server, after).await;
        // What was finished before the kill, and how often it had been asked.
        let done = journal(folder.path()).unwrap().1.rows;
        assert!(!done.is_empty() && done.len() < JOBS, "{}", done.len());
        let asked = asked(&server).await;
        finished.extend(done.into_keys().map(|job| (job.clone(), asked[&job])));
    }
    run(folder.path(), &server.uri()).await.unwrap();

    let done = journal(folder.path()).unwrap().1.rows;
    assert_eq!(done.len(), JOBS, "no call is missing");
    let asked = asked(&server).await;
    for (job, before) in finished {
        assert_eq!(asked[&job], before, "{job} was finished, and asked again");
    }
    // Only what was in flight at a kill, its answer lost, is asked again.
    let repeated: usize = asked.values().map(|times| times - 1).sum();
    assert!(repeated <= 2 * AT_ONCE, "{repeated} calls were repeated");
    // And it is in the ledger as paid.
    let spend = Ledger::open(&folder.path().join("spend.jsonl")).unwrap().spend();
    assert!(spend.attempts >= received(&server).await as u64, "{spend:?}");
    assert!(spend.answered >= JOBS as u64, "{spend:?}");
}

#[test]
fn a_journal_of_another_run_is_refused_and_says_what_differs() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("rows.jsonl");
    let identity = Identity::new().with("model", "a").with("cap", 100).with("grader", "strict/1");
    let (journal, opened) = Journal::<u64>::open(&path, &identity).unwrap();
    assert!(opened.rows.is_empty());
    journal.append("x", &1).unwrap();
    assert!(journal.append("x", &2).unwrap_err().to_string().contains("`x` already"));
    let error = Journal::<u64>::open(&path, &identity).unwrap_err().to_string();
    assert!(error.contains("another process"), "{error}");
    drop(journal);
    let other = identity.clone().with("model", "b").with("seed", 7);
    let error = Journal::<u64>::open(&path, &other).unwrap_err().to_string();
    assert!(error.contains("model is `a` there and `b` here"), "{error}");
    assert!(error.contains("seed is nothing there and `7` here"), "{error}");
    assert!(!error.contains("cap is") && error.contains("--out"), "{error}");
    let (_, opened) = Journal::<u64>::open(&path, &identity).unwrap();
    assert_eq!(opened.rows, BTreeMap::from([("x".to_owned(), 1)]));
}

#[test]
fn a_torn_row_is_cut_off_and_said() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("rows.jsonl");
    let identity = Identity::new().with("model", "a");
    let (journal, _) = Journal::open(&path, &identity).unwrap();
    for (key, row) in [("x", 1_u64), ("y", 2)] {
        journal.append(key, &row).unwrap();
    }
    drop(journal);
    let whole = std::fs::read(&path).unwrap();
    std::fs::write(&path, &whole[..whole.len() - 5]).unwrap();
    let (journal, opened) = Journal::<u64>::open(&path, &identity).unwrap();
    assert_eq!(opened.rows.len(), 1);
    assert_eq!(opened.truncated.unwrap().line, 3);
    journal.append("y", &2).unwrap();
    drop(journal);
    assert_eq!(std::fs::read(&path).unwrap(), whole);
}
