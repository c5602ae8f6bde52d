//! What holds for every task.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use proptest::prelude::*;

use super::*;

fn any_spec() -> impl Strategy<Value = TaskSpec> {
    let family = prop::sample::select(Family::ALL.to_vec());
    (family, 1u32..80, any::<u64>()).prop_map(|(family, horizon, seed)| TaskSpec {
        family,
        horizon,
        seed,
    })
}

fn task(family: Family, horizon: u32, seed: u64) -> Task {
    generate(TaskSpec { family, horizon, seed }).unwrap()
}

/// A task as one text.
fn printed(task: &Task) -> String {
    let mut out = format!("{}\n{}\n{:?}\n{:?}\n", task.spec, task.goal, task.check, task.links);
    for (path, text) in &task.files {
        let _ = write!(out, "== {path}\n{text}");
    }
    out
}

#[test]
fn tasks_are_pinned() {
    let all: String = Family::ALL
        .into_iter()
        .flat_map(|family| [1, 2, 30, 120].map(|horizon| printed(&task(family, horizon, 7))))
        .collect();
    let hash = crate::manifest::sha256(all.as_bytes());
    let notes = crate::manifest::sha256(notes(7, 3, 1000).as_bytes());
    assert_eq!((hash.as_str(), notes.as_str()), PINNED, "raise TASKS_VERSION with every change");
}

const PINNED: (&str, &str) = (
    "dbba13b38d450be7baca609b2ddfe57240bb6e797c55cb5af06ab3d42cf7003d",
    "432e79f1b5db9d40b5cebe491bb84503e64243485e143f73d6b34dea7d791569",
);

#[test]
fn a_horizon_without_work_or_beyond_the_largest_is_refused() {
    for family in Family::ALL {
        let spec = |horizon| TaskSpec { family, horizon, seed: 1 };
        assert_eq!(generate(spec(0)), Err(TaskError::HorizonZero));
        assert!(generate(spec(MAX_HORIZON)).is_ok());
        let error = generate(spec(MAX_HORIZON + 1)).unwrap_err();
        assert_eq!(error, TaskError::HorizonTooLarge { horizon: MAX_HORIZON + 1 });
    }
    let error = "chains".parse::<Family>().unwrap_err().to_string();
    assert!(error.contains("`chains`") && error.contains("`altchain`"), "{error}");
}

#[test]
fn tasks_differ_by_family_horizon_and_seed() {
    let texts: BTreeSet<String> = [
        task(Family::Chain, 5, 1),
        task(Family::AltChain, 5, 1),
        task(Family::Chain, 6, 1),
        task(Family::Chain, 5, 2),
    ]
    .iter()
    .map(|task| task.files.values().cloned().collect())
    .collect();
    assert_eq!(texts.len(), 4);
}

#[test]
fn values_repeat_across_the_files_of_a_long_chain() {
    // A fold that merges equal values of different files must fail on these.
    for seed in 1..40 {
        let task = task(Family::Chain, 30, seed);
        let distinct: BTreeSet<i64> = task.links.iter().map(|link| link.value).collect();
        if distinct.len() < 30 {
            return;
        }
    }
    panic!("no chain of 30 links repeats a value");
}

/// Follows a chain by what its files say, as a worker would.
fn followed(task: &Task) -> Vec<(String, i64)> {
    let mut path = task.links[0].path.clone();
    let mut found = Vec::new();
    loop {
        let text = &task.files[&path];
        let value = |text: &str| text.trim_matches(|c: char| !c.is_ascii_digit()).parse::<i64>();
        if task.spec.family == Family::ProseChain {
            let number = text.split(' ').find(|word| word.contains(|c: char| c.is_ascii_digit()));
            found.push((path, value(number.unwrap()).unwrap()));
            match text.split('`').nth(1) {
                Some(next) => path = next.to_owned(),
                None => return found,
            }
        } else {
            let lines: Vec<&str> = text.lines().collect();
            found.push((path, value(lines[1].strip_prefix("delta = ").unwrap()).unwrap()));
            match lines[2].strip_prefix("next = ").unwrap() {
                "end" => return found,
                next => path = next.to_owned(),
            }
        }
    }
}

proptest! {
    #[test]
    fn the_truth_is_what_the_files_say(spec in any_spec()) {
        let task = generate(spec).unwrap();
        match &task.check {
            Check::Total { prefixes, .. } => {
                let found = followed(&task);
                let said: Vec<_> =
                    task.links.iter().map(|link| (link.path.clone(), link.value)).collect();
                prop_assert_eq!(&found, &said);
                prop_assert_eq!(found.len(), spec.horizon as usize);
                let alternating = spec.family == Family::AltChain;
                let signed = found.iter().enumerate().map(|(at, (_, value))| {
                    if alternating && at % 2 == 1 { -value } else { *value }
                });
                prop_assert_eq!(signed.sum::<i64>(), *prefixes.last().unwrap());
                let distinct: BTreeSet<i64> = prefixes.iter().copied().chain([0]).collect();
                prop_assert_eq!(distinct.len(), prefixes.len() + 1);
                let start = format!("Start with `{}`", found[0].0);
                prop_assert!(task.goal.contains(&start));
            }
            Check::Lines { lines, .. } => {
                let stated: Vec<(String, String)> = task.files.values()
                    .flat_map(|text| text.lines())
                    .filter(|line| line.starts_with("value_"))
                    .map(|line| line.split_once(" = ").unwrap())
                    .map(|(key, value)| (key.to_owned(), value.to_owned()))
                    .collect();
                prop_assert_eq!(stated.len(), spec.horizon as usize);
                prop_assert_eq!(&stated.into_iter().collect::<BTreeMap<_, _>>(), lines);
            }
            Check::State { files, repairs } => {
                prop_assert_eq!(repairs.len(), spec.horizon as usize);
                prop_assert!(files.keys().eq(task.files.keys()));
                let changed = files.iter().filter(|(path, text)| task.files[*path] != **text);
                let paths: BTreeSet<_> = repairs.iter().map(|repair| &repair.path).collect();
                prop_assert_eq!(changed.map(|(path, _)| path).collect::<BTreeSet<_>>(), paths);
                for repair in repairs {
                    let line = format!("{} = {}\n", repair.key, repair.value);
                    prop_assert!(files[&repair.path].contains(&line));
                    prop_assert!(!task.files[&repair.path].contains(&line));
                }
                prop_assert!(files.values().any(|text| task.files.values().any(|t| t == text)));
            }
        }
        prop_assert!(!task.files.contains_key(ANSWER_FILE));
        prop_assert!(!task.files.contains_key(COLLECTION_FILE));
    }

    #[test]
    fn paths_reveal_no_order(seed: u64) {
        let task = task(Family::Chain, 40, seed);
        let along: Vec<&String> = task.links.iter().map(|link| &link.path).collect();
        prop_assert!(!along.is_sorted() && !along.iter().rev().is_sorted());
        prop_assert!(along.iter().all(|path| !path.contains(|c: char| c.is_ascii_digit())));
    }

    #[test]
    fn prose_holds_no_assignment_and_one_number(seed: u64) {
        let task = task(Family::ProseChain, 12, seed);
        for (link, text) in task.links.iter().map(|link| (link, &task.files[&link.path])) {
            prop_assert!(!text.contains('='));
            let digits: String = text.chars().filter(char::is_ascii_digit).collect();
            prop_assert_eq!(digits, link.value.to_string());
            prop_assert!(text.contains(&link.key));
        }
    }

    #[test]
    fn notes_have_the_asked_length_and_state_nothing(seed: u64, index: u64, chars in 0usize..3000) {
        let notes = notes(seed, index, chars);
        prop_assert_eq!(notes.chars().count(), chars);
        prop_assert!(!notes.contains(|c: char| c.is_ascii_digit() || "=`/#".contains(c)));
    }
}
