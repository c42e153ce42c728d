//! When an answer was given, held against the windows in which runs went on.

use std::path::Path;

use serde::Deserialize;

use super::bind::Window;
use crate::source::LineReader;

/// Characters of a time to the second; as many as those of a window without its `Z`.
const SECONDS: usize = "dddd-dd-ddTdd:dd:dd".len();

/// What every client that dates its records calls it.
#[derive(Deserialize)]
struct Stamp<'a> {
    #[serde(borrow)]
    timestamp: Option<std::borrow::Cow<'a, str>>,
}

/// Whether the times that some lines of a transcript tell stand in one of the windows. Lines without a
/// time tell nothing, and neither does a time that is not in UTC (seed 002: undated is not outside).
pub(super) fn within(path: &Path, lines: (u64, u64), windows: &[Window]) -> bool {
    if windows.is_empty() {
        return true;
    }
    let Ok(mut reader) = LineReader::open(path) else {
        return true;
    };
    let mut span: Option<(String, String)> = None;
    let mut number = 0;
    while let Some(line) = reader.next_line() {
        number += 1;
        if number < lines.0 {
            continue;
        }
        if number > lines.1 {
            break;
        }
        let Some(time) = time(line.bytes) else {
            continue;
        };
        span = Some(match span {
            None => (time.clone(), time),
            Some((first, last)) => (first.min(time.clone()), last.max(time)),
        });
    }
    let Some((first, last)) = span else {
        return true;
    };
    let to_second = |time: &str| time.get(..SECONDS).unwrap_or("").to_owned();
    windows
        .iter()
        .any(|window| first >= to_second(&window.since) && last < to_second(&window.until))
}

/// The time of a record, to the second.
fn time(line: &[u8]) -> Option<String> {
    let stamp: Stamp<'_> = serde_json::from_slice(line).ok()?;
    let text = stamp.timestamp?;
    let utc = text.ends_with('Z') && text.is_ascii();
    utc.then(|| text.get(..SECONDS).map(str::to_owned))?
}
