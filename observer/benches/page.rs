//! How large the page of a session of 11 MB is and how long it takes, beside the fold before it and the plain
//! program; and what an appended record costs on a transcript of 1 MB and on one of 100 MB.
//!
//! ```text
//! cargo bench -p observer
//! ```

#[path = "../../benches/plain/beside.rs"]
mod beside;
#[path = "../../benches/inputs/mod.rs"]
mod inputs;
#[path = "../../benches/plain/mod.rs"]
mod plain;

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

use self::beside::Beside;
use self::plain::Seen;

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

fn page(criterion: &mut Criterion) {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = generated(folder.path());
    let transcript = fs::read(&path).expect("a generated session");
    let open = || Session::finished(&path, FoldConfig::default()).expect("a generated session");
    let session = open();
    let reading = session.run().reading();
    let subject = Subject::of(&session, &reading, None);
    let write = |mask| document(&Compiler::new(mask).compile(&subject), &Shell::Static);
    let bytes = usize::try_from(reading.bytes).expect("it was read");
    println!("page of a session of {bytes} bytes: {} bytes", write(Mask::on()).len());
    let mut beside = Beside::new(criterion, "page", bytes);
    beside.measure("plain program", || Seen::of_bytes(&transcript));
    beside.measure("read and fold", open);
    beside.measure("page, masked", || write(Mask::on()));
    beside.measure("page, secrets shown", || write(Mask::off()));
    beside.print();
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
        fs::write(&path, inputs::transcript(megabytes * inputs::MB))
            .expect("the transcript can be written");
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
                    file.write_all(inputs::call(at).as_bytes()).expect("records can be appended");
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
