//! How much the shared runner adds to the latency of an endpoint: 1,000 calls of 20 ms at a concurrency
//! of 64, with ledger, cassette and journal on disk, against the time that the latency alone would take.
//! `cargo bench -p harnesses --bench runner` prints the ratio; the aim is at most 1.2. Beside it stands a
//! control: the same calls by the bare client, without limiter, ledger, cassette and journal. Where the
//! control is far from 1, the machine has other work, and the ratio says little.

use std::num::NonZeroU32;
use std::path::Path;
use std::time::{Duration, Instant};

use anyhow::Context as _;
use harnesses::model::http::{Endpoint, EndpointConfig};
use harnesses::model::{
    Backend as _, Called, Cassette, CassetteMode, Identity, Journal, Ledger, Message, Next,
    Pricing, Provider, Reply, Request, Runner, Settings, Stop, block_on, run_all,
};
use tokio::io::{AsyncBufReadExt as _, AsyncReadExt as _, AsyncWriteExt as _, BufReader};
use tokio::net::{TcpListener, TcpStream};
use tokio::task::JoinHandle;

const CALLS: u32 = 1_000;
const AT_ONCE: u32 = 64;
const LATENCY: Duration = Duration::from_millis(20);
const RUNS: usize = 5;
/// Characters of each prompt.
const PROMPT: usize = 4_000;

fn main() -> anyhow::Result<()> {
    // Ideal: full rounds of calls, one after the other.
    let ideal = LATENCY * CALLS.div_ceil(AT_ONCE);
    // Removed at the end only: a file system can be slow long after it was told to remove.
    let folder = tempfile::tempdir()?;
    let (mut runner, mut control) = (Vec::new(), Vec::new());
    for n in 0..RUNS {
        control.push(block_on(bare())?.as_secs_f64() / ideal.as_secs_f64());
        runner.push(
            block_on(run(&folder.path().join(n.to_string())))?.as_secs_f64() / ideal.as_secs_f64(),
        );
    }
    println!(
        "{CALLS} calls of {} ms, {AT_ONCE} at once: ideal {} ms; times the ideal, median of {RUNS}:",
        LATENCY.as_millis(),
        ideal.as_millis(),
    );
    print("bare client (control)", control);
    print("shared runner", runner);
    Ok(())
}

fn print(what: &str, mut ratios: Vec<f64>) {
    ratios.sort_by(f64::total_cmp);
    let (median, least, most) = (ratios[RUNS / 2], ratios[0], ratios[RUNS - 1]);
    println!("{what:>22} {median:.3} ({least:.3} to {most:.3})");
}

fn request(n: u32) -> anyhow::Result<Request> {
    let tokens = NonZeroU32::new(100).context("not zero")?;
    Ok(Request::new("local", tokens).message(Message::user(format!("{n} {}", "x".repeat(PROMPT)))))
}

/// An endpoint on this machine, and its server.
async fn endpoint() -> anyhow::Result<(Endpoint, JoinHandle<()>)> {
    let listener = TcpListener::bind("127.0.0.1:0").await?;
    let config = EndpointConfig {
        base_url: Some(format!("http://{}/v1", listener.local_addr()?)),
        ..EndpointConfig::new(Provider::OpenAi)
    };
    Ok((Endpoint::with_key(config, None)?, tokio::spawn(serve(listener))))
}

async fn bare() -> anyhow::Result<Duration> {
    let (endpoint, serving) = endpoint().await?;
    let work = |n: u32| {
        let endpoint = &endpoint;
        async move {
            let sent = endpoint.send(&request(n)?).await;
            sent.map_err(|failure| anyhow::anyhow!("{failure:?}"))
        }
    };
    let begun = Instant::now();
    let on_done = |sent: anyhow::Result<Reply>| sent.map(|_| Next::Continue);
    let ended = run_all(0..CALLS, AT_ONCE as usize, &Stop::new(), work, on_done).await?;
    let took = begun.elapsed();
    serving.abort();
    anyhow::ensure!(ended.done == CALLS as usize, "only {} calls were done", ended.done);
    Ok(took)
}

async fn run(folder: &Path) -> anyhow::Result<Duration> {
    let (endpoint, serving) = endpoint().await?;
    let runner = Runner::builder(endpoint)
        .settings(Settings { concurrency: AT_ONCE as usize, ..Settings::default() })
        .pricing(Pricing::free())
        .ledger(Ledger::open(&folder.join("spend.jsonl"))?)
        .cassette(Cassette::open(&folder.join("cassette"), CassetteMode::Record)?)
        .build()?;
    let (journal, _) = Journal::<Called>::open(&folder.join("rows.jsonl"), &Identity::new())?;
    let work = |n: u32| {
        let runner = &runner;
        async move { anyhow::Ok((n, runner.call(&request(n)?, 0).await?)) }
    };
    let begun = Instant::now();
    let ended = run_all(0..CALLS, runner.jobs(), runner.stop(), work, |done| {
        let (n, called) = done?;
        journal.append(&n.to_string(), &called)?;
        Ok(Next::Continue)
    })
    .await?;
    let took = begun.elapsed();
    serving.abort();
    anyhow::ensure!(ended.done == CALLS as usize, "only {} calls were done", ended.done);
    Ok(took)
}

/// A server that does nothing but wait and answer.
async fn serve(listener: TcpListener) {
    while let Ok((socket, _)) = listener.accept().await {
        tokio::spawn(async move {
            // The client closes the connection when it has what it wants.
            let _ = answer_all(socket).await;
        });
    }
}

async fn answer_all(socket: TcpStream) -> std::io::Result<()> {
    const BODY: &str = r#"{"model": "local", "choices": [{"finish_reason": "stop",
        "message": {"content": "{\"answer\": 3}"}}],
        "usage": {"prompt_tokens": 1000, "completion_tokens": 10}}"#;
    socket.set_nodelay(true)?;
    let mut socket = BufReader::new(socket);
    loop {
        let mut length = 0;
        loop {
            let mut line = String::new();
            if socket.read_line(&mut line).await? == 0 {
                return Ok(());
            }
            if let Some((name, value)) = line.split_once(':')
                && name.eq_ignore_ascii_case("content-length")
            {
                length = value.trim().parse().unwrap_or(0);
            }
            if line == "\r\n" {
                break;
            }
        }
        let mut body = vec![0; length];
        socket.read_exact(&mut body).await?;
        tokio::time::sleep(LATENCY).await;
        let head = format!("HTTP/1.1 200 OK\r\ncontent-length: {}\r\n\r\n", BODY.len());
        socket.write_all((head + BODY).as_bytes()).await?;
    }
}
