//! How fast sessions of each profile are generated, in bytes a second, beside the plain program that reads the
//! bytes that were generated.
//!
//! ```text
//! cargo bench -p corpus-gen
//! ```

#[path = "../../benches/plain/beside.rs"]
mod beside;
#[path = "../../benches/plain/mod.rs"]
mod plain;

use corpus_gen::{GeneratedRun, Profile, session};
use criterion::{Criterion, criterion_group, criterion_main};

use self::beside::Beside;
use self::plain::Seen;

/// A profile, the seed of the session that is generated, and a name.
const SESSIONS: [(Profile, u64, &str); 3] = [
    (Profile::Realistic, 202, "generate realistic"),
    (Profile::Paper, 203, "generate paper"),
    (Profile::Varied, 203, "generate varied"),
];

/// The transcripts of a run, without its truth.
fn transcripts(run: &GeneratedRun) -> Vec<&[u8]> {
    let files = run.files.iter().filter(|(path, _)| {
        path.rsplit_once('.').is_some_and(|(_, extension)| extension == "jsonl")
    });
    files.map(|(_, bytes)| bytes.as_slice()).collect()
}

fn generate(criterion: &mut Criterion) {
    for (profile, seed, name) in SESSIONS {
        let run = session(profile, seed);
        let transcripts = transcripts(&run);
        let bytes = transcripts.iter().map(|bytes| bytes.len()).sum();
        let mut beside = Beside::new(criterion, name, bytes);
        beside.measure("plain program", || {
            transcripts.iter().map(|bytes| Seen::of_bytes(bytes).blocks).sum::<u64>()
        });
        beside.measure("generate", || session(profile, seed));
        beside.print();
    }
}

criterion_group!(benches, generate);
criterion_main!(benches);
