//! Scoreboards of ours, from a folder. One that cannot be used is an error: a report that leaves one
//! out without a word would be of something else than what was asked for.

use std::path::{Path, PathBuf};
use std::{fs, io};

use scoreboards::{LoadError, Scoreboard, load};

/// A folder that cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum BoardsError {
    /// It cannot be read.
    #[error("cannot read the scoreboards in {}: {source}", path.display())]
    Io {
        /// The folder.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// Nothing is in it.
    #[error(
        "{} holds no scoreboard (*.json): run an instrument first, such as `tracefold comprehend`",
        .0.display()
    )]
    Empty(PathBuf),
    /// One is damaged or of another version.
    #[error(transparent)]
    Load(#[from] LoadError),
    /// Two files hold the same scoreboard.
    #[error("{} and {} hold the same scoreboard, which would count twice: remove one", a.display(), b.display())]
    Twice {
        /// One file.
        a: PathBuf,
        /// The other.
        b: PathBuf,
    },
}

/// Every scoreboard of a folder, or the one of a file, in order of name.
pub fn read(path: &Path) -> Result<Vec<Scoreboard>, BoardsError> {
    let failed = |source| BoardsError::Io { path: path.to_path_buf(), source };
    if fs::metadata(path).map_err(failed)?.is_file() {
        return Ok(vec![load(path)?]);
    }
    let mut files: Vec<PathBuf> = fs::read_dir(path)
        .and_then(|entries| entries.map(|entry| Ok(entry?.path())).collect())
        .map_err(failed)?;
    files.retain(|file| file.extension().is_some_and(|ext| ext == "json"));
    files.sort();
    let mut found: Vec<(PathBuf, Scoreboard)> = Vec::new();
    for file in files {
        let board = load(&file)?;
        if let Some((other, _)) = found.iter().find(|(_, one)| one.id == board.id) {
            return Err(BoardsError::Twice { a: other.clone(), b: file });
        }
        found.push((file, board));
    }
    if found.is_empty() {
        return Err(BoardsError::Empty(path.to_path_buf()));
    }
    Ok(found.into_iter().map(|(_, board)| board).collect())
}
