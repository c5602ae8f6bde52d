//! Following a chain of files and adding up what they say, from whatever the context still shows of it.

use std::collections::HashMap;

use super::aggregate::Total;
use super::assignments::Lines;
use super::decision::Decision;
use super::evidence::{Evidence, ShownStep};
use super::goal::Goal;
use super::sections::ToolResult;
use crate::workbench::Action;

/// What is known about a file of the chain.
#[derive(Debug, Clone, Copy, Default)]
struct Link<'a> {
    value: Option<i64>,
    next: Option<Next<'a>>,
}

/// Where a file leads.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Next<'a> {
    File(&'a str),
    End,
}

/// The chain as far as the context shows it.
struct Chain<'a> {
    start: &'a str,
    alternating: bool,
    key: &'a str,
    links: HashMap<&'a str, Link<'a>>,
    /// Files that a step shows the reading of, in order.
    read: Vec<&'a str>,
    /// Totals that something in the context states, the worker's own note first.
    totals: Vec<Total>,
}

/// A total so far, and what may be missing from it.
struct Sum {
    amount: i128,
    values: u64,
    missing: Option<String>,
}

/// Decides the next action.
pub(super) fn decide(evidence: &Evidence<'_>, goal: &Goal) -> Decision {
    let Goal::Sum { start, alternating, keys, answer, key } = goal else {
        return Decision::lost("the task is no sum");
    };
    let (chain, from_note) = Chain::of(evidence, start, *alternating, keys.as_ref());
    let Some(current) = chain.current(evidence) else {
        return Decision::new(read(start));
    };
    let link = chain.links.get(current).copied().unwrap_or_default();
    let Some(next) = link.next.or(from_note) else {
        // Where it continues is no longer shown: look again.
        return Decision::new(read(current));
    };
    if evidence.tally
        && !tallied(evidence, current)
        && let Some(value) = link.value
    {
        let add = chain.sign_of(current) * value;
        return Decision::new(Action::Tally { name: chain.key.to_owned(), add });
    }
    let decision = match next {
        Next::File(path) => Decision::new(read(path)),
        Next::End if evidence.written(answer) => Decision::new(Action::Done),
        Next::End => {
            let sum = chain.sum(current);
            let content = format!("{key} = {}\n", sum.amount);
            let write = Action::WriteFile { path: answer.clone(), content };
            Decision { missing: sum.missing, ..Decision::new(write) }
        }
    };
    if !evidence.notes {
        return decision;
    }
    let next = match next {
        Next::File(path) => path,
        Next::End => "end",
    };
    decision.note(format!("{}; next {next}", chain.total(current)))
}

fn read(path: &str) -> Action {
    Action::ReadFile { path: path.to_owned() }
}

/// Whether a number was added after a file was last read.
fn tallied(evidence: &Evidence<'_>, path: &str) -> bool {
    for (action, _) in evidence.steps.iter().rev().filter_map(ShownStep::answered) {
        match action {
            Action::Tally { .. } => return true,
            Action::ReadFile { path: read } if read == path => return false,
            _ => {}
        }
    }
    false
}

impl<'a> Chain<'a> {
    /// The chain, and where the last note says it continues.
    fn of(
        evidence: &Evidence<'a>,
        start: &'a str,
        alternating: bool,
        keys: Option<&'a (String, String)>,
    ) -> (Self, Option<Next<'a>>) {
        let (key, next_key) = keys.map_or(("delta", "next"), |(key, next)| (key, next));
        let mut chain = Self {
            start,
            alternating,
            key,
            links: HashMap::new(),
            read: Vec::new(),
            totals: Vec::new(),
        };
        let stated = |lines: &'a Lines| Link {
            value: find(lines, key).and_then(|value| value.parse().ok()),
            next: find(lines, next_key).map(Next::of),
        };
        let noted = evidence.view.into_iter().flat_map(|view| &view.facts);
        for (path, lines) in noted.chain(evidence.summary.iter().rev()) {
            chain.learn(path, stated(lines));
        }
        for (path, answer) in evidence.readings() {
            let link = if keys.is_some() { stated(&answer.lines) } else { of_prose(answer) };
            chain.learn(path, link);
            chain.read.push(path);
        }
        let from_note = chain.take_note(evidence);
        chain.take_totals(evidence, keys.is_some());
        (chain, from_note)
    }

    fn learn(&mut self, path: &'a str, link: Link<'a>) {
        let known = self.links.entry(path).or_default();
        known.value = link.value.or(known.value);
        known.next = link.next.or(known.next);
    }

    fn take_note(&mut self, evidence: &Evidence<'a>) -> Option<Next<'a>> {
        let (total, next) = evidence.note?.split_once("; next ")?;
        self.totals.extend(Total::parse(total));
        Some(Next::of(next))
    }

    /// Totals of views, of tallies, and of the tool that adds.
    fn take_totals(&mut self, evidence: &Evidence<'a>, keyed: bool) {
        let in_view = evidence.view.into_iter().flat_map(|view| &view.totals);
        let stated = in_view.chain(evidence.tallies);
        // Where prose names the number differently each time, the total of most values is meant.
        let meant = if keyed {
            stated.filter(|total| total.key == self.key).max_by_key(|total| total.values)
        } else {
            stated.max_by_key(|total| total.values)
        };
        self.totals.extend(meant.cloned());
        self.totals.extend(self.of_tool(evidence));
    }

    fn of_tool(&self, evidence: &Evidence<'a>) -> Option<Total> {
        let mut up_to = None;
        let mut last = None;
        for (action, answer) in evidence.steps.iter().filter_map(ShownStep::answered) {
            match action {
                Action::ReadFile { path } => up_to = Some(path.clone()),
                Action::Tally { .. } => last = total_of(answer).map(|sum| (sum, up_to.clone())),
                _ => {}
            }
        }
        let (sum, up_to) = last?;
        Some(Total {
            key: self.key.to_owned(),
            sum: (!self.alternating).then_some(sum),
            alternating: self.alternating.then_some(sum),
            values: None,
            up_to,
        })
    }

    /// The last file of the chain that the context shows to be read.
    fn current(&self, evidence: &Evidence<'a>) -> Option<&'a str> {
        let stated = |total: &'a Total| total.up_to.as_deref();
        let in_view = || {
            let view = evidence.view?;
            let total = view.totals.iter().find(|total| total.key == self.key);
            total.and_then(stated).or_else(|| view.facts.last().map(|(path, _)| path.as_str()))
        };
        let noted = || {
            let note = evidence.note?.split_once(", up to and including ")?.1;
            Some(note.split_once("; next ").map_or(note, |(path, _)| path))
        };
        let summarized = || evidence.summary.first().map(|(path, _)| path.as_str());
        (self.read.last().copied())
            .or_else(noted)
            .or_else(in_view)
            .or_else(|| evidence.tallies.iter().find_map(stated))
            .or_else(summarized)
            .or_else(|| evidence.listed.first().map(String::as_str))
    }

    /// The files from one to another, if each leads to the next and says its number.
    fn between(&self, from: &'a str, to: &str) -> Option<Vec<i64>> {
        let mut values = Vec::new();
        let mut at = from;
        while values.len() < self.links.len() {
            let link = self.links.get(at)?;
            values.push(link.value?);
            if at == to {
                return Some(values);
            }
            let Next::File(next) = link.next? else { return None };
            at = next;
        }
        None
    }

    /// The chain's sum up to and including a file.
    fn sum(&self, current: &'a str) -> Sum {
        if let Some(values) = self.between(self.start, current) {
            return self.add(0, 0, &values, None);
        }
        let extended: Vec<Sum> =
            self.totals.iter().filter_map(|total| self.extend(total, current)).collect();
        let best = extended.into_iter().min_by_key(|sum| sum.missing.is_some());
        best.unwrap_or_else(|| self.partly())
    }

    fn add(&self, amount: i128, before: u64, values: &[i64], missing: Option<String>) -> Sum {
        let signed = (before..).zip(values).map(|(at, value)| {
            if self.alternating && at % 2 == 1 { -i128::from(*value) } else { i128::from(*value) }
        });
        let amount = signed.fold(amount, i128::saturating_add);
        Sum { amount, values: before + values.len() as u64, missing }
    }

    /// A total extended by what came after it; none if it is a total of another kind.
    fn extend(&self, total: &Total, current: &'a str) -> Option<Sum> {
        let amount = if self.alternating { total.alternating } else { total.sum }?;
        let before = total.values.unwrap_or(0);
        let Some(up_to) = total.up_to.as_deref() else {
            let values = self.values_of(&self.read);
            let shown = values.len();
            let missing = format!(
                "what the running total covers: the {shown} numbers of the steps shown were added to \
                 it, though some may be in it already"
            );
            return Some(self.add(amount, before, &values, Some(missing)));
        };
        if up_to == current {
            return Some(self.add(amount, before, &[], None));
        }
        let next = self.links.get(up_to).and_then(|link| link.next);
        if let Some(Next::File(next)) = next
            && let Some(values) = self.between(next, current)
        {
            return Some(self.add(amount, before, &values, None));
        }
        let since = self.read.iter().rposition(|path| *path == up_to).map_or(0, |at| at + 1);
        let values = self.values_of(&self.read[since..]);
        let missing = format!("whether files between `{up_to}` and the steps shown are left out");
        Some(self.add(amount, before, &values, Some(missing)))
    }

    /// The values of files, each file once.
    fn values_of(&self, paths: &[&'a str]) -> Vec<i64> {
        let mut once: Vec<&str> = Vec::new();
        for path in paths {
            if !once.contains(path) {
                once.push(path);
            }
        }
        once.iter().filter_map(|path| self.links.get(path)?.value).collect()
    }

    /// The sum of all numbers shown.
    fn partly(&self) -> Sum {
        let mut known: Vec<(&str, i64)> =
            self.links.iter().filter_map(|(path, link)| Some((*path, link.value?))).collect();
        known.sort_unstable();
        let values: Vec<i64> = known.iter().map(|(_, value)| *value).collect();
        let missing = format!(
            "no running total, and of the files' own numbers only {} are shown, which do not reach \
             back to `{}`",
            values.len(),
            self.start
        );
        self.add(0, 0, &values, Some(missing))
    }

    /// The running total to note down.
    fn total(&self, current: &'a str) -> Total {
        let Sum { amount, values, .. } = self.sum(current);
        Total {
            key: self.key.to_owned(),
            sum: (!self.alternating).then_some(amount),
            alternating: self.alternating.then_some(amount),
            values: Some(values),
            up_to: Some(current.to_owned()),
        }
    }

    /// The sign of a file's number.
    fn sign_of(&self, current: &'a str) -> i64 {
        let place = self.between(self.start, current).map_or(1, |values| values.len());
        if self.alternating && place.is_multiple_of(2) { -1 } else { 1 }
    }
}

impl<'a> Next<'a> {
    fn of(text: &'a str) -> Self {
        if text == "end" { Self::End } else { Self::File(text) }
    }
}

fn find<'a>(lines: &'a Lines, key: &str) -> Option<&'a str> {
    lines.iter().find(|(name, _)| name == key).map(|(_, value)| value.as_str())
}

fn of_prose(answer: &ToolResult) -> Link<'_> {
    let next = if answer.ends { Some(Next::End) } else { answer.quoted.as_deref().map(Next::File) };
    Link { value: answer.number, next }
}

/// The total that the adding tool answers: ``running total `NAME` is N after ...``.
fn total_of(answer: &ToolResult) -> Option<i128> {
    let (_, after) = answer.text.split_once("` is ")?;
    after.split_whitespace().next()?.parse().ok()
}
