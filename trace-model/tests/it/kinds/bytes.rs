//! Bytes and lines: what is torn, glued, long, not text or not JSON.

use serde_json::json;

use crate::common::{Script, fold, fold_in_pieces};

/// One record a line, each an answer of its own.
fn answers(count: u32) -> Vec<String> {
    (0..count).fold(Script::new(), |script, n| script.says(&format!("answer {n}"))).lines()
}

/// Calls, bad lines, records, unfinished bytes.
fn read(bytes: impl AsRef<[u8]>) -> [u64; 4] {
    let folded = fold(bytes.as_ref());
    let totals = folded.totals();
    [totals.calls, totals.bad_lines, folded.reading.records, totals.pending_bytes]
}

#[test]
fn several_records_on_a_line() {
    let [a, b, c] = &answers(3)[..] else { panic!() };
    for line in [
        format!("{a}{b}{c}\n"),
        format!("{a} {b}\t{c}  \n"),
        format!("{a}{b}{c}"),
        format!(" {a}\r\n{b}{c}\r\n"),
    ] {
        assert_eq!(read(&line), [3, 0, 3, 0], "{line}");
    }
    // What is left of a line after its whole records makes it bad.
    assert_eq!(read(format!("{a}{b} and more\n{c}\n")), [3, 1, 3, 0]);
    assert_eq!(read(format!("{a}{}\n{c}\n", &b[..40])), [2, 1, 2, 0]);
    assert_eq!(read(format!("{a}]{b}\n{c}\n")), [3, 1, 3, 0]);
}

#[test]
fn a_torn_record_with_whole_ones_glued_to_it() {
    let [a, b, c, d] = &answers(4)[..] else { panic!() };
    // Wherever the first is torn, also within a string, an escape, or a nested object.
    for cut in 1..a.len() {
        let torn = &a[..cut];
        assert_eq!(read(format!("{torn}{b}\n{c}\n")), [2, 1, 2, 0], "{torn}");
    }
    let torn = &a[..a.len() - 30];
    assert_eq!(read(format!("{torn}{b}{c}\n{d}\n")), [3, 1, 3, 0]);
    assert_eq!(read(format!("{torn}{b}{c}{d}\n")), [3, 1, 3, 0]);
    // A whole one before the torn one.
    assert_eq!(read(format!("{b}{torn}{c}\n{d}\n")), [3, 1, 3, 0]);
    // Bookkeeping records are recovered too, in the order of the file.
    let folded = fold(format!("{torn}{{\"type\":\"ai-title\",\"aiTitle\":\"one\"}}{{\"type\":\"ai-title\",\"aiTitle\":\"two\"}}\n").as_bytes());
    assert_eq!(folded.state.identity().title.as_deref(), Some("two"));
    assert_eq!(folded.reading.bad.len(), 1);
    assert_eq!((folded.reading.bad[0].at.line.0, folded.reading.bad[0].recovered), (1, 2));
}

#[test]
fn a_part_of_a_torn_record_is_no_record() {
    // The last object of what is left is a block, a usage, or nothing that stands alone.
    for line in [
        r#"{"type":"assistant","message":{"content":[{"type":"text","text":"x"}"#,
        r#"ype":"assistant","message":{"usage":{"output_tokens":9}}"#,
        r#"torn {"type":"user"}"#,
        r#"torn {"type":"user","message":"text"}"#,
        r#"torn {"type":"stranger","message":{}}"#,
        r#"torn {"message":{"content":"x"}}"#,
        r#"torn [{"type":"mode"}]"#,
        r#"torn {"type":"mode"} torn"#,
    ] {
        assert_eq!(read(format!("{line}\n")), [0, 1, 0, 0], "{line}");
        assert_eq!(read(line)[..3], [0, 0, 0], "unfinished: {line}");
    }
    // A text that holds a record does not make one.
    let quoting = Script::new().prompt("{\"type\":\"mode\"}").lines().remove(0);
    assert_eq!(read(format!("{}\n", &quoting[..quoting.len() - 1])), [0, 1, 0, 0]);
}

#[test]
fn bad_lines_between_good_ones() {
    let good = answers(9);
    let bad: [&[u8]; 8] =
        [b"not json", b"[]", b"12", b"\"text\"", b"null", b"{\"open\":", b"}{", b"\x00\x01"];
    let mut bytes = Vec::new();
    for (good, bad) in good.iter().zip(bad) {
        bytes.extend([good.as_bytes(), b"\n", bad, b"\n"].concat());
    }
    assert_eq!(read(&bytes), [8, 8, 8, 0]);
    let reading = fold(&bytes).reading;
    let places: Vec<u64> = reading.bad.iter().map(|bad| bad.at.line.0).collect();
    assert_eq!(places, [2, 4, 6, 8, 10, 12, 14, 16]);
    let offsets = reading.bad.iter().map(|bad| usize::try_from(bad.at.offset.0).unwrap());
    for (offset, bad) in offsets.zip(bad) {
        assert!(bytes[offset..].starts_with(bad));
    }
    // Blank lines are nothing; an empty object is a record that says nothing.
    assert_eq!(read("\n  \n\t\r\n{}\n"), [0, 0, 1, 0]);
    assert_eq!(read(""), [0, 0, 0, 0]);
}

#[test]
fn the_last_line_counts_if_it_is_whole() {
    let [a, b] = &answers(2)[..] else { panic!() };
    assert_eq!(read(format!("{a}\n{b}")), [2, 0, 2, 0]);
    assert_eq!(read(format!("{a}\n{b}{a}")), [2, 0, 3, 0]);
    for cut in 1..b.len() {
        assert_eq!(read(format!("{a}\n{}", &b[..cut])), [1, 0, 1, cut as u64]);
    }
    // One that is whole but for something behind it is unfinished as a whole.
    assert_eq!(read(format!("{a}\n{b}{{\"t")), [1, 0, 1, b.len() as u64 + 3]);
    assert_eq!(read(format!("{a}\n12")), [1, 0, 1, 2]);
}

#[test]
fn very_long_lines() {
    let long = "long ".repeat(700_000);
    let script = Script::new().prompt("go").says(&long).bash("cat", &long).says("end");
    let bytes = script.bytes();
    assert!(bytes.len() > 7_000_000);
    assert_eq!(read(&bytes), [3, 0, 5, 0]);
    let folded = fold(&bytes);
    let pieces: Vec<usize> = (0..bytes.len()).step_by(100_000).collect();
    assert_eq!(fold_in_pieces(&bytes, &pieces).state, folded.state);
    assert!(folded.json().len() < 60_000, "the state does not hold it");
}

#[test]
fn ends_of_lines_and_marks() {
    let [a, b, c] = &answers(3)[..] else { panic!() };
    assert_eq!(read(format!("\u{feff}{a}\r\n{b}\r\n{c}")), [3, 0, 3, 0]);
    assert_eq!(read("\u{feff}"), [0, 0, 0, 3]);
    // A byte-order mark belongs to the start of the file only.
    assert_eq!(read(format!("{a}\n\u{feff}{b}\n{c}\n"))[1], 1);
    // A lone CR is white space between records, and ends no line.
    assert_eq!(read(format!("{a}\r{b}\r\r\n{c}\n")), [3, 0, 3, 0]);
    // Separators of Unicode are text like any other.
    let text = "one\u{2028}two\u{2029}three\u{85}four\u{c}";
    let script = Script::new().prompt(text).prompt("x\u{2028}");
    assert!(script.lines()[0].contains('\u{2028}'));
    let folded = script.fold();
    assert_eq!((folded.reading.bad_lines, folded.totals().prompts), (0, 2));
    assert_eq!(folded.state.conversation().goal().unwrap().text.text, text.trim_end());
    // Outside a string they are nothing that JSON knows.
    assert_eq!(read(format!("{a}\u{2028}\n{b}\n")), [2, 1, 2, 0]);
    // A NUL byte is no white space; escaped in a string it is text.
    assert_eq!(read(format!("{a}\0\n{b}\n")), [2, 1, 2, 0]);
    assert_eq!(fold(&Script::new().prompt("a\0b").bytes()).totals().prompts, 1);
}

#[test]
fn bytes_that_are_no_text_spoil_their_line_alone() {
    let lines = answers(2);
    let mut bytes = Script::new().prompt("caf\u{e9} BROKEN \u{1f600}").bytes();
    let at = bytes.windows(6).position(|window| window == b"BROKEN").unwrap();
    bytes.splice(at..at + 6, *b"\xff\xc3\xe2\x82!");
    bytes.extend(format!("{}\n{}\n", lines[0], lines[1]).bytes());
    let folded = fold(&bytes);
    assert_eq!((folded.reading.lossy_lines, folded.reading.bad_lines), (1, 0));
    assert_eq!((folded.totals().prompts, folded.totals().calls), (1, 2));
    let goal = &folded.state.conversation().goal().unwrap().text.text;
    assert_eq!(goal, "caf\u{e9} \u{fffd}\u{fffd}\u{fffd}! \u{1f600}");
    // Between records they are bad.
    assert_eq!(read([lines[0].as_bytes(), b"\xff\n", lines[1].as_bytes()].concat()), [2, 1, 2, 0]);
}

#[test]
fn halves_of_characters_and_numbers_beyond_range_are_mended() {
    let prompt = |text: &str| {
        format!(r#"{{"type":"user","uuid":"u{}","message":{{"content":"{text}"}}}}"#, text.len())
            + "\n"
    };
    let text = |line: &str| {
        let folded = fold(line.as_bytes());
        assert_eq!((folded.reading.bad_lines, folded.reading.records), (0, 1), "{line}");
        let goal = folded.state.conversation().goal().map(|goal| goal.text.text.clone());
        (goal.unwrap(), folded.reading.repaired_lines)
    };
    assert_eq!(text(&prompt(r"cut \ud83d")), ("cut \u{fffd}".to_owned(), 1));
    assert_eq!(text(&prompt(r"\ude00 cut")), ("\u{fffd} cut".to_owned(), 1));
    assert_eq!(text(&prompt(r"\ud83d\ude00")), ("\u{1f600}".to_owned(), 0));
    assert_eq!(text(&prompt(r"\\ud83d")), (r"\ud83d".to_owned(), 0));
    assert_eq!(
        text(&prompt(r"\ud83d\ud83d\ude00 \uDBFF")),
        ("\u{fffd}\u{1f600} \u{fffd}".to_owned(), 1)
    );
    // A number beyond a double's range is null, the record whole.
    let usage = |number: &str| {
        let line = format!(
            r#"{{"type":"assistant","message":{{"id":"m","usage":{{"input_tokens":{number},"output_tokens":7}}}}}}"#
        );
        let folded = fold(line.as_bytes());
        assert_eq!((folded.reading.bad_lines, folded.totals().calls), (0, 1), "{number}");
        assert_eq!(folded.totals().tokens.output, 7);
        (folded.totals().tokens.input, folded.reading.degraded_fields.contains_key("input_tokens"))
    };
    assert_eq!(usage("1e999"), (0, false));
    assert_eq!(usage("-1e999"), (0, false));
    assert_eq!(usage("1e15"), (1_000_000_000_000_000, true));
    assert_eq!(usage("1e16"), (0, true));
    assert_eq!(usage("1000000000000001"), (0, true));
    assert_eq!(usage("99999999999999999999999"), (0, true));
    // Both at once, on a line of two records, the second after a torn one.
    let line = format!("{}{}", prompt(r"half \ud83d").trim_end(), r#"{"type":"mode","x":1e999}"#);
    assert_eq!(read(&line), [0, 0, 2, 0]);
    let torn = format!("{{\"type\":\"user\",\"mess{}", prompt(r"half \ud83d"));
    let folded = fold(torn.as_bytes());
    assert_eq!((folded.totals().prompts, folded.reading.bad_lines), (1, 1));
}

#[test]
fn deep_nesting_loses_one_line_at_most() {
    let [a, b] = &answers(2)[..] else { panic!() };
    let deep = format!("{}1{}", "[".repeat(100_000), "]".repeat(100_000));
    let record = format!(r#"{{"type":"user","message":{{"content":"x"}},"extra":{deep}}}"#);
    let folded = fold(format!("{a}\n{record}\n{deep}\n{b}\n").as_bytes());
    assert_eq!(folded.totals().calls, 2);
    assert!(folded.reading.bad_lines >= 1);
    // As a tool's input, nested as deep as the parser goes.
    let input = format!("{}{}", "[".repeat(60), "]".repeat(60));
    let call = Script::new().call(
        "t",
        "X",
        json!({"a": serde_json::from_str::<serde_json::Value>(&input).unwrap()}),
    );
    assert_eq!(call.fold().totals().tool_calls, 1);
}
