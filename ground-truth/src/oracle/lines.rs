//! A file's bytes cut into the JSON objects that its lines hold.
//!
//! `docs/DEFINITIONS.md`, "Lines and records". What looks like a record is up to the format.

use super::parse::{Json, Kind, first_value};

/// The white space of JSON, which may stand between the objects of a line.
const JSON_SPACE: [char; 4] = [' ', '\t', '\r', '\n'];

/// One JSON object of a line, with its text.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Object {
    pub(super) text: String,
    pub(super) value: Json,
}

/// What the lines of one file hold.
#[derive(Debug, Default)]
pub(super) struct FileLines {
    /// Lines that are not blank, without the pending partial one.
    pub(super) lines: u64,
    pub(super) bad_lines: u64,
    /// Whether the file ends in a partial line that is no record yet.
    pub(super) pending: bool,
    pub(super) objects: Vec<Object>,
}

/// Reads all lines of a file.
pub(super) fn read_lines(bytes: &[u8], is_record: fn(&Json) -> bool) -> FileLines {
    let bytes = bytes.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(bytes);
    let mut pieces: Vec<&[u8]> = bytes.split(|byte| *byte == b'\n').collect();
    let tail = pieces.pop().unwrap_or_default();
    let mut file = FileLines::default();
    for piece in pieces {
        read_ended_line(&decode(piece), is_record, &mut file);
    }
    read_tail(&decode(tail), is_record, &mut file);
    file
}

/// The line's text: one CR before the line feed dropped, bytes that are not UTF-8 replaced.
fn decode(line: &[u8]) -> String {
    let line = line.strip_suffix(b"\r").unwrap_or(line);
    match std::str::from_utf8(line) {
        Ok(text) => text.to_owned(),
        Err(_) => String::from_utf8_lossy(line).into_owned(),
    }
}

fn read_ended_line(line: &str, is_record: fn(&Json) -> bool, file: &mut FileLines) {
    if line.trim().is_empty() {
        return;
    }
    let (objects, bad) = objects_of(line, is_record);
    file.lines += 1;
    file.bad_lines += u64::from(bad);
    file.objects.extend(objects);
}

/// "The last line may lack its line feed: it counts if it consists of complete JSON objects and nothing
/// else. Otherwise all of it is a pending partial line."
fn read_tail(line: &str, is_record: fn(&Json) -> bool, file: &mut FileLines) {
    if line.trim().is_empty() {
        return;
    }
    match objects_of(line, is_record) {
        (objects, false) => {
            file.lines += 1;
            file.objects.extend(objects);
        }
        (_, true) => file.pending = true,
    }
}

/// The objects of a line in order, and whether anything else was on it.
fn objects_of(line: &str, is_record: fn(&Json) -> bool) -> (Vec<Object>, bool) {
    let mut objects = Vec::new();
    let mut bad = false;
    let mut rest = line.trim_matches(JSON_SPACE);
    while !rest.is_empty() {
        let Some((object, length)) = first(rest) else {
            objects.extend(recovered(rest, is_record));
            return (objects, true);
        };
        if matches!(object.value.kind, Kind::Object(_)) {
            objects.push(object);
        } else {
            bad = true;
        }
        rest = rest[length..].trim_start_matches(JSON_SPACE);
    }
    (objects, bad)
}

/// The complete JSON value that the text starts with, and its length in the text.
fn first(text: &str) -> Option<(Object, usize)> {
    let (value, length) = first_value(text)?;
    Some((Object { text: text[..length].to_owned(), value }, length))
}

/// The complete JSON value that the text is.
fn whole(text: &str) -> Option<Object> {
    let text = text.trim_matches(JSON_SPACE);
    first(text).filter(|(_, length)| *length == text.len()).map(|(object, _)| object)
}

/// The complete records at the end of a torn line, in order: "what stands before it is looked at again".
fn recovered(torn: &str, is_record: fn(&Json) -> bool) -> Vec<Object> {
    let mut objects = Vec::new();
    let mut rest = torn;
    while let Some((object, at)) = glued(rest, is_record) {
        objects.push(object);
        rest = rest[..at].trim_end_matches(JSON_SPACE);
    }
    objects.reverse();
    objects
}

/// "When a torn record has a complete record glued to its end, the complete one is recovered: it is the
/// object whose closing brace ends the line", if it looks like a record; and where it starts.
fn glued(torn: &str, is_record: fn(&Json) -> bool) -> Option<(Object, usize)> {
    if !torn.ends_with('}') {
        return None;
    }
    let mut starts = torn.match_indices('{').map(|(at, _)| at);
    let (object, at) = starts.find_map(|at| Some((whole(&torn[at..])?, at)))?;
    is_record(&object.value).then_some((object, at))
}

#[cfg(test)]
mod tests {
    use super::super::record_types::is_record;
    use super::*;

    const MODE: &str = r#"{"type":"mode","mode":"plan"}"#;
    const USER: &str = r#"{"type":"user","message":{"content":"}{ \" hi"}}"#;

    /// Lines, bad lines, pending, and the objects' texts.
    fn read(text: impl AsRef<[u8]>) -> (u64, u64, bool, Vec<String>) {
        let file = read_lines(text.as_ref(), is_record);
        let texts = file.objects.into_iter().map(|object| object.text).collect();
        (file.lines, file.bad_lines, file.pending, texts)
    }

    fn texts(of: &[&str]) -> Vec<String> {
        of.iter().map(|&text| text.to_owned()).collect()
    }

    #[test]
    fn several_objects_on_a_line_are_several_records() {
        assert_eq!(
            read(format!("{MODE}{USER} \t{MODE}\n")),
            (1, 0, false, texts(&[MODE, USER, MODE]))
        );
    }

    #[test]
    fn a_complete_record_is_recovered_from_the_end_of_a_torn_one() {
        let torn = format!("{{\"type\":\"assistant\",\"message\":{{\"a\":\"{USER}  \n{MODE}\n");
        assert_eq!(read(torn), (2, 1, false, texts(&[USER, MODE])));
        let two = format!("{{\"type\":\"us{USER} \t{MODE}{USER} \n{{\"x {{\"a\":1}}{MODE}\n");
        assert_eq!(read(two), (2, 2, false, texts(&[USER, MODE, USER, MODE])));
        let after_a_whole_one = format!("{MODE}{{\"type\":\"us{USER}\r\n");
        assert_eq!(read(after_a_whole_one), (1, 1, false, texts(&[MODE, USER])));
    }

    #[test]
    fn what_does_not_look_like_a_record_is_not_recovered() {
        for glued in [r#"{"a":1}"#, r#"{"type":"nobody"}"#, r#"{"type":"user","message":"hi"}"#] {
            assert_eq!(read(format!("{{\"type\":\"us{glued}\n")), (1, 1, false, vec![]), "{glued}");
        }
        assert_eq!(read(format!("{{\"x{MODE}tail\n")), (1, 1, false, vec![]));
    }

    #[test]
    fn a_value_that_is_no_object_makes_the_line_bad_once() {
        assert_eq!(read(format!("[] 1 \"x\" {MODE}\n")), (1, 1, false, texts(&[MODE])));
        assert_eq!(read("nonsense\n\0\n[]\n"), (3, 3, false, vec![]));
    }

    #[test]
    fn only_a_line_feed_ends_a_line() {
        let text = format!("\u{feff}{MODE}\r\n \t \n{{\"a\":\"x\u{2028}y\u{2029}\"}}\r{MODE}\n");
        let second = "{\"a\":\"x\u{2028}y\u{2029}\"}";
        assert_eq!(read(text), (2, 0, false, texts(&[MODE, second, MODE])));
        assert_eq!(read(format!("{MODE}\n\u{feff}{MODE}\n")).1, 1, "a later mark is no mark");
    }

    #[test]
    fn the_last_line_counts_if_it_is_complete_objects_and_nothing_else() {
        assert_eq!(read(format!("{MODE}\n{USER}\r")), (2, 0, false, texts(&[MODE, USER])));
        assert_eq!(read(format!("{MODE} {USER} ")), (1, 0, false, texts(&[MODE, USER])));
        let glued = format!("{{\"type\":\"us{MODE}");
        for partial in ["{\"type\":\"mo", "[]", "7", "\0", &format!("{MODE}{{"), &glued] {
            assert_eq!(read(format!("{MODE}\n{partial}")), (1, 0, true, texts(&[MODE])));
        }
        assert_eq!(read(format!("{MODE}\n  ")), (1, 0, false, texts(&[MODE])));
        assert_eq!(read(""), (0, 0, false, vec![]));
    }

    #[test]
    fn bytes_that_are_no_utf8_are_replaced_on_their_line_alone() {
        let (lines, bad, _, objects) = read(b"{\"a\":\"\xff\xfe\"}\n{\"b\":\"\xc3\xa9\"}\n");
        assert_eq!((lines, bad), (2, 0));
        assert_eq!(objects, texts(&["{\"a\":\"\u{fffd}\u{fffd}\"}", "{\"b\":\"é\"}"]));
    }

    #[test]
    fn lone_surrogates_and_huge_numbers_leave_a_record_whole() {
        let lone = r#"{"a":"\ud800"}"#;
        assert_eq!(read(format!("{lone}\n")), (1, 0, false, texts(&[lone])));
        let huge = "{\"a\":-1e999,\"b\":[1.5E+4000,2]}";
        assert_eq!(read(format!("{huge}{MODE}\n")), (1, 0, false, texts(&[huge, MODE])));
    }

    #[test]
    fn of_a_repeated_key_the_last_value_counts() {
        let file = read_lines(b"{\"type\":\"user\",\"type\":\"mode\"}\n", is_record);
        assert_eq!(file.objects[0].value.field("type").and_then(Json::text), Some("mode"));
        let glued = format!("{{\"x{}\n", r#"{"type":"nobody","type":"mode"}"#);
        assert_eq!(read(glued).3.len(), 1, "the recovered one is a mode");
    }

    #[test]
    fn the_records_of_a_stream_are_known() {
        let result = r#"{"type":"result","modelUsage":{}}"#;
        assert_eq!(read(format!("{{\"type\":\"us{result}\n")).3, texts(&[result]));
    }
}
