//! The comparison as text for people and as JSON.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use anyhow::Context as _;
use rust_decimal::Decimal;
use scoreboards::escape;
use serde::Serialize;

use super::compare::Compared;
use super::disagreement::{Disagreement, Location};
use crate::common::Verdict;

/// Places that the text shows of one disagreement.
const PLACES: usize = 3;

/// One session: what was compared, or why it was not.
#[derive(Debug)]
pub(super) struct RunReport {
    pub(super) session: PathBuf,
    /// Name and version as the program gives them.
    pub(super) by: Option<String>,
    pub(super) outcome: Result<Compared, String>,
}

/// What all sessions came to.
#[derive(Debug, Serialize)]
pub(super) struct Report<'a> {
    program: String,
    /// Names and versions as the program states them.
    by: BTreeSet<&'a str>,
    sessions: usize,
    skipped: Vec<Skipped<'a>>,
    fields: BTreeMap<&'a str, Tally>,
    /// Fields that only the program has.
    not_compared: BTreeSet<&'a str>,
    /// Total number, however many are shown.
    disagreements_in_all: usize,
    disagreements: Vec<InRun<'a>>,
}

#[derive(Debug, Serialize)]
struct Skipped<'a> {
    run: &'a Path,
    reason: &'a str,
}

/// One field over all sessions.
#[derive(Debug, Default, Serialize)]
struct Tally {
    equal: usize,
    compared: usize,
    /// The largest tolerance of a value.
    #[serde(skip_serializing_if = "Decimal::is_zero")]
    tolerance: Decimal,
}

#[derive(Debug, Serialize)]
struct InRun<'a> {
    run: &'a Path,
    #[serde(flatten)]
    disagreement: &'a Disagreement,
}

impl<'a> Report<'a> {
    pub(super) fn new(program: &Path, runs: &'a [RunReport]) -> Self {
        let name = program.file_name().unwrap_or(program.as_os_str());
        let mut report = Self {
            program: name.to_string_lossy().into_owned(),
            by: runs.iter().filter_map(|run| run.by.as_deref()).collect(),
            sessions: runs.len(),
            skipped: Vec::new(),
            fields: BTreeMap::new(),
            not_compared: BTreeSet::new(),
            disagreements_in_all: 0,
            disagreements: Vec::new(),
        };
        for run in runs {
            report.add(run);
        }
        report.disagreements_in_all = report.disagreements.len();
        report
    }

    fn add(&mut self, run: &'a RunReport) {
        let compared = match &run.outcome {
            Ok(compared) => compared,
            Err(reason) => return self.skipped.push(Skipped { run: &run.session, reason }),
        };
        for (field, equal) in &compared.equal {
            let tally = self.fields.entry(field).or_default();
            tally.compared += 1;
            tally.equal += usize::from(*equal);
            let tolerance = compared.tolerances.get(field).copied().unwrap_or_default();
            tally.tolerance = tally.tolerance.max(tolerance);
        }
        self.not_compared.extend(compared.unknown.iter().map(String::as_str));
        let of_run = compared.disagreements.iter();
        self.disagreements
            .extend(of_run.map(|disagreement| InRun { run: &run.session, disagreement }));
    }

    /// Number of values compared.
    pub(super) fn compared(&self) -> usize {
        self.fields.values().map(|tally| tally.compared).sum()
    }

    fn equal(&self) -> usize {
        self.fields.values().map(|tally| tally.equal).sum()
    }

    pub(super) fn skipped(&self) -> usize {
        self.skipped.len()
    }

    /// The fields that only the program has, in one text.
    pub(super) fn not_compared(&self) -> String {
        if self.not_compared.is_empty() {
            return "it states none".to_owned();
        }
        self.not_compared.iter().copied().collect::<Vec<_>>().join(", ")
    }

    /// What does not agree, in a line: the report itself lists it.
    pub(super) fn verdict(&self) -> Verdict {
        let unequal = self.compared() - self.equal();
        if unequal == 0 {
            return Verdict::Holds;
        }
        Verdict::Fails(vec![format!(
            "{unequal} of {} values compared with {} differ",
            self.compared(),
            self.program
        )])
    }

    /// As one JSON object with at most `most` disagreements.
    pub(super) fn json(&mut self, most: usize) -> anyhow::Result<String> {
        self.disagreements.truncate(most);
        let json = serde_json::to_string_pretty(self);
        Ok(json.context("the comparison cannot be written as JSON")? + "\n")
    }

    /// As tables, with at most `most` disagreements.
    pub(super) fn text(&self, most: usize) -> String {
        let mut out = String::new();
        let by: Vec<&str> = self.by.iter().copied().collect();
        let by = if by.is_empty() { String::new() } else { format!(" ({})", by.join(", ")) };
        line(&mut out, &format!("against   {}{}", escape(&self.program), escape(&by)));
        let compared = self.sessions - self.skipped.len();
        line(&mut out, &format!("sessions  {compared} of {} compared", self.sessions));
        for skipped in &self.skipped {
            let (run, reason) = (skipped.run.display().to_string(), skipped.reason);
            line(&mut out, &format!("skipped   {}: {}", escape(&run), escape(reason)));
        }
        self.table(&mut out);
        if !self.not_compared.is_empty() {
            line(
                &mut out,
                &format!(
                    "not compared, the fold has no such field: {}",
                    escape(&self.not_compared())
                ),
            );
        }
        self.list(most, &mut out);
        out
    }

    fn table(&self, out: &mut String) {
        let width = self.fields.keys().map(|name| name.len()).chain([5]).max().unwrap_or(5);
        line(out, &format!("\n{:width$}  {:>6}  {:>6}  within", "field", "equal", "of"));
        let all = Tally { equal: self.equal(), compared: self.compared(), ..Tally::default() };
        for (name, tally) in self.fields.iter().map(|(n, t)| (*n, t)).chain([("all", &all)]) {
            let within = match tally.tolerance {
                none if none.is_zero() => String::new(),
                some => format!("  {}", some.normalize()),
            };
            let Tally { equal, compared, .. } = tally;
            line(out, &format!("{:width$}  {equal:>6}  {compared:>6}{within}", escape(name)));
        }
    }

    fn list(&self, most: usize, out: &mut String) {
        let shown = self.disagreements.iter().take(most);
        let (of, all) = (shown.len(), self.disagreements_in_all);
        line(out, &format!("\ndisagreements: {of} of {all}"));
        let mut last = None;
        for InRun { run, disagreement } in shown {
            if last != Some(run) {
                line(out, &escape(&run.display().to_string()));
                last = Some(run);
            }
            let Disagreement { field, key, ours, theirs, places } = disagreement;
            let key = key.as_ref().map_or(String::new(), |key| format!(" {}", escape(key)));
            let (ours, theirs) = (escape(ours), escape(theirs));
            line(out, &format!("  {field}{key}: ours {ours}, theirs {theirs}"));
            for place in places.iter().take(PLACES) {
                line(out, &format!("    {}", at(place, run)));
            }
            let listed = places.len().min(PLACES);
            if listed < places.len() {
                line(out, &format!("    {listed} of {} places", places.len()));
            }
        }
        if of < all {
            line(out, "--disagreements N shows more");
        }
    }
}

fn at(place: &Location, run: &Path) -> String {
    let Location { file, line, id, ours, theirs } = place;
    let file = if file == run {
        String::new()
    } else {
        let name = file.file_name().unwrap_or(file.as_os_str());
        format!("{} ", escape(&name.to_string_lossy()))
    };
    let line = if *line == 0 { "on no line".to_owned() } else { format!("line {line}") };
    format!("{file}{line}, {}: ours {ours}, theirs {theirs}", escape(id))
}

fn line(out: &mut String, text: &str) {
    // Writing to a string cannot fail.
    let _ = writeln!(out, "{text}");
}
