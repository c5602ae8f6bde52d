//! What the agent calls: an input for each tool, and its result.

use super::worker::Worker;
use crate::json::{self, Obj};
use crate::rng::to_index;
use crate::text::failures;
use crate::text::lines::{self, Dialect, Stated};
use crate::text::names::{
    adjective, function, kebab, noun, pascal, pieces, put_stem, snake, stem, verb,
};
use crate::text::prose;
use crate::text::put::put;
use crate::text::shell::Command;
use crate::transcript::results::{Content, text_json};
use crate::truth::tally::{CallOutcome, Thread};
use crate::world::{Change, Doc};

/// A call, decided but not yet made.
#[derive(Debug)]
pub(crate) struct Call {
    pub(crate) tool: &'static str,
    pub(crate) input: Input,
    pub(crate) action: Action,
    /// How long it takes.
    pub(crate) ms: u64,
}

impl Call {
    /// Tool and input, which identify equal calls.
    pub(crate) fn key(&self) -> String {
        let input = self.input.canonical();
        let mut key = String::with_capacity(self.tool.len() + 2 + input.len());
        put!(&mut key, self.tool, ": ", input);
        key
    }
}

/// A call's effect when its result is written.
#[derive(Debug)]
pub(crate) enum Action {
    Read {
        doc: usize,
        offset: Option<u64>,
        limit: Option<u64>,
    },
    /// A picture of this many bytes.
    Picture(usize),
    Edit {
        doc: usize,
        changes: Vec<Change>,
    },
    Write {
        doc: Doc,
        over: Option<usize>,
    },
    Say {
        content: Content,
        extra: Vec<u8>,
        facts: Vec<(u64, Stated)>,
        says_ok: bool,
    },
    Refuse {
        outcome: CallOutcome,
        text: String,
        denial: Option<&'static str>,
    },
}

/// A call's input: its fields, as JSON, in the order in which they are written.
#[derive(Debug, Clone, Default)]
pub(crate) struct Input {
    fields: Vec<(&'static str, Vec<u8>)>,
    /// Its `file_path`, where it has one.
    pub(crate) path: Option<String>,
}

impl Input {
    pub(crate) fn s(mut self, key: &'static str, text: &str) -> Self {
        if key == "file_path" {
            self.path = Some(text.to_owned());
        }
        self.raw(key, text_json(text))
    }

    pub(crate) fn n(self, key: &'static str, number: u64) -> Self {
        self.raw(key, number.to_string().into_bytes())
    }

    pub(crate) fn raw(mut self, key: &'static str, json: Vec<u8>) -> Self {
        self.fields.push((key, json));
        self
    }

    /// The input as written.
    pub(crate) fn json(&self) -> Vec<u8> {
        json::built(|o| {
            for (key, value) in &self.fields {
                o.raw(key, value);
            }
        })
    }

    /// The input with its fields sorted: equal for equal inputs in any order.
    pub(crate) fn canonical(&self) -> String {
        let mut sorted: Vec<&(&str, Vec<u8>)> = self.fields.iter().collect();
        sorted.sort_by_key(|(key, _)| *key);
        let json = json::built(|o| sorted.iter().for_each(|(key, value)| o.raw(key, value)));
        // Strings written as JSON are UTF-8.
        String::from_utf8(json).unwrap_or_default()
    }

    /// The same input with its fields in another order.
    pub(crate) fn rotated(&self, by: usize) -> Self {
        let mut turned = self.clone();
        let by = by % turned.fields.len().max(1);
        turned.fields.rotate_left(by);
        turned
    }
}

impl Worker {
    /// The next call of `thread`, whose records should take about `size` bytes.
    pub(crate) fn choose(&mut self, thread: Thread, size: usize) -> Call {
        if self.closing > 0 && thread == Thread::Main {
            let size = to_index((self.free() / self.closing).min(700_000)).max(120);
            self.closing -= 1;
            return if self.draw.chance(1, 2) {
                self.shell_shown(size)
            } else {
                self.new_read(size)
            };
        }
        for _ in 0..6 {
            let tool = match thread {
                Thread::Main => *self.draw.weighted(&self.habits.tools),
                Thread::Agent(_) => *self.draw.weighted(&SCOUT),
            };
            let call = self.call_of(tool, thread, size);
            if self.fresh(call.key()) {
                return self.maybe_fails(call);
            }
        }
        self.shell(size)
    }

    /// A call of `tool`.
    pub(crate) fn call_of(&mut self, tool: &str, thread: Thread, size: usize) -> Call {
        match tool {
            "Read" => self.read(thread, size),
            "Edit" | "MultiEdit" => self.edit(tool == "MultiEdit", size),
            "Write" => self.write(thread, size),
            "Grep" => self.grep(size),
            "Glob" => self.glob(size),
            "WebFetch" => self.fetch(size),
            "TodoWrite" => self.todo(),
            "AskUserQuestion" => self.ask(),
            "Bash" => self.shell(size),
            _ => self.server(tool, size),
        }
    }

    fn maybe_fails(&mut self, mut call: Call) -> Call {
        self.since_failure += 1;
        let patient = matches!(call.tool, "TodoWrite" | "AskUserQuestion");
        if !patient && self.since_failure > 3 && self.draw.chance(1, self.habits.fails_one_in) {
            self.since_failure = 0;
            call.action = self.failure(call.tool, call.input.path.as_deref());
        }
        call
    }

    /// What a failed call of `tool` comes to.
    pub(crate) fn failure(&mut self, tool: &str, subject: Option<&str>) -> Action {
        let somewhere =
            format!("https://{}.example.org/{}", kebab(&mut self.text), noun(&mut self.text));
        let subject = match tool {
            "WebFetch" => somewhere,
            _ => subject.unwrap_or(&self.rec.client.cwd).to_owned(),
        };
        let text = failures::failure(&mut self.text, tool, &subject);
        Action::Refuse { outcome: CallOutcome::Failed, text, denial: None }
    }

    fn read(&mut self, thread: Thread, size: usize) -> Call {
        if self.habits.pictures && size > 30_000 && self.draw.chance(1, 12) {
            return self.picture_read(size);
        }
        let known =
            if self.habits.novel || thread != Thread::Main { None } else { self.known_doc(size) };
        match known.filter(|_| self.draw.chance(2, 5)) {
            Some(doc) => self.read_doc(doc),
            None => self.new_read(size),
        }
    }

    /// A reading of a file that was not read before.
    fn new_read(&mut self, size: usize) -> Call {
        let doc = self.new_doc(size * 47 / 100);
        self.docs.push(doc);
        self.read_doc(self.docs.len() - 1)
    }

    fn read_doc(&mut self, doc: usize) -> Call {
        self.busy.push(doc);
        let lines = self.docs[doc].lines.len() as u64;
        let mut input = Input::default().s("file_path", &self.docs[doc].path);
        let (mut offset, mut limit) = (None, None);
        if !self.habits.novel && self.closing == 0 && lines > 8 && self.draw.chance(1, 4) {
            let from = self.draw.between(1, lines / 2);
            offset = Some(from);
            input = input.n("offset", from);
            if self.draw.chance(3, 4) {
                let count = self.draw.between(2, lines / 2);
                limit = Some(count);
                input = input.n("limit", count);
            }
        }
        let ms = self.draw.between(20, 400);
        Call { tool: "Read", input, action: Action::Read { doc, offset, limit }, ms }
    }

    fn picture_read(&mut self, size: usize) -> Call {
        let path = format!("{}/docs/{}.png", self.rec.client.cwd, kebab(&mut self.text));
        let ms = self.draw.between(60, 900);
        let input = Input::default().s("file_path", &path);
        Call { tool: "Read", input, action: Action::Picture(size / 2), ms }
    }

    /// A file of the project that is not in use and fits: of a few, the largest.
    fn known_doc(&mut self, size: usize) -> Option<usize> {
        let mut best = None;
        for _ in 0..6 {
            let at = self.draw.index(self.docs.len());
            let doc = self.docs.get(at)?;
            let fits = doc.bytes <= size.max(1500) && !self.busy.contains(&at);
            if fits && best.is_none_or(|best: usize| self.docs[best].bytes < doc.bytes) {
                best = Some(at);
            }
        }
        best
    }

    fn edit(&mut self, several: bool, size: usize) -> Call {
        let Some(doc) = self.known_doc(size) else {
            return self.read(Thread::Main, size);
        };
        self.busy.push(doc);
        let path = self.docs[doc].path.clone();
        let mut changes = vec![self.docs[doc].change(&mut self.text)];
        if several {
            let second = self.docs[doc].change(&mut self.text);
            if second.at != changes[0].at {
                changes.push(second);
            }
        }
        let input = Input::default().s("file_path", &path);
        let input = if several {
            let edits = json::built(|o| {
                o.each("edits", &changes, write_change);
            });
            let list = edits[9..edits.len() - 1].to_vec();
            input.raw("edits", list)
        } else {
            let change = &changes[0];
            let input = input.s("old_string", &change.old).s("new_string", &change.new);
            input.raw("replace_all", b"false".to_vec())
        };
        let ms = self.draw.between(30, 600);
        let tool = if several { "MultiEdit" } else { "Edit" };
        Call { tool, input, action: Action::Edit { doc, changes }, ms }
    }

    fn write(&mut self, thread: Thread, size: usize) -> Call {
        let mut doc = self.new_doc(size * 45 / 100);
        let mut over = None;
        if thread == Thread::Main && !self.habits.novel && self.draw.chance(1, 4) {
            over = self.known_doc(size);
        }
        if let Some(at) = over {
            self.busy.push(at);
            let (path, dialect) = (self.docs[at].path.clone(), self.docs[at].dialect);
            doc = Doc::new(&mut self.text, dialect, path, size * 45 / 100);
        }
        let path = doc.path.clone();
        let input = Input::default().s("file_path", &path).s("content", &doc.text());
        let ms = self.draw.between(30, 500);
        Call { tool: "Write", input, action: Action::Write { doc, over }, ms }
    }

    /// A shell command with output.
    pub(crate) fn shell(&mut self, size: usize) -> Call {
        let persist = self.draw.chance(1, 3);
        self.shell_of(size, persist)
    }

    /// A shell command whose output is shown whole.
    fn shell_shown(&mut self, size: usize) -> Call {
        self.shell_of(size, false)
    }

    fn shell_of(&mut self, size: usize, persist: bool) -> Call {
        let command = *self.draw.weighted(&Command::MIX);
        let (line, what) = command.invocation(&mut self.text);
        let mut input = Input::default().s("command", &line).s("description", &what);
        if self.draw.chance(1, 4) {
            input = input.n("timeout", self.draw.between(1, 10) * 60_000);
        }
        let (stdout, facts) = command.output(&mut self.text, size * 48 / 100);
        let (content, facts) = self.maybe_persisted(&stdout, facts, persist);
        let extra = json::built(|o| {
            o.s("stdout", &stdout);
            o.s("stderr", "");
            o.b("interrupted", false);
            o.b("isImage", false);
            o.b("noOutputExpected", false);
        });
        let content = Content::Text(content);
        let ms = self.draw.between(300, 40_000);
        let action = Action::Say { content, extra, facts, says_ok: true };
        Call { tool: "Bash", input, action, ms }
    }

    /// Large output is stored elsewhere, and only a preview of it shown.
    fn maybe_persisted(
        &mut self,
        out: &str,
        facts: Vec<(u64, Stated)>,
        persist: bool,
    ) -> (String, Vec<(u64, Stated)>) {
        if out.len() < 30_000 || !persist {
            return (out.to_owned(), facts);
        }
        let preview: String = out.chars().take(2000).collect();
        let name = crate::text::names::hex(&mut self.text, 9);
        let text = format!(
            "<persisted-output>\nOutput too large ({}KB). Full output saved to: {}/.claude/tool-results/{name}.txt\n\nPreview (first 2KB):\n{preview}\n...\n</persisted-output>",
            out.len() / 1024,
            self.rec.client.cwd
        );
        (text, Vec::new())
    }

    fn grep(&mut self, size: usize) -> Call {
        let (pattern, root) = (function(&mut self.text), self.rec.client.cwd.clone());
        let input = Input::default().s("pattern", &pattern).s("path", &root);
        let input = input.s("output_mode", "content").raw("-n", b"true".to_vec());
        let (mut out, mut count) = (String::new(), 0);
        while out.len() < size * 45 / 100 || count == 0 {
            let dialect = [Dialect::Rust, Dialect::Go, Dialect::TypeScript, Dialect::Config]
                [self.text.bits(2)];
            if count > 0 {
                out.push('\n');
            }
            put_stem(&mut self.text, &mut out);
            put!(&mut out, ".", dialect.extension(), ":", self.text.between(1, 900), ":");
            lines::line(&mut self.text, dialect, &mut out);
            count += 1;
        }
        let extra = json::built(|o| {
            o.s("mode", "content");
            o.n("numFiles", 0);
            o.raw("filenames", b"[]");
            o.s("content", &out);
            o.n("numLines", count);
        });
        let ms = self.draw.between(40, 1500);
        say("Grep", input, Content::Text(out), extra, ms)
    }

    fn glob(&mut self, size: usize) -> Call {
        let root = self.rec.client.cwd.clone();
        let pattern = format!(
            "**/{}/**/*{}*.{}",
            noun(&mut self.text),
            noun(&mut self.text),
            ["rs", "ts", "go", "md"][self.text.bits(2)]
        );
        let input = Input::default().s("pattern", &pattern).s("path", &root);
        let mut names = Vec::new();
        let mut bytes = 0;
        while bytes < (size * 45 / 100).min(12_000) || names.is_empty() {
            let name = format!("{root}/{}.rs", stem(&mut self.text));
            bytes += name.len();
            names.push(name);
        }
        let extra = json::built(|o| {
            o.strings("filenames", &names);
            o.n("durationMs", self.draw.between(3, 900));
            o.n("numFiles", names.len() as u64);
            o.b("truncated", false);
        });
        let ms = self.draw.between(20, 900);
        say("Glob", input, Content::Text(names.join("\n")), extra, ms)
    }

    fn fetch(&mut self, size: usize) -> Call {
        let url = format!(
            "https://{}.example.org/{}/{}",
            kebab(&mut self.text),
            noun(&mut self.text),
            kebab(&mut self.text)
        );
        let asked = format!("What does it say about {}?", snake(&mut self.text));
        let input = Input::default().s("url", &url).s("prompt", &asked);
        let out = prose::paragraphs(&mut self.text, (size * 48 / 100).min(60_000));
        let ms = self.draw.between(700, 20_000);
        let extra = json::built(|o| {
            o.n("bytes", out.len() as u64 * 3);
            o.n("code", 200);
            o.s("codeText", "OK");
            o.s("result", &out);
            o.n("durationMs", ms);
            o.s("url", &url);
        });
        say("WebFetch", input, Content::Text(out), extra, ms)
    }

    fn todo(&mut self) -> Call {
        let mut todos = Vec::new();
        for _ in 0..2 + self.text.bits(2) {
            let text = format!(
                "{} the {} {}",
                verb(&mut self.text),
                adjective(&mut self.text),
                snake(&mut self.text)
            );
            let state = ["pending", "in_progress", "completed", "pending"][self.text.bits(2)];
            todos.push((text, state));
        }
        let list = json::built(|o| {
            o.each("todos", &todos, |o, (text, state)| {
                o.s("content", text);
                o.s("status", state);
                o.s("activeForm", text);
            });
        });
        let list = list[9..list.len() - 1].to_vec();
        let extra = json::built(|o| {
            o.raw("oldTodos", b"[]");
            o.raw("newTodos", &list);
        });
        let input = Input::default().raw("todos", list);
        let text = "Todos have been modified successfully. Ensure that you continue to use the todo list to track your progress. Please proceed with the current tasks if applicable";
        say("TodoWrite", input, Content::Text(text.to_owned()), extra, 20)
    }

    fn ask(&mut self) -> Call {
        let (a, b) = (adjective(&mut self.text), adjective(&mut self.text));
        let question = format!("Should {} stay {a} or become {b}?", pascal(&mut self.text));
        let list = json::built(|o| {
            o.one("questions", |o| {
                o.s("question", &question);
                o.s("header", noun(&mut self.text));
                o.b("multiSelect", false);
                o.each("options", &[a, b], |o, label| {
                    o.s("label", label);
                    o.s("description", label);
                });
            });
        });
        let list = list[13..list.len() - 1].to_vec();
        let extra = json::built(|o| {
            o.raw("questions", &list);
            o.obj("answers", |o| o.s("0", a));
        });
        let text = format!("Your questions have been answered: \"{question}\" -> \"{a}\".");
        let input = Input::default().raw("questions", list);
        let ms = self.draw.between(4000, 90_000);
        say("AskUserQuestion", input, Content::Text(text), extra, ms)
    }

    /// A tool of a connected server: `tool`, or any of them.
    fn server(&mut self, tool: &str, size: usize) -> Call {
        let known = SERVER_TOOLS.into_iter().find(|known| *known == tool);
        let tool = known.unwrap_or_else(|| *self.draw.pick(&SERVER_TOOLS));
        let query = format!(
            "{} {} where {} > {}",
            verb(&mut self.text),
            snake(&mut self.text),
            noun(&mut self.text),
            self.text.below(9000)
        );
        let input = Input::default().s("query", &query).s("region", noun(&mut self.text));
        let (mut out, mut facts, mut number) = (String::new(), Vec::new(), 1);
        while out.len() < size * 48 / 100 || number == 1 {
            out.push_str(if number > 1 { "\n" } else { "" });
            if self.text.bits(4) == 0 {
                let (key, value) = (lines::key(&mut self.text), lines::value(&mut self.text));
                facts.push((number, lines::assign(&mut out, key, " = ", value)));
            } else {
                let text = &mut self.text;
                put!(&mut out, "| ", pieces::camel(text), " | ", text.below(90_000), " | ");
                put!(&mut out, adjective(text), " | ", pieces::snake(text), " |");
            }
            number += 1;
        }
        let extra = json::built(|o| {
            o.one("content", |o| {
                o.s("type", "text");
                o.s("text", &out);
            });
        });
        let content = Content::Blocks(vec![out]);
        let action = Action::Say { content, extra, facts, says_ok: false };
        let ms = self.draw.between(200, 9000);
        Call { tool, input, action, ms }
    }
}

/// What subagents use: mostly readings.
const SCOUT: [(u64, &str); 6] =
    [(8, "Read"), (5, "Grep"), (4, "Bash"), (3, "Glob"), (1, "WebFetch"), (1, "Write")];

/// Tools of connected servers.
pub(crate) const SERVER_TOOLS: [&str; 3] =
    ["mcp__metrics__query_range", "mcp__tracker__search_tickets", "mcp__metrics__list_series"];

/// A call that answers with a text that states no facts.
pub(crate) fn say(
    tool: &'static str,
    input: Input,
    content: Content,
    extra: Vec<u8>,
    ms: u64,
) -> Call {
    let action = Action::Say { content, extra, facts: Vec::new(), says_ok: false };
    Call { tool, input, action, ms }
}

fn write_change(o: &mut Obj<'_>, change: &Change) {
    o.s("old_string", &change.old);
    o.s("new_string", &change.new);
}
