//! The committed rows: `golden/grades/<case>.jsonl`.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use serde_json::Value;

use super::program::{grade, parse};
use super::reading::{Case, root};

/// Asks to rewrite the rows instead of comparing them. Refused on a build machine.
const ACCEPT: &str = "DEEDCHECK_ACCEPT";

/// Where a case's rows are kept.
pub(super) fn path(case: &Case) -> PathBuf {
    let name = case.name.replace('/', "-");
    root().join("grades").join(format!("{name}.jsonl"))
}

/// The rows of a whole case, the client's files and what it printed, as the program writes them.
pub(super) fn written(case: &Case) -> Vec<u8> {
    let parent = case.folder.parent().expect("a case lies in a folder");
    let base = case.name.rsplit('/').next().unwrap_or_default();
    grade(parent, &["--format", "jsonl", base])
}

/// Whether rows are to be rewritten.
pub(crate) fn accepting() -> bool {
    let set = |name| std::env::var_os(name).is_some_and(|value| !value.is_empty());
    let accept = std::env::var_os(ACCEPT).is_some_and(|value| value == "1");
    assert!(
        !(accept && set("CI")),
        "{ACCEPT} is for a person at work; a build machine only compares"
    );
    accept
}

/// Holds files that a run made against those that are kept, or keeps them where that is asked for.
pub(crate) fn held(kept: &Path, made: &Path, names: &[&str]) {
    let accepting = accepting();
    let mut changed = Vec::new();
    for name in names {
        let made = std::fs::read(made.join(name)).unwrap();
        let kept = kept.join(name);
        if accepting {
            std::fs::write(kept, made).unwrap();
        } else if std::fs::read(kept).ok() != Some(made) {
            changed.push(*name);
        }
    }
    let hint = format!("look at each change; if all are meant: {ACCEPT}=1");
    assert!(changed.is_empty(), "{changed:?} changed; {hint}");
}

/// What differs between kept and written rows: one line for each field of each row.
pub(super) fn changes(name: &str, kept: &[u8], written: &[u8]) -> Vec<String> {
    let (kept, written) = (parse(kept), parse(written));
    let key = |row: &Value| {
        let file = row["file"].as_str().unwrap_or_default();
        let base = file.rsplit('/').next().unwrap_or_default();
        match row["turn"].as_u64() {
            Some(turn) => format!("{name} {base} turn {turn}"),
            None => format!("{name} {base} session {}", row["session"]),
        }
    };
    let keys: BTreeSet<String> = kept.iter().chain(&written).map(key).collect();
    let mut found = Vec::new();
    for wanted in keys {
        let before: Vec<&Value> = kept.iter().filter(|row| key(row) == wanted).collect();
        let after: Vec<&Value> = written.iter().filter(|row| key(row) == wanted).collect();
        for at in 0..before.len().max(after.len()) {
            match (before.get(at), after.get(at)) {
                (Some(before), Some(after)) => differ(&wanted, before, after, &mut found),
                (Some(_), None) => found.push(format!("{wanted}: the row is gone")),
                _ => found.push(format!("{wanted}: a new row")),
            }
        }
    }
    if found.is_empty() {
        found.push(format!("{name}: the same rows in other bytes or order"));
    }
    found
}

/// The innermost fields that differ.
fn differ(place: &str, before: &Value, after: &Value, found: &mut Vec<String>) {
    if before == after {
        return;
    }
    match (before, after) {
        (Value::Object(old), Value::Object(new)) => {
            let names: BTreeSet<&String> = old.keys().chain(new.keys()).collect();
            for name in names {
                let inner = format!("{place} {name}");
                differ(&inner, &before[name], &after[name], found);
            }
        }
        (Value::Array(old), Value::Array(new)) if old.len() == new.len() => {
            for (number, (old, new)) in (1..).zip(old.iter().zip(new)) {
                differ(&format!("{place} {number}"), old, new, found);
            }
        }
        _ => found.push(format!("{place}: {before} -> {after}")),
    }
}
