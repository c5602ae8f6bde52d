//! Sets: lists in any order, scored by F1.

use std::collections::BTreeSet;

use super::f1;
use super::grade::{Grade, Reason};
use super::known_items::KnownItems;
use super::path::{Paths, normal};
use super::reply::Reply;
use super::rules::Rules;
use super::text::{token_f1, tokens, unframed, unwrapped};
use crate::answers::{ItemKind, fold};

pub(super) fn grade(rules: &Rules, items: &[String], world: &World, reply: &Reply) -> Grade {
    let Some(elements) = elements(rules, reply, world) else {
        return Grade::none(Reason::Empty);
    };
    let truth = items.iter().map(|item| world.form(item)).collect();
    let named = elements.iter().map(|element| {
        let item = element_item(rules, world, element);
        item.ok_or_else(|| fold(&element.texts().join(" ")))
    });
    f1::grade(&truth, named, rules.least_precision)
}

/// The known items, by this rule set's paths.
pub(super) type World<'a> = KnownItems<'a, Paths>;

impl<'a> World<'a> {
    pub(super) fn of(items: &'a [String], known: &'a [String], kind: ItemKind) -> Self {
        let paths = |paths: &[&'a String]| Paths::of(paths.iter().copied());
        Self::new(items, known, kind, paths, [normal, fold])
    }

    /// The item that a text names.
    fn resolve(&self, rules: &Rules, text: &str) -> Option<String> {
        if let Some(item) = self.exact(text) {
            return Some(item);
        }
        match self.kind {
            ItemKind::Path => match (self.paths.resolve(rules, text), unframed(text).as_slice()) {
                (Some(path), _) => Some(path.to_owned()),
                (None, [path]) if rules.sentences => {
                    self.paths.resolve(rules, path).map(str::to_owned)
                }
                _ => None,
            },
            ItemKind::Id => self.id(text),
            ItemKind::Phrase => self.phrase(text),
        }
    }

    /// The one known id that is a word of the text: ids often come with the tool's name.
    fn id(&self, text: &str) -> Option<String> {
        let is_part = |char: char| char.is_alphanumeric() || "_-.:".contains(char);
        let words: BTreeSet<&str> = text.split(|char: char| !is_part(char)).collect();
        let trimmed = words.iter().map(|word| word.trim_matches([':', '.']));
        let words: BTreeSet<&str> = trimmed.chain(words.iter().copied()).collect();
        let named: BTreeSet<&String> =
            self.known.iter().copied().filter(|id| words.contains(id.as_str())).collect();
        match named.iter().collect::<Vec<_>>().as_slice() {
            [id] => Some((**id).clone()),
            _ => None,
        }
    }

    /// The known phrase that has the words of the text, and hardly any other.
    fn phrase(&self, text: &str) -> Option<String> {
        let text = fold(unwrapped(text));
        let words = tokens(&text);
        let near = |item: &&&String| {
            let (part, whole) = token_f1(&words, &tokens(item));
            fold(item) == text || (whole > 0 && part * 10 >= whole * 9)
        };
        let named: BTreeSet<String> =
            self.known.iter().filter(near).map(|item| self.form(item)).collect();
        match named.iter().collect::<Vec<_>>().as_slice() {
            [phrase] => Some((*phrase).clone()),
            _ => named.get(&text).cloned(),
        }
    }
}

/// The item that an element of a list names; an object names what one of its fields does.
fn element_item(rules: &Rules, world: &World, element: &Reply) -> Option<String> {
    let named: BTreeSet<String> =
        element.texts().into_iter().filter_map(|text| world.resolve(rules, text)).collect();
    match named.len() {
        1 => named.into_iter().next(),
        _ => None,
    }
}

/// The elements of an answer; none for no answer.
fn elements(rules: &Rules, reply: &Reply, world: &World) -> Option<Vec<Reply>> {
    if let Some(text) = reply.scalar()
        && world.exact(text).is_some()
    {
        return Some(vec![reply.clone()]);
    }
    let elements = match reply.structured() {
        Reply::Nothing => Vec::new(),
        Reply::List(items) if items.is_empty() => return Some(items),
        Reply::List(items) => items,
        Reply::Text(text) => split(unwrapped(&text)),
        // An object of one list is that list; any other is one element.
        Reply::Fields(fields) => match fields.as_slice() {
            [(_, Reply::List(items))] => items.clone(),
            _ => vec![Reply::Fields(fields)],
        },
        other => vec![other],
    };
    let says_none = |element: &Reply| {
        element.scalar().is_some_and(|text| world.exact(text).is_none() && is_none(text))
    };
    if !elements.is_empty() && elements.iter().all(says_none) {
        return Some(Vec::new());
    }
    (rules.nothing_counts || !elements.is_empty()).then_some(elements)
}

/// Whether a text says that there is nothing.
fn is_none(text: &str) -> bool {
    let rest = unframed(text);
    !rest.is_empty()
        && rest.iter().all(|word| ["none", "nothing", "no", "n/a"].contains(&fold(word).as_str()))
}

/// The lines of a text; of a single one, the parts between commas, semicolons and "and".
fn split(text: &str) -> Vec<Reply> {
    let lines: Vec<&str> = text.lines().collect();
    let parts: Vec<&str> = match lines.as_slice() {
        [line] => line.split([',', ';']).flat_map(|part| part.split(" and ")).collect(),
        _ => lines,
    };
    let parts = parts.into_iter().map(without_bullet).filter(|part| !part.is_empty());
    parts.map(|part| Reply::Text(part.to_owned())).collect()
}

fn without_bullet(line: &str) -> &str {
    let line = line.trim();
    let numbered = line.trim_start_matches(|char: char| char.is_ascii_digit());
    let rest = ["- ", "* ", "\u{2022} "].iter().find_map(|bullet| line.strip_prefix(bullet));
    let rest = rest.or_else(|| {
        let after = numbered.strip_prefix(". ").or_else(|| numbered.strip_prefix(") "));
        after.filter(|_| numbered.len() < line.len())
    });
    unwrapped(rest.unwrap_or(line))
}
