//! Finding files below a folder: the one walker for all that look for transcripts. Links are followed; a file
//! or folder that two paths lead to is taken once, by its first path in byte order; a link back to a folder
//! that is being walked ends there; a folder that cannot be read is named and passed over.

use std::cmp::Ordering;
use std::collections::BTreeSet;
use std::fs::{self, Metadata};
use std::io;
use std::path::{Path, PathBuf};

use walkdir::{DirEntry, WalkDir};

/// A file or folder that could not be read.
#[derive(Debug, thiserror::Error)]
#[error("cannot read {path}: {source}")]
pub struct WalkError {
    /// What could not be read.
    pub path: PathBuf,
    /// Why not.
    pub source: io::Error,
}

/// The files that a walk found.
#[derive(Debug, Default)]
pub struct Listing {
    /// The files, in byte order of their paths.
    pub files: Vec<PathBuf>,
    /// What could not be read below the folder, and was passed over.
    pub unreadable: Vec<WalkError>,
}

/// The same file or folder, whichever path led to it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Identity {
    /// Where the system numbers files.
    #[cfg(unix)]
    Number(u64, u64),
    /// Elsewhere, and for what cannot be looked at: its path without links.
    Path(PathBuf),
}

/// Files and folders that were visited, by whichever path.
#[derive(Clone, Debug, Default)]
pub struct Visited(BTreeSet<Identity>);

impl Visited {
    /// Notes a path; returns whether it leads to what no path before it did.
    pub fn insert(&mut self, path: &Path) -> bool {
        self.0.insert(identity(path, fs::metadata(path).ok().as_ref()))
    }

    /// Whether a path leads to what one before it did.
    pub fn contains(&self, path: &Path) -> bool {
        self.0.contains(&identity(path, fs::metadata(path).ok().as_ref()))
    }
}

#[cfg(unix)]
fn identity(path: &Path, metadata: Option<&Metadata>) -> Identity {
    use std::os::unix::fs::MetadataExt as _;
    match metadata {
        Some(metadata) => Identity::Number(metadata.dev(), metadata.ino()),
        None => Identity::Path(path.to_owned()),
    }
}

#[cfg(not(unix))]
fn identity(path: &Path, _metadata: Option<&Metadata>) -> Identity {
    Identity::Path(fs::canonicalize(path).unwrap_or_else(|_| path.to_owned()))
}

/// The wanted files below a folder, at any depth.
pub fn below(folder: &Path, wanted: impl Fn(&Path) -> bool) -> Result<Listing, WalkError> {
    walk(WalkDir::new(folder), folder, &wanted)
}

/// The files in a folder, not in those below it, that are wanted by their names. Only those are looked at:
/// whoever follows a run does this again and again, and the folder may hold thousands of others.
pub fn within(folder: &Path, wanted: impl Fn(&Path) -> bool) -> Result<Listing, WalkError> {
    let at_folder = |source| WalkError { path: folder.to_owned(), source };
    let mut listing = Listing::default();
    let mut paths = Vec::new();
    for entry in fs::read_dir(folder).map_err(at_folder)? {
        match entry {
            Ok(entry) => paths.push(entry.path()),
            Err(source) => listing.unreadable.push(at_folder(source)),
        }
    }
    paths.retain(|path| wanted(path));
    paths.sort_by(|a, b| a.as_os_str().as_encoded_bytes().cmp(b.as_os_str().as_encoded_bytes()));
    let mut visited = Visited::default();
    for path in paths {
        match fs::metadata(&path) {
            Ok(found) => {
                if found.is_file() && visited.insert(&path) {
                    listing.files.push(path);
                }
            }
            // It was removed since it was listed.
            Err(error) if error.kind() == io::ErrorKind::NotFound && !path.is_symlink() => {}
            Err(source) => listing.unreadable.push(WalkError { path, source }),
        }
    }
    Ok(listing)
}

fn walk(
    walk: WalkDir,
    folder: &Path,
    wanted: &dyn Fn(&Path) -> bool,
) -> Result<Listing, WalkError> {
    let mut listing = Listing::default();
    let mut visited = Visited::default();
    let mut entries = walk.follow_links(true).sort_by(by_path).into_iter();
    while let Some(entry) = entries.next() {
        match entry {
            Ok(entry) if entry.file_type().is_dir() => {
                if !visited.insert(entry.path()) {
                    entries.skip_current_dir();
                }
            }
            // Neither pipes nor devices: reading one might never end.
            Ok(entry) => {
                let is_file = entry.file_type().is_file();
                if is_file && wanted(entry.path()) && visited.insert(entry.path()) {
                    listing.files.push(entry.into_path());
                }
            }
            Err(error) if error.loop_ancestor().is_some() => {}
            Err(error) => {
                let path = error.path().unwrap_or(folder).to_owned();
                let at_folder = error.depth() == 0;
                let error = WalkError { path, source: error.into() };
                if at_folder {
                    return Err(error);
                }
                let is_missing = error.source.kind() == io::ErrorKind::NotFound;
                // It was removed since it was listed, or it is a link that leads nowhere.
                if !is_missing || (error.path.is_symlink() && wanted(&error.path)) {
                    listing.unreadable.push(error);
                }
            }
        }
    }
    Ok(listing)
}

/// Orders a folder's entries so that whole paths come in byte order: a folder's name is followed by a slash.
fn by_path(a: &DirEntry, b: &DirEntry) -> Ordering {
    let bytes = |entry: &DirEntry| {
        let mut name = entry.file_name().as_encoded_bytes().to_vec();
        if entry.file_type().is_dir() {
            name.push(b'/');
        }
        name
    };
    bytes(a).cmp(&bytes(b))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(folder: &Path, walked: &Listing) -> Vec<String> {
        let name = |path: &PathBuf| path.strip_prefix(folder).unwrap().display().to_string();
        walked.files.iter().map(name).collect()
    }

    fn make(folder: &Path, files: &[&str]) {
        for file in files {
            let path = folder.join(file);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, file).unwrap();
        }
    }

    #[test]
    fn files_come_in_byte_order_of_their_whole_paths() {
        let folder = tempfile::tempdir().unwrap();
        let files = ["a!/x", "a-b/x", "a.x", "a/x", "a/y/x", "ab/x"];
        make(folder.path(), &files);
        let walked =
            below(folder.path(), |path| path.ends_with("x") || path.ends_with("a.x")).unwrap();
        assert_eq!(names(folder.path(), &walked), files);
        assert!(files.is_sorted());
        assert_eq!(names(folder.path(), &within(folder.path(), |_| true).unwrap()), ["a.x"]);
    }

    #[test]
    fn a_folder_that_is_not_there_is_an_error() {
        let folder = tempfile::tempdir().unwrap();
        let error = below(&folder.path().join("none"), |_| true).unwrap_err();
        assert_eq!(error.source.kind(), io::ErrorKind::NotFound);
    }

    #[cfg(unix)]
    #[test]
    fn links_are_followed_once_and_end_where_they_lead_back() {
        use std::os::unix::fs::symlink;
        let folder = tempfile::tempdir().unwrap();
        let elsewhere = tempfile::tempdir().unwrap();
        make(elsewhere.path(), &["far/x"]);
        make(folder.path(), &["b/x", "c/x"]);
        let at = |name: &str| folder.path().join(name);
        symlink(elsewhere.path(), at("linked")).unwrap();
        symlink(folder.path(), at("b/up")).unwrap();
        symlink(at("b"), at("a")).unwrap();
        symlink(at("c/x"), at("c/w")).unwrap();
        fs::hard_link(at("c/x"), at("c/y")).unwrap();
        symlink(at("nowhere"), at("c/z")).unwrap();
        // Folders that lead to one another: as many paths as there are subsets, if each were walked.
        for at_level in 0..40 {
            let level = folder.path().join(format!("d/{at_level}"));
            fs::create_dir_all(&level).unwrap();
            for name in ["l", "r"] {
                symlink(folder.path().join(format!("d/{}", at_level + 1)), level.join(name))
                    .unwrap();
            }
        }
        let walked = below(folder.path(), |path| !path.starts_with(at("d"))).unwrap();
        assert_eq!(names(folder.path(), &walked), ["a/x", "c/w", "linked/far/x"]);
        let unreadable: Vec<_> = walked.unreadable.iter().map(|it| it.path.clone()).collect();
        assert!(unreadable.contains(&at("c/z")), "{unreadable:?}");
    }

    #[cfg(unix)]
    #[test]
    fn a_folder_that_may_not_be_read_is_named_and_passed_over() {
        use std::os::unix::fs::PermissionsExt as _;
        let folder = tempfile::tempdir().unwrap();
        make(folder.path(), &["a/x", "closed/x", "z/x"]);
        let closed = folder.path().join("closed");
        fs::set_permissions(&closed, fs::Permissions::from_mode(0o000)).unwrap();
        let walked = below(folder.path(), |_| true).unwrap();
        let may_read_all = closed.read_dir().is_ok(); // a superuser may
        fs::set_permissions(&closed, fs::Permissions::from_mode(0o700)).unwrap();
        if may_read_all {
            return;
        }
        assert_eq!(names(folder.path(), &walked), ["a/x", "z/x"]);
        assert_eq!(walked.unreadable.iter().map(|it| &it.path).collect::<Vec<_>>(), [&closed]);
    }
}
