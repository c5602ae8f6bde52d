//! Integers: one number, with nothing else but the noun asked about and a frame.

use rust_decimal::Decimal;
use rust_decimal::prelude::ToPrimitive as _;

use super::context::QuestionContext;
use super::number::{Token, tokens};
use super::readings::readings;
use crate::answers::Tolerance;
use crate::graders::grade::{Grade, Reason};
use crate::graders::reply::Reply;

/// Words that say nothing of their own beside a number.
const FRAME: &[&str] = &[
    "a",
    "agent",
    "agent's",
    "asked",
    "far",
    "gave",
    "issued",
    "sent",
    "separate",
    "so",
    "typed",
    "wrote",
    "all",
    "altogether",
    "an",
    "and",
    "answer",
    "are",
    "be",
    "been",
    "believe",
    "being",
    "by",
    "can",
    "correct",
    "count",
    "counted",
    "count's",
    "did",
    "different",
    "distinct",
    "do",
    "does",
    "during",
    "entire",
    "exactly",
    "final",
    "found",
    "full",
    "had",
    "has",
    "have",
    "human",
    "i",
    "i'd",
    "in",
    "is",
    "it",
    "it's",
    "its",
    "just",
    "last",
    "log",
    "made",
    "main",
    "make",
    "model",
    "my",
    "n",
    "number",
    "of",
    "on",
    "only",
    "output",
    "overall",
    "person",
    "precisely",
    "produced",
    "recorded",
    "result",
    "run",
    "saw",
    "see",
    "seen",
    "session",
    "she",
    "shown",
    "shows",
    "since",
    "sum",
    "that",
    "that's",
    "the",
    "their",
    "them",
    "there",
    "there's",
    "these",
    "they",
    "think",
    "this",
    "those",
    "took",
    "tool",
    "total",
    "totaling",
    "trace",
    "transcript",
    "user",
    "was",
    "were",
    "with",
];

/// Words that say that a number is near and not exact.
pub(super) const NEAR: &[&str] =
    &["about", "approximately", "approx", "around", "circa", "ca", "roughly", "estimated"];

/// What is counted, in several words each. A noun of another row than those of the question is another
/// answer; a question that names none of them may be about any.
const NOUNS: [&[&str]; 4] = [
    &["turn", "turns", "message", "messages", "prompt", "prompts", "request", "requests"],
    &[
        "call",
        "calls",
        "called",
        "calling",
        "calls'",
        "invocation",
        "invocations",
        "invoked",
        "execution",
        "executions",
        "use",
        "uses",
        "used",
        "usage",
        "usages",
        "time",
        "times",
        "x",
        "occurrences",
    ],
    &["token", "tokens", "generated", "tok"],
    &["failure", "failures", "error", "errors", "failed", "fail", "fails"],
];

pub(super) fn grade(
    asked: QuestionContext<'_>,
    truth: u64,
    tolerance: Tolerance,
    reply: &Reply,
) -> Grade {
    let texts = readings(reply);
    let values: Vec<_> = texts.iter().map(|text| integer(asked, text, tolerance)).collect();
    match values.iter().find_map(|value| value.ok()) {
        Some(value) => Grade::right_if(tolerance.accepts(value, truth)),
        None => Grade::none(match values.last() {
            Some(Err(reason)) => *reason,
            _ => Reason::Unreadable,
        }),
    }
}

/// The integer that a text gives.
fn integer(asked: QuestionContext<'_>, text: &str, tolerance: Tolerance) -> Result<i128, Reason> {
    let found = tokens(text).ok_or(Reason::Unreadable)?;
    let found = without_place(asked, found);
    let mut value: Option<Decimal> = None;
    let mut joint = false;
    let mut at = 0;
    while let Some(token) = found.get(at) {
        at += 1;
        match token {
            Token::Number(number, _) => {
                let (scale, more) = scale(found.get(at), tolerance);
                at += more;
                let number = number.checked_mul(scale).ok_or(Reason::Unreadable)?;
                // Said twice, it is said the same way: "3 (three)".
                if value.is_some_and(|known| known != number || !joint) {
                    return Err(Reason::Several);
                }
                value = Some(number);
                joint = false;
            }
            Token::Clock(..) | Token::Mark('/') => return Err(Reason::Unreadable),
            Token::Near if tolerance.is_none() => return Err(Reason::Unreadable),
            Token::Mark(mark) => joint |= matches!(mark, '(' | '=' | '-'),
            Token::Word(word) if !is_known(asked, word, tolerance) => {
                return Err(Reason::Unreadable);
            }
            Token::Near | Token::Word(_) => {}
        }
    }
    let denies = |token: &Token| matches!(token, Token::Word(word) if ["none", "no"].contains(&word.as_str()));
    let value = match value {
        Some(_) if found.iter().any(denies) => return Err(Reason::Unreadable),
        Some(value) => value,
        None if says_none(&found) => Decimal::ZERO,
        None => return Err(Reason::Unreadable),
    };
    let whole = value.fract().is_zero().then(|| value.to_i128()).flatten();
    whole.ok_or(Reason::Unreadable)
}

/// Thousands and millions after a number that need not be exact.
fn scale(next: Option<&Token>, tolerance: Tolerance) -> (Decimal, usize) {
    let scale = match next {
        Some(Token::Word(word)) if !tolerance.is_none() => match word.as_str() {
            "k" | "thousand" => 1_000,
            "m" | "million" => 1_000_000,
            _ => 1,
        },
        _ => 1,
    };
    (Decimal::from(scale), usize::from(scale > 1))
}

/// Without "before turn 3", where the question itself says so.
fn without_place(asked: QuestionContext<'_>, found: Vec<Token>) -> Vec<Token> {
    let Some(turn) = asked.params.get("turn").and_then(serde_json::Value::as_u64) else {
        return found;
    };
    let place = Token::Number(Decimal::from(turn), 0);
    let is = |token: Option<&Token>, word: &str| matches!(token, Some(Token::Word(found)) if found == word);
    let mut left = Vec::new();
    let mut at = 0;
    while at < found.len() {
        let mut end = at + 1;
        end += usize::from(is(found.get(end), "the"));
        end += usize::from(is(found.get(end), "user"));
        let names = is(found.get(at), "before") && is(found.get(end), "turn");
        if names && found.get(end + 1) == Some(&place) {
            at = end + 2;
        } else {
            left.push(found[at].clone());
            at += 1;
        }
    }
    left
}

/// Whether a word is allowed next to the number.
fn is_known(asked: QuestionContext<'_>, word: &str, tolerance: Tolerance) -> bool {
    if FRAME.contains(&word) || word == asked.kind || ["none", "no"].contains(&word) {
        return true;
    }
    if NEAR.contains(&word) {
        return !tolerance.is_none();
    }
    let is_named = |name: &str| {
        let name = name.to_lowercase();
        name == word || (name.contains('_') && name.split('_').any(|part| part == word))
    };
    if asked.named().any(is_named) {
        return true;
    }
    let text = format!("{} {}", asked.text, asked.label).to_lowercase();
    let about: Vec<&str> = text.split(|char: char| !char.is_alphanumeric()).collect();
    let asks = |row: &&[&str]| row.iter().any(|noun| about.contains(noun));
    let any = !NOUNS.iter().any(asks);
    NOUNS.iter().filter(|row| any || asks(row)).any(|row| row.contains(&word))
}

/// Whether a text without a number says that there are none.
fn says_none(found: &[Token]) -> bool {
    let words: Vec<&str> = found
        .iter()
        .filter_map(|token| if let Token::Word(word) = token { Some(word.as_str()) } else { None })
        .collect();
    match words.as_slice() {
        ["none", ..] | [.., "none"] => true,
        words => words.iter().position(|word| *word == "no").is_some_and(|at| {
            words[at + 1..].iter().any(|word| NOUNS.iter().any(|row| row.contains(word)))
        }),
    }
}
