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

/// The first and the last time that a turn tells, to the second.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Span {
    /// The first.
    pub first: String,
    /// The last.
    pub last: String,
}

/// The times that some lines of a transcript tell. Lines without a time tell nothing, and neither does a
/// time that is not in UTC.
pub(super) fn span(path: &Path, lines: (u64, u64)) -> Option<Span> {
    let mut reader = LineReader::open(path).ok()?.without_digest();
    let mut span: Option<Span> = None;
    while let Some(line) = reader.next_within(lines) {
        let Some(time) = time(line.bytes) else {
            continue;
        };
        span = Some(match span {
            None => Span {
                first: time.clone(),
                last: time,
            },
            Some(span) => Span {
                first: span.first.min(time.clone()),
                last: span.last.max(time),
            },
        });
    }
    span
}

/// Whether the times of a turn stand in one of the windows (seed 002: undated is not outside).
pub(super) fn within(span: Option<&Span>, windows: &[Window]) -> bool {
    let Some(span) = span else {
        return true;
    };
    let to_second = |time: &str| time.get(..SECONDS).unwrap_or("").to_owned();
    windows.is_empty()
        || windows.iter().any(|window| {
            span.first >= to_second(&window.since) && span.last < to_second(&window.until)
        })
}

/// The time of a record, to the second.
fn time(line: &[u8]) -> Option<String> {
    let stamp: Stamp<'_> = serde_json::from_slice(line).ok()?;
    let text = stamp.timestamp?;
    let utc = text.ends_with('Z') && text.is_ascii();
    utc.then(|| text.get(..SECONDS).map(str::to_owned))?
}
