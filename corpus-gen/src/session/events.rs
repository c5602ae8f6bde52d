//! What the client records besides the conversation, and what else happens in a session: bookkeeping,
//! attachments, API errors, compactions, command echoes, oddities of the file.

use super::plan::Oddity;
use super::worker::Worker;
use crate::rng::to_index;
use crate::session::answers::{refused, succeeded};
use crate::text::names::{adjective, function, hex, kebab, noun, snake, stem, verb};
use crate::text::{prompts, prose};
use crate::transcript::client::Layout;
use crate::transcript::reply::Block;
use crate::truth::tally::{CallOutcome, Thread};

impl Worker {
    /// One bookkeeping record; about the call `call` where one is running.
    pub(crate) fn meta(&mut self, call: Option<&str>) {
        self.budget.meta = self.budget.meta.saturating_sub(1);
        let gap = self.draw.between(5, 60);
        self.rec.pass(gap);
        match (self.rec.client.layout, call) {
            (Layout::Classic, Some(call)) => self.running(call),
            (Layout::Classic, None) => self.classic_note(),
            (Layout::Current, _) => self.current_note(),
            (Layout::Stream, call) => self.stream_note(call),
        }
    }

    fn running(&mut self, call: &str) {
        let seconds = self.draw.between(2, 40);
        let output = prose::line(&mut self.text);
        self.rec.progress(&format!("bash-progress-{}", seconds % 7), call, |o| {
            o.s("type", "bash_progress");
            o.s("output", &output);
            o.s("fullOutput", &output);
            o.n("elapsedTimeSeconds", seconds);
            o.n("totalLines", 1);
        });
    }

    fn classic_note(&mut self) {
        match self.draw.below(10) {
            0..=4 => {
                let (id, hook) = (self.rec.uuid(), kebab(&mut self.text));
                let event = if self.draw.chance(1, 2) { "PostToolUse" } else { "PreToolUse" };
                self.rec.progress(&id, &id, |o| {
                    o.s("type", "hook_progress");
                    o.s("hookEvent", event);
                    o.s("hookName", &format!("{event}:{hook}"));
                    o.s("command", &format!("scripts/{hook}.sh"));
                });
            }
            5..=8 => self.snapshot(),
            _ => {
                let (summary, leaf) =
                    (prompts::title(&mut self.text), self.rec.last_uuid().to_owned());
                self.rec.note("summary", |o| {
                    o.s("summary", &summary);
                    o.s("leafUuid", &leaf);
                });
            }
        }
    }

    fn current_note(&mut self) {
        match self.draw.below(16) {
            0..=2 => self.rec.mode_note(),
            3..=5 => {
                let title = prompts::title(&mut self.text);
                self.rec.note("ai-title", |o| o.s("aiTitle", &title));
            }
            6..=8 => {
                let (text, leaf) = (prose::line(&mut self.text), self.rec.last_uuid().to_owned());
                self.rec.note("last-prompt", |o| {
                    o.s("lastPrompt", &text);
                    o.s("leafUuid", &leaf);
                });
            }
            9 => self.rec.note("mode", |o| o.s("mode", "normal")),
            10..=12 => self.snapshot(),
            13 => {
                let time = self.rec.time();
                let operation = if self.draw.chance(1, 2) { "dequeue" } else { "remove" };
                self.rec.note("queue-operation", |o| {
                    o.s("operation", operation);
                    o.s("timestamp", &time);
                });
            }
            14 => {
                let (time, number) = (self.rec.time(), self.draw.between(1, 900));
                self.rec.note("pr-link", |o| {
                    o.n("prNumber", number);
                    o.s("prUrl", &format!("https://github.example.org/team/project/pull/{number}"));
                    o.s("timestamp", &time);
                });
            }
            _ => {
                let text = prose::line(&mut self.text);
                self.rec.system("away_summary", |o| o.s("content", &text));
            }
        }
    }

    fn snapshot(&mut self) {
        let mut files = Vec::new();
        for _ in 0..self.draw.below(4).min(self.docs.len() as u64) {
            let path = self.docs[self.draw.index(self.docs.len())].path.clone();
            if !files.contains(&path) {
                files.push(path);
            }
        }
        let update = self.draw.chance(1, 2);
        self.rec.snapshot(&files, update);
    }

    /// One attachment record.
    pub(crate) fn attach(&mut self) {
        self.budget.attachments = self.budget.attachments.saturating_sub(1);
        let name = kebab(&mut self.text);
        match self.draw.below(8) {
            0 | 1 => self.rec.attachment(|o| {
                o.s("type", "task_reminder");
                o.raw("content", b"[]");
                o.n("itemCount", 0);
            }),
            2 => {
                let (file, snippet) = (stem(&mut self.text), prose::paragraphs(&mut self.text, 300));
                let path = format!("{}/{file}.md", self.rec.client.cwd);
                self.rec.attachment(|o| {
                    o.s("type", "edited_text_file");
                    o.s("filename", &path);
                    o.s("snippet", &format!("1\t{snippet}"));
                });
            }
            3 => {
                let (file, text) = (stem(&mut self.text), prose::line(&mut self.text));
                self.rec.attachment(|o| {
                    o.s("type", "diagnostics");
                    o.one("files", |o| {
                        o.s("uri", &format!("{file}.ts"));
                        o.one("diagnostics", |o| {
                            o.s("message", &text);
                            o.s("severity", "Error");
                        });
                    });
                    o.b("isNew", true);
                });
            }
            4 => {
                let (id, text) = (self.rec.uuid(), prose::line(&mut self.text));
                self.rec.attachment(|o| {
                    o.s("type", "hook_success");
                    o.s("hookName", "PostToolUse");
                    o.s("toolUseID", &id);
                    o.s("hookEvent", "PostToolUse");
                    o.s("content", "");
                    o.s("stdout", &text);
                    o.n("exitCode", 0);
                });
            }
            5 => self.rec.attachment(|o| {
                o.s("type", "skill_listing");
                o.s("content", &format!("- {name}: use it for {name}"));
                o.n("skillCount", 1);
                o.b("isInitial", false);
            }),
            6 => self.rec.attachment(|o| {
                o.s("type", "deferred_tools_delta");
                o.strings("addedNames", &[&name]);
                o.strings("removedNames", &[""; 0]);
            }),
            // A notification that waited in the queue: no person wrote it.
            _ => self.rec.attachment(|o| {
                o.s("type", "queued_command");
                o.s("prompt", &format!("<task-notification>\n<summary>{name} completed</summary>\n</task-notification>"));
                o.s("commandMode", "task-notification");
            }),
        }
    }

    /// Records at the end of a turn, as far as the plan has room for them.
    pub(crate) fn turn_end(&mut self, began: u64, prompt: &str) {
        let spent = self.rec.now - began;
        let messages = self.rec.tally.events();
        let id = self.rec.uuid();
        if self.take_meta() {
            self.rec.system("stop_hook_summary", |o| {
                o.n("hookCount", 1);
                o.one("hookInfos", |o| o.s("command", "scripts/on-stop.sh"));
                o.raw("hookErrors", b"[]");
                o.b("preventedContinuation", false);
                o.s("stopReason", "");
                o.b("hasOutput", false);
                o.s("level", "suggestion");
                o.s("toolUseID", &id);
            });
        }
        if self.take_meta() {
            self.rec.system("turn_duration", |o| {
                o.n("durationMs", spent);
                o.n("messageCount", messages);
            });
        }
        if self.rec.client.layout == Layout::Current && self.take_meta() {
            let leaf = self.rec.last_uuid().to_owned();
            let cut: String = prompt.chars().take(200).collect();
            self.rec.note("last-prompt", |o| {
                o.s("lastPrompt", &cut);
                o.s("leafUuid", &leaf);
            });
        }
    }

    /// Takes one bookkeeping record from the budget if there is more than one left for each turn.
    fn take_meta(&mut self) -> bool {
        let some = self.budget.meta > 4;
        self.budget.meta -= u64::from(some);
        some
    }

    /// An API error: some retries, then the record that they were in vain.
    pub(crate) fn api_failure(&mut self) {
        let (status, kind, words) = *self.draw.pick(&[
            (529, "overloaded_error", "Overloaded"),
            (500, "api_error", "Internal server error"),
            (429, "rate_limit_error", "This request would exceed your rate limit"),
        ]);
        let request = self.rec.id("req_011C", 20);
        for attempt in 1..=self.draw.below(4).min(self.budget.meta) {
            self.budget.meta -= 1;
            let wait = self.draw.between(400, 9000);
            self.rec.system("api_error", |o| {
                o.s("level", "error");
                o.obj("error", |o| {
                    o.n("status", status);
                    o.obj("headers", |o| o.s("x-should-retry", "true"));
                    o.s("requestID", &request);
                });
                o.n("retryInMs", wait);
                o.n("retryAttempt", attempt);
                o.n("maxRetries", 10);
            });
            self.rec.pass(wait);
        }
        let text = format!(
            "API Error: {status} {{\"type\":\"error\",\"error\":{{\"type\":\"{kind}\",\"message\":\"{words}\"}},\"request_id\":\"{request}\"}}"
        );
        self.rec.api_error(if status == 429 { "rate_limit" } else { "unknown" }, &text);
    }

    /// A compaction.
    pub(crate) fn compact(&mut self) {
        let (before, after) = (self.context() + 90_000, self.draw.between(9000, 24_000));
        let bytes = to_index(self.habits.thinking * 3);
        let summary = prose::paragraphs(&mut self.text, bytes);
        self.budget.messages = self.budget.messages.saturating_sub(1);
        self.rec.pass(20_000);
        self.rec.compaction(before, after, &summary);
        self.compacted(after);
    }

    /// Something odd. Happens between two messages, with no call in flight.
    pub(crate) fn oddity(&mut self, odd: Oddity) {
        match odd {
            Oddity::TornLine => self.rec.torn(true),
            Oddity::TornAndGlued => {
                self.rec.torn(false);
                self.budget.meta = self.budget.meta.saturating_sub(1);
                let text = prose::line(&mut self.text);
                self.rec.system("away_summary", |o| o.s("content", &text));
            }
            Oddity::TwoOnALine => {
                self.budget.meta = self.budget.meta.saturating_sub(2);
                let text = prose::line(&mut self.text);
                self.rec.system("away_summary", |o| o.s("content", &text));
                self.rec.join_lines();
                self.rec.system("away_summary", |o| o.s("content", "Two records share this line."));
            }
            Oddity::RepeatedLine => {
                self.budget.messages = self.budget.messages.saturating_sub(1);
                self.rec.harness("<local-command-stdout></local-command-stdout>", false);
                self.rec.repeat_last();
            }
            Oddity::OrphanResult => {
                let id = self.rec.id("toolu_01", 22);
                let text = prose::line(&mut self.text);
                let extra = crate::transcript::results::text_json(&text);
                let asked = self.rec.uuid();
                self.rec.result(Thread::Main, succeeded(id, text, extra, None), &asked);
            }
            Oddity::SideQuestion => self.side_question(),
            Oddity::CommandEcho => self.command_echo(),
            Oddity::ShellEcho => {
                let command = format!("<bash-input>ls {}</bash-input>", stem(&mut self.text));
                self.echo(&command, false);
            }
            Oddity::Notification => self.notification("local job"),
            Oddity::HookFeedback => {
                let text = format!("Stop hook feedback:\n{}", prose::line(&mut self.text));
                self.echo(&text, true);
            }
            Oddity::Rejection | Oddity::Rule => self.rejected(odd == Oddity::Rule),
        }
    }

    fn echo(&mut self, text: &str, is_meta: bool) {
        self.budget.messages = self.budget.messages.saturating_sub(1);
        self.rec.pass(40);
        self.rec.harness(text, is_meta);
    }

    fn command_echo(&mut self) {
        let name = kebab(&mut self.text);
        self.echo("<local-command-caveat>Caveat: The messages below were generated by the user while running local commands. DO NOT respond to these messages or otherwise consider them in your response unless the user explicitly asks you to.</local-command-caveat>", true);
        self.echo(
            &format!("<command-name>/{name}</command-name>\n            <command-message>{name}</command-message>\n            <command-args></command-args>"),
            false,
        );
        let text =
            format!("<local-command-stdout>{}</local-command-stdout>", prose::line(&mut self.text));
        self.echo(&text, false);
    }

    /// The notice that something in the background is done.
    pub(crate) fn notification(&mut self, what: &str) {
        let (task, result) = (hex(&mut self.text, 9), prose::line(&mut self.text));
        let text = format!(
            "<task-notification>\n<task-id>{task}</task-id>\n<status>completed</status>\n<summary>{what} completed</summary>\n<result>{result}</result>\n</task-notification>"
        );
        if self.take_meta() {
            let time = self.rec.time();
            self.rec.note("queue-operation", |o| {
                o.s("operation", "enqueue");
                o.s("timestamp", &time);
                o.s("content", &text);
            });
        }
        self.echo(&text, false);
    }

    fn side_question(&mut self) {
        let mut reply = self.reply(Thread::Main, 1);
        reply.request_id = Some(self.rec.id("req_011C", 20));
        let text = self.saying(300);
        self.budget.messages = self.budget.messages.saturating_sub(2);
        self.rec.block(&mut reply, Block::Text(&text), "end_turn");
        let aside = self.saying(200);
        self.rec.replay(&reply, &aside);
    }

    /// A call that the person or a rule refuses.
    fn rejected(&mut self, by_rule: bool) {
        if self.budget.calls == 0 {
            return;
        }
        let size = self.next_size();
        let mut call = self.shell(size.min(4000));
        call.action = self.rejection("Bash", by_rule);
        let pending = self.send(Thread::Main, vec![call]);
        self.collect(Thread::Main, pending);
    }

    /// The result of a call that an interruption cut short: it says so itself.
    pub(crate) fn cut_short(&mut self, id: String, asked: &str) {
        let text = "[Request interrupted by user for tool use]".to_owned();
        let mut answer = refused(id, CallOutcome::Interrupted, text, None);
        if self.rec.client.layout == Layout::Current {
            answer.denial = Some("interrupted");
        }
        self.rec.result(Thread::Main, answer, asked);
    }

    /// Records at the head of the file.
    pub(crate) fn head(&mut self) {
        self.budget.meta = self.budget.meta.saturating_sub(2);
        if self.rec.client.layout == Layout::Current {
            self.rec.note("mode", |o| o.s("mode", "normal"));
            self.rec.mode_note();
        } else {
            let time = self.rec.time();
            self.rec.note("queue-operation", |o| {
                o.s("operation", "dequeue");
                o.s("timestamp", &time);
            });
            self.rec.snapshot(&[], false);
        }
    }

    /// Something particular to call a subagent for.
    pub(crate) fn errand(&mut self) -> (String, String) {
        let short = format!(
            "{} {} {}",
            verb(&mut self.text),
            adjective(&mut self.text),
            noun(&mut self.text)
        );
        let long = format!(
            "Find where {} is {}ed in {}. Report files and lines.\n\n{}",
            function(&mut self.text),
            verb(&mut self.text),
            snake(&mut self.text),
            prose::paragraphs(&mut self.text, 200)
        );
        (short, long)
    }
}
