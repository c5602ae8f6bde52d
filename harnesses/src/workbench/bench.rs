//! The workbench itself: files, tools, injected errors.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::sync::Arc;

use corpus_gen::tasks::{Check, Task, Tool, notes};

use super::action::{Action, ActionError};
use super::config::{BenchConfig, PADDING_MARK};
use super::schedule::Schedule;
use super::tally::Tallies;
use super::verdict::{Verdict, verdict};

/// Most files at once.
pub const MAX_FILES: usize = 20_000;
/// Maximum lines a search shows; it says how many of how many.
pub const MAX_FOUND: usize = 100;

const INJECTED: &str = "transient error: the file service did not answer in time and nothing was done; try the same call again";

/// How a call went.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum CallOutcome {
    /// Carried out.
    Ok,
    /// Met by an error of the schedule.
    InjectedError,
    /// Not a call that could be carried out.
    ValidationError,
    /// Could not be carried out as the files are.
    ToolError,
}

impl CallOutcome {
    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Ok => "ok",
            Self::InjectedError => "injected_error",
            Self::ValidationError => "validation_error",
            Self::ToolError => "tool_error",
        }
    }

    /// Whether the worker is shown an error.
    pub fn is_error(self) -> bool {
        self != Self::Ok
    }
}

/// What a worker is shown of a call.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Observation {
    /// The text.
    pub text: Arc<str>,
    /// How the call went.
    pub outcome: CallOutcome,
    /// Whether the task is declared done.
    pub done: bool,
    /// The call's index in the schedule; none for calls that take none.
    pub call_index: Option<u64>,
}

/// A task in progress.
#[derive(Debug, Clone)]
pub struct Workbench {
    files: BTreeMap<String, Arc<str>>,
    disabled: BTreeSet<Tool>,
    check: Check,
    seed: u64,
    schedule: Schedule,
    config: BenchConfig,
    tallies: Tallies,
    calls: u64,
    done: bool,
}

impl Workbench {
    /// The start of a task.
    pub fn new(task: &Task, config: BenchConfig) -> Self {
        let mut disabled = task.disabled.clone();
        if !config.tally {
            disabled.insert(Tool::Tally);
        }
        Self {
            files: task.files.iter().map(|(p, text)| (p.clone(), text.as_str().into())).collect(),
            disabled,
            check: task.check.clone(),
            seed: task.spec.seed,
            schedule: Schedule::new(task.spec.seed, config.error_rate),
            config,
            tallies: Tallies::default(),
            calls: 0,
            done: false,
        }
    }

    /// The tools that the worker has.
    pub fn tools(&self) -> Vec<Tool> {
        Tool::ALL.into_iter().filter(|tool| !self.disabled.contains(tool)).collect()
    }

    /// Whether the worker said that the task is done.
    pub fn is_done(&self) -> bool {
        self.done
    }

    /// The files as they are.
    pub fn files(&self) -> &BTreeMap<String, Arc<str>> {
        &self.files
    }

    /// Takes a call that was read from JSON, or why it could not be read.
    pub fn take(&mut self, action: Result<&Action, &ActionError>) -> Observation {
        let action = match action.map_err(Clone::clone).and_then(|action| self.allowed(action)) {
            Ok(action) => action,
            Err(error) => {
                let text = format!("invalid call: {error}");
                return self.observe(text, CallOutcome::ValidationError, None);
            }
        };
        if *action == Action::Done {
            self.done = true;
            return self.observe("the task is declared done".to_owned(), CallOutcome::Ok, None);
        }
        let index = self.calls;
        self.calls += 1;
        if self.schedule.fails(index) {
            return self.observe(INJECTED.to_owned(), CallOutcome::InjectedError, Some(index));
        }
        match self.carry_out(action) {
            Ok(text) => self.observe(self.padded(text, index), CallOutcome::Ok, Some(index)),
            Err(text) => self.observe(text, CallOutcome::ToolError, Some(index)),
        }
    }

    /// Takes a call that no JSON was read for.
    #[cfg(test)]
    pub(crate) fn call(&mut self, action: &Action) -> Observation {
        self.take(action.clone().checked().as_ref())
    }

    /// How the end state is judged.
    pub fn verdict(&self) -> Verdict {
        verdict(&self.check, &self.files)
    }

    fn allowed<'a>(&self, action: &'a Action) -> Result<&'a Action, ActionError> {
        if self.done {
            return Err(ActionError::AfterDone);
        }
        if self.disabled.contains(&action.tool()) {
            return Err(ActionError::Disabled(action.tool()));
        }
        Ok(action)
    }

    fn observe(&self, text: String, outcome: CallOutcome, call_index: Option<u64>) -> Observation {
        Observation { text: text.into(), outcome, done: self.done, call_index }
    }

    fn padded(&self, mut text: String, index: u64) -> String {
        if self.config.padding_chars > 0 {
            if !text.ends_with('\n') {
                text.push('\n');
            }
            text.push_str(PADDING_MARK);
            text.push('\n');
            text.push_str(&notes(self.seed, index, self.config.padding_chars));
        }
        text
    }

    fn carry_out(&mut self, action: &Action) -> Result<String, String> {
        match action {
            Action::ListFiles => Ok(self.list()),
            Action::ReadFile { path } => self.read(path),
            Action::WriteFile { path, content } => self.write(path, content),
            Action::Search { pattern } => Ok(self.search(pattern)),
            Action::Tally { name, add } => self.tallies.add(name, *add),
            // Taken before errors are injected.
            Action::Done => Ok(String::new()),
        }
    }

    fn list(&self) -> String {
        let mut text = format!("{}:\n", counted(self.files.len(), "file"));
        for path in self.files.keys() {
            text.push_str(path);
            text.push('\n');
        }
        text
    }

    fn read(&self, path: &str) -> Result<String, String> {
        match self.files.get(path) {
            Some(text) if text.is_empty() => Ok("(the file is empty)".to_owned()),
            Some(text) => Ok(text.to_string()),
            None => Err(format!("there is no file `{path}`")),
        }
    }

    fn write(&mut self, path: &str, content: &str) -> Result<String, String> {
        if self.files.len() >= MAX_FILES && !self.files.contains_key(path) {
            return Err(format!("there are {MAX_FILES} files already; write to one of them"));
        }
        let lines = counted(content.lines().count(), "line");
        let said = format!("wrote {lines} ({}) to `{path}`", counted(content.len(), "byte"));
        self.files.insert(path.to_owned(), content.into());
        Ok(said)
    }

    fn search(&self, pattern: &str) -> String {
        let mut shown = String::new();
        let mut found = 0;
        for (path, text) in &self.files {
            for (number, line) in (1..).zip(text.lines()) {
                if line.contains(pattern) {
                    found += 1;
                    if found <= MAX_FOUND {
                        // Writing to a string does not fail.
                        let _ = writeln!(shown, "{path}:{number}: {line}");
                    }
                }
            }
        }
        let head = match found {
            0 => "no line contains that".to_owned(),
            all if all > MAX_FOUND => format!("{MAX_FOUND} of {all} lines found:"),
            all => format!("{} found:", counted(all, "line")),
        };
        format!("{head}\n{shown}")
    }
}

/// A tool's description for the worker.
pub fn tool_help(tool: Tool) -> &'static str {
    match tool {
        Tool::ListFiles => "list_files {}: the paths of all files",
        Tool::ReadFile => "read_file {\"path\": TEXT}: the text of a file",
        Tool::WriteFile => {
            "write_file {\"path\": TEXT, \"content\": TEXT}: replaces a file or makes one"
        }
        Tool::Search => "search {\"pattern\": TEXT}: the lines that contain a text as it stands",
        Tool::Tally => {
            "tally {\"name\": TEXT, \"add\": INTEGER}: adds to a named running total and says what it is"
        }
        Tool::Done => "done {}: says that the task is done; no call is taken after it",
    }
}

fn counted(count: usize, what: &str) -> String {
    if count == 1 { format!("1 {what}") } else { format!("{count} {what}s") }
}
