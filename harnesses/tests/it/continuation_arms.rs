//! What each arm shows after fourteen steps of a chain.

use corpus_gen::tasks::{Family, TaskSpec, generate};
use harnesses::continuation::arms::{ARMS, ArmSpec, Policy};
use harnesses::continuation::context::{Prompt, Role};
use harnesses::continuation::mechanical::Mechanical;
use harnesses::continuation::protocol::Protocol;
use harnesses::continuation::run::{RunSpec, run};
use harnesses::continuation::worker::{PricedAs, Reply, Worker};
use harnesses::usage::TokenUsage;
use trace_model::pricing::PriceTable;

/// Keeps the context of one step.
struct Keeping {
    worker: Mechanical,
    step: u64,
    at: u64,
    kept: Option<Prompt>,
}

impl Worker for Keeping {
    fn reply(&mut self, prompt: &Prompt, _: u64) -> anyhow::Result<Reply> {
        self.step += 1;
        if self.step == self.at {
            self.kept = Some(prompt.clone());
        }
        let text = self.worker.next(prompt);
        Ok(Reply { text, usage: TokenUsage::default(), dollars: None, model: None })
    }
}

/// The context that an arm shows at the fourteenth reply, after thirteen steps.
fn shown(name: &str) -> Prompt {
    shown_at(name, 14)
}

/// The context that an arm shows at a reply.
fn shown_at(name: &str, at: u64) -> Prompt {
    let arm = ArmSpec::named(name).expect("it is listed");
    let family = arm.only.unwrap_or(Family::Chain);
    let task = generate(TaskSpec { family, horizon: 30, seed: 1 }).expect("a task");
    let prices = PriceTable::builtin();
    let date = prices.date().to_owned();
    let price_as = PricedAs { model: "claude-sonnet-4-5".to_owned(), prices, date };
    let policy = Policy { top_k: 3, summary_chars: 300, ..Policy::default() };
    let protocol = Protocol { policy, ..Protocol::default() };
    let spec = RunSpec {
        task: &task,
        arm,
        protocol: &protocol,
        priced: &price_as,
        helper: None,
        fallback: None,
    };
    let mut worker = Keeping { worker: Mechanical::default(), step: 0, at, kept: None };
    run(spec, &mut worker).expect("it runs");
    worker.kept.expect("it took fourteen steps")
}

/// Numbers of the steps whose observation is shown with its content.
fn observations(prompt: &Prompt) -> Vec<u32> {
    let mut found = Vec::new();
    for segment in prompt.segments() {
        for section in segment.text().split("[observation ").skip(1) {
            // The instructions speak of observations too.
            let Some((number, body)) = section.split_once("]\n") else { continue };
            if let Ok(number) = number.parse()
                && !body.starts_with('(')
            {
                found.push(number);
            }
        }
    }
    found
}

fn has(prompt: &Prompt, header: &str) -> bool {
    prompt.segments().any(|segment| segment.text().starts_with(header))
}

#[test]
fn arms_that_show_everything() {
    let all: Vec<u32> = (1..=13).collect();
    for arm in ["full", "full-cached", "full-one-block", "scratchpad", "scratchpad-cached"] {
        assert_eq!(observations(&shown(arm)), all, "{arm}");
    }
    for arm in ["view-plus-full", "view-plus-full/2"] {
        let prompt = shown(arm);
        assert_eq!(observations(&prompt), all);
        assert!(has(&prompt, "[view]"));
    }
}

#[test]
fn arms_that_show_the_last_steps() {
    let last = [9, 10, 11, 12, 13];
    let others =
        ["full", "scratchpad", "calculator", "cached", "one-block", "retrieval", "vendor-summary"];
    for arm in ARMS.iter().filter(|arm| !others.iter().any(|other| arm.name.contains(other))) {
        assert_eq!(observations(&shown(arm.name)), last, "{}", arm.name);
    }
    assert_eq!(observations(&shown("mask-scratchpad")), last);
    let found = observations(&shown("retrieval"));
    assert_eq!((found.len(), &found[3..]), (3 + 5, &last[..]));
}

#[test]
fn turns_are_appended_and_the_view_rides_the_first() {
    for (arm, raw) in [
        ("full-cached", 13),
        ("scratchpad-cached", 13),
        ("curated-cached", 3),
        ("curated-cached/2", 3),
    ] {
        let prompt = shown(arm);
        let roles: Vec<Role> = prompt.messages.iter().map(|message| message.role).collect();
        assert_eq!(roles[..2], [Role::System, Role::User], "{arm}");
        assert_eq!(roles.len(), 2 + 2 * raw, "{arm}");
        assert!(roles[2..].chunks(2).all(|turn| turn == [Role::Assistant, Role::User]), "{arm}");
        let breakpoints: Vec<usize> =
            (0..).zip(&prompt.messages).filter(|(_, m)| m.breakpoint).map(|(at, _)| at).collect();
        assert_eq!(breakpoints, [1, prompt.messages.len() - 1], "{arm}");
    }
    let curated = shown("curated-cached");
    assert!(curated.messages[1].text().contains("\n[view]\n"));
    let block = shown("full-one-block");
    assert_eq!((block.messages.len(), block.messages[0].segments.len()), (1, 1));
    assert!(block.messages[0].breakpoint);
    assert!(shown("full").messages.iter().all(|message| !message.breakpoint));
}

#[test]
fn notes_are_asked_for_and_shown() {
    for arm in ["scratchpad", "scratchpad-cached", "mask-scratchpad"] {
        let text = shown(arm).text();
        assert!(text.contains("Add a field `note`"), "{arm}");
        assert!(text.contains("\"note\":\"delta sum "), "{arm}");
    }
    assert!(!shown("full").text().contains("`note`"));
}

#[test]
fn views_state_what_their_variant_keeps() {
    for version in ["", "/2"] {
        let arms = ["curated", "curated-unstamped", "view-without-aggregates"];
        let [worker, unstamped, without] = arms.map(|arm| shown(&format!("{arm}{version}")).text());
        let covered = ", over 10 values, up to and including records/";
        assert!(worker.contains(covered) && worker.contains("covers events"));
        assert!(unstamped.contains("- delta sum ") && !unstamped.contains(covered));
        assert!(!without.contains("- delta sum ") && without.contains(": delta = "));
    }
}

#[test]
fn a_plain_list_names_what_was_used_and_nothing_of_what_it_said() {
    let prompt = shown("list");
    let list = prompt.segments().find(|segment| segment.text().starts_with("[list]\n"));
    let list = list.expect("ten steps are listed").text();
    assert!(list.starts_with("[list]\nPATHS (the last 10, newest first):\n- records/"), "{list}");
    assert!(
        list.contains("\nCOMMANDS (the last 10, newest first):\n- read_file records/"),
        "{list}"
    );
    assert!(!list.contains(" = "), "{list}");
}

#[test]
fn a_vendors_summary_replaces_all_steps_once_the_context_is_too_long() {
    assert!(!has(&shown("vendor-summary"), "[summary]"), "fourteen steps are within the limit");
    let prompt = shown_at("vendor-summary", 29);
    let summary = prompt.segments().find(|segment| segment.text().starts_with("[summary]\n"));
    let summary = summary.expect("it has passed the limit").text();
    for heading in ["REQUEST: ", "FILES (", "ERRORS (0 of 0):", "UNDER WAY: ", "LAST WORDS: "] {
        assert!(summary.contains(&format!("\n{heading}")), "{heading}: {summary}");
    }
    assert!(!summary.contains(" sum "), "{summary}");
    let read = observations(&prompt);
    assert!(read.len() < 15 && read.last() == Some(&28), "only the steps since: {read:?}");
}

#[test]
fn summaries_are_cut_where_they_are_capped() {
    let summary = |arm: &str| {
        let prompt = shown(arm);
        let text = prompt.segments().find(|segment| segment.text().starts_with("[summary]"));
        text.unwrap().text().to_owned()
    };
    let (capped, uncapped) = (summary("summary-capped"), summary("summary-uncapped"));
    assert!(capped.chars().count() < 400 && capped.contains("older lines are left out"));
    assert_eq!(uncapped.matches("delta = ").count(), 10);
}

#[test]
fn totals_come_from_a_pattern_or_from_a_tool() {
    assert!(shown("minimal-tally").text().contains("[tally]\n- delta sum "));
    assert!(shown("minimal-tally").text().contains(", over 13 values, up to and including"));
    let calculator = shown("calculator").text();
    assert!(calculator.contains("- tally {") && calculator.contains("after 6 additions"));
    assert!(!shown("full").text().contains("- tally {"));
}

#[test]
fn parsers_find_in_prose_what_their_patterns_know() {
    for version in ["", "/2"] {
        let [fixed, tuned] =
            ["parser-fixed", "parser-tuned"].map(|arm| shown(&format!("{arm}{version}")).text());
        assert!(fixed.contains("[view]") && !fixed.contains("delta sum"));
        assert!(tuned.contains("- delta sum ") && tuned.contains("over 10 values"));
    }
}
