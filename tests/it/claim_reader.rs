//! The claim reader against turns that two people labelled.
//!
//! `both` claims are to be found: any overlap, same kind. A claim that overlaps no label of
//! the same kind counts as an extra. The turns are halved by a hash of their id: rules were written
//! with half 0 in view; half 1 was counted first and looked at later, so neither is held out.

use std::collections::BTreeMap;

use deedcheck::rule::claim::{self, Claim};
use serde_json::Value;

use super::shared::labelled;

/// Floors for the share of `both` claims found, in percent, by half; and ceilings for the share of
/// claims that no reader marked.
const FOUND_FLOOR: [usize; 2] = [90, 75];
const EXTRA_CEILING: [usize; 2] = [32, 36];

fn turns() -> Option<Vec<Value>> {
    let shared = labelled("labelled_claims_are_read")?;
    let text = std::fs::read_to_string(shared.join("cases/claims/turns.jsonl")).unwrap();
    Some(
        text.lines()
            .map(|line| serde_json::from_str(line).unwrap_or(Value::Null))
            .collect(),
    )
}

/// FNV-1a of the id, one bit of it.
fn half(id: &str) -> usize {
    let hash = id.bytes().fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    });
    usize::from(hash >> 17 & 1 == 1)
}

#[derive(Default, Clone, Copy)]
struct Tally {
    found: usize,
    missed: usize,
    extra: usize,
    read: usize,
    negation: usize,
}

type Table = BTreeMap<String, [Tally; 2]>;

fn at(label: &Value, key: &str) -> usize {
    label[key]
        .as_u64()
        .and_then(|n| usize::try_from(n).ok())
        .unwrap_or(usize::MAX)
}

fn overlaps(claim: &Claim, label: &Value) -> bool {
    claim.span.start < at(label, "end") && at(label, "start") < claim.span.end
}

fn kinds(label: &Value) -> [&str; 2] {
    [
        label["kind"].as_str().unwrap_or(""),
        label["other"]["kind"].as_str().unwrap_or(""),
    ]
}

#[expect(clippy::print_stdout, reason = "figures show with --nocapture")]
fn tally(turn: &Value, table: &mut Table) {
    let id = turn["id"].as_str().unwrap_or("");
    let close = turn["close"].as_str().unwrap_or("");
    let half = half(id);
    let listed = std::env::var("DEEDCHECK_LIST_HALF").is_ok_and(|h| h == half.to_string());
    let reading = claim::read(close);
    let none = Vec::new();
    let labels = turn["claims"].as_array().unwrap_or(&none);
    for label in labels.iter().filter(|label| label["readers"] == "both") {
        let kind = kinds(label)[0];
        let hit = reading
            .claims
            .iter()
            .find(|c| c.kind.as_str() == kind && overlaps(c, label));
        let entry = &mut table.entry(kind.to_owned()).or_default()[half];
        match hit {
            Some(hit) => {
                entry.found += 1;
                entry.negation += usize::from(Some(hit.negated) != label["negated"].as_bool());
            }
            None => entry.missed += 1,
        }
        if hit.is_none() && listed {
            println!("MISS {id} {kind}: {}", label["text"]);
        }
    }
    for claim in &reading.claims {
        let kind = claim.kind.as_str();
        let entry = &mut table.entry(kind.to_owned()).or_default()[half];
        entry.read += 1;
        let near = labels.iter().any(|label| overlaps(claim, label));
        let same = labels
            .iter()
            .any(|label| overlaps(claim, label) && kinds(label).contains(&kind));
        entry.extra += usize::from(!same);
        if !same && listed {
            let mark = if near { "KIND" } else { "EXTRA" };
            let text = close.get(claim.span.clone()).unwrap_or("");
            println!("{mark} {id} {kind}: {}", Value::from(text));
        }
    }
}

#[test]
#[expect(clippy::print_stdout, reason = "figures show with --nocapture")]
fn labelled_claims_are_read() {
    let Some(turns) = turns() else { return };
    let mut table = Table::new();
    for turn in &turns {
        tally(turn, &mut table);
    }
    let mut total = [Tally::default(); 2];
    println!(
        "{:12} found/both  read extra negation (half 0 | half 1)",
        "kind"
    );
    for (kind, halves) in &table {
        for (sum, tally) in total.iter_mut().zip(halves) {
            sum.found += tally.found;
            sum.missed += tally.missed;
            sum.extra += tally.extra;
            sum.read += tally.read;
            sum.negation += tally.negation;
        }
        println!("{kind:12} {} | {}", row(halves[0]), row(halves[1]));
    }
    println!("{:12} {} | {}", "all", row(total[0]), row(total[1]));
    for (half, sum) in total.iter().enumerate() {
        let both = (sum.found + sum.missed).max(1);
        assert!(
            sum.found * 100 >= FOUND_FLOOR[half] * both,
            "half {half}: found"
        );
        assert!(
            sum.extra * 100 <= EXTRA_CEILING[half] * sum.read.max(1),
            "half {half}: extra"
        );
    }
}

fn row(tally: Tally) -> String {
    format!(
        "{:3}/{:3} {:4} {:4} {:3}",
        tally.found,
        tally.found + tally.missed,
        tally.read,
        tally.extra,
        tally.negation
    )
}
