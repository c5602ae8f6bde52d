//! The plain list: what was used last, with nothing said about it.

use std::fmt::Write as _;

use super::super::context::{Prompt, Segment, quoted};
use super::super::history::History;
use super::called::{command, path};
use super::layout::flat;
use super::policy::{Arm, Policy};

/// Distinct paths in the list. It and the next are part of what the arm's name stands for.
const PATHS: usize = 40;
/// Distinct commands in the list.
const COMMANDS: usize = 20;

/// The last paths and commands, listed every K steps, and the last K steps as they were.
pub(super) struct List {
    every: usize,
    covered: usize,
    paths: Latest,
    commands: Latest,
    shown: Option<Segment>,
    refreshes: u32,
}

impl List {
    pub(super) fn new(policy: &Policy) -> Self {
        Self {
            every: policy.refresh_every.max(1),
            covered: 0,
            paths: Latest::new(PATHS),
            commands: Latest::new(COMMANDS),
            shown: None,
            refreshes: 0,
        }
    }

    fn refresh(&mut self, history: &History) {
        let since = &history.steps[self.covered..];
        if since.len() < self.every {
            return;
        }
        for step in since {
            self.paths.extend(path(step).map(str::to_owned));
            self.commands.extend(command(step));
        }
        let mut text = String::new();
        for (name, latest) in [("PATHS", &self.paths), ("COMMANDS", &self.commands)] {
            let _ = writeln!(text, "{name} (the last {}, newest first):", latest.0.len());
            latest.newest_first().for_each(|line| {
                let _ = writeln!(text, "- {line}");
            });
        }
        self.shown = Some(Segment::new(format!("[list]\n{}", quoted(&text))));
        self.covered = history.steps.len();
        self.refreshes += 1;
    }
}

impl Arm for List {
    fn context(&mut self, history: &History) -> anyhow::Result<Prompt> {
        self.refresh(history);
        Ok(flat(history, &self.shown, history.last(self.every)))
    }

    fn refreshes(&self) -> u32 {
        self.refreshes
    }
}

/// The last distinct texts, oldest first, and how many there may be.
struct Latest(Vec<String>, usize);

impl Latest {
    fn new(most: usize) -> Self {
        Self(Vec::new(), most)
    }

    fn extend(&mut self, used: Option<String>) {
        let Some(used) = used else { return };
        self.0.retain(|known| *known != used);
        self.0.push(used);
        if self.0.len() > self.1 {
            self.0.remove(0);
        }
    }

    fn newest_first(&self) -> impl Iterator<Item = &String> {
        self.0.iter().rev()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_used_again_moves_to_the_front_and_the_oldest_goes() {
        let mut latest = Latest::new(2);
        for used in ["a", "b", "a", "c"] {
            latest.extend(Some(used.to_owned()));
        }
        assert_eq!(latest.newest_first().collect::<Vec<_>>(), ["c", "a"]);
    }
}
