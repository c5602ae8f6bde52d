//! That the trace does not say: a closed list of phrases, one of which (or several after another) must be the
//! whole answer.
//!
//! The phrases are made by a small grammar: a closed core ("not stated", "the trace does not say", "no
//! information", "cannot be determined", "n/a" ...), and around it only what it is about ("this", "such
//! information", the words of the question) and where ("in the trace").

use super::context::QuestionContext;
use super::readings::readings;
use super::text::{bare, fold, straight};
use crate::graders::grade::{Grade, Reason};
use crate::graders::reply::Reply;

/// Whole answers in one word or two.
const SHORT: &[&str] = &[
    "no way to tell",
    "no way to know",
    "not enough information",
    "insufficient information",
    "unknown",
    "unstated",
    "unspecified",
    "undisclosed",
    "unmentioned",
    "undetermined",
    "indeterminable",
    "n/a",
    "n.a",
    "n.a.",
    "na",
    "not applicable",
    "none stated",
    "none given",
    "none mentioned",
    "none specified",
    "no idea",
];

/// What something is not, where the trace does not say it.
const SAID: &[&str] = &[
    "answerable",
    "referenced",
    "reported",
    "stated",
    "mentioned",
    "specified",
    "given",
    "available",
    "known",
    "said",
    "provided",
    "disclosed",
    "included",
    "recorded",
    "shown",
    "present",
    "found",
    "answered",
    "indicated",
    "documented",
    "contained",
    "determinable",
    "determined",
    "revealed",
    "discussed",
    "noted",
    "identified",
    "described",
    "visible",
    "covered",
    "listed",
    "addressed",
    "named",
    "clear",
];

/// What the trace does not do.
const SAYS: &[&str] = &[
    "appear", "report", "say", "state", "mention", "specify", "contain", "include", "provide",
    "tell", "give", "show", "reveal", "indicate", "record", "disclose", "answer", "cover", "name",
    "discuss", "note", "identify", "list", "address", "have", "hold",
];

/// Nouns after "no".
const MATTER: &[&str] = &[
    "information",
    "info",
    "mention",
    "data",
    "record",
    "indication",
    "answer",
    "reference",
    "statement",
    "details",
    "detail",
    "evidence",
    "trace",
    "sign",
];

/// What the answer is taken from.
const PLACES: &[&str] = &[
    "trace",
    "transcript",
    "log",
    "logs",
    "run",
    "session",
    "context",
    "text",
    "report",
    "conversation",
    "record",
    "records",
    "document",
    "view",
    "material",
    "excerpt",
    "history",
    "source",
    "data",
];

/// Words that only point at what is asked, or join.
const POINTERS: &[&str] = &[
    "have",
    "a",
    "about",
    "all",
    "an",
    "any",
    "anything",
    "anywhere",
    "as",
    "at",
    "by",
    "explicitly",
    "for",
    "from",
    "given",
    "here",
    "i",
    "in",
    "information",
    "is",
    "it",
    "its",
    "of",
    "on",
    "or",
    "provided",
    "regarding",
    "shown",
    "so",
    "such",
    "that",
    "the",
    "their",
    "them",
    "there",
    "these",
    "they",
    "this",
    "those",
    "to",
    "was",
    "were",
    "what",
    "which",
    "who",
    "whom",
    "whose",
    "when",
    "where",
    "why",
    "how",
    "within",
    "with",
    "question",
    "details",
    "value",
    "concerning",
    "i've",
    "available",
    "me",
    "been",
    "has",
    "had",
    "did",
    "detail",
];

pub(super) fn grade(asked: QuestionContext<'_>, reply: &Reply) -> Grade {
    let texts = readings(reply);
    let Some(text) = texts.last() else {
        return Grade::none(Reason::Unreadable);
    };
    Grade::right_if(says_so(asked, text))
}

fn says_so(asked: QuestionContext<'_>, text: &str) -> bool {
    let folded = straight(&fold(text)).replace("n't ", " not ").replace("cannot", "can not");
    // "ca not" is "can't" spelt out.
    let folded = folded.replace("ca not ", "can not ");
    let text = unframed(&folded);
    if is_phrase(asked, text) {
        return true;
    }
    let parts: Vec<&str> = text
        .split([';', '(', ')', '\u{2014}', '\u{2013}', ':'])
        .flat_map(|part| part.split(". "))
        .flat_map(|part| part.split(" - "))
        .map(unframed)
        .filter(|part| !part.is_empty())
        .collect();
    (1..=3).contains(&parts.len()) && parts.iter().all(|part| is_phrase(asked, part))
}

/// Without marks around it, a courtesy before it and a full stop after it.
fn unframed(text: &str) -> &str {
    let mut text = bare(text);
    loop {
        let trimmed = text.trim().trim_end_matches(['.', '!', ',']);
        let bracketed = [('(', ')'), ('[', ']'), ('<', '>')].iter().find_map(|(open, close)| {
            let inner = trimmed.strip_prefix(*open)?.strip_suffix(*close)?;
            (!inner.contains(*open)).then_some(inner)
        });
        let courtesies = [
            "sorry, ",
            "i'm sorry, but ",
            "answer: ",
            "unfortunately, ",
            "it is ",
            "it's ",
            "this is ",
        ];
        let said = courtesies.iter().find_map(|lead| trimmed.strip_prefix(lead));
        let next = bare(bracketed.or(said).unwrap_or(trimmed));
        if next == text {
            return text;
        }
        text = next;
    }
}

fn is_phrase(asked: QuestionContext<'_>, text: &str) -> bool {
    // "unknown from the trace"
    let is_short = |short: &&str| {
        let rest =
            text.strip_prefix(*short).filter(|rest| rest.is_empty() || rest.starts_with(' '));
        rest.is_some_and(|rest| rest.split(' ').all(|word| is_about(asked, word)))
    };
    if SHORT.iter().any(is_short) {
        return true;
    }
    let words: Vec<&str> = text.split(' ').map(|word| word.trim_matches(',')).collect();
    let begin = |words: &[&str]| -> Option<usize> {
        let says = |at: usize| words.get(at).is_some_and(|word| SAYS.contains(word));
        let said = |at: usize| words.get(at).is_some_and(|word| SAID.contains(word));
        let matter = |at: usize| words.get(at).is_some_and(|word| MATTER.contains(word));
        let is = |at: usize, any: &[&str]| words.get(at).is_some_and(|word| any.contains(word));
        // "unknown from the trace", "not stated", "not explicitly mentioned"
        if is(0, SHORT) && words[0] != "na" {
            return Some(1);
        }
        // "not in the trace", "nowhere in the trace", "missing from the trace"
        let joints: &[&str] = &["in", "from"];
        if is(0, &["not", "nowhere", "absent", "missing"]) && is(1, joints) {
            return words.iter().any(|word| PLACES.contains(word)).then_some(2);
        }
        let adverb = |at: usize| {
            usize::from(is(at, &["explicitly", "directly", "ever", "actually", "been"]))
        };
        if is(0, &["not", "never", "nowhere"]) && said(1 + adverb(1)) {
            return Some(2 + adverb(1));
        }
        // "does not say", "did not mention", "never says"
        if is(0, &["does", "did", "do"]) && is(1, &["not"]) && says(2 + adverb(2)) {
            return Some(3 + adverb(2));
        }
        if is(0, &["never"])
            && words.get(1).is_some_and(|word| {
                SAYS.iter().any(|says| {
                    word.strip_prefix(says).is_some_and(|end| ["s", "es", "d", "ed"].contains(&end))
                }) || ["says", "gives", "specifies"].contains(word)
            })
        {
            return Some(2);
        }
        // "no information", "no such data", "nothing stated"
        if is(0, &["no"]) {
            let at = 1 + usize::from(is(1, &["such", "relevant", "explicit"]));
            return matter(at).then(|| {
                let was = usize::from(is(at + 1, &["is", "was", "has"]));
                let been = adverb(at + 1 + was);
                at + 1 + if said(at + 1 + was + been) { was + been + 1 } else { 0 }
            });
        }
        if is(0, &["nothing"]) {
            let was = usize::from(is(1, &["is", "was"]));
            return if said(1 + was) { Some(2 + was) } else { says_so_after(words) };
        }
        // "can not be determined", "can not tell", "do not know"
        if is(0, &["can", "could"]) && is(1, &["not"]) {
            let be = usize::from(is(2, &["be"]));
            let verbs: &[&str] = if be == 1 {
                &[
                    "determined",
                    "answered",
                    "found",
                    "known",
                    "told",
                    "inferred",
                    "established",
                    "derived",
                    "identified",
                    "said",
                    "ascertained",
                ]
            } else {
                &["tell", "determine", "find", "say", "know", "infer", "identify"]
            };
            return is(2 + be, verbs).then_some(3 + be);
        }
        if is(0, &["do", "does"]) && is(1, &["not"]) && is(2, &["know"]) {
            return Some(3);
        }
        if is(0, &["impossible"]) || (is(0, &["not"]) && is(1, &["possible"])) {
            let at = if is(0, &["not"]) { 2 } else { 1 };
            return (is(at, &["to"]) && is(at + 1, &["tell", "say", "determine", "know"]))
                .then_some(at + 2);
        }
        None
    };
    // What may stand before the core: "the trace", "this information is", "there is", "I".
    (0..words.len()).take(14).any(|at| {
        let Some(length) = begin(&words[at..]) else { return false };
        let around = words[..at].iter().chain(&words[(at + length).min(words.len())..]);
        around.into_iter().all(|word| is_about(asked, word))
    })
}

/// "nothing in the trace says so"
fn says_so_after(words: &[&str]) -> Option<usize> {
    let at = words.iter().position(|word| {
        ["says", "states", "mentions", "indicates", "tells", "shows", "answers"].contains(word)
    })?;
    words[1..at]
        .iter()
        .all(|word| PLACES.contains(word) || POINTERS.contains(word))
        .then_some(at + 1)
}

/// Whether a word only says what is asked for or where it was looked for.
fn is_about(asked: QuestionContext<'_>, word: &str) -> bool {
    let word = word.trim_matches(|char: char| !char.is_alphanumeric() && char != '\'');
    if word.is_empty() || POINTERS.contains(&word) || PLACES.contains(&word) {
        return true;
    }
    // Words of the question that may be repeated, except for the number that another part asks for.
    let texts = asked.named().filter(|text| text.ends_with('?') || text.contains(' '));
    let texts: Vec<String> = texts.map(fold).collect();
    texts.iter().any(|text| {
        text.split(|char: char| !char.is_alphanumeric() && char != '\'').any(|other| {
            other == word || (other.len() >= 4 && word.len() >= 4 && stem(other) == stem(word))
        })
    })
}

fn stem(word: &str) -> &str {
    let word = word.strip_suffix("'s").unwrap_or(word);
    ["ing", "ed", "es", "s", "d"].iter().find_map(|end| word.strip_suffix(end)).unwrap_or(word)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use serde_json::json;

    use super::*;

    #[test]
    fn the_phrase_is_the_whole_answer() {
        let params =
            BTreeMap::from([("second".to_owned(), json!("What did the person have for lunch?"))]);
        let asked = QuestionContext { kind: "not_stated", text: "", params: &params, label: "2" };
        for text in [
            "not stated",
            "Not stated.",
            "\"Not stated\"",
            "**not stated**",
            "(not stated)",
            "N/A",
            "n/a",
            "unknown",
            "The trace does not contain this.",
            "The transcript doesn\u{2019}t mention it.",
            "Not mentioned in the transcript",
            "This information is not available in the trace.",
            "It is not stated.",
            "The trace does not say.",
            "There is no mention of this in the log.",
            "There is no information about this.",
            "No information",
            "No such information is given.",
            "Cannot be determined from the trace.",
            "I can't tell from the trace.",
            "I don't know.",
            "Unknown (not stated in the trace)",
            "Not stated; the trace does not say.",
            "The trace does not say what the person had for lunch.",
            "Nothing in the trace says so.",
            "No data available",
            "It can't be determined",
            "not specified anywhere in the transcript",
            "Sorry, the trace does not say.",
            "Not explicitly stated",
            "The log never mentions this.",
            "It isn't mentioned.",
            "this was never mentioned",
            "The person's lunch is not mentioned.",
            "No answer is given in the trace.",
            "Unspecified.",
            "not possible to determine from the trace",
            "It is not known.",
            "not in the trace",
            "The lunch is not in the trace.",
            "Absent from the transcript",
            "Not enough information in the trace",
            "I have no information about that.",
            "It does not appear in the log.",
        ] {
            assert!(says_so(asked, text), "{text}");
        }
        for text in [
            "",
            "unknown host error",
            "not available before Tuesday",
            "none",
            "null",
            "soup",
            "soup (not stated)",
            "not stated, but probably soup",
            "The trace does not say, so I guess soup",
            "Bob is not available",
            "I'm sorry, but I can't help with that.",
            "no",
            "not",
            "The error is unknown host",
            "-",
            "?",
            "It is stated.",
            "The trace says so.",
            "not known to fail",
            "It does not contain gluten",
            "no record label",
            "The trace contains this.",
            "unknown user",
            "Not given a name: Bob",
            "it was not stated by Bob",
            "not in Rome",
            "missing from Rome",
        ] {
            assert!(!says_so(asked, text), "{text}");
        }
    }
}
