//! Splits a context's text into sections and parses each one.

use serde_json::Value;

use super::aggregate::Total;
use super::assignments::{Lines, assignment};
use super::goal::Goal;
use super::view::ViewText;
use crate::continuation::context::is_header;
use crate::continuation::reply::object;
use crate::workbench::{Action, PADDING_MARK};

/// A section, read.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Section {
    /// How to act.
    Instructions {
        /// Whether a note is to be kept.
        notes: bool,
        /// Whether there is a tool that adds.
        tally: bool,
    },
    /// What is to be done.
    Task(Option<Goal>),
    /// A view of the run.
    View(ViewText),
    /// A summary of earlier steps.
    Summary(SummaryText),
    /// A plain list of what was used: its paths, newest first.
    List(Vec<String>),
    /// Running totals.
    Tally(Vec<Total>),
    /// A reply of the worker.
    Step {
        /// Its number.
        number: u32,
        /// What it called.
        action: Option<Action>,
        /// The note in it.
        note: Option<String>,
    },
    /// What was answered.
    Observation {
        /// The step's number.
        number: u32,
        /// What is shown of it.
        shown: Shown,
    },
}

/// What a summary says.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct SummaryText {
    /// Of each file, newest first.
    pub(super) files: Vec<(String, Lines)>,
    /// Of the file whose reading was the last step.
    pub(super) under_way: Option<(String, Lines)>,
}

/// What is shown of an observation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Shown {
    /// Only its length.
    LeftOut,
    /// That the call failed.
    Failed,
    /// What the call answered, without the padding.
    Answered(ToolResult),
}

/// What a call answered.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct ToolResult {
    /// The text.
    pub(super) text: String,
    /// Its `key = value` lines.
    pub(super) lines: Lines,
    /// The number in it, if it is prose that states exactly one.
    pub(super) number: Option<i64>,
    /// The path between backquotes, if it is prose that names exactly one.
    pub(super) quoted: Option<String>,
    /// Whether it says that the trail ends.
    pub(super) ends: bool,
}

/// Reads all sections of a text.
pub(super) fn sections(text: &str) -> Vec<Section> {
    let mut found = Vec::new();
    let mut rest = text;
    while !rest.is_empty() {
        let (section, after) = split_section(rest);
        found.extend(read(section));
        rest = after;
    }
    found
}

/// The text up to the next header line after its first line.
fn split_section(text: &str) -> (&str, &str) {
    let mut at = text.find('\n').map_or(text.len(), |end| end + 1);
    while at < text.len() {
        let line = &text[at..];
        if is_header(line.split('\n').next().unwrap_or(line)) {
            break;
        }
        at += line.find('\n').map_or(line.len(), |end| end + 1);
    }
    text.split_at(at)
}

fn read(section: &str) -> Option<Section> {
    let (header, body) = section.split_once('\n').unwrap_or((section, ""));
    let name = header.strip_prefix('[')?;
    let (name, inline) = name.split_once(']')?;
    let (name, number) = match name.split_once(' ') {
        Some((name, number)) => (name, number.parse().ok()?),
        None => (name, 0),
    };
    Some(match name {
        "instructions" => Section::Instructions {
            notes: body.contains("`note`"),
            tally: body.lines().any(|line| line.trim_start_matches("- ").starts_with("tally")),
        },
        "task" => Section::Task(Goal::parse(body)),
        "view" => Section::View(ViewText::parse(body)),
        "summary" => Section::Summary(SummaryText::parse(body)),
        "list" => Section::List(listed_paths(body)),
        "tally" => Section::Tally(body.lines().filter_map(Total::parse).collect()),
        "step" => step(number, inline),
        "observation" => Section::Observation { number, shown: shown(body) },
        _ => return None,
    })
}

fn step(number: u32, reply: &str) -> Section {
    // As the bench reads it.
    let value = object(reply).unwrap_or(Value::Null);
    let note = value.get("note").and_then(Value::as_str).map(str::to_owned);
    Section::Step { number, action: Action::from_json(&value).ok(), note }
}

fn shown(body: &str) -> Shown {
    if body.starts_with('(') && body.trim_end().ends_with("characters are left out here)") {
        return Shown::LeftOut;
    }
    if body.starts_with("error:") || body.starts_with("protocol error:") {
        return Shown::Failed;
    }
    // The last such line is the mark: a file may hold one too.
    let mark = format!("\n{PADDING_MARK}\n");
    let text = body.rfind(&mark).map_or(body, |at| &body[..=at]);
    Shown::Answered(ToolResult::read(text))
}

impl ToolResult {
    fn read(text: &str) -> Self {
        let lines: Lines = text.lines().filter_map(assignment).collect();
        let mut answer = Self { text: text.to_owned(), lines, ..Self::default() };
        if answer.lines.is_empty() {
            answer.read_prose();
        }
        answer
    }

    fn read_prose(&mut self) {
        let mut numbers = self
            .text
            .split(|c: char| !c.is_ascii_digit() && c != '-')
            .filter_map(|word| word.parse::<i64>().ok());
        self.number = numbers.next().filter(|_| numbers.next().is_none());
        let mut quoted = self.text.split('`').skip(1).step_by(2);
        self.quoted = quoted.next().filter(|_| quoted.next().is_none()).map(str::to_owned);
        self.ends = self.text.contains("trail ends here");
    }
}

impl SummaryText {
    fn parse(text: &str) -> Self {
        let files = text.lines().filter_map(|line| stated(line.strip_prefix("- ")?)).collect();
        let reading = |line: &str| stated(line.strip_prefix("UNDER WAY: read_file ")?);
        Self { files, under_way: text.lines().find_map(reading) }
    }
}

/// What `PATH: key = value; key = value` states; nothing of a line such as `wrote PATH`.
fn stated(line: &str) -> Option<(String, Lines)> {
    let (path, facts) = line.split_once(':')?;
    Some((path.to_owned(), facts.split(';').filter_map(assignment).collect()))
}

/// The items of a list below the heading `PATHS`.
fn listed_paths(text: &str) -> Vec<String> {
    let below = text.lines().skip_while(|line| !line.starts_with("PATHS")).skip(1);
    below.map_while(|line| line.strip_prefix("- ")).map(str::to_owned).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sections_are_those_of_their_pieces() {
        let segments = [
            "[instructions]\n- tally NAME N\nKeep a `note`.\n",
            "[task]\nno idea\n",
            "[step 1] {\"tool\":\"read_file\",\"args\":{\"path\":\"a\"},\"note\":\"n\"}\n",
            "[observation 1]\n# t\ndelta = 5\nnext = b\n--- notes ---\nx = 3\n",
            "[step 2] nonsense\n",
            "[observation 2]\nerror: no such file\n",
            "[observation 3]\n(12 characters are left out here)\n",
        ];
        let whole = sections(&segments.concat());
        let apart: Vec<Section> = segments.iter().flat_map(|segment| sections(segment)).collect();
        assert_eq!(whole, apart);
        assert_eq!(whole.len(), segments.len());
        assert_eq!(whole[0], Section::Instructions { notes: true, tally: true });
        let Section::Observation { shown: Shown::Answered(answer), .. } = &whole[3] else {
            panic!("{:?}", whole[3])
        };
        let lines = [("delta", "5"), ("next", "b")].map(|(k, v)| (k.to_owned(), v.to_owned()));
        assert_eq!(answer.lines, lines, "without the padding");
    }

    #[test]
    fn prose_gives_its_one_number_and_its_one_path() {
        let read = |text: &str| {
            let answer = ToolResult::read(text);
            (answer.number, answer.quoted, answer.ends)
        };
        assert_eq!(
            read("Note 42 as the change. Go on to `p/x.txt` from here.\n"),
            (Some(42), Some("p/x.txt".to_owned()), false)
        );
        assert_eq!(read("7 is it. The trail ends here."), (Some(7), None, true));
        assert_eq!(read("7 or 8."), (None, None, false));
    }
}
