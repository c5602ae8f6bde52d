use super::*;

const RECORD: &str = r#"{"type":"user","uuid":"a","message":{"content":"hello"}}"#;

/// Reads pieces and returns how many records came of them, with the reader.
fn read(reader: TranscriptReader, pieces: &[&[u8]]) -> (u32, TranscriptReader) {
    let (mut reader, mut records) = (reader, 0);
    for piece in pieces {
        reader.feed(piece, |_| records += 1);
    }
    (records, reader)
}

fn reader() -> TranscriptReader {
    TranscriptReader::new(FileRole::default())
}

#[test]
fn a_line_above_the_limit_is_a_bad_line_and_the_next_is_read() {
    let long = format!("{{\"type\":\"user\",\"message\":{{\"content\":\"{}\"}}}}", "x".repeat(200));
    let text = format!("{RECORD}\n{long}\n{RECORD}\n");
    for size in [1, 7, 64, 1000] {
        let pieces: Vec<&[u8]> = text.as_bytes().chunks(size).collect();
        let (records, reader) = read(reader().with_max_line(100), &pieces);
        let stats = reader.stats();
        assert_eq!((records, stats.lines, stats.bad_lines), (2, 3, 1));
        let offset = ByteOffset(RECORD.len() as u64 + 1);
        let at = RawRef { line: LineNumber(2), offset };
        assert_eq!(stats.bad, [BadLine { at, recovered: 0, too_long: true }]);
        assert_eq!(stats.bytes, text.len() as u64);
    }
    // A line of exactly the limit is read; one byte more is not.
    let line = format!("{RECORD}\n");
    assert_eq!(read(reader().with_max_line(RECORD.len()), &[line.as_bytes()]).0, 1);
    assert_eq!(read(reader().with_max_line(RECORD.len() - 1), &[line.as_bytes()]).0, 0);
}

/// Of a last line above the limit nothing is kept, but how long it is.
#[test]
fn an_unfinished_line_above_the_limit_stays_pending() {
    let (_, mut reader) = read(reader().with_max_line(10), &[b"{\"type\":", &[b' '; 5000]]);
    assert_eq!(reader.stats().pending_bytes, 5008);
    assert!(reader.splitter.pending.capacity() < 100);
    reader.finish(|_| panic!("nothing is whole here"));
    assert_eq!((reader.stats().pending_bytes, reader.stats().bad_lines), (5008, 0));
    reader.feed(b"}\n{\"a\":1}\n", |_| {});
    assert_eq!((reader.stats().pending_bytes, reader.stats().bad_lines), (0, 1));
    assert_eq!(reader.stats().records, 1);
}

#[test]
fn bad_lines_are_placed_and_all_are_counted() {
    let text = format!("{RECORD}\nbad\n\n{RECORD}{RECORD}\r\ntorn{RECORD}\n");
    let (records, reader) = read(reader(), &[text.as_bytes()]);
    assert_eq!(records, 4);
    let place = |line: u64, found: &str| RawRef {
        line: LineNumber(line),
        offset: ByteOffset(text.find(found).unwrap() as u64),
    };
    assert_eq!(
        reader.stats().bad,
        [
            BadLine { at: place(2, "bad"), recovered: 0, too_long: false },
            BadLine { at: place(5, "torn"), recovered: 1, too_long: false },
        ]
    );
    // The first hundred are kept.
    let many = "bad\n".repeat(KEPT_BAD_LINES + 50);
    let (_, reader) = read(self::reader(), &[many.as_bytes()]);
    assert_eq!((reader.stats().bad_lines, reader.stats().bad.len()), (150, KEPT_BAD_LINES));
    let mut both = reader.stats().clone();
    both.add(reader.stats());
    assert_eq!((both.bad_lines, both.bad.len()), (300, KEPT_BAD_LINES));
}

#[test]
fn records_know_where_they_stand() {
    let text = format!("\u{feff}{RECORD}\r\n\n  {RECORD}{RECORD}\n{RECORD}");
    let mut places = Vec::new();
    let mut reader = reader();
    let mut note = |record: &Record<'_>| places.push((record.at.line.0, record.at.offset.0));
    reader.feed(text.as_bytes(), &mut note);
    reader.finish(&mut note);
    // The offset is that of the line, with whatever it starts with.
    let third = 3 + RECORD.len() as u64 + 3;
    let fourth = third + 2 + 2 * RECORD.len() as u64 + 1;
    assert_eq!(places, [(1, 0), (3, third), (3, third), (4, fourth)]);
}

#[test]
fn a_token_is_where_the_pending_line_starts() {
    let text = format!("{RECORD}\n{RECORD}\n{}", &RECORD[..20]);
    let (records, mut reader) = read(reader(), &[text.as_bytes()]);
    assert_eq!((records, reader.stats().pending_bytes), (2, 20));
    let token = reader.token();
    assert_eq!(token.offset.0, text.len() as u64 - 20);
    assert_eq!((token.line.0, token.seq.0), (3, 2));
    let fresh = read(self::reader(), &[&text.as_bytes()[..text.len() - 20]]).1;
    assert_eq!(token, fresh.token(), "the pending line is no part of it");
    // Taking the end as final moves nothing as long as the line is not whole.
    reader.finish(|_| panic!("the line is torn"));
    assert_eq!((reader.token(), reader.stats().pending_bytes), (token, 20));
    reader.feed(&RECORD.as_bytes()[20..], |_| panic!("no line feed yet"));
    let mut last = 0;
    reader.finish(|_| last += 1);
    assert_eq!((last, reader.stats().pending_bytes), (1, 0));
    assert_eq!(reader.token().offset.0, 3 * RECORD.len() as u64 + 2);
    // The line feed that comes after all ends the line that was read.
    reader.feed(b"\n", |_| panic!("it was read"));
    assert_eq!((reader.token().line.0, reader.stats().records), (4, 3));
}

#[test]
fn odd_bytes_are_counted_by_what_they_are() {
    let text = [
        RECORD.as_bytes(),
        b"\n{\"type\":\"mode\",\"x\":\"\xff\"}\n{\"type\":\"mode\",\"cwd\":\"\\ud800\",\"timestamp\":1e999}\n\
          {\"type\":\"stranger\",\"sessionId\":5}\n",
    ];
    let (records, reader) = read(reader(), &text);
    let stats = reader.stats();
    assert_eq!(
        (records, stats.known_records, stats.lossy_lines, stats.repaired_lines),
        (4, 3, 1, 1)
    );
    assert_eq!(
        stats.degraded_fields.clone().into_iter().collect::<Vec<_>>(),
        [("sessionId".to_owned(), 1)]
    );
}
