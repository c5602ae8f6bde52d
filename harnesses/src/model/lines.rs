//! An append-only file of JSON lines that survives being stopped at any point: one process writes it at a time,
//! each line reaches the system in one piece before anything else happens, and a last line that was truncated
//! is cut off when the file is next opened. Journal, ledger and cassette are such files.

use std::fs::{File, OpenOptions};
use std::io::{self, BufRead as _, BufReader, Seek as _, SeekFrom, Write as _};
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use fs4::TryLockError;
use serde::Serialize;
use serde::de::DeserializeOwned;

/// Longest time lines may stay in the system's cache before they are synced to disk. A killed process loses
/// nothing; a machine without power loses this much at most.
const SYNC_EVERY: Duration = Duration::from_secs(1);

/// Why a file of lines cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum LinesError {
    /// The system will not.
    #[error("cannot {action} {}: {source}", path.display())]
    Io {
        /// What was attempted.
        action: &'static str,
        /// The file.
        path: PathBuf,
        /// Why not.
        source: io::Error,
    },
    /// Another process writes it.
    #[error(
        "{} is being written by another process: wait for it to end, or choose another folder",
        path.display()
    )]
    Locked {
        /// The file.
        path: PathBuf,
    },
    /// A line before the last differs from what was written.
    #[error(
        "line {line} of {} cannot be read ({reason}): it was changed by something else; restore it, or \
         move the file away to start over",
        path.display()
    )]
    Corrupt {
        /// The file.
        path: PathBuf,
        /// The line, from 1.
        line: u64,
        /// What is wrong with it.
        reason: String,
    },
    /// The value has no JSON form.
    #[error("a line of {} cannot be written as JSON: {source}", path.display())]
    Unserializable {
        /// The file.
        path: PathBuf,
        /// Why not.
        source: serde_json::Error,
    },
}

/// The truncated last line that was cut off.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TruncatedLine {
    /// Its number, from 1.
    pub line: u64,
    /// Its bytes.
    pub bytes: u64,
}

/// An open file of lines.
#[derive(Debug)]
pub(super) struct Lines {
    path: PathBuf,
    state: Mutex<State>,
}

#[derive(Debug)]
struct State {
    file: File,
    /// Bytes of all lines.
    end: u64,
    synced: Instant,
    syncing: Option<JoinHandle<io::Result<()>>>,
}

impl State {
    /// Syncs to disk now and then, on a separate thread: nothing waits for the disk. A disk error is reported
    /// the next time.
    fn sync_now_and_then(&mut self) -> io::Result<()> {
        if self.synced.elapsed() < SYNC_EVERY {
            return Ok(());
        }
        match self.syncing.take() {
            Some(under_way) if !under_way.is_finished() => self.syncing = Some(under_way),
            Some(done) => joined(done)?,
            None => {}
        }
        if self.syncing.is_none() {
            let file = self.file.try_clone()?;
            self.syncing = Some(std::thread::spawn(move || file.sync_data()));
            self.synced = Instant::now();
        }
        Ok(())
    }

    /// Syncs to disk, and waits for it.
    fn sync(&mut self) -> io::Result<()> {
        let earlier = self.syncing.take().map_or(Ok(()), joined);
        self.file.sync_data().and(earlier)
    }
}

fn joined(syncing: JoinHandle<io::Result<()>>) -> io::Result<()> {
    syncing.join().unwrap_or_else(|_| Err(io::Error::other("the thread that syncs panicked")))
}

/// The file's contents.
#[derive(Debug)]
pub(super) struct Contents<T> {
    pub(super) lines: Vec<T>,
    pub(super) truncated: Option<TruncatedLine>,
}

impl Lines {
    /// Opens or creates the file, and reads it. Its folder is created where it is not there.
    pub(super) fn open<T: DeserializeOwned>(
        path: &Path,
    ) -> Result<(Self, Contents<T>), LinesError> {
        let at = |action| move |source| LinesError::Io { action, path: path.to_owned(), source };
        if let Some(folder) = path.parent() {
            std::fs::create_dir_all(folder).map_err(at("create the folder of"))?;
        }
        let mut options = OpenOptions::new();
        let mut file =
            options.read(true).append(true).create(true).open(path).map_err(at("open"))?;
        lock(&file, path)?;
        let (contents, whole) = read(&mut file, path)?;
        if contents.truncated.is_some() {
            file.set_len(whole).map_err(at("cut the truncated last line off"))?;
        }
        Ok((Self::new(path, file, whole), contents))
    }

    /// Begins a file; none if there is one of this name.
    pub(super) fn create(path: &Path) -> Result<Option<Self>, LinesError> {
        let file = match OpenOptions::new().append(true).create_new(true).open(path) {
            Ok(file) => file,
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => return Ok(None),
            Err(source) => {
                return Err(LinesError::Io { action: "create", path: path.to_owned(), source });
            }
        };
        lock(&file, path)?;
        Ok(Some(Self::new(path, file, 0)))
    }

    fn new(path: &Path, file: File, end: u64) -> Self {
        let state = State { file, end, synced: Instant::now(), syncing: None };
        Self { path: path.to_owned(), state: Mutex::new(state) }
    }

    /// The lines of a file that is not to be written; a truncated last line is left where it is.
    pub(super) fn read_only<T: DeserializeOwned>(path: &Path) -> Result<Contents<T>, LinesError> {
        Ok(read(&mut open(path)?, path)?.0)
    }

    /// Writes a line and gives its byte range in the file.
    pub(super) fn append(&self, line: &impl Serialize) -> Result<Range<u64>, LinesError> {
        let io = |source| LinesError::Io { action: "write to", path: self.path.clone(), source };
        let mut text = serde_json::to_vec(line)
            .map_err(|source| LinesError::Unserializable { path: self.path.clone(), source })?;
        text.push(b'\n');
        // A poisoned lock is that of a panic elsewhere; the file is in order between lines.
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        state.file.write_all(&text).map_err(io)?;
        let start = state.end;
        state.end += text.len() as u64;
        state.sync_now_and_then().map_err(io)?;
        Ok(start..state.end)
    }

    /// Syncs to disk.
    pub(super) fn sync(&self) -> Result<(), LinesError> {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        state.sync().map_err(|source| LinesError::Io {
            action: "write to",
            path: self.path.clone(),
            source,
        })
    }

    pub(super) fn path(&self) -> &Path {
        &self.path
    }
}

impl Drop for Lines {
    fn drop(&mut self) {
        // Whoever must know calls `sync`.
        let _ = self.sync();
    }
}

fn open(path: &Path) -> Result<File, LinesError> {
    let io = |source| LinesError::Io { action: "open", path: path.to_owned(), source };
    File::open(path).map_err(io)
}

/// Hands on each whole line of a file that is not to be written, without its end, with its place. What is
/// wrong with a line ends it.
pub(super) fn each_line(
    path: &Path,
    on_line: impl FnMut(Range<u64>, &[u8]) -> Result<(), String>,
) -> Result<(), LinesError> {
    whole_lines(&mut open(path)?, path, on_line).map(|_| ())
}

/// The lines, and the bytes of the complete ones.
fn read<T: DeserializeOwned>(
    file: &mut File,
    path: &Path,
) -> Result<(Contents<T>, u64), LinesError> {
    let mut lines = Vec::new();
    let (truncated, whole) = whole_lines(file, path, |_, line| {
        lines.push(serde_json::from_slice(line).map_err(|error| error.to_string())?);
        Ok(())
    })?;
    Ok((Contents { lines, truncated }, whole))
}

/// Passes on each complete line; returns the truncated last one, and the bytes of the complete ones.
fn whole_lines(
    file: &mut File,
    path: &Path,
    mut on_line: impl FnMut(Range<u64>, &[u8]) -> Result<(), String>,
) -> Result<(Option<TruncatedLine>, u64), LinesError> {
    let io = |source| LinesError::Io { action: "read", path: path.to_owned(), source };
    file.seek(SeekFrom::Start(0)).map_err(io)?;
    let mut reader = BufReader::new(file);
    let (mut number, mut whole, mut line) = (0, 0, Vec::new());
    loop {
        line.clear();
        let bytes = reader.read_until(b'\n', &mut line).map_err(io)? as u64;
        if bytes == 0 {
            return Ok((None, whole));
        }
        number += 1;
        // A line is written with its end in one piece, so one without an end is truncated, whatever it says.
        if line.pop() != Some(b'\n') {
            return Ok((Some(TruncatedLine { line: number, bytes }), whole));
        }
        on_line(whole..whole + bytes, &line).map_err(|reason| LinesError::Corrupt {
            path: path.to_owned(),
            line: number,
            reason,
        })?;
        whole += bytes;
    }
}

/// Attempts to get a lock, and the wait between them: one second in all.
const LOCK_ATTEMPTS: u32 = 20;
const LOCK_WAIT: Duration = Duration::from_millis(50);

/// Locks the file for this process. A lock outlives its owner for a moment, where a process that was
/// being started just then still has the file: so it is asked for a few times.
fn lock(file: &File, path: &Path) -> Result<(), LinesError> {
    for attempt in 1.. {
        // Not the standard library's of the same name, which is younger than the oldest supported compiler.
        match fs4::FileExt::try_lock(file) {
            Ok(()) => return Ok(()),
            Err(TryLockError::WouldBlock) if attempt < LOCK_ATTEMPTS => thread::sleep(LOCK_WAIT),
            Err(TryLockError::WouldBlock) => break,
            Err(TryLockError::Error(source)) => {
                return Err(LinesError::Io { action: "lock", path: path.to_owned(), source });
            }
        }
    }
    Err(LinesError::Locked { path: path.to_owned() })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_prefix_of_a_file_is_one_that_can_be_gone_on_with() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("deep/er/lines.jsonl");
        let (lines, _) = Lines::open::<u64>(&path).unwrap();
        for n in [1_u64, 22, 333] {
            lines.append(&n).unwrap();
        }
        drop(lines);
        let whole = std::fs::read(&path).unwrap();
        assert_eq!(whole, b"1\n22\n333\n");
        for length in 0..=whole.len() {
            std::fs::write(&path, &whole[..length]).unwrap();
            let (lines, contents) = Lines::open::<u64>(&path).unwrap();
            let ends = whole[..length].split(|byte| *byte == b'\n').count() - 1;
            assert_eq!(contents.lines, [1, 22, 333][..ends]);
            assert_eq!(contents.truncated.is_some(), length != 0 && whole[length - 1] != b'\n');
            lines.append(&4444_u64).unwrap();
            drop(lines);
            let (_, contents) = Lines::open::<u64>(&path).unwrap();
            assert_eq!(contents.lines.last(), Some(&4444));
            assert_eq!(contents.lines.len(), ends + 1);
        }
    }

    #[test]
    fn a_line_in_the_middle_that_is_not_ours_is_named_not_skipped() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("lines.jsonl");
        std::fs::write(&path, "1\nx\n3\n").unwrap();
        let error = Lines::open::<u64>(&path).unwrap_err().to_string();
        assert!(error.contains("line 2 of") && error.contains("lines.jsonl"), "{error}");
        assert_eq!(std::fs::read(&path).unwrap(), b"1\nx\n3\n");
    }

    #[test]
    fn two_cannot_write_one_file() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("lines.jsonl");
        let (first, _) = Lines::open::<u64>(&path).unwrap();
        let error = Lines::open::<u64>(&path).unwrap_err().to_string();
        assert!(error.contains("another process"), "{error}");
        drop(first);
        Lines::open::<u64>(&path).unwrap();
    }
}
