//! Quotations: texts whose words are wanted, in order.
//!
//! An answer quotes a text if, case, white space, quotation marks, Markdown and the punctuation of sentences
//! aside, it has all of its words in their order and no other; contractions are the words that they stand
//! for. Signs that change a meaning (`==`, `!=`, `-5`, `3%`) are words.
//!
//! It is also right as a run of the text's words that stands in no other text of the run and has at least
//! [`RUN_CHARACTERS`] characters or [`RUN_TOKENS`] words, whole ones, if what it leaves out of its first and
//! last sentence does not turn or narrow it ("not", "only", "if" ...). A run may say by an ellipsis that it is
//! cut at its end, where the last word may be torn, or at its start; and leave out something in the middle
//! twice, where each piece has at least [`PIECE_CHARACTERS`] characters.
//!
//! A start of the text is also right if its last word is torn, which shows that it is cut, or if it has at
//! least [`LONG_START`] characters.
//!
//! A text that names something, such as a command, is compared piece by piece between white space: there
//! each sign and the case of flags count. Only its start with an ellipsis is a part that is enough.
//!
//! The answer is looked at as a whole; without a lead-in ("The person asked:"); and where it has exactly one
//! quoted part and nothing around it says otherwise, as that part.

use super::readings::readings;
use super::text::{bare, composed, fold, is_frame, is_limit, is_limited, quoted_part, straight};
use crate::graders::grade::{Grade, Reason};
use crate::graders::quotation::{RUN_CHARACTERS, RUN_TOKENS};
use crate::graders::reply::Reply;

/// Minimum token F1, in percent, for a truth that names something.
pub(super) const NAMES: u64 = 95;

/// Minimum length of each piece of a run with omissions.
const PIECE_CHARACTERS: usize = 20;

/// Maximum pieces of a run with omissions.
const MOST_PIECES: usize = 3;

/// A start of this many characters is seen to be one.
const LONG_START: usize = 120;

/// What an answer is compared with.
pub(super) struct Texts<'a> {
    pub(super) accepted: &'a [String],
    pub(super) forms: &'a [String],
    pub(super) others: &'a [String],
}

/// A word of a text, and whether a sentence ends with it.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Word {
    text: String,
    ends: bool,
}

impl Texts<'_> {
    fn right(&self) -> impl Iterator<Item = &String> {
        self.accepted.iter().chain(self.forms)
    }

    /// Grades what is to be quoted.
    pub(super) fn quoted(&self, reply: &Reply) -> Grade {
        let texts = candidates(reply);
        if texts.is_empty() {
            return Grade::none(Reason::Several);
        }
        verdict(texts.iter().map(|text| self.judge(text)))
    }

    fn judge(&self, text: &str) -> Reason {
        let folded = fold(text);
        if folded.is_empty() {
            return Reason::Wrong;
        }
        if self.right().any(|truth| truth == text || fold(truth) == folded) {
            return Reason::Right;
        }
        let words = plain(text);
        if !words.is_empty() && self.right().any(|truth| same(&plain(truth), &words)) {
            return Reason::Right;
        }
        self.by_run(text)
    }

    fn by_run(&self, text: &str) -> Reason {
        // A start that says where it is cut is compared as it stands: the cut may go through anything.
        let start = cut_start(text);
        let folded = fold(text);
        let begins = |text: &String, is_enough: fn(&str, &str) -> bool| {
            let whole = fold(text);
            let said = start.as_ref().is_some_and(|start| whole.starts_with(start.as_str()));
            said || whole.strip_prefix(&folded).is_some_and(|rest| is_enough(&folded, rest))
        };
        // A text that has ellipses of its own may be no run, and still a start.
        let run = Run::of(text);
        let run = run.as_ref();
        let is_right = |truth: &String| {
            begins(truth, is_start) || run.is_some_and(|run| run.stands_in(&words(truth)))
        };
        if !self.accepted.iter().any(is_right) {
            return Reason::Wrong;
        }
        let is_other = |other: &String| {
            begins(other, |_, _| true) || run.is_some_and(|run| run.is_part_of(&words(other)))
        };
        if self.others.iter().any(is_other) {
            return Reason::Ambiguous;
        }
        Reason::Right
    }

    /// Grades what names something.
    pub(super) fn named(&self, reply: &Reply) -> Grade {
        let mut texts = readings(reply);
        // A tool and its argument, as two.
        let several: Vec<Reply> = match reply.structured() {
            Reply::List(items) if items.len() == 2 => items,
            Reply::Fields(fields) if fields.len() == 2 => {
                fields.into_iter().map(|(_, field)| field).collect()
            }
            _ => Vec::new(),
        };
        if let [first, second] = several.as_slice()
            && let (Some(first), Some(second)) = (first.scalar(), second.scalar())
        {
            texts.extend([format!("{first} {second}"), format!("{second} {first}")]);
        }
        if texts.is_empty() {
            return Grade::none(Reason::Several);
        }
        for at in 0..texts.len() {
            let text = texts[at].clone();
            texts.extend(self.rewritten(&text));
        }
        verdict(texts.iter().map(|text| self.judge_name(text)))
    }

    fn judge_name(&self, text: &str) -> Reason {
        let pieces = exact(text);
        if self.right().any(|truth| truth == text || exact(truth) == pieces) && !text.is_empty() {
            return Reason::Right;
        }
        // A full stop is the answer's, unless it is the name's.
        let ended =
            text.trim_end().strip_suffix('.').filter(|rest| rest.ends_with(char::is_alphanumeric));
        if ended.is_some_and(|text| self.right().any(|truth| exact(truth) == exact(text))) {
            return Reason::Right;
        }
        let Some(start) = cut_start(text) else { return Reason::Wrong };
        let begins = |truth: &String| fold(truth).starts_with(&start);
        match (self.accepted.iter().any(begins), self.others.iter().any(begins)) {
            (true, false) => Reason::Right,
            (true, true) => Reason::Ambiguous,
            _ => Reason::Wrong,
        }
    }

    /// A tool's name and its argument, as people write them, as `Tool argument`; and the argument alone where
    /// it is quoted in a sentence that names no other tool.
    fn rewritten(&self, text: &str) -> Vec<String> {
        let text = bare(text);
        let mut found = Vec::new();
        let joined = |tool: &str, argument: &str| format!("{} {}", bare(tool), bare(argument));
        let is_name =
            |word: &str| !bare(word).is_empty() && !bare(word).contains(char::is_whitespace);
        // Where the truth is a command alone, that it is one may be said.
        let has_tools = self
            .accepted
            .iter()
            .any(|form| self.accepted.iter().any(|other| form.ends_with(&format!(" {other}"))));
        if !has_tools && let Some((lead, rest)) = text.split_once(": ") {
            let leads =
                ["bash", "shell", "command", "the command", "bash command", "shell command"];
            found.extend(
                leads.contains(&bare(lead).to_lowercase().as_str()).then(|| bare(rest).to_owned()),
            );
        }
        for sign in [": ", ":\n", " - ", " \u{2013} ", " \u{2014} ", " with ", " on ", "\n"] {
            if let Some((tool, rest)) = text.split_once(sign)
                && is_name(tool)
            {
                found.push(joined(tool, without_key(rest)));
            }
        }
        if let Some((tool, rest)) = text.split_once(char::is_whitespace)
            && is_name(tool)
        {
            found.push(joined(tool, rest));
        }
        if let Some((rest, tool)) = text.strip_suffix(')').and_then(|text| text.rsplit_once(" (")) {
            // "cargo test (Bash)", "Bash: cargo test (c12)", "c12 (Bash: cargo test)"
            found.extend([joined(tool, rest), joined("", rest).trim().to_owned()]);
            let both = [rest, tool].map(|part| {
                let part = part.trim();
                let (head, argument) = part.split_once(": ").unwrap_or((part, ""));
                let part = if argument.is_empty() {
                    bare(part).to_owned()
                } else {
                    joined(head, argument)
                };
                exact(&part)
            });
            // What is in brackets must be of the same call, or its tool.
            let is_right = |part: &Vec<String>| self.right().any(|truth| exact(truth) == *part);
            let tools: Vec<String> = tools_of(self.accepted);
            let is_tool = |part: &Vec<String>| tools.contains(&part.join(" "));
            if !both.iter().any(is_right)
                || !both.iter().all(|part| is_right(part) || is_tool(part))
            {
                found.pop();
            } else if let Some(right) = self.accepted.first() {
                found.push(right.clone());
            }
        }
        if let Some((tool, rest)) = text.strip_suffix(')').and_then(|text| text.split_once('('))
            && is_name(tool)
        {
            found.push(joined(tool, without_key(rest)));
        }
        if let Some((tool, rest)) = labelled(text) {
            found.push(joined(tool, rest));
        }
        if let Some((before, inner, after)) = quoted_part(text) {
            let around = format!("{before} {after}");
            let tools = tools_of(self.others);
            let ours = tools_of(self.accepted);
            let names_other = exact(&around.replace(|char: char| "():,.;".contains(char), " "))
                .iter()
                .any(|word| tools.contains(word) && !ours.contains(word));
            if !turns(before) && !turns(after) && !names_other {
                found.push(inner.to_owned());
            }
        }
        let ids = ["call id:", "call id", "id:", "call"];
        let lower = text.to_lowercase();
        found.extend(
            ids.iter().find_map(|lead| lower.strip_prefix(lead).map(|rest| bare(rest).to_owned())),
        );
        found
    }
}

/// The answer's readings, each with and without what leads to it.
fn candidates(reply: &Reply) -> Vec<String> {
    let mut texts = readings(reply);
    for at in 0..texts.len() {
        let text = texts[at].clone();
        texts.extend(without_lead(&text).map(str::to_owned));
        texts.extend(sole_quote(&text).map(str::to_owned));
    }
    texts
}

/// The first words of forms of several words: tools, among others.
fn tools_of(texts: &[String]) -> Vec<String> {
    let first = |text: &String| exact(text).first().filter(|_| text.contains(' ')).cloned();
    texts.iter().filter_map(first).collect()
}

fn verdict(reasons: impl Iterator<Item = Reason>) -> Grade {
    let reasons: Vec<Reason> = reasons.collect();
    match reasons {
        all if all.contains(&Reason::Right) => Grade::right(),
        all if all.contains(&Reason::Ambiguous) => Grade::none(Reason::Ambiguous),
        _ => Grade::none(Reason::Wrong),
    }
}

/// `Tool: Bash, command: cargo test`, on one line or two.
fn labelled(text: &str) -> Option<(&str, &str)> {
    let start = text.get(..5).filter(|start| start.eq_ignore_ascii_case("tool:"))?;
    let rest = text[start.len()..].trim_start();
    let at = rest.find([',', ';', '\n'])?;
    Some((rest[..at].trim(), without_key(&rest[at + 1..])))
}

/// Without a name of the argument before it: `command: cargo test`, `command="cargo test"`.
fn without_key(text: &str) -> &str {
    const KEYS: &[&str] = &[
        "command",
        "argument",
        "main argument",
        "path",
        "file_path",
        "pattern",
        "url",
        "address",
        "query",
        "prompt",
        "description",
        "text",
        "input",
        "args",
    ];
    let text = text.trim();
    let after = text
        .split_once([':', '='])
        .filter(|(key, _)| KEYS.contains(&bare(key).to_lowercase().as_str()));
    bare(after.map_or(text, |(_, rest)| rest))
}

/// The pieces of a name between white space, in lower case except for flags.
fn exact(text: &str) -> Vec<String> {
    let text = straight(&composed(text));
    let piece = |piece: &str| {
        if piece.starts_with('-') { piece.to_owned() } else { piece.to_lowercase() }
    };
    text.split_whitespace().map(piece).collect()
}

/// Whether a start shows that it is one: by a word that is torn (a number that is torn is another number), or
/// by its length.
fn is_start(start: &str, rest: &str) -> bool {
    let (Some(last), Some(next)) = (start.chars().next_back(), rest.chars().next()) else {
        return false;
    };
    let torn = last.is_alphabetic() && next.is_alphabetic();
    let count = start.chars().count();
    let number = last.is_numeric() && next.is_numeric();
    !number && (count >= LONG_START || (torn && count >= RUN_CHARACTERS))
}

/// The start of a name that says that it is cut, if it is long enough.
fn cut_start(text: &str) -> Option<String> {
    let folded = fold(text);
    let (start, note) = cut(&folded)?;
    let long = start.chars().count() >= RUN_CHARACTERS || plain(start).len() >= RUN_TOKENS;
    (long && is_note(note)).then(|| start.trim_end().to_owned())
}

/// A text before its first ellipsis, and what follows.
fn cut(text: &str) -> Option<(&str, &str)> {
    let marks = ["[\u{2026}]", "[...]", "\u{2026}", "..."];
    let cuts = marks.iter().filter_map(|mark| Some((text.find(mark)?, mark.len())));
    let (at, length) = cuts.min_by_key(|(at, length)| (*at, std::cmp::Reverse(*length)))?;
    // A full stop and three more dots are one mark.
    let dots = text[at + length..].len() - text[at + length..].trim_start_matches('.').len();
    let length = length + if text[at..].starts_with("...") { dots } else { 0 };
    Some((&text[..at], &text[at + length..]))
}

/// Whether this is nothing, or a note in brackets such as how much is left out.
fn is_note(text: &str) -> bool {
    let text = text.trim().trim_matches(['"', '\'', '`', ')']).trim();
    text.is_empty()
        || (text.starts_with('[') && text.ends_with(']') && text.matches('[').count() == 1)
}

/// Words that say that what follows is not it.
fn turns(around: &str) -> bool {
    const TURNS: &[&str] = &[
        "previous",
        "previously",
        "earlier",
        "before",
        "another",
        "other",
        "first",
        "then",
        "later",
        "afterwards",
        "second",
        "opposite",
        "maybe",
    ];
    let lower = around.to_lowercase();
    let mut words = lower.split(|char: char| !char.is_alphanumeric());
    is_limited(around) || around.contains('?') || words.any(|word| TURNS.contains(&word))
}

/// The only quoted part, if nothing around it says otherwise.
fn sole_quote(text: &str) -> Option<&str> {
    let (before, inner, after) = quoted_part(text)?;
    let few = before.split_whitespace().count() + after.split_whitespace().count() <= 20;
    // More words after a quotation are more of an answer.
    let ends = after.split_whitespace().count() <= 8;
    (few && ends && !turns(before) && !turns(after)).then_some(inner)
}

/// Without a lead-in that ends in a colon and says only what follows.
fn without_lead(text: &str) -> Option<&str> {
    const LEAD: &[&str] = &[
        "error",
        "message",
        "user",
        "human",
        "person",
        "asked",
        "ask",
        "asks",
        "said",
        "says",
        "say",
        "request",
        "requested",
        "wrote",
        "text",
        "turn",
        "reads",
        "read",
        "reported",
        "report",
        "output",
        "result",
        "failure",
        "failed",
        "quote",
        "quoted",
        "words",
        "word",
        "here",
        "latest",
        "final",
        "as",
        "follows",
        "assistant",
        "from",
        "their",
        "stated",
        "command",
        "response",
        "prompt",
        "exact",
        "verbatim",
        "reply",
        "agent's",
    ];
    let (lead, rest) = text.split_once(':')?;
    let says_nothing = |word: &str| {
        let word = word.trim_matches(|char: char| !char.is_alphanumeric()).to_lowercase();
        word.is_empty()
            || is_frame(&word)
            || LEAD.contains(&word.as_str())
            || word.bytes().all(|byte| byte.is_ascii_digit())
    };
    let spaced = rest.starts_with(char::is_whitespace) || rest.starts_with("**");
    let few = lead.split_whitespace().count() <= 15;
    (spaced && few && lead.split_whitespace().all(says_nothing))
        .then(|| bare(rest.trim_start_matches("**")))
}

/// Whether two texts have the same words, except for a courtesy or a label at the start.
fn same(truth: &[String], answer: &[String]) -> bool {
    truth == answer || {
        let (truth, answer) = (without_opening(truth), without_opening(answer));
        !truth.is_empty() && truth == answer
    }
}

fn without_opening(words: &[String]) -> &[String] {
    const OPENINGS: &[&str] =
        &["please", "now", "so", "ok", "okay", "well", "and", "then", "error"];
    let count = words.iter().take_while(|word| OPENINGS.contains(&word.as_str())).count();
    if count == words.len() { words } else { &words[count..] }
}

/// The words of a text, as they are compared.
pub(super) fn plain(text: &str) -> Vec<String> {
    words(text).into_iter().map(|word| word.text).collect()
}

/// The words of a text, each with whether a sentence or a line ends with it.
fn words(text: &str) -> Vec<Word> {
    let text = straight(&composed(untagged(text)));
    let text =
        text.replace(['`', '"'], "").replace("**", "").replace('\u{2212}', "-").to_lowercase();
    let mut found: Vec<Word> = Vec::new();
    for line in text.lines() {
        let line = line.trim_start();
        let line = line.strip_prefix("> ").unwrap_or(line);
        for chunk in line.split_whitespace() {
            let before = found.len();
            of_chunk(chunk, &mut found);
            let ends = chunk.trim_end_matches([')', '\'', '*', '_']).ends_with(['.', '!', '?']);
            if ends && found.len() > before {
                found.last_mut().into_iter().for_each(|word| word.ends = true);
            }
        }
        found.last_mut().into_iter().for_each(|word| word.ends = true);
    }
    found
}

/// Without a tag around the whole, such as tools put around an error.
fn untagged(text: &str) -> &str {
    let text = text.trim();
    let inner = || {
        let (tag, rest) = text.strip_prefix('<')?.split_once('>')?;
        let is_name = !tag.is_empty()
            && tag.chars().all(|char| char.is_alphanumeric() || "_-".contains(char));
        let inner = rest.strip_suffix(&format!("</{tag}>"))?;
        is_name.then_some(inner)
    };
    inner().unwrap_or(text)
}

/// The words between white space.
fn of_chunk(chunk: &str, found: &mut Vec<Word>) {
    let is_part = |char: char| char.is_alphanumeric() || "_./\\@#$~-'%".contains(char);
    let is_operator = |char: char| "=<>!&|^+*".contains(char);
    let mut rest = chunk;
    while let Some(first) = rest.chars().next() {
        let kind = |char: char| (is_part(char), is_operator(char));
        let length = rest.find(|char| kind(char) != kind(first)).unwrap_or(rest.len());
        let (piece, after) = rest.split_at(length);
        if is_part(first) {
            of_piece(piece, found);
        } else if is_operator(first) {
            // A sentence's end and Markdown are not operators; "!ready" is a negation.
            let negates = piece == "!" && after.starts_with(is_part);
            if negates || (piece != "!" && !piece.chars().all(|char| char == '*')) {
                push(piece, found);
            }
        } else {
            for char in piece.chars().filter(|char| !is_punctuation(*char)) {
                push(&char.to_string(), found);
            }
        }
        rest = after;
    }
}

fn is_punctuation(char: char) -> bool {
    ",;:?()[]{}\u{2026}\u{2010}\u{2011}\u{2012}\u{2013}\u{2014}\u{2015}\u{3002}\u{ff0c}"
        .contains(char)
        || char.is_whitespace()
        || char.is_control()
}

fn of_piece(piece: &str, found: &mut Vec<Word>) {
    let piece = piece.trim_end_matches(['.', '\'', '-']).trim_start_matches('\'');
    // "_emphasis_"
    let inner = piece.strip_prefix('_').and_then(|piece| piece.strip_suffix('_')).unwrap_or(piece);
    let piece = if inner.contains('_') { piece } else { inner };
    if !piece.chars().any(char::is_alphanumeric) {
        return;
    }
    let lettered = piece.chars().all(|char| char.is_alphabetic() || "-'".contains(char));
    if !lettered || piece.starts_with('-') {
        push(piece, found);
        return;
    }
    for part in piece.split('-').filter(|part| !part.is_empty()) {
        match part {
            "cannot" | "can't" => ["can", "not"].iter().for_each(|part| push(part, found)),
            "won't" => ["will", "not"].iter().for_each(|part| push(part, found)),
            "shan't" => ["shall", "not"].iter().for_each(|part| push(part, found)),
            _ => match part.strip_suffix("n't") {
                Some(verb) if !verb.is_empty() => {
                    push(verb, found);
                    push("not", found);
                }
                _ => push(part, found),
            },
        }
    }
}

fn push(text: &str, found: &mut Vec<Word>) {
    found.push(Word { text: text.to_owned(), ends: false });
}

/// A part of a text: one piece, or several with something left out between them.
struct Run {
    pieces: Vec<Vec<String>>,
    /// Whether it says that it is cut at its start.
    cut_before: bool,
    /// The same at its end.
    cut_after: bool,
}

impl Run {
    /// The run that a text is, if it is long enough and not made of scraps.
    fn of(text: &str) -> Option<Self> {
        let folded = fold(text);
        let mut texts = Vec::new();
        let mut rest = folded.as_str();
        let (mut cut_before, mut cut_after) = (false, false);
        while let Some((before, after)) = cut(rest) {
            let before = before.trim();
            if before.is_empty() && texts.is_empty() {
                cut_before = true;
            } else if !before.is_empty() {
                texts.push(before);
            }
            // A note in brackets, such as how much is left out, is not part of it.
            let after = after.trim_start();
            rest = after
                .strip_prefix('[')
                .and_then(|note| note.split_once(']'))
                .map_or(after, |it| it.1);
            cut_after = rest.trim().is_empty();
        }
        if !rest.trim().is_empty() {
            texts.push(rest.trim());
        }
        let characters: Vec<usize> = texts.iter().map(|text| text.chars().count()).collect();
        let pieces: Vec<Vec<String>> = texts.iter().map(|text| plain(text)).collect();
        let long = characters.iter().sum::<usize>() >= RUN_CHARACTERS
            || pieces.iter().map(Vec::len).sum::<usize>() >= RUN_TOKENS;
        let whole = pieces.len() <= 1 || characters.iter().all(|count| *count >= PIECE_CHARACTERS);
        let some = !pieces.is_empty() && pieces.iter().all(|piece| !piece.is_empty());
        (some && long && whole && pieces.len() <= MOST_PIECES).then_some(Self {
            pieces,
            cut_before,
            cut_after,
        })
    }

    /// Whether it is a part of a text, however it is cut.
    fn is_part_of(&self, text: &[Word]) -> bool {
        self.places(text).next().is_some()
    }

    /// Whether it is a part of a text, and what it leaves out beside does not change what it says.
    fn stands_in(&self, text: &[Word]) -> bool {
        self.places(text).any(|places| {
            let (Some(first), Some(last)) = (places.first(), places.last()) else { return false };
            let between = places.windows(2).all(|pair| {
                let left_out = &text[pair[0].1..pair[1].0];
                !left_out.iter().any(|word| is_limit(&word.text))
            });
            between
                && !limited_before(text, first.0)
                && (self.cut_after || !limited_after(text, last.1))
        })
    }

    /// Where its pieces occur in a text, in order: first and one past the last word of each.
    fn places<'a>(&'a self, text: &'a [Word]) -> impl Iterator<Item = Vec<(usize, usize)>> + 'a {
        let first = &self.pieces[0];
        let starts = (0..text.len()).filter(|start| self.matches(0, text, *start));
        starts.filter_map(|start| {
            let mut places = vec![(start, start + first.len())];
            for at in 1..self.pieces.len() {
                let from = places.last()?.1;
                let start = (from..text.len()).find(|start| self.matches(at, text, *start))?;
                places.push((start, start + self.pieces[at].len()));
            }
            Some(places)
        })
    }

    fn matches(&self, at: usize, text: &[Word], start: usize) -> bool {
        let piece = &self.pieces[at];
        let Some(there) = text.get(start..start + piece.len()) else { return false };
        let torn_start = at > 0 || self.cut_before;
        let torn_end = at + 1 < self.pieces.len() || self.cut_after;
        piece.iter().zip(there).enumerate().all(|(word_at, (word, there))| {
            *word == there.text
                || (torn_end && word_at + 1 == piece.len() && there.text.starts_with(word.as_str()))
                || (torn_start && word_at == 0 && there.text.ends_with(word.as_str()))
        })
    }
}

/// Whether the sentence in which a run begins turns or narrows it before it begins.
fn limited_before(text: &[Word], start: usize) -> bool {
    text[..start].iter().rev().take_while(|word| !word.ends).any(|word| is_limit(&word.text))
}

/// The same after the run's end.
fn limited_after(text: &[Word], end: usize) -> bool {
    if end == 0 || text[end - 1].ends {
        return false;
    }
    let rest = &text[end..];
    let length = rest.iter().position(|word| word.ends).map_or(rest.len(), |at| at + 1);
    rest[..length].iter().any(|word| is_limit(&word.text))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::answers::Answer;

    const TRUTH: &str =
        "Please make the parser accept empty lines and then run the whole test suite";
    const OTHER: &str =
        "Please make the parser accept empty lines, but only at the end of the file";

    fn reason(truth: &str, answer: &str) -> Reason {
        let others = [OTHER.to_owned()];
        let accepted = [truth.to_owned()];
        let texts = Texts { accepted: &accepted, forms: &[], others: &others };
        texts.quoted(&Reply::of(&Answer::Text(answer.to_owned()))).reason
    }

    #[test]
    fn all_words_in_their_order_are_a_quotation() {
        let truth = "Don't touch `a.rs`; left == right, and print 3 labels!";
        for answer in [
            "do not touch a.rs left == right and print 3 labels",
            "DON\u{2019}T TOUCH a.rs,\n left == right and print 3 labels.",
            "> Don't touch **a.rs**; left == right, and print 3 labels!",
            "The last message reads: Don't touch a.rs; left == right, and print 3 labels!",
            "The user asked: \u{201c}Don't touch a.rs; left == right, and print 3 labels!\u{201d}",
        ] {
            assert_eq!(reason(truth, answer), Reason::Right, "{answer}");
        }
        for answer in [
            "Do touch a.rs; left == right, and print 3 labels!",
            "Don't touch a.rs; left != right, and print 3 labels!",
            "Don't touch a.rs; left == right, and print 4 labels!",
            "Don't touch b.rs; left == right, and print 3 labels!",
            "Don't touch a.rs; right == left, and print 3 labels!",
            "Don't touch a.rs; left == right, and never print 3 labels!",
            "Don't touch a.rs; left == right, and print 3% labels!",
            "Don't touch a.rs; left == right, and print -3 labels!",
            "It was not \u{201c}Don't touch a.rs; left == right, and print 3 labels!\u{201d}",
        ] {
            assert_eq!(reason(truth, answer), Reason::Wrong, "{answer}");
        }
    }

    #[test]
    fn a_run_is_enough_if_it_is_long_and_stands_nowhere_else() {
        assert_eq!(reason(TRUTH, "and then RUN the\nwhole test suite"), Reason::Wrong);
        assert_eq!(reason(TRUTH, "lines and then run the whole test suite"), Reason::Right);
        assert_eq!(reason(TRUTH, "Please make the parser accept empty lines"), Reason::Ambiguous);
        assert_eq!(
            reason(
                TRUTH,
                "Please make the parser accept empty lines and then r\u{2026} [50 of 76 characters]"
            ),
            Reason::Right
        );
        assert_eq!(
            reason(TRUTH, "make the parser accept ... run the whole test suite"),
            Reason::Right
        );
        let torn = "Please make the parser accept empty lines and then r";
        assert_eq!(reason(TRUTH, torn), Reason::Right, "it is seen to be cut");
        let dotted =
            "Count 1... 2... 3... 4... 5... and so on to the end of the file, then say how many";
        assert_eq!(reason(&format!("{dotted} there were"), dotted), Reason::Wrong, "no tear");
        let torn = format!("{dotted} there we");
        assert_eq!(reason(&format!("{dotted} there were"), &torn), Reason::Right);
        let number = "Please print the labels for the crates from 1 to 12";
        assert_eq!(reason(&format!("{number}0 today"), number), Reason::Wrong, "another number");
        assert_eq!(reason(TRUTH, &"e\u{2026}".repeat(60)), Reason::Wrong, "scraps");
    }

    #[test]
    fn a_run_does_not_leave_out_what_turns_it() {
        let truth = "Never delete the folder target of the old build on the server. Ask before you do \
                     anything with the folder of the new build, unless it is empty.";
        assert_eq!(
            reason(truth, "delete the folder target of the old build on the server"),
            Reason::Wrong
        );
        let narrowed = "Ask before you do anything with the folder of the new build";
        assert_eq!(reason(truth, narrowed), Reason::Wrong);
        assert_eq!(reason(truth, &format!("{narrowed}, unless it is empty")), Reason::Right);
        assert_eq!(
            reason(truth, &format!("{narrowed}\u{2026}")),
            Reason::Right,
            "it says that it is cut"
        );
        let left_out = "Never delete the folder target \u{2026} the folder of the new build, unless it is empty.";
        assert_eq!(reason(truth, left_out), Reason::Right);
    }

    fn named(answer: &str) -> Reason {
        let own = |texts: &[&str]| texts.iter().map(|&text| text.to_owned()).collect::<Vec<_>>();
        let accepted = own(&["Bash rm -rf target", "rm -rf target", "c10"]);
        let (forms, others) = (
            own(&["{\"command\":\"rm -rf target\"}"]),
            own(&["Bash cargo test", "Read a.rs", "a.rs", "c11"]),
        );
        let texts = Texts { accepted: &accepted, forms: &forms, others: &others };
        texts.named(&Reply::of(&Answer::Text(answer.to_owned()))).reason
    }

    #[test]
    fn a_call_is_named_by_each_of_its_signs() {
        for answer in [
            "Bash rm -rf target",
            "Bash: rm -rf target",
            "Bash(rm -rf target)",
            "rm -rf target",
            "`rm -rf target`",
            "Bash: `rm -rf target`",
            "rm -rf target (Bash)",
            "The person refused `rm -rf target` (Bash).",
            "c10",
            "call id: c10",
            "Tool: Bash\nCommand: rm -rf target",
            "tool: Bash, command: rm -rf target",
            "[\"Bash\", \"rm -rf target\"]",
            "{\"tool\": \"Bash\", \"command\": \"rm -rf target\"}",
            "Bash: rm -rf target (c10)",
            "c10 (Bash: rm -rf target)",
            "Bash \u{2014} rm -rf target",
            "{\"command\":\"rm -rf target\"}",
            "Bash(command=\"rm -rf target\")",
        ] {
            assert_eq!(named(answer), Reason::Right, "{answer}");
        }
        for answer in [
            "Bash: rm -Rf target",
            "rm -r target",
            "rm -rf target2",
            "rm target -rf",
            "Read: rm -rf target",
            "Bash",
            "c11",
            "c10 (Read: a.rs)",
            "not `rm -rf target`",
            "rm -rf target && ls",
            "a.rs (Bash)",
            "`rm -rf target` by Read",
            "rm -rf target (c11)",
        ] {
            assert_eq!(named(answer), Reason::Wrong, "{answer}");
        }
    }
}
