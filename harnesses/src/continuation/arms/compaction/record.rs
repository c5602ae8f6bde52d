//! What a summary without a model is put together from: requests, files, errors, the last call and the last words.

use std::collections::VecDeque;
use std::fmt::Write as _;

use trace_model::text::one_line;

use super::super::super::history::Step;
use super::super::called::{command, path};
use crate::workbench::{Action, PADDING_MARK};

/// Files that are named.
const FILES: usize = 40;
/// Files of which it is said what stands in them: a summary quotes what was looked at last.
const QUOTED: usize = 5;
/// Lines that are quoted of a file.
const LINES: usize = 4;
/// Errors that are named.
const ERRORS: usize = 6;
/// Characters of a request, of words, and of an answer.
const TEXT_CHARS: usize = 400;
/// Characters of an error, and of a quoted line.
const LINE_CHARS: usize = 160;

/// A file, what was done to it, and what it said when it was last read.
struct File {
    path: String,
    reads: u32,
    writes: u32,
    says: String,
}

/// What a run did so far.
#[derive(Default)]
pub(super) struct Record {
    requests: Vec<String>,
    /// Last used last.
    files: Vec<File>,
    errors: VecDeque<String>,
    error_count: usize,
    under_way: String,
    last_words: String,
}

impl Record {
    /// Takes in the next step.
    pub(super) fn take(&mut self, step: &Step) {
        if step.by_person {
            self.requests.push(one_line(step.reply(), TEXT_CHARS, None));
            return;
        }
        let words = step.reply().split('{').next().unwrap_or_default().trim();
        if !words.is_empty() {
            self.last_words = one_line(words, TEXT_CHARS, None);
        }
        let called = command(step).or_else(|| path(step).map(str::to_owned));
        let called = one_line(&called.unwrap_or_else(|| "a call".to_owned()), LINE_CHARS, None);
        match step.outcome {
            Some(outcome) if outcome.is_error() => self.failed(step, &called),
            Some(_) => self.done(step, &called),
            None => {}
        }
    }

    fn failed(&mut self, step: &Step, called: &str) {
        let answer = one_line(step.answer(), LINE_CHARS, None);
        self.errors.push_back(format!("at step {}, {called}: {answer}", step.number));
        self.error_count += 1;
        if self.errors.len() > ERRORS {
            self.errors.pop_front();
        }
    }

    fn done(&mut self, step: &Step, called: &str) {
        let says = quotes(step.answer());
        self.under_way = match says.as_str() {
            "" => format!("{called}: {}", one_line(unpadded(step.answer()), TEXT_CHARS, None)),
            says => format!("{called}: {says}"),
        };
        match &step.call {
            Some(Action::ReadFile { path }) => {
                let file = self.file(path);
                file.reads += 1;
                file.says = says;
            }
            Some(Action::WriteFile { path, .. }) => {
                let file = self.file(path);
                file.writes += 1;
                file.says.clear();
            }
            Some(
                Action::ListFiles | Action::Search { .. } | Action::Tally { .. } | Action::Done,
            )
            | None => {}
        }
    }

    /// The file, as the one used last.
    fn file(&mut self, path: &str) -> &mut File {
        let known = self.files.iter().position(|file| file.path == path);
        let file = match known {
            Some(at) => self.files.remove(at),
            None => File { path: path.to_owned(), reads: 0, writes: 0, says: String::new() },
        };
        self.files.push(file);
        let last = self.files.len() - 1;
        &mut self.files[last]
    }

    /// The summary.
    pub(super) fn text(&self) -> String {
        let mut text = "REQUEST: the task above\n".to_owned();
        for request in &self.requests {
            let _ = writeln!(text, "REQUEST, later: {request}");
        }
        let shown = self.files.len().min(FILES);
        let _ = writeln!(text, "FILES ({shown} of {}, last used first):", self.files.len());
        for (at, file) in self.files.iter().rev().take(FILES).enumerate() {
            let _ = writeln!(text, "{}", file.line(at < QUOTED));
        }
        let _ = writeln!(text, "ERRORS ({} of {}):", self.errors.len(), self.error_count);
        for error in &self.errors {
            let _ = writeln!(text, "{error}");
        }
        let _ = writeln!(text, "UNDER WAY: {}", or_none(&self.under_way));
        let _ = writeln!(text, "LAST WORDS: {}", or_none(&self.last_words));
        text
    }
}

impl File {
    fn line(&self, quoted: bool) -> String {
        if self.reads == 0 {
            return format!("- wrote {}", self.path);
        }
        let mut line = format!("- {}: read {}", self.path, times(self.reads));
        if self.writes > 0 {
            let _ = write!(line, ", written {}", times(self.writes));
        }
        if quoted && !self.says.is_empty() {
            let _ = write!(line, "; {}", self.says);
        }
        line
    }
}

fn times(count: u32) -> String {
    if count == 1 { "once".to_owned() } else { format!("{count} times") }
}

fn or_none(text: &str) -> &str {
    if text.is_empty() { "none" } else { text }
}

/// An answer without the bench's padding.
fn unpadded(answer: &str) -> &str {
    answer.rfind(&format!("\n{PADDING_MARK}\n")).map_or(answer, |at| &answer[..at])
}

/// The first lines of an answer that state something.
fn quotes(answer: &str) -> String {
    let lines = unpadded(answer).lines().map(str::trim).filter(|line| line.contains(" = "));
    let lines = lines.take(LINES).map(|line| one_line(line, LINE_CHARS, None));
    lines.collect::<Vec<_>>().join("; ")
}

#[cfg(test)]
mod tests {
    use crate::workbench::{CallOutcome, Observation};

    use super::*;

    fn step(number: u32, action: Action, text: &str, outcome: CallOutcome) -> Step {
        let seen = Observation { text: text.into(), outcome, done: false, call_index: None };
        Step::called(number, &action.to_json().to_string(), Some(action), &seen)
    }

    fn read(number: u32, path: &str, text: &str) -> Step {
        step(number, Action::ReadFile { path: path.to_owned() }, text, CallOutcome::Ok)
    }

    #[test]
    fn a_summary_has_its_headings_and_quotes_only_what_was_read_last() {
        let mut record = Record::default();
        for number in 1..=7 {
            let text = format!("# t\ndelta = {number}\n{PADDING_MARK}\nx = 3\n");
            record.take(&read(number, &format!("p/{number}.txt"), &text));
        }
        let failed = Action::ReadFile { path: "gone".to_owned() };
        record.take(&step(8, failed, "no such file", CallOutcome::ToolError));
        record.take(&Step::request(9, "and then stop"));
        let write = Action::WriteFile { path: "p/7.txt".to_owned(), content: "z".to_owned() };
        record.take(&step(10, write, "written", CallOutcome::Ok));
        assert_eq!(
            record.text(),
            "REQUEST: the task above\nREQUEST, later: and then stop\nFILES (7 of 7, last used \
             first):\n- p/7.txt: read once, written once\n- p/6.txt: read once; delta = 6\n- \
             p/5.txt: read once; delta = 5\n- p/4.txt: read once; delta = 4\n- p/3.txt: read once; \
             delta = 3\n- p/2.txt: read once\n- p/1.txt: read once\nERRORS (1 of 1):\nat step 8, \
             read_file gone: error: no such file\nUNDER WAY: write_file p/7.txt: written\nLAST \
             WORDS: none\n"
        );
    }
}
