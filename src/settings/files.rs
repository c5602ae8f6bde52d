//! Where settings files are, and where the paths in them lead.

use std::env;
use std::path::{Path, PathBuf};

use anyhow::bail;

/// The name of a settings file.
const NAME: &str = "tracefold.toml";

/// Names the one settings file to read instead of those below; empty, none is read.
const VARIABLE: &str = "TRACEFOLD_CONFIG";

/// The settings files that there are, the one that prevails last: the user's own, the current folder's.
pub(super) fn present() -> anyhow::Result<Vec<PathBuf>> {
    if let Some(named) = env::var_os(VARIABLE) {
        let named = PathBuf::from(named);
        return match named.as_os_str().is_empty() {
            true => Ok(Vec::new()),
            false if named.is_file() => Ok(vec![named]),
            false => bail!("{}: no such file; correct {VARIABLE} or unset it", named.display()),
        };
    }
    let user = env::var_os("XDG_CONFIG_HOME")
        .map(PathBuf::from)
        .filter(|folder| folder.is_absolute())
        .or_else(|| Some(home()?.join(".config")))
        .map(|folder| folder.join("tracefold").join(NAME));
    let files = user.into_iter().chain([PathBuf::from(NAME)]);
    Ok(files.filter(|file| file.is_file()).collect())
}

/// A path as it is written in a file of `folder`: `~/` is the user's home.
pub(super) fn place(text: &str, folder: Option<&Path>) -> PathBuf {
    match (text.strip_prefix("~/"), home()) {
        (Some(rest), Some(home)) => home.join(rest),
        _ => folder.unwrap_or(Path::new("")).join(text),
    }
}

/// Folders below the user's home; none where that is not known.
pub(super) fn below_home(folders: &[&str]) -> Vec<PathBuf> {
    let home = home().into_iter();
    home.flat_map(|home| folders.iter().map(move |folder| home.join(folder))).collect()
}

fn home() -> Option<PathBuf> {
    env::home_dir().filter(|home| !home.as_os_str().is_empty())
}
