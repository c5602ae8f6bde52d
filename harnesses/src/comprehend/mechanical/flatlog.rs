//! Parses the end of a flat log: one line per event. A truncated line does not begin with a number and a
//! time and is skipped.

use trace_model::adapter::is_harness_element;
use trace_model::event::Outcome;
use trace_model::ids::Millis;

use super::input::Input;
use super::marks::{outcome_named, without_cut_mark};
use super::shown::Shown;

pub(super) fn parse(context: &str) -> Shown {
    let mut shown = Shown::default();
    // Blocks of one message have neighbouring lines of one time.
    let mut prompt_before = None;
    for line in context.lines().filter_map(line) {
        shown.moment(line.time);
        let is_prompt = line.source == "user";
        let goes_on = is_prompt && prompt_before == Some((line.seq.wrapping_sub(1), line.time));
        prompt_before = is_prompt.then_some((line.seq, line.time));
        event(&mut shown, &line, goes_on);
    }
    shown
}

struct Line<'a> {
    seq: u64,
    time: Option<Millis>,
    source: &'a str,
    kind: &'a str,
    rest: &'a str,
}

fn line(text: &str) -> Option<Line<'_>> {
    let mut words = text.splitn(4, ' ');
    let seq = words.next()?.parse().ok()?;
    let time = match words.next()? {
        "-" => None,
        time => Some(Millis::parse(time)?),
    };
    let source = words.next()?;
    let rest = words.next()?;
    let (kind, rest) = rest.split_once(' ').unwrap_or((rest, ""));
    Some(Line { seq, time, source, kind, rest })
}

fn event(shown: &mut Shown, line: &Line<'_>, goes_on: bool) {
    let text = without_cut_mark(line.rest);
    let text = if line.source == "user" { typed(text) } else { text };
    match (line.source, line.kind) {
        ("user", "message") if goes_on => {
            if let Some(prompt) = shown.prompts.last_mut().filter(|_| !text.is_empty()) {
                let before = prompt.text.take().map_or(String::new(), |text| text + "\n");
                prompt.text = Some(before + text);
            }
        }
        ("user", "message") => {
            shown.prompt(line.time, (!text.is_empty()).then(|| text.to_owned()));
        }
        // What was typed while the agent worked is not shown, only that it was.
        ("user", "attachment") if !goes_on => shown.prompt(line.time, None),
        ("meta", "message") if text.starts_with("[Request interrupted by user") => {
            shown.interruption();
        }
        ("agent", "message") => shown.say(text),
        (_, "call") => {
            if let Some((tool, id, input)) = call(line.rest) {
                shown.call(id, tool, line.time, Input::of(input));
            }
        }
        (_, "result") => {
            if let Some((id, outcome, text)) = result(line.rest) {
                shown.result(id, outcome, line.time, without_cut_mark(text));
            }
        }
        _ => {}
    }
}

/// What a person wrote: without the elements that the harness puts before it. Of one that is cut off
/// nothing is left.
fn typed(text: &str) -> &str {
    let mut rest = text;
    loop {
        let name = rest.strip_prefix('<').and_then(|rest| rest.split(['>', ' ']).next());
        let Some(name) = name.filter(|name| is_harness_element(name)) else { return rest };
        let end = format!("</{name}>");
        rest = rest.split_once(end.as_str()).map_or("", |(_, after)| after.trim_start());
    }
}

fn call(rest: &str) -> Option<(&str, Option<&str>, &str)> {
    let (tool, rest) = rest.split_once(" [")?;
    let (id, input) = rest.split_once(']')?;
    Some((tool, known(id), input.trim_start()))
}

fn result(rest: &str) -> Option<(Option<&str>, Outcome, &str)> {
    let (id, rest) = rest.strip_prefix('[')?.split_once("] ")?;
    let (outcome, text) = rest.split_once(' ').unwrap_or((rest, ""));
    Some((known(id), outcome_named(outcome)?, text))
}

fn known(id: &str) -> Option<&str> {
    (id != "-").then_some(id)
}
