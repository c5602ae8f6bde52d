//! When the last record of a file of JSON lines was written, from its end alone: what sessions are ordered by
//! without being folded. A file's own time says when it was copied, synced or restored.

use std::borrow::Cow;
use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
use std::path::Path;

use serde::Deserialize;

use crate::ids::Millis;

/// How much of the end is read first; four times as much each time after that.
const FIRST_STEP: u64 = 64 * 1024;
/// How much of it is read at most.
const MOST: u64 = 16 * 1024 * 1024;

#[derive(Deserialize)]
struct Timed<'a> {
    #[serde(borrow)]
    timestamp: Option<Cow<'a, str>>,
}

/// The latest time of a record among those that end a file; `None` if none of its last 16 MiB has one. Records
/// are written in time order, except some that were delayed a little.
pub(super) fn latest(path: &Path) -> io::Result<Option<Millis>> {
    let mut file = File::open(path)?;
    let length = file.metadata()?.len();
    let mut step = FIRST_STEP;
    loop {
        let start = length.saturating_sub(step);
        file.seek(SeekFrom::Start(start))?;
        let mut end = Vec::new();
        Read::by_ref(&mut file).take(step).read_to_end(&mut end)?;
        let found = latest_in(&end, start == 0);
        if found.is_some() || start == 0 || step >= MOST {
            return Ok(found);
        }
        step *= 4;
    }
}

/// The latest time in the end of a file, of which the first line may be cut.
fn latest_in(end: &[u8], from_the_start: bool) -> Option<Millis> {
    let cut = usize::from(!from_the_start);
    end.split(|byte| *byte == b'\n').skip(cut).filter_map(latest_on).max()
}

fn latest_on(line: &[u8]) -> Option<Millis> {
    let line = String::from_utf8_lossy(line);
    let line = line.strip_prefix('\u{feff}').unwrap_or(&line);
    let records = serde_json::Deserializer::from_str(line).into_iter::<Timed<'_>>();
    let times =
        records.map_while(Result::ok).filter_map(|record| Millis::parse(&record.timestamp?));
    times.max()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn is(text: &str, expected: Option<&str>) {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("s.jsonl");
        std::fs::write(&path, text).unwrap();
        assert_eq!(latest(&path).unwrap(), expected.and_then(Millis::parse));
    }

    fn at(second: u32) -> String {
        format!("{{\"timestamp\":\"2030-01-01T00:00:{second:02}Z\",\"x\":\"\\ud83d\"}}\n")
    }

    #[test]
    fn the_latest_of_the_last_records_counts() {
        let last = Some("2030-01-01T00:00:07Z");
        is(&(at(3) + &at(7) + &at(5)), last);
        is((at(3) + &at(7)).trim_end(), last);
        is(&(at(7) + "{\"type\":\"mode\"}\n{\"timestamp\":5}\n{\"timestamp\":\"20"), last);
        is(&(at(7).trim_end().to_owned() + &at(2)), last);
        is("", None);
        is("{\"type\":\"mode\"}\n", None);
    }

    #[test]
    fn more_of_the_end_is_read_where_it_has_no_time() {
        let bare = "{\"type\":\"mode\"}\n".repeat(50_000);
        is(&(at(9) + &at(7) + &bare), Some("2030-01-01T00:00:09Z"));
        // A time further up than the first step that has one says nothing.
        is(&(at(9) + &bare + &at(7)), Some("2030-01-01T00:00:07Z"));
        let long = format!(
            "{{\"timestamp\":\"2030-01-01T00:00:07Z\",\"x\":\"{}\"}}",
            "x".repeat(3_000_000)
        );
        is(&(at(3) + &long), Some("2030-01-01T00:00:07Z"));
    }
}
