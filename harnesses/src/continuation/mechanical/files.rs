//! Working through a folder's files in the order in which they are listed: collecting lines, or
//! repairing files that break rules.

use std::collections::{BTreeMap, BTreeSet};

use super::assignments::{Lines, assignment};
use super::decision::Decision;
use super::evidence::{Evidence, ShownStep};
use super::goal::{Goal, Rule};
use super::sections::ToolResult;
use crate::workbench::Action;

/// What the note of collected lines begins with.
const COLLECTED: &str = "collected so far: ";

/// Decides the next action.
pub(super) fn decide(evidence: &Evidence<'_>, goal: &Goal) -> Decision {
    match goal {
        Goal::Collect { folder, prefix, target } => {
            Collecting::of(evidence, prefix).decide(evidence, folder, target)
        }
        Goal::Repair { folder, rules } => repair(evidence, folder, rules),
        Goal::Sum { .. } => Decision::lost("the task is no work on a folder"),
    }
}

/// The listing, if the context shows it, of the files in a folder.
fn listing<'a>(evidence: &Evidence<'a>, folder: &str) -> Option<BTreeSet<&'a str>> {
    let lists = evidence.steps.iter().rev().filter_map(ShownStep::answered);
    let answer = lists.into_iter().find(|(action, _)| **action == Action::ListFiles)?.1;
    let paths = answer.text.lines().map(str::trim).filter(|line| line.starts_with(folder));
    Some(paths.collect())
}

/// The file of a folder read most recently, as far as the context shows.
fn last_read<'a>(evidence: &Evidence<'a>, folder: &str) -> Option<&'a str> {
    let inside = |path: &&str| path.starts_with(folder);
    let by_steps = evidence.steps.iter().rev().filter_map(|step| match step.not_failed()? {
        Action::ReadFile { path } => Some(path.as_str()),
        _ => None,
    });
    let in_view = evidence.view.and_then(|view| view.last_read(|path| inside(&path)));
    let in_summary = evidence.summary.iter().map(|(path, _)| path.as_str());
    let in_list = evidence.listed.iter().map(String::as_str);
    by_steps.chain(in_view).chain(in_summary).chain(in_list).find(inside)
}

/// The next action on the listed files: list them, or read the next one. None if the last one was read.
fn go_on(evidence: &Evidence<'_>, folder: &str) -> Option<Action> {
    let Some(listed) = listing(evidence, folder) else { return Some(Action::ListFiles) };
    let next = match last_read(evidence, folder) {
        None => listed.first(),
        Some(last) => listed.iter().find(|path| **path > last),
    };
    next.map(|path| Action::ReadFile { path: (*path).to_owned() })
}

/// The wanted lines that the context shows.
struct Collecting {
    lines: BTreeMap<String, String>,
    /// Files whose content is shown.
    shown: BTreeSet<String>,
}

impl Collecting {
    fn of(evidence: &Evidence<'_>, prefix: &str) -> Self {
        let mut all = Self { lines: BTreeMap::new(), shown: BTreeSet::new() };
        let facts = evidence.view.into_iter().flat_map(|view| &view.facts);
        for (path, lines) in facts.chain(evidence.summary) {
            all.take(path, lines, prefix);
        }
        for (path, answer) in evidence.readings() {
            all.take(path, &answer.lines, prefix);
        }
        if let Some(noted) = evidence.note.and_then(|note| note.strip_prefix(COLLECTED)) {
            let lines: Lines = noted.split("; ").filter_map(assignment).collect();
            all.take("", &lines, prefix);
        }
        all
    }

    fn take(&mut self, path: &str, lines: &Lines, prefix: &str) {
        self.shown.insert(path.to_owned());
        let wanted = lines.iter().filter(|(key, _)| key.starts_with(prefix));
        self.lines.extend(wanted.cloned());
    }

    fn decide(&self, evidence: &Evidence<'_>, folder: &str, target: &str) -> Decision {
        if evidence.written(target) {
            return Decision::new(Action::Done);
        }
        let decision = match go_on(evidence, folder) {
            Some(action) => Decision::new(action),
            None => self.write(evidence, folder, target),
        };
        if !evidence.notes {
            return decision;
        }
        let lines: Vec<String> =
            self.lines.iter().map(|(key, value)| format!("{key} = {value}")).collect();
        decision.note(format!("{COLLECTED}{}", lines.join("; ")))
    }

    fn write(&self, evidence: &Evidence<'_>, folder: &str, target: &str) -> Decision {
        let content = (self.lines.iter())
            .fold(String::new(), |text, (key, value)| text + key + " = " + value + "\n");
        let listed = listing(evidence, folder).unwrap_or_default();
        let gone = listed.iter().filter(|path| !self.shown.contains(**path)).count();
        let noted = evidence.note.is_some_and(|note| note.starts_with(COLLECTED));
        let missing = (gone > 0 && !noted)
            .then(|| format!("the content of {gone} of {} files is no longer shown", listed.len()));
        let write = Action::WriteFile { path: target.to_owned(), content };
        Decision { missing, ..Decision::new(write) }
    }
}

fn repair(evidence: &Evidence<'_>, folder: &str, rules: &[Rule]) -> Decision {
    let last = evidence.readings().rfind(|(path, _)| path.starts_with(folder));
    if let Some((path, answer)) = last
        && let Some(content) = repaired(answer, rules)
        && !evidence.written(path)
    {
        return Decision::new(Action::WriteFile { path: path.to_owned(), content });
    }
    if let Some(path) = last_read(evidence, folder).filter(|path| is_broken(evidence, path, rules))
    {
        // Its text is not shown, but that it breaks a rule is.
        return Decision::new(Action::ReadFile { path: path.to_owned() });
    }
    let decision = Decision::new(go_on(evidence, folder).unwrap_or(Action::Done));
    match last {
        Some((path, _)) if evidence.notes => {
            decision.note(format!("checked the files up to and including {path}"))
        }
        _ => decision,
    }
}

/// Whether the view's facts, or a summary of what is under way, say that a file breaks a rule, and no step shows
/// otherwise. (The facts of a file that was written are gone.)
fn is_broken(evidence: &Evidence<'_>, path: &str, rules: &[Rule]) -> bool {
    let facts = evidence.view.into_iter().flat_map(|view| &view.facts).chain(evidence.under_way);
    let stated = facts.filter(|(source, _)| source == path).flat_map(|(_, lines)| lines);
    let broken = |key: &str, value: &str| {
        rules.iter().any(|rule| rule.key() == key && rule.repaired(value).is_some())
    };
    let shown = evidence.readings().any(|(read, _)| read == path);
    !shown && !evidence.written(path) && stated.into_iter().any(|(k, v)| broken(k, v))
}

/// A file's text with every broken rule repaired; none if it breaks none.
fn repaired(answer: &ToolResult, rules: &[Rule]) -> Option<String> {
    let mut changed = false;
    let lines = answer.text.lines().map(|line| {
        let Some((key, value)) = assignment(line) else { return line.to_owned() };
        let repair = rules.iter().filter(|rule| rule.key() == key).find_map(|r| r.repaired(&value));
        match repair {
            Some(value) => {
                changed = true;
                format!("{key} = {value}")
            }
            None => line.to_owned(),
        }
    });
    let text = lines.fold(String::new(), |text, line| text + &line + "\n");
    changed.then_some(text)
}
