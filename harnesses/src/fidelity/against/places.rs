//! Where in a transcript a count differs.
//!
//! A program may itemise a count: this much from one API message, that much from a call. The fold keeps no such
//! parts, but its counts can be read after every record, and a record's increment is its part. Both sides'
//! parts are assigned to lines, an API message's to its first, and the lines with different sums are the
//! places.

use std::collections::{BTreeMap, HashMap};
use std::path::{Path, PathBuf};

use anyhow::Context as _;
use serde_json::Value;
use trace_model::adapter::Heads;
use trace_model::event::Record;
use trace_model::fold::{FoldConfig, RunState};
use trace_model::run::{FoldObserver, Folder, check};

use super::disagreement::{Disagreement, Location};
use super::reply::StatedFields;
use crate::inputs::Files;

/// A count of a run's state.
type Count = fn(&RunState) -> u64;

/// The counts whose parts are known.
const COUNTS: [(&str, Count); 8] = [
    ("calls", |state| state.spending().calls),
    ("prompts", |state| state.conversation().prompts()),
    ("results", RunState::results),
    ("tokens.cache_creation", |state| state.spending().tokens.cache_creation),
    ("tokens.cache_read", |state| state.spending().tokens.cache_read),
    ("tokens.input", |state| state.spending().tokens.input),
    ("tokens.output", |state| state.spending().tokens.output),
    ("tool_calls", |state| state.tool_totals().calls),
];

/// The field whose parts are named by the call that was answered, not by the one that was made.
const ANSWERS: &str = "results";

/// A file of the run, and a line in it from 1.
type LineRef = (usize, u64);

/// Finds the places of disagreements for which the program states parts, and of map entries and lists whose key
/// is an id found in the transcript.
pub(super) fn locate(
    disagreements: &mut [Disagreement],
    stated: &StatedFields,
    session: &Path,
    run: &Files,
) -> anyhow::Result<()> {
    let has_parts = |d: &Disagreement| d.key.is_none() && stated.places.contains_key(&d.field);
    if !disagreements.iter().any(|d| d.key.is_some() || has_parts(d)) {
        return Ok(());
    }
    let names: Vec<PathBuf> = check(session)?
        .files(session, &Heads::default())
        .with_context(|| format!("cannot list the files of {}", session.display()))?
        .into_iter()
        .map(|file| file.path)
        .collect();
    let name = |file: usize| names.get(file).cloned().unwrap_or_else(|| session.to_owned());
    let index = Index::of(run);
    let ours = parts(run, &index);
    for disagreement in disagreements {
        if let Some(key) = &disagreement.key {
            let line_ref = index.line_ref(&disagreement.field, key);
            disagreement.places.extend(line_ref.map(|(file, line)| Location {
                file: name(file),
                line,
                id: key.clone(),
                ours: i64::from(disagreement.ours == "there"),
                theirs: i64::from(disagreement.theirs == "there"),
            }));
        } else if let (Some(theirs), Some(ours)) =
            (stated.places.get(&disagreement.field), ours.get(disagreement.field.as_str()))
        {
            disagreement.places = differing(&disagreement.field, ours, theirs, &index, &name);
        }
    }
    Ok(())
}

fn differing(
    field: &str,
    ours: &BTreeMap<LineRef, i64>,
    theirs: &BTreeMap<String, i64>,
    index: &Index,
    name: &impl Fn(usize) -> PathBuf,
) -> Vec<Location> {
    let mut sides: BTreeMap<LineRef, (i64, i64)> =
        ours.iter().map(|(line_ref, part)| (*line_ref, (*part, 0))).collect();
    let mut nowhere = Vec::new();
    for (id, part) in theirs {
        match index.line_ref(field, id) {
            Some(line_ref) => {
                let theirs = &mut sides.entry(line_ref).or_default().1;
                *theirs = theirs.saturating_add(*part);
            }
            None if *part != 0 => nowhere.push((id, *part)),
            None => {}
        }
    }
    let found = sides.into_iter().filter(|(_, (ours, theirs))| ours != theirs);
    let found = found.map(|((file, line), (ours, theirs))| {
        let id = index.named.get(&(file, line)).cloned().unwrap_or_default();
        Location { file: name(file), line, id, ours, theirs }
    });
    let nowhere = nowhere.into_iter().map(|(id, theirs)| Location {
        file: name(0),
        line: 0,
        id: id.clone(),
        ours: 0,
        theirs,
    });
    found.chain(nowhere).collect()
}

/// What each line adds to each count of the fold; lines of one API message together, on its first.
fn parts(run: &Files, index: &Index) -> BTreeMap<&'static str, BTreeMap<LineRef, i64>> {
    let mut counted = Counted { index, before: [0; COUNTS.len()], parts: BTreeMap::new() };
    Folder::of(run.transcripts(), FoldConfig::default(), &mut counted);
    let mut parts = counted.parts;
    for (field, _) in COUNTS {
        parts.entry(field).or_default().retain(|_, part| *part != 0);
    }
    parts
}

/// The counts as of the last record, and what each line added to them.
struct Counted<'a> {
    index: &'a Index,
    before: [u64; COUNTS.len()],
    parts: BTreeMap<&'static str, BTreeMap<LineRef, i64>>,
}

impl FoldObserver for Counted<'_> {
    fn after(&mut self, state: &RunState, record: &Record<'_>, file: u32) {
        let line_ref = self.index.first((file as usize, record.at.line.0));
        for ((field, count), before) in COUNTS.iter().zip(&mut self.before) {
            let now = count(state);
            // A replay that shows itself late takes something back.
            let added = i64::try_from(i128::from(now) - i128::from(*before)).unwrap_or(i64::MAX);
            if added != 0 {
                *self.parts.entry(field).or_default().entry(line_ref).or_default() += added;
            }
            *before = now;
        }
    }
}

/// Positions of ids.
#[derive(Debug, Default)]
struct Index {
    /// First line of an API message's id, a record's, or a call's.
    ids: HashMap<String, LineRef>,
    /// First line of a result, by its call's id.
    answers: HashMap<String, LineRef>,
    /// First line of the message on a line.
    firsts: HashMap<LineRef, LineRef>,
    /// What a line is called: the message on it, or else its record.
    named: HashMap<LineRef, String>,
}

impl Index {
    /// A line that is not JSON has no ids.
    fn of(run: &Files) -> Self {
        let mut index = Self::default();
        for (file, (_, bytes)) in run.transcripts().into_iter().enumerate() {
            for (line, text) in (1..).zip(bytes.split(|byte| *byte == b'\n')) {
                for record in serde_json::Deserializer::from_slice(text).into_iter::<Value>() {
                    let Ok(record) = record else { break };
                    index.record((file, line), &record);
                }
            }
        }
        index
    }

    fn record(&mut self, line_ref: LineRef, record: &Value) {
        let id = |value: Option<&Value>| Some(value?.as_str()?.to_owned());
        let inner = record.pointer("/data/message").filter(|inner| inner.is_object());
        for record in [Some(record), inner].into_iter().flatten() {
            let uuid = id(record.get("uuid"));
            let message = id(record.pointer("/message/id"));
            let mut first = line_ref;
            if let Some(message) = &message {
                first = *self.ids.entry(message.clone()).or_insert(line_ref);
                self.firsts.entry(line_ref).or_insert(first);
            }
            if let Some(uuid) = &uuid {
                self.ids.entry(uuid.clone()).or_insert(first);
            }
            if let Some(name) = message.or(uuid) {
                self.named.entry(line_ref).or_insert(name);
            }
            let blocks = record.pointer("/message/content").and_then(Value::as_array);
            for block in blocks.into_iter().flatten() {
                if let Some(call) = id(block.get("id")) {
                    self.ids.entry(call).or_insert(first);
                }
                if let Some(call) = id(block.get("tool_use_id")) {
                    self.answers.entry(call).or_insert(line_ref);
                }
            }
        }
    }

    fn first(&self, line_ref: LineRef) -> LineRef {
        self.firsts.get(&line_ref).copied().unwrap_or(line_ref)
    }

    fn line_ref(&self, field: &str, id: &str) -> Option<LineRef> {
        if field == ANSWERS { self.answers.get(id).copied() } else { self.ids.get(id).copied() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LINES: &str = concat!(
        r#"{"type":"user","uuid":"u1","message":{"content":"go"}}"#,
        "\n",
        r#"{"type":"assistant","uuid":"u2","requestId":"r","message":{"id":"m1","model":"x","content":[{"type":"text","text":"a"}],"usage":{"output_tokens":2}}}"#,
        "\n",
        r#"{"type":"assistant","uuid":"u3","requestId":"r","message":{"id":"m1","model":"x","content":[{"type":"tool_use","id":"c1","name":"Read","input":{}}],"usage":{"output_tokens":9}}}"#,
        "\n",
        r#"{"type":"user","uuid":"u4","message":{"content":[{"type":"tool_result","tool_use_id":"c1","content":"ok"}]}}"#,
        "\n",
    );

    fn places(field: &str, theirs: &[(&str, i64)]) -> Vec<(u64, String, i64, i64)> {
        let run = Files::Made(vec![("s.jsonl".to_owned(), LINES.as_bytes().to_vec())]);
        let index = Index::of(&run);
        let ours = parts(&run, &index);
        let theirs = theirs.iter().map(|(id, part)| ((*id).to_owned(), *part)).collect();
        differing(field, &ours[field], &theirs, &index, &|_| PathBuf::from("s.jsonl"))
            .into_iter()
            .map(|place| (place.line, place.id, place.ours, place.theirs))
            .collect()
    }

    #[test]
    fn the_parts_of_one_message_are_laid_together_however_they_are_named() {
        assert_eq!(places("tokens.output", &[("m1", 9)]), []);
        assert_eq!(places("tokens.output", &[("u2", 2), ("u3", 7)]), []);
        assert_eq!(places("tool_calls", &[("c1", 1)]), []);
        assert_eq!(places("results", &[("c1", 1)]), []);
        assert_eq!(places("prompts", &[("u1", 1)]), []);
    }

    #[test]
    fn a_place_has_its_line_and_both_parts() {
        assert_eq!(places("tokens.output", &[("m1", 2)]), [(2, "m1".to_owned(), 9, 2)]);
        assert_eq!(places("results", &[]), [(4, "u4".to_owned(), 1, 0)]);
        assert_eq!(places("prompts", &[("u1", 1), ("u9", 1)]), [(0, "u9".to_owned(), 0, 1)]);
    }
}
