//! Sets: lists in any order, scored by F1.

use std::collections::BTreeSet;

use super::path::{Paths, normal};
use super::quotation;
use super::text::{bare, composed, fold, is_count, is_frame, pieces, without_bullet};
use crate::answers::ItemKind;
use crate::graders::f1;
use crate::graders::grade::{Grade, Reason};
use crate::graders::known_items::KnownItems;
use crate::graders::reply::Reply;

/// A list that is right to less than this share, in percent, scores nothing.
const LEAST_PRECISION: u64 = 50;

pub(in crate::graders) fn grade(items: &[String], world: &World, reply: &Reply) -> Grade {
    let Some(elements) = elements(reply, world) else {
        return Grade::none(Reason::Empty);
    };
    let truth = items.iter().map(|item| world.form(item)).collect();
    let named = elements.iter().map(|element| {
        let item = world.item(element);
        item.ok_or_else(|| fold(&element.texts().join(" ")))
    });
    f1::grade(&truth, named, LEAST_PRECISION)
}

/// The known items, by this rule set's paths.
pub(in crate::graders) type World<'a> = KnownItems<'a, Paths>;

impl<'a> World<'a> {
    pub(in crate::graders) fn of(items: &'a [String], known: &'a [String], kind: ItemKind) -> Self {
        let paths = |paths: &[&'a String]| Paths::of(paths.iter().copied());
        Self::new(items, known, kind, paths, [normal, fold])
    }

    /// The item that an element of a list names; an object names what one of its fields does, if the others
    /// only say more of it.
    fn item(&self, element: &Reply) -> Option<String> {
        if let Reply::Fields(fields) = element {
            let named: Vec<(bool, Option<String>)> = fields
                .iter()
                .map(|(key, field)| {
                    let item = field.scalar().and_then(|text| self.resolve(text));
                    (item.is_some() || self.says_more(key, field), item)
                })
                .collect();
            let items: BTreeSet<&String> =
                named.iter().filter_map(|(_, item)| item.as_ref()).collect();
            return match (named.iter().all(|(known, _)| *known), items.len()) {
                (true, 1) => items.first().map(|item| (*item).clone()),
                _ => None,
            };
        }
        self.resolve(element.scalar()?)
    }

    /// Whether a field says more of an item, and not something against it.
    fn says_more(&self, key: &str, field: &Reply) -> bool {
        const KEYS: &[&str] = &[
            "tool",
            "tool_name",
            "toolname",
            "name",
            "type",
            "command",
            "input",
            "args",
            "arguments",
            "argument",
            "path",
            "file",
            "file_path",
            "description",
            "prompt",
            "turn",
            "line",
            "index",
            "number",
            "count",
            "time",
            "timestamp",
        ];
        let status = field.scalar().is_some_and(|text| is_open(&fold(text)));
        let id = self.kind == ItemKind::Id;
        KEYS.contains(&fold(key).as_str()) || (id && (*field == Reply::Nothing || status))
    }

    /// The item that a text names.
    fn resolve(&self, text: &str) -> Option<String> {
        if let Some(item) = self.exact(text).or_else(|| self.exact(bare(text))) {
            return Some(item);
        }
        match self.kind {
            ItemKind::Path => self.paths.named(text).map(str::to_owned),
            ItemKind::Id => self.id(text),
            ItemKind::Phrase => self.phrase(text),
        }
    }

    /// The known id that a text is, alone, with its tool, or with the words of the question.
    fn id(&self, text: &str) -> Option<String> {
        let text = composed(text);
        let pieces: Vec<&str> =
            pieces(&text)
                .into_iter()
                .flat_map(|piece| match piece.split_once(['(', '[', '=']) {
                    // "Bash(c12)"
                    Some((tool, id)) if self.exact(piece).is_none() => vec![tool, id],
                    _ => vec![piece],
                })
                .map(|piece| {
                    if self.exact(piece).is_some() { piece } else { piece.trim_matches(['.', ':']) }
                })
                .collect();
        let (ids, rest): (Vec<&str>, Vec<&str>) =
            pieces.into_iter().partition(|piece| self.exact(piece).is_some());
        let [id] = ids.as_slice() else { return None };
        let rest = rest.into_iter().filter(|piece| !piece.is_empty()).collect::<Vec<_>>();
        let fits = match rest.as_slice() {
            [] => true,
            [tool] if is_tool(tool) => true,
            [tool, status @ ..] if is_tool(tool) => is_open(&fold(&status.join(" "))),
            status => is_open(&fold(&status.join(" "))),
        };
        fits.then(|| (*id).to_owned())
    }

    /// The known phrase that has the words of the text.
    fn phrase(&self, text: &str) -> Option<String> {
        let words = quotation::plain(bare(text));
        if words.is_empty() {
            return None;
        }
        let same = |item: &&&String| quotation::plain(item) == words;
        let named: BTreeSet<String> =
            self.known.iter().filter(same).map(|item| self.form(item)).collect();
        match named.len() {
            1 => named.into_iter().next(),
            _ => named.get(&fold(bare(text))).cloned(),
        }
    }
}

/// Whether a word is a tool's name: one that agents are known to have, or one made as such names are.
fn is_tool(word: &str) -> bool {
    const TOOLS: &[&str] = &[
        "agent",
        "applypatch",
        "apply_patch",
        "askuserquestion",
        "bash",
        "bashoutput",
        "edit",
        "exec_command",
        "exitplanmode",
        "glob",
        "grep",
        "killbash",
        "killshell",
        "ls",
        "multiedit",
        "notebookedit",
        "notebookread",
        "read",
        "shell",
        "skill",
        "slashcommand",
        "task",
        "taskoutput",
        "todowrite",
        "toolsearch",
        "update_plan",
        "view_image",
        "webfetch",
        "websearch",
        "write",
        "write_stdin",
        "web_search",
    ];
    let lower = word.to_lowercase();
    let is_made = lower.starts_with("mcp__")
        || (lower.contains('_') && !lower.contains("result") && !lower.contains("not"));
    let plain = lower.chars().all(|char| char.is_alphanumeric() || "_-".contains(char));
    plain && (TOOLS.contains(&lower.as_str()) || is_made)
}

/// Whether words say that a call has no result, as the question does: what a frame says nothing of is left
/// out of them.
fn is_open(text: &str) -> bool {
    const OPEN: &[&str] = &[
        "no result",
        "no result yet",
        "no results",
        "without result",
        "never got result",
        "never got results",
        "never returned",
        "never answered",
        "never received result",
        "never finished",
        "did not get result",
        "didn't get result",
        "not returned",
        "not answered",
        "unanswered",
        "dangling",
        "pending",
        "still pending",
        "still running",
        "running",
        "in flight",
        "flight",
        "missing result",
        "open",
        "outstanding",
        "never got any result",
    ];
    let words: Vec<&str> =
        text.split(' ').filter(|word| !is_frame(word) || *word == "no").collect();
    let rest = words.join(" ");
    OPEN.contains(&rest.trim_matches(['(', ')', '.', ',', ' ']))
}

/// The elements of an answer; none for no answer.
fn elements(reply: &Reply, world: &World) -> Option<Vec<Reply>> {
    if let Some(text) = reply.scalar()
        && world.exact(text).is_some()
    {
        return Some(vec![reply.clone()]);
    }
    let elements = match reply.structured() {
        Reply::Nothing => Vec::new(),
        Reply::List(items) if items.is_empty() => return Some(items),
        Reply::List(items) => items,
        Reply::Text(text) => split(bare(&text), world),
        // An object of one list, and of nothing else but numbers, is that list; any other is one element.
        Reply::Fields(fields) => {
            let is_list = |field: &&Reply| matches!(field, Reply::List(_));
            let is_number = |field: &&Reply| matches!(field, Reply::Number(_));
            let values = || fields.iter().map(|(_, field)| field);
            let lists: Vec<&Reply> = values().filter(is_list).collect();
            match lists.as_slice() {
                [Reply::List(items)] if values().filter(is_number).count() + 1 == fields.len() => {
                    if items.is_empty() {
                        return Some(Vec::new());
                    }
                    items.clone()
                }
                _ => vec![Reply::Fields(fields)],
            }
        }
        other => vec![other],
    };
    let says_none = |element: &Reply| {
        element.scalar().is_some_and(|text| world.exact(text).is_none() && is_none(text))
    };
    if !elements.is_empty() && elements.iter().all(says_none) {
        return Some(Vec::new());
    }
    (!elements.is_empty()).then_some(elements)
}

/// Whether a text says that there is nothing.
fn is_none(text: &str) -> bool {
    const ALL: &[&str] = &[
        "all calls got a result",
        "all calls have a result",
        "all calls have results",
        "all tool calls got a result",
        "all tool calls have a result",
        "all tool calls have results",
        "every call got a result",
        "every tool call got a result",
    ];
    const NONE: &[&str] = &["none", "nothing", "no", "n/a"];
    const OF_IT: &[&str] = &[
        "dangling",
        "pending",
        "unanswered",
        "outstanding",
        "open",
        "missing",
        "without",
        "result",
        "results",
        "subagents",
        "launched",
        "such",
        "them",
    ];
    let folded = fold(text);
    let said = folded.trim_end_matches(['.', '!']);
    if ALL.contains(&said) {
        return true;
    }
    // "There is no result" is about the search, not about the calls.
    let rest: Vec<String> = pieces(said).into_iter().map(fold).collect();
    let bare_result = rest.iter().any(|word| word.starts_with("result"))
        && !rest.iter().any(|word| word == "without");
    rest.iter().any(|word| NONE.contains(&word.as_str()))
        && rest.iter().all(|word| NONE.contains(&word.as_str()) || OF_IT.contains(&word.as_str()))
        && !bare_result
}

/// The lines of a text; of a single one, the parts between commas, semicolons and "and". A part that is an
/// item with a comma in it stays whole.
fn split(text: &str, world: &World) -> Vec<Reply> {
    let lines: Vec<&str> = text.lines().filter(|line| !line.trim().is_empty()).collect();
    let parts: Vec<&str> = match lines.as_slice() {
        [line] if is_none(line) || world.resolve(without_bullet(line)).is_some() => vec![line],
        [line] => line.split([',', ';']).flat_map(|part| part.split(" and ")).collect(),
        // A heading over the list.
        [first, rest @ ..] if first.trim_end().ends_with(':') && says_nothing(first) => {
            rest.to_vec()
        }
        _ => lines,
    };
    let parts = parts.into_iter().map(without_bullet).map(bare).filter(|part| !part.is_empty());
    parts.map(|part| Reply::Text(part.to_owned())).collect()
}

fn says_nothing(line: &str) -> bool {
    pieces(line).iter().all(|piece| is_count(piece))
}
