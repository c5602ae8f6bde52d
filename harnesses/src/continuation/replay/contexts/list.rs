//! The plain list: what was used last, with nothing said about it.

use std::collections::HashSet;

use super::Past;
use super::text::chars;
use crate::continuation::replay::entities::{paths_of, stripped};

/// Distinct paths in the list.
const PATHS: usize = 40;
/// Distinct commands in the list.
const COMMANDS: usize = 20;

/// Newest first within paths and within commands; what was used longest ago gives way first.
pub(super) fn compile(past: &Past<'_>, budget: Option<usize>) -> String {
    let mut left = budget.unwrap_or(usize::MAX);
    let (mut paths, mut commands) = (Vec::new(), Vec::new());
    for (is_path, line) in newest(past) {
        let Some(rest) = left.checked_sub(chars(&line) + 1) else { break };
        left = rest;
        if is_path { &mut paths } else { &mut commands }.push(line);
    }
    paths.append(&mut commands);
    paths.iter().flat_map(|line| [line.as_str(), "\n"]).collect()
}

/// The lines of the list, newest first, and whether each is a path.
fn newest(past: &Past<'_>) -> Vec<(bool, String)> {
    let mut lines = Vec::new();
    let mut met: [HashSet<String>; 2] = Default::default();
    let calls =
        past.session.items[..past.cut.before].iter().rev().filter_map(|it| it.call.as_ref());
    for call in calls {
        let command = call.input.command().filter(|_| !call.writes);
        let command = command.as_deref().and_then(stripped).map(|(left, _)| (false, left));
        let paths = paths_of(call, &past.session.folder).into_iter().rev().map(|path| (true, path));
        for (is_path, line) in command.into_iter().chain(paths) {
            let met = &mut met[usize::from(is_path)];
            let most = if is_path { PATHS } else { COMMANDS };
            if met.len() < most && met.insert(line.clone()) {
                lines.push((is_path, line));
            }
        }
        if met[1].len() >= PATHS && met[0].len() >= COMMANDS {
            break;
        }
    }
    lines
}
