//! What the default corpus must be: as the committed manifest says, in the published ranges and
//! shares, and varied enough that no constant answer is right often. The corpus is generated once.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::OnceLock;
use std::thread;

use corpus_gen::manifest::RunEntry;
use corpus_gen::{Kind, Labels, Plan, Source, Truth, default_manifest};
use serde_json::Value;

/// What is kept of a run.
struct Kept {
    entry: RunEntry,
    truth: Truth,
    labels: Option<Labels>,
    main_bytes: u64,
    /// Problems that the labels have with the lines that they name.
    label_faults: Vec<String>,
}

fn corpus() -> &'static [Kept] {
    static CORPUS: OnceLock<Vec<Kept>> = OnceLock::new();
    CORPUS.get_or_init(|| {
        let sources = Plan::default_corpus().0;
        let half = sources.len() / 2;
        // Every second one on either thread: the large ones are neighbours.
        let pick = |odd: usize| sources.iter().skip(odd).step_by(2).map(|source| keep(*source));
        let (even, odd): (Vec<_>, Vec<_>) = thread::scope(|scope| {
            let even = scope.spawn(|| pick(0).collect());
            let odd = scope.spawn(|| pick(1).collect());
            (even.join().unwrap(), odd.join().unwrap())
        });
        assert_eq!(odd.len(), half);
        let mut all = Vec::new();
        let mut odd = odd.into_iter();
        for one in even {
            all.push(one);
            all.extend(odd.next());
        }
        all
    })
}

fn keep(source: Source) -> Kept {
    let run = source.generate();
    let labels = run.labels.clone();
    let label_faults =
        labels.as_ref().map_or(Vec::new(), |labels| label_faults(run.session_file(), labels));
    Kept {
        entry: RunEntry::of(source, &run),
        main_bytes: run.session_file().len() as u64,
        truth: run.truth,
        labels,
        label_faults,
    }
}

fn of(profile: &str) -> Vec<&'static Kept> {
    let folder = format!("sessions/{profile}/");
    corpus().iter().filter(|run| run.entry.transcript.starts_with(&folder)).collect()
}

/// Twice the median, so that it is an integer.
fn twice_median(mut values: Vec<u64>) -> u64 {
    values.sort_unstable();
    values[(values.len() - 1) / 2] + values[values.len() / 2]
}

fn within(percent: u64, twice_median: u64, published: u64) -> bool {
    let wanted = 2 * published;
    twice_median.abs_diff(wanted) * 100 <= wanted * percent
}

#[test]
fn the_committed_manifest_agrees() {
    let manifest = default_manifest().unwrap();
    assert_eq!(manifest.runs.len(), 96);
    for (listed, generated) in manifest.runs.iter().zip(corpus()) {
        assert_eq!(
            listed, &generated.entry,
            "{}: write the manifest anew, and raise GENERATOR_VERSION",
            listed.name
        );
    }
}

#[test]
fn paper_sessions_are_in_the_published_ranges() {
    let runs = of("paper");
    assert_eq!(runs.len(), 12);
    for run in &runs {
        let (name, bytes) = (&run.entry.name, run.entry.transcript_bytes);
        assert!((500_000..=1_300_000).contains(&bytes), "{name}: {bytes} bytes");
        assert!((176..=487).contains(&run.truth.events()), "{name}: {} events", run.truth.events());
        assert!(
            (80..=226).contains(&run.truth.tool_calls),
            "{name}: {} calls",
            run.truth.tool_calls
        );
    }
    let median =
        |value: fn(&Kept) -> u64| twice_median(runs.iter().map(|run| value(run)).collect());
    assert!(within(15, median(|run| run.truth.events()), 391));
    assert!(within(15, median(|run| run.truth.tool_calls), 180));
    assert!(within(15, median(|run| run.entry.transcript_bytes), 1_100_000));
}

#[test]
fn realistic_sessions_are_in_the_published_ranges() {
    let runs = of("realistic");
    assert_eq!(runs.len(), 12);
    for run in &runs {
        let (name, truth) = (&run.entry.name, &run.truth);
        // With or without the subagents' files, in millions and in binary megabytes.
        assert!(run.main_bytes >= 26 * (1 << 20) / 10, "{name}: {} bytes", run.main_bytes);
        assert!(
            run.entry.transcript_bytes <= 24_200_000,
            "{name}: {} bytes",
            run.entry.transcript_bytes
        );
        assert!((289..=4883).contains(&truth.events()), "{name}: {} events", truth.events());
        assert!((52..=957).contains(&truth.tool_calls), "{name}: {} calls", truth.tool_calls);
        assert!(truth.errors <= 13, "{name}: {} errors", truth.errors);
    }
    let median =
        |value: fn(&Kept) -> u64| twice_median(runs.iter().map(|run| value(run)).collect());
    assert!(within(5, median(|run| run.truth.events()), 935));
    assert!(within(5, median(|run| run.truth.tool_calls), 220));
    assert!(within(5, median(|run| run.entry.transcript_bytes), 11_000_000));
    assert_eq!(median(|run| run.truth.errors), 1, "twice the median of 0.5");
}

/// The published shares of event kinds, in ten-thousandths.
const SHARES: [(&str, i64); 7] = [
    ("session_meta", 3281),
    ("tool_call", 1887),
    ("tool_result", 1886),
    ("thinking", 1500),
    ("message", 987),
    ("attachment", 445),
    ("error", 14),
];

#[test]
fn realistic_shares_of_kinds_are_the_published_ones() {
    let mut counts: BTreeMap<&str, i64> = SHARES.iter().map(|(kind, _)| (*kind, 0)).collect();
    for (kind, count) in of("realistic").iter().flat_map(|run| &run.truth.events_by_kind) {
        *counts.entry(kind).or_default() += i64::try_from(*count).unwrap();
    }
    let total: i64 = counts.values().sum();
    let published: BTreeMap<&str, i64> = SHARES.into();
    let distance: i64 = counts
        .iter()
        .map(|(kind, count)| (count * 10_000 / total - published.get(kind).unwrap_or(&0)).abs())
        .sum();
    // Total variation: half the sum. Required is 0.05.
    assert!(distance / 2 <= 200, "total variation {} / 10000, counts {counts:?}", distance / 2);
}

#[test]
fn no_constant_answer_is_right_often() {
    for profile in ["paper", "realistic"] {
        let truths: Vec<&Truth> = of(profile).iter().map(|run| &run.truth).collect();
        let differing = |values: Vec<String>| values.into_iter().collect::<BTreeSet<_>>().len();
        let all = |text: fn(&Truth) -> String| {
            differing(truths.iter().map(|truth| text(truth)).collect())
        };
        assert_eq!(all(|truth| truth.prompts.to_string()), 12, "{profile}: prompts");
        assert_eq!(all(|truth| format!("{:?}", truth.last_error)), 12, "{profile}: last errors");
        assert_eq!(all(|truth| format!("{:?}", truth.latest_request)), 12, "{profile}: requests");
        assert_eq!(all(|truth| format!("{:?}", truth.files_written)), 12, "{profile}: files");
        let top = |truth: &Truth| {
            let most = truth.per_tool.iter().max_by_key(|(_, count)| **count);
            most.map_or(String::new(), |(tool, _)| tool.clone())
        };
        assert!(all(top) >= 5, "{profile}: most used tools");
        assert!(
            truths
                .iter()
                .all(|truth| (4..=40).contains(&truth.prompts) && truth.last_error.is_some())
        );
        let dangling = truths.iter().filter(|truth| !truth.dangling.is_empty()).count();
        assert!((9..12).contains(&dangling), "{profile}: {dangling} with dangling calls");
        let tools: BTreeSet<&str> = truths
            .iter()
            .flat_map(|truth| &truth.dangling)
            .map(|call| call.tool.as_str())
            .collect();
        assert!(tools.len() >= 5, "{profile}: {tools:?}");
    }
}

#[test]
fn sessions_hold_what_real_ones_hold() {
    let sessions = of("paper").into_iter().chain(of("realistic"));
    let mut sum: BTreeMap<&str, u64> = BTreeMap::new();
    for truth in sessions.map(|run| &run.truth) {
        let counts = [
            ("interrupted", truth.interrupted_calls),
            ("denied", truth.denied_calls),
            ("failed", truth.failed_calls),
            ("in flight", truth.open_tool_calls),
            ("retries", truth.retries),
            ("compactions", truth.compactions),
            ("subagents", truth.subagents),
            ("orphan results", truth.orphan_results),
            ("orphans", truth.orphans),
            ("duplicates", truth.duplicates),
            ("bad lines", truth.bad_lines),
            ("models", truth.by_model.len() as u64 - 1),
            ("one-hour writes", truth.cache_writes.one_hour),
            ("five-minute writes", truth.cache_writes.five_minutes),
            (
                "unpriced",
                truth.by_model.keys().filter(|model| !model.starts_with("claude")).count() as u64,
            ),
            ("facts", truth.facts.values().map(|facts| facts.n).sum()),
            (
                "words among facts",
                truth.facts.values().map(|facts| facts.n - facts.n_numeric).sum(),
            ),
        ];
        for (what, count) in counts {
            *sum.entry(what).or_default() += count;
        }
        assert!(truth.naive_tokens.output > truth.tokens.output);
    }
    let missing: Vec<_> = sum.iter().filter(|(_, count)| **count == 0).collect();
    assert!(missing.is_empty(), "{missing:?}");
}

#[test]
fn the_default_set_has_48_instances_and_6_clean_traces() {
    let set: Vec<&Labels> = traces("pathology/default/");
    assert_eq!(set.len(), 30);
    assert_eq!(set.iter().filter(|labels| labels.instances.is_empty()).count(), 6);
    let count = |kind| {
        set.iter().flat_map(|labels| &labels.instances).filter(|one| one.kind == kind).count()
    };
    let counts = [Kind::Loop, Kind::ErrorStreak, Kind::ToolFlood, Kind::Stall].map(count);
    assert_eq!(counts, [13, 12, 11, 12]);
}

#[test]
fn the_hard_set_has_every_case_and_every_near_miss() {
    let set = traces("pathology/hard/");
    assert_eq!(set.len(), 30);
    let instances = set.iter().flat_map(|labels| &labels.instances);
    let kinds: BTreeSet<Kind> = instances.map(|one| one.kind).collect();
    let misses = set.iter().flat_map(|labels| &labels.near_misses);
    let why: BTreeSet<&str> = misses.map(|miss| miss.why_not.as_str()).collect();
    assert_eq!((kinds.len(), why.len()), (5, 7));
}

#[test]
fn labels_name_lines_that_hold_what_they_say() {
    let faults: Vec<&String> = corpus().iter().flat_map(|run| &run.label_faults).collect();
    assert!(faults.is_empty(), "{faults:#?}");
}

fn traces(folder: &str) -> Vec<&'static Labels> {
    let mine = corpus().iter().filter(|run| run.entry.transcript.starts_with(folder));
    mine.filter_map(|run| run.labels.as_ref()).collect()
}

/// Reads the lines that labels name and says what is wrong with them.
fn label_faults(transcript: &[u8], labels: &Labels) -> Vec<String> {
    let lines: Vec<Value> = transcript
        .split(|byte| *byte == b'\n')
        .filter(|line| !line.is_empty())
        .map(|line| serde_json::from_slice(line).unwrap())
        .collect();
    let mut faults = Vec::new();
    let mut free_from = 1;
    for one in &labels.instances {
        let inside = free_from <= one.first_line
            && one.first_line <= one.onset_line
            && one.onset_line <= one.last_line
            && one.last_line <= lines.len() as u64;
        if !inside {
            faults.push(format!("lines are not in order: {one:?}"));
            continue;
        }
        free_from = one.last_line + 1;
        let range =
            usize::try_from(one.first_line).unwrap() - 1..usize::try_from(one.last_line).unwrap();
        if !holds(one.kind, &lines[range]) {
            faults.push(format!("its lines do not hold it: {one:?}"));
        }
    }
    for miss in &labels.near_misses {
        if miss.first_line > miss.last_line || miss.last_line > lines.len() as u64 {
            faults.push(format!("no such lines: {miss:?}"));
        }
    }
    faults
}

fn holds(kind: Kind, lines: &[Value]) -> bool {
    let blocks = || lines.iter().filter_map(|line| line["message"]["content"].as_array()).flatten();
    let calls = || blocks().filter(|block| block["type"] == "tool_use");
    let most_equal = || {
        let mut seen: BTreeMap<String, usize> = BTreeMap::new();
        for call in calls() {
            *seen.entry(format!("{} {}", call["name"], call["input"])).or_default() += 1;
        }
        seen.into_values().max().unwrap_or(0)
    };
    let minutes = || {
        let minute = |line: &Value| {
            let time = line["timestamp"].as_str().unwrap();
            let part = |from: usize| time[from..from + 2].parse::<u64>().unwrap();
            part(11) * 60 + part(14)
        };
        let (from, to) = (minute(&lines[0]), minute(lines.last().unwrap()));
        // Across midnight too.
        (to + 1440 - from) % 1440
    };
    let progress = lines.iter().any(|line| line["type"] == "progress");
    match kind {
        Kind::Loop => (5..=12).contains(&most_equal()),
        Kind::ErrorStreak => {
            let results = blocks().filter(|block| block["type"] == "tool_result").count();
            let failed = blocks().filter(|block| block["is_error"] == true).count();
            (6..=12).contains(&results) && failed + 1 >= results && failed >= 5
        }
        Kind::ToolFlood => (80..=300).contains(&calls().count()) && most_equal() >= 3,
        Kind::Stall => {
            // The mode is told before the call, where no progress is.
            let web = calls().any(|call| call["name"] == "WebFetch");
            (14..=61).contains(&minutes()) && progress != web
        }
        Kind::WaitingForPerson => (30..=241).contains(&minutes()) && !progress,
    }
}
