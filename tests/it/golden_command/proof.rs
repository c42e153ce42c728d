//! Fifty real sessions made into cases.

use std::collections::BTreeMap;
use std::fs;
use std::path::PathBuf;

use super::golden;
use crate::shared::corpus;

/// How many sessions are tried.
const SESSIONS: usize = 50;
/// The same sessions are tried in every run.
const SEED: u64 = 0x6465_6564;
/// Longer sessions take a test too long.
const LONGEST: u64 = 400_000;

/// Session files of the corpus in an order that is the seed's.
fn drawn(corpus: &std::path::Path) -> Vec<PathBuf> {
    let mut found: Vec<PathBuf> = walkdir::WalkDir::new(corpus)
        .into_iter()
        .filter_map(Result::ok)
        .filter(|entry| entry.file_type().is_file())
        .filter(|entry| entry.metadata().is_ok_and(|meta| meta.len() < LONGEST))
        .map(walkdir::DirEntry::into_path)
        .filter(|path| path.extension().is_some_and(|end| end == "jsonl"))
        .collect();
    found.sort();
    let mut state = SEED;
    for at in (1..found.len()).rev() {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1);
        found.swap(at, usize::try_from(state >> 33).unwrap() % (at + 1));
    }
    found
}

/// What may stand before the drawn tail of an id, by the vendors' own habit.
const VENDORS: [&str; 9] = [
    "toolu", "srvtoolu", "call", "msg", "req", "resp", "rs", "fc", "chatcmpl",
];

/// Values of these keys are ids.
const KEYS: [&str; 4] = [
    "\"sessionId\":\"",
    "\"agentId\":\"",
    "\"requestId\":\"",
    "\"call_id\":\"",
];

fn is_uuid(word: &str) -> bool {
    let bytes = word.as_bytes();
    word.len() == 36
        && [8, 13, 18, 23].iter().all(|at| bytes[*at] == b'-')
        && bytes.iter().all(|b| b.is_ascii_hexdigit() || *b == b'-')
}

/// `toolu_01…` and its like, of whichever session: with a digit and letters of both cases, or in
/// hexadecimal digits.
fn is_of_vendor(word: &str) -> bool {
    let Some((head, tail)) = word.split_once(['_', '-']) else {
        return false;
    };
    let has = |class: fn(u8) -> bool| tail.bytes().any(class);
    let drawn = has(|b| b.is_ascii_lowercase()) && has(|b| b.is_ascii_uppercase());
    let hex = tail.bytes().all(|b| matches!(b, b'0'..=b'9' | b'a'..=b'f'));
    VENDORS.contains(&head)
        && tail.len() >= 20
        && tail.bytes().all(|b| b.is_ascii_alphanumeric())
        && has(|b| b.is_ascii_digit())
        && (drawn || hex)
}

/// `name@host.top`, but for the accounts of code hosts and for names of files.
fn is_address(word: &str) -> bool {
    let Some((name, host)) = word.split_once('@') else {
        return false;
    };
    let top = host.rsplit('.').next().unwrap_or("");
    let files = ["png", "jpg", "svg", "js", "ts", "tsx", "mjs", "json", "css"];
    !name.is_empty()
        && name != "git"
        && host.contains('.')
        && host.starts_with(|c: char| c.is_ascii_alphabetic())
        && top.len() >= 2
        && top.bytes().all(|b| b.is_ascii_alphabetic())
        && !files.contains(&top)
}

/// Every id and address of a text, whoever's it is, found in the plainest way there is: none of the
/// program's own.
fn plain(text: &str) -> Vec<String> {
    let text = text.replace("\\n", " ").replace("\\t", " ");
    let words = |of: fn(char) -> bool| text.split(move |c: char| !of(c));
    let uuids = words(|c| c.is_ascii_hexdigit() || c == '-').filter(|word| is_uuid(word));
    let ids = words(|c| c.is_ascii_alphanumeric() || matches!(c, '_' | '-'));
    let ids = ids.filter(|word| is_of_vendor(word));
    let addresses = words(|c| c.is_ascii_alphanumeric() || "._%+-@".contains(c));
    let addresses = addresses.map(|word| word.trim_matches(['.', '-', '+', '%']));
    let addresses = addresses.filter(|word| is_address(word));
    let mut found: Vec<String> = uuids
        .chain(ids)
        .chain(addresses)
        .map(str::to_owned)
        .collect();
    for key in KEYS {
        for (at, _) in text.match_indices(key) {
            let value = text[at + key.len()..].split('"').next().unwrap_or("");
            if value.len() >= 16
                && value.bytes().any(|b| b.is_ascii_digit())
                && !value.contains([' ', '.'])
            {
                found.push(value.to_owned());
            }
        }
    }
    found.sort();
    found.dedup();
    found.retain(|value| !value.starts_with("d00000") && !value.contains("@example.com"));
    found
}

#[test]
fn golden_new_makes_cases_of_real_sessions_or_says_why_not() {
    let Some(corpus) = corpus("golden_new_makes_cases_of_real_sessions_or_says_why_not") else {
        return;
    };
    let dir = tempfile::tempdir().unwrap();
    let mut told: BTreeMap<String, usize> = BTreeMap::new();
    let (mut tried, mut made, mut values) = (0, 0, 0);
    for path in drawn(&corpus) {
        if tried == SESSIONS {
            break;
        }
        let case = format!("cases/c{tried:02}");
        let said = golden(
            dir.path(),
            &["new", path.to_str().unwrap(), "--case", &case],
        );
        // What is no session at all is no trial.
        if said.err.contains("kind=no-session") {
            continue;
        }
        tried += 1;
        if said.code != 0 {
            assert_eq!(said.code, 2, "{}: {}", path.display(), said.err);
            assert!(!dir.path().join(&case).exists(), "nothing is written");
            let words = said.err.split_whitespace();
            let reason =
                words.filter(|word| word.starts_with("kind=") || word.starts_with("what="));
            *told
                .entry(reason.collect::<Vec<_>>().join(" "))
                .or_insert(0) += 1;
            continue;
        }
        made += 1;
        let original = fs::read_to_string(&path).unwrap_or_default();
        let copies = super::files(&dir.path().join(&case));
        let copies: Vec<String> = copies
            .values()
            .map(|bytes| String::from_utf8_lossy(bytes).into_owned())
            .collect();
        for value in plain(&original) {
            values += 1;
            let left = copies.iter().any(|copy| copy.contains(&value));
            assert!(!left, "{}: {value} stands in {case}", path.display());
        }
    }
    let line = format!(
        "golden new: {made} of {tried} made, {values} ids and addresses looked for, none is left; refused: {told:?}\n"
    );
    let _ = std::io::Write::write_all(&mut std::io::stderr(), line.as_bytes());
    assert_eq!(tried, SESSIONS);
    assert!(made * 10 >= SESSIONS * 9, "{line}");
    assert!(values > 1000, "{line}");
    let hidden = fs::read_dir(dir.path().join("cases")).unwrap();
    let partial = |name: std::ffi::OsString| name.to_string_lossy().starts_with('.');
    assert!(
        !hidden
            .into_iter()
            .any(|entry| partial(entry.unwrap().file_name()))
    );
    let said = golden(dir.path(), &["check", "cases"]);
    assert_eq!(
        (said.code, said.out.as_str()),
        (0, format!("golden: {made} cases, as expected\n").as_str())
    );
}
