//! How much the shared runner adds to the latency of an endpoint: 1,000 calls of 20 ms at a concurrency
//! of 64, with ledger, cassette and journal on disk, against the time that the latency alone would take.
//! `cargo bench -p harnesses --bench runner` prints the ratio; the aim is at most 1.2. The latency is what
//! the endpoint measured: a system's timers overshoot 20 ms by one or so.
//!
//! Beside it stand two controls: the same calls by the bare client, without limiter, ledger, cassette and
//! journal; and by 64 threads that write to bare sockets, which nothing can be faster than on the same
//! machine. Where these are far from 1, the machine has other work, and the ratio says little.

use std::io::{Read as _, Write as _};
use std::net::SocketAddr;
use std::num::NonZeroU32;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::Context as _;
use harnesses::model::http::{Endpoint, EndpointConfig};
use harnesses::model::{
    Backend as _, Cassette, CassetteMode, Identity, Journal, Ledger, Message, Next, Pricing,
    Provider, Reply, Request, Runner, Settings, StopSignal, block_on, run_all,
};
use tokio::io::{AsyncBufReadExt as _, AsyncReadExt as _, AsyncWriteExt as _, BufReader};
use tokio::net::{TcpListener, TcpStream};

const CALLS: u32 = 1_000;
const AT_ONCE: u32 = 64;
const LATENCY: Duration = Duration::from_millis(20);
const RUNS: usize = 5;
/// Characters of each prompt.
const PROMPT: usize = 4_000;

fn main() -> anyhow::Result<()> {
    // Removed at the end only: a file system can be slow long after it was told to remove.
    let folder = tempfile::tempdir()?;
    let server = Server::start()?;
    let (mut sockets, mut client, mut runner) = (Vec::new(), Vec::new(), Vec::new());
    for n in 0..RUNS {
        sockets.push(server.times_ideal(|| bare_sockets(server.address))?);
        client.push(server.times_ideal(|| block_on(bare_client(server.address)))?);
        let folder = folder.path().join(n.to_string());
        runner.push(server.times_ideal(|| block_on(run(server.address, &folder)))?);
    }
    println!(
        "{CALLS} calls, {AT_ONCE} at once, of {:.1} ms each; times the ideal, median of {RUNS}:",
        server.latency().as_secs_f64() * 1000.0
    );
    print("bare sockets (control)", sockets);
    print("bare client (control)", client);
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

/// A server with a thread of its own, as another machine has.
struct Server {
    address: SocketAddr,
    waited: Arc<Waited>,
}

/// What it measured of its own latency.
#[derive(Default)]
struct Waited {
    calls: AtomicU32,
    micros: AtomicU64,
}

impl Server {
    fn start() -> anyhow::Result<Self> {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
        let listener = runtime.block_on(TcpListener::bind("127.0.0.1:0"))?;
        let address = listener.local_addr()?;
        let waited = Arc::new(Waited::default());
        let told = Arc::clone(&waited);
        thread::spawn(move || runtime.block_on(serve(listener, told)));
        Ok(Self { address, waited })
    }

    /// How long calls take, in what full rounds of the endpoint's mean latency would take.
    fn times_ideal(&self, calls: impl FnOnce() -> anyhow::Result<Duration>) -> anyhow::Result<f64> {
        self.waited.calls.store(0, Ordering::SeqCst);
        self.waited.micros.store(0, Ordering::SeqCst);
        let took = calls()?;
        let answered = self.waited.calls.load(Ordering::SeqCst);
        anyhow::ensure!(answered == CALLS, "the endpoint answered {answered} calls");
        Ok(took.as_secs_f64() / (self.latency() * CALLS.div_ceil(AT_ONCE)).as_secs_f64())
    }

    /// The mean over the last calls.
    fn latency(&self) -> Duration {
        Duration::from_micros(self.waited.micros.load(Ordering::SeqCst)) / CALLS
    }
}

fn endpoint(server: SocketAddr) -> anyhow::Result<Endpoint> {
    let config = EndpointConfig {
        base_url: Some(format!("http://{server}/v1")),
        ..EndpointConfig::new(Provider::OpenAi)
    };
    Ok(Endpoint::with_key(config, None)?)
}

fn bare_sockets(server: SocketAddr) -> anyhow::Result<Duration> {
    let begun = Instant::now();
    let next = AtomicU32::new(0);
    let prompt = "x".repeat(PROMPT);
    let text = format!("POST / HTTP/1.1\r\ncontent-length: {PROMPT}\r\n\r\n{prompt}");
    let work = || -> std::io::Result<()> {
        let mut socket = std::net::TcpStream::connect(server)?;
        socket.set_nodelay(true)?;
        while next.fetch_add(1, Ordering::Relaxed) < CALLS {
            socket.write_all(text.as_bytes())?;
            // The server's answer comes in one piece.
            let _ = socket.read(&mut [0; 4096])?;
        }
        Ok(())
    };
    thread::scope(|scope| {
        let threads: Vec<_> = (0..AT_ONCE).map(|_| scope.spawn(work)).collect();
        threads.into_iter().try_for_each(|thread| match thread.join() {
            Ok(worked) => Ok(worked?),
            Err(_) => anyhow::bail!("a thread panicked"),
        })
    })?;
    Ok(begun.elapsed())
}

async fn bare_client(server: SocketAddr) -> anyhow::Result<Duration> {
    let endpoint = endpoint(server)?;
    let work = |n: u32| {
        let endpoint = &endpoint;
        async move {
            let sent = endpoint.send(&request(n)?).await;
            sent.map_err(|failure| anyhow::anyhow!("{failure:?}"))
        }
    };
    let begun = Instant::now();
    let on_done = |sent: anyhow::Result<Reply>| sent.map(|_| Next::Continue);
    let ended = run_all(0..CALLS, AT_ONCE as usize, &StopSignal::new(), work, on_done).await?;
    let took = begun.elapsed();
    anyhow::ensure!(ended.done == CALLS as usize, "only {} calls were done", ended.done);
    Ok(took)
}

async fn run(server: SocketAddr, folder: &Path) -> anyhow::Result<Duration> {
    let runner = Runner::builder(endpoint(server)?)
        .settings(Settings { concurrency: AT_ONCE as usize, ..Settings::default() })
        .pricing(Pricing::free())
        .ledger(Ledger::open(&folder.join("spend.jsonl"))?)
        .cassette(Cassette::open(&folder.join("cassette"), CassetteMode::Record)?)
        .build()?;
    let (journal, _) = Journal::<String>::open(&folder.join("rows.jsonl"), &Identity::new())?;
    let work = |n: u32| {
        let runner = &runner;
        async move { anyhow::Ok((n, runner.call(&request(n)?, 0).await?)) }
    };
    let begun = Instant::now();
    let ended = run_all(0..CALLS, runner.jobs(), runner.stop(), work, |done| {
        let (n, called) = done?;
        journal.append(&n.to_string(), &called.completion.text)?;
        Ok(Next::Continue)
    })
    .await?;
    let took = begun.elapsed();
    anyhow::ensure!(ended.done == CALLS as usize, "only {} calls were done", ended.done);
    Ok(took)
}

/// A server that does nothing but wait and answer.
async fn serve(listener: TcpListener, waited: Arc<Waited>) {
    while let Ok((socket, _)) = listener.accept().await {
        let waited = Arc::clone(&waited);
        tokio::spawn(async move {
            // The client closes the connection when it has what it wants.
            let _ = answer_all(socket, &waited).await;
        });
    }
}

async fn answer_all(socket: TcpStream, waited: &Waited) -> std::io::Result<()> {
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
        let begun = Instant::now();
        tokio::time::sleep(LATENCY).await;
        let micros = u64::try_from(begun.elapsed().as_micros()).unwrap_or(u64::MAX);
        waited.micros.fetch_add(micros, Ordering::SeqCst);
        waited.calls.fetch_add(1, Ordering::SeqCst);
        let head = format!("HTTP/1.1 200 OK\r\ncontent-length: {}\r\n\r\n", BODY.len());
        socket.write_all((head + BODY).as_bytes()).await?;
    }
}
