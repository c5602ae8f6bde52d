//! Questions about files that the main agent read or changed.

use std::collections::BTreeSet;

use super::draw::Draw;
use super::found::{FoundTruth, TruthResult};
use super::scene::{MOST_TIES, Scene, most_frequent, tally};
use super::spec::QuestionSpec;
use crate::answers::{ItemKind, Part, Truth};
use crate::oracle::CallState;

/// Files per question: enough that no constant list of yes and no scores well.
const ASKED_ABOUT: usize = 6;

/// Suffixes that turn the name of a file into a plausible other one.
const BESIDE: [&str; 4] = ["_test", "_old", "_util", "2"];

pub(super) fn files(scene: &Scene, _: &QuestionSpec, _: &mut Draw) -> TruthResult {
    let written: BTreeSet<String> = scene.writes().filter_map(|call| call.path.clone()).collect();
    if written.is_empty() {
        return Err("no file was changed");
    }
    let known = scene.paths().into_iter().collect();
    let items = written.into_iter().collect();
    Ok(Truth::Set { items, known, item: ItemKind::Path }.into())
}

pub(super) fn most_edited_file(scene: &Scene, _: &QuestionSpec, _: &mut Draw) -> TruthResult {
    let counts = tally(scene.writes().filter_map(|call| call.path.clone()));
    let (accepted, most) = most_frequent(&counts).ok_or("no file was changed")?;
    if most == 1 || accepted.len() > MOST_TIES {
        return Err("no file was changed more often than most others");
    }
    Ok(Truth::Path { accepted, known: scene.paths().into_iter().collect() }.into())
}

/// Some files that were read and some that were not, shuffled.
pub(super) fn was_read(scene: &Scene, _: &QuestionSpec, draw: &mut Draw) -> TruthResult {
    let read = scene.main_calls().filter(|call| call.reads);
    let (done, tried): (Vec<_>, Vec<_>) =
        read.partition(|call| call.state == Some(CallState::Succeeded));
    let read: BTreeSet<String> = done.iter().filter_map(|call| call.path.clone()).collect();
    let tried: BTreeSet<String> = tried.iter().filter_map(|call| call.path.clone()).collect();
    if read.is_empty() {
        return Err("no file was read");
    }
    let unread = unread(scene, &read, &tried, draw);
    let yes = 1 + draw.below((ASKED_ABOUT - 1).min(read.len()));
    let read = draw.shuffled(read.into_iter().collect()).into_iter().take(yes);
    let files = read.map(|path| (path, true));
    let files: Vec<_> =
        files.chain(unread.into_iter().map(|path| (path, false))).take(ASKED_ABOUT).collect();
    if files.len() < ASKED_ABOUT {
        return Err("there are too few files to ask about");
    }
    let files = draw.shuffled(files);
    let paths: Vec<String> = files.iter().map(|(path, _)| path.clone()).collect();
    let part = |(label, yes)| Part { label, truth: Truth::YesNo { yes } };
    let truth = Truth::Each { parts: files.into_iter().map(part).collect() };
    Ok(FoundTruth::from(truth).with("files", paths))
}

/// Paths that no call of the main thread tried to read: first some that were only written, then some that
/// do not occur in the run at all but look as if they could.
fn unread(
    scene: &Scene,
    read: &BTreeSet<String>,
    tried: &BTreeSet<String>,
    draw: &mut Draw,
) -> Vec<String> {
    let named = scene.paths();
    let written: BTreeSet<String> = scene.writes().filter_map(|call| call.path.clone()).collect();
    let only_written =
        written.into_iter().filter(|path| !read.contains(path) && !tried.contains(path)).collect();
    let mut unread: Vec<String> = draw.shuffled(only_written).into_iter().take(2).collect();
    let bases = draw.shuffled(named.iter().cloned().collect());
    let file_names: Vec<&str> = bases.iter().map(|path| split(path).1).collect();
    for base in &bases {
        let (folder, name) = split(base);
        let moved = draw.one(&file_names).map(|name| format!("{folder}{name}"));
        let beside = draw.one(&BESIDE).map(|ending| renamed(folder, name, ending));
        for path in [moved, beside].into_iter().flatten() {
            if !named.contains(&path) && !unread.contains(&path) {
                unread.push(path);
            }
        }
        if unread.len() >= 2 * ASKED_ABOUT {
            break;
        }
    }
    draw.shuffled(unread)
}

/// The folder, with its separator, and the name of a path.
fn split(path: &str) -> (&str, &str) {
    path.split_at(path.rfind(['/', '\\']).map_or(0, |at| at + 1))
}

/// The path with something added to its name, before the extension.
fn renamed(folder: &str, name: &str, ending: &str) -> String {
    match name.rsplit_once('.') {
        Some((stem, extension)) if !stem.is_empty() => {
            format!("{folder}{stem}{ending}.{extension}")
        }
        _ => format!("{folder}{name}{ending}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn made_up_names_keep_folder_and_extension() {
        let rename = |path| {
            let (folder, name) = split(path);
            renamed(folder, name, "_old")
        };
        assert_eq!(rename("/a/b.tar.gz"), "/a/b.tar_old.gz");
        assert_eq!(rename("C:\\a\\Makefile"), "C:\\a\\Makefile_old");
        assert_eq!(rename(".env"), ".env_old");
    }
}
