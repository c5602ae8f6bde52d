//! Parses the worker view, either version: its facts, totals and files. Both write them alike; the second has more
//! marks on a file, and may give the facts of one reading in several groups.

use super::aggregate::Total;
use super::assignments::{Lines, assignment};
use crate::continuation::reply::object;

/// What a view says.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct ViewText {
    /// Totals of keys.
    pub(super) totals: Vec<Total>,
    /// Facts by source, last read last. A source may come more than once.
    pub(super) facts: Vec<(String, Lines)>,
    /// Files that were read or written, in the view's order.
    pub(super) files: Vec<FileUse>,
    /// Whether that order is last used first.
    pub(super) last_used_first: bool,
    /// Files that the last events show to be read, in their order.
    pub(super) events: Vec<String>,
}

/// A file that was used.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct FileUse {
    /// Its path, as the view gives it: from the run's folder, where it is below that.
    pub(super) path: String,
    /// Whether it was read.
    pub(super) read: bool,
    /// Whether it was written.
    pub(super) written: bool,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum List {
    Totals,
    Facts,
    Files,
    Events,
    Other,
}

impl ViewText {
    /// Reads a view.
    pub(super) fn parse(text: &str) -> Self {
        let mut view = Self::default();
        let mut list = List::Other;
        let mut called = None;
        for line in text.lines() {
            if !line.starts_with("- ") && !line.starts_with("  ") {
                list = match line {
                    _ if line.starts_with("AGGREGATES") => List::Totals,
                    _ if line.starts_with("FACTS") => List::Facts,
                    _ if line.starts_with("FILES") => List::Files,
                    _ if line.starts_with("LAST EVENTS") => List::Events,
                    _ => List::Other,
                };
                view.last_used_first |= list == List::Files && line.contains("last used first");
                continue;
            }
            match list {
                List::Totals => view.totals.extend(Total::parse(line)),
                List::Facts => view.fact(line),
                List::Files => view.files.extend(file(line)),
                List::Events => view.event(line, &mut called),
                List::Other => {}
            }
        }
        view
    }

    /// The file of a folder that the view shows to be read last.
    pub(super) fn last_read(&self, inside: impl Fn(&str) -> bool) -> Option<&str> {
        let events = self.events.iter().rev().map(String::as_str);
        let events = events.filter(|_| !self.last_used_first);
        let read = self.files.iter().filter(|file| file.read).map(|file| file.path.as_str());
        events.chain(read).find(|path| inside(path))
    }

    /// A line `- event N agent calls read_file: {"path":"PATH"}`, or one `- event N tool read_file ok: TEXT` with what
    /// the call before it was answered.
    fn event(&mut self, line: &str, called: &mut Option<String>) {
        if let Some((_, input)) = line.split_once(" agent calls read_file: ") {
            let input = object(input);
            *called = input.and_then(|it| Some(it.get("path")?.as_str()?.to_owned()));
        } else if line.contains(" tool read_file ok: ") {
            self.events.extend(called.take());
        }
    }

    /// A line `- SOURCE (event N):`, or below it `  LINE: key = value`.
    fn fact(&mut self, line: &str) {
        if let Some(source) = line.strip_prefix("- ") {
            let source = source.trim_end_matches(':').split(" (event ").next().unwrap_or(source);
            self.facts.push((source.to_owned(), Lines::new()));
        } else if let Some((_, fact)) = line.split_once(": ")
            && let Some((_, lines)) = self.facts.last_mut()
        {
            lines.extend(assignment(fact));
        }
    }
}

/// A line `- r2 w1 c3 PATH`.
fn file(line: &str) -> Option<FileUse> {
    let mut rest = line.strip_prefix("- ")?;
    let (mut read, mut written) = (false, false);
    while let Some((word, after)) = rest.split_once(' ') {
        let letters = word.trim_end_matches(|c: char| c.is_ascii_digit());
        if letters == word || !matches!(letters, "r" | "w" | "sr" | "sw" | "c") {
            break;
        }
        read |= letters.ends_with('r');
        written |= letters.ends_with('w');
        // What a command named was not necessarily read.
        rest = after;
    }
    Some(FileUse { path: rest.to_owned(), read, written })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_view_gives_back_what_it_lists() {
        let view = ViewText::parse(
            "# worker 1: covers events 0-9\n\nGOAL (turn 1, event 0): sum\n\
             FILES (all 2, last used first; r = reads, w = writes):\n- r2 w1 a/b.txt\n- r1 c.txt\n\
             AGGREGATES of facts (all 1 keys, exact):\n- delta sum 12, over 2 values, up to and \
             including c.txt (event 7); all are listed below\n\
             FACTS (key = value lines of results; all 3, last read last):\n- a/b.txt (event 3):\n  \
             2: delta = 5\n  3: next = c.txt\n- c.txt (event 7):\n  2: delta = 7\n\
             LAST EVENTS of the main thread (2 of 9, oldest first):\n- event 7 tool: delta = 9\n",
        );
        assert_eq!(view.totals.len(), 1);
        assert_eq!(view.totals[0].up_to.as_deref(), Some("c.txt"));
        assert_eq!(view.facts.len(), 2);
        assert_eq!(view.facts[0].1[1], ("next".to_owned(), "c.txt".to_owned()));
        let files: Vec<_> = view.files.iter().map(|f| (&*f.path, f.read, f.written)).collect();
        assert_eq!(files, [("a/b.txt", true, true), ("c.txt", true, false)]);
    }

    #[test]
    fn the_second_version_is_read_by_the_same_rules() {
        let view = ViewText::parse(
            "# worker 2 (fingerprint 0): covers events 0-9\nsession s, in /w\nFILES (all 3, by recency \
             and use; r read, w written, sr and sw by subagents, c named in commands):\n- r1 \
             c3 a.txt\n- c1 c.txt\n- sw2 d.txt\nNAMES in calls (all 1): a\nLAST EVENTS of the main \
             thread (4 of 9, oldest first):\n- event 5 agent calls read_file: {\"path\":\"b.txt\"}\n- event \
             6 tool read_file ok: # b\n- event 7 agent calls read_file: {\"path\":\"e.txt\"}\n- event 8 tool \
             read_file FAILED: no such file\nAGGREGATES of facts (all 1 \
             keys with two numbers or more, exact):\n- delta sum 12, over 2 values, up to and \
             including a.txt (event 7); all are listed below\nFACTS (all 3, key = value lines of \
             results, last read last):\n- a.txt (event 7):\n  1: delta = 5\n  2: n = 7\n- a.txt (event \
             7):\n  3: next = c.txt\n",
        );
        let files: Vec<_> = view.files.iter().map(|f| (&*f.path, f.read, f.written)).collect();
        let last = (Some("b.txt"), Some("a.txt"));
        let expected = [("a.txt", true, false), ("c.txt", false, false), ("d.txt", false, true)];
        assert_eq!(files, expected);
        assert_eq!((view.last_read(|_| true), view.last_read(|it| it != "b.txt")), last);
        assert_eq!(view.totals[0].up_to.as_deref(), Some("a.txt"));
        let facts: Vec<_> = view.facts.iter().map(|(path, all)| (&**path, all.len())).collect();
        assert_eq!(facts, [("a.txt", 2), ("a.txt", 1)]);
    }
}
