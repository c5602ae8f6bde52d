//! Facts are right or absent: what counts as one, how readings of the same source replace one
//! another, and what aggregates and views say of them.

use std::fmt::Write as _;

use serde_json::json;
use trace_model::fold::{FactConfig, FoldConfig, Statistic};

use crate::common::{Folded, Script};

fn start() -> Script {
    Script::new().prompt("go")
}

fn config(facts: FactConfig) -> FoldConfig {
    FoldConfig { facts, ..FoldConfig::default() }
}

fn showing(in_view: usize) -> FoldConfig {
    config(FactConfig { in_view, ..FactConfig::default() })
}

fn all_statistics(in_view: usize) -> FoldConfig {
    let statistics = Statistic::ALL.to_vec();
    config(FactConfig { in_view, statistics, ..FactConfig::default() })
}

/// The facts that a view shows, as `source:line key=value`.
fn shown(folded: &Folded) -> Vec<String> {
    let facts = folded.state.shown_facts().into_iter();
    facts.map(|f| format!("{}:{} {}={}", f.source, f.line, f.key, f.value)).collect()
}

/// A key's aggregate as `facts/numbers` and its statistics, `-` if the key has none.
fn summary(folded: &Folded, key: &str) -> String {
    let aggregates = folded.state.aggregates();
    let Some(aggregate) = aggregates.iter().find(|a| a.key == key) else { return "-".to_owned() };
    let mut text = format!("{}/{}", aggregate.facts, aggregate.numeric);
    for (statistic, total) in &aggregate.statistics {
        let _ = write!(text, " {} {total}", statistic.name());
    }
    text
}

#[test]
fn a_value_that_may_be_cut_gives_no_fact() {
    let long = "9".repeat(201);
    let text = format!(
        "a = 12… \nb = 12 [output truncated]\nc = 1 (3 lines truncated)\nd = <truncated 5 lines>\n\
         e = {long}\nf = {}\ng = 7",
        &long[..200]
    );
    let folded = start().read("a.txt", &text).fold();
    assert_eq!(shown(&folded), [format!("a.txt:6 f={}", &long[..200]), "a.txt:7 g=7".to_owned()]);
}

#[test]
fn a_preview_of_a_stored_result_gives_no_fact_and_takes_none_back() {
    let preview = "<persisted-output>\nsaved to: /tool-results/x.txt\n\nPreview:\nx = 9\ny = 9";
    let folded = start().read("a.txt", "x = 1").read("a.txt", preview).fold();
    assert_eq!(shown(&folded), ["a.txt:1 x=1"]);
    let folded = start().bash("make", preview).fold();
    assert_eq!(folded.state.fact_count(), 0);
}

#[test]
fn line_numbers_before_lines_are_no_part_of_them() {
    let tabs = "     9\tx = 1\n    10\ty = 2\n    11\t12 = 3";
    let arrows = "     9→x = 1\n    10→y = 2";
    let expected = ["a.txt:9 x=1", "a.txt:10 y=2"];
    assert_eq!(shown(&start().read_part("a.txt", Some(9), Some(3), tabs).fold()), expected);
    assert_eq!(shown(&start().read_part("a.txt", Some(9), Some(2), arrows).fold()), expected);
    // Whichever way the lines are numbered, they are the same lines.
    let folded = start()
        .read_part("a.txt", Some(9), Some(3), tabs)
        .read_part("a.txt", Some(9), Some(2), arrows)
        .read_part("a.txt", Some(9), Some(2), "x = 1\ny = 2")
        .fold();
    assert_eq!(shown(&folded), expected);
    assert_eq!(summary(&folded, "x"), "1/1 sum 1");
}

#[test]
fn shapes_of_assignments() {
    let spaces = " ".repeat(3000);
    let text = format!(
        "k = 1\n_ = 2\n{spaces}wide{spaces}={spaces}3\na == 4\nb => 5\nc =~ 6\nd != 7\ne += 8\n\
         crlf = 9\r\n\tx.y-z_0\t=\t-10\n1k = 11\nlet v = 12\n= 13\nnone =\nurl = a=b"
    );
    let folded = start().read("a.txt", &text).fold();
    assert_eq!(
        shown(&folded),
        [
            "a.txt:1 k=1",
            "a.txt:2 _=2",
            "a.txt:3 wide=3",
            "a.txt:9 crlf=9",
            "a.txt:10 x.y-z_0=-10",
            "a.txt:15 url=a=b",
        ]
    );
}

/// Megabytes of spaces, keys and signs that almost make an assignment: quadratic work on them would
/// take hours.
#[test]
fn long_lines_take_linear_time() {
    let almost = [" ".repeat(2_000_000), "k".repeat(2_000_000), "a ".repeat(1_000_000)];
    let mut text = almost.join("\n");
    let _ = write!(text, "\nk{}= 1\n{}= 2", " ".repeat(2_000_000), "=".repeat(2_000_000));
    let folded = start().read("a.txt", &text).fold();
    assert_eq!(shown(&folded), ["a.txt:4 k=1"]);
}

#[test]
fn a_view_shows_a_value_as_it_was_written() {
    let folded = start().read("a.txt", "x = two  spaces\ny = a\u{202e}b").fold();
    let view = folded.view();
    assert!(view.contains("\n  1: x = two  spaces\n"), "{view}");
    assert!(view.contains("\n  2: y = a\\u{202e}b\n"), "{view}");
}

#[test]
fn a_file_read_again_counts_once() {
    let text = "delta = 1\ndelta = 1\ndelta = 3";
    let once = start().read("a.txt", text);
    let thrice = once.clone().read("a.txt", text).read("a.txt", text);
    assert_eq!(summary(&once.fold(), "delta"), "3/3 sum 5");
    assert_eq!(summary(&thrice.fold(), "delta"), "3/3 sum 5");
    assert_eq!(shown(&thrice.fold()), shown(&once.fold()));
}

#[test]
fn a_changed_value_replaces_the_old_one_though_it_was_evicted() {
    let mut script = start();
    for n in 1..=9 {
        script = script.read(&format!("{n}.txt"), &format!("delta = {n}"));
    }
    let folded = script.fold_with(all_statistics(3));
    assert_eq!(shown(&folded), ["7.txt:1 delta=7", "8.txt:1 delta=8", "9.txt:1 delta=9"]);
    // 1 - 2 + 3 - … + 9.
    let before = "9/9 sum 45 min 1 max 9 last 9 alternating_sum 5";
    assert_eq!(summary(&folded, "delta"), before);
    // The second, long out of view, is now 20: it keeps its place in the order of facts.
    let folded = script.read("2.txt", "delta = 20").fold_with(all_statistics(3));
    assert_eq!(shown(&folded), ["8.txt:1 delta=8", "9.txt:1 delta=9", "2.txt:1 delta=20"]);
    let after = "9/9 sum 63 min 1 max 20 last 9 alternating_sum -13";
    assert_eq!(summary(&folded, "delta"), after);
}

#[test]
fn a_part_replaces_only_its_range() {
    let whole: Vec<String> = (1..=10).map(|n| format!("v = {n}")).collect();
    let script = start().read("a.txt", &whole.join("\n"));
    assert_eq!(summary(&script.fold(), "v"), "10/10 sum 55");
    // Lines 4 to 6 are 40, gone, 60: 55 - 4 - 5 - 6 + 40 + 60.
    let part = "     4\tv = 40\n     5\t# gone\n     6\tv = 60";
    let folded = script.clone().read_part("a.txt", Some(4), Some(3), part).fold();
    assert_eq!(summary(&folded, "v"), "9/9 sum 140");
    // The same without printed numbers: they are counted from the offset.
    let part = "v = 40\n# gone\nv = 60";
    let folded = script.clone().read_part("a.txt", Some(4), Some(3), part).fold();
    assert_eq!(summary(&folded, "v"), "9/9 sum 140");
    // Without a limit the range has no end: 1 + 2 + 3 + 9.
    let folded = script.clone().read_part("a.txt", Some(4), None, "v = 9").fold();
    assert_eq!(summary(&folded, "v"), "4/4 sum 15");
    // Without an offset it starts at the first line: 100 + 3 + … + 10.
    let folded = script.clone().read_part("a.txt", None, Some(2), "v = 100\n# gone").fold();
    assert_eq!(summary(&folded, "v"), "9/9 sum 152");
    // A part that shows less than it was asked for says that there is no more: 1 + 2 + 3 + 8.
    let folded = script.clone().read_part("a.txt", Some(4), Some(100), "v = 8").fold();
    assert_eq!(summary(&folded, "v"), "4/4 sum 14");
    // A part that shows more than it was asked for replaces what it shows.
    let folded = script.read_part("a.txt", Some(4), Some(1), "v = 4\nv = 50\nv = 6").fold();
    assert_eq!(summary(&folded, "v"), "10/10 sum 100");
}

#[test]
fn parts_read_one_after_the_other_make_the_whole() {
    let part = |from: u64| {
        let lines: Vec<String> = (from..from + 50).map(|n| format!("{n:6}→v = {n}")).collect();
        lines.join("\n")
    };
    let mut script = start();
    for from in [1, 51, 101, 51, 1] {
        script = script.read_part("a.txt", Some(from), Some(50), &part(from));
    }
    // 1 + … + 150, though two parts were read twice.
    assert_eq!(summary(&script.fold(), "v"), "150/150 sum 11325");
    // Parts that overlap count what they share once.
    let folded = start()
        .read_part("a.txt", Some(1), Some(50), &part(1))
        .read_part("a.txt", Some(26), Some(50), &part(26))
        .fold();
    assert_eq!(summary(&folded, "v"), "75/75 sum 2850");
}

#[test]
fn a_file_that_has_shrunk_loses_its_last_facts() {
    let script = start().read("a.txt", "v = 1\nw = 5\nv = 2\nv = 3").read("a.txt", "v = 1\nv = 2");
    let folded = script.fold();
    assert_eq!(summary(&folded, "v"), "2/2 sum 3");
    assert_eq!(summary(&folded, "w"), "-");
    assert_eq!(shown(&folded), ["a.txt:1 v=1", "a.txt:2 v=2"]);
    // Read again with nothing that is a fact in it, the source has none.
    assert_eq!(script.read("a.txt", "empty").fold().state.fact_count(), 0);
}

#[test]
fn a_write_forgets_what_was_read() {
    let read = start().read("a.txt", "v = 1").read("b.txt", "v = 2");
    for tool in ["Write", "Edit", "MultiEdit", "write_file", "edit_file", "str_replace_editor"] {
        let folded = read.clone().done(tool, json!({"file_path": "a.txt"}), "ok").fold();
        assert_eq!(shown(&folded), ["b.txt:1 v=2"], "{tool}");
        assert_eq!(summary(&folded, "v"), "1/1 sum 2", "{tool}");
    }
    // A write that failed has changed nothing, one in flight has not yet.
    let failed = read.clone().call("e", "Edit", json!({"file_path": "a.txt"}));
    assert_eq!(failed.fold().state.fact_count(), 2);
    assert_eq!(failed.fails("e", "String to replace not found").fold().state.fact_count(), 2);
    // A subagent's write changes the same file.
    let by_agent = json!({"agentId": "a1", "isSidechain": true});
    let written = read
        .call("w", "Write", json!({"file_path": "a.txt"}))
        .with(by_agent.clone())
        .result("w", "ok")
        .with(by_agent);
    assert_eq!(shown(&written.fold()), ["b.txt:1 v=2"]);
    // Read after the write, it has facts again, at the end of their order.
    let folded = written.read("a.txt", "v = 10").fold_with(all_statistics(120));
    assert_eq!(summary(&folded, "v"), "2/2 sum 12 min 2 max 10 last 10 alternating_sum -8");
}

#[test]
fn one_long_file_does_not_push_out_everything_else() {
    let long: Vec<String> = (1..=150).map(|n| format!("row{n} = {n}")).collect();
    let few = "host = alpha\nport = 8080\nuser = ann\nzone = 4\nmode = dry";
    let small_first = start().read("few.txt", few).read("long.txt", &long.join("\n")).fold();
    let small_last = start().read("long.txt", &long.join("\n")).read("few.txt", few).fold();
    for folded in [small_first, small_last] {
        let facts = shown(&folded);
        assert_eq!(facts.len(), 120);
        let small: Vec<&String> = facts.iter().filter(|f| f.starts_with("few.txt")).collect();
        assert_eq!(small.len(), 5, "{facts:?}");
        assert_eq!(folded.state.fact_count(), 155);
        // Every key has its aggregate, in view or not.
        assert_eq!(folded.state.aggregates().len(), 155);
    }
}

#[test]
fn a_key_without_values_in_view_stays_as_its_aggregate() {
    let mut script = start().read("first.txt", "early = 1.5\nearly = 2.5\nname = x");
    for n in 0..20 {
        script = script.read(&format!("{n}.txt"), "v = 1");
    }
    let view = script.fold_with(showing(5)).view();
    let line = "- early sum 4, over 2 values, up to and including first.txt (event 2); 0 of 2 are \
                listed below\n";
    assert!(view.contains(line), "{view}");
    assert!(view.contains("- name over the 0 numbers among 1 values, up to"), "{view}");
    assert!(!view.contains(": early = "), "{view}");
}

#[test]
fn a_value_that_is_no_number_does_not_hide_the_others() {
    let folded = start().read("a.txt", "v = 1\nv = pending\nv = 2.5\nv = 1e3").fold();
    assert_eq!(summary(&folded, "v"), "4/2 sum 3.5");
    let view = folded.view();
    assert!(view.contains("- v sum 3.5, over the 2 numbers among 4 values, up to"), "{view}");
}

#[test]
fn decimals_are_exact_and_signs_count() {
    let ten = (0..10).fold(String::new(), |text, _| text + "tenth = 0.1\n");
    let folded = start().read("a.txt", &ten).fold();
    assert_eq!(summary(&folded, "tenth"), "10/10 sum 1");
    let text = "v = -0.30\nv = +0.1\nv = 0.20\nw = 9999999999999999999999999999\n\
                w = 0.000000000000000000000000001\nw = 99999999999999999999999999999";
    let folded = start().read("a.txt", text).fold_with(all_statistics(120));
    assert_eq!(summary(&folded, "v"), "3/3 sum 0 min -0.3 max 0.2 last 0.2 alternating_sum -0.2");
    // The last has 29 digits: no number, rather than a rounded one.
    assert!(
        summary(&folded, "w")
            .starts_with("3/2 sum 9999999999999999999999999999.000000000000000000000000001 "),
        "{}",
        summary(&folded, "w")
    );
}

#[test]
fn statistics_follow_the_order_in_which_facts_were_first_read() {
    let script =
        start().read("a.txt", "v = 5").read("b.txt", "v = 2\nv = 8").read("c.txt", "v = 1");
    let folded = script.fold_with(all_statistics(120));
    assert_eq!(summary(&folded, "v"), "4/4 sum 16 min 1 max 8 last 1 alternating_sum 10");
    // Reading an earlier source again moves nothing.
    let again = script.clone().read("a.txt", "v = 5").fold_with(all_statistics(120));
    assert_eq!(summary(&again, "v"), summary(&folded, "v"));
    // One that goes moves those behind it: 5 - 8 + 1.
    let shrunk = script.read("b.txt", "v = 8").fold_with(all_statistics(120));
    assert_eq!(summary(&shrunk, "v"), "3/3 sum 14 min 1 max 8 last 1 alternating_sum -2");
    // Only what was declared is computed.
    let default = start().read("a.txt", "v = 5").fold();
    assert_eq!(summary(&default, "v"), "1/1 sum 5");
}

#[test]
fn aggregates_beyond_the_tracked_cap_say_that_they_are_incomplete() {
    let capped = config(FactConfig { tracked: 3, ..FactConfig::default() });
    let folded = start().read("a.txt", "v = 1\nv = 2\nv = 4\nv = 8\nv = 16").fold_with(capped);
    assert_eq!(summary(&folded, "v"), "3/3 sum 7");
    let view = folded.view();
    assert!(view.contains("; INCOMPLETE: 2 further values were not tracked\n"), "{view}");
    let folded = start().read("a.txt", "v = 1").fold();
    assert!(!folded.view().contains("INCOMPLETE"));
}

#[test]
fn tools_that_search_list_or_write_state_no_facts() {
    for tool in ["Grep", "Glob", "LS", "search", "list_files", "Write", "Edit", "NotebookEdit"] {
        let folded = start().done(tool, json!({"path": "a.txt"}), "v = 1").fold();
        assert_eq!(folded.state.fact_count(), 0, "{tool}");
    }
    for tool in ["Read", "NotebookRead", "view_file", "Bash", "WebFetch", "mcp__x__y"] {
        let folded = start().done(tool, json!({"path": "a.txt"}), "v = 1").fold();
        assert_eq!(shown(&folded), ["a.txt:1 v=1"], "{tool}");
    }
}

#[test]
fn what_subagents_read_is_not_what_the_main_thread_has_seen() {
    let agent = json!({"agentId": "a1", "isSidechain": true});
    let side = json!({"isSidechain": true});
    for thread in [agent, side] {
        let folded = start()
            .call("t", "Read", json!({"file_path": "a.txt"}))
            .with(thread.clone())
            .result("t", "v = 1")
            .with(thread)
            .fold();
        assert_eq!(folded.state.fact_count(), 0);
        assert_eq!(folded.state.files()["a.txt"].reads(), 1);
    }
}

#[test]
fn only_results_that_succeeded_state_facts() {
    let call = start().call("t", "Read", json!({"file_path": "a.txt"}));
    assert_eq!(call.clone().result("t", "v = 1").fold().state.fact_count(), 1);
    assert_eq!(call.clone().fails("t", "v = 1").fold().state.fact_count(), 0);
    let denied = call.clone().result("t", "v = 1").with(json!({"toolDenialKind": "user-rejected"}));
    assert_eq!(denied.fold().state.fact_count(), 0);
    let interrupted = call.result("t", "[Request interrupted by user]\nv = 1");
    assert_eq!(interrupted.fold().state.fact_count(), 0);
}

#[test]
fn results_that_are_early_late_or_repeated() {
    let read = |script: Script| script.call("t", "Read", json!({"file_path": "a.txt"}));
    // Before its call, a result has no source.
    let early = read(start().result("t", "v = 1")).fold();
    assert_eq!((early.state.fact_count(), early.state.results()), (0, 1));
    // After an interruption it is as good as any.
    let late = read(start()).interruption().result("t", "v = 1").fold();
    assert_eq!(shown(&late), ["a.txt:1 v=1"]);
    // A second result of the call says nothing new, whatever it says.
    let repeated = read(start()).result("t", "v = 1").result("t", "v = 2\nv = 3").fold();
    assert_eq!(shown(&repeated), ["a.txt:1 v=1"]);
}

#[test]
fn the_source_of_a_call_without_a_path_is_its_whole_input() {
    let folded = start()
        .bash("cat x", "v = 1")
        .bash("cat x", "v = 2")
        .done("Bash", json!({"command": "cat x", "timeout": 5}), "v = 4")
        .fold();
    assert_eq!(
        shown(&folded),
        [r#"Bash: {"command":"cat x"}:1 v=2"#, r#"Bash: {"command":"cat x","timeout":5}:1 v=4"#,]
    );
    // Key order and spacing are no part of the input.
    let input = |text: &str| {
        format!(
            r#"{{"type":"assistant","uuid":"{0}","message":{{"id":"{0}","content":[{{"type":"tool_use","id":"{0}","name":"Query","input":{text}}}]}}}}"#,
            text.len()
        ) + "\n"
    };
    let (one, two) = (r#"{"a":1,"b":{"y":2,"x":3}}"#, r#"{ "b": {"x": 3, "y": 2}, "a": 1 }"#);
    let folded = start()
        .raw(input(one))
        .result(&one.len().to_string(), "v = 1")
        .raw(input(two))
        .result(&two.len().to_string(), "v = 2")
        .fold();
    assert_eq!(shown(&folded), [r#"Query: {"a":1,"b":{"x":3,"y":2}}:1 v=2"#]);
}

#[test]
fn a_long_source_is_kept_apart_by_its_whole_name() {
    let path = |end: char| format!("{}{end}", "deep/".repeat(100));
    let folded = start().read(&path('a'), "v = 1").read(&path('b'), "v = 2").fold();
    assert_eq!(summary(&folded, "v"), "2/2 sum 3");
    let sources: Vec<&str> = folded.state.shown_facts().iter().map(|f| f.source).collect();
    assert_ne!(sources[0], sources[1]);
    assert!(sources[0].starts_with(&path('a')[..160]) && sources[0].contains("…#"));
}
