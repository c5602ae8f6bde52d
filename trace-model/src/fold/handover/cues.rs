//! Whether a sentence states a standing rule, by a closed list of words.
//!
//! The list is closed so that what is found can be foreseen, and it is of words that bind what comes after:
//! what is always or never done, what must or must not be, which of two is to be used. Words that also describe
//! ("it always fails", "I don't know", "to avoid a panic") count only where they are said to the agent.

/// Where a cue has to stand.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Place {
    /// Anywhere: the words bind wherever they stand.
    Anywhere,
    /// Where no word before it makes it a description.
    NotDescribing,
    /// At the start of a clause, or behind a word that leads to an imperative.
    Imperative,
    /// There, or behind one that leads to what people do or would like.
    Habit,
}

/// A cue: consecutive words.
struct Cue {
    words: &'static [&'static str],
    place: Place,
    /// Words that must not follow it.
    unless: &'static [&'static str],
}

const fn cue(words: &'static [&'static str], place: Place) -> Cue {
    Cue { words, place, unless: &[] }
}

/// What follows "don't" in what a person says of themselves or waives.
const WAIVED: &[&str] =
    &["know", "think", "worry", "understand", "see", "care", "mind", "need", "have", "get"];

const CUES: [Cue; 16] = [
    // Without exception.
    cue(&["always"], Place::NotDescribing),
    Cue { words: &["never"], place: Place::NotDescribing, unless: &["mind"] },
    cue(&["from", "now", "on"], Place::Anywhere),
    cue(&["going", "forward"], Place::Anywhere),
    // Bound or forbidden.
    cue(&["must"], Place::Anywhere),
    Cue { words: &["don't"], place: Place::Habit, unless: WAIVED },
    Cue { words: &["dont"], place: Place::Habit, unless: WAIVED },
    Cue { words: &["do", "not"], place: Place::Habit, unless: WAIVED },
    cue(&["avoid"], Place::Imperative),
    // Of two, this one; see also `chooses`.
    cue(&["only", "use"], Place::Anywhere),
    cue(&["use", "only"], Place::Anywhere),
    cue(&["prefer"], Place::Habit),
    // To be held on to.
    cue(&["make", "sure"], Place::Imperative),
    cue(&["ensure"], Place::Imperative),
    cue(&["remember"], Place::Imperative),
    cue(&["keep"], Place::Imperative),
];

/// What may stand before an imperative in its clause.
const LEADS: [&str; 9] = ["please", "and", "but", "so", "also", "or", "just", "then", "should"];
/// The same before what people do or would like.
const LEADS_TO_HABIT: [&str; 4] = ["we", "i", "i'd", "would"];
/// What makes "always" and "never" a description.
const DESCRIBING: [&str; 15] = [
    "it", "this", "that", "they", "he", "she", "is", "was", "are", "were", "has", "have", "had",
    "i", "which",
];
/// What "not" belongs to, so that it does not set one thing against another.
const AUXILIARIES: [&str; 14] = [
    "is", "are", "was", "were", "do", "does", "did", "can", "could", "will", "would", "should",
    "has", "have",
];

/// A word in lower case.
struct Word<'t> {
    text: &'t str,
    /// Whether a clause starts with it.
    opens: bool,
}

/// Whether a sentence states a standing rule. A question does not.
pub(super) fn states_rule(sentence: &str) -> bool {
    if sentence.trim_end_matches(['"', ')', '*', ' ']).ends_with('?') {
        return false;
    }
    let mut lower = String::with_capacity(sentence.len());
    let words = words(sentence, &mut lower);
    words.len() > 1
        && ((0..words.len()).any(|at| CUES.iter().any(|cue| stands(cue, &words, at)))
            || chooses(&words))
}

/// The words of a sentence; `lower` holds their texts.
fn words<'t>(sentence: &str, lower: &'t mut String) -> Vec<Word<'t>> {
    // Where each starts, and whether a clause does.
    let mut starts: Vec<(usize, bool)> = Vec::new();
    let mut opens = true;
    let mut within = false;
    for char in sentence.chars() {
        let char = if char == '’' { '\'' } else { char };
        if char.is_alphanumeric() || (within && matches!(char, '\'' | '_' | '-')) {
            if !within {
                starts.push((lower.len(), std::mem::take(&mut opens)));
            }
            within = true;
            if char.is_ascii() {
                lower.push(char.to_ascii_lowercase());
            } else {
                lower.extend(char.to_lowercase());
            }
        } else {
            within = false;
            opens |= matches!(char, ',' | ';' | ':' | '.' | '!' | '?' | '(' | '-' | '–' | '—');
        }
    }
    let lower: &'t str = lower;
    let ends = starts.iter().skip(1).map(|(start, _)| *start).chain([lower.len()]);
    starts
        .iter()
        .zip(ends)
        .map(|(&(start, opens), end)| Word { text: &lower[start..end], opens })
        .collect()
}

fn stands(cue: &Cue, words: &[Word<'_>], at: usize) -> bool {
    let Some(said) = words.get(at..at + cue.words.len()) else { return false };
    if !said.iter().zip(cue.words).all(|(word, cue)| word.text == *cue) {
        return false;
    }
    let next = words.get(at + cue.words.len()).map(|word| word.text);
    if next.is_some_and(|next| cue.unless.contains(&next)) {
        return false;
    }
    match cue.place {
        Place::Anywhere => true,
        Place::NotDescribing => {
            !before(words, at).is_some_and(|word| DESCRIBING.contains(&word))
                && !next.is_some_and(is_told_of)
        }
        Place::Imperative => is_led_to(words, at, &[&LEADS]),
        Place::Habit => is_led_to(words, at, &[&LEADS, &LEADS_TO_HABIT]),
    }
}

/// The word before one, in its clause.
fn before<'t>(words: &[Word<'t>], at: usize) -> Option<&'t str> {
    let opens = words.get(at)?.opens;
    let before = words.get(at.checked_sub(1)?)?;
    (!opens).then_some(before.text)
}

/// Whether a verb tells what something does or did: "always fails", "never called".
fn is_told_of(verb: &str) -> bool {
    verb.ends_with("ed") || (verb.ends_with('s') && !verb.ends_with("ss"))
}

/// Whether a clause starts with a word, or one of these words leads to it.
fn is_led_to(words: &[Word<'_>], at: usize, leads: &[&[&str]]) -> bool {
    before(words, at).is_none_or(|word| leads.iter().any(|leads| leads.contains(&word)))
}

/// Whether it says to use one thing and not another.
fn chooses(words: &[Word<'_>]) -> bool {
    let leads: [&[&str]; 2] = [&LEADS, &LEADS_TO_HABIT];
    let is_use = |at: &usize| words[*at].text == "use" && is_led_to(words, *at, &leads);
    let Some(from) = (0..words.len()).find(is_use) else { return false };
    let sets_against = |at: usize| {
        let next = words.get(at + 1).map_or("", |word| word.text);
        match words[at].text {
            "not" => !words.get(at - 1).is_some_and(|word| AUXILIARIES.contains(&word.text)),
            "instead" => next == "of",
            "rather" => next == "than",
            _ => false,
        }
    };
    (from + 1..words.len()).any(sets_against)
}

#[cfg(test)]
mod tests {
    use super::states_rule;

    #[test]
    fn rules_are_told_from_what_is_only_said() {
        let rules = [
            "Always run the linter.",
            "We never push to main",
            "don't touch the schema",
            "Fine, but please do not rebase",
            "We don’t commit without asking",
            "The id must not change",
            "use pnpm, not npm",
            "Use tabs instead of spaces",
            "only use the public API",
            "I'd prefer short names",
            "can we use the logger rather than prints",
            "avoid unwrap",
            "make sure the tests pass",
            "From now on write in English",
            "Remember to update the changelog",
            "keep functions small",
        ];
        for rule in rules {
            assert!(states_rule(rule), "{rule}");
        }
        let others = [
            "Never mind",
            "It always fails on CI",
            "I don't know why",
            "Don't worry about it",
            "We copy it to avoid a race",
            "I remember that bug",
            "Should we never push?",
            "use it where it is not slow",
            "it does not keep the order",
            "the log has 42 lines instead of 40",
            "the speed never gets past 27",
            "the old code, which always ran it",
            "without it you don't see the rest",
            "Remember",
            "Fix the build",
            "",
        ];
        for other in others {
            assert!(!states_rule(other), "{other}");
        }
    }
}
