//! Atomic writes: a reader sees the old content or the new, never a part. Used for snapshots and caches.

use std::fs::{self, File};
use std::io::{self, Write as _};
use std::path::Path;
use std::process;
use std::sync::atomic::{AtomicU64, Ordering};

/// Writes a file atomically: to a temporary file beside it, which is synced and renamed into place. On an
/// error the old file stays.
pub fn write_whole(path: &Path, bytes: &[u8]) -> io::Result<()> {
    // Two threads that write the same file must not share the one beside it.
    static WRITES: AtomicU64 = AtomicU64::new(0);
    let mut beside = path.as_os_str().to_owned();
    beside.push(format!(".{}-{}.tmp", process::id(), WRITES.fetch_add(1, Ordering::Relaxed)));
    let beside = Path::new(&beside);
    let written = File::create(beside)
        .and_then(|mut file| file.write_all(bytes).and_then(|()| file.sync_all()))
        .and_then(|()| fs::rename(beside, path));
    if written.is_err() {
        let _ = fs::remove_file(beside); // the first error is the one that counts
    }
    written
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_write_that_fails_leaves_what_was_there_and_nothing_beside_it() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("file");
        write_whole(&path, b"one").unwrap();
        write_whole(&path, b"two").unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"two");
        // A folder that is not empty is never replaced by a file.
        let full = folder.path().join("full");
        fs::create_dir_all(full.join("inside")).unwrap();
        assert!(write_whole(&full, b"three").is_err());
        assert!(full.join("inside").is_dir());
        assert_eq!(folder.path().read_dir().unwrap().count(), 2);
    }
}
