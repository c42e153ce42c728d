//! How the last message of a transcript says that it ends: cut off, by its length or by the model's service, or with
//! nothing said.

use std::borrow::Cow;
use std::path::Path;

use serde::Deserialize;
use serde_json::Value;

use crate::source::LineReader;

/// How a last message ends that is no whole answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LastEnd {
    /// It was cut off.
    Cut,
    /// It says nothing.
    Silent,
}

#[derive(Deserialize)]
struct Line<'a> {
    #[serde(rename = "type", default)]
    kind: &'a str,
    #[serde(rename = "isSidechain", default)]
    aside: bool,
    #[serde(rename = "isApiErrorMessage", default)]
    fault: bool,
    #[serde(borrow)]
    message: Option<Message<'a>>,
}

#[derive(Deserialize)]
struct Message<'a> {
    #[serde(borrow)]
    id: Option<Cow<'a, str>>,
    #[serde(borrow)]
    stop_reason: Option<&'a str>,
    #[serde(default)]
    content: Value,
}

impl Message<'_> {
    /// Whether it says or does anything.
    fn is_filled(&self) -> bool {
        let filled = |block: &Value| {
            let text = block.get("text").and_then(Value::as_str);
            let thinks = block.get("type").and_then(Value::as_str) == Some("thinking");
            !thinks && text.is_none_or(|text| !text.trim().is_empty())
        };
        match &self.content {
            Value::String(text) => !text.trim().is_empty(),
            Value::Array(blocks) => blocks.iter().any(filled),
            _ => false,
        }
    }
}

/// How the last message in some lines of a transcript of Claude Code ends, where that is no end of an answer. `aside`:
/// whose messages are meant, those of a session or of an agent that it launched.
#[must_use]
pub fn last_end(path: &Path, lines: (u64, u64), aside: bool) -> Option<LastEnd> {
    let mut reader = LineReader::open(path).ok()?.without_digest();
    let mut ending = None;
    let mut last: Option<(String, bool)> = None;
    while let Some(line) = reader.next_within(lines) {
        let Ok(line) = serde_json::from_slice::<Line<'_>>(line.bytes) else {
            continue;
        };
        let Some(message) = line.message else {
            continue;
        };
        if line.kind != "assistant" || line.fault || line.aside != aside {
            continue;
        }
        // The blocks of one message stand in lines of their own.
        let id = message.id.as_deref().unwrap_or("");
        let before = last.take().filter(|(own, _)| own == id && !id.is_empty());
        let filled = before.is_some_and(|(_, filled)| filled) || message.is_filled();
        ending = match message.stop_reason {
            Some("max_tokens" | "refusal") => Some(LastEnd::Cut),
            Some("end_turn") if !filled => Some(LastEnd::Silent),
            _ => None,
        };
        last = Some((id.to_owned(), filled));
    }
    ending
}
