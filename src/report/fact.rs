//! What a page says of one row, field by field: the one place that pages and their checker take it
//! from. No file is named, and no id.

use serde_json::Value;

use super::claim::{claim_fact, outlet};
use super::near::nearer;
use super::seen::{Seen, sentence_of};
use super::sentence::{dark_reason, turn_fact};
use super::style::{clean, fit};
use crate::grade::field::{list, number, text};

/// What stands before the kind of what a quoted field would have told.
pub const WITHHELD: &str = "withheld: ";

/// Fields that repeat a transcript's own words, which may hold anything.
pub const QUOTED: [&str; 3] = ["text", "what", "settle"];

/// Columns that quoted words take at most.
const WORDS: usize = 280;
/// Columns that a sentence of fact takes at most.
const SENTENCE: usize = 560;

/// The text of one field of a row as it stands in `grades.jsonl`; none where such a row has no such
/// field, or nothing to show in it.
///
/// | field | what it is |
/// |---|---|
/// | `kind` `status` `verdict` | as in the row |
/// | `rule` | the claim's kind, the finding's rule, the check's kind; `gate` for a turn |
/// | `reasons` | separated by commas |
/// | `place` | `turn 2, line 184`; `line 3` where no turn is told |
/// | `where` | where a claim was published, in words; none for a close |
/// | `text` | the words that were judged, cut where they are long |
/// | `what` | what the record shows of them, as a sentence; of absolute paths the last name |
/// | `settle` | the command that would settle it |
/// | `evidence` | the lines that decided it |
/// | `ended` `client` `agent` | as in the row |
/// | `task` `arm` `family` `check` `attempt` | as in the row of a frozen check or task |
#[must_use]
pub fn field(row: &Value, name: &str) -> Option<String> {
    let kind = text(row, "kind");
    let told = match name {
        "kind" | "status" | "verdict" | "ended" | "client" | "agent" | "task" | "arm"
        | "family" | "check" => clean(text(row, name)),
        "attempt" => number(row, "attempt").map_or(String::new(), |number| number.to_string()),
        "rule" => clean(rule(row, kind)),
        "reasons" => {
            let reasons: Vec<&str> = list(row, "reasons").filter_map(Value::as_str).collect();
            clean(&reasons.join(", "))
        }
        "place" => place(row),
        "where" => outlet(text(row, "where")).unwrap_or("").to_owned(),
        "text" => words(row, kind),
        "what" => what(row, kind),
        "settle" => one_line(text(row, "settle"), WORDS),
        "evidence" => lines(row),
        _ => String::new(),
    };
    (!told.is_empty()).then_some(told)
}

/// A text on one line of no more than so many columns.
fn one_line(text: &str, columns: usize) -> String {
    let clean = clean(text);
    let words: Vec<&str> = clean.split_whitespace().collect();
    fit(&words.join(" "), columns)
}

fn rule<'a>(row: &'a Value, kind: &'a str) -> &'a str {
    match kind {
        "claim" => text(row, "claim"),
        "finding" => text(row, "rule"),
        "check" => text(row, "check_kind"),
        "turn" => "gate",
        _ => "",
    }
}

fn place(row: &Value) -> String {
    let lines: Vec<u64> = list(row, "lines").filter_map(Value::as_u64).collect();
    let lines = match lines.as_slice() {
        [first, last] if first != last => format!("lines {first}–{last}"),
        [first, ..] => format!("line {first}"),
        [] => String::new(),
    };
    match (number(row, "turn"), lines.is_empty()) {
        (Some(turn), false) => format!("turn {turn}, {lines}"),
        (Some(turn), true) => format!("turn {turn}"),
        (None, _) => lines,
    }
}

fn words(row: &Value, kind: &str) -> String {
    match kind {
        "turn" => {
            let gate = row.get("gate").unwrap_or(&Value::Null);
            one_line(text(gate, "text"), WORDS)
        }
        // What was read in the answer. What the key holds is never told on a page: whoever reads it would know the answer.
        "check" => {
            let read = list(row, "read").take(3).map(|own| text(own, "text"));
            one_line(&read.collect::<Vec<_>>().join(" / "), WORDS)
        }
        // What was taken out, and what was put in its place.
        "finding" => {
            let sides = text(row, "text").lines().map(str::trim);
            let sides: Vec<&str> = sides.filter(|side| !side.is_empty()).take(2).collect();
            let room = WORDS / sides.len().max(1);
            let sides: Vec<String> = sides.iter().map(|side| one_line(side, room)).collect();
            sides.join(" / ")
        }
        _ => one_line(text(row, "text"), WORDS),
    }
}

fn what(row: &Value, kind: &str) -> String {
    let first = list(row, "reasons").find_map(Value::as_str).unwrap_or("");
    let fact = match kind {
        "claim" => claim_fact(&Seen::of(row)),
        "turn" => turn_fact(&Seen::of(row)),
        "finding" => Seen::of(row).facts(),
        "session" if text(row, "verdict") == "dark" => dark_reason(first).to_owned(),
        _ => String::new(),
    };
    one_line(&nearer(&sentence_of(&fact)), SENTENCE)
}

/// The lines of the row's own file that decided it, in order.
fn lines(row: &Value) -> String {
    let own = text(row, "file");
    let here = list(row, "evidence").filter(|found| text(found, "file") == own);
    let mut lines: Vec<u64> = here.filter_map(|found| number(found, "line")).collect();
    lines.sort_unstable();
    lines.dedup();
    let lines: Vec<String> = lines.iter().take(12).map(u64::to_string).collect();
    match lines.as_slice() {
        [] => String::new(),
        [line] => format!("line {line}"),
        _ => format!("lines {}", lines.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn claim() -> Value {
        json!({
            "schema": "deedcheck/grade/1", "kind": "claim", "file": "a/b.jsonl", "session": "s",
            "turn": 2, "lines": [184, 184], "status": "fail", "verdict": "contradicted",
            "reasons": ["stale"], "claim": "tests", "where": "commit",
            "evidence": [
                {"file": "a/b.jsonl", "line": 90, "start": 0, "end": 1, "what": "the last run"},
                {"file": "a/c.jsonl", "line": 12, "start": 0, "end": 1, "what": "the change"},
            ],
            "text": "All  tests\n pass\u{202e}", "settle": "cargo test",
        })
    }

    #[test]
    fn each_field_of_a_claim_has_one_text() {
        let row = claim();
        let told = |name: &str| field(&row, name).unwrap_or_default();
        assert_eq!(told("kind"), "claim");
        assert_eq!(told("verdict"), "contradicted");
        assert_eq!(told("rule"), "tests");
        assert_eq!(told("reasons"), "stale");
        assert_eq!(told("place"), "turn 2, line 184");
        assert_eq!(told("where"), "commit message");
        assert_eq!(told("text"), "All tests pass");
        assert_eq!(
            told("what"),
            "The last run (line 90) came before the change at line 12 of another file."
        );
        assert_eq!(told("settle"), "cargo test");
        assert_eq!(told("evidence"), "line 90");
        assert_eq!(field(&row, "file"), None);
        assert_eq!(field(&row, "session"), None);
        assert_eq!(field(&json!(null), "what"), None);
    }

    #[test]
    fn long_words_are_cut() {
        let mut row = claim();
        row["text"] = json!("word ".repeat(200_000));
        row["reasons"] = json!(["x".repeat(9)]);
        row["evidence"] = json!([{"file": "a/b.jsonl", "line": 1, "what": "y".repeat(1_000_000)}]);
        for name in ["text", "what"] {
            let told = field(&row, name).unwrap();
            assert!(
                told.chars().count() <= SENTENCE && told.ends_with('…'),
                "{name}"
            );
        }
    }

    #[test]
    fn a_finding_shows_both_sides() {
        let row = json!({
            "kind": "finding", "file": "f", "turn": 1, "lines": [3, 9], "rule": "weakened-test",
            "verdict": "finding", "reasons": ["looser"], "text": "assert_eq!(a, 4);\n\n  assert!(a > 0);",
            "evidence": [{"file": "f", "line": 9, "what": "the check was loosened"}],
        });
        assert_eq!(
            field(&row, "text").unwrap(),
            "assert_eq!(a, 4); / assert!(a > 0);"
        );
        assert_eq!(
            field(&row, "what").unwrap(),
            "The check was loosened (line 9)."
        );
        assert_eq!(field(&row, "place").unwrap(), "turn 1, lines 3–9");
        assert_eq!(field(&row, "rule").unwrap(), "weakened-test");
    }
}
