//! Files of our own making, or written for us, that lie among transcripts.

use serde_json::{Map, Value};

/// What formats of ours begin with.
const FORMAT: &str = "deedcheck/";
/// How much of a line is searched for it: the format stands first in everything that we write.
const HEAD: usize = 256;
/// The fields of a launch record.
const LAUNCHED: [&str; 5] = ["run", "arm", "task", "attempt", "actor"];
/// The fields of a judgment.
const JUDGED: [&str; 4] = ["identity", "check", "verdict", "quotes"];

/// Whether the first line of a file says that it is one of ours: rows, records, sums, contexts, and
/// what is handed in to frozen checks.
#[must_use]
pub fn is_own(line: &str) -> bool {
    let line = line.trim_start_matches(['\u{feff}', ' ', '\t', '\r']);
    if !line.starts_with('{') {
        return false;
    }
    let head = line.as_bytes().get(..HEAD).unwrap_or(line.as_bytes());
    let named = memchr::memmem::find(head, FORMAT.as_bytes()).is_some();
    let told = |fields: &[&str]| fields.iter().all(|field| line.contains(field));
    if !named && !told(&LAUNCHED) && !told(&JUDGED) {
        return false;
    }
    let Ok(fields) = serde_json::from_str::<Map<String, Value>>(line) else {
        return false;
    };
    let ours = |fields: &Map<String, Value>| {
        let schema = fields.get("schema").and_then(Value::as_str);
        schema.is_some_and(|schema| schema.starts_with(FORMAT))
    };
    let has = |all: &[&str]| all.iter().all(|field| fields.contains_key(*field));
    let record = fields.get("records").and_then(Value::as_object);
    ours(&fields) || record.is_some_and(ours) || has(&LAUNCHED) || has(&JUDGED)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ours_is_told_by_its_first_line() {
        for own in [
            r#"{"schema":"deedcheck/grade/1","kind":"session"}"#,
            r#" { "schema" : "deedcheck/context/1" }"#,
            r#"{"records":{"schema":"deedcheck/records/1"}}"#,
            r#"{"run":"r","arm":"a","task":"t","attempt":1,"actor":"main","root":"x","file":"y"}"#,
            r#"{"identity":"i","check":"c","verdict":"pass","quotes":["a"]}"#,
        ] {
            assert!(is_own(own), "{own}");
        }
        for other in [
            "",
            "deedcheck/grade/1",
            r#"{"type":"user","message":{"content":"{\"schema\":\"deedcheck/grade/1\"}"}}"#,
            r#"{"type":"user","text":"run arm task attempt actor"}"#,
            r#"{"schema":"other/1","note":"deedcheck/grade/1"}"#,
            r#"{"schema":"deedcheck/grade/1""#,
        ] {
            assert!(!is_own(other), "{other}");
        }
    }
}
