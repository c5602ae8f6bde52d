//! Follows a transcript file that another program writes: reads appended data, and notices when the file was
//! replaced.

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};

use super::token::{Fingerprint, ResumeToken, WINDOW};
use super::transcript::{ReadStats, TranscriptReader};
use crate::adapter::FileRole;
use crate::event::Record;

/// How much is read at a time.
const CHUNK: usize = 256 * 1024;
/// How much is read at a time at least.
const LEAST: usize = 4 * 1024;

/// What a look at a followed file found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Change {
    /// Nothing new.
    None,
    /// This many bytes were appended and read.
    Appended(u64),
    /// The file is shorter than what was already read. Nothing was read: the caller starts over with a new
    /// fold.
    Truncated,
    /// The file's content differs from what was already read. Nothing was read, as above.
    Replaced,
    /// The file is gone.
    Gone,
}

/// A file that could not be read.
#[derive(Debug, thiserror::Error)]
#[error("cannot read {path}: {source}")]
pub struct FollowError {
    /// The file.
    pub path: PathBuf,
    /// Why not.
    pub source: io::Error,
}

/// An open file of which the start was read already, to tell what it is.
#[derive(Debug)]
pub(crate) struct Begun {
    /// The file, at the end of what was read.
    pub(crate) file: File,
    /// What was read.
    pub(crate) head: Vec<u8>,
}

/// A transcript file that may still grow.
#[derive(Debug)]
pub struct Followed {
    path: PathBuf,
    reader: TranscriptReader,
    /// The file, if it was opened before it is read for the first time.
    begun: Option<Begun>,
}

impl Clone for Followed {
    /// What was begun is not begun by the copy: it opens the file itself.
    fn clone(&self) -> Self {
        Self { path: self.path.clone(), reader: self.reader.clone(), begun: None }
    }
}

impl Followed {
    /// Follows a file from its start.
    pub fn from_start(path: &Path, role: FileRole) -> Self {
        Self { path: path.to_owned(), reader: TranscriptReader::new(role), begun: None }
    }

    /// Follows a file from its start, which was read already.
    pub(crate) fn begun(path: &Path, role: FileRole, begun: Begun) -> Self {
        Self { begun: Some(begun), ..Self::from_start(path, role) }
    }

    /// Resumes a file where reading stopped; `Err(Change)` if it is no longer the same file.
    pub fn resume(
        path: &Path,
        role: FileRole,
        token: &ResumeToken,
        stats: ReadStats,
    ) -> Result<Result<Self, Change>, FollowError> {
        let Some(mut file) = open(path)? else { return Ok(Err(Change::Gone)) };
        let at_path = |source| FollowError { path: path.to_owned(), source };
        match windows(&mut file, token.offset.0).map_err(at_path)? {
            None => Ok(Err(Change::Truncated)),
            Some((head, tail)) => {
                if Fingerprint::new(token.offset.0, &head, &tail) != token.fingerprint {
                    return Ok(Err(Change::Replaced));
                }
                let reader = TranscriptReader::resumed(role, token, stats, head, tail);
                Ok(Ok(Self { path: path.to_owned(), reader, begun: None }))
            }
        }
    }

    /// Reads data appended since the last read.
    pub fn poll(&mut self, mut sink: impl FnMut(&Record<'_>)) -> Result<Change, FollowError> {
        let read = match self.begun.take() {
            Some(begun) => self.read_begun(begun, &mut sink),
            None => {
                let Some(mut file) = open(&self.path)? else { return Ok(Change::Gone) };
                self.read_appended(&mut file, &mut sink)
            }
        };
        match read {
            Ok(change) => Ok(change),
            Err(source) => Err(FollowError { path: self.path.clone(), source }),
        }
    }

    /// Takes a complete last line without a line feed as read: for a file that nobody writes.
    pub fn finish(&mut self, sink: impl FnMut(&Record<'_>)) {
        self.reader.finish(sink);
    }

    /// Whether the file ends in a complete record without a line feed, which [`Followed::finish`] would
    /// take as read.
    pub fn ends_in_a_record(&self) -> bool {
        self.reader.ends_in_a_record()
    }

    /// Knows from now on whose file it is: a subagent's may be described later than it appears.
    pub fn set_role(&mut self, role: FileRole) {
        self.reader.set_role(role);
    }

    /// The reader, for its token and findings.
    pub fn reader(&self) -> &TranscriptReader {
        &self.reader
    }

    /// The followed file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Reads what was begun. If the path leads to another file by now, the next look notices.
    fn read_begun(
        &mut self,
        begun: Begun,
        sink: &mut impl FnMut(&Record<'_>),
    ) -> io::Result<Change> {
        let Begun { mut file, head } = begun;
        self.reader.feed(&head, &mut *sink);
        let begun = head.len() as u64;
        drop(head);
        Ok(appended(begun + self.read_on(&mut file, begun, sink)?))
    }

    fn read_appended(
        &mut self,
        file: &mut File,
        sink: &mut impl FnMut(&Record<'_>),
    ) -> io::Result<Change> {
        let seen = self.reader.seen();
        let known = seen.length();
        match windows(file, known)? {
            None => return Ok(Change::Truncated),
            Some((head, tail)) if !seen.are(&head, &tail) => return Ok(Change::Replaced),
            Some(_) => {}
        }
        file.seek(SeekFrom::Start(known))?;
        Ok(appended(self.read_on(file, known, sink)?))
    }

    /// Reads a file from where it stands to its end; returns how much that was.
    fn read_on(
        &mut self,
        file: &mut File,
        known: u64,
        sink: &mut impl FnMut(&Record<'_>),
    ) -> io::Result<u64> {
        // Little is appended at a time while a run is followed: no large buffer is made for it.
        let expected = file.metadata()?.len().saturating_sub(known).saturating_add(1);
        let size = usize::try_from(expected).unwrap_or(CHUNK).clamp(LEAST, CHUNK);
        let mut chunk = vec![0; size];
        let mut appended = 0;
        loop {
            let length = match file.read(&mut chunk) {
                Ok(0) => break,
                Ok(length) => length,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                Err(error) => return Err(error),
            };
            self.reader.feed(&chunk[..length], &mut *sink);
            appended += length as u64;
        }
        Ok(appended)
    }
}

fn appended(bytes: u64) -> Change {
    if bytes == 0 { Change::None } else { Change::Appended(bytes) }
}

/// Opens a file; `None` if it does not exist.
fn open(path: &Path) -> Result<Option<File>, FollowError> {
    match File::open(path) {
        Ok(file) => Ok(Some(file)),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(source) => Err(FollowError { path: path.to_owned(), source }),
    }
}

/// The first bytes of a file and the last ones before `length`; `None` if it is shorter than that.
fn windows(file: &mut File, length: u64) -> io::Result<Option<(Vec<u8>, Vec<u8>)>> {
    if file.metadata()?.len() < length {
        return Ok(None);
    }
    let size = length.min(WINDOW as u64);
    let mut head = Vec::new();
    file.seek(SeekFrom::Start(0))?;
    file.by_ref().take(size).read_to_end(&mut head)?;
    let mut tail = Vec::new();
    file.seek(SeekFrom::Start(length - size))?;
    file.by_ref().take(size).read_to_end(&mut tail)?;
    let complete = head.len() as u64 == size && tail.len() as u64 == size;
    Ok(complete.then_some((head, tail)))
}
