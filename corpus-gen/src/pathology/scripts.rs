//! The pathologies themselves, clear and hard, and the near misses. Each script writes its records at
//! the present place of a scene and labels them. All keep clear of the other kinds: a loop is too short
//! to flood a window, a flood's cycle is too long to be a loop, failures have inputs and texts of their
//! own, and nothing but a stall lets ten minutes pass with a call in flight.

use super::labels::Kind;
use super::scene::{Says, Scene};
use crate::session::tools::Input;
use crate::text::names::{adjective, function, kebab, noun, snake, stem};
use crate::text::{failures, prompts, prose};
use crate::transcript::users::PromptForm;
use crate::truth::tally::Thread;

/// Tools whose single calls are scripted.
const TOOLS: [&str; 4] = ["Bash", "Read", "Grep", "WebFetch"];

/// How a loop is hidden.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Disguise {
    None,
    /// Other calls come in between.
    Interleaved,
    /// The input's fields come in another order each time.
    Reordered,
}

impl Scene {
    /// An input for `tool` that nothing else uses.
    fn input(&mut self, tool: &str) -> Input {
        let text = &mut self.worker.text;
        let root = &self.worker.rec.client.cwd;
        match tool {
            "Read" => Input::default().s("file_path", &format!("{root}/{}.txt", stem(text))),
            "Grep" => Input::default()
                .s("pattern", &function(text))
                .s("path", root)
                .s("output_mode", "content"),
            "WebFetch" => Input::default()
                .s("url", &format!("https://{}.example.org/{}", kebab(text), noun(text)))
                .s("prompt", &prose::line(text)),
            "Glob" => {
                Input::default().s("pattern", &format!("**/{}.*", snake(text))).s("path", root)
            }
            _ => Input::default()
                .s("command", &format!("./scripts/{}.sh {}", snake(text), kebab(text)))
                .s("description", &prose::line(text))
                .n("timeout", 60_000 + text.below(9) * 10_000),
        }
    }

    fn some_text(&mut self) -> String {
        let bytes = self.worker.draw.between(60, 700);
        prose::paragraphs(&mut self.worker.text, usize::try_from(bytes).unwrap_or(60))
    }

    fn fails(&mut self, tool: &str) -> Says {
        let subject = format!("{}/{}", self.worker.rec.client.cwd, stem(&mut self.worker.text));
        Says::Fails(failures::failure(&mut self.worker.text, tool, &subject))
    }

    /// The same call with the same result, 5 to 12 times.
    pub(crate) fn looping(&mut self, disguise: Disguise) {
        let tool = match disguise {
            Disguise::Reordered => *self.worker.draw.pick(&["Bash", "Grep", "WebFetch"]),
            _ => *self.worker.draw.pick(&TOOLS),
        };
        let (input, text) = (self.input(tool), self.some_text());
        let times = self.worker.draw.between(5, 12);
        let between = self.worker.draw.between(1, 3);
        let (mut first, mut onset) = (0, 0);
        for n in 1..=times {
            if n > 1 && disguise == Disguise::Interleaved {
                self.look_around(between);
            }
            let again = match disguise {
                Disguise::Reordered => input.rotated(usize::try_from(n).unwrap_or(0)),
                _ => input.clone(),
            };
            let pending = self.call(tool, again, Says::Works(text.clone()));
            if n == 1 {
                first = self.line();
            }
            self.worker.answer(Thread::Main, pending);
            if n == 3 {
                onset = self.line();
            }
        }
        let note = match disguise {
            Disguise::None => format!("{times} equal calls in a row"),
            Disguise::Interleaved => format!("{times} equal calls, {between} others between each"),
            Disguise::Reordered => {
                format!("{times} equal calls, the input's keys in changing order")
            }
        };
        self.label(Kind::Loop, (first, self.line()), onset, tool, note);
    }

    /// 6 to 12 failed results in a row; `broken`: with one success among them.
    pub(crate) fn error_streak(&mut self, broken: bool) {
        let length = self.worker.draw.between(6, if broken { 9 } else { 12 });
        // So that neither side of it is a streak by itself.
        let success = broken.then(|| self.worker.draw.between((length - 4).max(2), 5));
        let (mut first, mut onset, mut tools) = (0, 0, Vec::new());
        for n in 1..=length {
            let tool = *self.worker.draw.pick(&TOOLS);
            let works = success == Some(n);
            let says = if works { Says::Works(self.some_text()) } else { self.fails(tool) };
            let input = self.input(tool);
            let pending = self.call(tool, input, says);
            self.worker.answer(Thread::Main, pending);
            if n == 1 {
                first = self.line();
            }
            // Broken: the sixth result is the first with five failures among six in a row.
            if n == if broken { 6 } else { 5 } {
                onset = self.line();
            }
            if !works && !tools.contains(&tool) {
                tools.push(tool);
            }
        }
        self.worker.since_failure = 0;
        tools.sort_unstable();
        let note = match success {
            None => format!("{length} failures in a row"),
            Some(at) => format!("{} failures with one success, the {at}th of {length}", length - 1),
        };
        self.label(Kind::ErrorStreak, (first, self.line()), onset, &tools.join("+"), note);
    }

    /// 80 to 300 calls that cycle over the same inputs and results; `spread`: over two tools.
    pub(crate) fn flood(&mut self, spread: bool) {
        let tools: &[&'static str] = if spread {
            *self.worker.draw.pick(&[&["Read", "Grep"], &["Bash", "Glob"], &["Grep", "WebFetch"]])
        } else {
            *self.worker.draw.pick(&[&["Read"], &["Grep"], &["Bash"], &["WebFetch"]])
        };
        let cycle = self.worker.draw.between(15, 22);
        let calls = self.worker.draw.between(80, 300);
        let mut items = Vec::new();
        for n in 0..cycle {
            let tool = tools[usize::try_from(n).unwrap_or(0) % tools.len()];
            let (input, text) = (self.input(tool), self.some_text());
            items.push((tool, input, text));
        }
        // A window of 50 that begins with honest work: 50 - k + cycle of its calls are new.
        let needed = (26 + cycle).max(40);
        let (mut first, mut onset) = (0, 0);
        for n in 1..=calls {
            let at = usize::try_from((n - 1) % cycle).unwrap_or(0);
            let (tool, input, text) = items[at].clone();
            let pending = self.call(tool, input, Says::Works(text));
            if n == 1 {
                first = self.line();
            }
            self.worker.answer(Thread::Main, pending);
            if n == needed {
                onset = self.line();
            }
        }
        let note = format!("{calls} calls over {cycle} inputs");
        self.label(Kind::ToolFlood, (first, self.line()), onset, &tools.join("+"), note);
    }

    /// A call that runs, and no record for 15 to 60 minutes; then its result, or an interruption. That it
    /// runs is shown by progress that it wrote, or the client asks nobody before tools run.
    pub(crate) fn stall(&mut self) {
        let tool = *self.worker.draw.pick(&["Bash", "WebFetch", "mcp__tracker__search_tickets"]);
        if tool == "WebFetch" {
            let usual = std::mem::replace(&mut self.worker.rec.client.mode, "bypassPermissions");
            self.worker.rec.mode_note();
            self.worker.rec.client.mode = usual;
        }
        let (input, text) = (self.input(tool), self.some_text());
        let pending = self.call(tool, input, Says::Works(text));
        let first = self.line();
        self.show_progress(tool, &pending.id);
        let silence = self.worker.draw.between(15 * 60_000, 60 * 60_000);
        self.worker.rec.pass(silence);
        let ending = if self.worker.draw.chance(1, 3) {
            self.worker.rec.interruption(Thread::Main, true);
            "an interruption"
        } else {
            self.worker.answer(Thread::Main, pending);
            "its result"
        };
        let last = self.line();
        let note = format!("{} s of silence, then {ending}", silence / 1000);
        self.label(Kind::Stall, (first, last), last, tool, note);
    }

    /// What a running tool writes, where its kind writes anything.
    fn show_progress(&mut self, tool: &str, call: &str) {
        self.worker.rec.pass(2000);
        if tool == "Bash" {
            let output = self.some_text();
            self.worker.rec.progress("bash-progress-0", call, |o| {
                o.s("type", "bash_progress");
                o.s("output", &output);
                o.s("fullOutput", &output);
                o.n("elapsedTimeSeconds", 2);
                o.n("totalLines", 1);
            });
        } else if let Some((server, name)) =
            tool.strip_prefix("mcp__").and_then(|rest| rest.split_once("__"))
        {
            self.worker.rec.progress(call, call, |o| {
                o.s("type", "mcp_progress");
                o.s("status", "started");
                o.s("serverName", server);
                o.s("toolName", name);
            });
        }
    }

    /// A call that a person has to allow, who comes back after 35 to 240 minutes and does, or refuses.
    pub(crate) fn waits_for_approval(&mut self) {
        let silence = self.worker.draw.between(35 * 60_000, 240 * 60_000);
        let (first, tool, ending) = self.unapproved(silence);
        let last = self.line();
        let note = format!("{} s until a person looked, who {ending}", silence / 1000);
        self.label(Kind::WaitingForPerson, (first, last), last, tool, note);
    }

    /// Near miss: a call that a person allows after 11 to 29 minutes, as people do.
    pub(crate) fn allowed_soon(&mut self) {
        let silence = self.worker.draw.between(11 * 60_000, 29 * 60_000);
        let (first, _, _) = self.unapproved(silence);
        self.near_miss(
            Kind::Stall,
            first,
            "no record shows that the call started; a person looks within half an hour",
        );
    }

    /// A call that waits for approval for so long: its line, its tool, and what the person did.
    fn unapproved(&mut self, silence: u64) -> (u64, &'static str, &'static str) {
        let tool = *self.worker.draw.pick(&["Bash", "WebFetch", "mcp__tracker__search_tickets"]);
        let (input, text) = (self.input(tool), self.some_text());
        let mut pending = self.call(tool, input, Says::Works(text));
        let first = self.line();
        self.worker.rec.pass(silence);
        let refuses = self.worker.draw.chance(1, 3);
        if refuses {
            pending.call.action = self.worker.rejection(tool, false);
        }
        self.worker.answer(Thread::Main, pending);
        (first, tool, if refuses { "refused" } else { "allowed it" })
    }

    /// Near miss: an hour of silence with nothing in flight.
    pub(crate) fn idle_silence(&mut self) {
        self.worker.conclude(Thread::Main);
        let first = self.line();
        let silence = self.worker.draw.between(20 * 60_000, 300 * 60_000);
        self.worker.rec.pass(silence);
        let text = prompts::request(&mut self.worker.text);
        self.worker.rec.prompt(&text, &PromptForm::default());
        self.near_miss(
            Kind::Stall,
            first,
            "a long silence between two turns, with no call in flight",
        );
    }

    /// A question that the person takes 20 to 90 minutes to answer: a near miss within half an hour.
    pub(crate) fn waits_for_person(&mut self) {
        let tool = *self.worker.draw.pick(&["AskUserQuestion", "ExitPlanMode"]);
        let plan = prose::paragraphs(&mut self.worker.text, 200);
        let key = if tool == "ExitPlanMode" { "plan" } else { "question" };
        let input = Input::default().s(key, &plan);
        let text = format!("The answer is: {}", adjective(&mut self.worker.text));
        let pending = self.call(tool, input, Says::Works(text));
        let first = self.line();
        let silence = self.worker.draw.between(20 * 60_000, 90 * 60_000);
        self.worker.rec.pass(silence);
        self.worker.answer(Thread::Main, pending);
        if silence > 30 * 60_000 {
            let last = self.line();
            let note = format!("{} s until a person answered", silence / 1000);
            self.label(Kind::WaitingForPerson, (first, last), last, tool, note);
        } else {
            self.near_miss(Kind::WaitingForPerson, first, "a person answers within half an hour");
        }
    }

    /// Near miss: a state that is polled and changes.
    pub(crate) fn polling(&mut self) {
        let input = self.input("Bash");
        let job = kebab(&mut self.worker.text);
        let times = self.worker.draw.between(8, 20);
        let mut first = 0;
        for n in 1..=times {
            let text = format!("{job}: {} of {times} shards done, {} rows", n, n * 1711);
            let pending = self.call("Bash", input.clone(), Says::Works(text));
            if n == 1 {
                first = self.line();
            }
            let pause = self.worker.draw.between(5000, 60_000);
            self.worker.rec.pass(pause);
            self.worker.answer(Thread::Main, pending);
        }
        self.near_miss(Kind::Loop, first, "the same call again and again, but each result differs");
    }

    /// Near miss: the same failing-free test run, an edit between each.
    pub(crate) fn edit_and_test(&mut self) {
        let test = self.input("Bash");
        let result =
            format!("test result: ok. {} passed; 0 failed", self.worker.draw.between(20, 900));
        let path = format!("{}/{}.rs", self.worker.rec.client.cwd, stem(&mut self.worker.text));
        let times = self.worker.draw.between(5, 9);
        let mut first = 0;
        for n in 1..=times {
            let (old, new) = (function(&mut self.worker.text), function(&mut self.worker.text));
            let edit =
                Input::default().s("file_path", &path).s("old_string", &old).s("new_string", &new);
            let done = format!("The file {path} has been updated ({old} is now {new}).");
            let pending = self.call("Edit", edit, Says::Works(done));
            if n == 1 {
                first = self.line();
            }
            self.worker.answer(Thread::Main, pending);
            self.exchange("Bash", test.clone(), Says::Works(result.clone()));
        }
        let why =
            "the same test run with the same result, but after an edit each time: work goes on";
        self.near_miss(Kind::Loop, first, why);
    }

    /// Near miss: a long batch over one tool in which every call is new.
    pub(crate) fn honest_batch(&mut self) {
        let tool = *self.worker.draw.pick(&["Read", "Grep", "WebFetch"]);
        let calls = self.worker.draw.between(100, 180);
        let mut first = 0;
        for n in 1..=calls {
            let (input, text) = (self.input(tool), self.some_text());
            let pending = self.call(tool, input, Says::Works(text));
            if n == 1 {
                first = self.line();
            }
            self.worker.answer(Thread::Main, pending);
        }
        let why = "more than a hundred calls of one tool, but each of them brings something new";
        self.near_miss(Kind::ToolFlood, first, why);
    }

    /// Near miss: failures and successes in turn.
    pub(crate) fn alternating(&mut self) {
        let pairs = self.worker.draw.between(6, 12);
        let first = self.line() + 1;
        for _ in 0..pairs {
            let tool = *self.worker.draw.pick(&TOOLS);
            let (input, says) = (self.input(tool), self.fails(tool));
            self.exchange(tool, input, says);
            let tool = *self.worker.draw.pick(&TOOLS);
            let (input, text) = (self.input(tool), self.some_text());
            self.exchange(tool, input, Says::Works(text));
        }
        let why = "every second call fails and every second works: no streak";
        self.near_miss(Kind::ErrorStreak, first, why);
    }
}
