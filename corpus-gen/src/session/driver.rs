//! Acts a session out: turns of a person and an agent, with everything that the plan has happen in
//! between, until the plan's numbers are reached.

use super::answers::Pending;
use super::plan::{AgentPlan, Interruption, Oddity, Plan};
use super::worker::{Budget, Habits, Worker};
use crate::profile::Profile;
use crate::rng::to_index;
use crate::run::GeneratedRun;
use crate::text::names::{kebab, stem};
use crate::text::prompts;
use crate::transcript::recorder::Recorder;
use crate::transcript::users::PromptForm;
use crate::truth::tally::Thread;

/// Generates the session of a profile and seed.
#[must_use]
pub fn session(profile: Profile, seed: u64) -> GeneratedRun {
    if profile == Profile::Varied {
        return crate::varied::session(seed);
    }
    let plan = Plan::new(profile, seed);
    let mut session = Session::new(&plan);
    session.play();
    let name = format!("{profile}-{seed}");
    let folder = format!("sessions/{profile}");
    GeneratedRun::collect(
        name,
        &folder,
        profile.name(),
        seed,
        session.worker.rec,
        None,
        plan.final_newline,
    )
}

/// Calls at a session's end that make up for the bytes that the others did not take.
const CLOSING: u64 = 4;

/// Something that happens between two steps.
#[derive(Debug, Clone, Copy)]
enum Happening {
    ApiError,
    Compaction,
    Agent(AgentPlan),
    Odd(Oddity),
}

impl Happening {
    /// Tool calls that it makes.
    fn calls(self) -> u64 {
        match self {
            Happening::Agent(plan) => plan.calls + 1,
            Happening::Odd(Oddity::Rejection | Oddity::Rule) => 1,
            _ => 0,
        }
    }

    /// Messages that it writes.
    fn messages(self) -> u64 {
        match self {
            Happening::Agent(_) | Happening::Odd(Oddity::CommandEcho) => 3,
            Happening::Odd(Oddity::SideQuestion) => 2,
            Happening::ApiError
            | Happening::Odd(Oddity::TornLine | Oddity::TornAndGlued | Oddity::TwoOnALine) => 0,
            _ => 1,
        }
    }
}

struct Session<'p> {
    plan: &'p Plan,
    worker: Worker,
    /// Scheduled events, soonest last, each after a given number of the agent's own calls.
    ahead: Vec<(u64, Happening)>,
    done: u64,
    late: Option<Pending>,
}

impl<'p> Session<'p> {
    fn new(plan: &'p Plan) -> Self {
        let profile = plan.profile.name();
        let rec = Recorder::new(profile, plan.seed, plan.layout);
        let budget = Budget {
            calls: plan.calls,
            meta: plan.meta,
            thinking: plan.thinking,
            messages: plan.messages,
            attachments: plan.attachments,
            bytes: plan.bytes,
        };
        let realistic = plan.profile == Profile::Realistic;
        let habits = Habits {
            tools: tools(plan.favourite),
            novel: false,
            fails_one_in: 14,
            pictures: realistic,
            thinking: if realistic { 1800 } else { 420 },
            hour_cache: !plan.seed.is_multiple_of(3),
            overhead: if realistic { 1300 } else { 980 },
            advisor_one_in: if plan.favourite == 3 { 12 } else { 0 },
        };
        let mut worker = Worker::new(profile, plan.seed, rec, habits, budget);
        worker.models = plan.models.iter().map(|model| (*model).to_owned()).collect();
        Self { plan, worker, ahead: Vec::new(), done: 0, late: None }
    }

    fn play(&mut self) {
        let reserved = self.schedule();
        let own = self.plan.calls.saturating_sub(reserved);
        let turns = self.turns(own);
        let queued = self.queued_turns();
        self.worker.head();
        for (turn, &calls) in turns.iter().enumerate() {
            self.turn(turn as u64, calls, queued.contains(&(turn as u64)));
        }
        self.happen(u64::MAX);
        self.finish();
    }

    /// Spreads scheduled events over the agent's own calls; returns the calls they take.
    fn schedule(&mut self) -> u64 {
        let plan = self.plan;
        let mut all = vec![Happening::ApiError; to_index(plan.api_errors)];
        all.extend(vec![Happening::Compaction; to_index(plan.compactions)]);
        all.extend(plan.agents.iter().map(|agent| Happening::Agent(*agent)));
        all.extend(plan.oddities.iter().map(|odd| Happening::Odd(*odd)));
        let mut reserved = all.iter().map(|one| one.calls()).sum::<u64>() + plan.in_flight;
        for cut in &plan.interruptions {
            reserved += cut.unanswered + cut.answered + u64::from(cut.late);
            reserved += 2 * u64::from(cut.stops_agent);
        }
        let own = plan.calls.saturating_sub(reserved).max(2);
        for happening in all {
            let after = self.worker.draw.between(1, own - 1);
            self.ahead.push((after, happening));
        }
        self.ahead.sort_by_key(|(after, _)| std::cmp::Reverse(*after));
        reserved
    }

    /// The agent's own calls of each turn.
    fn turns(&mut self, own: u64) -> Vec<u64> {
        let weights: Vec<u64> =
            (0..self.plan.prompts).map(|_| self.worker.draw.between(1, 12)).collect();
        let (mut left, mut weight_left) = (own, weights.iter().sum::<u64>());
        let mut turns = Vec::new();
        for weight in weights {
            let calls = if weight == weight_left { left } else { left * weight / weight_left };
            left -= calls;
            weight_left -= weight;
            turns.push(calls);
        }
        turns
    }

    fn queued_turns(&mut self) -> Vec<u64> {
        let cut: Vec<u64> = self.plan.interruptions.iter().map(|one| one.turn).collect();
        let mut turns: Vec<u64> =
            (2..self.plan.prompts).filter(|turn| !cut.contains(&(turn - 1))).collect();
        self.worker.draw.shuffle(&mut turns);
        turns.truncate(to_index(self.plan.queued));
        turns
    }

    fn turn(&mut self, turn: u64, calls: u64, queued: bool) {
        let ahead = self.plan.prompts - turn - 1;
        let others: u64 = self.ahead.iter().map(|(_, one)| one.messages()).sum();
        let cuts = self.plan.interruptions.iter().filter(|cut| cut.turn >= turn).count() as u64;
        self.worker.kept_messages = 2 * ahead + 1 + others + cuts;
        self.switch_model(turn);
        let text = prompts::request(&mut self.worker.text);
        let mut left = calls;
        if queued && left > 0 {
            left -= 1;
            self.queue(&text);
        } else {
            self.ask(turn, &text);
        }
        let began = self.worker.rec.now;
        if let Some(late) = self.late.take() {
            self.worker.answer(Thread::Main, late);
        }
        while left > 0 {
            if ahead == 0 && self.worker.closing == 0 && left <= CLOSING {
                self.happen(u64::MAX);
                self.worker.closing = left;
            }
            // Each closing call takes its share of what the one before left.
            let most = if self.worker.closing > 0 { 1 } else { left };
            let n = (*self.worker.draw.weighted(&[(14, 1), (4, 2), (2, 3), (1, 4)])).min(most);
            self.worker.step(Thread::Main, n);
            left -= n;
            self.done += n;
            self.happen(self.done);
        }
        self.worker.closing = 0;
        match self.plan.interruptions.iter().find(|cut| cut.turn == turn) {
            Some(cut) => self.interrupt(*cut),
            None if ahead == 0 && self.plan.in_flight > 0 => {}
            None => {
                if self.worker.budget.messages > ahead {
                    self.worker.conclude(Thread::Main);
                }
                self.worker.turn_end(began, &text);
            }
        }
    }

    /// The second model works for the middle third, or to the end if it is of the same maker.
    fn switch_model(&mut self, turn: u64) {
        let Some(second) = self.plan.models.get(1) else { return };
        let third = self.plan.prompts / 3;
        if turn == third.max(1) {
            self.worker.models[0] = (*second).to_owned();
        }
        if turn == 2 * third.max(1) && !second.starts_with("claude") {
            self.worker.models[0] = self.plan.models[0].to_owned();
        }
    }

    /// A person writes the next request.
    fn ask(&mut self, turn: u64, text: &str) {
        let worker = &mut self.worker;
        let idle = if worker.draw.chance(1, 6) { 1_200_000 } else { 110_000 };
        let pause = worker.draw.between(4000, idle);
        worker.rec.pass(pause);
        let mut form = PromptForm {
            lost_parent: turn == 0 && worker.draw.chance(1, 5),
            ..PromptForm::default()
        };
        if worker.draw.chance(1, 8) && worker.budget.messages > worker.kept_messages {
            let file = stem(&mut worker.text);
            form.before = Some(format!(
                "<ide_opened_file>The user opened the file {file}.ts in the IDE. This may or may not be related to the current task.</ide_opened_file>"
            ));
            worker.budget.messages -= 1;
        } else if worker.draw.chance(1, 8) {
            let name = kebab(&mut worker.text);
            form.prefix = Some(format!(
                "<system-reminder>\nThe {name} skill is available.\n</system-reminder>"
            ));
        }
        if worker.budget.attachments > 2 && worker.draw.chance(1, 6) {
            for _ in 0..worker.draw.between(1, 2) {
                let bytes = worker.next_size() / 2;
                let image = worker.picture(bytes.min(160_000));
                form.images.push(image);
                worker.budget.attachments -= 1;
            }
        }
        worker.budget.messages = worker.budget.messages.saturating_sub(1);
        worker.rec.prompt(text, &form);
    }

    /// A person writes while a call is in flight.
    fn queue(&mut self, text: &str) {
        let worker = &mut self.worker;
        let pending = worker.ask_for(Thread::Main, 1);
        worker.budget.attachments = worker.budget.attachments.saturating_sub(1);
        worker.rec.pass(900);
        worker.rec.queued_prompt(text);
        worker.collect(Thread::Main, pending);
        self.done += 1;
    }

    /// Runs the events due after `done` calls.
    fn happen(&mut self, done: u64) {
        while self.ahead.last().is_some_and(|(after, _)| *after <= done) {
            let Some((_, happening)) = self.ahead.pop() else { return };
            match happening {
                Happening::ApiError => self.worker.api_failure(),
                Happening::Compaction => self.worker.compact(),
                Happening::Agent(plan) => self.worker.delegate(plan),
                Happening::Odd(odd) => self.worker.oddity(odd),
            }
        }
    }

    /// The person interrupts the turn.
    fn interrupt(&mut self, cut: Interruption) {
        let worker = &mut self.worker;
        let calls = cut.unanswered + cut.answered + u64::from(cut.late);
        let stopped = u64::from(cut.stops_agent && cut.unanswered > 0);
        if stopped > 0 {
            worker.delegate_open();
        }
        let mut open = Vec::new();
        for _ in stopped..calls {
            open.push(worker.some_call());
        }
        if cut.late {
            open.pop();
            open.push(worker.shell(3000));
        }
        if !open.is_empty() {
            let mut pending = worker.send(Thread::Main, open);
            self.late = if cut.late { pending.pop() } else { None };
            for n in 0..cut.answered.min(pending.len() as u64) {
                let one = pending.remove(0);
                if n == 1 && worker.draw.chance(1, 2) {
                    worker.cut_short(one.id, &one.asked);
                } else {
                    worker.answer(Thread::Main, one);
                }
            }
        }
        let pause = worker.draw.between(800, 30_000);
        worker.rec.pass(pause);
        worker.budget.messages = worker.budget.messages.saturating_sub(1);
        let for_tool_use = calls > 0 && worker.draw.chance(3, 4);
        worker.rec.interruption(Thread::Main, for_tool_use);
    }

    /// Writes what the plan still lacks, and leaves the planned calls in flight.
    fn finish(&mut self) {
        let worker = &mut self.worker;
        worker.kept_messages = 0;
        for _ in 0..worker.budget.attachments {
            worker.attach();
        }
        while worker.budget.messages > 1 {
            worker.conclude(Thread::Main);
        }
        for _ in 0..worker.budget.meta {
            worker.meta(None);
        }
        if self.plan.in_flight > 0 {
            let calls = (0..self.plan.in_flight).map(|_| worker.some_call()).collect();
            worker.send(Thread::Main, calls);
        }
    }
}

impl Worker {
    /// A call that will get no answer: of any tool, so that such calls differ.
    fn some_call(&mut self) -> super::tools::Call {
        let tool = *self.draw.pick(&[
            "Read",
            "Bash",
            "Grep",
            "WebFetch",
            "Glob",
            "Edit",
            "Write",
            "mcp",
            "Bash",
            "TodoWrite",
        ]);
        let size = to_index(self.draw.between(400, 4000));
        self.call_of(tool, Thread::Main, size)
    }
}

/// Tools by weight, with a favourite.
fn tools(favourite: usize) -> Vec<(u64, &'static str)> {
    let mut tools = vec![
        (14, "Bash"),
        (13, "Read"),
        (9, "Edit"),
        (7, "Grep"),
        (3, super::tools::SERVER_TOOLS[0]),
        (4, "Write"),
        (4, "Glob"),
        (4, "TodoWrite"),
        (3, "WebFetch"),
        (1, "MultiEdit"),
        (1, "AskUserQuestion"),
    ];
    tools[favourite].0 = 52;
    tools
}
