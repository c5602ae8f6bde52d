//! The plain program over files and folders: what it takes to read them at all, as a process, to put beside
//! `tracefold fold -q`. Files below a folder are those whose names end in `.jsonl`.
//!
//!     cargo run --release -p trace-model --example plain -- FILE_OR_FOLDER...

#[path = "../../benches/plain/mod.rs"]
mod plain;

use std::error::Error;
use std::fs::File;
use std::io::BufReader;
use std::path::PathBuf;

use walkdir::WalkDir;

/// Bytes that are asked of a file at once.
const BUFFER: usize = 256 * 1024;

fn main() -> Result<(), Box<dyn Error>> {
    let paths: Vec<PathBuf> = std::env::args_os().skip(1).map(PathBuf::from).collect();
    if paths.is_empty() {
        return Err("name transcripts, or folders of them".into());
    }
    let mut seen = plain::Seen::default();
    let mut files = 0_u64;
    for entry in paths.iter().flat_map(|path| WalkDir::new(path).sort_by_file_name()) {
        let entry = entry?;
        if entry.file_type().is_file() && entry.path().extension().is_some_and(|e| e == "jsonl") {
            seen.read(BufReader::with_capacity(BUFFER, File::open(entry.path())?))?;
            files += 1;
        }
    }
    let plain::Seen { records, unread, blocks, text, output_tokens, digest } = seen;
    println!(
        "{files} files, {records} records, {unread} unread, {blocks} blocks of {text} bytes, \
         {output_tokens} output tokens, {digest:016x}"
    );
    Ok(())
}
