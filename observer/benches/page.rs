//! How large a session's page is and how long it takes, after the fold; and what an appended record
//! costs on a transcript of 1 MB and on one of 100 MB.
//!
//! ```text
//! cargo bench -p observer
//! ```

use std::fs::{self, OpenOptions};
use std::hint::black_box;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::time::Duration;

use corpus_gen::{Profile, session};
use criterion::{BatchSize, Criterion, criterion_group, criterion_main};
use observer::mask::Mask;
use observer::page::{Compiler, Shell, Subject, document};
use observer::session::Session;
use trace_model::fold::FoldConfig;

const MEGABYTE: usize = 1024 * 1024;
/// A generated session of 11 MB.
const SEED: u64 = 202;

fn generated(folder: &Path) -> PathBuf {
    let run = session(Profile::Realistic, SEED);
    for (name, bytes) in &run.files {
        let path = folder.join(name);
        fs::create_dir_all(path.parent().expect("a file has a folder")).expect("it can be made");
        fs::write(path, bytes).expect("a generated file can be written");
    }
    folder.join(&run.transcript)
}

/// Turns of calls with distinct ids, so that nothing is a duplicate.
fn synthetic(path: &Path, bytes: usize) {
    let mut out = Vec::with_capacity(bytes + 8192);
    let mut at = 0;
    while out.len() < bytes {
        out.extend(turn(at).into_bytes());
        at += 1;
    }
    fs::write(path, out).expect("the transcript can be written");
}

/// A prompt every forty calls, otherwise a call and its result of some 8 kB.
fn turn(at: usize) -> String {
    let time = format!(
        "2030-01-{:02}T{:02}:{:02}:{:02}.000Z",
        1 + at / 86_400 % 28,
        at / 3600 % 24,
        at / 60 % 60,
        at % 60
    );
    let head = format!(r#""timestamp":"{time}","sessionId":"s","cwd":"/work""#);
    if at.is_multiple_of(40) {
        return format!(
            "{{\"type\":\"user\",\"uuid\":\"p{at}\",{head},\"message\":{{\"role\":\"user\",\"content\":\"turn {at}\"}}}}\n"
        );
    }
    let text = "a line of output that says little;\\n".repeat(220);
    format!(
        r#"{{"type":"assistant","uuid":"a{at}",{head},"requestId":"r{at}","message":{{"id":"m{at}","role":"assistant","model":"claude-sonnet-4-5","content":[{{"type":"tool_use","id":"t{at}","name":"Read","input":{{"file_path":"src/f{}.rs"}}}}],"usage":{{"input_tokens":3,"output_tokens":80,"cache_read_input_tokens":9000}}}}}}
{{"type":"user","uuid":"u{at}",{head},"message":{{"role":"user","content":[{{"type":"tool_result","tool_use_id":"t{at}","content":"{text}"}}]}}}}
"#,
        at % 50
    )
}

fn page(criterion: &mut Criterion) {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = generated(folder.path());
    let session = Session::finished(&path, FoldConfig::default()).expect("a generated session");
    let reading = session.run().reading();
    let subject = Subject::of(&session, &reading, None);
    let html = document(&Compiler::new(Mask::on()).compile(&subject), &Shell::Static);
    println!("page of a session of {} bytes: {} bytes", reading.bytes, html.len());
    for (name, masked) in [("page/masked", true), ("page/secrets shown", false)] {
        criterion.bench_function(name, |bencher| {
            bencher.iter(|| {
                let mask = if masked { Mask::on() } else { Mask::off() };
                black_box(document(&Compiler::new(mask).compile(&subject), &Shell::Static))
            });
        });
    }
}

/// From the append to the page's changed parts: reading, folding, compiling.
fn append(criterion: &mut Criterion) {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let mut means = Vec::new();
    for megabytes in [1, 100] {
        // A folder each: what stands beside a transcript is looked at too.
        let own = folder.path().join(megabytes.to_string());
        fs::create_dir_all(&own).expect("a folder can be made");
        let path = own.join("session.jsonl");
        synthetic(&path, megabytes * MEGABYTE);
        let mut session = Session::followed(&path, FoldConfig::default()).expect("a transcript");
        let mut compiler = Compiler::new(Mask::on());
        let mut file = OpenOptions::new().append(true).open(&path).expect("it can be appended to");
        let mut at = 10_000_000;
        let mut spent = Duration::ZERO;
        let mut times = 0_u32;
        criterion.bench_function(&format!("append/{megabytes} MB"), |bencher| {
            bencher.iter_batched(
                || {
                    at += 1;
                    file.write_all(turn(at | 1).as_bytes()).expect("a record can be appended");
                },
                |()| {
                    let start = std::time::Instant::now();
                    assert!(session.poll());
                    let reading = session.run().reading();
                    black_box(compiler.compile(&Subject::of(&session, &reading, None)));
                    spent += start.elapsed();
                    times += 1;
                },
                BatchSize::PerIteration,
            );
        });
        means.push(spent / times.max(1));
    }
    if let [small, large] = means[..] {
        println!(
            "an append costs {:.2} times on 100 MB what it costs on 1 MB",
            large.as_secs_f64() / small.as_secs_f64()
        );
    }
}

criterion_group!(benches, page, append);
criterion_main!(benches);
